"""What several exercises of this lesson share: their cases, how a prediction is asked for, what mistakes mean."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.exercises import Case, Misconception, Tensor

from ...judging import cases, mistakes

HERE = {
    "divided by the root of the wrong length": {
        "detail": "under the root stands another axis than the features of the keys",
        "question": "Over which axis does a dot product sum, and does your divisor follow when that axis grows?",
    },
    "scaled after the softmax": {
        "detail": "the weights are divided, not the scores",
        "question": "Add up one row of your weights. Which step could have changed that sum?",
    },
    "softmax over the queries": {
        "detail": "each key shares itself out among the queries",
        "question": "Take one query: among what does it share out its attention, and along which axis do those lie?",
    },
    "softmax over the whole matrix": {
        "detail": "all queries share a single 1",
        "question": "What does each row of your weights sum to, and what if there were twice as many queries?",
    },
    "weights transposed": {
        "detail": "they are turned before they meet the values",
        "question": "Which row of your weights belongs to query 0, and which numbers does your product take?",
    },
    "no shift by the maximum": {
        "detail": "exp of a large score is infinite",
        "question": "What does np.exp(1000) print? Which shift of a row leaves its softmax the same?",
    },
    "axis of length 1 lost": {
        "detail": "where an axis has length 1, it is gone from what comes back",
        "question": "Print the shapes of Q, K and V, and of what you return: which axis of length 1 is missing?",
    },
}
"""Explanations and questions of mistakes, where this lesson needs others than the catalogue's."""


def mistake(name: str, *wrong: Any, **differing: str) -> Misconception:
    """The mistake of this name, as this lesson speaks of it."""
    return mistakes.mistake(name, *wrong, **{**HERE.get(name, {}), **differing})


def on_tensors(tag: str, arrays: Sequence[Any], label: str, **settings: Any) -> Case:
    """A case whose arguments are float32 tensors."""
    tensors = tuple(Tensor(np.asarray(array, dtype=np.float32)) for array in arrays)
    return Case(tag, tensors, label=label, **settings)


def normal(rng: np.random.Generator, *shapes: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Arrays of these shapes, to two decimals."""
    return tuple(rng.normal(size=shape).round(2) for shape in shapes)


def qkv(
    rng: np.random.Generator, n_q: int, n_k: int, d_k: int, d_v: int, *batch: int
) -> tuple[np.ndarray, ...]:
    """Queries, keys and values of these sizes."""
    return normal(rng, (*batch, n_q, d_k), (*batch, n_k, d_k), (*batch, n_k, d_v))


def far_apart(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Whole numbers: query 0's scores are ordinary, those of queries 1 and 2 run to thousands."""
    direction = rng.permutation([1.0, -2.0, 3.0])
    Q = np.array([direction, 3000 * direction, -4000 * direction])
    K = direction + [[0, 0, 0], [1, 0, 0], [0, -1, 2]]
    return Q, K, *normal(rng, (3, 3))


def all_large(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Sixteenths: every score lies between 1000 and 3000, those of one query near each other."""
    Q, K = 20.0 + rng.integers(0, 6, (4, 3)), 20.0 + rng.integers(0, 6, 3) + steps(rng)
    return Q, K, *normal(rng, (4, 3))


def steps(rng: np.random.Generator) -> np.ndarray:
    """Four rows of one number each: 0, 1/16, 2/16 and 3/16, in any order."""
    return rng.permutation(4)[:, None] / 16


prediction = partial(cases.prediction, unordered=("attends_to",))

"""What several exercises of this lesson draw their cases from, and how a prediction is asked for."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part, Tensor


def prediction(
    names: tuple[str, ...], *parts: Part, mistakes: Sequence[Misconception], **more: Any
) -> Exercise:
    """An exercise that asks for values of these names; its one case says what each mistake would give."""
    guesses = [(m.name, dict(zip(names, wrong, strict=True))) for m in mistakes for wrong in m.wrong]
    asked = (Case("values", facts={"mistaken": guesses}),)
    return Exercise(parts, lambda: asked, misconceptions=tuple(mistakes), **more)


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
    Q = np.array([direction, 300 * direction, -400 * direction])
    K = direction + [[0, 0, 0], [1, 0, 0], [0, -1, 2]]
    return Q, K, *normal(rng, (3, 3))


def all_large(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Whole numbers: every score lies between 1000 and 3000."""
    Q, K = 20.0 + rng.integers(0, 6, (4, 3)), 20.0 + rng.integers(0, 6, (4, 3))
    return Q, K, *normal(rng, (4, 3))

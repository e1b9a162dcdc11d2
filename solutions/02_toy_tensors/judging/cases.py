"""What several exercises of this lesson share: their cases, how a prediction is asked for, what mistakes mean."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Tensor

MEANT = {
    "not divided by √d_k": (
        "the dot products go into the softmax as they are",
        "With twice as many features, what happens to the size of a dot product? What brings it back?",
    ),
    "divided by the wrong power of d_k": (
        "the scores are scaled by another number than 1 / √d_k",
        "Put d_k = 9 into your code with a pencil: what becomes of a score of 9, and what by the formula?",
    ),
    "root of d_k cut to a whole number": (
        "the scores are divided by what is left of it without its fraction",
        "What does your code divide by at d_k = 3, and what by the formula?",
    ),
    "divided by the root of the wrong length": (
        "under the root stands another axis than the features of the keys",
        "Over which axis does a dot product sum, and does your divisor follow when that axis grows?",
    ),
    "a constant instead of the input's size": (
        "the scores are divided by the root of a fixed number",
        "What does your code divide by when the vectors have one more feature?",
    ),
    "scaled after the softmax": (
        "the weights are divided, not the scores",
        "Add up one row of your weights. Which step could have changed that sum?",
    ),
    "softmax over the queries": (
        "each key shares itself out among the queries",
        "Take one query: among what does it share out its attention, and along which axis do those lie?",
    ),
    "softmax over the whole matrix": (
        "all queries share a single 1",
        "What does each row of your weights sum to, and what if there were twice as many queries?",
    ),
    "Q, K or V in the wrong place": (
        "one of them stands where another belongs",
        "Change Q alone, then K alone, then V alone: which results should move each time, and which do?",
    ),
    "keys not transposed": (
        "a query's numbers meet those of several keys",
        "Write the shapes of both factors side by side: which two axes should meet, and which two do?",
    ),
    "weights transposed": (
        "they are turned before they meet the values",
        "Which row of your weights belongs to query 0, and which numbers does your product take?",
    ),
    "no shift by the maximum": (
        "exp of a large score is infinite",
        "What does np.exp(1000) print? Which shift of a row leaves its softmax the same?",
    ),
    "large scores cut to a limit": (
        "all that lie beyond it weigh the same",
        "Of two scores, 5000 and 5010, which one should win, and what is left of them after your limit?",
    ),
    "one maximum for all rows": (
        "the same number is taken off every row",
        "One row of scores lies far below another: what is left of it after your shift and exp?",
    ),
    "broadcast along the wrong axis": (
        "a number for each row lines up with the columns",
        "Print the two shapes that meet in your division: which axis does the shorter one line up with?",
    ),
    "axis of length 1 lost": (
        "where an axis has length 1, it is gone from what comes back",
        "Print the shapes of Q, K and V, and of what you return: which axis of length 1 is missing?",
    ),
    "exponential missing": (
        "the scores themselves are shared out",
        "What becomes of a score below zero, and which step of a softmax makes every share positive?",
    ),
    "only the best key counts": (
        "a query fetches the value of its best key alone",
        "Which share gets a key whose score is only a little lower than the best one?",
    ),
    "weights returned without the values": (
        "what is shared out never meets V",
        "Change V alone: what should move, and does anything?",
    ),
    "results in the wrong order": (
        "the weights come first",
        "Which of the two does the docstring name first?",
    ),
}
"""What a mistake means, and what to ask whoever makes it, where more than one exercise lists it."""


def mistake(name: str, *wrong: Any) -> Misconception:
    """The mistake of this name, with wrong answers to the exercise that lists it."""
    return Misconception(name, *MEANT[name], *wrong)


def prediction(
    parts: tuple[Criterion, ...], *misconceptions: Misconception, graded: bool = False, puzzle: bool = False
) -> Exercise:
    """An exercise that asks for values; a number worked out by hand may be off by 0.01."""
    asked = (Case("values", tolerance=0.01, unordered=("attends_to",)),)
    return Exercise(parts, lambda: asked, misconceptions=misconceptions, graded=graded, puzzle=puzzle)


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

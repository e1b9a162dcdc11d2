"""Arguments of which the cases of any lesson are made, and questions on the spot."""

from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Tensor


def tensor(values: Any) -> Tensor:
    """Numbers in single precision, as the notebook's are."""
    return Tensor(np.asarray(values, dtype=np.float32))


def array(rng: np.random.Generator, *shape: int, scale: float = 1.0, decimals: int = 1) -> np.ndarray:
    """Normal numbers, rounded."""
    return (scale * rng.normal(size=shape)).round(decimals)


def numbers(rng: np.random.Generator, *shape: int, scale: float = 1.0, decimals: int = 1) -> Tensor:
    """The same as a tensor."""
    return tensor(array(rng, *shape, scale=scale, decimals=decimals))


def whole_numbers(values: Any) -> Tensor:
    """A tensor of whole numbers, such as token ids or lengths."""
    return Tensor(np.asarray(values, dtype=np.int64))


def padding(*lengths: int, n: int) -> np.ndarray:
    """(batch, 1, n): True where there is a word."""
    return (np.arange(n) < np.array(lengths)[:, None])[:, None, :]


def prediction(
    criteria: tuple[Criterion, ...],
    *misconceptions: Misconception,
    tolerance: float = 0.01,
    unordered: tuple[str, ...] = (),
    graded: bool = False,
    puzzle: bool = False,
) -> Exercise:
    """An exercise that asks for values; a number may be off by the tolerance."""
    asked = (Case("values", tolerance=tolerance, unordered=unordered),)
    return Exercise(criteria, lambda: asked, misconceptions=misconceptions, graded=graded, puzzle=puzzle)

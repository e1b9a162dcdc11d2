"""What several exercises of this lesson are made of."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Tensor


def prediction(parts: tuple[Criterion, ...], *misconceptions: Misconception, tolerance: float = 0.01) -> Exercise:
    """A question on the spot; a number may be off by the tolerance."""
    asked = (Case("values", tolerance=tolerance),)
    return Exercise(parts, lambda: asked, misconceptions=misconceptions, graded=False)


def numbers(rng: np.random.Generator, *shape: int, scale: float = 1.0, decimals: int = 1) -> Tensor:
    """Random numbers with one decimal."""
    return Tensor((scale * rng.normal(size=shape)).round(decimals).astype(np.float32))


def words(*rows: list[int]) -> Tensor:
    """Token ids, a row a text."""
    return Tensor(np.array(rows, dtype=np.int64))

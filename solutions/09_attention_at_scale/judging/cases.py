"""What several exercises of this lesson are made of."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Tensor
from autograder.exercises.exercise import Rule


def numbers(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> Tensor:
    """Random numbers with one decimal."""
    return Tensor(array(rng, *shape, scale=scale).astype(np.float32))


def array(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> np.ndarray:
    """Random numbers with one decimal."""
    return (scale * rng.normal(size=shape)).round(1)


def prediction(
    title: str, rule: Rule, *misconceptions: Misconception, tolerance: float = 0.01, puzzle: bool = False
) -> Exercise:
    """A question answered on the spot, with one value."""
    asked = (Case("values", tolerance=tolerance),)
    return Exercise(
        (Criterion(title, rule),), lambda: asked, misconceptions=misconceptions, graded=False, puzzle=puzzle
    )

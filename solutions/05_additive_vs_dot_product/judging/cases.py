"""What several exercises of this lesson are made of."""

from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Tensor

from ..checks import rules


def prediction(
    title: str, *misconceptions: Misconception, tolerance: float = 0.01, puzzle: bool = False
) -> Exercise:
    """A question answered on the spot, with values."""
    parts, asked = (Criterion(title, rules.reconsider),), (Case("values", tolerance=tolerance),)
    return Exercise(parts, lambda: asked, misconceptions=misconceptions, graded=False, puzzle=puzzle)


def tensor(values: Any) -> Tensor:
    """Numbers as a float32 tensor, rounded so that they are short to store."""
    return Tensor(np.round(np.asarray(values, dtype=np.float64), 2).astype(np.float32))


def lengths(values: Any) -> Tensor:
    """Valid lengths, one per batch entry or one per query."""
    return Tensor(np.asarray(values, dtype=np.int64))

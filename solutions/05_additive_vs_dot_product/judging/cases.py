"""What several exercises of this lesson are made of."""

from typing import Any

import numpy as np

from autograder.exercises import Criterion, Exercise, Misconception, Tensor

from ...judging import cases
from ..checks import rules


def tensor(values: Any) -> Tensor:
    """Numbers as a float32 tensor, rounded so that they are short to store."""
    return Tensor(np.round(np.asarray(values, dtype=np.float64), 2).astype(np.float32))


def prediction(title: str, *misconceptions: Misconception, **settings: Any) -> Exercise:
    """A question answered on the spot, with values."""
    return cases.prediction((Criterion(title, rules.reconsider),), *misconceptions, **settings)

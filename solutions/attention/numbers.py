"""What came back, as the numbers that rules compare."""

from typing import Any

import numpy as np

from autograder.exercises import common, values
from autograder.exercises.exercise import NotReached, Observation


def real(value: Any, kinds: str = "biuf") -> np.ndarray | None:
    """Real numbers as floats; None where the value is something else. kinds: NumPy's letters for what is a number."""
    found = values.as_numbers(value)
    return None if found is None or found.dtype.kind not in kinds else found.astype(float)


def like(seen: Observation, expected: Observation, kinds: str = "biuf") -> np.ndarray:
    """What came back, as floats. Raises `NotReached` where it is of another kind or shape than expected."""
    common.require_same_kind(seen.value, expected.value)
    found = real(seen.value, kinds)
    if found is None:
        raise NotReached("no numbers came back", values.describe_kind(seen.value), values.describe_kind(expected.value))
    return found

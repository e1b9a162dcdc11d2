"""Rules about weights that are shared out among keys."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.model import values
from autograder.model.exercise import Case, Observation, Problem


def rows_sum_to_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The weights (the last result) of every query sum to 1, or to 0 where the query may look nowhere."""
    weights, reference = last_array(seen.value, expected.value), last_array(expected.value)
    if weights is None or reference is None or weights.ndim == 0:
        return Problem("no weights came back", values.kind_of(seen.value), values.kind_of(expected.value))
    sums, wanted = weights.sum(axis=-1), reference.sum(axis=-1)
    if sums.shape == wanted.shape and np.allclose(sums, wanted, atol=1e-3):
        return None
    return Problem("row sums", values.show(sums), values.show(wanted))


def last_array(value: Any, like: Any = ()) -> np.ndarray | None:
    """The only result, or the last of several, as an array; a list holds several where `like` does."""
    if (
        isinstance(value, (tuple, list))
        and value
        and (isinstance(value, tuple) or isinstance(like, tuple) and like)
    ):
        value = value[-1]
    return values.as_numbers(value)

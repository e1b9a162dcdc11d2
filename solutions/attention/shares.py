"""Rules about weights that are shared out among keys."""

from typing import Any

import numpy as np

from autograder.exercises import values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem


def rows_sum_to_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The weights (the last result) of every query sum to 1, or to 0 where the query may look nowhere."""
    weights, reference = weights_of(seen, expected), np.asarray(last_array(expected.value))
    sums, wanted = weights.sum(axis=-1), reference.sum(axis=-1)
    if np.allclose(sums, wanted, atol=1e-3):
        return None
    return Problem("row sums", *values.format_difference(sums, wanted))


def weights_of(seen: Observation, expected: Observation) -> np.ndarray:
    """The weights that came back. Raises `NotReached` where they are none, or of another shape."""
    weights, reference = last_array(seen.value, expected.value), np.asarray(last_array(expected.value))
    if weights is None or _how_many(seen.value, expected.value) != _how_many(expected.value, expected.value):
        raise NotReached("no weights came back", values.describe_kind(seen.value), values.describe_kind(expected.value))
    if weights.shape != reference.shape:
        raise NotReached("shape of the weights", str(weights.shape), str(reference.shape))
    return weights


def _how_many(value: Any, like: Any) -> int:
    """How many results these are, where `like` is several."""
    return len(value) if isinstance(like, tuple) and isinstance(value, (tuple, list)) else 1


def last_array(value: Any, like: Any = ()) -> np.ndarray | None:
    """The only result, or the last of several, as an array; a list holds several where `like` does."""
    if (
        isinstance(value, (tuple, list))
        and value
        and (isinstance(value, tuple) or isinstance(like, tuple) and like)
    ):
        value = value[-1]
    return values.as_numbers(value)

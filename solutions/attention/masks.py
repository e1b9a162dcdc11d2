"""Rules about boolean masks, True = this query may look here."""

import numpy as np

from autograder.exercises import argument_kinds, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem

from .shares import weights_of


def nothing_where_masked(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The weights (the last result) are exactly 0 wherever the mask (the last argument) is False.

    Not reached where they are no numbers there, or 0 everywhere.
    """
    weights, mask = weights_of(seen, expected), np.asarray(argument_kinds.describe_unchanged(case.args[-1]))
    masked = np.broadcast_to(~mask, weights.shape)
    if np.isnan(weights[masked]).any() or not weights.any():
        raise NotReached("no weights came back", values.format_numbers(weights), "numbers, and some above 0")
    leaked = masked & (np.abs(weights) > 1e-12)
    if not leaked.any():
        return None
    place = tuple(int(i) for i in np.argwhere(leaked)[0])
    return Problem(f"weight of a masked key, at {list(place)}", *values.format_difference(weights[place], 0.0))

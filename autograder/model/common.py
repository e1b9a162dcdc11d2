"""Rules that many exercises share."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.model import kinds, values
from autograder.model.exercise import Case, Observation, Problem


def shape(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The right number of results, each of the right shape, all of them finite where they should be."""
    return _shapes_differ(seen.value, expected.value) or _not_finite(seen.value, expected.value)


def agrees(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected values, within the case's tolerance, and again when asked a second time."""
    if expected.error is not None:
        wanted = f"raises {expected.error.kind}"
        return None if seen.error else Problem("no error was raised", values.kind_of(seen.value), wanted)
    found = values.difference(seen.value, expected.value, case.tolerance)
    if found:
        return Problem(*found)
    if not values.close(seen.again, expected.value, case.tolerance):
        return Problem("right the first time, something else when asked the same again")
    return None


def unchanged(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The arguments are what they were before the call; it earns nothing unless an answer of the right kind came."""
    if expected.error is None and not _of_a_kind(seen.value, expected.value):
        return Problem("no answer came back", values.kind_of(seen.value), values.kind_of(expected.value))
    arguments = (*case.args, *case.kwargs.values())
    for position, (argument, now) in enumerate(zip(arguments, seen.after)):
        was = kinds.after(argument)
        if (was is not None or argument is None) and not values.close(now, was, 0.0):
            text = f"the {values.ordinal(position)} argument was written into; it should be left as it was"
            return Problem(text, misconception="writes into its input")
    return None


def _of_a_kind(seen: Any, expected: Any) -> bool:
    """Whether a value is at least of the kind that was asked for: a dictionary, or numbers of that shape."""
    if isinstance(expected, dict):
        return isinstance(seen, dict) and set(seen) == set(expected)
    if values.as_numbers(expected) is None and not isinstance(expected, tuple):
        return seen is not None
    return _shapes_differ(seen, expected) is None


def _shapes_differ(seen: Any, expected: Any) -> Problem | None:
    if isinstance(expected, tuple):
        if not isinstance(seen, (tuple, list)) or len(seen) != len(expected):
            return Problem("returned the wrong kind of thing", values.kind_of(seen), values.kind_of(expected))
        found = [_shapes_differ(one, other) for one, other in zip(seen, expected)]
        for position, problem in enumerate(found):
            if problem:
                return Problem(
                    f"{values.ordinal(position)} result: {problem.what}", problem.got, problem.expected
                )
        return None
    one, other = values.as_numbers(seen), values.as_numbers(expected)
    if one is None or other is None:
        return Problem("returned the wrong kind of thing", values.kind_of(seen), values.kind_of(expected))
    return None if one.shape == other.shape else Problem("shape", str(one.shape), str(other.shape))


def _not_finite(seen: Any, expected: Any) -> Problem | None:
    for one, other in zip(_leaves(seen), _leaves(expected)):
        bad = ~np.isfinite(one) & np.isfinite(other)
        if bad.any():
            place = [int(i) for i in np.argwhere(bad)[0]]
            return Problem(f"not a number at {place}", values.show(one[tuple(place)]), "a finite number")
    return None


def _leaves(value: Any) -> list[np.ndarray]:
    if isinstance(value, (tuple, list)) and values.as_numbers(value) is None:
        return [leaf for item in value for leaf in _leaves(item)]
    numbers = values.as_numbers(value)
    return [] if numbers is None else [numbers.astype(float)]

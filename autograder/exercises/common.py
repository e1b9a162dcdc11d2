"""Rules that many exercises share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograder.exercises import argument_kinds, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem

WRITES = "writes into its input"


def shape(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The right number of results, each of the right shape."""
    return _shapes_differ(seen.value, expected.value)


def agrees(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected values, within the case's tolerance, and again when asked a second time.

    Not reached where what came back is of another kind or shape.
    """
    if expected.error is not None:
        wanted = f"raises {expected.error.kind}"
        return (
            None if seen.error else Problem("no error was raised", values.describe_kind(seen.value), wanted)
        )
    require_same_kind(seen.value, expected.value)
    found = values.describe_difference(seen.value, expected.value, case.tolerance)
    if found:
        return Problem(*found)
    if not values.are_close(seen.again, expected.value, case.tolerance):
        return Problem("right the first time, something else when asked the same again")
    return None


def unchanged(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The arguments are what they were before the call; not reached unless an answer of the right kind came."""
    if expected.error is None:
        require_same_kind(*map(strip_gradients, (seen.value, expected.value)))
    return find_changed_argument(case, seen)


def strip_gradients(value: Any) -> Any:
    """Return what came back, where gradients were asked for as well."""
    return value["value"] if isinstance(value, dict) and {"value", "gradients"} <= set(value) else value


def find_changed_argument(case: Case, seen: Observation) -> Problem | None:
    """Return the first argument that is not what it was before the call, as a problem."""
    for position, (argument, now) in enumerate(zip((*case.args, *case.kwargs.values()), seen.after)):
        was = argument_kinds.describe_unchanged(argument)
        if was is None and argument is not None or values.are_close(now, was, 0.0):
            continue
        if isinstance(was, (list, tuple)) and isinstance(now, (list, tuple)) and len(was) != len(now):
            text = f"it held {len(was)} before the call, and {len(now)} after"
            return Problem(text, misconception=WRITES, argument=position)
        _, got, wanted = values.describe_difference(now, was, 0.0) or ("", "", "")
        return Problem("it is no longer what it was before the call", got, wanted, WRITES, position)
    return None


def read_prediction(seen: Observation, name: str) -> Any:
    """What was filled in for a variable. Raises `NotReached` where nothing was, or None."""
    if not isinstance(seen.value, dict) or seen.value.get(name) is None:
        raise NotReached(f"{name} is not filled in yet")
    return seen.value[name]


def require_same_kind(seen: Any, expected: Any) -> None:
    """Raises `NotReached` unless a value is of the kind asked for: such a dictionary, numbers of that shape."""
    if isinstance(expected, dict):
        if not isinstance(seen, dict) or set(seen) != set(expected):
            got, wanted = values.describe_kind(seen), values.describe_kind(expected)
            raise NotReached("another kind of thing came back", got, wanted)
        for name, other in expected.items():
            require_same_kind(seen[name], other)
    elif values.as_numbers(expected) is None and not isinstance(expected, tuple):
        if seen is None:
            raise NotReached(
                "no answer came back", values.describe_kind(seen), values.describe_kind(expected)
            )
    elif problem := _shapes_differ(seen, expected):
        raise NotReached(problem.message, problem.observed, problem.expected)


def _shapes_differ(seen: Any, expected: Any) -> Problem | None:
    wrong_kind = Problem(values.WRONG_KIND, values.describe_kind(seen), values.describe_kind(expected))
    if isinstance(expected, tuple):
        if not isinstance(seen, (tuple, list)) or len(seen) != len(expected):
            return wrong_kind
        for position, pair in enumerate(zip(seen, expected)):
            if problem := _shapes_differ(*pair):
                return replace(problem, message=f"{values.ordinal(position)} result: {problem.message}")
        return None
    numbers, wanted = values.as_numbers(seen), values.as_numbers(expected)
    if numbers is None or wanted is None:
        return wrong_kind
    if numbers.shape == wanted.shape:
        return None
    pair_of_arrays = isinstance(seen, tuple) and numbers.shape[1:] == wanted.shape
    return wrong_kind if pair_of_arrays else Problem("shape", str(numbers.shape), str(wanted.shape))

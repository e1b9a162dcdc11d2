"""Rules of lesson 09: memory and time, two results, heads that cannot share."""


from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem

# --- an output and the logarithms of its sums -------------------------------------------------------------


def pair(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Two results, an output and an lse of the right shapes."""
    own = _pair(seen.value)
    if own is None:
        return Problem("returned the wrong kind of thing", values.describe_kind(seen.value), "a pair (output, lse)")
    return common.shape(case, replace(seen, value=own), expected)


def output(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The first of two results is right, whatever the second is."""
    return _one(case, seen, expected, 0, "the output")


def lse(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The second of two results is right, whatever the first is; where it is −inf, only −inf is."""
    return _one(case, seen, expected, 1, "the lse")


def both(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Output and lse are right."""
    return output(case, seen, expected) or lse(case, seen, expected)


def without_a_key(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Output and lse are right for the queries that have no key in either set; where all have one, for all."""
    empty = np.isneginf(expected.value[1])
    queries = empty if empty.any() else slice(None)
    return _one(case, seen, expected, 0, "the output", queries) or _one(case, seen, expected, 1, "the lse", queries)


@common.judges_inputs
def untouched(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The arguments are what they were before; not reached unless a pair came."""
    if _pair(seen.value) is None:
        raise NotReached("no pair came back", values.describe_kind(seen.value), "a pair (output, lse)")
    return common.find_changed_argument(case, seen)


def _one(
    case: Case, seen: Observation, expected: Observation, which: int, name: str, queries: Any = slice(None)
) -> Problem | None:
    """One of two results is right for these queries."""
    own, again = _pair(seen.value), _pair(seen.again)
    if own is None:
        raise NotReached("no pair came back", values.describe_kind(seen.value), "a pair (output, lse)")
    found, wanted = values.as_numbers(own[which]), np.asarray(expected.value[which])
    if found is None or found.shape != wanted.shape:
        raise NotReached(f"{name}: another shape", values.describe_kind(own[which]), values.describe_kind(wanted))
    if problem := values.describe_difference(found[queries], wanted[queries], case.tolerance):
        return Problem(f"{name}: {problem[0]}", *problem[1:])
    repeated = None if again is None else values.as_numbers(again[which])
    if (
        repeated is None
        or repeated.shape != wanted.shape
        or not values.are_close(repeated[queries], wanted[queries], case.tolerance)
    ):
        return Problem("right the first time, something else when asked the same again")
    return None


def _pair(value: Any) -> tuple[Any, Any] | None:
    """Two things, whatever holds them; None where there are not two."""
    return (value[0], value[1]) if isinstance(value, (list, tuple)) and len(value) == 2 else None


# --- what it costs ----------------------------------------------------------------------------------------


def no_table(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """No table of all queries and all keys was held, where the output is right; not reached where it is not."""
    return _costs(case, seen, expected, "table", "far more numbers are held in memory at once than are needed")


def no_square(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The time does not grow as the square of the length, where the output is right; not reached where it is not."""
    return _costs(case, seen, expected, "square", "four times as many words take far more than four times as long")


def _costs(case: Case, seen: Observation, expected: Observation, name: str, what: str) -> Problem | None:
    common.require_same_kind(seen.value, expected.value)
    if found := values.describe_difference(seen.value["output"], expected.value["output"], case.tolerance):
        raise NotReached(f"the output is not right yet: {found[0]}", *found[1:])
    return Problem(what) if seen.value[name] else None



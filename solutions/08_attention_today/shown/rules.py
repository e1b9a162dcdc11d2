"""Rules of lesson 08: masks for the last words, turned pairs, what is kept, memory and time, words redrawn."""


from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem
from attention import modules
from attention.numbers import like


def value_error(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Where one is expected, a `ValueError`; not reached where nothing came back, or the code has a slip."""
    if expected.error is None:
        return None
    if seen.error is not None:
        return modules.other_than_value_error(seen.error)
    if seen.value is None:
        raise NotReached("no answer came back", values.kind_of(None), "ValueError")
    return Problem("no error was raised", values.kind_of(seen.value), "ValueError")


def _without_gradients(seen: Observation) -> Observation:
    value, again = map(common.without_gradients, (seen.value, seen.again))
    return replace(seen, value=value, again=again)


# --- masks ------------------------------------------------------------------------------------------------


def boolean(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A mask of the right shape, made of True and False."""
    mask, wanted = values.as_numbers(seen.value), np.asarray(expected.value)
    if mask is None or mask.shape != wanted.shape or mask.dtype.kind == "b":
        return common.shape(case, seen, expected)
    added = bool((mask <= 0).all())  # meant to be added to the scores: 0 = may look
    name = "mask not boolean" if ((mask == 0 if added else mask != 0) == wanted).all() else ""
    return Problem("made of numbers", values.show_numbers(mask), "True and False", misconception=name)


def sees_the_past(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each of the last words sees itself and all words before it."""
    return _places(seen, expected, np.asarray(expected.value) == 1)


def sees_no_future(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """None of the last words sees a later one."""
    return _places(seen, expected, np.asarray(expected.value) == 0)


def _places(seen: Observation, expected: Observation, chosen: np.ndarray) -> Problem | None:
    """The first of the chosen places at which a mask is not as expected. Ones and zeros pass for True and False."""
    common.of_a_kind(seen.value, expected.value)
    mask, wanted = np.asarray(values.as_numbers(seen.value)), np.asarray(expected.value)
    if mask.dtype.kind != "b" and (not np.isin(mask, (0, 1)).all() or not mask.any()):
        raise NotReached("made of numbers that do not say True or False", values.show_numbers(mask))
    wrong = np.argwhere(chosen & (mask != wanted))
    if not len(wrong):
        return None
    row, column = wrong[0].tolist()
    where = f"wrong in row {row}, column {column}"
    return Problem(where, str(bool(mask[row, column])), str(bool(wanted[row, column])))


# --- numbers and their gradients --------------------------------------------------------------------------


def numbers(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected numbers, whatever their gradients are."""
    return common.agrees(case, _without_gradients(seen), _without_gradients(expected))


def shape(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """An array of the expected shape, whatever its gradients are."""
    return common.shape(case, _without_gradients(seen), _without_gradients(expected))


def same_length(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each row is as long as it was before it was turned."""
    common.of_a_kind(seen.value, expected.value)
    before, after = (
        np.linalg.norm(np.asarray(values.as_numbers(one), dtype=float), axis=-1)
        for one in (expected.value, seen.value)
    )
    if values.close(after, before, case.tolerance):
        return None
    return Problem("lengths of the rows", *values.show_apart(after, before))


def gradients(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As `modules.gradients`, where the numbers are right; not reached where they are not."""
    wrong = numbers(case, seen, expected)
    if wrong:
        raise NotReached("the numbers are not right yet", wrong.got, wrong.expected)
    return modules.gradients(case, seen, expected)


def untouched(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The arguments are what they were before; not reached unless an answer of the right kind came."""
    return common.unchanged(case, _without_gradients(seen), _without_gradients(expected))


# --- what is kept -----------------------------------------------------------------------------------------


def two_results(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """An output of the right shape, and a pair of what is kept, whatever its shapes are."""
    output = _pair(seen.value)
    if output is None:
        return Problem("returned the wrong kind of thing", values.kind_of(seen.value), "an output and a pair (K, V)")
    if problem := common.shape(case, replace(seen, value=output[0]), replace(expected, value=expected.value[0])):
        return replace(problem, what=f"the output: {problem.what}")
    if _pair(output[1]) is None:
        return Problem("what is kept", values.kind_of(output[1]), "a pair (K, V)")
    return None


def output(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The first of two results is right, whatever is kept."""
    first = (replace(one, value=_first(one.value), again=_first(one.again)) for one in (seen, expected))
    return common.agrees(case, *first)


def kept(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """What is kept are all keys and all values, old ones first, whatever the output is."""
    pair = _pair((_pair(seen.value) or (None, None))[1])
    if pair is None:
        raise NotReached("no pair is kept", values.kind_of(seen.value), "an output and a pair (K, V)")
    return _same_pair(pair, expected.value[1], case.tolerance)


def output_in_turn(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The outputs of all calls are right, where what was kept is; not reached where it is not."""
    if wrong := kept(case, seen, expected):
        raise NotReached("what is kept is not right yet", wrong.got, wrong.expected)
    return output(case, seen, expected)


def last_words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A pair came back, the expected one."""
    if problem := a_pair(case, seen, expected):
        raise NotReached(problem.what, problem.got, problem.expected)
    problem = _same_pair(_pair(seen.value), expected.value, case.tolerance)
    if problem is None and not values.close(_pair(seen.again), expected.value, case.tolerance):
        return Problem("right the first time, something else when asked the same again")
    return problem


def a_pair(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Two arrays of three axes came back, of whatever lengths."""
    found = [values.as_numbers(one) for one in _pair(seen.value) or ()]
    if found and all(one is not None and one.ndim == 3 for one in found):
        return None
    return Problem("returned the wrong kind of thing", values.kind_of(seen.value), "a pair (K, V)")


def pair_untouched(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The arguments are what they were before; not reached unless a pair came."""
    if _pair(seen.value) is None:
        raise NotReached("no pair came back", values.kind_of(seen.value), "a pair")
    return common.written_into(case, seen)


def _same_pair(own: Any, wanted: tuple[Any, Any], tolerance: float) -> Problem | None:
    for name, one, other in zip(("keys", "values"), own, wanted):
        if found := values.difference(one, other, tolerance):
            return Problem(f"{name}: {found[0]}", *found[1:])
    return None


def _pair(value: Any) -> tuple[Any, Any] | None:
    """Two things, whatever holds them; None where there are not two."""
    if isinstance(value, np.ndarray) and value.ndim == 4:
        value = list(value)
    return tuple(value) if isinstance(value, (list, tuple)) and len(value) == 2 else None


def _first(value: Any) -> Any:
    return (_pair(value) or (None, None))[0]


# --- what it costs ----------------------------------------------------------------------------------------


def no_table(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """No table of all queries and all keys was held, where the output is right; not reached where it is not."""
    return _costs(case, seen, expected, "table", "a table of all queries and all keys is held in memory at once")


def no_square(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The time does not grow as the square of the length, where the output is right; not reached where it is not."""
    return _costs(case, seen, expected, "square", "four times as many words take far more than four times as long")


def _costs(case: Case, seen: Observation, expected: Observation, name: str, what: str) -> Problem | None:
    common.of_a_kind(seen.value, expected.value)
    if found := values.difference(seen.value["output"], expected.value["output"], case.tolerance):
        raise NotReached(f"the output is not right yet: {found[0]}", *found[1:])
    return Problem(what) if seen.value[name] else None


# --- twins ------------------------------------------------------------------------------------------------


def twin(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The position was found; what would be right is not said."""
    own = common.predicted(seen, "twin")
    numbers = values.as_numbers(own)
    if numbers is None or numbers.size != 1 or numbers.dtype.kind not in "iuf":
        raise NotReached("one position is asked for", values.shown(own))
    if expected.value["twin"].matches(numbers.ravel()[0].item()):
        return None
    return Problem("twin is not it yet", f"you say   {values.shown(own)}", said={"twin": numbers.ravel()[0].item()})


# --- the likeliest words ----------------------------------------------------------------------------------


def sums_to_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The probabilities sum to 1."""
    own = like(seen, expected)
    return None if abs(own.sum() - 1) < 1e-3 else Problem("their sum", values.show_numbers(own.sum()), "1")


def survivors(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The words that are expected to have a probability are those that have one."""
    own, wanted = (set(np.flatnonzero(one).tolist()) for one in (like(seen, expected), np.asarray(expected.value)))
    if own == wanted:
        return None
    return Problem("the words that are left", str(sorted(own)), str(sorted(wanted)))

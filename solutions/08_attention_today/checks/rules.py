"""Rules of lesson 08: masks for the last words, turned pairs, what is kept, the likeliest words."""


from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem
from attention import common_rules, modules
from attention.numbers import like

# --- masks ------------------------------------------------------------------------------------------------


def sees_the_past(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each of the last words sees itself and all words before it."""
    return _places(seen, expected, np.asarray(expected.value) == 1)


def sees_no_future(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """None of the last words sees a later one."""
    return _places(seen, expected, np.asarray(expected.value) == 0)


def _places(seen: Observation, expected: Observation, chosen: np.ndarray) -> Problem | None:
    """The first of the chosen places at which a mask is not as expected. Ones and zeros pass for True and False."""
    common.require_same_kind(seen.value, expected.value)
    mask, wanted = np.asarray(values.as_numbers(seen.value)), np.asarray(expected.value)
    if mask.dtype.kind != "b" and (not np.isin(mask, (0, 1)).all() or not mask.any()):
        raise NotReached("made of numbers that do not say True or False", values.format_numbers(mask))
    wrong = np.argwhere(chosen & (mask != wanted))
    if not len(wrong):
        return None
    row, column = wrong[0].tolist()
    where = f"wrong in row {row}, column {column}"
    return Problem(where, str(bool(mask[row, column])), str(bool(wanted[row, column])))


# --- numbers and their gradients --------------------------------------------------------------------------


def same_length(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each row is as long as it was before it was turned."""
    common.require_same_kind(seen.value, expected.value)
    before, after = (
        np.linalg.norm(np.asarray(values.as_numbers(one), dtype=float), axis=-1)
        for one in (expected.value, seen.value)
    )
    if values.are_close(after, before, case.tolerance):
        return None
    return Problem("lengths of the rows", *values.format_difference(after, before))


def gradients(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As `modules.gradients`, where the numbers are right; not reached where they are not."""
    wrong = common_rules.numbers(case, seen, expected)
    if wrong:
        raise NotReached("the numbers are not right yet", wrong.observed, wrong.expected)
    return modules.gradients(case, seen, expected)


# --- frequencies --------------------------------------------------------------------------------------------

RELATIVE = 1e-5
"""How far a frequency may be off, as a share of itself: single precision loses up to a tenth of that."""


def frequencies(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected frequency for each pair of columns."""
    return _pairs_agree(case, seen, expected, "pair")


def fast_frequencies(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected frequency for each pair that makes a whole turn within the trained length."""
    return _pairs_agree(case, seen, expected, "fast")


def slow_frequencies(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected frequency for each pair that makes no whole turn within the trained length."""
    return _pairs_agree(case, seen, expected, "slow")


def _pairs_agree(case: Case, seen: Observation, expected: Observation, which: str) -> Problem | None:
    own, wanted = like(seen, expected), np.asarray(expected.value, dtype=float)
    d, trained, _ = case.args
    own_pace = case.kwargs.get("base", 10000.0) ** (-np.arange(0, d, 2) / d)
    turns = trained * own_pace / (2 * np.pi)
    looked_at = {"pair": turns > 0, "fast": turns >= 1, "slow": turns < 1}[which]
    wrong = np.flatnonzero(looked_at & ~(abs(own - wanted) <= RELATIVE * wanted))
    if not len(wrong):
        return None
    pair = int(wrong[0])
    where = f"pair {pair}, which makes {turns[pair]:.2f} turns in {trained} words"
    return Problem(where, f"{own[pair]:.4g}", f"{wanted[pair]:.4g}")


# --- what is kept -----------------------------------------------------------------------------------------


def two_results(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """An output of the right shape, and a pair of what is kept, whatever its shapes are."""
    output = _pair(seen.value)
    if output is None:
        return Problem("returned the wrong kind of thing", values.describe_kind(seen.value),
            "an output and a pair (K, V)")
    if problem := common.shape(case, replace(seen, value=output[0]), replace(expected, value=expected.value[0])):
        return replace(problem, message=f"the output: {problem.message}")
    if _pair(output[1]) is None:
        return Problem("what is kept", values.describe_kind(output[1]), "a pair (K, V)")
    return None


def output(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The first of two results is right, whatever is kept."""
    first = (replace(one, value=_first(one.value), again=_first(one.again)) for one in (seen, expected))
    return common.agrees(case, *first)


def kept(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """What is kept are all keys and all values, old ones first, whatever the output is."""
    pair = _pair((_pair(seen.value) or (None, None))[1])
    if pair is None:
        raise NotReached("no pair is kept", values.describe_kind(seen.value), "an output and a pair (K, V)")
    return _same_pair(pair, expected.value[1], case.tolerance)


def output_in_turn(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The outputs of all calls are right, where what was kept is; not reached where it is not."""
    if wrong := kept(case, seen, expected):
        raise NotReached("what is kept is not right yet", wrong.observed, wrong.expected)
    return output(case, seen, expected)


def last_words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A pair came back, the expected one."""
    if problem := a_pair(case, seen, expected):
        raise NotReached(problem.message, problem.observed, problem.expected)
    problem = _same_pair(_pair(seen.value), expected.value, case.tolerance)
    if problem is None and not values.are_close(_pair(seen.again), expected.value, case.tolerance):
        return Problem("right the first time, something else when asked the same again")
    return problem


def a_pair(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Two arrays of three axes came back, of whatever lengths."""
    found = [values.as_numbers(one) for one in _pair(seen.value) or ()]
    if found and all(one is not None and one.ndim == 3 for one in found):
        return None
    return Problem("returned the wrong kind of thing", values.describe_kind(seen.value), "a pair (K, V)")


@common.judges_inputs
def pair_untouched(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The arguments are what they were before; not reached unless a pair came."""
    if _pair(seen.value) is None:
        raise NotReached("no pair came back", values.describe_kind(seen.value), "a pair")
    return common.find_changed_argument(case, seen)


def _same_pair(own: Any, wanted: tuple[Any, Any], tolerance: float) -> Problem | None:
    for name, one, other in zip(("keys", "values"), own, wanted):
        if found := values.describe_difference(one, other, tolerance):
            return Problem(f"{name}: {found[0]}", *found[1:])
    return None


def _pair(value: Any) -> tuple[Any, Any] | None:
    """Two things, whatever holds them; None where there are not two."""
    if isinstance(value, np.ndarray) and value.ndim == 4:
        value = list(value)
    return tuple(value) if isinstance(value, (list, tuple)) and len(value) == 2 else None


def _first(value: Any) -> Any:
    return (_pair(value) or (None, None))[0]


# --- twins ------------------------------------------------------------------------------------------------


def twin(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The position was found; what would be right is not said."""
    own = common.read_prediction(seen, "twin")
    numbers = values.as_numbers(own)
    if numbers is None or numbers.size != 1 or numbers.dtype.kind not in "iuf":
        raise NotReached("one position is asked for", values.format_value(own))
    if expected.value["twin"].matches(numbers.ravel()[0].item()):
        return None
    return Problem("twin is not it yet", f"you say   {values.format_value(own)}",
        compared={"twin": numbers.ravel()[0].item()})


# --- the likeliest words ----------------------------------------------------------------------------------


def sums_to_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The probabilities sum to 1."""
    own = like(seen, expected)
    return None if abs(own.sum() - 1) < 1e-3 else Problem("their sum", values.format_numbers(own.sum()), "1")


def survivors(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The words that are expected to have a probability are those that have one."""
    own, wanted = (set(np.flatnonzero(one).tolist()) for one in (like(seen, expected), np.asarray(expected.value)))
    if own == wanted:
        return None
    return Problem("the words that are left", str(sorted(own)), str(sorted(wanted)))

"""Rules of lesson 06: boolean and additive masks, multi-head attention, predictions not given away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.model import common, values
from autograder.model.exercise import Case, Observation, Problem, Rule

from ...shown import modules

# --- masks ------------------------------------------------------------------------------------------------


def boolean(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A mask of the right shape, made of True and False."""
    mask, wanted = values.as_numbers(seen.value), np.asarray(expected.value)
    if mask is None or mask.shape != wanted.shape or mask.dtype.kind == "b":
        return common.shape(case, seen, expected)
    added = bool((mask <= 0).all())  # meant to be added to the scores: 0 = may look
    name = "not boolean" if ((mask == 0 if added else mask != 0) == wanted).all() else ""
    return Problem("made of numbers", values.show(mask), "True and False", misconception=name)


def nothing_ahead(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Above the diagonal, where keys come later than the query, the mask is as expected."""
    return _differ(case, seen, expected, lambda wanted: ~np.tri(len(wanted), dtype=bool), "row {}, column {}")


def everything_before(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """On the diagonal and below it the mask is as expected."""
    return _differ(case, seen, expected, lambda wanted: np.tri(len(wanted), dtype=bool), "row {}, column {}")


def right_and_untouched(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected values, and the arguments as they were."""
    return common.agrees(case, seen, expected) or common.unchanged(case, seen, expected)


def same_shape(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Numbers of the right shape, finite or not, and the arguments as they were."""
    mask, wanted = values.as_numbers(seen.value), np.asarray(expected.value)
    fits = mask is not None and mask.shape == wanted.shape
    return (common.unchanged if fits else common.shape)(case, seen, expected)


def zero_where_allowed(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """0 wherever 0 is expected."""
    return _differ(case, seen, expected, lambda wanted: wanted == 0)


def minus_infinity_where_not(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Minus infinity wherever it is expected."""
    problem = _differ(case, seen, expected, np.isneginf)
    mask = values.as_numbers(seen.value)
    finite = mask is not None and bool(np.isfinite(mask.astype(float)).all())
    return replace(problem, misconception="fill too weak") if problem and finite else problem


def empty_rows_are_zero(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A row that is expected to hold zeros alone does."""
    weights, wanted = values.as_numbers(seen.value), np.asarray(expected.value)
    if weights is None or weights.shape != wanted.shape:
        return common.shape(case, seen, expected)
    empty = ~wanted.any(axis=-1)
    if (weights[empty] == 0).all():
        return None
    own, zeros = values.show(weights[empty][0]), values.show(wanted[empty][0])
    return Problem("weights of a query with nothing to look at", own, zeros, misconception="empty row")


def _differ(
    case: Case,
    seen: Observation,
    expected: Observation,
    chosen: Callable[[np.ndarray], np.ndarray],
    where: str = "at {place}",
) -> Problem | None:
    """The first of the chosen places at which a mask is not as expected."""
    mask, wanted = values.as_numbers(seen.value), np.asarray(expected.value)
    if mask is None or mask.shape != wanted.shape:
        return common.shape(case, seen, expected)
    places = np.argwhere(chosen(wanted) & (mask.astype(float) != wanted))
    if not len(places):
        return None
    place = tuple(places[0].tolist())
    there = where.format(*place, place=list(place))
    return Problem(there, str(mask[place]), str(wanted[place]).removesuffix(".0"))


# --- multi-head attention ---------------------------------------------------------------------------------


def projections(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The four projections alone learn, `d_k` is one head's width, the results have their shapes."""
    problem = modules.parameters(case, seen, expected)
    if problem:
        return replace(problem, misconception=_name_missing(_under(seen, "parameters")))
    assert case.module is not None, "a module's projections are looked at"
    own, wanted = _under(seen, "d_k"), _under(expected, "d_k")
    if not values.close(own, wanted, 1e-6):
        name = "√d_model" if values.close(own, case.module.init["d_model"], 1e-6) else ""
        return Problem("the attribute d_k", values.kind_of(own, show=True), str(wanted), misconception=name)
    return modules.a_row_per_query(case, seen, expected)


def attends(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The right output and weights from these parameters, and the arguments as they were."""
    return modules.agrees(case, seen, expected) or common.unchanged(case, seen, expected)


def sees_nothing(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As `attends`, where some queries may look nowhere; being wrong on them alone has a name."""
    problem = attends(case, seen, expected)
    weights = values.as_numbers(_under(seen, "attention_weights"))
    wanted = np.asarray(_under(expected, "attention_weights"))
    if problem is None or weights is None or weights.shape != wanted.shape:
        return problem
    empty = ~wanted.any(axis=-1)
    others_are_right = values.close(weights[~empty], wanted[~empty], case.tolerance)
    only_these = others_are_right and not (weights[empty] == 0).all()
    return replace(problem, misconception="empty row") if only_these else problem


def value_error(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A `ValueError` where one is expected."""
    if seen.error is None:
        return Problem("no error was raised", "a module", "ValueError")
    return None if seen.error.kind == "ValueError" else Problem("raised", seen.error.kind, "ValueError")


def _name_missing(parameters: Any) -> str:
    """The misconception behind projections that are not there."""
    own = set(parameters) if isinstance(parameters, dict) else set()
    inner = {"W_q.weight", "W_k.weight", "W_v.weight"}
    if len(own) == 3 and inner <= own:
        return "no W_o"
    return "one projection for all" if len(own) <= 2 else ""


# --- predictions ------------------------------------------------------------------------------------------


def _prediction(name: str, advice: str, positions: bool = False) -> Rule:
    """The rule that a value was predicted within 0.01; positions, in any order. True and False are no numbers."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        own, wanted = values.as_numbers(_under(seen, name)), np.asarray(_under(expected, name))
        if own is not None and own.dtype.kind == "b":
            own = None
        if positions and own is None:
            return Problem(f"{name} should be a list of positions, counted from 0, such as [4]")
        plain, hint = (_in_order, "think again") if positions else (np.squeeze, "what to expect")
        if own is not None and values.close(plain(own), plain(wanted), 0.01):
            return None
        return Problem(f"{name} is not it yet; {hint}: {advice}")

    rule.__name__ = rule.__qualname__ = name  # keys refer to it by this name
    return rule


def _in_order(positions: np.ndarray) -> np.ndarray:
    return np.sort(positions.astype(float), axis=None)


def _under(seen: Observation, name: str) -> Any:
    """What was seen under this name: a module's attribute, or a predicted value."""
    return seen.value.get(name) if isinstance(seen.value, dict) else None


real_weights = _prediction("real_weights", "three numbers, none of them 0, that sum to 1")
covered_key = _prediction("covered_key", "one position, counted from 0")
head_0 = _prediction("head_0", "three rows, one a word, and no word left out")
head_0_by_view = _prediction("head_0_by_view", "a view deals the twelve numbers out in their order")
sees_causal = _prediction("sees_causal", "may it see itself, or later words?", positions=True)
sees_padding = _prediction("sees_padding", "whose column does padding take away?", positions=True)
sees_both = _prediction("sees_both", "one mask must allow it, and so must the other", positions=True)

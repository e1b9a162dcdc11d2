"""Rules of lesson 06: boolean and additive masks, multi-head attention, predictions not given away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from autograder import values
from autograder.exercise import Case, Observation, Problem
from autograder.rules import common, modules

PROJECTIONS = ("W_q.weight", "W_k.weight", "W_v.weight")


# --- masks ------------------------------------------------------------------------------------------------


def boolean(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A mask of the right shape, made of True and False."""
    mask, wanted = values.as_numbers(seen.value), values.as_numbers(expected.value)
    if mask is not None and wanted is not None and mask.shape == wanted.shape and mask.dtype.kind != "b":
        added = bool((mask <= 0).all())  # meant to be added to the scores: 0 = may look
        name = "not boolean" if ((mask == 0 if added else mask != 0) == wanted).all() else ""
        return Problem("made of numbers", values.show(mask), "True and False", misconception=name)
    return _shapes_differ(seen, expected)


def nothing_ahead(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Above the diagonal, where keys come later than the query, the mask is as expected."""
    return _differ_within(seen, expected, np.triu, 1)


def everything_before(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """On the diagonal and below it the mask is as expected."""
    return _differ_within(seen, expected, np.tril, 0)


def right_and_untouched(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected values, and the arguments as they were."""
    return common.agrees(case, seen, expected) or common.unchanged(case, seen, expected)


def same_shape(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Numbers of the right shape, finite or not, and the arguments as they were."""
    return _shapes_differ(seen, expected) or common.unchanged(case, seen, expected)


def zero_where_allowed(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """0 wherever 0 is expected."""
    return _differ_where(seen, expected, lambda wanted: wanted == 0, "0")


def minus_infinity_where_not(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Minus infinity wherever it is expected."""
    problem = _differ_where(seen, expected, np.isneginf, "-inf")
    mask = values.as_numbers(seen.value)
    finite = mask is not None and bool(np.isfinite(mask.astype(float)).all())
    return replace(problem, misconception="fill too weak") if problem and finite else problem


def empty_rows_are_zero(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A row that is expected to hold zeros alone does."""
    weights, wanted = values.as_numbers(seen.value), values.as_numbers(expected.value)
    if weights is None or wanted is None or weights.shape != wanted.shape:
        return _shapes_differ(seen, expected)
    empty = ~wanted.any(axis=-1)
    if (weights[empty] == 0).all():
        return None
    own, zeros = values.show(weights[empty][0]), values.show(wanted[empty][0])
    return Problem("weights of a query with nothing to look at", own, zeros, misconception="empty row")


def _shapes_differ(seen: Observation, expected: Observation) -> Problem | None:
    one, other = values.as_numbers(seen.value), values.as_numbers(expected.value)
    if one is None or other is None:
        text = "returned the wrong kind of thing"
        return Problem(text, values.kind_of(seen.value), values.kind_of(expected.value))
    return None if one.shape == other.shape else Problem("shape", str(one.shape), str(other.shape))


def _differ_within(seen: Observation, expected: Observation, triangle: Any, diagonal: int) -> Problem | None:
    mask, wanted = values.as_numbers(seen.value), values.as_numbers(expected.value)
    if mask is None or wanted is None or mask.shape != wanted.shape:
        return _shapes_differ(seen, expected)
    wrong = triangle(mask.astype(float) != wanted, diagonal)
    if not wrong.any():
        return None
    row, column = (int(i) for i in np.argwhere(wrong)[0])
    return Problem(f"row {row}, column {column}", str(mask[row, column]), str(wanted[row, column]))


def _differ_where(seen: Observation, expected: Observation, chosen: Any, name: str) -> Problem | None:
    mask, wanted = values.as_numbers(seen.value), values.as_numbers(expected.value)
    if mask is None or wanted is None or mask.shape != wanted.shape:
        return _shapes_differ(seen, expected)
    wrong = chosen(wanted) & ~(mask.astype(float) == wanted)
    if not wrong.any():
        return None
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return Problem(f"at {list(place)}", str(mask[place]), name)


# --- multi-head attention ---------------------------------------------------------------------------------


def projections(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The four projections alone learn, `d_k` is one head's width, the results have their shapes."""
    own, wanted = _parameters(seen), _parameters(expected)
    if own != wanted:
        return Problem("parameters", _listed(own), _listed(wanted), misconception=_name_missing(own, wanted))
    inside, other = _inside(seen), _inside(expected)
    if not values.close(inside.get("d_k"), other["d_k"], 1e-6):
        d_model = case.module.init.get("d_model") if case.module else None
        name = "√d_model" if values.close(inside.get("d_k"), d_model, 1e-6) else ""
        own_width = values.kind_of(inside.get("d_k"), show=True)
        return Problem("the attribute d_k", own_width, str(other["d_k"]), misconception=name)
    return modules.a_row_per_query(case, seen, expected)


def attends(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The right output and weights from these parameters, and the arguments as they were."""
    return modules.agrees(case, seen, expected) or common.unchanged(case, seen, expected)


def sees_nothing(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As `attends`, where some queries may look nowhere; what is wrong with them alone is known for what it is."""
    problem = attends(case, seen, expected)
    weights, wanted = (values.as_numbers(_inside(one).get("attention_weights")) for one in (seen, expected))
    if problem is None or weights is None or wanted is None or weights.shape != wanted.shape:
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


def _parameters(seen: Observation) -> dict[str, tuple[int, ...]]:
    found = _inside(seen).get("parameters")
    if not isinstance(found, Mapping):
        return {}
    return {str(name): tuple(shape) for name, shape in found.items() if isinstance(shape, (tuple, list))}


def _name_missing(own: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    missing = [name for name in wanted if name not in own]
    if missing == ["W_o.weight"] and len(own) == len(PROJECTIONS):
        return "no W_o"
    if any(name in missing for name in PROJECTIONS) and len(own) <= 2:
        return "one projection for all"
    return ""


def _inside(seen: Observation) -> dict[str, Any]:
    value = seen.value
    if isinstance(value, dict) and "value" in value:
        value = value["value"]
    return value if isinstance(value, dict) else {}


def _listed(shapes: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {tuple(shape)}" for name, shape in shapes.items()) or "none"


# --- predictions ------------------------------------------------------------------------------------------


def real_weights(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted weights, within 0.01."""
    return _reconsider("real_weights", seen, expected, "three numbers, none of them 0, that sum to 1")


def covered_key(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted position."""
    return _reconsider("covered_key", seen, expected, "one position, counted from 0")


def head_0(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted rows of head 0."""
    return _reconsider("head_0", seen, expected, "three rows, one a word, and no word left out")


def head_0_by_view(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted rows that a bare view hands to head 0."""
    return _reconsider("head_0_by_view", seen, expected, "a view deals the twelve numbers out in their order")


def sees_causal(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted positions under the causal mask, in any order."""
    return _reconsider_positions("sees_causal", seen, expected, "may it see itself, or later words?")


def sees_padding(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted positions under the padding mask, in any order."""
    return _reconsider_positions("sees_padding", seen, expected, "whose column does padding take away?")


def sees_both(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted positions under both masks, in any order."""
    return _reconsider_positions("sees_both", seen, expected, "one mask must allow it, and so must the other")


def _reconsider(name: str, seen: Observation, expected: Observation, advice: str) -> Problem | None:
    own, wanted = _predicted(name, seen), _predicted(name, expected)
    if own is not None and wanted is not None and values.close(np.squeeze(own), np.squeeze(wanted), 0.01):
        return None
    return Problem(f"{name} is not it yet; what to expect: {advice}")


def _reconsider_positions(name: str, seen: Observation, expected: Observation, advice: str) -> Problem | None:
    own, wanted = _predicted(name, seen), _predicted(name, expected)
    if own is None:
        return Problem(f"{name} should be a list of positions, counted from 0, such as [4]")
    if wanted is not None and sorted(own.astype(float).ravel()) == sorted(wanted.astype(float).ravel()):
        return None
    return Problem(f"{name} is not it yet; think again: {advice}")


def _predicted(name: str, seen: Observation) -> np.ndarray | None:
    value = seen.value.get(name) if isinstance(seen.value, Mapping) else None
    return None if value is None else values.as_numbers(value)

"""Rules of lesson 04: predictions that are not given away, and bandwidths that must be candidates."""

from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds, common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem, Rule
from attention import shares
from attention.numbers import like, real


def _predicted(name: str, hint: str) -> Rule:
    """The rule that the value of that name is right; if not, the hint says what to reconsider."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        found, wanted = common.read_prediction(seen, name), expected.value[name]
        given = real(found, "iuf")
        if given is None or given.size != wanted.size:
            kind = "one number" if wanted.size == 1 else f"{wanted.size} numbers"
            raise NotReached(f"{name} should hold {kind}", f"you have  {values.describe_kind(found)}")
        given = given.reshape(wanted.shape)
        if wanted.matches(given):
            return None
        said = ", ".join(f"{number:g}" for number in given.ravel())
        right = {other: seen.value[other] for other in seen.value if expected.value[other].matches(seen.value[other])}
        return Problem(f"{name} = {said}: {hint}", compared={**right, name: given})

    rule.__name__ = name
    return rule


winner = _predicted("winner", "which of the three weighs what was predicted, and what is their waist?")
faulty_line = _predicted("faulty_line", "print every line's result for waist 57 and lay it beside the table above")
nearly_zero = _predicted(
    "nearly_zero", "a key 1.6 cm away against one 0.4 cm away: how much weight is left for it?"
)
enormous = _predicted("enormous", "divided by a million, how different are the three distances still?")
NOW_BESIDE = "which waists are 1 cm away, and which values stand beside them now?"
both_shuffled = _predicted("both_shuffled", NOW_BESIDE)
keys_shuffled = _predicted("keys_shuffled", NOW_BESIDE)


def but_for_what_cancels(case: Case, value: Any) -> np.ndarray:
    """Keys but for what is added to all of them alike."""
    keys = np.asarray(values.as_numbers(value), dtype=float)
    return keys - [*np.zeros(keys.shape[1] - 1), keys[0, -1]]


def same_for_softmax(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Keys that give every query its weights: what is added to all of them alike cancels in the softmax."""
    found = like(seen, expected, "iuf")
    surplus = found - expected.value
    if values.are_close(found, expected.value + surplus[0], case.tolerance):
        return None
    what = "values differ, and not by the same in each row, which would cancel in the softmax"
    return Problem(what, *values.format_difference(found, np.asarray(expected.value)))


def shared_out(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every query's weights sum to 1; kernel values that would be right once divided are told apart."""
    problem = shares.rows_sum_to_one(case, seen, expected)
    kernel = real(seen.value, "iuf")
    if problem is None or kernel is None or kernel.shape != np.shape(expected.value):
        return problem
    sums = kernel.sum(axis=-1, keepdims=True)
    divided = np.divide(kernel, sums, out=np.zeros_like(kernel), where=sums > 0)
    right_but_for_this = values.are_close(divided, expected.value, case.tolerance)
    return replace(problem, misconception="weights not normalised") if right_but_for_this else problem


def is_a_candidate(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """One number came back, and it is one of the candidates (the third argument)."""
    number, candidates = real(seen.value, "iuf"), np.asarray(argument_kinds.describe_unchanged(case.args[2]),
        dtype=float)
    if number is None or number.shape != ():
        return Problem("returned the wrong kind of thing", values.describe_kind(seen.value), "one number")
    if np.isclose(candidates, number, rtol=1e-4, atol=0.0).any():
        return None
    own, nearest = values.format_difference(number, candidates[np.abs(candidates - number).argmin()])
    return Problem("not one of the candidates", own, f"one of them; the nearest is {nearest}")


def slope(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected slope; a small part of it, of the same sign, is a difference that was not divided."""
    problem, number = common.agrees(case, seen, expected), real(seen.value)
    if problem is None or number is None or number.size != 1:
        return problem
    undivided = 0 < number.item() / expected.value < 0.01
    return replace(problem, misconception="difference not divided by the step") if undivided else problem

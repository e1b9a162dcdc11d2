"""Rules of lesson 04: predictions that are not given away, and bandwidths that must be candidates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from autograder.model import common, kinds, values
from autograder.model.exercise import Case, NotReached, Observation, Problem, Rule

from ...shown import shares


def _predicted(name: str, hint: str, *mistaken: tuple[str, Any]) -> Rule:
    """The rule that the value of that name is right within 0.05; if not, the hint says what to reconsider.

    mistaken: a misconception's name and the value that is its own.
    """

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        found, wanted = common.predicted(seen, name), expected.value[name]
        given = _numbers(found)
        if given is None or given.size != np.size(wanted):
            kind = "one number" if np.size(wanted) == 1 else f"{np.size(wanted)} numbers"
            raise NotReached(f"{name} should hold {kind}", f"you have  {values.kind_of(found)}")
        if _near(given, wanted):
            return None
        said = ", ".join(f"{number:g}" for number in given.ravel())
        named = next((label for label, guess in mistaken if _near(given, guess)), "")
        return Problem(f"{name} = {said}: {hint}", misconception=named)

    rule.__name__ = name
    return rule


def _near(given: np.ndarray, other: Any) -> bool:
    return np.allclose(given.ravel(), np.ravel(other).astype(float), rtol=0.0, atol=0.05)


def _numbers(value: Any) -> np.ndarray | None:
    numbers = values.as_numbers(value)
    return None if numbers is None or numbers.dtype.kind not in "iuf" else numbers.astype(float)


winner = _predicted(
    "winner",
    "which of the three weighs what was predicted, and what is their waist?",
    ("position or weight instead of the waist", 0),
    ("position or weight instead of the waist", 1),
    ("value instead of the key", 40),
)
faulty_line = _predicted(
    "faulty_line",
    "print every line's result for waist 57 and lay it beside the table above",
    ("blames the difference", 1),
    ("blames the exponential", 3),
    ("blames the sum", 4),
)
nearly_zero = _predicted(
    "nearly_zero",
    "a key 1.6 cm away against one 0.4 cm away: how much weight is left for it?",
    ("both neighbours counted alike", 45.5),
    ("no weight left for anybody", 0),
)
enormous = _predicted(
    "enormous",
    "divided by a million, how different are the three distances still?",
    ("both neighbours counted alike", 45.5),
    ("values added instead of averaged", 131),
)
at_the_twins = _predicted(
    "at_the_twins",
    "two keys at distance 0: is there any reason to give one of them more weight?",
    ("one of two equal keys ignored", [43, 159]),
    ("one of two equal keys ignored", [48, 162]),
    ("values added instead of averaged", [91, 321]),
)
divisor_at_9 = _predicted(
    "divisor_at_9",
    "the spread at width 4, at 16: and so at 9? Dividing by it makes it 1",
    ("divided by d_k instead of √d_k", 9),
    ("squared instead of rooted", 81),
    ("halved instead of rooted", 4.5),
    ("factor instead of divisor", 1 / 3),
)
both_shuffled = _predicted(
    "both_shuffled",
    "which waists are 1 cm away, and which values stand beside them now?",
    ("order of the keys taken to matter", 44),
    ("order of the keys taken to matter", 41.5),
)
keys_shuffled = _predicted(
    "keys_shuffled",
    "which waists are 1 cm away, and which values stand beside them now?",
    ("values taken to follow their keys", 45.5),
    ("order read the other way round", 41.5),
)


def same_for_softmax(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Keys that give every query its weights: what is added to all of them alike cancels in the softmax."""
    common.of_a_kind(seen.value, expected.value)
    found = _numbers(seen.value)
    if found is None:
        raise NotReached("no numbers came back", values.kind_of(seen.value))
    surplus = found - expected.value
    wanted = expected.value + surplus[0]
    problem = values.difference(found, wanted, case.tolerance)
    return Problem(*problem) if problem else None


def shared_out(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every query's weights sum to 1; kernel values that would be right once divided are told apart."""
    problem = shares.rows_sum_to_one(case, seen, expected)
    kernel = _numbers(seen.value)
    if problem is None or kernel is None or kernel.shape != np.shape(expected.value):
        return problem
    sums = kernel.sum(axis=-1, keepdims=True)
    divided = np.divide(kernel, sums, out=np.zeros_like(kernel), where=sums > 0)
    right_but_for_this = values.close(divided, expected.value, case.tolerance)
    return replace(problem, misconception="weights not normalised") if right_but_for_this else problem


def is_a_candidate(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """One number came back, and it is one of the candidates (the third argument)."""
    number, candidates = _numbers(seen.value), np.asarray(kinds.after(case.args[2]), dtype=float)
    if number is None or number.shape != ():
        return Problem("returned the wrong kind of thing", values.kind_of(seen.value), "one number")
    if np.isclose(candidates, number, rtol=1e-4, atol=0.0).any():
        return None
    return Problem("not one of the candidates", values.show(number), f"one of {values.show(candidates)}")

"""The misconception behind a wrong answer, if it is one of those that an exercise lists.

A name is given only where nothing that was seen speaks against it:

- a rule saw the mistake itself, and said so; or
- where values are asked for, those that the first broken part is about are what one mistake alone gives; or
- the answer does what the mistake does, on every case that tells the mistake from what is right. Where an answer is
  wrong in yet other places, it must agree with the mistake on all that the first broken part looks at. Where it is
  right in some places in which the mistake is not, these must have something in common, as a branch of its own for
  what looks special: a trait of the case that no case has on which it is wrong, or whole rows of what comes back.

That an answer raises the same error as a mistake proves nothing: one value at least must agree as well. Only a mistake
that says no more than on which inputs an answer fails may be named by errors, see `Exercise.by_error`. Errors agree
when their type does and the sizes they speak of.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds, values, wire
from autograder.exercises.exercise import AnswerKey, Case, MistakenAnswers, Observation, Problem


def name_mistake(
    key: AnswerKey, observations: Sequence[Observation], failing_cases: Collection[int], problem: Problem
) -> MistakenAnswers | None:
    """Return the misconception that explains an answer; None where there is none, or more than one.

    Args:
        key: The answer key.
        observations: What the answer gave, one observation for each case of the key.
        failing_cases: The positions of the cases of the first criterion that does not hold.
        problem: What was seen there.
    """
    if problem.misconception:
        return next((m for m in key.mistakes if m.name == problem.misconception), None)
    if problem.compared:
        compared = [{**answer.value, **problem.compared} for answer in observations]
        observations = [
            replace(answer, value=value, again=value) for answer, value in zip(observations, compared)
        ]
    right = [is_right(observations[i], key.expected[i], case.tolerance) for i, case in enumerate(key.cases)]
    cases = enumerate(key.cases)  # costly ones last: a mistake that others speak against is not asked them
    order = [i for *_, i in sorted((case.hidden, case.once, i not in failing_cases, i) for i, case in cases)]
    judged = _Judged(key, observations, right, frozenset(failing_cases), order)
    explanations = [
        (number, mistaken, _explains(judged, mistaken, mistake.by_error))
        for number, mistake in enumerate(key.mistakes)
        for mistaken in mistake.observations
    ]
    if not any(how for _, _, how in explanations):
        explanations = [
            (number, mistaken, _explains_but_for_a_branch(judged, mistaken))
            for number, mistaken, how in explanations
            if how is None
        ]
    best: dict[int, str] = {}
    for number, _, how in explanations:
        if how and (number not in best or HOW.index(how) < HOW.index(best[number])):
            best[number] = how
    for level in HOW:
        candidates = [key.mistakes[number] for number, how in best.items() if how == level]
        if len(candidates) == 1:
            return candidates[0]
    candidates = [mistake for mistake in key.mistakes if _says(mistake, problem.compared)]
    return candidates[0] if len(candidates) == 1 else None


@dataclass(frozen=True)
class _Judged:
    """An answer: what it gave for each case, and whether that is right.

    failing_cases: as in `name_mistake`; order: the positions of the cases, cheap and telling ones first.
    """

    key: AnswerKey
    observations: Sequence[Observation]
    right: Sequence[bool]
    failing_cases: Collection[int]
    order: Sequence[int]


HOW = ("wholly", "partly", "wholly but for a branch", "partly but for a branch")
"""How a mistake may explain an answer, best first. It explains all that is wrong, or only the failing cases. Nothing
speaks against it, or only cases with something in common, in which the answer is right and the mistake is not."""


def _says(mistake: MistakenAnswers, compared: Mapping[str, Any]) -> bool:
    """Return whether a mistake, written in one of its ways, gives these values."""
    values_of = (observations.value for variant in mistake.observations for observations in variant)
    return bool(compared) and any(
        all(values.are_close(compared[name], value[name], 0.0) for name in compared) for value in values_of
    )


def _explains(judged: _Judged, mistaken: Sequence[Observation], by_error: bool) -> str | None:
    """Return how a mistake explains an answer: "" if too little speaks for it, None if something speaks against it.

    Errors alone say too little, unless the mistake may be named by them.
    """
    key, observations, failing_cases = judged.key, judged.observations, judged.failing_cases
    agreed, more = dict[int, bool](), len(failing_cases)
    for i in judged.order:
        tolerance, more = key.cases[i].tolerance, more - (i in failing_cases)
        if judged.right[i]:
            stands = is_right(mistaken[i], key.expected[i], tolerance)
        else:
            steady = is_steady(observations[i], tolerance)
            agreed[i] = steady and is_same(observations[i], mistaken[i], tolerance)
            stands = agreed[i] or bool(_explained(agreed, mistaken, failing_cases, more))
        if not stands:
            return None
    shown = any(agreed[i] and _shows_more_than_an_error(mistaken[i], key.expected[i]) for i in agreed)
    return _explained(agreed, mistaken, failing_cases) if shown or by_error else ""


def _shows_more_than_an_error(mistaken: Observation, expected: Observation) -> bool:
    """Return whether a mistake shows in a value, or in how a module was made."""
    return mistaken.error is None or (
        mistaken.built is not None and not values.are_close(mistaken.built, expected.built, 0.0)
    )


def _explains_but_for_a_branch(judged: _Judged, mistaken: Sequence[Observation]) -> str:
    """Return how a mistake explains an answer that avoids it in special cases; "" where it does not.

    Only the visible cases count: what is special in the hidden cases of one student may be chance.
    """
    key, observations, right = judged.key, judged.observations, judged.right
    visible = [i for i in judged.order if not key.cases[i].hidden]
    failing = [i for i in visible if not right[i]]
    agreed, rows = dict[int, bool](), list[tuple[int, int]]()
    for i in failing:
        tolerance = key.cases[i].tolerance
        row_counts = _row_by_row(observations[i], key.expected[i], mistaken[i], tolerance)
        agreed[i] = row_counts is not None and is_steady(observations[i], tolerance)
        rows += [row_counts] if row_counts and agreed[i] else []
        if 2 * list(agreed.values()).count(False) >= len(failing):
            return ""
    held = [i for i in agreed if agreed[i]]
    shows_mistake, shows_branch = (sum(counts) for counts in zip(*rows)) if rows else (0, 0)
    alike = sum(mistake > 0 for mistake, _ in rows)
    if alike < 2 or shows_mistake <= shows_branch:
        return ""
    right_cases = [i for i in visible if right[i]]
    excused = [i for i in right_cases if not is_right(mistaken[i], key.expected[i], key.cases[i].tolerance)]
    how = _explained(agreed, mistaken, judged.failing_cases) if _have_in_common(key, excused, held) else ""
    return f"{how} but for a branch" if how else ""


def _row_by_row(
    observed: Observation, expected: Observation, mistaken: Observation, tolerance: float
) -> tuple[int, int] | None:
    """Count the rows in which an answer gives what the mistake gives, and those with only the right numbers.

    Return None where some row has neither. Errors prove nothing; they do not speak against it where both raise one.
    """
    if observed.error or mistaken.error:
        return (0, 0) if observed.error and mistaken.error else None
    if is_same(observed, mistaken, tolerance):
        return 1, 0
    if expected.error or not _same_after(observed, expected, tolerance):
        return None
    as_right = values.compare_rows(observed.value, expected.value, tolerance)
    as_wrong = values.compare_rows(observed.value, mistaken.value, tolerance)
    if not as_wrong or len(as_right) != len(as_wrong):
        return None
    if not all(right or wrong for right, wrong in zip(as_right, as_wrong)):
        return None
    return as_right.count(False), as_wrong.count(False)


def _have_in_common(key: AnswerKey, excused: Sequence[int], agreed: Sequence[int]) -> bool:
    """Return whether the excused cases share a trait that no case has on which the mistake was seen."""
    if not excused:
        return True
    common = set.intersection(*(_traits(key.cases[i]) for i in excused))
    return bool(common.difference(*(_traits(key.cases[i]) for i in agreed)))


def _traits(case: Case) -> set[tuple[Any, ...]]:
    """Return what may be special about a case: its tag, its arguments, their axes, a length of 1, a number."""
    traits: set[tuple[Any, ...]] = {("tag", case.tag), ("arguments", len(case.args), *case.kwargs)}
    for name, argument in (*enumerate(case.args), *case.kwargs.items()):
        value = argument_kinds.describe_unchanged(argument)
        if value is None or isinstance(value, (bool, int, float, str)):
            traits.add((name, value))
            continue
        numbers = values.as_numbers(value)
        shape = numbers.shape if numbers is not None else (len(value),) if isinstance(value, list) else ()
        traits |= {(name, "axes", len(shape)), (name, "one", shape[:1] == (1,))}
        traits |= {(name, "one along", -axis) for axis in range(1, len(shape) + 1) if shape[-axis] == 1}
    return traits


def _explained(
    agreed: Mapping[int, bool],
    mistaken: Sequence[Observation],
    failing_cases: Collection[int],
    more: int = 0,
) -> str:
    """Return how far the cases on which answer and mistake agreed, or did not, speak for the mistake.

    more: how many failing cases are still to be compared, which are counted as if they spoke for it.
    """
    if all(agreed.values()):
        return "wholly"
    local = [same for i, same in agreed.items() if i in failing_cases]
    proofs = sum(same and mistaken[i].error is None for i, same in agreed.items() if i in failing_cases)
    enough = proofs + more >= max(2, (len(local) + more) / 2)
    return "partly" if (proofs + more and all(local)) or enough else ""


def is_steady(observed: Observation, tolerance: float) -> bool:
    """Return whether the same came back when the case was put again: an answer that varies proves nothing."""
    return observed.again is None or values.are_close(observed.again, observed.value, tolerance)


def is_right(observed: Observation, expected: Observation, tolerance: float) -> bool:
    """Return whether an answer to one case is the expected one; of an error, only the type counts."""
    if expected.error is not None:
        return observed.error is not None and observed.error.is_a(expected.error.kind)
    return is_same(observed, expected, tolerance)


def is_same(first: Observation, second: Observation, tolerance: float) -> bool:
    """Return whether two answers to one case are the same, within the tolerance."""
    if first.error is not None or second.error is not None:
        messages = [
            error and (error.kind, _identify_message(error.message)) for error in (first.error, second.error)
        ]
        return messages[0] == messages[1] and values.are_close(first.built, second.built, 0.0)
    if not values.are_close(first.value, second.value, tolerance) or not values.are_close(
        first.built, second.built, 0.0
    ):
        return False
    return _same_after(first, second, tolerance)


def _same_after(first: Observation, second: Observation, tolerance: float) -> bool:
    """Return whether two answers to one case leave its arrays the same, but for those too large to cross."""
    arrays = [
        (a, b)
        for a, b in zip(first.after, second.after)
        if isinstance(b, np.ndarray) and not wire.describe_uncrossable(b)
    ]
    return all(values.are_close(a, b, tolerance) for a, b in arrays)


def _identify_message(message: str) -> list[str]:
    """Return what identifies an error's text: the sizes in it, in any order; where it has none, the text itself."""
    return sorted(re.findall(r"\d+", message)) or [message]

"""The misconception behind a wrong answer, if it is one of those that an exercise lists.

A name is given only where nothing that was seen speaks against it:

- a rule saw the mistake itself, and said so; or
- where values are asked for, those that the first broken part is about are what one mistake alone gives; or
- the answer does what the mistake does, on every case that tells the mistake from what is right. Where an answer is
  wrong in yet other places, it must agree with the mistake on all that the first broken part looks at.

That an answer raises the same error as a mistake proves nothing: one value at least must agree as well. Only a mistake
that says no more than on which inputs an answer fails may be named by errors, see `Exercise.by_error`. Errors agree
when their type does and the sizes they speak of.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import values
from autograder.exercises.exercise import AnswerKey, MistakenAnswers, Observation, Problem


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

    def explains(mistaken: Sequence[Observation], by_error: bool) -> str:
        """Return how a mistake explains the answer: "wholly", "partly", or "" where it does not.

        Errors alone say too little, unless the mistake may be named by them.
        """
        agreed, more = dict[int, bool](), len(failing_cases)
        for i in order:
            tolerance, more = key.cases[i].tolerance, more - (i in failing_cases)
            if right[i]:
                stands = is_right(mistaken[i], key.expected[i], tolerance)
            else:
                steady = is_steady(observations[i], tolerance)
                agreed[i] = steady and is_same(observations[i], mistaken[i], tolerance)
                stands = agreed[i] or bool(_explained(agreed, mistaken, failing_cases, more))
            if not stands:
                return ""
        shown = any(agreed[i] and _shows_more_than_an_error(mistaken[i], key.expected[i]) for i in agreed)
        return _explained(agreed, mistaken, failing_cases) if shown or by_error else ""

    explained = [
        (mistake, {explains(mistaken, mistake.by_error) for mistaken in mistake.observations})
        for mistake in key.mistakes
    ]
    wholly = [mistake for mistake, how in explained if "wholly" in how]
    partly = [mistake for mistake, how in explained if "partly" in how and "wholly" not in how]
    stated = [mistake for mistake in key.mistakes if _gives(mistake, problem.compared)]
    return next((candidates[0] for candidates in (wholly, partly, stated) if len(candidates) == 1), None)


def _gives(mistake: MistakenAnswers, compared: Mapping[str, Any]) -> bool:
    """Return whether a mistake, written in one of its ways, gives these values."""
    values_of = (observations.value for variant in mistake.observations for observations in variant)
    return bool(compared) and any(
        all(values.are_close(compared[name], value[name], 0.0) for name in compared) for value in values_of
    )


def _shows_more_than_an_error(mistaken: Observation, expected: Observation) -> bool:
    """Return whether a mistake shows in a value, or in how a module was made."""
    return mistaken.error is None or (
        mistaken.built is not None and not values.are_close(mistaken.built, expected.built, 0.0)
    )


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
    """Return whether two answers to one case are the same, within the tolerance, and leave its arrays the same."""
    if not values.are_close(first.built, second.built, 0.0):
        return False
    if first.error is not None or second.error is not None:
        messages = [
            error and (error.kind, _identify_message(error.message)) for error in (first.error, second.error)
        ]
        return messages[0] == messages[1]
    arrays = [(a, b) for a, b in zip(first.after, second.after) if isinstance(b, np.ndarray)]
    return all(values.are_close(*pair, tolerance) for pair in ((first.value, second.value), *arrays))


def _identify_message(message: str) -> list[str]:
    """Return what identifies an error's text: the sizes in it, in any order; where it has none, the text itself."""
    return sorted(re.findall(r"\d+", message)) or [message]

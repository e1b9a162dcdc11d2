"""The behaviour of a wrong answer, as plain data, by which answers with the same unnamed mistake are grouped.

It is what the answer gave on the visible cases, which are the same for all of a class and in the next term, and the
outcome of each criterion. Two answers behave alike if the judge takes their outputs for the same on each of these
cases.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.calls.runner import Answers
from autograder.checks import answer_keys, diagnosis, scoring
from autograder.courses import Lesson, open_course
from autograder.exercises import public_course, wire
from autograder.exercises.exercise import AnswerKey, Case, Observation
from autograder.exercises.hidden_values import concealed_values
from autograder.exercises.limits import MAX_BEHAVIOUR_CHARACTERS
from autograder.exercises.verdict import State, Verdict

_SAME_NUMBER = 6
"""Figures of a number that identify a case: the last ones of an input may depend on the processor."""


@dataclass(frozen=True)
class Behaviour:
    """The behaviour of an answer.

    asked: the digest of the cases and criteria; sights: the outcome of each criterion; given: what came back for each
    case, as JSON, with numbers to seven figures.
    """

    asked: str
    sights: tuple[str, ...]
    given: str

    @functools.cached_property
    def digest(self) -> str:
        """Return the digest that identifies it."""
        text = repr((self.asked, self.sights, self.given))
        return hashlib.sha256(text.encode(errors="replace")).hexdigest()


@functools.cache
def digest_exercise(lesson: Lesson, exercise: str) -> str:
    """Return the digest of an exercise, which differs if its visible cases or its criteria do."""
    definition = lesson.exercise(exercise)
    cases = json.dumps([wire.encode(case) for case in definition.examples()])
    rounded = json.loads(cases, parse_float=lambda number: f"{float(number):.{_SAME_NUMBER}g}")
    text = json.dumps([rounded, [part.title for part in definition.criteria]])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def describe_behaviour(
    lesson: Lesson, key: AnswerKey, attempts: Sequence[Answers], verdict: Verdict
) -> Behaviour | None:
    """Return what an answer does, or None.

    That is for a right answer, one whose mistake has a name or that no visible case shows, one that varies from call to
    call, and one that gives too much.
    """
    if verdict.state is not State.WRONG or verdict.misconception or verdict.problem:
        return None
    shown = scoring.restrict_to_visible(key)
    observations = scoring.choose_best(key, attempts).observations[: len(shown.cases)]
    compared = [*zip(shown.cases, observations, shown.expected)]
    if not all(diagnosis.is_steady(answer, case.tolerance) for case, answer, _ in compared):
        return None
    if all(diagnosis.is_right(answer, expected, case.tolerance) for case, answer, expected in compared):
        return None
    answers = json.dumps([answer_keys.encode_observation(case, answer) for case, answer, _ in compared])
    if len(answers) > MAX_BEHAVIOUR_CHARACTERS:
        return None
    return Behaviour(
        digest_exercise(lesson, key.exercise), tuple(line.sight for line in verdict.lines), answers
    )


def group_behaviours(course: str, lesson: str, exercise: str, behaviours: list[Behaviour]) -> list[int]:
    """Return, for each behaviour in this exercise, the position of the first that is the same. course: its folder.

    Some answers may be large: call this in a limited process.
    """
    of = open_course(course).lesson(lesson)
    definition = of.exercise(exercise)
    with public_course.use_course(of.course.visible):
        cases = definition.examples()
        observations = [_read(cases, behaviour) for behaviour in behaviours]
    compared = [_as_recognisers(cases, answers) if definition.values else answers for answers in observations]

    def are_same(i: int, j: int) -> bool:
        if (behaviours[i].asked, behaviours[i].sights) != (behaviours[j].asked, behaviours[j].sights):
            return False
        tolerances = [case.tolerance for case in cases]
        return bool(observations[i] and observations[j]) and all(
            map(diagnosis.is_same, observations[i], compared[j], tolerances)
        )

    first = list[int]()
    for i in range(len(behaviours)):
        first.append(next((j for j in dict.fromkeys(first) if are_same(i, j)), i))
    return first


def _read(cases: Sequence[Case], behaviour: Behaviour) -> list[Observation]:
    """Return what came back for each case; nothing where that is damaged."""
    with contextlib.suppress(ValueError, TypeError):
        return [
            answer_keys.decode_observation(*pair)
            for pair in zip(cases, json.loads(behaviour.given), strict=True)
        ]
    return []


def _as_recognisers(cases: Sequence[Case], observations: Sequence[Observation]) -> list[Observation]:
    """Return predictions as others are compared with them; as they are where a name was given something else."""
    compared = [*observations]
    for i, (case, answer) in enumerate(zip(cases, observations)):
        with contextlib.suppress(TypeError):
            compared[i] = replace(answer, value=concealed_values(case, answer))
    return compared

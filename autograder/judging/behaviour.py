"""What a wrong answer does, as plain data: by it, answers whose mistake has no name are put together.

Looked at are the visible cases, which are the same for all of a class and in the next term, and how each part was
seen. Two answers do the same where the judge would take the one's outputs for the other's on each of these cases.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.checks import answer_keys, diagnosis, public_course, scoring
from autograder.checks.runner import Answers
from autograder.courses import Lesson, open_course
from autograder.exercises import wire
from autograder.exercises.exercise import AnswerKey, Case, Observation
from autograder.exercises.hidden_values import concealed_values
from autograder.exercises.limits import MAX_BEHAVIOUR_CHARACTERS
from autograder.exercises.verdict import State, Verdict

_SAME_NUMBER = 6
"""Figures by which a case is known again: the last ones of an input may depend on the processor."""


@dataclass(frozen=True)
class Behaviour:
    """What an answer does.

    asked: the digest of the cases and parts; sights: how each part was seen; given: what came back for each case, as
    JSON, with numbers to seven figures.
    """

    asked: str
    sights: tuple[str, ...]
    given: str

    @functools.cached_property
    def digest(self) -> str:
        """By which it is known again."""
        said = repr((self.asked, self.sights, self.given))
        return hashlib.sha256(said.encode(errors="replace")).hexdigest()


@functools.cache
def digest_exercise(lesson: Lesson, exercise: str) -> str:
    """The digest of what an exercise asks: another one where its visible cases or its parts are others."""
    asked = lesson.exercise(exercise)
    cases = json.dumps([wire.encode(case) for case in asked.examples()])
    rounded = json.loads(cases, parse_float=lambda number: f"{float(number):.{_SAME_NUMBER}g}")
    text = json.dumps([rounded, [part.title for part in asked.criteria]])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def describe_behaviour(
    lesson: Lesson, key: AnswerKey, attempts: Sequence[Answers], verdict: Verdict
) -> Behaviour | None:
    """Return what an answer does; None where it is right, its mistake has a name, or no visible case tells it from
    what is right; and where it wavers, or gives too much.
    """
    if verdict.state is not State.WRONG or verdict.misconception or verdict.problem:
        return None
    shown = scoring.restrict_to_visible(key)
    seen = scoring.choose_best(key, attempts).observations[: len(shown.cases)]
    asked = [*zip(shown.cases, seen, shown.expected)]
    if not all(diagnosis.is_steady(answer, case.tolerance) for case, answer, _ in asked):
        return None
    if all(diagnosis.is_right(answer, expected, case.tolerance) for case, answer, expected in asked):
        return None
    given = json.dumps([answer_keys.encode_observation(case, answer) for case, answer, _ in asked])
    if len(given) > MAX_BEHAVIOUR_CHARACTERS:
        return None
    return Behaviour(
        digest_exercise(lesson, key.exercise), tuple(line.sight for line in verdict.lines), given
    )


def group_behaviours(course: str, lesson: str, exercise: str, found: list[Behaviour]) -> list[int]:
    """Return, for each behaviour in this exercise, the position of the first that is the same. course: its folder.

    Some of what was given may be large: to be called in a limited process.
    """
    of = open_course(course).lesson(lesson)
    asked = of.exercise(exercise)
    with public_course.use_course(of.course.visible):
        cases = asked.examples()
        seen = [_read(cases, behaviour) for behaviour in found]
    compared = [_recognising(cases, answers) if asked.values else answers for answers in seen]

    def are_same(i: int, j: int) -> bool:
        if (found[i].asked, found[i].sights) != (found[j].asked, found[j].sights):
            return False
        tolerances = [case.tolerance for case in cases]
        return bool(seen[i] and seen[j]) and all(map(diagnosis.is_same, seen[i], compared[j], tolerances))

    first = list[int]()
    for i in range(len(found)):
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


def _recognising(cases: Sequence[Case], seen: Sequence[Observation]) -> list[Observation]:
    """Return predictions as others are compared with them; as they are where a name was given something else."""
    compared = [*seen]
    for i, (case, answer) in enumerate(zip(cases, seen)):
        with contextlib.suppress(TypeError):
            compared[i] = replace(answer, value=concealed_values(case, answer))
    return compared

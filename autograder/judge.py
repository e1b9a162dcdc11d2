"""Answers and reference to verdict: the trusted side.

The reference solution and each misconception are asked the same cases as the student, by the same probe; the
ladder compares. Nothing of a student's runs here.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder import ladder, probe, reference
from autograder.exercise import Case, Exercise, Key, Misconception, MistakenAnswers, Verdict
from autograder.lessons import find_exercise
from autograder.probe import Question


def visible_key(lesson: str, exercise: Exercise) -> Key:
    """The key of what students may see."""
    return make_key(lesson, exercise, exercise.examples())


@functools.lru_cache(maxsize=256)
def hidden_key(lesson: str, exercise: str, student: str, salt: str = "") -> Key:
    """The key for grading one student: the visible cases and the ones drawn for this student alone.

    The draw depends on lesson, exercise, student and `salt`, and on nothing else, so that grading again
    gives the same grade.
    """
    asked = find_exercise(lesson, exercise)
    return make_key(
        lesson, asked, (*asked.examples(), *_hide(asked.draw(_generator(lesson, exercise, student, salt))))
    )


def _generator(*seeds: str) -> np.random.Generator:
    digest = hashlib.sha256("\0".join(seeds).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _hide(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    return tuple(dataclasses.replace(case, hidden=True) for case in cases)


def make_key(lesson: str, exercise: Exercise, cases: tuple[Case, ...]) -> Key:
    """The key for these cases: the reference's answers, and those of every listed misconception."""
    names = reference.namespace(lesson)
    cases = tuple(_with_stand_ins(exercise, case) for case in cases)
    expected = probe.ask(Question(exercise.id, exercise.values, cases), names)
    if expected.state != probe.ASKED:
        raise LookupError(f"{lesson}: the reference for {exercise.id} is {expected.state}")
    if exercise.values:
        cases = cases or (Case("values"),)
    return Key(
        exercise=exercise.id,
        signature=exercise.signature,
        values=exercise.values,
        parts=exercise.parts,
        cases=cases,
        expected=expected.observations,
        mistakes=_Mistakes(exercise, cases, names),
        graded=exercise.graded,
        library=exercise.library,
    )


def _with_stand_ins(exercise: Exercise, case: Case) -> Case:
    return dataclasses.replace(case, stand_ins={**exercise.builds_on, **case.stand_ins})


class _Mistakes(Sequence[MistakenAnswers]):
    """What each misconception answers, asked only once an answer turns out wrong: it costs more than the rest."""

    def __init__(self, exercise: Exercise, cases: tuple[Case, ...], names: dict[str, Any]) -> None:
        self._ask = lambda mistake: _mistaken(exercise, mistake, cases, names)
        self._listed = exercise.misconceptions

    @functools.cached_property
    def _asked(self) -> tuple[MistakenAnswers, ...]:
        return tuple(self._ask(mistake) for mistake in self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, index: Any) -> Any:
        return self._asked[index]


def _mistaken(
    exercise: Exercise, mistake: Misconception, cases: tuple[Case, ...], names: dict[str, Any]
) -> MistakenAnswers:
    observations = []
    question = Question(exercise.id, exercise.values, cases)
    for wrong in mistake.wrong:
        if exercise.values:
            answers = probe.ask(question, dict(zip(exercise.values, wrong())))
        else:
            answers = probe.ask(question, {**names, exercise.id: wrong})
        if answers.state != probe.ASKED:
            raise LookupError(f"{exercise.id}: an answer for {mistake.name!r} is {answers.state}")
        observations.append(answers.observations)
    return MistakenAnswers(mistake.name, mistake.looks_like, mistake.question, tuple(observations))


def judge(key: Key, attempts: Sequence[probe.Answers]) -> Verdict:
    """The verdict on what a student's answer gave for this key's cases, with or without stand-ins."""
    return ladder.best(key, attempts)

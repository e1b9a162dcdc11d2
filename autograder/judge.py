"""Answers and reference to verdict: the trusted side.

The reference solution and each misconception are asked the same cases as the student, by the same probe; the
ladder compares. Nothing of a student's runs here.
"""

from __future__ import annotations

import dataclasses
import functools
import gc
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder import ladder, probe, reference, stand_ins
from autograder.exercise import Case, Exercise, Key, MistakenAnswers, Observation, Verdict
from autograder.lessons import find_exercise, find_lesson
from autograder.probe import Question


def visible_key(lesson: str, exercise: Exercise) -> Key:
    """The key of what students may see."""
    shown, seen = _seen(lesson, exercise.id)
    return _key(exercise, shown, seen, _Mistakes(lesson, exercise, ()))


@functools.cache
def prepare(lesson: str) -> None:
    """Get ready to judge a lesson: read the reference, answer the visible examples, and keep all that for good.

    What has been imported by now stays; the garbage collector need not look through it for every submission.
    """
    for exercise in find_lesson(lesson).exercises:
        _seen(lesson, exercise.id)
    gc.collect()
    gc.freeze()


@functools.lru_cache(maxsize=1024)
def hidden_key(lesson: str, exercise: str, student: str, salt: str = "") -> Key:
    """The key for grading one student: the visible cases and the ones drawn for this student alone.

    The draw depends on lesson, exercise, student and `salt`, and on nothing else, so that grading again
    gives the same grade.
    """
    asked = find_exercise(lesson, exercise)
    if asked.values:
        return visible_key(lesson, asked)
    shown, seen = _seen(lesson, exercise)
    drawn = _hide(asked.draw(_generator(lesson, exercise, student, salt)))
    expected = (*seen, *_expected(lesson, asked, drawn))
    return _key(asked, (*shown, *drawn), expected, _Mistakes(lesson, asked, drawn))


@functools.cache
def _seen(lesson: str, exercise: str) -> tuple[tuple[Case, ...], tuple[Observation, ...]]:
    """The visible cases, and the reference's answers to them."""
    asked = find_exercise(lesson, exercise)
    return asked.examples(), _expected(lesson, asked, asked.examples())


def _generator(*seeds: str) -> np.random.Generator:
    digest = hashlib.sha256("\0".join(seeds).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _hide(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    return tuple(dataclasses.replace(case, hidden=True) for case in cases)


def _expected(lesson: str, exercise: Exercise, cases: tuple[Case, ...]) -> tuple[Observation, ...]:
    question = Question(exercise.id, exercise.values, cases)
    answers = probe.ask(question, reference.namespace(lesson), again=False)
    if answers.state != probe.ASKED:
        raise LookupError(f"{lesson}: the reference for {exercise.id} is {answers.state}")
    return answers.observations


def _key(
    exercise: Exercise, cases: tuple[Case, ...], expected: tuple[Observation, ...], mistakes: _Mistakes
) -> Key:
    if exercise.values:
        cases = cases or (Case("values"),)
    return Key(
        exercise=exercise.id,
        signature=exercise.signature,
        values=exercise.values,
        parts=exercise.parts,
        cases=cases,
        expected=expected,
        mistakes=mistakes,
        graded=exercise.graded,
        library=exercise.library,
        builds_on=exercise.builds_on,
    )


def question(key: Key) -> Question:
    """What is put to a student's answer that this key judges, with stand-ins for what it builds on."""
    texts = stand_ins.texts(key.builds_on)
    return Question(key.exercise, key.values, key.cases, bool(key.library), texts)


class _Mistakes(Sequence[MistakenAnswers]):
    """What each misconception answers, asked only once an answer turns out wrong: it costs more than the rest."""

    def __init__(self, lesson: str, exercise: Exercise, drawn: tuple[Case, ...]) -> None:
        self._lesson, self._exercise, self._drawn = lesson, exercise, drawn

    @functools.cached_property
    def _all(self) -> tuple[MistakenAnswers, ...]:
        return tuple(
            MistakenAnswers(
                mistake.name, mistake.looks_like, mistake.question, tuple(map(self._given, mistake.wrong))
            )
            for mistake in self._exercise.misconceptions
        )

    def _given(self, variant: Callable[..., Any]) -> Sequence[Observation]:
        seen = _mistaken_on_examples(self._lesson, self._exercise.id, variant)
        ask = functools.partial(_mistaken, self._lesson, self._exercise, variant, self._drawn)
        return _Given(seen, len(self._drawn), ask) if self._drawn else seen

    def __len__(self) -> int:
        return len(self._exercise.misconceptions)

    def __getitem__(self, index: Any) -> Any:
        return self._all[index]


class _Given(Sequence[Observation]):
    """Answers to the visible examples, and behind them those to the drawn cases, asked when one is looked at."""

    def __init__(
        self, seen: tuple[Observation, ...], drawn: int, ask: Callable[[], tuple[Observation, ...]]
    ) -> None:
        self._seen, self._length, self._ask = seen, len(seen) + drawn, ask

    @functools.cached_property
    def _all(self) -> tuple[Observation, ...]:
        return (*self._seen, *self._ask())

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        shown = isinstance(index, int) and 0 <= index < len(self._seen)
        return (self._seen if shown else self._all)[index]


@functools.cache
def _mistaken_on_examples(lesson: str, exercise: str, variant: Callable[..., Any]) -> tuple[Observation, ...]:
    asked = find_exercise(lesson, exercise)
    return _mistaken(lesson, asked, variant, asked.examples())


def _mistaken(
    lesson: str, exercise: Exercise, variant: Callable[..., Any], cases: tuple[Case, ...]
) -> tuple[Observation, ...]:
    names = reference.namespace(lesson)
    own = dict(zip(exercise.values, variant())) if exercise.values else {**names, exercise.id: variant}
    answers = probe.ask(Question(exercise.id, exercise.values, cases), own, again=False)
    if answers.state != probe.ASKED:
        raise LookupError(
            f"{exercise.id}: the answer {variant.__name__} for a misconception is {answers.state}"
        )
    return answers.observations


def judge(key: Key, attempts: Sequence[probe.Answers]) -> Verdict:
    """The verdict on what a student's answer gave for this key's cases, with or without stand-ins."""
    return ladder.best(key, attempts)

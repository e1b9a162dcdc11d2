"""The course that the tests are about: the one they lie in."""

from __future__ import annotations

import dataclasses
import functools
import tomllib
from pathlib import Path
from typing import Any

from autograder.checks import answer_keys
from autograder.courses import Lesson, open_course
from autograder.exercises.exercise import AnswerKey, Exercise
from autograder.exercises.verdict import Verdict
from autograder.judging import judge

COURSE = open_course(Path(__file__).parent)
ROOT = COURSE.root
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
"""What the repository asks for."""

FIXED = "0123456789abcdef" * 2
"""A class's secret, so that the same cases are asked in each run."""


def lessons() -> tuple[Lesson, ...]:
    """All lessons in their order."""
    return COURSE.lessons


def find_lesson(lesson: str | Lesson) -> Lesson:
    """The lesson of that id; a lesson is itself."""
    return lesson if isinstance(lesson, Lesson) else COURSE.lesson(lesson)


def find_exercise(lesson: str | Lesson, exercise: str) -> Exercise:
    """The exercise of that id in that lesson."""
    return find_lesson(lesson).exercise(exercise)


@functools.cache
def nameless_key(lesson: str | Lesson, exercise: str, student: str = "") -> AnswerKey:
    """A key that knows no mistakes: to name them takes longer than all else, and changes no points.

    student: whose hidden key; where nobody is named, the visible one.
    """
    of = find_lesson(lesson)
    key = judge.hidden_key(of, exercise, student) if student else judge.visible_key(of, exercise)
    return dataclasses.replace(key, mistakes=())


def stored_key(lesson: str | Lesson, exercise: str) -> AnswerKey:
    """The key that students check by, as it was built: what each mistake gives stands in it, and nothing is asked anew.

    `test_inspection` sees that it is fresh.
    """
    return answer_keys.load_keys(COURSE.visible, find_lesson(lesson).id).keys[exercise]


def verdict_by(lesson: str | Lesson, key: AnswerKey, names: dict[str, Any]) -> Verdict:
    """The verdict by a key on a notebook with these names."""
    return judge.judge_in_process(find_lesson(lesson), key, names)

"""What the tests of stock nbgrader and otter call: the points of an answer, reached in the student's own kernel."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from autograder.checks import answer_keys
from autograder.checks.answer_keys import LessonKeys
from autograder.courses import Lesson, open_course
from autograder.exercises.public_course import PublicCourse
from autograder.judging import judge

DRAWN_FOR = "bench"
"""Whose hidden cases are asked: everybody the same ones, as a course of plain tests would."""


def write_key(lesson: Lesson, folder: Path) -> Path:
    """Write the key by which `score` judges a lesson's graded exercises into `folder`; its file comes back."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{lesson.id}.json"
    hidden = {one.id: judge.hidden_key(lesson, one.id, DRAWN_FOR) for one in lesson.graded}
    path.write_text(answer_keys.format_keys(LessonKeys(lesson.id, lesson.title, hidden)), encoding="utf-8")
    return path


def score(exercise: str, path: str, course: str, namespace: dict[str, Any]) -> float:
    """The points for `exercise` by the key in the file `path`; course: its folder; namespace: the notebook's."""
    lesson = open_course(Path(course)).lesson(Path(path).stem)
    key = _keys(path, lesson.course.visible).keys[exercise]
    return float(judge.judge_in_process(lesson, key, namespace).points)


@functools.cache
def _keys(path: str, course: PublicCourse) -> LessonKeys:
    return answer_keys.parse_keys(Path(path).read_text(encoding="utf-8"), course)

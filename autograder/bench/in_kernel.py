"""What stock nbgrader's test cells call: the points of an answer, reached in the student's own kernel."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from autograder.author.course import open_course
from autograder.judge import stand_ins
from autograder.student import keys, ladder, probe
from autograder.student.keys import LessonKeys


def score(exercise: str, path: str, course: str, namespace: dict[str, Any]) -> float:
    """The points for `exercise` by the key in the file `path`; course: its folder; namespace: the notebook's."""
    lesson = open_course(Path(course)).lesson(Path(path).stem)
    key = _keys(path, lesson.course.visible.package).keys[exercise]
    helpers = stand_ins.texts(lesson, key.builds_on)
    question = probe.Question(key.exercise, key.values, key.cases, key.library, helpers)
    return float(ladder.best(key, probe.ask_all(question, namespace)).points)


@functools.cache
def _keys(path: str, package: str) -> LessonKeys:
    return keys.loads(Path(path).read_text(encoding="utf-8"), package)

"""The reference answers and the wrong ones: a lesson's solution cells, and what its misconceptions make of them."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import re
import textwrap
from typing import Any

from autograder.checks import public_course
from autograder.courses import Lesson, lesson_source
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import Exercise, Wrong

WHOLE_CELL = re.compile(r"(def|class|import|from|@)\b")


@functools.cache
def namespace(lesson: Lesson) -> dict[str, Any]:
    """Return the names that a lesson's imports and solution cells define."""
    os.environ.setdefault("MPLBACKEND", "agg")
    names: dict[str, Any] = {"__name__": f"reference.{lesson.id}"}
    with contextlib.redirect_stdout(io.StringIO()), public_course.using(lesson.course.visible):
        for cell in lesson.cells:
            if cell.marker in ("setup", "solution"):
                exec(compile(cell.text, f"{lesson.source.name}:{cell.name}", "exec"), names)
    return names


@functools.lru_cache(maxsize=4096)
def mistaken(lesson: Lesson, exercise: str, mistake: int, variant: int) -> dict[str, Any]:
    """Return a namespace in which an exercise is answered wrongly: by one way of making one of its misconceptions."""
    asked = lesson.exercise(exercise)
    misconception = asked.misconceptions[mistake]
    wrong = misconception.wrong[variant]
    if asked.values:
        return dict(zip(asked.values, wrong, strict=True))
    return changed(lesson, asked, wrong, f"{misconception.name!r}, wrong answer {variant + 1}")


def changed(lesson: Lesson, exercise: Exercise, change: Wrong, what: str) -> dict[str, Any]:
    """Return a namespace in which a changed reference answers an exercise; what: names the change."""
    names, text = dict(namespace(lesson)), code_of(lesson, exercise, change, what)
    where = _where(lesson, exercise, what)
    try:
        exec(compile(text, f"<{where}>", "exec"), names)
    except Exception as error:
        raise CourseError(f"{where}: {type(error).__name__}: {error}") from error
    return names


def code_of(lesson: Lesson, exercise: Exercise, change: Wrong, what: str) -> str:
    """Return what a change makes of the reference."""
    if isinstance(change, str):
        text = textwrap.dedent(change).strip("\n")
        whole = WHOLE_CELL.match(text)
        return text if whole else f"def {exercise.signature}:\n{textwrap.indent(text, '    ')}"
    text = lesson_source.strip_solution_marks(lesson.solution(exercise.id))
    for old, new in zip(change[::2], change[1::2], strict=True):
        if old not in text:
            raise CourseError(f"{_where(lesson, exercise, what)}: the solution does not hold {old!r}")
        text = text.replace(old, new)
    return text


def _where(lesson: Lesson, exercise: Exercise, what: str) -> str:
    return f"{lesson.folder / exercise.id}.py, {what}"

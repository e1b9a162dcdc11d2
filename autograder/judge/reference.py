"""The reference answers and the wrong ones: a lesson's solution cells, and what its misconceptions make of them."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import re
import textwrap
from typing import Any

from autograder.courses import Lesson, source
from autograder.model.errors import CourseError
from autograder.model.exercise import Exercise, Wrong
from autograder.student import visible

WHOLE_CELL = re.compile(r"(def|class|import|from|@)\b")


@functools.cache
def namespace(lesson: Lesson) -> dict[str, Any]:
    """The names that a lesson's imports and solution cells define."""
    os.environ.setdefault("MPLBACKEND", "agg")
    names: dict[str, Any] = {"__name__": f"reference.{lesson.id}"}
    with contextlib.redirect_stdout(io.StringIO()), visible.using(lesson.course.visible):
        for cell in lesson.cells:
            if cell.marker in ("setup", "solution"):
                exec(compile(cell.text, f"{lesson.source.name}:{cell.name}", "exec"), names)
    return names


@functools.lru_cache(maxsize=4096)
def mistaken(lesson: Lesson, exercise: str, mistake: int, variant: int) -> dict[str, Any]:
    """A namespace in which an exercise is answered wrongly: by one way of making one of its misconceptions."""
    asked = lesson.exercise(exercise)
    misconception = asked.misconceptions[mistake]
    wrong = misconception.wrong[variant]
    if asked.values:
        return dict(zip(asked.values, wrong, strict=True))
    return changed(lesson, asked, wrong, f"{misconception.name!r}, wrong answer {variant + 1}")


def changed(lesson: Lesson, exercise: Exercise, change: Wrong, what: str) -> dict[str, Any]:
    """A namespace in which an exercise is answered by what a change makes of the reference; what: names the change."""
    names, text = dict(namespace(lesson)), code_of(lesson, exercise, change, what)
    where = _where(lesson, exercise, what)
    try:
        exec(compile(text, f"<{where}>", "exec"), names)
    except Exception as error:
        raise CourseError(f"{where}: {type(error).__name__}: {error}") from error
    return names


def code_of(lesson: Lesson, exercise: Exercise, change: Wrong, what: str) -> str:
    """What a change makes of the reference."""
    if isinstance(change, str):
        return _written_out(exercise, change)
    return _replaced(lesson, exercise.id, change, _where(lesson, exercise, what))


def _where(lesson: Lesson, exercise: Exercise, what: str) -> str:
    return f"{lesson.folder / exercise.id}.py, {what}"


def _written_out(exercise: Exercise, wrong: str) -> str:
    text = textwrap.dedent(wrong).strip("\n")
    if WHOLE_CELL.match(text):
        return text
    return f"def {exercise.signature}:\n{textwrap.indent(text, '    ')}"


def _replaced(lesson: Lesson, exercise: str, wrong: tuple[Any, ...], where: str) -> str:
    text = source.without_marks(lesson.solution(exercise))
    for old, new in zip(wrong[::2], wrong[1::2], strict=True):
        if old not in text:
            raise CourseError(f"{where}: the solution does not hold {old!r}")
        text = text.replace(old, new)
    return text

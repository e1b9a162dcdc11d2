"""The reference answers, which are a lesson's solution cells, and the wrong answers made of them."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import re
import textwrap
from typing import Any

from autograder.courses import Lesson, lesson_source
from autograder.exercises import public_course
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import Exercise, WrongAnswer

WHOLE_CELL = re.compile(r"(def|class|import|from|@)\b")


@functools.cache
def load_namespace(lesson: Lesson) -> dict[str, Any]:
    """Return the names that a lesson's imports and solution cells define."""
    os.environ.setdefault("MPLBACKEND", "agg")
    names: dict[str, Any] = {"__name__": f"reference.{lesson.id}"}
    with contextlib.redirect_stdout(io.StringIO()), public_course.use_course(lesson.course.visible):
        for cell in lesson.cells:
            if cell.marker in ("setup", "solution"):
                exec(compile(cell.text, f"{lesson.source.name}:{cell.name}", "exec"), names)
    return names


@functools.lru_cache(maxsize=4096)
def load_mistaken(lesson: Lesson, exercise: str, mistake: int, variant: int) -> dict[str, Any]:
    """Return a namespace in which an exercise is answered wrongly: by one of a misconception's wrong answers."""
    definition = lesson.exercise(exercise)
    misconception = definition.misconceptions[mistake]
    wrong = misconception.wrong[variant]
    if definition.values:
        return dict(zip(definition.values, wrong, strict=True))
    return change_reference(lesson, definition, wrong, f"{misconception.name!r}, wrong answer {variant + 1}")


def find_inapplicable(lesson: Lesson, exercise: str) -> list[str]:
    """Return for each wrong answer that can no longer be made of the solution a sentence that says why."""
    problems = []
    for mistake, misconception in enumerate(lesson.exercise(exercise).misconceptions):
        for variant in range(len(misconception.wrong)):
            try:
                load_mistaken(lesson, exercise, mistake, variant)
            except CourseError as error:
                problems.append(str(error))
    return problems


def change_reference(lesson: Lesson, exercise: Exercise, change: WrongAnswer, label: str) -> dict[str, Any]:
    """Return a namespace in which a changed reference answers an exercise; label: names the change in messages."""
    names, text = dict(load_namespace(lesson)), changed_code(lesson, exercise, change, label)
    where = _where(lesson, exercise, label)
    try:
        exec(compile(text, f"<{where}>", "exec"), names)
    except Exception as error:
        raise CourseError(f"{where}: {type(error).__name__}: {error}") from error
    return names


def changed_code(lesson: Lesson, exercise: Exercise, change: WrongAnswer, label: str) -> str:
    """Return the source text of a changed reference."""
    if isinstance(change, str):
        text = textwrap.dedent(change).strip("\n")
        is_whole_cell = WHOLE_CELL.match(text)
        return text if is_whole_cell else f"def {exercise.signature}:\n{textwrap.indent(text, '    ')}"
    text = lesson_source.strip_solution_marks(lesson.solution(exercise.id))
    for old, new in zip(change[::2], change[1::2], strict=True):
        if old not in text:
            raise CourseError(f"{_where(lesson, exercise, label)}: the solution does not contain {old!r}")
        text = text.replace(old, new)
    return text


def _where(lesson: Lesson, exercise: Exercise, label: str) -> str:
    return f"{lesson.judging(exercise.id)}, {label}"

"""Reference stubs: working versions that replace earlier exercises while a later one is graded.

A student whose answer to one exercise is wrong loses points for that, and not once more for each one that calls it.
Where such an exercise is not right as it stands, it is asked once more, and the names of the earlier ones then hold
functions that send each call to a process of its own. Only that process has the text of a stub: a student's process
learns its name, which the lesson has too, and what it gives for the arguments that were sent.

Hostile code can thereby collect what an earlier exercise should have given. It gains nothing:

- An exercise is asked once, and no call of its stub is answered until that has been done, whatever the order of a
  submission's cells (`Question.withhold`). What it has answered by then is judged, and is not asked for again, also
  not by a new kernel that goes on behind a fatal cell.
- In the second process an exercise may be asked once more, but only to compare what it gives with what it gave.
- The next submission is asked other hidden cases (`hidden_key`).
- No stub solves another exercise than its own.

Each is a function, named and called like its exercise, brings its imports along, and calls nothing but what the
exercise itself builds on, or what notebooks may import.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from autograder.courses import Lesson
from autograder.exercises.errors import CourseError


@functools.cache
def load_sources(lesson: Lesson) -> dict[str, str]:
    """Return the source texts of a lesson's stubs, by the exercises that others build on."""
    wanted = {name for exercise in lesson.exercises for name in exercise.builds_on}
    return {
        name: inspect.getsource(_read_stub(lesson, name)) for name in lesson.names("test") if name in wanted
    }


def build_program(lesson: Lesson) -> str:
    """Return the program that defines all of a lesson's stubs, in a process of their own."""
    return "\n\n".join(["from __future__ import annotations", *load_sources(lesson).values()])


@functools.cache
def load_stubs(lesson: Lesson) -> dict[str, Callable[..., Any]]:
    """Return a lesson's stubs, to be called in this process."""
    names: dict[str, Any] = {}
    exec(compile(build_program(lesson), "reference stubs", "exec"), names)
    return {name: names[name] for name in load_sources(lesson)}


def _read_stub(lesson: Lesson, exercise: str) -> Callable[..., Any]:
    stub = lesson.exercise(exercise).reference_stub
    if not inspect.isfunction(stub):
        raise CourseError(
            f"{lesson.judging(exercise)}: EXERCISE needs a reference_stub, a function, since others build on it"
        )
    return stub

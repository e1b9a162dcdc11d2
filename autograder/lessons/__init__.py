"""What each lesson asks and how it is judged: the instructor's side, one module a lesson."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from autograder.errors import CourseError
from autograder.exercise import Exercise, Lesson


class UnknownName(CourseError, LookupError):
    """No lesson, or no exercise of a lesson, has that id."""


@functools.cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons in their order."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    return tuple(sorted((module.LESSON for module in modules), key=lambda lesson: lesson.id))


@functools.cache
def find_lesson(lesson: str) -> Lesson:
    """The lesson of that id. Raises `UnknownName`, naming those there are."""
    try:
        found = importlib.import_module(f"{__name__}.{lesson.split('_', 1)[-1]}").LESSON
    except ModuleNotFoundError:
        found = None
    if not isinstance(found, Lesson) or found.id != lesson:
        raise UnknownName(
            f"no lesson is called {lesson!r}; there are {', '.join(one.id for one in lessons())}"
        )
    return found


def find_exercise(lesson: str, exercise: str) -> Exercise:
    """The exercise of that id in that lesson. Raises `UnknownName`, naming those there are."""
    exercises = find_lesson(lesson).exercises
    for candidate in exercises:
        if candidate.id == exercise:
            return candidate
    raise UnknownName(
        f"{lesson} has no exercise {exercise!r}; it has {', '.join(one.id for one in exercises)}"
    )

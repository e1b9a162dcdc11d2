"""Working versions of earlier exercises, which serve in their place while a later one is graded.

A student whose answer to one exercise is wrong loses points for that, and not once more for each one that calls it.
While such an exercise is asked, the text of its stand-ins travels with the question into the student's process,
where it is run in a namespace of its own, put under the exercises' names, and taken away again.

Hostile code can read a stand-in while it is asked, and keep it for as long as its process lasts. It gains nothing:

- An exercise is asked once, and the stand-in for it stays here until that has been done, whatever the order of a
  submission's cells (`Question.withhold`). What it has answered by then is judged, and is not asked for again, also
  not by a new kernel that goes on behind a fatal cell.
- In the second process an exercise may be asked once more, but only to compare what it gives with what it gave.
- No stand-in solves another exercise than its own.

It can print one, and so carry it into a later submission. That is worth what calling a library is worth, since this is
all that they do.

Each is named and called like its exercise, brings its imports along, and calls nothing but what the exercise itself
builds on, or what notebooks may import.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from autograder.courses import Lesson
from autograder.model.errors import CourseError
from autograder.model.exercise import Exercise


def texts(lesson: Lesson, exercises: Iterable[str]) -> dict[str, str]:
    """The source text of the stand-in for each of these exercises, in their order."""
    return {exercise: _text(lesson, exercise) for exercise in exercises}


def brought(exercise: Exercise) -> dict[str, str]:
    """The source text of what an exercise has from other lessons, by name."""
    return {stand_in.__name__: _source(stand_in) for stand_in in exercise.brought}


def _text(lesson: Lesson, exercise: str) -> str:
    stand_in = lesson.exercise(exercise).stand_in
    if stand_in is None:
        raise CourseError(
            f"{lesson.folder / exercise}.py: give EXERCISE a stand_in, since others build on it"
        )
    return _source(stand_in)


def _source(stand_in: Callable[..., Any]) -> str:
    return "from __future__ import annotations\n\n" + inspect.getsource(stand_in)

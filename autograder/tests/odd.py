"""An exercise answered with something odd. It lies in a small file: to look for a slip is to parse an answer's file."""

from __future__ import annotations

from typing import Any

from autograder.judging import reference
from autograder.tests.this_course import find_exercise, find_lesson


def answered(lesson: str, exercise: str, odd: Any) -> dict[str, Any]:
    """A namespace in which an exercise is answered by this, whatever is asked."""
    names, asked = reference.load_namespace(find_lesson(lesson)), find_exercise(lesson, exercise).values
    if asked:
        return dict.fromkeys(asked, odd)
    right = names[exercise]
    made = type(exercise, (right,), {"forward": lambda *_, **__: odd}) if isinstance(right, type) else None
    return {**names, exercise: made or (lambda *_, **__: odd)}

"""Where the core asks for the quiz, an optional package.

The quiz registers no entry point, as other optional packages do: a student's kit and a sandbox are plain folders on
Python's path, and no metadata of theirs is installed. A sandbox has no quiz.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from autograder.views.display import is_unattended

ABSENT = "No questions are asked here: autograder.quiz, or fsrs, which it needs, is not installed."


class AbsentQuiz:
    """Stands for `practice` and `cold_questions` where the quiz is not installed."""

    def __call__(self) -> None:
        """Say that there are no questions."""
        if not is_unattended():
            print(ABSENT)

    def answer(self, number: int) -> None:
        """Say that there are no questions."""
        self()


def load_quiz(module: str) -> Any:
    """Return a module of the quiz; None where the quiz, or a library that it needs, is not installed."""
    try:
        return import_module(f"autograder.quiz.{module}")
    except ModuleNotFoundError:
        return None


def load_questions(name: str) -> Any:
    """Return `practice` or `cold_questions`."""
    return getattr(load_quiz("practice"), name, AbsentQuiz())

"""What tests of a lesson ask of it: its solutions, its corpus, what its notebook shows and its text says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import nbformat

from autograder.answers import corpus
from autograder.courses import Lesson
from autograder.exercises.verdict import Verdict
from autograder.judging import judge, reference
from autograder.tests import fresh
from autograder.tests.this_course import verdict_by


@dataclass(frozen=True)
class TaughtLesson:
    """A lesson in whose notebook all is answered as the course does."""

    lesson: Lesson

    def taught(self, name: str) -> Any:
        """A name of the notebook."""
        return reference.load_namespace(self.lesson)[name]

    def answer(self, exercise: str, style: str) -> str:
        """The code of an answer of the corpus."""
        return next(one.code for one in corpus.answers_to(self.lesson, exercise) if one.style == style)

    def written(self, exercise: str, style: str) -> Callable[..., Any]:
        """An answer of the corpus, to be called."""
        names = dict(reference.load_namespace(self.lesson))
        exec(self.answer(exercise, style), names)
        function: Callable[..., Any] = names[exercise]
        return function

    def verdict(self, exercise: str, *answers: str, student: str = "ada") -> Verdict:
        """What is said of an exercise where these cells are answered otherwise."""
        names = {**reference.load_namespace(self.lesson), "__name__": "__main__"}
        for code in answers:
            exec(code, names)
        return verdict_by(self.lesson, judge.hidden_key(self.lesson, exercise, student), names)

    def outputs(self) -> str:
        """What the instructor's notebook printed, and what is said of its pictures."""
        cells = nbformat.read(self.lesson.built, as_version=4).cells
        return fresh.told(cell.get("outputs", []) for cell in cells)

    def prose(self) -> str:
        """The lesson's text without line breaks."""
        return " ".join(" ".join(cell.text for cell in self.lesson.cells if cell.kind == "markdown").split())

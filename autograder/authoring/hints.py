"""A lesson's hints, answers and twin questions, in the form in which checks read them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict

from nbconvert.filters.markdown import markdown2html

from autograder.courses import Lesson, lesson_source
from autograder.courses.lesson_source import SourceCell
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import Exercise
from autograder.exercises.hidden_values import packed
from autograder.notebook.help_policy import Hint

FOLD = re.compile(
    r'<details(?: data-part="(?P<parts>[^"]*)")?>\s*<summary>(?P<title>.*?)</summary>(?P<text>.*?)</details>',
    re.S,
)
NEVER = "never"
"""The `data-part` of a fold that gives the answer away, and so is not a hint."""


def hints(lesson: Lesson) -> str:
    """Return the text of the file of hints by exercise.

    Raises:
        CourseError: A hint names an unknown part, or names none and is one of several.
    """
    titles = {exercise.id: [part.title for part in exercise.criteria] for exercise in lesson.exercises}
    cells = (cell for cell in lesson.cells if cell.marker == "hint" and cell.name in titles)
    by_exercise = {
        cell.name: [asdict(hint) for hint in _hints_of(lesson, cell, titles[cell.name])] for cell in cells
    }
    return json.dumps(by_exercise, indent=1, ensure_ascii=False) + "\n"


def _hints_of(lesson: Lesson, cell: SourceCell, titles: list[str]) -> Iterator[Hint]:
    folds = [fold for fold in FOLD.finditer(cell.text) if fold["parts"] != NEVER]
    for fold in folds:
        where = f"{lesson.source}: the hint {fold['title']!r} of {cell.name}"
        if fold["parts"] is None and len(folds) > 1 and len(titles) > 1:
            raise CourseError(f"{where} is one of several: say with data-part which part it is for")
        beginnings = tuple(filter(None, map(str.strip, (fold["parts"] or "").split(";"))))
        for beginning in beginnings:
            if not any(title.startswith(beginning) for title in titles):
                raise CourseError(f"{where} is for {beginning!r}, but no part begins so: {'; '.join(titles)}")
        parts = tuple(title for title in titles if title.startswith(beginnings))
        text = fold["text"].strip()
        yield Hint(fold["title"], text, markdown2html(text).strip(), parts)


def opened_answers(lesson: Lesson) -> str:
    """Return the text of the file of answers and twin questions.

    The answer to a prediction is empty where the lesson's next cell shows it when it is run.
    """
    answers = {exercise.id: packed(_answer(lesson, exercise)) for exercise in lesson.exercises}
    return json.dumps(answers, indent=1) + "\n"


def _answer(lesson: Lesson, exercise: Exercise) -> dict[str, str]:
    code = lesson_source.strip_solution_marks(lesson.solution(exercise.id)).strip("\n")
    shown = exercise.values and _is_shown(lesson, exercise.id)
    asks = exercise.variant.asks if exercise.variant else ""
    return {"code": "" if shown else code, "twin": asks, "html": markdown2html(asks).strip() if asks else ""}


def _is_shown(lesson: Lesson, exercise: str) -> bool:
    """Return whether a cell of code follows an exercise's check and hints."""
    cells = iter(lesson.cells)
    next(cell for cell in cells if cell.marker == "test" and cell.name == exercise)
    following = next((cell for cell in cells if cell.marker != "hint"), None)
    return following is not None and following.kind == "code" and not following.marker

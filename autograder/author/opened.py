"""Write what later tries open of a lesson's exercises: answers with the questions of their twins."""

from __future__ import annotations

import json

from nbconvert.filters.markdown import markdown2html

from autograder.courses import Lesson, source
from autograder.model.concealed import packed
from autograder.model.exercise import Exercise


def opened_answers(lesson: Lesson) -> str:
    """The answers with the questions of their twins, as the text of their file.

    Of a prediction it is empty where the lesson's next cell is there to be run: that shows it.
    """
    return json.dumps({one.id: packed(_answer(lesson, one)) for one in lesson.exercises}, indent=1) + "\n"


def _answer(lesson: Lesson, exercise: Exercise) -> dict[str, str]:
    code = source.without_marks(lesson.solution(exercise.id)).strip("\n")
    shown = exercise.values and _is_shown(lesson, exercise.id)
    asks = exercise.twin.asks if exercise.twin else ""
    return {"code": "" if shown else code, "twin": asks, "html": markdown2html(asks).strip() if asks else ""}


def _is_shown(lesson: Lesson, exercise: str) -> bool:
    """Whether code to run stands behind an exercise's check and hints."""
    after = iter(lesson.cells)
    next(cell for cell in after if cell.marker == "test" and cell.name == exercise)
    following = next((cell for cell in after if cell.marker != "hint"), None)
    return following is not None and following.kind == "code" and not following.marker

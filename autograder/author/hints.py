"""A lesson's hints, from the cells of its source to what a check opens."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict

from nbconvert.filters.markdown import markdown2html

from autograder.courses import Lesson
from autograder.model.errors import CourseError
from autograder.student.helping import Hint

FOLD = re.compile(
    r'<details(?: data-part="(?P<parts>[^"]*)")?>\s*<summary>(?P<title>.*?)</summary>(?P<text>.*?)</details>',
    re.S,
)
NEVER = "never"
"""What stands in place of parts where a fold says the answer."""


def hints(lesson: Lesson) -> str:
    """Return the hints by exercise, as the text of their file.

    Raises `CourseError` where a hint is for a part that is none, or is one of several and names none.
    """
    known = {exercise.id: [part.title for part in exercise.parts] for exercise in lesson.exercises}
    found: dict[str, list[dict[str, object]]] = {}
    for cell in lesson.cells:
        if cell.marker == "hint" and cell.name in known:
            own = _of_cell(lesson, cell.name, cell.text, known[cell.name])
            found[cell.name] = [asdict(one) for one in own]
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _of_cell(lesson: Lesson, exercise: str, text: str, titles: list[str]) -> Iterator[Hint]:
    folds = [fold for fold in FOLD.finditer(text) if fold["parts"] != NEVER]
    for fold in folds:
        if fold["parts"] is None and len(folds) > 1 and len(titles) > 1:
            where = f"{lesson.source}: the hint {fold['title']!r} of {exercise}"
            raise CourseError(f"{where} is one of several: say with data-part which part it is for")
        named = [one.strip() for one in (fold["parts"] or "").split(";") if one.strip()]
        for beginning in named:
            if not any(title.startswith(beginning) for title in titles):
                where = f"{lesson.source}: the hint {fold['title']!r} of {exercise}"
                raise CourseError(f"{where} is for {beginning!r}, but no part begins so: {'; '.join(titles)}")
        parts = tuple(title for title in titles if title.startswith(tuple(named)))
        said = fold["text"].strip()
        yield Hint(fold["title"], said, markdown2html(said).strip(), parts if named else ())

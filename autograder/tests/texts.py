"""How many minutes a lesson says that it takes, and how many it may take, counted from its source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import nbformat
import numpy as np

from autograder.courses import Lesson
from autograder.execution.notebook_cells import grade_id_of

EFFORT = re.compile(r"^([★☆]{3}) · (\d+) minutes$", re.MULTILINE)
OPTIONAL, LAST = "## Go further", "## What you can now do"
"""The headings behind which text is optional, and no longer is."""

Cell = TypeVar("Cell")

WHOLE = re.compile(r"about (\d+) minutes, and (\d+) more for the puzzles")


@dataclass(frozen=True)
class Effort:
    """What a prompt says of itself: how hard, 1 to 3, and how long, in minutes."""

    stars: int
    minutes: int


def effort(lesson: Lesson, exercise: str) -> Effort | None:
    """What an exercise's prompt says; None where it says nothing."""
    (text,) = (cell.text for cell in lesson.cells if cell.marker == "prompt" and cell.name == exercise)
    found = EFFORT.search(text)
    return Effort(found[1].count("★"), int(found[2])) if found else None


def whole(lesson: Lesson) -> tuple[int, int]:
    """The minutes that a lesson's first cell states, for its core and for its puzzles."""
    found = WHOLE.search(" ".join(lesson.cells[0].text.split()))
    assert found, f"{lesson.source}: say in the first cell `about 60 minutes, and 20 more for the puzzles`"
    return int(found[1]), int(found[2])


def _count_words(texts: Iterable[str]) -> int:
    return len(re.findall(r"\S*[A-Za-z]\S*", re.sub(r"<[^>]+>", " ", "\n".join(texts))))


def _without_optional(cells: Iterable[Cell], text_of: Callable[[Cell], str]) -> Iterator[Cell]:
    optional = False
    for cell in cells:
        headings = [line for line in text_of(cell).splitlines() if line.startswith((OPTIONAL, LAST))]
        optional = headings[-1].startswith(OPTIONAL) if headings else optional
        if not optional:
            yield cell


def estimate(lesson: Lesson) -> float:
    """Return the minutes that a learner needs for a lesson's core, without what is optional and without puzzles.

    Exercises and written answers take what their prompts say. To this come 180 words of text a minute, five lines of
    given code a minute, a minute for each figure, a minute and a half for each verdict with the solutions that it
    unlocks, and half a minute for each cell that trains or lets a model write. Readers of longer lessons needed about
    20 % more than this sum, and two readers of each present lesson 85 to 120 % of it. The larger is said, so that
    nobody feels slow.
    """
    puzzles = {exercise.id for exercise in lesson.exercises if exercise.puzzle}
    names = [name for name in lesson.names("test") if name not in puzzles]
    efforts = [effort(lesson, name) for name in names]
    answering = sum(asked.minutes for asked in efforts if asked)
    written = sum(
        int(minutes)
        for cell in lesson.cells
        if cell.marker == "written"
        for minutes in re.findall(r"· (\d+) minutes$", cell.text, re.MULTILINE)
    )
    cells = [*_without_optional(lesson.cells, lambda cell: cell.text)]
    text = _count_words(cell.text for cell in cells if cell.kind == "markdown")
    given = [cell.text for cell in cells if cell.kind == "code" and not cell.marker]
    lines = sum(bool(line.strip()) for text in given for line in text.splitlines())
    runs = sum(text.startswith("# The output depends on the processor.") for text in given)
    parts = answering + written + text / 180 + lines / 5 + figures(lesson) + 1.5 * len(names) + runs / 2
    return 1.2 * parts


def figures(lesson: Lesson) -> int:
    """Return how many figures its given cells show, those that can be moved or explored included."""
    cells = nbformat.read(lesson.built, as_version=4).cells
    outputs = [
        output
        for cell in _without_optional(cells, lambda cell: cell.source)
        if cell.cell_type == "code" and not grade_id_of(cell)
        for output in cell.outputs
    ]
    return sum(
        "image/png" in output.get("metadata", {}) or "text/html" in output.get("data", {})
        for output in outputs
    )


def telling(value: Any) -> Iterator[str]:
    """The numbers of a right prediction that hardly stand in a text by chance, as a text may round them."""
    for number in np.ravel(np.asarray(value, dtype=object)):
        if isinstance(number, (float, np.floating)) and not float(number).is_integer():
            yield from {f"{number:.2f}", f"{number:.3f}"} if abs(number) < 10 else {f"{number:.1f}"}
        elif isinstance(number, (int, np.integer)) and abs(number) > 99:
            yield str(number)

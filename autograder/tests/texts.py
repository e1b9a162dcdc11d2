"""How long the lessons are, in words and in minutes, counted from their sources.

`python -m autograder.tests.texts` prints them. The minutes are what each lesson says of itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.courses import Lesson
from autograder.tests.this_course import lessons

EFFORT = re.compile(r"^([★☆]{3}) · (\d+) minutes$", re.MULTILINE)
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


def words(lesson: Lesson) -> int:
    """How many words its text cells have, with what folds and with tables, without code cells and markup."""
    text = "\n".join(cell.text for cell in lesson.cells if cell.kind == "markdown")
    return len(re.findall(r"\S*[A-Za-z]\S*", re.sub(r"<[^>]+>", " ", text)))


def table() -> str:
    """The counts of all lessons."""
    rows = [("lesson", "words", "minutes", "puzzles, minutes", "exercises", "predictions", "puzzles")]
    for lesson in lessons():
        puzzles = [one for one in lesson.exercises if one.puzzle]
        predictions = [one for one in lesson.exercises if one.values and not one.puzzle]
        exercises = len(lesson.exercises) - len(puzzles) - len(predictions)
        counted = (words(lesson), *whole(lesson), exercises, len(predictions), len(puzzles))
        rows.append((lesson.id, *map(str, counted)))
    return "\n".join("\t".join(row) for row in rows)


def telling(value: Any) -> Iterator[str]:
    """The numbers of a right prediction that hardly stand in a text by chance, as a text may round them."""
    for number in np.ravel(np.asarray(value, dtype=object)):
        if isinstance(number, (float, np.floating)) and not float(number).is_integer():
            yield from {f"{number:.2f}", f"{number:.3f}"} if abs(number) < 10 else {f"{number:.1f}"}
        elif isinstance(number, (int, np.integer)) and abs(number) > 99:
            yield str(number)


if __name__ == "__main__":
    print(table())

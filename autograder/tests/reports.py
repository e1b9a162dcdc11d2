"""A class report, made in this process, and read again as its reader does."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag

from autograder.answers import corpus
from autograder.answers.corpus import Answer
from autograder.commands import cli
from autograder.exercises.exercise import Exercise
from autograder.tests.this_course import find_lesson

LESSON, OTHER = "01_weighted_sums", "06_masks_and_heads"


class Report(NamedTuple):
    """A page, as its elements and as text, and the rows of the table beside it."""

    page: BeautifulSoup
    text: str
    rows: list[dict[str, str]]

    def table(self, caption: str) -> list[list[str]]:
        """One of the page's."""
        return table(self.page, caption)

    def words(self) -> str:
        """What the page says."""
        return words(self.page.main)


def table(page: BeautifulSoup, caption: str) -> list[list[str]]:
    """The body of a page's table whose caption has this id, cell by cell, and nothing where there is none."""
    found = page.find(id=caption)
    rows = found.parent.tbody.find_all("tr") if found else []
    return [[words(cell) for cell in row.find_all(["th", "td"])] for row in rows]


def words(element: Tag) -> str:
    """What an element says, with single spaces."""
    return " ".join(element.get_text().split())


def report(folder: Path, *lessons: str) -> Report:
    """Write the reports of a course folder; the first lesson's comes back."""
    cli.main(["report", *lessons, "--class", str(folder)])
    return read(folder, (lessons or [LESSON])[0])


def read(folder: Path, lesson: str) -> Report:
    """A report that was written."""
    text = (folder / "reports" / f"{lesson}.html").read_text(encoding="utf-8")
    with (folder / "reports" / f"{lesson}.csv").open(encoding="utf-8", newline="") as file:
        return Report(BeautifulSoup(text, "html.parser"), text, list(csv.DictReader(file)))


def right(lesson: str) -> dict[str, Answer]:
    """A right answer to each exercise of a lesson."""
    answers = corpus.answers(find_lesson(lesson))
    return {answer.exercise: answer for answer in reversed(answers) if answer.right}


def graded_exercises(lesson: str) -> tuple[Exercise, ...]:
    """A lesson's exercises that count."""
    return find_lesson(lesson).graded

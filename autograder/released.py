"""The students' notebooks in `course/`, as `make build release` left them."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from autograder import build
from autograder.errors import CourseError
from autograder.exercise import Lesson
from autograder.lessons import lessons
from autograder.source import ROOT

START = ROOT / build.START


class EditedNotebookError(CourseError):
    """A notebook in `course/` is not the released one any more."""


def path_of(lesson: Lesson) -> Path:
    """Where a lesson's released notebook lies."""
    return START.parent / lesson.id / f"{lesson.notebook}.ipynb"


def paths() -> list[Path]:
    """The start page, then each lesson's notebook, in order."""
    return [START, *map(path_of, lessons())]


def read(path: Path) -> NotebookNode:
    """A released notebook. Raises `EditedNotebookError` when it is missing, was run, or holds someone's work."""
    remedy = "Make it anew with `make build release`."
    if not path.is_file():
        raise EditedNotebookError(f"{path} is missing. {remedy}")
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.get("outputs") or cell.get("execution_count"):
            raise EditedNotebookError(f"{path}: cell {cell.id} has been run. {remedy}")
        stored = cell.metadata.get("nbgrader", {}).get("checksum")
        if stored and stored != compute_checksum(cell):
            raise EditedNotebookError(f"{path}: cell {cell.id} is not as it was released. {remedy}")
    return notebook

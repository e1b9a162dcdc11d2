"""The students' notebooks in `course/`, as `attention-course release` left them."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from autograder.author.build import START
from autograder.author.course import Course, Lesson
from autograder.model.errors import CourseError


class EditedNotebookError(CourseError):
    """A notebook in `course/` is not the released one any more."""


def path_of(lesson: Lesson) -> Path:
    """Where a lesson's released notebook lies."""
    return lesson.course.released / lesson.id / f"{lesson.notebook}.ipynb"


def start(course: Course) -> Path | None:
    """Where the page lies that students open first; None where there is none."""
    path = course.released / START
    return path if path.is_file() else None


def paths(course: Course) -> list[Path]:
    """The start page, then each lesson's notebook, in order."""
    first = start(course)
    return [*([first] if first else []), *map(path_of, course.lessons)]


def read(path: Path) -> NotebookNode:
    """A released notebook. Raises `EditedNotebookError` when it is missing, was run, or holds someone's work."""
    remedy = "Make it anew: `attention-course build`, `attention-course release`."
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

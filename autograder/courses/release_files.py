"""Reads released notebooks, and refuses those that were changed after the release."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from autograder.courses import START, Course
from autograder.exercises.errors import CourseError


def read_released(course: Course, path: Path) -> NotebookNode:
    """Return a course's released notebook.

    Raises:
        CourseError: The notebook is missing, was run, or holds someone's work.
    """
    remedy = f"Make it anew: `{course.command} build`, `{course.command} release`."
    if not path.is_file():
        raise CourseError(f"{path} is missing. {remedy}")
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception:  # a damaged file fails in many ways
        raise CourseError(f"{path} cannot be read. {remedy}") from None
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        if path.stem == START:  # the build puts pictures there
            outputs = [output for output in outputs if "image/png" not in output.get("data", {})]
        if cell.get("execution_count") or outputs:
            raise CourseError(f"{path}: cell {cell.id} has been run. {remedy}")
        stored = cell.metadata.get("nbgrader", {}).get("checksum")
        if stored and stored != compute_checksum(cell):
            raise CourseError(f"{path}: cell {cell.id} is not as it was released. {remedy}")
    return notebook

"""A lesson's hand-written source: a jupytext percent file whose cells carry one marker each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import jupytext

from autograder.model.errors import CourseError

MARKERS = ("setup", "prompt", "solution", "test", "hint", "written")
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


@dataclass(frozen=True)
class SourceCell:
    """One cell: `kind` is "code" or "markdown"; `marker` is one of `MARKERS` or empty, `name` what it names."""

    kind: str
    text: str
    marker: str = ""
    name: str = ""
    points: int = 0


def read_file(path: Path) -> tuple[SourceCell, ...]:
    """The cells of a percent file. Raises `CourseError` for a cell with an unknown or a second marker."""
    notebook = jupytext.read(path, fmt="py:percent")
    return tuple(_read_cell(path, i, cell) for i, cell in enumerate(notebook.cells))


def _read_cell(path: Path, index: int, cell: dict) -> SourceCell:
    metadata = {key: value for key, value in cell["metadata"].items() if key != "lines_to_next_cell"}
    points = int(metadata.pop("points", 0))
    if len(metadata) > 1 or not set(metadata) <= set(MARKERS):
        raise CourseError(
            f"{path}, cell {index}: expected at most one marker of {', '.join(MARKERS)}, "
            f"found {', '.join(metadata)}"
        )
    marker, name = next(iter(metadata.items()), ("", ""))
    return SourceCell(cell["cell_type"], cell["source"], marker, str(name), points)


def without_marks(text: str) -> str:
    """A solution cell's text without the lines that mark its solution."""
    return re.sub(rf"^[ \t]*({re.escape(BEGIN)}|{re.escape(END)})[ \t]*\n?", "", text, flags=re.MULTILINE)

"""A lesson's source: a jupytext percent file whose cells have at most one marker each."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import jupytext

from autograder.exercises.errors import CourseError

MARKERS = ("setup", "prompt", "solution", "test", "hint", "written")
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
"""Syntax nodes that may begin with a docstring."""

_VARIES = "# What this shows depends on the processor."
"""A line that marks a code cell whose output differs between processors, such as one that shows a long training."""


@dataclass(frozen=True)
class SourceCell:
    """A cell; kind: "code" or "markdown"; marker: one of `MARKERS` or empty; name: the marker's value."""

    kind: str
    text: str
    marker: str = ""
    name: str = ""
    points: int = 0

    @property
    def varies(self) -> bool:
        """True where the output may differ between processors."""
        return _VARIES in self.text.splitlines()

    @property
    def grade_id(self) -> str:
        """The cell's id in nbgrader; empty for a cell without one."""
        prefixes = {"setup": "setup_", "test": "test_", "solution": "", "written": ""}
        return prefixes[self.marker] + self.name if self.marker in prefixes else ""


def read_file(path: Path) -> tuple[SourceCell, ...]:
    """Return the cells of a percent file.

    Raises:
        CourseError: A cell has an unknown or a second marker.
    """
    notebook = jupytext.read(path, fmt="py:percent")
    return tuple(_read_cell(path, i, cell) for i, cell in enumerate(notebook.cells))


def _read_cell(path: Path, index: int, cell: dict) -> SourceCell:
    metadata = {key: value for key, value in cell["metadata"].items() if key != "lines_to_next_cell"}
    points = metadata.pop("points", 0)
    if len(metadata) > 1 or not set(metadata) <= set(MARKERS) or not isinstance(points, int):
        raise CourseError(
            f"{path}, cell {index}: expected at most one marker of {', '.join(MARKERS)}, "
            f"and points as a whole number, found {', '.join(metadata)}, {points} points"
        )
    marker, name = next(iter(metadata.items()), ("", ""))
    return SourceCell(cell["cell_type"], cell["source"], marker, str(name), points)


def assigned(text: str) -> tuple[str, ...]:
    """Return the names that top-level assignments of a cell bind, in order, each once."""
    statements = [
        statement for statement in ast.parse(text).body if isinstance(statement, (ast.Assign, ast.AnnAssign))
    ]
    targets = [
        target
        for statement in statements
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
    ]
    names = [node for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return tuple(dict.fromkeys(name.id for name in names if isinstance(name.ctx, ast.Store)))


def strip_solution_marks(text: str) -> str:
    """Return a cell's text without the lines that mark its solution."""
    return re.sub(rf"^[ \t]*({re.escape(BEGIN)}|{re.escape(END)})[ \t]*\n?", "", text, flags=re.MULTILINE)

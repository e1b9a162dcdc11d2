"""A lesson's source: a jupytext percent file whose cells have at most one marker each."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import jupytext

from autograder.exercises.errors import CourseError

MARKERS = ("setup", "prompt", "solution", "test", "hint", "written")
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"

_VARIES = "# The output depends on the processor."
"""A line that marks a code cell whose output differs between processors, such as one that shows a long training."""


@dataclass(frozen=True)
class SourceCell:
    """A cell of a lesson's source, whose header stands in `line`.

    kind: "code" or "markdown"; marker: one of `MARKERS` or empty; name: the marker's value.
    """

    kind: str
    text: str
    marker: str = ""
    name: str = ""
    points: int = 0
    line: int = field(default=0, compare=False)

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
        CourseError: A cell has an unknown or a second marker, or points that are no number.
    """
    cells = jupytext.read(path, fmt="py:percent").cells
    text = path.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(text, start=1) if line.startswith("# %%")]
    if len(starts) != len(cells):  # a text stands above the first cell
        starts = [1] * (len(cells) - len(starts)) + starts[-len(cells) :]
    return tuple(_read_cell(path, line, cell) for line, cell in zip(starts, cells))


def _read_cell(path: Path, line: int, cell: dict) -> SourceCell:
    metadata = {key: value for key, value in cell["metadata"].items() if key != "lines_to_next_cell"}
    points, where = metadata.pop("points", 0), f"{path}, line {line}"
    for marker in metadata:
        if marker not in MARKERS:
            question = suggest(marker, MARKERS) or f"; there are {', '.join(MARKERS)}"
            raise CourseError(f"{where}: no marker is called {marker!r}{question}")
    if len(metadata) > 1:
        raise CourseError(f"{where}: keep one of the markers {', '.join(metadata)}; a cell has one at most")
    if not isinstance(points, int):
        raise CourseError(f"{where}: write points as a whole number, not {points!r}")
    marker, name = next(iter(metadata.items()), ("", ""))
    return SourceCell(cell["cell_type"], cell["source"], marker, str(name), points, line)


def suggest(name: str, names: Iterable[str]) -> str:
    """Return a question that asks whether the most similar of these names is meant; empty where none is similar."""
    similar = difflib.get_close_matches(name, [*names], n=1)
    return f": is {similar[0]!r} meant?" if similar else ""


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


def parse_without_docstrings(text: str) -> ast.Module:
    """Return the syntax tree of code, without docstrings. Raises `SyntaxError` for what is no Python."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if (
            isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def strip_solution_marks(text: str) -> str:
    """Return a cell's text without the lines that mark its solution."""
    return re.sub(rf"^[ \t]*({re.escape(BEGIN)}|{re.escape(END)})[ \t]*\n?", "", text, flags=re.MULTILINE)

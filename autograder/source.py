"""A lesson's hand-written source: a jupytext percent file whose cells carry one marker each."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

import jupytext

ROOT = Path(__file__).resolve().parents[1]
SOLUTIONS = ROOT / "solutions"

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


def path_of(lesson: str) -> Path:
    """Where a lesson's source lies: `solutions/03_word2vec_heatmap/word2vec_heatmap.py`."""
    return SOLUTIONS / lesson / f"{lesson.split('_', 1)[1]}.py"


@functools.cache
def read(lesson: str) -> tuple[SourceCell, ...]:
    """The cells of a lesson's source, as `read_file` gives them."""
    return read_file(path_of(lesson))


def read_file(path: Path) -> tuple[SourceCell, ...]:
    """The cells of a percent file. Raises `ValueError` for a cell with an unknown or a second marker."""
    notebook = jupytext.read(path, fmt="py:percent")
    return tuple(_read_cell(path, i, cell) for i, cell in enumerate(notebook.cells))


def _read_cell(path: Path, index: int, cell: dict) -> SourceCell:
    metadata = {key: value for key, value in cell["metadata"].items() if key != "lines_to_next_cell"}
    points = int(metadata.pop("points", 0))
    if len(metadata) > 1 or not set(metadata) <= set(MARKERS):
        raise ValueError(
            f"{path}, cell {index}: expected at most one marker of {', '.join(MARKERS)}, "
            f"found {', '.join(metadata)}"
        )
    marker, name = next(iter(metadata.items()), ("", ""))
    return SourceCell(cell["cell_type"], cell["source"], marker, str(name), points)


def names(lesson: str, marker: str) -> list[str]:
    """What the cells with this marker name, in their order."""
    return [cell.name for cell in read(lesson) if cell.marker == marker]


def illustrations(lesson: str) -> set[str]:
    """The texts of a lesson's unmarked code cells, which show something and ask nothing."""
    return {cell.text.strip() for cell in read(lesson) if cell.kind == "code" and not cell.marker}


def solution_of(lesson: str, exercise: str) -> str:
    """The reference solution's cell. Raises `LookupError` when the lesson has none for this exercise."""
    for cell in read(lesson):
        if cell.marker == "solution" and cell.name == exercise:
            return cell.text
    raise LookupError(f"{path_of(lesson)} has no cell marked solution={exercise!r}")


def without_marks(text: str) -> str:
    """A solution cell's text without the lines that mark its solution."""
    return re.sub(rf"^[ \t]*({re.escape(BEGIN)}|{re.escape(END)})[ \t]*\n?", "", text, flags=re.MULTILINE)

"""Puts the instructor's cells back into a submission: tests, locked cells, and all of nbgrader's metadata."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder import source
from autograder.nbgrader_plugin.reading import NOTES
from autograder.runner import grade_id_of

Master = dict[str, NotebookNode]


class RestoreCells(NbGraderPreprocessor):
    """Takes only sources from the submission, and of locked cells not even those.

    The last of several cells with one id keeps it; a missing cell returns behind the one it follows in the
    lesson. Replaces nbgrader's `DeduplicateIds` and `OverwriteCells`.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            master = _master_cells(gradebook, names["assignment"], names["notebook"])
        nb.cells, notes = restore(nb.cells, master)
        for note in notes:
            self.log.warning("%s: %s", names["student"], note)
        nb.metadata[NOTES]["notes"].extend(notes)
        return nb, resources


def _master_cells(gradebook: Gradebook, assignment: str, notebook: str) -> Master:
    """The released cells that nbgrader knows, in the lesson's order."""
    stored = gradebook.find_notebook(notebook, assignment)
    cells = {cell.name: cell for cell in stored.source_cells}
    points = {cell.name: cell.max_score for cell in stored.grade_cells}
    solutions = {cell.name for cell in stored.solution_cells}
    order = {name: i for i, name in enumerate(_grade_ids(assignment))}
    master = {}
    for name in sorted(cells, key=lambda name: order.get(name, len(order))):
        cell = cells[name]
        make = new_code_cell if cell.cell_type == "code" else new_markdown_cell
        made = make(cell.source, id=name)
        made.metadata["nbgrader"] = {
            "grade_id": name,
            "grade": name in points,
            "solution": name in solutions,
            "locked": cell.locked,
            "task": False,
            "schema_version": 3,
            "cell_type": cell.cell_type,
            "checksum": cell.checksum,
            **({"points": points[name]} if name in points else {}),
        }
        master[name] = made
    return master


def _grade_ids(lesson: str) -> list[str]:
    prefix = {"setup": "setup_", "test": "test_", "solution": "", "written": ""}
    return [prefix[cell.marker] + cell.name for cell in source.read(lesson) if cell.marker in prefix]


def restore(cells: list[NotebookNode], master: Master) -> tuple[list[NotebookNode], list[str]]:
    """The submission's cells with the master's metadata, locked text and missing cells; and what was amiss."""
    kept: list[NotebookNode] = []
    found: set[str] = set()
    notes: list[str] = []
    for cell in reversed(cells):
        name = grade_id_of(cell)
        known = name in master and name not in found
        if name in found:
            notes.append(f"cell {name} is there twice; the last one counts")
        if known:
            found.add(name)
            notes += _edited(cell, master[name])
        kept.insert(0, _restored(cell, master[name]) if known else _plain(cell))
    for name in master:
        if name not in found:
            notes += [f"cell {name} is missing; it was put back"] if cells else []
            kept.insert(_place(kept, list(master), name), NotebookNode(master[name]))
    return _with_distinct_ids(kept), notes


def _edited(cell: NotebookNode, original: NotebookNode) -> list[str]:
    locked = original.metadata.nbgrader.locked
    if locked and cell.source.strip() != original.source.strip():
        return [f"locked cell {grade_id_of(original)} was edited; the original counts"]
    return []


def _restored(cell: NotebookNode, original: NotebookNode) -> NotebookNode:
    restored = NotebookNode(original, metadata=NotebookNode(original.metadata))
    if not original.metadata.nbgrader.locked:
        restored.source = cell.source
    return restored


def _plain(cell: NotebookNode) -> NotebookNode:
    make = new_code_cell if cell.cell_type == "code" else new_markdown_cell
    return make(cell.source)


def _place(cells: list[NotebookNode], order: list[str], name: str) -> int:
    """Behind the nearest cell that precedes `name` in the lesson and is there; else at the top."""
    before = set(order[: order.index(name)])
    places = [i for i, cell in enumerate(cells) if grade_id_of(cell) in before]
    return places[-1] + 1 if places else 0


def _with_distinct_ids(cells: list[NotebookNode]) -> list[NotebookNode]:
    for i, cell in enumerate(cells):
        cell["id"] = grade_id_of(cell) or f"cell_{i:02d}"
    return cells

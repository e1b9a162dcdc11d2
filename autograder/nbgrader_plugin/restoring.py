"""Puts the instructor's cells back into a submission: tests, locked cells, and all of nbgrader's metadata.

Only texts, with pictures pasted into them, are taken from the submission, and of locked cells not even those. The last
of several cells with one id keeps it; a missing cell returns behind the one it follows in the lesson. Takes the place
of nbgrader's `DeduplicateIds` and `OverwriteCells`.
"""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from autograder.model.notes import Note, NoteKind
from autograder.nbgrader_plugin.intake import taken_in
from autograder.sandbox.cells import grade_id_of, new_cell

Cells = dict[str, NotebookNode]
"""The cells of a lesson by their grade ids."""

Amiss = tuple[NoteKind, str]
"""What there is to note on a cell, with the note's detail."""

TEST = "test_"
"""What the id of a test begins with, before that of the exercise which it is about."""

GRADING = ("grade", "locked", "solution", "task", "points", "checksum")
"""What nbgrader keeps in a cell's metadata and no one changes who fills a notebook in."""

CHANGE_RUNNING = {
    *("skip-execution", "raises-exception", "nbval-skip", "nbval-ignore-output"),
    *("remove-cell", "remove-input", "remove-output", "remove_cell", "remove_input", "remove_output"),
}
"""Tags by which Jupyter's tools (nbclient, nbconvert, nbval) skip a cell, let it fail, or leave it out."""


def restored(path: str, master: Cells, releases: Sequence[Cells]) -> tuple[NotebookNode, list[Note]]:
    """The notebook handed in as `path` with the master's cells put back, and notes on what was amiss."""
    notebook, notes = taken_in(path)
    notebook.cells, more = restore(notebook.cells, master, releases)
    return notebook, [*notes, *more]


def restore(
    cells: list[NotebookNode], master: Cells, releases: Sequence[Cells]
) -> tuple[list[NotebookNode], list[Note]]:
    """The submission's cells with the master's metadata, locked text and missing cells; and what was amiss.

    releases: all that are known to have been handed out; what one of them holds is not amiss. Nor is what another one
    made: nbgrader puts a checksum of text, kind and points into each cell, and a locked one that still fits its own is
    as some release made it. Where there is neither, nobody can tell, and nothing is said of changed cells.
    """
    restored: list[NotebookNode] = []
    another = any(_is_of_another(cell, releases) for cell in cells if _is_whole(cell))
    if another:
        releases = []
    found: set[str] = set()
    amiss: dict[Amiss, list[str]] = defaultdict(list)
    for cell in reversed(cells):
        name = grade_id_of(cell)
        known = name in master and name not in found
        for what in _amiss(cell, master[name], releases) if known else _unplaced(name, found, releases):
            amiss[what].append(name)
        if known:
            found.add(name)
        restored.insert(0, _rebuilt(cell, master[name] if known else None))
    for name in master:
        if name not in found:
            if cells and not another and all(name in release for release in releases):
                amiss[NoteKind.MISSING, ""].append(name)
            restored.insert(_place(restored, list(master), name), NotebookNode(master[name]))
    if moved := list(_move_tests(restored)):
        amiss[NoteKind.MISPLACED, ""] = moved
    for i, cell in enumerate(restored):
        cell["id"] = grade_id_of(cell) or f"cell_{i:02d}"
    return restored, _notes(amiss, list(master))


def _is_whole(cell: NotebookNode) -> bool:
    """Whether a locked cell is as nbgrader made it, by its own checksum; blanks around its text do not count."""
    with contextlib.suppress(AttributeError, KeyError, TypeError, ValueError):
        settings, texts = cell.metadata.nbgrader, {cell.source, cell.source.strip()}
        sums = {compute_checksum(NotebookNode(cell, source=text)) for text in texts}
        return bool(settings.locked) and settings.checksum in sums
    return False


def _is_of_another(cell: NotebookNode, releases: Sequence[Cells]) -> bool:
    """Whether the checksum of a cell is that of no release."""
    name, own = grade_id_of(cell), cell.metadata.nbgrader.get("checksum")
    return all(
        own != release[name].metadata.nbgrader.get("checksum") for release in releases if name in release
    )


def _amiss(cell: NotebookNode, original: NotebookNode, releases: Sequence[Cells]) -> Iterator[Amiss]:
    """What was done to a cell that belongs to the lesson."""
    name = grade_id_of(cell)
    versions = [release[name] for release in releases if name in release]
    if not versions and _is_broken(cell, original):
        versions = [original]
    settings = ((version.metadata.nbgrader, version.source.strip()) for version in versions)
    text = cell.source.strip()
    of_this_text = [known for known, source in settings if not known.get("locked") or source == text]
    theirs = {key: value for key, value in cell.metadata.nbgrader.items() if key in GRADING}
    if versions and not of_this_text:
        yield NoteKind.EDITED, ""
    elif versions and not any(_agree(theirs, ours) for ours in of_this_text):
        yield NoteKind.REGRADED, ""
    tags = cell.metadata.get("tags")
    if isinstance(tags, list) and (found := CHANGE_RUNNING & set(map(str, tags))):
        yield NoteKind.TAGGED, ", ".join(sorted(found))


def _is_broken(cell: NotebookNode, original: NotebookNode) -> bool:
    """Whether a cell, which ought to be locked, is not as its own checksum says; one without any tells nothing."""
    tells = original.metadata.nbgrader.get("locked") and cell.metadata.nbgrader.get("checksum")
    return bool(tells) and not _is_whole(cell)


def _agree(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> bool:
    return all(ours.get(setting) == value for setting, value in theirs.items())


def _unplaced(name: str, found: set[str], releases: Sequence[Cells]) -> Iterator[Amiss]:
    """What there is to say of a cell that takes no place in the lesson; nothing of a student's own."""
    if name in found:
        yield NoteKind.TWICE, ""
    elif name and releases and not any(name in release for release in releases):
        yield NoteKind.INVENTED, ""


def _notes(amiss: Mapping[Amiss, list[str]], order: list[str]) -> list[Note]:
    """A note on each thing that was amiss, with the cells in the lesson's order."""
    place = {name: i for i, name in enumerate(order)}
    notes = []
    for (kind, detail), names in amiss.items():
        names = sorted(dict.fromkeys(reversed(names)), key=lambda name: place.get(name, len(place)))
        shown = [re.sub(r"[^\w.-]", "?", name)[:60] for name in names]
        notes.append(Note.on(kind, shown, detail))
    return notes


def _rebuilt(cell: NotebookNode, original: NotebookNode | None) -> NotebookNode:
    """A released cell with the student's text, or a cell of their own; with the pictures pasted into it."""
    if original is None:
        made = new_cell(cell.cell_type, cell.source)
    else:
        made = NotebookNode(original, metadata=NotebookNode(original.metadata))
        if original.metadata.nbgrader.locked:
            return made
        made.source = cell.source
    if made.cell_type != "code" and "attachments" in cell:  # a code cell cannot have any
        made.attachments = cell.attachments
    return made


def _move_tests(cells: list[NotebookNode]) -> Iterator[str]:
    """Move each test that stands before its answer behind it, for it is asked where it stands; their names."""
    for name in filter(None, map(grade_id_of, [*cells])):
        order = [grade_id_of(cell) for cell in cells]
        answer = name.removeprefix(TEST)
        if answer == name or answer not in order:
            continue
        if (here := order.index(name)) < (there := order.index(answer)):
            cells.insert(there, cells.pop(here))
            yield name


def _place(cells: list[NotebookNode], order: list[str], name: str) -> int:
    """Behind the nearest cell that precedes `name` in the lesson and is there; else at the top."""
    before = set(order[: order.index(name)])
    places = [i for i, cell in enumerate(cells) if grade_id_of(cell) in before]
    return places[-1] + 1 if places else 0

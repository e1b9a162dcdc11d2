"""Reads a submitted notebook, in any format and within limits.

A file that cannot be read counts as an untouched notebook, with a note for the instructor; the submission itself is not
changed.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import NoneType
from typing import Any

import msgspec
from nbformat import NotebookNode

from autograder.execution.notes import Note, NoteKind
from autograder.execution.sanitize_outputs import is_picture
from autograder.exercises import limits
from autograder.submissions import submission_folder
from autograder.submissions.cell_matching import LessonCells

RASTER = ("image/png", "image/jpeg")
"""The MIME types of pictures that may be pasted into a text cell."""


class Unreadable(Exception):
    """A file is no notebook; the message says why, in a few words."""


class NotebookKind(IntEnum):
    """Kinds of notebook by their content; of several notebooks the one with the highest number is graded."""

    NOT_READ = 0
    OF_ANOTHER_LESSON = 1
    AS_HANDED_OUT = 2
    OF_STUDENT = 3


@dataclass
class _Candidate:
    """A notebook of a submission: its cells within bounds, how many were left out, or why it cannot be read.

    name: below the folder; share: of the lesson's answers and tests, that it holds.
    """

    path: Path
    name: str
    cells: Sequence[NotebookNode] = ()
    left_out: int = 0
    problem: str = ""
    kind: NotebookKind = NotebookKind.NOT_READ
    share: float = 0.0

    @property
    def texts(self) -> list[str]:
        return [cell.source for cell in self.cells]


def read_submission(path: str, lesson: LessonCells) -> tuple[NotebookNode, list[Note]]:
    """Return the notebook handed in as `path`, within limits, and notes; an empty one where it cannot be read.

    The notebook's metadata are dropped. Those of a cell are kept only from nbgrader, with its tags.

    Args:
        path: Where the notebook should lie.
        lesson: Tells which of several notebooks holds the work, and whether any is of the lesson.
    """
    wanted = Path(path)
    files = submission_folder.find_notebooks(wanted)
    if not files:
        return _notebook(), [submission_folder.no_notebook(wanted)]
    candidates = [_read_within_bounds(file, wanted.parent, lesson) for file in files]
    largest = max(candidate.share for candidate in candidates)
    for candidate in candidates:  # two lessons may ask for a function of one name
        if 0 < candidate.share < largest / 2:
            candidate.kind = NotebookKind.OF_ANOTHER_LESSON
    chosen = max(candidates, key=lambda candidate: candidate.kind)
    if chosen.kind is NotebookKind.NOT_READ:
        return _notebook(), [_note(NoteKind.UNREADABLE, chosen.path, chosen.problem)]
    if chosen.kind is NotebookKind.OF_ANOTHER_LESSON:
        return _notebook(), [_note(NoteKind.OTHER_NOTEBOOK, chosen.path)]
    notes = [] if wanted in files else [Note(NoteKind.RENAMED, (chosen.name,), wanted.name)]
    notes += _copies(chosen, candidates)
    if chosen.left_out:
        notes.append(_note(NoteKind.TOO_MANY_CELLS, wanted, str(chosen.left_out)))
    return _notebook(chosen.cells), notes


def _read_within_bounds(file: Path, folder: Path, lesson: LessonCells) -> _Candidate:
    candidate = _Candidate(file, submission_folder.printable(str(file.relative_to(folder))))
    try:
        handed_in = read_notebook(file).cells
    except Unreadable as reason:
        candidate.problem = str(reason)
        return candidate
    cells = candidate.cells = _within_bounds(handed_in)
    candidate.left_out = len(handed_in) - len(cells)
    candidate.share = lesson.share_of_lesson(cells)
    worked_on = NotebookKind.OF_STUDENT if lesson.holds_work(cells) else NotebookKind.AS_HANDED_OUT
    candidate.kind = worked_on if candidate.share else NotebookKind.OF_ANOTHER_LESSON
    return candidate


def _copies(chosen: _Candidate, candidates: Sequence[_Candidate]) -> Iterator[Note]:
    """Yield notes on the notebooks beside the chosen one, of which none has the same text."""
    untouched, worked_on = {NotebookKind.AS_HANDED_OUT}, {NotebookKind.NOT_READ, NotebookKind.OF_STUDENT}
    if chosen.kind in untouched:
        worked_on.add(NotebookKind.OF_ANOTHER_LESSON)
    copies = [candidate for candidate in candidates if candidate is not chosen]
    differing = [copy for copy in copies if not copy.cells or copy.texts != chosen.texts]
    for note, kinds in ((NoteKind.UNTOUCHED_COPY, untouched), (NoteKind.OTHER_COPY, worked_on)):
        if names := [copy.name for copy in differing if copy.kind in kinds]:
            yield Note.on(note, names, chosen.name)


def _notebook(cells: Sequence[NotebookNode] = ()) -> NotebookNode:
    """Make a notebook without nbformat's maker: that reads its whole schema, in each process anew."""
    metadata = NotebookNode(language_info=NotebookNode(name="python"))
    return NotebookNode(nbformat=4, nbformat_minor=5, metadata=metadata, cells=[*cells])


def _within_bounds(cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Return the cells within the limits, without empty ones of the student's own where there are too many."""
    if len(cells) > limits.MAX_CELLS:
        cells = [cell for cell in cells if cell.source.strip() or "nbgrader" in cell.metadata]
    within, characters, lines = [], limits.MAX_SOURCE_CHARACTERS, limits.MAX_SOURCE_LINES
    for cell in cells[: limits.MAX_CELLS]:
        pictures = (len(data) for kinds in cell.get("attachments", {}).values() for data in kinds.values())
        size, line_count = len(cell.source) + sum(pictures), cell.source.count("\n") + 1
        if len(cell.source) <= limits.MAX_CELL_CHARACTERS and size <= characters and line_count <= lines:
            within.append(cell)
            characters, lines = characters - size, lines - line_count
    return within


def _settings(data: Any) -> dict[str, Any]:
    """Return the entries that are short texts, numbers, or yes and no."""
    return {
        name: value[: limits.MAX_METADATA_CHARACTERS] if isinstance(value, str) else value
        for name, value in [*_mapping(data).items()][:50]
        if len(name) <= limits.MAX_METADATA_CHARACTERS
        and isinstance(value, (str, float, int, NoneType))
        and not (isinstance(value, int) and abs(value) >= 2**53)
    }


def _note(kind: NoteKind, path: Path, detail: str = "") -> Note:
    return Note(kind, (submission_folder.printable(path.name),), detail)


def read_notebook(path: Path) -> NotebookNode:
    """Return a notebook in format 4, whatever its byte order mark, line ends and format version.

    Of its cells are there the texts, ids and pasted pictures, and of their metadata what nbgrader and tags say.

    Raises:
        Unreadable: it is no notebook, with the reason.
    """
    raw = _read(path)
    if not raw.strip():
        raise Unreadable("is empty")
    try:
        data = json.loads(raw)
    except json.JSONDecodeError as error:
        raise Unreadable(f"is not JSON (line {error.lineno}, column {error.colno})") from None
    except UnicodeDecodeError:
        raise Unreadable("is not text") from None
    except (ValueError, RecursionError):  # a number of very many digits, or very many brackets
        raise Unreadable("is not JSON that can be read") from None
    return _notebook([*_cells(data)])


def _read(path: Path) -> bytes:
    try:
        if (size := path.stat().st_size) > limits.MAX_NOTEBOOK_BYTES:
            raise Unreadable(f"has {size / 2**20:.0f} MB, more than {limits.MAX_NOTEBOOK_BYTES // 2**20}")
        raw = path.read_bytes()
    except OSError as error:
        raise Unreadable(f"may not be read ({error.strerror})") from None
    if size > limits.MAX_PARSED_BYTES or _nodes(raw) > limits.MAX_JSON_NODES:
        raw = without_outputs(raw)
    if len(raw) > limits.MAX_PARSED_BYTES:
        raise Unreadable(
            f"has {len(raw) / 2**20:.0f} MB without its outputs, more than {limits.MAX_PARSED_BYTES // 2**20}"
        )
    if _nodes(raw) > limits.MAX_JSON_NODES:
        raise Unreadable(f"has more than {limits.MAX_JSON_NODES:,} entries without its outputs")
    return raw


def _nodes(raw: bytes) -> int:
    """Return at least as many as there are values in JSON, but for the first."""
    return sum(map(raw.count, (b",", b"[", b"{")))


def without_outputs(raw: bytes) -> bytes:
    """Return a large notebook's text without the stored outputs, which are not parsed."""
    try:
        notebook = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        cells = msgspec.json.decode(notebook["cells"], type=list[dict[str, msgspec.Raw]])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError):
        raise Unreadable("is large, and not JSON of a notebook's form") from None
    for cell in cells:
        cell.pop("outputs", None)
    return msgspec.json.encode({**notebook, "cells": cells})


def _cells(data: Any) -> Iterator[NotebookNode]:
    """Yield a notebook's cells that have a text, as far as they have the form that Jupyter and nbgrader give them.

    In formats 2 and 3 they lie in worksheets, and code is called input.
    """
    sheets = map(_mapping, _sequence(_mapping(data).get("worksheets", [data])))
    lists = [sheet["cells"] for sheet in sheets if isinstance(sheet.get("cells"), list)]
    if not lists:
        raise Unreadable("is JSON, but not a notebook: it has no list of cells")
    for cell in map(_mapping, itertools.chain(*lists)):
        kind, source = cell.get("cell_type"), cell.get("source", cell.get("input"))
        if source is None or kind not in ("code", "markdown", "raw", "heading"):
            continue
        clean = NotebookNode(id=cell.get("id", ""), cell_type="markdown" if kind == "heading" else kind)
        clean.source = _text(source).replace("\r\n", "\n")
        metadata = _mapping(cell.get("metadata"))
        settings = NotebookNode(_settings(metadata.get("nbgrader")))
        tags = [tag for tag in _sequence(metadata.get("tags"))[:50] if isinstance(tag, str)]
        bounded = {"nbgrader": settings, "tags": [tag[: limits.MAX_METADATA_CHARACTERS] for tag in tags]}
        clean.metadata = NotebookNode({name: value for name, value in bounded.items() if value})
        if kind == "code":
            clean.update(execution_count=None, outputs=[])
        if pictures := _pasted(cell.get("attachments")):
            clean.attachments = pictures
        yield clean


def _mapping(data: Any) -> dict[str, Any]:
    return data if isinstance(data, dict) else {}


def _sequence(data: Any) -> list[Any]:
    return data if isinstance(data, list) else []


def _pasted(data: Any) -> NotebookNode:
    """Return the PNG and JPEG pictures pasted into a cell, within the limit, and nothing else that may be attached."""
    pictures, remaining = NotebookNode(), limits.MAX_ATTACHMENT_CHARACTERS
    for name, kinds in _mapping(data).items():
        by_kind = {kind: "".join(_text(_mapping(kinds).get(kind, "")).split()) for kind in RASTER}
        kind = next((kind for kind, data in by_kind.items() if data and is_picture(data)), None)
        if kind and len(by_kind[kind]) <= remaining:
            pictures[_text(name)] = NotebookNode({kind: by_kind[kind]})
            remaining -= len(by_kind[kind])
    return pictures


def _text(source: Any) -> str:
    text = "".join(map(str, source if isinstance(source, list) else [source]))
    return text.encode("utf-8", "replace").decode()  # JSON can hold halves of characters, a file cannot

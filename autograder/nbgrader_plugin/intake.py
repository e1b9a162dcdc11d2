"""What of a submitted notebook is of use, however it comes, and bounded in all that it can hold.

A file that cannot be read counts as an untouched notebook, with a note for the instructor; nothing is changed
in the submission itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.model.notes import Note, NoteKind
from autograder.nbgrader_plugin import folders
from autograder.nbgrader_plugin.cell_matching import LessonCells
from autograder.sandbox.passive import is_picture

MAX_NOTEBOOK = 256 * 2**20
MAX_PARSED = 50 * 2**20
"""Bytes of a notebook that are parsed: of a larger one, what is left without its stored outputs."""
MAX_BRACKETS = 2_000_000
"""Square brackets in what is left out of a notebook."""
MAX_ATTACHED = 5_000_000
"""Characters of base64 that the pictures pasted into one cell may have together."""

MAX_NODES = 500_000
"""Commas and brackets of what is parsed: a value takes fifty times the memory of a comma."""

MAX_CELLS, MAX_CELL, MAX_SOURCES = 1500, 5_000_000, 20_000_000
"""Cells of a notebook; characters of one, and of all, with the pictures pasted into them."""

_MAX_LINES = 200_000
"""Lines of all cells: each is an entry of the graded notebook, which is read again."""

MAX_WORD = 200
"""Characters of a name in the metadata."""

RASTER = ("image/png", "image/jpeg")
"""The kinds of picture that a text cell may bring along."""

_OUTPUTS = re.compile(rb'"outputs"\s*:\s*\[')
_TO_BRACKET = re.compile(rb'(?:[^"\[\]]++|"(?:[^"\\]++|\\.)*+")*+([\[\]])', re.DOTALL)


class Unreadable(Exception):
    """Why a file is no notebook, in a few words."""


class NotebookKind(IntEnum):
    """What a notebook holds; of several the one with the higher number is graded."""

    NOT_READ = 0
    OF_ANOTHER_LESSON = 1
    AS_HANDED_OUT = 2
    OF_STUDENT = 3


@dataclass(frozen=True)
class _Read:
    """A notebook's cells within bounds, how many were left out, or why it cannot be read.

    name: below the folder; share: of the lesson's answers and tests, that it holds.
    """

    path: Path
    name: str
    cells: Sequence[NotebookNode] = ()
    left_out: int = 0
    problem: str = ""
    work: NotebookKind = NotebookKind.NOT_READ
    share: float = 0.0

    @property
    def texts(self) -> list[str]:
        return [cell.source for cell in self.cells]


def taken_in(path: str, lesson: LessonCells | None = None) -> tuple[NotebookNode, list[Note]]:
    """Return of the notebook handed in as `path` what is of use, within bounds, and notes on what was wrong with it;
    nothing where it cannot be read.

    Of its metadata nothing is left, of a cell's what nbgrader and its tags say.

    Args:
        path: Where the notebook should lie.
        lesson: Tells which of several notebooks holds the work, and whether any is of the lesson.
    """
    wanted = Path(path)
    files = folders.find_notebooks(wanted)
    if not files:
        return _notebook(), [folders.no_notebook(wanted)]
    read = [_read_within_bounds(file, wanted.parent, lesson) for file in files]
    largest = max(one.share for one in read)
    for index, one in enumerate(read):  # two lessons may ask for a function of one name
        if 0 < one.share < largest / 2:
            read[index] = replace(one, work=NotebookKind.OF_ANOTHER_LESSON)
    chosen = max(read, key=lambda one: one.work)
    if chosen.work is NotebookKind.NOT_READ:
        return _notebook(), [_note(NoteKind.UNREADABLE, chosen.path, chosen.problem)]
    if chosen.work is NotebookKind.OF_ANOTHER_LESSON:
        return _notebook(), [_note(NoteKind.OTHER_NOTEBOOK, chosen.path)]
    notes = [] if wanted in files else [Note(NoteKind.RENAMED, (chosen.name,), wanted.name)]
    notes += _copies(chosen, read)
    if chosen.left_out:
        notes.append(_note(NoteKind.TOO_MANY_CELLS, wanted, str(chosen.left_out)))
    return _notebook(chosen.cells), notes


def _read_within_bounds(file: Path, folder: Path, lesson: LessonCells | None) -> _Read:
    name = folders.printable(str(file.relative_to(folder)))
    try:
        handed_in = read_notebook(file).cells
    except Unreadable as reason:
        return _Read(file, name, problem=str(reason))
    cells = _within_bounds(handed_in)
    for cell in cells:
        found = {"nbgrader": _words(cell.metadata.get("nbgrader")), "tags": _tags(cell.metadata.get("tags"))}
        cell.metadata = NotebookNode({name: value for name, value in found.items() if value})
        cell.outputs = []
    share = lesson.share_of_lesson(cells) if lesson else 1.0
    work = NotebookKind.OF_STUDENT
    if not share:
        work = NotebookKind.OF_ANOTHER_LESSON
    elif lesson and not lesson.holds_work(cells):
        work = NotebookKind.AS_HANDED_OUT
    return _Read(file, name, cells, len(handed_in) - len(cells), work=work, share=share)


def _copies(chosen: _Read, read: Sequence[_Read]) -> Iterator[Note]:
    """Yield notes on the notebooks beside the chosen one, of which none has the same text."""
    others = [one for one in read if one is not chosen and not (one.cells and one.texts == chosen.texts)]
    untouched = [one.name for one in others if one.work is NotebookKind.AS_HANDED_OUT]
    worked_on = {NotebookKind.NOT_READ, NotebookKind.OF_STUDENT}
    if chosen.work is NotebookKind.AS_HANDED_OUT:
        worked_on.add(NotebookKind.OF_ANOTHER_LESSON)
    other_work = [one.name for one in others if one.work in worked_on]
    if untouched:
        yield Note.on(NoteKind.UNTOUCHED_COPY, untouched, chosen.name)
    if other_work:
        yield Note.on(NoteKind.OTHER_COPY, other_work, chosen.name)


def _notebook(cells: Sequence[NotebookNode] = ()) -> NotebookNode:
    """A notebook, made without nbformat's maker: that reads its whole schema, in each process anew."""
    metadata = NotebookNode(language_info=NotebookNode(name="python"))
    return NotebookNode(nbformat=4, nbformat_minor=5, metadata=metadata, cells=[*cells])


def _within_bounds(cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """The cells that there is room for, without empty ones of the student's own where there are too many."""
    if len(cells) > MAX_CELLS:
        cells = [cell for cell in cells if cell.source.strip() or "nbgrader" in cell.metadata]
    kept, room, lines = [], MAX_SOURCES, _MAX_LINES
    for cell in cells[:MAX_CELLS]:
        pictures = (len(data) for kinds in cell.get("attachments", {}).values() for data in kinds.values())
        size = len(cell.source) + sum(pictures)
        more = cell.source.count("\n") + 1
        if len(cell.source) <= MAX_CELL and size <= room and more <= lines:
            kept.append(cell)
            room, lines = room - size, lines - more
    return kept


def _words(data: Any) -> dict[str, Any]:
    """The entries that are short texts, numbers, or yes and no."""
    words = {_text(name)[:MAX_WORD]: value for name, value in list(_mapping(data).items())[:50]}
    return {
        name: _text(value)[:MAX_WORD] if isinstance(value, str) else value
        for name, value in words.items()
        if value is None or isinstance(value, (bool, float, str)) or type(value) is int and abs(value) < 2**53
    }


def _tags(data: Any) -> list[str]:
    return [tag[:MAX_WORD] for tag in data[:50] if isinstance(tag, str)] if isinstance(data, list) else []


def _note(kind: NoteKind, path: Path, detail: str = "") -> Note:
    return Note(kind, (folders.printable(path.name),), detail)


def read_notebook(path: Path) -> NotebookNode:
    """A notebook in format 4, whatever its byte order mark, line ends and format version.

    Raises `Unreadable`, with the reason, for anything that is no notebook.
    """
    raw = _read(path)
    if not raw.strip():
        raise Unreadable("is empty")
    try:
        data = json.loads(raw)
    except json.JSONDecodeError as error:
        raise Unreadable(f"is not JSON (line {error.lineno}, column {error.colno})") from None
    except (UnicodeDecodeError, RecursionError):
        raise Unreadable("is not text") from None
    return _as_notebook(data)


def _read(path: Path) -> bytes:
    try:
        if (size := path.stat().st_size) > MAX_NOTEBOOK:
            raise Unreadable(f"has {size / 2**20:.0f} MB, more than {MAX_NOTEBOOK // 2**20}")
        raw = path.read_bytes()
    except OSError as error:
        raise Unreadable(f"may not be read ({error.strerror})") from None
    if size > MAX_PARSED or _nodes(raw) > MAX_NODES:
        raw = without_outputs(raw)
    if len(raw) > MAX_PARSED:
        raise Unreadable(
            f"has {len(raw) / 2**20:.0f} MB without its outputs, more than {MAX_PARSED // 2**20}"
        )
    if _nodes(raw) > MAX_NODES:
        raise Unreadable(f"has more than {MAX_NODES:,} entries without its outputs")
    return raw


def _nodes(raw: bytes) -> int:
    """At least as many as there are values in JSON, but for the first."""
    return sum(map(raw.count, (b",", b"[", b"{")))


def without_outputs(raw: bytes) -> bytes:
    """A notebook's text with empty lists for the stored outputs, which are not parsed.

    Raises `Unreadable` where a list of outputs has no end, or there are too many.
    """
    kept, place, depth = list[bytes](), 0, 0
    for _ in range(MAX_BRACKETS):
        found = (_TO_BRACKET.match if depth else _OUTPUTS.search)(raw, place)
        if not found:
            break
        if not depth:
            kept.append(raw[place : found.end()])
        depth += 1 if raw[found.end() - 1 : found.end()] == b"[" else -1
        place = found.end() - (not depth)
    else:
        raise Unreadable("has too many outputs")
    if depth:
        raise Unreadable("is not JSON: it was cut short")
    return b"".join([*kept, raw[place:]])


def _as_notebook(data: Any) -> NotebookNode:
    """The notebook's cells as far as they have the form that Jupyter and nbgrader give them."""
    if not isinstance(data, dict) or not ("cells" in data or "worksheets" in data):
        raise Unreadable("is JSON, but not a notebook")
    notebook = nbformat.from_dict(data)
    cells = [cell for cell in _all_cells(notebook) if cell.get("cell_type") in ("code", "markdown", "raw")]
    for cell in cells:
        cell.source = _text(cell.source).replace("\r\n", "\n")
        cell.metadata = _mapping(cell.get("metadata"))
        if not isinstance(cell.metadata.get("nbgrader", {}), dict):
            del cell.metadata["nbgrader"]
        if pictures := _pasted(cell.pop("attachments", None)):
            cell.attachments = pictures
    return _notebook(cells)


def _all_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    """A notebook's cells that have a text; in formats 2 and 3 they lie in worksheets, and code is called input."""
    sheets = notebook.get("worksheets", [notebook])
    lists = [_mapping(sheet).get("cells") for sheet in sheets] if isinstance(sheets, list) else []
    if not any(isinstance(one, list) for one in lists):
        raise Unreadable("is not a notebook that Jupyter can read: it has no list of cells")
    for cell in (_mapping(cell) for one in lists if isinstance(one, list) for cell in one):
        if "input" in cell:
            cell.setdefault("source", cell.input)
        if cell.get("cell_type") == "heading":
            cell.cell_type = "markdown"
        if "source" in cell:
            yield cell


def _mapping(data: Any) -> NotebookNode:
    return NotebookNode(data) if isinstance(data, dict) else NotebookNode()


def _pasted(data: Any) -> NotebookNode:
    """The pictures pasted into a cell, as many as there is room for, and nothing else that may be attached."""
    pictures, room = NotebookNode(), MAX_ATTACHED
    for name, kinds in _mapping(data).items():
        picture = _picture(_mapping(kinds))
        size = sum(map(len, picture.values()))
        if picture and size <= room:
            pictures[_text(name)] = picture
            room -= size
    return pictures


def _picture(kinds: NotebookNode) -> NotebookNode:
    for kind in RASTER:
        data = "".join(_text(kinds.get(kind, "")).split())
        if data and is_picture(data):
            return NotebookNode({kind: data})
    return NotebookNode()


def _text(source: Any) -> str:
    text = "".join(map(str, source)) if isinstance(source, list) else str(source)
    return text.encode("utf-8", "replace").decode()  # JSON can hold halves of characters, a file cannot

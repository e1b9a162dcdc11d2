"""Reads what students hand in, however it comes.

A file that cannot be read counts as an untouched notebook, with a note for the instructor; nothing is changed
in the submission itself.
"""

from __future__ import annotations

import codecs
import functools
import json
import re
import shutil
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import nbgrader.api
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import Engine, create_engine

from autograder.courses import open_course
from autograder.model.notes import Kind, Note
from autograder.nbgrader_plugin import fingerprint, folders, kept, late
from autograder.nbgrader_plugin.defusing import RASTER
from autograder.nbgrader_plugin.kept import NOTES
from autograder.sandbox import doctor
from autograder.sandbox.kernel import REFUSAL
from autograder.sandbox.passive import BASE64

MAX_BYTES = 256 * 2**20
MAX_PARSED = 50 * 2**20
"""Bytes of a notebook that are parsed: of a larger one, what is left without its stored outputs."""
MAX_BRACKETS = 2_000_000
"""Square brackets in what is left out of a notebook."""
MAX_ATTACHED = 5_000_000
"""Characters of base64 that the pictures pasted into one cell may have together."""

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
KEPT = ("kernelspec", "language_info")
"""What else of a notebook's metadata is of use; a student may have written anything into the rest."""


_OUTPUTS = re.compile(rb'"outputs"\s*:\s*\[')
_TO_BRACKET = re.compile(rb'(?:[^"\[\]]++|"(?:[^"\\]++|\\.)*+")*+([\[\]])', re.DOTALL)


class Unreadable(Exception):
    """Why a file is no notebook, in a few words."""


def expect_lesson_notebook(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's pre-convert hook: whatever the files are called, one notebook of the lesson's name is graded."""
    folder = Path(notebooks[0]).parent
    notebooks[:] = [str(folder / f"{folder.name.split('_', 1)[-1]}.ipynb")]


class SubmissionReader(NotebookExporter):
    """Reads a submission, or, in nbgrader's second pass, what the first wrote.

    Making one prepares the whole run, and may refuse it. A constructor is no place for that, but nbgrader's only one:
    its command and formgrader name the class `Autograde` themselves, and between finding the submissions and choosing
    among them nothing of ours is called but the exporter's. Hooks come later, and what they raise is passed over.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert self.parent is not None, "only a converter of nbgrader's has submissions to read"
        self._course: CourseDirectory = self.parent.coursedir
        self._refuse_unsealed()
        late.hush(self.log)
        folders.read_with_care(self._course)
        nbgrader.api.create_engine = engine_of
        self._forget_interrupted()
        self._leave_out_nameless(self.parent.assignments)

    def _refuse_unsealed(self) -> None:
        """Stop before the first submission where there is no seal and none is asked for."""
        settings = [self.config[name].get("allow_unsealed") for name in ("SealedKernel", "GradeAnswers")]
        # what the command line says arrives as text
        if "True" not in map(str, settings) and not doctor.sealable():
            self.log.error(REFUSAL)
            raise NbGraderException(REFUSAL)

    def _forget_interrupted(self) -> None:
        """Remove the graded folders that hold a notebook without verdicts."""
        course = self._course
        pattern = Path(course.format_path(course.autograded_directory, "*", course.assignment_id))
        for folder in list(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor)))):
            notebooks = list(folder.glob("*.ipynb"))
            if not (notebooks and all(map(fingerprint.of_graded, notebooks))):
                shutil.rmtree(folder)
                self.log.warning("%s was interrupted while it was graded: again from the start", folder)

    def _leave_out_nameless(self, handed_in: dict[str, list[str]]) -> None:
        """Pass over the folders whose name the gradebook cannot hold; nbgrader would end at the first."""
        course = self._course
        form = course.format_path(
            course.submitted_directory, "(?P<student>.*)", course.assignment_id, escape=True
        )
        for folder in list(handed_in):
            found = re.match(form, folder, re.DOTALL)
            student = found["student"] if found else folder
            if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in student):
                del handed_in[folder]
                name = folders.printable(student)
                self.log.error("%s cannot be a student's id: rename the folder; it was not graded", name)

    def from_filename(self, filename: str, resources: dict[str, Any] | None = None, **kw: Any) -> Any:
        path, resources = Path(filename), resources or {}
        names = resources["nbgrader"]
        course, student = self._course, names["student"]
        ours = course.format_path(course.autograded_directory, student, names["assignment"])
        second = path.parent == Path(ours)
        notebook = read_notebook(path) if second else self.read(path, names)
        resources = {**resources, "metadata": {"name": path.stem, "path": str(path.parent)}}
        return super().from_notebook_node(notebook, resources=resources, **kw)

    def read(self, path: Path, names: Mapping[str, str]) -> NotebookNode:
        """A submission with nothing in its metadata but what is of use, its fingerprint, and notes."""
        notebook, notes = read_submission(path)
        lesson = open_course(self.config.TheCourse.folder).lesson(names["assignment"])
        notebook.metadata = NotebookNode({k: v for k, v in notebook.metadata.items() if k in KEPT})
        notebook.metadata[NOTES] = {
            fingerprint.FIELD: fingerprint.of_submission(path.parent, lesson, self.config),
            "notes": [],
        }
        kept.note(notebook, names["student"], [*notes, *folders.passed_over(path.parent)], self.log)
        return notebook


@functools.lru_cache(maxsize=8)
def engine_of(url: str, **options: Any) -> Engine:
    """A database's engine. nbgrader makes a new one each time it asks, and each compiles all its SQL anew."""
    return create_engine(url, **options)


def read_submission(path: Path) -> tuple[NotebookNode, list[Note]]:
    """The notebook handed in as `path`, and notes on what was wrong with it; empty if it cannot be read."""
    found, notes = _find(path)
    if found is None:
        return new_notebook(), notes
    try:
        return read_notebook(found), notes
    except Unreadable as reason:
        return new_notebook(), [*notes, _note(Kind.UNREADABLE, found, str(reason))]


def _find(path: Path) -> tuple[Path | None, list[Note]]:
    """The file itself, or the one that most likely is it under another name."""
    for link in (path.parent, path):
        if link.is_symlink():
            return None, [_note(Kind.LINK, link)]
    if path.is_file():
        return path, []
    others = [other for other in path.parent.glob("*.ipynb") if folders.is_plain_file(other)]
    others.sort(key=lambda other: -other.stat().st_size)
    if not others:
        return None, [_note(Kind.NO_NOTEBOOK, path)]
    return others[0], [_note(Kind.RENAMED, others[0], path.name)]


def _note(kind: Kind, path: Path, detail: str = "") -> Note:
    return Note(kind, (folders.printable(path.name),), detail)


def read_notebook(path: Path) -> NotebookNode:
    """A notebook in format 4, whatever its byte order mark, line ends and format version.

    Raises `Unreadable`, with the reason, for anything that is no notebook.
    """
    raw = _read(path)
    if not raw.strip():
        raise Unreadable("is empty")
    try:
        data = json.loads(raw.decode("utf-16" if raw.startswith(UTF_16) else "utf-8-sig"))
    except json.JSONDecodeError as error:
        raise Unreadable(f"is not JSON (line {error.lineno}, column {error.colno})") from None
    except (UnicodeDecodeError, RecursionError):
        raise Unreadable("is not text") from None
    return _as_notebook(data)


def _read(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= MAX_BYTES else b""
    except OSError as error:
        raise Unreadable(f"may not be read ({error.strerror})") from None
    if size > MAX_BYTES:
        raise Unreadable(f"has {size / 2**20:.0f} MB, more than {MAX_BYTES // 2**20}")
    if size > MAX_PARSED:
        raw = without_outputs(raw)
    if len(raw) > MAX_PARSED:
        raise Unreadable(
            f"has {len(raw) / 2**20:.0f} MB without its outputs, more than {MAX_PARSED // 2**20}"
        )
    return raw


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
    try:
        notebook = nbformat.convert(nbformat.from_dict(data), 4)
        cells = [cell for cell in notebook.cells if isinstance(cell, NotebookNode) and "source" in cell]
        cells = [cell for cell in cells if cell.get("cell_type") in ("code", "markdown", "raw")]
    except Exception as error:
        raise Unreadable(f"is not a notebook that Jupyter can read ({type(error).__name__})") from None
    for cell in cells:
        cell.source = _text(cell.source).replace("\r\n", "\n")
        cell.metadata = _mapping(cell.get("metadata"))
        if not isinstance(cell.metadata.get("nbgrader", {}), dict):
            del cell.metadata["nbgrader"]
        if pictures := _pasted(cell.pop("attachments", None)):
            cell.attachments = pictures
    return nbformat.from_dict(new_notebook(cells=cells, metadata=_mapping(notebook.get("metadata"))))


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
        if data and BASE64.fullmatch(data):
            return NotebookNode({kind: data})
    return NotebookNode()


def _text(source: Any) -> str:
    text = "".join(map(str, source)) if isinstance(source, list) else str(source)
    return text.encode("utf-8", "replace").decode()  # JSON can hold halves of characters, a file cannot

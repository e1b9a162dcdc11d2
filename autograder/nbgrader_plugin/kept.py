"""What reading and grading keep in a notebook's metadata, written and read: notes, verdicts, whether it ran sealed."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import nbformat
from msgspec import ValidationError
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory

from autograder.courses import Lesson
from autograder.judge.behaviour import Behaviour
from autograder.model.notes import Note, Weight
from autograder.model.verdict import Verdict
from autograder.nbgrader_plugin import whole
from autograder.nbgrader_plugin.folders import notebook_of
from autograder.sandbox.cells import grade_id_of
from autograder.student import report

NOTES = "attention_course"
"""The field of the metadata; ours alone."""

PATH = re.compile(r"(?<![\w:/.)\]~])~?(?:/[\w.+@-]+)+/([\w.+@-]+)")


class Outcome(msgspec.Struct, frozen=True, dict=True):
    """What a graded notebook says: nothing where it was not graded to the end.

    fingerprint: of all that it was graded for; made_of: the parts of that; work, salt: the digests of what was handed
    in, and of the secret with which it was graded; all empty where none is kept. code: of the lesson's cells, by grade
    id. Notes, verdicts and behaviours are as they are kept: some may be of another version of the grader's, or damaged.
    """

    fingerprint: str = ""
    made_of: dict[str, str] = {}
    work: str = ""
    salt: str = ""
    sealed: bool = True
    kept_notes: list[Any] = msgspec.field(name="notes", default_factory=list)
    kept_verdicts: dict[str, Any] | None = msgspec.field(name="verdicts", default=None)
    kept_behaviours: dict[str, Any] = msgspec.field(name="behaviours", default_factory=dict)
    code: dict[str, str] = {}

    def __bool__(self) -> bool:
        return self.kept_verdicts is not None

    @functools.cached_property
    def notes(self) -> tuple[Note, ...]:
        return tuple(filter(None, (_known(data, Note) for data in self.kept_notes)))

    @functools.cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """By exercise, without paths of the grader's machine; one for each where grading came to an end."""
        found = {name: _known(data, Verdict) for name, data in (self.kept_verdicts or {}).items()}
        return {name: _without_paths(one) for name, one in found.items() if one}

    @functools.cached_property
    def behaviours(self) -> dict[str, Behaviour]:
        """By exercise, of wrong answers whose mistake the course has no name for."""
        found = {name: _known(data, Behaviour) for name, data in self.kept_behaviours.items()}
        return {name: one for name, one in found.items() if one}

    @property
    def refused(self) -> Note | None:
        """The note that says why nothing could be graded; None for a sound file."""
        return next((one for one in self.notes if one.weight is Weight.ASK_AGAIN), None)


def rename(path: Path, named: Mapping[str, Verdict]) -> None:
    """Have a graded notebook say these verdicts, by exercise, in place of its own, which earn as much."""
    notebook = nbformat.v4.reads(path.read_text(encoding="utf-8"))
    notebook.metadata[NOTES]["verdicts"].update(msgspec.to_builtins(named))
    for cell in notebook.cells:
        test, _, exercise = grade_id_of(cell).partition("test_")
        if exercise in named and not test:
            for output in cell.outputs:
                if "text/html" in output.get("data", {}):
                    output.data["text/html"] = report.as_html(named[exercise])
    text = f"{nbformat.v4.writes(notebook)}\n"
    whole.write_whole(path, text.encode(errors="surrogatepass"), path.stat().st_mode & 0o777)


def read_outcome(notebook: NotebookNode) -> Outcome:
    """What is kept in a notebook, as far as it is what grading writes."""
    found = _known(notebook.metadata.get(NOTES, {}), Outcome)
    return Outcome() if found is None else found


def graded(lesson: Lesson, student: str, folder: Path) -> Outcome:
    """What is kept in a student's graded notebook of a lesson, in a class's folder."""
    return glance(folder / "autograded" / student / lesson.id / lesson.released.name)


def graded_path(course: CourseDirectory, lesson: str, student: str) -> Path:
    """Where a student's graded notebook of a lesson lies."""
    return notebook_of(course.format_path(course.autograded_directory, student, lesson))


def outcome_of(course: CourseDirectory, lesson: str, student: str) -> Outcome:
    """What is kept in a student's graded notebook of a lesson."""
    return glance(graded_path(course, lesson, student))


def glance(path: Path) -> Outcome:
    """What is kept in a graded notebook. The file is parsed once, as long as it stays the same."""
    try:
        return _parsed(path, *whole.last_written(path))
    except (ValidationError, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Outcome()


class _Cell(msgspec.Struct):
    cell_type: str
    metadata: dict[str, Any]
    source: str | list[str]


class _Metadata(msgspec.Struct):
    kept: Outcome = msgspec.field(name=NOTES)


class _Graded(msgspec.Struct):
    """What is read of a graded notebook: everything else is passed over."""

    metadata: _Metadata
    cells: list[_Cell]


@functools.lru_cache(maxsize=4096)
def _parsed(path: Path, *version: int) -> Outcome:
    text = path.read_bytes()
    try:
        found = msgspec.json.decode(text, type=_Graded)
    except (msgspec.DecodeError, UnicodeDecodeError):  # NaN, or half a pair of surrogates
        found = msgspec.convert(json.loads(text), _Graded)
    cells = [(cell.metadata.get("nbgrader", {}), cell) for cell in found.cells if cell.cell_type == "code"]
    code = {about["grade_id"]: "".join(cell.source) for about, cell in cells if about}
    return msgspec.structs.replace(found.metadata.kept, code=code)


def _without_paths(found: Verdict) -> Verdict:
    """The same verdict where nothing looks like a path."""
    if "/" not in "".join((*found.problem, *(text for line in found.lines for text in line.details))):
        return found
    lines = (replace(line, details=tuple(map(without_paths, line.details))) for line in found.lines)
    return replace(found, problem=tuple(map(without_paths, found.problem)), lines=tuple(lines))


_Record = TypeVar("_Record", Note, Verdict, Behaviour, Outcome)


def _known(data: Any, kind: type[_Record]) -> _Record | None:
    with suppress(ValidationError):  # of another version of the grader's, or damaged
        return msgspec.convert(data, kind)
    return None


def without_paths(text: str) -> str:
    """The text with only the last name of each absolute path: where things lie is the grader's business."""
    return PATH.sub(r"…/\1", text)

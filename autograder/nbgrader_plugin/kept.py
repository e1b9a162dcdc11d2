"""What reading and grading keep in a notebook's metadata, written and read: notes, verdicts, whether it ran sealed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from logging import Logger, LoggerAdapter
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import nbformat
from nbformat import NotebookNode

from autograder.courses import Lesson
from autograder.model.notes import Note, Weight
from autograder.model.text import cleaned
from autograder.model.verdict import Verdict
from autograder.nbgrader_plugin import fingerprint

NOTES = "attention_course"
"""The field of the metadata; ours alone."""

PATH = re.compile(r"(?<![\w:/.)\]~])~?(?:/[\w.+@-]+)+/([\w.+@-]+)")


@dataclass(frozen=True)
class Outcome:
    """What a graded notebook says.

    work: the digest of what was handed in, empty where none is kept.
    verdicts: by exercise, without paths of the grader's machine; one for each where grading came to an end.
    """

    notes: tuple[Note, ...]
    sealed: bool
    verdicts: Mapping[str, Verdict]
    work: str = ""

    @property
    def refused(self) -> Note | None:
        """The note that says why nothing could be graded; None for a sound file."""
        return next((one for one in self.notes if one.weight is Weight.ASK_AGAIN), None)


def note(
    notebook: NotebookNode, student: str, found: Sequence[Note], log: Logger | LoggerAdapter[Any]
) -> None:
    """Tell the instructor what was found in a student's notebook, and keep it there."""
    for one in found:
        log.warning("%s: %s", cleaned(student), one.line)
    notebook.metadata[NOTES]["notes"].extend(msgspec.to_builtins(found))


def keep_verdicts(notebook: NotebookNode, sealed: bool, verdicts: Mapping[str, Verdict]) -> None:
    """Keep in a notebook how it was judged, and whether it ran sealed."""
    notebook.metadata[NOTES].update(sealed=sealed, verdicts=msgspec.to_builtins(verdicts))


def read_outcome(notebook: NotebookNode) -> Outcome:
    """What is kept in a notebook, as far as it is what grading writes."""
    kept = _mapping(notebook.metadata.get(NOTES))
    verdicts = {}
    for name, data in _mapping(kept.get("verdicts")).items():
        if found := _known(data, Verdict):
            lines = [replace(line, details=tuple(map(without_paths, line.details))) for line in found.lines]
            problem = tuple(map(without_paths, found.problem))
            verdicts[name] = replace(found, problem=problem, lines=tuple(lines))
    work = str(kept.get(fingerprint.WORK, ""))
    notes = kept.get("notes")
    known = filter(None, (_known(data, Note) for data in notes)) if isinstance(notes, list) else ()
    return Outcome(tuple(known), kept.get("sealed") is not False, verdicts, work)


def graded(lesson: Lesson, student: str, folder: Path) -> Outcome:
    """What is kept in a student's graded notebook of a lesson, in a class's folder."""
    path = folder / "autograded" / student / lesson.id / lesson.released.name
    return read_outcome(nbformat.read(path, as_version=4))


def glance(path: Path) -> Outcome | None:
    """What is kept in a graded notebook, without the notebook; None where it was not graded to the end."""
    try:
        metadata = json.loads(path.read_text(encoding="utf-8"))["metadata"]
        found = read_outcome(NotebookNode(metadata=NotebookNode(metadata)))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return found if found.verdicts else None


_Record = TypeVar("_Record", Note, Verdict)


def _known(data: Any, kind: type[_Record]) -> _Record | None:
    with suppress(msgspec.ValidationError):  # of another version of the grader's, or damaged
        return msgspec.convert(data, kind)
    return None


def _mapping(found: Any) -> Mapping[str, Any]:
    return found if isinstance(found, Mapping) else {}


def without_paths(text: str) -> str:
    """The text with only the last name of each absolute path: where things lie is the grader's business."""
    return PATH.sub(r"…/\1", text)

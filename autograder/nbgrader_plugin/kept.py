"""What reading and grading keep in a notebook's metadata, written and read: notes, verdicts, whether it ran sealed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from logging import Logger, LoggerAdapter
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.courses import Lesson
from autograder.model import notes, verdict
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
    tell(student, found, log)
    notebook.metadata[NOTES]["notes"].extend(notes.write(found))


def tell(student: str, found: Sequence[Note], log: Logger | LoggerAdapter[Any]) -> None:
    """Tell the instructor what was found in a student's notebook."""
    for one in found:
        log.warning("%s: %s", cleaned(student), one.line)


def read(notebook: NotebookNode) -> Outcome:
    """What is kept in a notebook, as far as it is what grading writes."""
    kept = _mapping(notebook.metadata.get(NOTES))
    verdicts = {}
    for name, data in _mapping(kept.get("verdicts")).items():
        if found := verdict.read(data):
            lines = [replace(line, details=tuple(map(without_paths, line.details))) for line in found.lines]
            problem = tuple(map(without_paths, found.problem))
            verdicts[name] = replace(found, problem=problem, lines=tuple(lines))
    work = str(kept.get(fingerprint.WORK, ""))
    return Outcome(notes.read(kept.get("notes")), kept.get("sealed") is not False, verdicts, work)


def graded(lesson: Lesson, student: str, folder: Path) -> Outcome:
    """What is kept in a student's graded notebook of a lesson, in a class's folder."""
    path = folder / "autograded" / student / lesson.id / lesson.released.name
    return read(nbformat.read(path, as_version=4))


def glance(path: Path) -> Outcome | None:
    """What is kept in a graded notebook, without the notebook; None where it was not graded to the end."""
    try:
        metadata = json.loads(path.read_text(encoding="utf-8"))["metadata"]
        found = read(NotebookNode(metadata=NotebookNode(metadata)))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return found if found.verdicts else None


def _mapping(found: Any) -> Mapping[str, Any]:
    return found if isinstance(found, Mapping) else {}


def without_paths(text: str) -> str:
    """The text with only the last name of each absolute path: where things lie is the grader's business."""
    return PATH.sub(r"…/\1", text)

"""What reading and grading write into a notebook's metadata: notes, verdicts, and whether it ran sealed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from logging import Logger, LoggerAdapter
from typing import Any

from nbformat import NotebookNode

from autograder.model import notes, verdict
from autograder.model.notes import Note
from autograder.model.verdict import Verdict

NOTES = "attention_course"
"""The field of the metadata; ours alone. `outcome` reads it."""


def note(
    notebook: NotebookNode, student: str, found: Sequence[Note], log: Logger | LoggerAdapter[Any]
) -> None:
    """Tell the instructor what was found in a student's notebook, and keep it there."""
    for one in found:
        log.warning("%s: %s", student, one.line)
    notebook.metadata[NOTES]["notes"].extend(notes.write(found))


def judge(notebook: NotebookNode, sealed: bool, verdicts: Mapping[str, Verdict]) -> None:
    """Keep in a notebook how it was judged, and whether it ran sealed."""
    written = {name: verdict.write(found) for name, found in verdicts.items()}
    notebook.metadata[NOTES].update(sealed=sealed, verdicts=written)

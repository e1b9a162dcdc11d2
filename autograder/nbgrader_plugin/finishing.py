"""Makes of a graded notebook what is kept of it: its text, and what the gradebook is told; in a limited process."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.model.notes import Note
from autograder.nbgrader_plugin.judging import Graded
from autograder.nbgrader_plugin.kept import NOTES
from autograder.nbgrader_plugin.marked_words import Rows
from autograder.sandbox import limited

_SECONDS = 30
"""Of processor time for a notebook: one of many lines takes some."""

FurtherStep = tuple[str, str, Mapping[str, Any]]
"""One of nbgrader's preprocessors that look at the notebook alone: its module, its name and its settings."""


@dataclasses.dataclass(frozen=True)
class GradedFile:
    """A graded notebook's text, what the gradebook is told of it, all notes, and what it earned of how much."""

    text: str
    rows: Rows
    notes: Sequence[Note]
    points: float
    max_points: float


def as_step(made: NbGraderPreprocessor) -> FurtherStep:
    """How another process makes this preprocessor again."""
    settings = {name: getattr(made, name) for name in type(made).class_trait_names(config=True)}
    return type(made).__module__, type(made).__name__, settings


def finish(graded: Graded, metadata: Mapping[str, Any], steps: Sequence[FurtherStep]) -> GradedFile:
    """What is kept of a graded notebook, with this in its metadata. Raises RuntimeError where it is too much."""
    judged = {"verdicts": graded.verdicts, "behaviours": graded.behaviours}
    found = {"notes": graded.notes, "sealed": graded.sealed, **judged}
    told = {**metadata[NOTES], **msgspec.to_builtins(found)}
    data = {**graded.notebook, "metadata": {**graded.notebook.metadata, **metadata, NOTES: told}}
    verdicts = graded.verdicts.values()
    points, most = (sum(one.points for one in verdicts), sum(one.max_points for one in verdicts))
    text, rows = _limited(finished, data, steps)
    return GradedFile(text, rows, graded.notes, points, most)


def finished(data: Mapping[str, Any], steps: Sequence[FurtherStep]) -> tuple[str, Rows]:
    """A notebook's text after these steps, and the gradebook's rows."""
    notebook, resources = nbformat.from_dict(data), dict[str, Any]()
    for module, name, settings in steps:
        made = getattr(importlib.import_module(module), name)(**settings)
        notebook, resources = made(notebook, resources)
    return _text(notebook), Rows.of(notebook)


def add_notes(text: str, notes: Sequence[Note]) -> str:
    """The notebook's text with more notes in it. Raises RuntimeError where it is too much."""
    return str(_limited(with_notes, text, msgspec.to_builtins(notes))) if notes else text


def with_notes(text: str, notes: Sequence[Any]) -> str:
    """The same, here, with notes as data."""
    notebook = nbformat.v4.reads(text)
    notebook.metadata[NOTES]["notes"].extend(notes)
    return _text(notebook)


def _text(notebook: NotebookNode) -> str:
    nbformat.validate(notebook, relax_add_props=True)
    return f"{nbformat.v4.writes(notebook)}\n"


def read_schema() -> None:
    """Read nbformat's schema."""
    nbformat.validate(nbformat.v4.new_notebook())


def _limited(*call: Any) -> Any:
    try:
        return limited.call(*call, seconds=_SECONDS, before=(read_schema,))
    except limited.Overrun as reason:
        raise RuntimeError(f"what came of grading {reason}") from None

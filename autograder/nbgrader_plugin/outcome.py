"""What came of grading a notebook, read from its metadata: for the feedback page, the class report and the demo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from nbformat import NotebookNode

from autograder.model import notes, verdict
from autograder.model.notes import Note
from autograder.model.verdict import Verdict
from autograder.nbgrader_plugin.kept import NOTES
from autograder.nbgrader_plugin.outputs import without_paths


@dataclass(frozen=True)
class Outcome:
    """What a graded notebook says.

    verdicts: by exercise, without paths of the grader's machine; one for each where grading came to an end.
    """

    notes: tuple[Note, ...]
    sealed: bool
    verdicts: Mapping[str, Verdict]


def read(notebook: NotebookNode) -> Outcome:
    """What is kept in a notebook, as far as it is what grading writes."""
    kept = _mapping(notebook.metadata, NOTES)
    found = {name: verdict.read(data) for name, data in _mapping(kept, "verdicts").items()}
    verdicts = {name: _without_paths(one) for name, one in found.items() if one is not None}
    return Outcome(notes.read(kept.get("notes")), kept.get("sealed") is not False, verdicts)


def _mapping(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name)
    return found if isinstance(found, Mapping) else {}


def _without_paths(found: Verdict) -> Verdict:
    lines = (replace(line, details=tuple(map(without_paths, line.details))) for line in found.lines)
    return replace(found, problem=tuple(map(without_paths, found.problem)), lines=tuple(lines))

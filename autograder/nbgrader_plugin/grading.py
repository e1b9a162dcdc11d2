"""Grades one submission, from the notebook that was handed in to what is kept of it, in limited processes."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Unicode

from autograder.model.notes import Note, NoteKind, Weight
from autograder.model.verdict import State
from autograder.nbgrader_plugin import folders, judging
from autograder.nbgrader_plugin.cell_matching import Cells, trimmed_lines
from autograder.nbgrader_plugin.judging import Work
from autograder.nbgrader_plugin.limits import MAX_WRITING_SECONDS
from autograder.nbgrader_plugin.marked_words import Rows
from autograder.nbgrader_plugin.restoring import restore, restored
from autograder.nbgrader_plugin.salt import secret
from autograder.nbgrader_plugin.store import NOTES
from autograder.sandbox import limited
from autograder.sandbox.cells import grade_id_of
from autograder.sandbox.notebook_runner import Interview

FurtherStep = tuple[str, str, Mapping[str, Any]]
"""One of nbgrader's preprocessors that look at the notebook alone: its module, its name and its settings."""


class GradeAnswers(Interview, Execute):
    """The settings of grading; it has those of nbgrader's `Execute`, too."""

    salt = Unicode(
        "", help="Any text; another text draws other hidden cases. Empty: the secret beside the gradebook."
    ).tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def work(self, lesson: str, student: str, digest: str) -> Work:
        """What there is to do for a student's notebook of a lesson, in the course that nbgrader's settings are for.

        digest: of what was handed in.
        """
        settings = {name: getattr(self, name) for name in Interview.class_trait_names(config=True)}
        plain = {
            name: value for name, value in settings.items() if isinstance(value, (bool, int, float, str))
        }
        salt = (self.salt or secret(CourseDirectory(config=self.config))) + digest
        return Work(str(self.config.TheCourse.folder), lesson, student, salt, plain)


@dataclass(frozen=True)
class Job:
    """A submission to grade.

    notebook: where it should lie among copies of all notebooks that were handed in, None where nothing can be read;
    folder: where copies of the files beside it lie; master, releases, layout: as `restore` has them; copied, late:
    notes on what was copied, and on when it came; metadata: for the graded notebook; steps: what else is done with
    that; replaces: whether an earlier grade is lost where this is graded.
    """

    work: Work
    notebook: Path | None
    folder: Path
    master: Cells
    releases: Sequence[Cells]
    layout: Cells
    copied: Sequence[Note]
    late: Sequence[Note]
    metadata: Mapping[str, Any]
    steps: Sequence[FurtherStep]
    replaces: bool


@dataclass(frozen=True)
class GradedFile:
    """A graded notebook's text, what the gradebook is told of it, all notes, and what it earned of how much.

    judged: what its record has of the notes, verdicts, behaviours and code.
    """

    text: str
    rows: Rows
    notes: Sequence[Note]
    points: float
    max_points: float
    judged: Mapping[str, Any]


@dataclass(frozen=True)
class Refused:
    """Why an earlier grade stays: nothing of what was handed in since can be graded."""

    note: Note


def run_job(job: Job) -> GradedFile | Refused:
    """Read a submission, run it in a room, judge it, and make what is kept of it.

    Raises RuntimeError where that is too much.
    """
    notebook, notes = take_in(job.notebook, job.master, job.releases, job.layout)
    notes = [*job.copied, *notes]
    if job.replaces and (amiss := next((one for one in notes if one.weight is Weight.ASK_AGAIN), None)):
        return Refused(amiss)
    graded = judging.grade_notebook(job.work, notebook, str(job.folder))
    notes = [*notes, *_no_points(notebook, graded, job), *graded.notes, *job.late]
    shown = msgspec.to_builtins({"notes": notes, "sealed": graded.sealed, "verdicts": graded.verdicts})
    data = {**graded.notebook, "metadata": {**graded.notebook["metadata"], **job.metadata, NOTES: shown}}
    try:
        text, rows = limited.call(
            finished, data, job.steps, seconds=MAX_WRITING_SECONDS, before=(read_schema,)
        )
    except limited.Overrun as reason:
        raise RuntimeError(f"what came of grading {reason}") from None
    verdicts = graded.verdicts.values()
    points, most = sum(one.points for one in verdicts), sum(one.max_points for one in verdicts)
    code = {name: cell.source for cell in notebook.cells if (name := grade_id_of(cell)) in graded.verdicts}
    judged = {
        "sealed": graded.sealed,
        "kept_notes": shown["notes"],
        "kept_verdicts": shown["verdicts"],
        "kept_behaviours": msgspec.to_builtins(graded.behaviours),
        "code": code,
    }
    return GradedFile(text, rows, notes, points, most, judged)


def _no_points(notebook: NotebookNode, graded: judging.Graded, job: Job) -> list[Note]:
    """Return a note on exercises whose cell was changed, and that earn nothing or count as not started."""
    versions = [*job.releases, job.layout, job.master]
    names = []
    for cell in notebook.cells:
        name = grade_id_of(cell)
        verdict = graded.verdicts.get(name)
        if (
            not verdict
            or (verdict.points or not verdict.max_points)
            and verdict.state is not State.NOT_STARTED
        ):
            continue
        if trimmed_lines(cell.source) not in {
            trimmed_lines(known[name].source) for known in versions if name in known
        }:
            names.append(name)
    return [Note(NoteKind.NO_POINTS, tuple(names))] if names else []


def take_in(
    path: Path | None, master: Cells, releases: Sequence[Cells], layout: Cells | None = None
) -> tuple[NotebookNode, list[Note]]:
    """Return the notebook handed in as `path`, restored, and notes; untouched where it is none or takes too much."""
    notes = list[Note]()
    if path is not None:
        try:
            access = limited.FileAccess([str(path.absolute().parent)])
            return limited.call(restored, str(path.absolute()), master, releases, layout or {}, access=access)
        except limited.Overrun as reason:
            notes.append(Note(NoteKind.UNREADABLE, (folders.printable(path.name),), str(reason)))
    cells, _ = restore([], master, releases, layout)
    return new_notebook(cells=cells), notes


def as_step(made: NbGraderPreprocessor) -> FurtherStep:
    """How another process makes this preprocessor again."""
    settings = {name: getattr(made, name) for name in type(made).class_trait_names(config=True)}
    return type(made).__module__, type(made).__name__, settings


def finished(data: Mapping[str, Any], steps: Sequence[FurtherStep]) -> tuple[str, Rows]:
    """A notebook's text after these steps, and the gradebook's rows."""
    notebook, resources = nbformat.from_dict(data), dict[str, Any]()
    for module, name, settings in steps:
        made = getattr(importlib.import_module(module), name)(**settings)
        notebook, resources = made(notebook, resources)
    nbformat.validate(notebook, relax_add_props=True)
    return f"{nbformat.v4.writes(notebook)}\n", Rows.of(notebook)


def read_schema() -> None:
    """Read nbformat's schema."""
    nbformat.validate(new_notebook())

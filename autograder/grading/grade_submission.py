"""Grades one submission: reads it, runs it in a sandbox, judges it, and makes what is kept of it.

Everything is done in one process that is confined and limited in time and memory, see `limited`; the notebook's cells
run in a further one. What a submission takes too long with costs that submission alone, and what was judged until then
counts.
"""

from __future__ import annotations

import contextlib
import importlib
import json
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Unicode

from autograder.checks import public_course
from autograder.classroom.case_seed import load_secret
from autograder.classroom.marked_answers import NotebookScores
from autograder.courses import Lesson, open_course
from autograder.exercises.exercise import Key
from autograder.exercises.limits import MAX_CALL_SECONDS, MAX_START_SECONDS, MAX_WAIT_PER_SECOND
from autograder.exercises.verdict import State
from autograder.grading import judge_answers
from autograder.grading.judge_answers import Judged
from autograder.judging import judge, reference_stubs
from autograder.sandbox import layers, limited_process, public_files, skippable_cells
from autograder.sandbox.broker import Broker, Opener, RemoteOpener
from autograder.sandbox.bwrap import is_root
from autograder.sandbox.notebook_cells import grade_id_of
from autograder.sandbox.notebook_runner import Attempts, Interview
from autograder.sandbox.notes import Note, NoteKind, Weight
from autograder.submissions import limits, sanitize_text, submission_folder
from autograder.submissions.cell_matching import Cells, trimmed_lines
from autograder.submissions.restore_cells import restore, restored

FurtherStep = tuple[str, str, Mapping[str, Any]]
"""One of nbgrader's preprocessors that look at the notebook alone: its module, its name and its settings."""


class GradeAnswers(Interview, Execute):
    """The settings of grading; it has those of nbgrader's `Execute`, too."""

    salt = Unicode(
        "", help="Any text; another text draws other hidden cases. Empty: the secret beside the gradebook."
    ).tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def salt_of(self, digest: str) -> str:
        """Return what the hidden cases of the work of this digest are drawn with.

        Other work is asked other cases, so that what was seen of these is of no use in it.
        """
        return (self.salt or load_secret(CourseDirectory(config=self.config))) + digest

    def plain_settings(self) -> dict[str, Any]:
        """Return the settings of `Interview`."""
        settings = {name: getattr(self, name) for name in Interview.class_trait_names(config=True)}
        return {name: value for name, value in settings.items() if isinstance(value, (bool, int, float, str))}


@dataclass(frozen=True)
class Job:
    """A submission to grade.

    course: its folder; lesson, student: their ids; salt: see `GradeAnswers.salt_of`; settings: of `Interview`;
    notebook: where it should lie among copies of all notebooks that were handed in, None where nothing can be read;
    folder: where copies of the files beside it lie; master, releases, layout: as `restore` has them; copied, late:
    notes on what was copied, and on when it came; metadata: for the graded notebook; steps: what else is done with
    that; replaces: whether an earlier grade is lost where this is graded.
    """

    course: str
    lesson: str
    student: str
    salt: str
    settings: Mapping[str, Any]
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


class GradedFile(msgspec.Struct, tag=True, frozen=True):
    """A graded notebook's text, what the gradebook is told of it, all notes, and what it earned of how much.

    wrong: the exercises that were answered wrongly; judged: what its record has of notes, verdicts and code.
    """

    text: str
    rows: NotebookScores
    notes: Sequence[Note]
    points: float
    max_points: float
    wrong: Sequence[str]
    judged: dict[str, Any]


class Refused(msgspec.Struct, tag=True, frozen=True):
    """Why an earlier grade stays: nothing of what was handed in since can be graded."""

    note: Note


class Begun(msgspec.Struct, tag=True):
    """A step that was begun, by the name of what it comes to."""

    step: str


class Restored(msgspec.Struct, tag=True):
    """What was handed in, with the instructor's cells put back."""

    notebook: NotebookNode
    notes: list[Note]


class Defused(msgspec.Struct, tag=True):
    """The notebook, whose text cells do nothing."""

    notebook: NotebookNode


class Skipped(msgspec.Struct, tag=True):
    """The positions of cells that need not run."""

    cells: list[int]


class Finished(msgspec.Struct, tag=True):
    """The notebook with what its cells put out, and notes on how they ran."""

    notebook: NotebookNode
    notes: list[Note]


Record = Begun | Restored | Defused | Skipped | Finished | Judged | GradedFile | Refused
_Kind = TypeVar("_Kind", Restored, Defused, Skipped, Finished)

_SECONDS = (
    MAX_CALL_SECONDS
    + limits.MAX_DEFUSING_SECONDS
    + limits.MAX_LOOKING_SECONDS
    + 2 * limits.MAX_RUNNING_SECONDS
    + limits.MAX_JUDGING_SECONDS
    + limits.MAX_WRITING_SECONDS
)
"""Of processor time for all steps of `grade`."""

_PATIENCE = MAX_WAIT_PER_SECOND * _SECONDS + limits.MAX_JUDGING_WAIT + MAX_START_SECONDS

_wrong: dict[tuple[str, str], set[str]] = defaultdict(set)
"""By course and lesson: where answers were wrong. What mistakes give there is worth keeping ready."""


def grade_submission(job: Job) -> GradedFile | Refused:
    """Grade a submission, see `grade`. Raises RuntimeError where that is too much, and `SealError` without a seal.

    Where the process that grades it is ended on the way, another one goes on behind the step that ended it.
    """
    lesson = open_course(job.course).lesson(job.lesson)
    course = lesson.course.visible
    if is_root():
        public_files.let_all_read(job.folder)
    opener = Opener(course, [lesson.id], job.settings, job.folder)
    wrong = _wrong[job.course, job.lesson]
    readable = [*([job.notebook.parent] if job.notebook else []), job.course, course.root, course.data]
    records = list[bytes]()
    while True:
        with Broker(opener) as broker:
            (outcome,) = limited_process.run(
                grade,
                [(job, layers.sealable(), [*map(json.loads, records)])],
                seconds=_SECONDS,
                patience=_PATIENCE + job.settings["notebook_timeout"],
                course=course if opener.start() else None,
                before=(prepare, job.course, job.lesson, sorted(wrong)),
                access=limited_process.FileAccess([str(path) for path in readable]),
                attend=broker.attend,
            )
        if outcome.error:
            raise RuntimeError(outcome.error)
        records += outcome.values
        last = limited_process.read(records[-1], Record) if records else None
        if isinstance(last, GradedFile):
            wrong.update(last.wrong)
        if isinstance(last, (GradedFile, Refused)):
            return last
        if last == Begun("GradedFile"):
            raise RuntimeError("what came of grading takes more time or memory than there is for it")
        if not any(isinstance(limited_process.read(value, Record), Begun) for value in outcome.values):
            raise RuntimeError("the grader's own process has ended; is there enough memory?")


def prepare(course: str, lesson_id: str, wrong: Sequence[str]) -> None:
    """Read a lesson, once, with the mistakes of the exercises that were answered wrongly, before it is graded."""
    lesson = open_course(course).lesson(lesson_id)
    judge.prepare(lesson)
    for exercise in wrong:
        judge.prepare_mistakes(lesson, exercise)
    for text in lesson.illustrations():
        skippable_cells.names_of(text)
    nbformat.validate(new_notebook())  # reads nbformat's schema


def grade(job: Job, is_sealed: bool, earlier: list[Record]) -> Iterator[Record]:
    """Grade a submission in this process, and yield what each step comes to; the last is what is kept.

    Args:
        is_sealed: Whether notebooks run in sandboxes here.
        earlier: What processes came to that were ended on the way.
    """
    lesson = open_course(job.course).lesson(job.lesson)
    course = lesson.course.visible

    read = yield from _step(
        earlier, Restored, MAX_CALL_SECONDS, partial(_read, job), partial(_untouched, job)
    )
    notes = [*job.copied, *read.notes]
    if job.replaces and (amiss := next((note for note in notes if note.weight is Weight.ASK_AGAIN), None)):
        yield Refused(amiss)
        return

    defused = yield from _step(
        earlier,
        Defused,
        limits.MAX_DEFUSING_SECONDS,
        partial(_with_texts, read.notebook, sanitize_text.defuse),
        partial(_with_texts, read.notebook, sanitize_text.show_as_written),
    )
    notebook = defused.notebook

    code = {i: cell.source for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"}
    skipped = yield from _step(
        earlier, Skipped, limits.MAX_LOOKING_SECONDS, lambda: _skipped(code, lesson), lambda: Skipped([])
    )

    with public_course.using(course):
        limited_process.allow(limits.MAX_RUNNING_SECONDS)
        keys = {
            exercise.id: judge.hidden_key(lesson, exercise.id, job.student, job.salt)
            for exercise in lesson.graded
        }
        judged = {name: judge_answers.not_judged(key) for name, key in keys.items()}
        judged |= {record.verdict.exercise: record for record in earlier if isinstance(record, Judged)}

        interview = Interview(notebook, course=course, opener=RemoteOpener(), **job.settings)
        answers: dict[str, Attempts] = {}
        finished = yield from _step(
            earlier,
            Finished,
            limits.MAX_RUNNING_SECONDS,
            lambda: _run(interview, lesson, keys, skipped.cells, answers),
            lambda: _given_up(notebook),
            MAX_START_SECONDS + job.settings["notebook_timeout"] + limits.MAX_RUNNING_SECONDS,
        )

        if answers:
            yield Begun("Judged")
            with contextlib.suppress(limited_process.Overrun, MemoryError):
                limited_process.allow(limits.MAX_JUDGING_SECONDS, limits.MAX_JUDGING_WAIT)
                for record in judge_answers.verdicts(lesson, keys, answers, notebook):
                    judged[record.verdict.exercise] = record
                    yield record

    yield Begun("GradedFile")
    limited_process.allow(limits.MAX_WRITING_SECONDS)
    notes += [*_no_points(read.notebook, judged, job), *finished.notes, *_not_judged(judged)]
    notes += [*([] if is_sealed else [Note(NoteKind.UNSEALED)]), *job.late]
    texts = {grade_id_of(cell): cell.source for cell in read.notebook.cells}
    answered = {name: texts[name] for name in judged if name in texts}
    yield _written(job, finished.notebook, judged, notes, is_sealed, answered)


def _step(
    earlier: Sequence[Record],
    kind: type[_Kind],
    seconds: float,
    work: Callable[[], _Kind],
    otherwise: Callable[[], _Kind],
    patience: float | None = None,
) -> Generator[Record, None, _Kind]:
    """Yield and return what a step comes to: by `work`, or `otherwise` where that takes more than there is for it."""
    result = next((record for record in earlier if isinstance(record, kind)), None)
    if result is not None:
        return result
    if Begun(kind.__name__) not in earlier:  # else it has ended the process that did it
        yield Begun(kind.__name__)
        with contextlib.suppress(limited_process.Overrun, MemoryError):
            limited_process.allow(seconds, patience)
            result = work()
    if result is None:
        limited_process.allow(MAX_CALL_SECONDS)
        result = otherwise()
    yield result
    return result


def _read(job: Job) -> Restored:
    if job.notebook is None:
        return _restore_nothing(job)
    return Restored(*restored(str(job.notebook), job.master, job.releases, job.layout))


def _untouched(job: Job) -> Restored:
    assert job.notebook is not None
    reason = "takes more time or memory to read than there is for it"
    return _restore_nothing(
        job, Note(NoteKind.UNREADABLE, (submission_folder.printable(job.notebook.name),), reason)
    )


def _restore_nothing(job: Job, *notes: Note) -> Restored:
    cells, _ = restore([], job.master, job.releases, job.layout)
    return Restored(new_notebook(cells=cells), [*notes])


def _with_texts(notebook: NotebookNode, change: Callable[[list[NotebookNode]], None]) -> Defused:
    change([cell for cell in notebook.cells if cell.cell_type != "code"])
    return Defused(notebook)


def _skipped(code: Mapping[int, str], lesson: Lesson) -> Skipped:
    try:
        return Skipped(skippable_cells.unneeded([*code.items()], sorted(lesson.illustrations())))
    except Exception:  # a text may upset Python's own parsers in any way
        return Skipped([])


def _run(
    interview: Interview,
    lesson: Lesson,
    keys: Mapping[str, Key],
    skipped: Sequence[int],
    answers: dict[str, Attempts],
) -> Finished:
    """Run the notebook; answers: gets what its test cells' questions were answered with."""
    ran = interview.interview(
        judge_answers.ask_for(lesson, keys),
        skipped,
        reference_stubs.program(lesson),
        judge_answers.right_by(keys),
    )
    answers |= ran.answers
    return Finished(interview.nb, [*ran.notes])


def _given_up(notebook: NotebookNode) -> Finished:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    return Finished(notebook, [Note(NoteKind.GIVEN_UP)])


def _no_points(notebook: NotebookNode, judged: Mapping[str, Judged], job: Job) -> list[Note]:
    """Return a note on exercises whose cell was changed, and that earn nothing or count as not started."""
    versions = [*job.releases, job.layout, job.master]
    names = []
    for cell in notebook.cells:
        name = grade_id_of(cell)
        if name not in judged:
            continue
        verdict = judged[name].verdict
        if verdict.state is not State.NOT_STARTED and (verdict.points or not verdict.max_points):
            continue
        handed_out = {trimmed_lines(cells[name].source) for cells in versions if name in cells}
        if trimmed_lines(cell.source) not in handed_out:
            names.append(name)
    return [Note(NoteKind.NO_POINTS, tuple(names))] if names else []


def _not_judged(judged: Mapping[str, Judged]) -> list[Note]:
    by_reason = defaultdict[str, list[str]](list)
    for name, record in judged.items():
        by_reason[record.not_judged].append(name)
    return [Note.on(NoteKind.NOT_JUDGED, names, reason) for reason, names in by_reason.items() if reason]


def _written(
    job: Job,
    notebook: NotebookNode,
    judged: Mapping[str, Judged],
    notes: Sequence[Note],
    is_sealed: bool,
    code: dict[str, str],
) -> GradedFile:
    """Return the graded notebook with verdicts and notes in it, after nbgrader's own further steps."""
    for cell in notebook.cells:
        test, _, name = grade_id_of(cell).partition("test_")
        if name in judged and not test:
            cell.outputs = nbformat.from_dict(judged[name].outputs)
    verdicts = {name: record.verdict for name, record in judged.items()}
    behaviours = {name: record.behaviour for name, record in judged.items() if record.behaviour}
    notebook.metadata.update(job.metadata)
    notebook = nbformat.from_dict(notebook)
    resources: dict[str, Any] = {}
    for module, name, settings in job.steps:
        step = getattr(importlib.import_module(module), name)(**settings)
        notebook, resources = step(notebook, resources)
    nbformat.validate(notebook, relax_add_props=True)
    return GradedFile(
        f"{nbformat.v4.writes(notebook)}\n",
        NotebookScores.of(notebook),
        notes,
        sum(verdict.points for verdict in verdicts.values()),
        sum(verdict.max_points for verdict in verdicts.values()),
        [name for name, verdict in verdicts.items() if verdict.state is State.WRONG],
        {
            "sealed": is_sealed,
            "kept_notes": msgspec.to_builtins(list(notes)),
            "kept_verdicts": msgspec.to_builtins(verdicts),
            "kept_behaviours": msgspec.to_builtins(behaviours),
            "code": code,
        },
    )


def as_step(made: NbGraderPreprocessor) -> FurtherStep:
    """How another process makes this preprocessor again."""
    settings = {name: getattr(made, name) for name in type(made).class_trait_names(config=True)}
    return type(made).__module__, type(made).__name__, settings

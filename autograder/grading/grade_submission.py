"""Grades one submission: reads it, runs it in a sandbox, judges it, and returns the graded notebook.

All of this is done in one process that is confined and limited in time and memory, see `limited_process`. The
notebook's cells run in a further one. A submission that takes too long costs itself alone; what was judged until then
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

from autograder.courses import Lesson, open_course
from autograder.execution import skippable_cells
from autograder.execution.broker import Broker, open_remotely
from autograder.execution.notebook_cells import grade_id_of
from autograder.execution.notebook_runner import AnswerSet, NotebookExecutor
from autograder.execution.notes import Note, NoteKind, Weight
from autograder.exercises import limits, public_course
from autograder.exercises.exercise import AnswerKey
from autograder.exercises.limits import MAX_CALL_SECONDS, MAX_START_SECONDS, MAX_WAIT_PER_SECOND
from autograder.exercises.verdict import State
from autograder.grading import judge_answers
from autograder.grading.judge_answers import Judged
from autograder.judging import judge, reference_stubs
from autograder.records.case_seed import load_secret
from autograder.records.marked_answers import NotebookScores
from autograder.sandbox import layers, limited_process, public_files
from autograder.sandbox.bwrap import is_root
from autograder.submissions import sanitize_text, submission_folder
from autograder.submissions.cell_matching import Cells, trimmed_lines
from autograder.submissions.restore_cells import read_and_restore, restore_cells

FurtherStep = tuple[str, str, Mapping[str, Any]]
"""One of nbgrader's preprocessors that look at the notebook alone: its module, its name and its settings."""


class GradeAnswers(NotebookExecutor, Execute):
    """The settings of grading, with those of nbgrader's `Execute`."""

    salt = Unicode(
        "", help="Any text; another text draws other hidden cases. Empty: the secret beside the gradebook."
    ).tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def salt_of(self, digest: str) -> str:
        """Return the seed of the hidden cases for the work of this digest.

        Other work gets other cases, so that results which a student saw are of no use in it.
        """
        return (self.salt or load_secret(CourseDirectory(config=self.config))) + digest

    def plain_settings(self) -> dict[str, Any]:
        """Return the settings of `NotebookExecutor` as plain values."""
        settings = {name: getattr(self, name) for name in NotebookExecutor.class_trait_names(config=True)}
        return {name: value for name, value in settings.items() if isinstance(value, (bool, int, float, str))}


@dataclass(frozen=True)
class Job:
    """A submission to grade.

    Attributes:
        course: The course's folder.
        lesson: The lesson's id.
        student: The id of the student who handed it in, with whose name hidden cases are drawn.
        salt: The seed of the hidden cases, see `GradeAnswers.salt_of`.
        settings: The settings of `NotebookExecutor`.
        notebook: The path at which the notebook should lie, among copies of all notebooks that were handed in; None
            where none can be read.
        folder: The folder with copies of the other files.
        master: The cells that nbgrader knows, see `restore_cells`.
        releases: All cells that are known to have been handed out.
        layout: All cells of the current release, in order.
        copied: Notes on the copies.
        late: Notes on the time of the submission.
        metadata: Metadata for the graded notebook.
        steps: nbgrader's further preprocessors.
        replaces: Whether this grade replaces an earlier one.
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
    """A graded submission.

    Attributes:
        text: The graded notebook.
        rows: Its rows in the gradebook.
        notes: All notes on it.
        points: The points that it earned.
        max_points: The points that it could earn.
        wrong: The exercises that were answered wrongly.
        judged: The columns of its record: notes, verdicts, behaviours and code.
    """

    text: str
    rows: NotebookScores
    notes: Sequence[Note]
    points: float
    max_points: float
    wrong: Sequence[str]
    judged: dict[str, Any]


class Refused(msgspec.Struct, tag=True, frozen=True):
    """The reason for which an earlier grade stays: the new submission cannot be graded."""

    note: Note


class Begun(msgspec.Struct, tag=True):
    """The start of a step, by the class name of its result."""

    step: str


class Restored(msgspec.Struct, tag=True):
    """The submitted notebook, with the instructor's cells put back."""

    notebook: NotebookNode
    notes: list[Note]


class Sanitized(msgspec.Struct, tag=True):
    """The notebook with harmless text cells."""

    notebook: NotebookNode


class Skipped(msgspec.Struct, tag=True):
    """The positions of cells that need not run."""

    cells: list[int]


class Finished(msgspec.Struct, tag=True):
    """The notebook with its outputs, and notes on the run."""

    notebook: NotebookNode
    notes: list[Note]


Record = Begun | Restored | Sanitized | Skipped | Finished | Judged | GradedFile | Refused
_Kind = TypeVar("_Kind", Restored, Sanitized, Skipped, Finished)

_CPU_SECONDS = (
    MAX_CALL_SECONDS
    + limits.MAX_SANITIZING_SECONDS
    + limits.MAX_SEARCH_SECONDS
    + 2 * limits.MAX_RUNNING_SECONDS
    + limits.MAX_JUDGING_SECONDS
    + limits.MAX_WRITING_SECONDS
)
"""Seconds of processor time for all steps of `grade`."""

_WALL_SECONDS = MAX_WAIT_PER_SECOND * _CPU_SECONDS + limits.MAX_JUDGING_WAIT_SECONDS + MAX_START_SECONDS

_wrong: dict[tuple[str, str], set[str]] = defaultdict(set)
"""Exercises with wrong answers, by course and lesson: the worker prepares the results of their mistakes."""


def grade_submission(job: Job) -> GradedFile | Refused:
    """Grade a submission, see `grade`.

    Where its process is ended on the way, another one goes on after the step that ended it.

    Raises:
        RuntimeError: It takes more time or memory than the limits.
        SandboxError: No sandbox can be opened.
    """
    lesson = open_course(job.course).lesson(job.lesson)
    course = lesson.course.visible
    if is_root():
        public_files.make_world_readable(job.folder)
    wrong = _wrong[job.course, job.lesson]
    readable = [*([job.notebook.parent] if job.notebook else []), job.course, course.root, course.data]
    records = list[bytes]()
    while True:
        with Broker(course, [lesson.id], job.settings, job.folder) as broker:
            result = limited_process.run(
                grade,
                [job, layers.sandbox_available(), [*map(json.loads, records)]],
                cpu_seconds=_CPU_SECONDS,
                wall_seconds=_WALL_SECONDS + job.settings["notebook_timeout"],
                course=course if broker.start() else None,
                preparation=(prepare, job.course, job.lesson, sorted(wrong)),
                readable=[str(path) for path in readable],
                answer_request=broker.answer,
            )
        if result.error:
            raise RuntimeError(result.error)
        records += result.values
        last = limited_process.decode(records[-1], Record) if records else None
        if isinstance(last, GradedFile):
            wrong.update(last.wrong)
        if isinstance(last, (GradedFile, Refused)):
            return last
        if last == Begun("GradedFile"):
            raise RuntimeError("what came of grading takes more time or memory than there is for it")
        if not any(isinstance(limited_process.decode(value, Record), Begun) for value in result.values):
            raise RuntimeError("the grader's own process has ended; is there enough memory?")


def prepare(course: str, lesson_id: str, wrong: Sequence[str]) -> None:
    """Read a lesson and the mistakes of these exercises in the worker, once for many submissions."""
    lesson = open_course(course).lesson(lesson_id)
    judge.prepare_lesson(lesson)
    for exercise in wrong:
        judge.prepare_mistakes(lesson, exercise)
    for text in lesson.illustrations():
        skippable_cells.parse_names(text)
    nbformat.validate(new_notebook())  # reads nbformat's schema


def grade(job: Job, is_sealed: bool, earlier: list[Record]) -> Iterator[Record]:
    """Grade a submission in this process, and yield each step's result; the last one is the graded submission.

    Args:
        job: The submission.
        is_sealed: Whether notebooks run in sandboxes on this machine.
        earlier: The results of processes that were ended on the way.
    """
    lesson = open_course(job.course).lesson(job.lesson)
    course = lesson.course.visible

    read = yield from _step(
        earlier, Restored, MAX_CALL_SECONDS, partial(_read, job), partial(_untouched, job)
    )
    notes = [*job.copied, *read.notes]
    if job.replaces and (problem := next((note for note in notes if note.weight is Weight.ASK_AGAIN), None)):
        yield Refused(problem)
        return

    sanitized = yield from _step(
        earlier,
        Sanitized,
        limits.MAX_SANITIZING_SECONDS,
        partial(_with_texts, read.notebook, sanitize_text.sanitize_cells),
        partial(_with_texts, read.notebook, sanitize_text.show_unformatted),
    )
    notebook = sanitized.notebook

    code = {i: cell.source for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"}
    skipped = yield from _step(
        earlier, Skipped, limits.MAX_SEARCH_SECONDS, lambda: _skipped(code, lesson), lambda: Skipped([])
    )

    with public_course.use_course(course):
        limited_process.set_cpu_limit(limits.MAX_RUNNING_SECONDS)
        keys = {
            exercise.id: judge.hidden_key(lesson, exercise.id, job.student, job.salt)
            for exercise in lesson.graded
        }
        judged = {name: judge_answers.not_judged(key) for name, key in keys.items()}
        judged |= {record.verdict.exercise: record for record in earlier if isinstance(record, Judged)}

        executor = NotebookExecutor(notebook, open_process=open_remotely, **job.settings)
        answers: dict[str, AnswerSet] = {}
        finished = yield from _step(
            earlier,
            Finished,
            limits.MAX_RUNNING_SECONDS,
            lambda: _run(executor, lesson, keys, skipped.cells, answers),
            lambda: _given_up(notebook),
            MAX_START_SECONDS + job.settings["notebook_timeout"] + limits.MAX_RUNNING_SECONDS,
        )

        if answers:
            yield Begun("Judged")
            with contextlib.suppress(limited_process.LimitExceeded, MemoryError):
                limited_process.set_cpu_limit(limits.MAX_JUDGING_SECONDS, limits.MAX_JUDGING_WAIT_SECONDS)
                for record in judge_answers.verdicts(lesson, keys, answers, notebook):
                    judged[record.verdict.exercise] = record
                    yield record

    yield Begun("GradedFile")
    limited_process.set_cpu_limit(limits.MAX_WRITING_SECONDS)
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
    wall_seconds: float | None = None,
) -> Generator[Record, None, _Kind]:
    """Yield and return a step's result: by `work`, or by `otherwise` where that exceeds its limits."""
    result = next((record for record in earlier if isinstance(record, kind)), None)
    if result is not None:
        return result
    if Begun(kind.__name__) not in earlier:  # otherwise it has ended an earlier process
        yield Begun(kind.__name__)
        with contextlib.suppress(limited_process.LimitExceeded, MemoryError):
            limited_process.set_cpu_limit(seconds, wall_seconds)
            result = work()
    if result is None:
        limited_process.set_cpu_limit(MAX_CALL_SECONDS)
        result = otherwise()
    yield result
    return result


def _read(job: Job) -> Restored:
    if job.notebook is None:
        return _restore_nothing(job)
    return Restored(*read_and_restore(str(job.notebook), job.master, job.releases, job.layout))


def _untouched(job: Job) -> Restored:
    assert job.notebook is not None
    reason = "takes more time or memory to read than there is for it"
    return _restore_nothing(
        job, Note(NoteKind.UNREADABLE, (submission_folder.printable(job.notebook.name),), reason)
    )


def _restore_nothing(job: Job, *notes: Note) -> Restored:
    cells, _ = restore_cells([], job.master, job.releases, job.layout)
    return Restored(new_notebook(cells=cells), [*notes])


def _with_texts(notebook: NotebookNode, change: Callable[[list[NotebookNode]], None]) -> Sanitized:
    change([cell for cell in notebook.cells if cell.cell_type != "code"])
    return Sanitized(notebook)


def _skipped(code: Mapping[int, str], lesson: Lesson) -> Skipped:
    try:
        return Skipped(skippable_cells.find_skippable([*code.items()], sorted(lesson.illustrations())))
    except Exception:  # a text may upset Python's own parsers in any way
        return Skipped([])


def _run(
    executor: NotebookExecutor,
    lesson: Lesson,
    keys: Mapping[str, AnswerKey],
    skipped: Sequence[int],
    answers: dict[str, AnswerSet],
) -> Finished:
    """Run the notebook, and put the answers to its test cells' questions into `answers`."""
    ran = executor.execute_and_ask(
        judge_answers.make_questions(lesson, keys),
        skipped,
        reference_stubs.build_program(lesson),
        judge_answers.is_right_by(keys),
    )
    answers |= ran.answers
    return Finished(executor.nb, [*ran.notes])


def _given_up(notebook: NotebookNode) -> Finished:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    return Finished(notebook, [Note(NoteKind.GIVEN_UP)])


def _no_points(notebook: NotebookNode, judged: Mapping[str, Judged], job: Job) -> list[Note]:
    """Return a note on exercises whose cell was changed, but which earn nothing or count as not started."""
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


def as_step(preprocessor: NbGraderPreprocessor) -> FurtherStep:
    """Return the module, name and settings by which another process makes this preprocessor again."""
    settings = {
        name: getattr(preprocessor, name) for name in type(preprocessor).class_trait_names(config=True)
    }
    return type(preprocessor).__module__, type(preprocessor).__name__, settings

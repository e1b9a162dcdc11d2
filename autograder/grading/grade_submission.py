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
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.preprocessors import Execute
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
from autograder.exercises.verdict import State, Verdict
from autograder.grading import judge_answers
from autograder.grading.judge_answers import Judged
from autograder.judging import judge, reference_stubs
from autograder.judging.unnamed_mistakes import Behaviour
from autograder.records.marked_answers import NotebookScores
from autograder.sandbox import layers, limited_process, public_files
from autograder.sandbox.bwrap import is_root
from autograder.submissions import sanitize_text, submission_folder
from autograder.submissions.cell_matching import Cells, LessonCells
from autograder.submissions.restore_cells import read_and_restore, restore_cells


class GradeAnswers(NotebookExecutor, Execute):
    """The settings of grading, with those of nbgrader's `Execute`."""

    salt = Unicode(
        "", help="Any text; another text draws other hidden cases. Empty: the secret beside the gradebook."
    ).tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

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
        salt: The seed of the hidden cases: the class's secret and the digest of the work.
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
        steps: nbgrader's further preprocessors, which look at the notebook alone: module, name and settings of each.
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
    steps: Sequence[tuple[str, str, Mapping[str, Any]]]
    replaces: bool


class GradedFile(msgspec.Struct, tag=True, frozen=True):
    """A graded submission.

    Attributes:
        text: The graded notebook.
        rows: Its rows in the gradebook.
        notes: All notes on it.
        verdicts: The verdicts by exercise.
        behaviours: By exercise, what wrong answers did whose mistake has no name.
        code: The answers by exercise.
        sealed: Whether the notebook ran in a sandbox.
    """

    text: str
    rows: NotebookScores
    notes: Sequence[Note]
    verdicts: dict[str, Verdict]
    behaviours: dict[str, Behaviour] = {}
    code: dict[str, str] = {}
    sealed: bool = True


class Refused(msgspec.Struct, tag=True, frozen=True):
    """The reason for which an earlier grade stays: the new submission cannot be graded."""

    note: Note


class Begun(msgspec.Struct, tag=True):
    """The start of a step, by its name."""

    step: str


class Done(msgspec.Struct, tag=True):
    """The result of a step: the notebook, notes on it, and the positions of cells that need not run."""

    step: str
    notebook: NotebookNode = msgspec.field(default_factory=NotebookNode)
    notes: list[Note] = []
    skipped: list[int] = []


Record = Begun | Done | Judged | GradedFile | Refused

_CPU_SECONDS = (
    MAX_CALL_SECONDS
    + limits.MAX_SANITIZING_SECONDS
    + limits.MAX_SEARCH_SECONDS
    + 2 * limits.MAX_RUNNING_SECONDS
    + limits.MAX_JUDGING_SECONDS
    + limits.MAX_WRITING_SECONDS
)
"""Seconds of processor time for all steps of `grade`."""

_TOO_LARGE = "takes more time or memory to read than there is for it"

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
            wrong.update(name for name, verdict in last.verdicts.items() if verdict.state is State.WRONG)
        if isinstance(last, (GradedFile, Refused)):
            return last
        if last == Begun("write"):
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
    nbformat.validate(new_notebook())  # each compiles a schema, which nbformat keeps
    nbformat.validate(new_notebook(), relax_add_props=True)


def grade(job: Job, is_sealed: bool, earlier: list[Record]) -> Iterator[Record]:
    """Grade a submission in this process, and yield each step's result; the last one is the graded submission.

    Args:
        job: The submission.
        is_sealed: Whether notebooks run in sandboxes on this machine.
        earlier: The results of processes that were ended on the way.
    """
    lesson = open_course(job.course).lesson(job.lesson)
    course, cells = lesson.course.visible, LessonCells(job.master, job.releases, job.layout)

    read = yield from _step(
        earlier, "read", MAX_CALL_SECONDS, partial(_read, job, cells), partial(_read, job, cells, _TOO_LARGE)
    )
    notes = [*job.copied, *read.notes]
    if job.replaces and (problem := next((note for note in notes if note.weight is Weight.ASK_AGAIN), None)):
        yield Refused(problem)
        return

    sanitized = yield from _step(
        earlier,
        "sanitize",
        limits.MAX_SANITIZING_SECONDS,
        lambda: _with_texts(read.notebook, sanitize_text.sanitize_cells),
        lambda: _with_texts(read.notebook, sanitize_text.show_unformatted),
    )
    notebook = sanitized.notebook

    search = yield from _step(
        earlier, "search", limits.MAX_SEARCH_SECONDS, lambda: _find_skippable(notebook, lesson), tuple
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
            "run",
            limits.MAX_RUNNING_SECONDS,
            lambda: _run(executor, lesson, keys, search.skipped, answers),
            lambda: _given_up(notebook),
            MAX_START_SECONDS + job.settings["notebook_timeout"] + limits.MAX_RUNNING_SECONDS,
        )

        if answers:
            yield Begun("judge")
            with contextlib.suppress(limited_process.LimitExceeded, MemoryError):
                limited_process.set_cpu_limit(limits.MAX_JUDGING_SECONDS, limits.MAX_JUDGING_WAIT_SECONDS)
                for record in judge_answers.verdicts(lesson, keys, answers, notebook):
                    judged[record.verdict.exercise] = record
                    yield record

    yield Begun("write")
    limited_process.set_cpu_limit(limits.MAX_WRITING_SECONDS)
    notes += judge_answers.no_points_notes(read.notebook, judged, cells.versions)
    notes += [*finished.notes, *judge_answers.not_judged_notes(judged)]
    notes += [*([] if is_sealed else [Note(NoteKind.UNSEALED)]), *job.late]
    texts = {grade_id_of(cell): cell.source for cell in read.notebook.cells}
    code = {name: texts[name] for name in judged if name in texts}
    yield _written(job, finished.notebook, judged, notes, code, is_sealed)


def _step(
    earlier: Sequence[Record],
    name: str,
    seconds: float,
    work: Callable[[], Iterable[Any]],
    otherwise: Callable[[], Iterable[Any]],
    wall_seconds: float | None = None,
) -> Generator[Record, None, Done]:
    """Yield and return a step's result: by `work`, or by `otherwise` where that exceeds its limits."""
    result = next((record for record in earlier if isinstance(record, Done) and record.step == name), None)
    if result is not None:
        return result
    if Begun(name) not in earlier:  # otherwise it has ended an earlier process
        yield Begun(name)
        with contextlib.suppress(limited_process.LimitExceeded, MemoryError):
            limited_process.set_cpu_limit(seconds, wall_seconds)
            result = Done(name, *work())
    if result is None:
        limited_process.set_cpu_limit(MAX_CALL_SECONDS)
        result = Done(name, *otherwise())
    yield result
    return result


def _read(job: Job, cells: LessonCells, problem: str = "") -> tuple[NotebookNode, list[Note]]:
    """Return the restored notebook; the release where there is none, or where there is a problem with it."""
    if job.notebook and not problem:
        return read_and_restore(str(job.notebook), cells)
    names = [submission_folder.printable(job.notebook.name)] if job.notebook else []
    return new_notebook(cells=restore_cells([], cells)[0]), [
        Note(NoteKind.UNREADABLE, (name,), problem) for name in names
    ]


def _with_texts(notebook: NotebookNode, change: Callable[[list[NotebookNode]], None]) -> tuple[NotebookNode]:
    change([cell for cell in notebook.cells if cell.cell_type != "code"])
    return (notebook,)


def _find_skippable(notebook: NotebookNode, lesson: Lesson) -> tuple[NotebookNode, list[Note], list[int]]:
    code = [(i, cell.source) for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    positions = list[int]()
    with contextlib.suppress(Exception):  # a text may upset Python's own parsers in any way
        positions = skippable_cells.find_skippable(code, sorted(lesson.illustrations()))
    return NotebookNode(), [], positions


def _run(
    executor: NotebookExecutor,
    lesson: Lesson,
    keys: Mapping[str, AnswerKey],
    skipped: Sequence[int],
    answers: dict[str, AnswerSet],
) -> tuple[NotebookNode, list[Note]]:
    """Run the notebook, and put the answers to its test cells' questions into `answers`."""
    ran = executor.execute_and_ask(
        {f"test_{name}": judge.make_question(lesson, key) for name, key in keys.items()},
        skipped,
        reference_stubs.build_program(lesson),
        judge_answers.is_right_by(keys),
    )
    answers |= ran.answers
    return executor.nb, [*ran.notes]


def _given_up(notebook: NotebookNode) -> tuple[NotebookNode, list[Note]]:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    return notebook, [Note(NoteKind.GIVEN_UP)]


def _written(
    job: Job,
    notebook: NotebookNode,
    judged: Mapping[str, Judged],
    notes: Sequence[Note],
    code: dict[str, str],
    is_sealed: bool,
) -> GradedFile:
    """Return the graded notebook with verdicts in it, after nbgrader's own further steps."""
    for cell in notebook.cells:
        test, _, name = grade_id_of(cell).partition("test_")
        if name in judged and not test:
            cell.outputs = nbformat.from_dict(judged[name].outputs)
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
        {name: record.verdict for name, record in judged.items()},
        {name: record.behaviour for name, record in judged.items() if record.behaviour},
        code,
        is_sealed,
    )

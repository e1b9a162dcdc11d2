"""What a class has of a lesson, as plain data: read from the record store and nbgrader's gradebook."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Row

from autograder.classroom.class_folder import directory_of
from autograder.courses import Lesson
from autograder.execution.notes import Note, NoteKind
from autograder.exercises.verdict import State, Verdict
from autograder.records import discovery, record_store, submission_status
from autograder.records.record_store import GradingRecord
from autograder.records.submission_status import Stage, SubmissionStatus

WITH_GRADE = (Stage.WAITS, Stage.GRADED)


@dataclass(frozen=True)
class Result:
    """What a student got for an item: an exercise, or an answer in writing.

    points: None while an answer waits to be marked.
    state: "right", "wrong" or "not started"; for an answer in writing "marked"; "waiting" while it waits to be.
    misconception, looks_like, question: as in the verdict; empty where no misconception explains the answer.
    first_failing: the first line of the verdict that does not hold, or why there was nothing to judge.
    """

    student: str
    item: str
    points: float | None
    max_points: float
    state: str
    misconception: str = ""
    looks_like: str = ""
    question: str = ""
    first_failing: str = ""


@dataclass(frozen=True)
class Submission:
    """One student's graded notebook: a result for each item of the lesson, in its order; code: all their answers'."""

    student: str
    results: tuple[Result, ...]
    notes: tuple[Note, ...]
    sealed: bool
    code: str = ""

    @property
    def started(self) -> bool:
        """Return whether anything was done."""
        return any(result.state != State.NOT_STARTED for result in self.results)


@dataclass(frozen=True)
class ClassRecord:
    """What students handed in of a lesson, whose items, in its order, can earn so many points at most.

    submissions: of those who have a grade; statuses: of all students.
    pages: each student's feedback page, as a link from the folder of the reports.
    """

    lesson: Lesson
    items: Mapping[str, float]
    submissions: Sequence[Submission]
    statuses: Sequence[SubmissionStatus] = ()
    pages: Mapping[str, str] = field(default_factory=dict)

    @functools.cached_property
    def started(self) -> list[Submission]:
        """Return the submissions in which anything was done."""
        return [submission for submission in self.submissions if submission.started]

    @functools.cached_property
    def labels(self) -> dict[str, str]:
        """Return name and id by student, see `SubmissionStatus.label`."""
        return {status.student: status.label for status in self.statuses}

    def at(self, *stages: Stage) -> list[str]:
        """Return the students who stand at one of these stages."""
        return [status.student for status in self.statuses if status.stage in stages]

    @property
    def waiting(self) -> int:
        """Return how many answers wait for the instructor's marks."""
        return sum(result.points is None for submission in self.submissions for result in submission.results)

    @property
    def not_graded(self) -> list[SubmissionStatus]:
        """Return the students with work in `submitted/` that is not graded, though an earlier grade may stand."""
        return [status for status in self.statuses if status.problem]

    def of(self, item: str) -> list[Result]:
        """Return the item's results of those who started."""
        position = list(self.items).index(item)
        return [submission.results[position] for submission in self.started]


def read_class(folder: Path, lesson: Lesson) -> ClassRecord:
    """Read what a class's folder has of a lesson."""
    directory = directory_of(lesson.course, folder)
    loaded = submission_status.load_statuses(directory, lesson.id)
    cells_stored = {name for status in loaded if status.earned for name in status.earned.cells}
    items = {exercise.id: float(exercise.points) for exercise in lesson.graded}
    for cell in lesson.cells:
        if cell.marker == "written" and cell.name in cells_stored:
            items[cell.name] = float(cell.points)
    statuses, submissions, all_records = [], [], record_store.load_records(directory, lesson.id)
    for status in loaded:
        if status.stage in WITH_GRADE:
            record = all_records[status.student]
            if record.verdicts.keys() >= {exercise.id for exercise in lesson.graded}:
                cells = status.earned.cells if status.earned else {}
                submissions.append(_submission(status.student, items, record, cells))
            else:  # the grading knew other exercises
                status = replace(status, stage=Stage.NOT_GRADED, earned=None, problem=Note(NoteKind.NOT_YET))
        statuses.append(status)
    pages_written = folder.glob(f"feedback/*/{lesson.id}/{lesson.notebook}.html")
    pages = {page.parts[-3]: f"../{quote(str(page.relative_to(folder)))}" for page in sorted(pages_written)}
    return ClassRecord(lesson, items, submissions, statuses, pages)


def _submission(
    student: str, items: Mapping[str, float], record: GradingRecord, cells: Mapping[str, Row]
) -> Submission:
    results = []
    for name, max_points in items.items():
        if name in record.verdicts:
            results.append(_judged(student, record.verdicts[name], cells.get(f"test_{name}")))
        else:
            results.append(_marked(student, name, max_points, cells.get(name)))
    answers = (code for name, code in record.code.items() if name in items)
    return Submission(student, tuple(results), record.notes, record.sealed, "\n".join(answers))


def graded_work(folder: Path, lesson: Lesson) -> list[str]:
    """Return the students whose work on a lesson is graded, without those who have withdrawn it."""
    directory = directory_of(lesson.course, folder)
    histories = record_store.load_histories(directory, lesson.id)
    graded = {student for student, history in histories.items() if history.current}
    return sorted(graded & discovery.handed_in(directory, lesson.id))


def _judged(student: str, verdict: Verdict, cell: Row | None) -> Result:
    """Return an exercise's result; what an instructor set by hand counts instead of the verdict's points."""
    if cell and cell.needs_manual_grade:
        return Result(student, verdict.exercise, None, float(verdict.max_points), "waiting")
    return Result(
        student,
        verdict.exercise,
        cell.score if cell and cell.manual_score is not None else float(verdict.points),
        float(verdict.max_points),
        verdict.state,
        verdict.misconception,
        verdict.looks_like,
        verdict.question,
        verdict.next_step if verdict.state is State.WRONG else "",
    )


def _marked(student: str, written: str, max_points: float, cell: Row | None) -> Result:
    if cell is None or cell.needs_manual_grade:
        return Result(student, written, None, max_points, "waiting")
    state = State.NOT_STARTED if cell.manual_score is None else "marked"
    return Result(student, written, cell.score, max_points, state)

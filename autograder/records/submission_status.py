"""Where each student stands in a lesson: read from the class's folder and gradebook, for all that tells of grades."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import msgspec
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory

from autograder.classroom import hand_out
from autograder.classroom.dates import BEST, Deadline, read_dates
from autograder.classroom.gradebook import LessonScore, gradebook_exists, read_scores
from autograder.execution.notes import Note, NoteKind
from autograder.exercises.errors import CourseError
from autograder.exercises.text import clean_text
from autograder.records import discovery, record_store
from autograder.records.record_store import GradingRecord, History
from autograder.submissions import submission_folder


class Stage(StrEnum):
    """How far a student has come in a lesson that was handed out, as tables say it."""

    NOT_HANDED_IN = "not handed in"
    NOT_GRADED = "handed in, not graded"
    WAITS = "waits for marks"
    GRADED = "graded"
    WITHDRAWN = "withdrawn"
    EXCUSED = "excused"


@dataclass(frozen=True)
class SubmissionStatus:
    """Where a student stands in a lesson.

    earned: of graded work, and of withdrawn; problem: why what lies in `submitted/` is not graded, though an earlier
    grade may stand; last_name, first_name: as the gradebook's list has them, empty where it does not; best: the earlier
    attempt that counts in place of the graded one, where the best does, with what it is worth now.
    """

    student: str
    stage: Stage
    earned: LessonScore | None = None
    problem: Note | None = None
    last_name: str = ""
    first_name: str = ""
    best: GradingRecord | None = None

    @property
    def name(self) -> str:
        """Return the student's id, fit to be shown in a line."""
        return submission_folder.printable(self.student)

    @property
    def label(self) -> str:
        """Return the student's name and id, as lists of people show them."""
        full_name = " ".join(clean_text(part) for part in (self.first_name, self.last_name) if part)
        return f"{full_name} ({self.name})" if full_name else self.name

    @property
    def order(self) -> tuple[str, ...]:
        """Return the key by which lists of people are sorted: the last name, or the id of a student without one."""
        last_name = self.last_name or self.student
        return last_name.casefold(), self.first_name.casefold(), self.student

    @property
    def score(self) -> float | None:
        """Return the points that count, where there is a grade to which no marks are missing."""
        if self.stage is Stage.EXCUSED or not self.earned or self.earned.waiting:
            return None
        return self.best.points if self.best else self.earned.points

    @property
    def reason(self) -> str:
        """Return what the instructor is told beside the stage."""
        if self.problem is None:
            return "an earlier attempt counts, the best" if self.best else ""
        stays = "; the earlier grade stays" if self.stage in (Stage.GRADED, Stage.WAITS) else ""
        return f"{self.problem.instructor_message}{stays}"


def lessons_handed_out(course: CourseDirectory) -> list[str]:
    """Return the lessons in the gradebook that were handed out, by a command or as somebody's work shows, in order."""
    if not gradebook_exists(course.db_url):
        return []
    with Gradebook(course.db_url, course.course_id) as gradebook:
        has_work = {assignment.name: bool(assignment.submissions) for assignment in gradebook.assignments}
        handed_out = hand_out.read_handed_out(gradebook)
    return sorted(
        lesson
        for lesson, begun in has_work.items()
        if begun or lesson in handed_out or discovery.handed_in(course, lesson)
    )


def load_statuses(course: CourseDirectory, lesson: str) -> list[SubmissionStatus]:
    """Return where each student on the gradebook's list stands, and each who handed something in; by last name."""
    submitted, histories = discovery.handed_in(course, lesson), record_store.load_histories(course, lesson)
    listed, earned = dict[str, tuple[str, str]](), read_scores(course, lesson)
    if gradebook_exists(course.db_url):
        with Gradebook(course.db_url, course.course_id) as gradebook:
            for person in gradebook.students:
                listed[person.id] = (person.last_name or "", person.first_name or "")
    graded = {student for student, history in histories.items() if history.current}
    if earned:  # of others nbgrader has removed the submission
        graded &= earned.keys()
    statuses, dates = [], read_dates(Path(course.root))
    for student in listed.keys() | graded | submitted:
        last_name, first_name = listed.get(student, ("", ""))
        history, score = histories[student], earned.get(student)
        if score and student not in graded and not score.is_scored:
            score = None
        record = history.current if student in graded else None
        problem: Note | None = None
        best: GradingRecord | None = None
        if student not in submitted:
            stage = Stage.WITHDRAWN if record or score else Stage.NOT_HANDED_IN
        elif record is None or record.problem:
            problem = history.problem(course) or (record and record.problem) or Note(NoteKind.NOT_YET)
            stage, score = Stage.NOT_GRADED, None
        else:
            problem = history.problem(course)
            stage = Stage.WAITS if score and score.waiting else Stage.GRADED
        if dates.is_excused(lesson, student):
            stage, problem = Stage.EXCUSED, None
        elif dates.attempt == BEST and score and not score.waiting:
            best = _best_attempt(history, score, dates.of(lesson, student))
        statuses.append(SubmissionStatus(student, stage, score, problem, last_name, first_name, best))
    return sorted(statuses, key=lambda person: person.order)


def forget(course: CourseDirectory, student: str, wanted: Collection[str] = ()) -> list[str]:
    """Drop the grades of a student's withdrawn work, of the wanted lessons or of all; the lessons come back.

    What it earned stays in the record store. Raises `CourseError` where nothing was withdrawn.
    """
    done = []
    for lesson in wanted or lessons_handed_out(course):
        statuses = {status.student: status for status in load_statuses(course, lesson)}
        if student not in statuses or statuses[student].stage is not Stage.WITHDRAWN:
            continue
        if record := record_store.load_histories(course, lesson, student)[student].current:
            final = record_store.with_points(record, statuses[student].earned)
            with record_store.transaction(course) as db:
                record_store.add_records(db, [msgspec.structs.replace(final, event=record_store.FORGOTTEN)])
        with Gradebook(course.db_url, course.course_id) as gradebook, suppress(MissingEntry):
            gradebook.remove_submission(lesson, student)
        for step in (course.autograded_directory, course.feedback_directory):
            shutil.rmtree(course.format_path(step, student, lesson), ignore_errors=True)
        done.append(lesson)
    if not done:
        name = submission_folder.printable(student)
        raise CourseError(f"{name} has withdrawn nothing whose grade could be forgotten")
    return done


def _best_attempt(history: History, earned: LessonScore, deadline: Deadline) -> GradingRecord | None:
    """Return the earlier attempt that is worth more than the graded one, None where there is none.

    It is worth what it earned then, answers that waited for marks left out, on the scale of the points that the lesson
    has now, less the penalty by the dates that hold now.
    """
    deadline = deadline.or_due(earned.due)
    attempts = list[GradingRecord]()
    for attempt in history.since_forgotten.earlier:
        if attempt.problem is None and attempt.max_points:
            raw = (attempt.points + attempt.penalty) * earned.most / attempt.max_points
            percent = deadline.penalty_percent(attempt.when) if attempt.when else 0.0
            penalty = round(percent * raw / 100, 2)
            worth = {"points": raw - penalty, "penalty": penalty, "max_points": earned.most}
            attempts.append(msgspec.structs.replace(attempt, **worth))
    best = max(attempts, key=lambda attempt: attempt.points, default=None)
    return best if best and round(best.points - earned.points, 2) > 0 else None

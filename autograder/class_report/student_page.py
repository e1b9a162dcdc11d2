"""One student's term, for the instructor: what was handed in when, what was misunderstood and when it was put right.

All of it is read from the class's folder; nothing is concluded from it.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nbgrader.coursedir import CourseDirectory

from autograder.class_report.similarity import SimilarGroup
from autograder.classroom import group_work
from autograder.classroom.class_folder import directory_of
from autograder.classroom.dates import Dates, format_time
from autograder.execution.notes import NoteKind
from autograder.exercises.limits import MAX_ID_IN_FILE_NAME
from autograder.exercises.verdict import State, Verdict
from autograder.records import grade_changes, record_store
from autograder.records.class_record import ClassRecord
from autograder.records.submission_status import SubmissionStatus

STUDENTS = "students"
"""The folder of these pages, among the reports."""

_UNKNOWN_TIME = "not told when"


@dataclass(frozen=True)
class Attempt:
    """One submission of a student's lesson; attempts are in the order in which they were graded.

    Attributes:
        handed_in: When it was handed in, in words.
        points: What it earned; None while an answer waits to be marked.
        answers: By exercise; empty where none were stored.
        is_graded: Whether the file could be read.
        counts: Whether the class counts it, the best, in place of the last.
    """

    handed_in: str
    points: float | None
    max_points: float
    answers: Mapping[str, Verdict]
    is_graded: bool = True
    counts: bool = False


@dataclass(frozen=True)
class MisconceptionHistory:
    """A misconception in an exercise, over a student's attempts.

    Attributes:
        first_seen: The attempt that showed it first, in words.
        resolved: The attempt in which the exercise was right, in words.
        is_resolved: Whether the last attempt is right.
    """

    exercise: str
    misconception: str
    first_seen: str
    resolved: str
    is_resolved: bool


def page_name(student: str) -> str:
    """Return a file's name for a student's page, another one for each id."""
    plain = re.sub(r"[^\w.@+-]", "_", student)[:MAX_ID_IN_FILE_NAME]
    if plain == student:
        return f"{student}.html"
    return f"{plain}-{hashlib.sha256(student.encode(errors='surrogateescape')).hexdigest()[:8]}.html"


def read_lessons(
    student: str, classes: Sequence[ClassRecord], similar: Mapping[str, Sequence[SimilarGroup]], dates: Dates
) -> list[dict[str, Any]]:
    """Return the template's values on a student's work in each of these lessons.

    Args:
        student: The student's id.
        classes: The class's record of each lesson.
        similar: Groups of students with similar code, by lesson.
        dates: The class's dates.
    """
    folder, lessons = dates.path.parent, []
    for record in classes:
        lesson = record.lesson
        standing = next((item for item in record.statuses if item.student == student), None)
        if standing is None:
            continue
        submission = next((item for item in record.submissions if item.student == student), None)
        results, notes = (submission.results, submission.notes) if submission else ((), ())
        deadline = dates.of(lesson.id, student).or_due(standing.earned.due if standing.earned else None)
        directory = directory_of(lesson.course, folder)
        attempts = [*_read_attempts(directory, record, standing, dates)]
        histories = (misconception_histories(exercise, attempts) for exercise in record.items)
        changes = grade_changes.read_changes(directory, lesson.id)
        judged = {exercise.id for exercise in lesson.graded}
        submitter = group_work.submitter_of(folder, lesson.id, student)
        lessons.append(
            {
                "record": record,
                "standing": standing,
                "deadline": deadline,
                "handed_in": group_work.find_time(folder, student, lesson.id),
                "late": "; ".join(note.detail for note in notes if note.kind is NoteKind.LATE),
                "notes": [
                    *([standing.reason] if standing.problem else []),
                    *(note.instructor_message for note in notes if note.kind is not NoteKind.LATE),
                ],
                "attempts": attempts,
                "misconceptions": [*itertools.chain(*histories)],
                "by_hand": [result for result in results if result.item not in judged],
                "changes": [each for each in changes if each.student == student and not each.of_other_work],
                "submitter": submitter,
                "similar": [group for group in similar.get(lesson.id, ()) if submitter in group.students],
            }
        )
    return lessons


def _read_attempts(
    course: CourseDirectory, record: ClassRecord, standing: SubmissionStatus, dates: Dates
) -> Iterator[Attempt]:
    student, lesson, zone = standing.student, record.lesson, dates.zone or "UTC"
    history = record_store.load_histories(course, lesson.id, student)[student]
    for attempt in history.earlier:
        handed_in = clock(attempt.when, zone) if attempt.when else _UNKNOWN_TIME
        if attempt.at and not attempt.when:
            handed_in = f"before {clock(datetime.fromisoformat(attempt.at), zone)}"
        verdicts = {} if attempt.problem else attempt.verdicts
        answers = {name: verdicts[name] for name in record.items if name in verdicts}
        points = None if attempt.waiting else attempt.points
        counts = standing.best is not None and standing.best.at == attempt.at
        yield Attempt(handed_in, points, attempt.max_points, answers, attempt.problem is None, counts)
    if graded := history.current:
        when = group_work.find_time(dates.path.parent, student, lesson.id)
        answers = {name: graded.verdicts[name] for name in record.items if name in graded.verdicts}
        handed_in = clock(when, zone) if when else _UNKNOWN_TIME
        points = standing.earned.points if standing.earned and not standing.earned.waiting else None
        yield Attempt(handed_in, points, sum(record.items.values()), answers)


def clock(when: datetime, zone: str) -> str:
    """Return a time in UTC as a clock in a zone shows it."""
    return format_time(when, zone).removesuffix(f" {zone}")


def misconception_histories(exercise: str, attempts: Sequence[Attempt]) -> Iterator[MisconceptionHistory]:
    """Yield each misconception that an exercise's answers showed, once."""
    answers = [
        (f"attempt {number} ({attempt.handed_in})", attempt.answers[exercise])
        for number, attempt in enumerate(attempts, 1)
        if exercise in attempt.answers
    ]
    shown = {""}
    for place, (attempt, answer) in enumerate(answers):
        if answer.misconception not in shown:
            shown.add(answer.misconception)
            right = [later for later, past_answer in answers[place:] if past_answer.state is State.RIGHT]
            is_resolved = answers[-1][1].state is State.RIGHT
            then = f"{right[0]}{'' if is_resolved else ', but not in the last'}" if right else "not yet"
            name = answer.looks_like or answer.misconception
            yield MisconceptionHistory(exercise, name, attempt, then, is_resolved)

"""One student's term, for the instructor: what was handed in when, what was misunderstood and when it was put right.

All of it is read from the class's folder; nothing is concluded from it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from nbgrader.coursedir import CourseDirectory

from autograder.class_report.similarity import Alike
from autograder.classroom import grade_changes, hand_in_times, record_store
from autograder.classroom.dates import Dates, format_time
from autograder.classroom.gradebook import directory_of
from autograder.classroom.record_store import PastAnswer
from autograder.classroom.records import ClassRecord
from autograder.classroom.submission_status import SubmissionStatus
from autograder.exercises.verdict import State
from autograder.sandbox.notes import NoteKind
from autograder.submissions.limits import MAX_FILE_NAME

STUDENTS = "students"
"""The folder of these pages, among the reports."""

_NOT_TOLD = "not told when"


@dataclass(frozen=True)
class Handed:
    """What was handed in at one time, in the order in which it was graded.

    came: in words; points: None while it waits for marks; answers: by exercise, none where nobody kept them; is_graded:
    whether the file could be read.
    """

    came: str
    points: float | None
    max_points: float
    answers: Mapping[str, PastAnswer]
    is_graded: bool = True


@dataclass(frozen=True)
class Misunderstood:
    """A misconception in an exercise: in which of the attempts it was seen first, and in which the exercise was right.

    right: in words; settled: whether what is graded now is right.
    """

    exercise: str
    what: str
    seen: str
    right: str
    settled: bool


def page_name(student: str) -> str:
    """Return a file's name for a student's page, another one for each id."""
    plain = re.sub(r"[^\w.@+-]", "_", student)[:MAX_FILE_NAME]
    if plain == student:
        return f"{student}.html"
    return f"{plain}-{hashlib.sha256(student.encode(errors='surrogateescape')).hexdigest()[:8]}.html"


def term(
    student: str, classes: Sequence[ClassRecord], alike: Mapping[str, Sequence[Alike]], dates: Dates
) -> list[dict[str, Any]]:
    """Return what a student did in these lessons, by the template's names. alike: groups of students, by lesson."""
    folder, lessons = dates.path.parent, []
    for record in classes:
        lesson = record.lesson
        standing = next((one for one in record.statuses if one.student == student), None)
        if standing is None:
            continue
        submission = next((one for one in record.submissions if one.student == student), None)
        notes = submission.notes if submission else ()
        deadline = dates.of(lesson.id, student)
        if deadline.due is None and standing.earned:  # nbgrader's gradebook may have one
            deadline = replace(deadline, due=standing.earned.due)
        directory = directory_of(lesson.course, folder)
        handed = [*_handed(directory, record, standing, dates)]
        judged = {exercise.id for exercise in lesson.graded}
        lessons.append(
            {
                "record": record,
                "standing": standing,
                "deadline": deadline,
                "came": hand_in_times.find_time(folder, student, lesson.id),
                "late": "; ".join(note.detail for note in notes if note.kind is NoteKind.LATE),
                "noted": [
                    *([standing.reason] if standing.problem else []),
                    *(note.line for note in notes if note.kind is not NoteKind.LATE),
                ],
                "handed": handed,
                "misunderstood": [
                    one for exercise in record.items for one in misunderstood(exercise, handed)
                ],
                "by_hand": [
                    one for one in (submission.results if submission else ()) if one.item not in judged
                ],
                "changes": [
                    one
                    for one in grade_changes.read_changes(directory, lesson.id)
                    if one.student == student and not one.of_other_work
                ],
                "alike": [group for group in alike.get(lesson.id, ()) if student in group.students],
            }
        )
    return lessons


def _handed(
    course: CourseDirectory, record: ClassRecord, standing: SubmissionStatus, dates: Dates
) -> Iterator[Handed]:
    student, lesson, zone = standing.student, record.lesson, dates.zone or "UTC"
    history = record_store.load_histories(course, lesson.id, student)[student]
    for attempt in history.earlier:
        came = clock(attempt.when, zone) if attempt.when else _NOT_TOLD
        if attempt.at and not attempt.when:
            came = f"before {clock(datetime.fromisoformat(attempt.at), zone)}"
        answers = {name: attempt.answers[name] for name in record.items if name in attempt.answers}
        points = None if attempt.waiting else attempt.points
        yield Handed(came, points, attempt.max_points, answers, is_graded=attempt.problem is None)
    if graded := history.current:
        when = hand_in_times.find_time(dates.path.parent, student, lesson.id)
        verdicts = {name: graded.verdicts[name] for name in record.items if name in graded.verdicts}
        answers = {name: PastAnswer.of(verdict) for name, verdict in verdicts.items()}
        came = clock(when, zone) if when else _NOT_TOLD
        yield Handed(came, standing.score, sum(record.items.values()), answers)


def clock(when: datetime, zone: str) -> str:
    """Return a time in UTC as a clock in a zone shows it."""
    return format_time(when, zone).removesuffix(f" {zone}")


def misunderstood(exercise: str, handed: Sequence[Handed]) -> Iterator[Misunderstood]:
    """Yield each misconception that an exercise's answers showed, once."""
    answers = [
        (f"attempt {number} ({attempt.came})", attempt.answers[exercise])
        for number, attempt in enumerate(handed, 1)
        if exercise in attempt.answers
    ]
    shown = {""}
    for place, (attempt, answer) in enumerate(answers):
        if answer.misconception not in shown:
            shown.add(answer.misconception)
            right = [later for later, other in answers[place:] if other.state is State.RIGHT]
            settled = answers[-1][1].state is State.RIGHT
            then = f"{right[0]}{'' if settled else ', but not in the last'}" if right else "not yet"
            yield Misunderstood(exercise, answer.looks_like or answer.misconception, attempt, then, settled)

"""One student's term, for the instructor: what was handed in when, what was misunderstood and when it was put right.

All of it is read from the class's folder; nothing is concluded from it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograder.model.notes import NoteKind
from autograder.model.verdict import State
from autograder.nbgrader_plugin import changes, store, times
from autograder.nbgrader_plugin.changes import Change
from autograder.nbgrader_plugin.dates import Dates, Deadline, in_zone
from autograder.nbgrader_plugin.gradebook import directory_of
from autograder.nbgrader_plugin.limits import MAX_FILE_NAME
from autograder.nbgrader_plugin.records import ClassRecord, Result, Submission
from autograder.nbgrader_plugin.standing import Standing
from autograder.nbgrader_plugin.store import PastAnswer
from autograder.publish.class_report.alike import Alike

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

    @property
    def right(self) -> list[str]:
        return [name for name, one in self.answers.items() if one.state is State.RIGHT]

    @property
    def not_right(self) -> dict[str, str]:
        """Why each of the others is not, in a few words."""
        return {
            name: one.misconception or one.next_step or one.state
            for name, one in self.answers.items()
            if one.state is not State.RIGHT
        }


@dataclass(frozen=True)
class Misunderstood:
    """A misconception in an exercise: since which of the attempts it was seen, and what became of it, in words."""

    exercise: str
    what: str
    seen: str
    then: str
    settled: bool


@dataclass(frozen=True)
class StudentsLesson:
    """All of a student's work on a lesson.

    submission: without results where they have no grade. came: in UTC, where it is known; changes: of grades, where the
    work stayed the same; alike: groups that they are in.
    """

    record: ClassRecord
    standing: Standing
    submission: Submission
    deadline: Deadline
    came: datetime | None
    handed: Sequence[Handed]
    changes: Sequence[Change]
    alike: Sequence[Alike]

    @property
    def misunderstood(self) -> list[Misunderstood]:
        """In the lesson's order, each as often as it came anew."""
        return [one for exercise in self.record.items for one in _misunderstood(exercise, self.handed)]

    @property
    def late(self) -> str:
        """How late it was, in words; empty where it was not."""
        return "; ".join(one.detail for one in self.submission.notes if one.kind is NoteKind.LATE)

    @property
    def noted(self) -> list[str]:
        """What else grading noted, and why what lies there is not graded."""
        lines = [one.line for one in self.submission.notes if one.kind is not NoteKind.LATE]
        return [*([self.standing.reason] if self.standing.problem else []), *lines]

    @property
    def by_hand(self) -> list[Result]:
        """What came of the answers that nobody judges but by hand."""
        judged = {exercise.id for exercise in self.record.lesson.graded}
        return [one for one in self.submission.results if one.item not in judged]


def page_name(student: str) -> str:
    """A file's name for a student's page, another one for each id."""
    plain = re.sub(r"[^\w.@+-]", "_", student)[:MAX_FILE_NAME]
    if plain == student:
        return f"{student}.html"
    return f"{plain}-{hashlib.sha256(student.encode(errors='surrogateescape')).hexdigest()[:8]}.html"


def term(
    student: str, classes: Sequence[ClassRecord], alike: Mapping[str, Sequence[Alike]], dates: Dates
) -> list[StudentsLesson]:
    """What a student did in these lessons, of those that they have to do with. alike: by lesson."""
    folder, found = dates.path.parent, list[StudentsLesson]()
    nothing = Submission(student, results=(), notes=(), sealed=True)
    for record in classes:
        standing = next((one for one in record.standings if one.student == student), None)
        if standing is None:
            continue
        lesson = record.lesson
        submission = next((one for one in record.submissions if one.student == student), nothing)
        deadline, earned = dates.of(lesson.id, student), standing.earned
        if deadline.due is None and earned:  # nbgrader's gradebook may have one
            deadline = replace(deadline, due=earned.due)
        directory = directory_of(lesson.course, folder)
        history = changes.read_changes(directory, lesson.id)
        found.append(
            StudentsLesson(
                record,
                standing,
                submission,
                deadline,
                times.when(folder, student, lesson.id),
                list(_handed(directory, record, standing, dates)),
                [one for one in history if one.student == student and not one.of_other_work],
                [one for one in alike.get(lesson.id, ()) if student in one.students],
            )
        )
    return found


def _handed(
    course: CourseDirectory, record: ClassRecord, standing: Standing, dates: Dates
) -> Iterator[Handed]:
    student, lesson, zone = standing.student, record.lesson, dates.zone or "UTC"
    history = store.load_histories(course, lesson.id, student)[student]
    for one in history.earlier:
        came = clock(one.when, zone) if one.when else _NOT_TOLD
        if one.at and not one.when:
            came = f"before {clock(datetime.fromisoformat(one.at), zone)}"
        answers = {name: one.answers[name] for name in record.items if name in one.answers}
        points = None if one.waiting else one.points
        yield Handed(came, points, one.max_points, answers, is_graded=one.problem is None)
    if graded := history.current:
        when = times.when(Path(course.root), student, lesson.id)
        found = graded.verdicts
        answers = {name: PastAnswer.of(found[name]) for name in record.items if name in found}
        came = clock(when, zone) if when else _NOT_TOLD
        yield Handed(came, standing.score, sum(record.items.values()), answers)


def clock(when: datetime, zone: str) -> str:
    """A time in UTC, as a clock in a zone shows it."""
    return in_zone(when, zone).removesuffix(f" {zone}")


def _misunderstood(exercise: str, handed: Sequence[Handed]) -> Iterator[Misunderstood]:
    """What an exercise's answers showed, one attempt after the other."""
    known = [
        (number, one.answers[exercise]) for number, one in enumerate(handed, 1) if exercise in one.answers
    ]
    before = ""
    for place, (number, answer) in enumerate(known):
        if answer.misconception and answer.misconception != before:
            held = [later.misconception == answer.misconception for _, later in known[place:]]
            after = known[place + held.index(False) :] if False in held else []
            yield Misunderstood(
                exercise,
                answer.looks_like or answer.misconception,
                _numbered(number, handed),
                _then(after, handed),
                bool(after) and after[-1][1].state is State.RIGHT,
            )
        before = answer.misconception


def _then(after: Sequence[tuple[int, PastAnswer]], handed: Sequence[Handed]) -> str:
    """What became of a misconception, from the attempt on that does not show it any more."""
    if not after:
        return "so in what is graded now"
    number, answer = next(((n, one) for n, one in after if one.state is State.RIGHT), after[0])
    if answer.state is State.RIGHT:
        again = "" if after[-1][1].state is State.RIGHT else ", and not in what is graded now"
        return f"right in {_numbered(number, handed)}{again}"
    if answer.state is State.NOT_STARTED:
        return f"not there any more in {_numbered(number, handed)}"
    return f"wrong otherwise in {_numbered(number, handed)}: {answer.looks_like or answer.next_step}"


def _numbered(number: int, handed: Sequence[Handed]) -> str:
    return f"attempt {number} ({handed[number - 1].came})"

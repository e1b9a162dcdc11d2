"""Where each student stands in a lesson: read from the class's folder and gradebook, for all that tells of grades."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nbgrader.api import Assignment, Grade, Gradebook, MissingEntry, SubmittedAssignment, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import case, func
from sqlalchemy.orm import contains_eager, undefer

from autograder.model.errors import CourseError
from autograder.model.notes import Note, NoteKind
from autograder.nbgrader_plugin import attempts, finding, folders, kept, releasing
from autograder.nbgrader_plugin.gradebook import earned, is_there


class Stage(StrEnum):
    """How far a student has come in a lesson that was handed out, as tables say it."""

    NOT_HANDED_IN = "not handed in"
    NOT_GRADED = "handed in, not graded"
    WAITS = "waits for marks"
    GRADED = "graded"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Earned:
    """What the gradebook has of graded work.

    raw: points before `penalty`, which is for being late; points: what is left of them; waiting: answers that wait for
    marks; handed_in, due: when, in UTC; an extension in the class's own table is not looked at.
    """

    raw: float
    penalty: float
    points: float
    waiting: int
    handed_in: datetime | None
    due: datetime | None


@dataclass(frozen=True)
class Standing:
    """Where a student stands in a lesson.

    earned: of graded work, and of withdrawn; problem: why what lies in `submitted/` is not graded, though an earlier
    grade may stand.
    """

    student: str
    stage: Stage
    earned: Earned | None = None
    problem: Note | None = None

    @property
    def name(self) -> str:
        """The student's id, fit to be shown in a line."""
        return folders.printable(self.student)

    @property
    def score(self) -> float | None:
        """The points, where there is a grade to which no marks are missing."""
        return self.earned.points if self.earned and not self.earned.waiting else None

    @property
    def reason(self) -> str:
        """What to say of it beside the stage, to the instructor."""
        if self.problem is None:
            return ""
        stays = "; the earlier grade stays" if self.stage in (Stage.GRADED, Stage.WAITS) else ""
        return f"{self.problem.line}{stays}"


def lessons_handed_out(course: CourseDirectory) -> list[str]:
    """The lessons in the gradebook that were handed out, by a command or as somebody's work shows; in order."""
    if not is_there(course.db_url):
        return []
    with Gradebook(course.db_url, course.course_id) as gradebook:
        known = {one.name: bool(one.submissions) for one in gradebook.assignments}
        given = {*releasing.lessons_given(gradebook), *(lesson for lesson, begun in known.items() if begun)}
    return sorted(lesson for lesson in known if lesson in given or finding.handed_in(course, lesson))


def read_standings(course: CourseDirectory, lesson: str) -> list[Standing]:
    """Of each student on the gradebook's list, and of each who handed something in; in order of their ids."""
    graded = finding.students(course, course.autograded_directory, lesson)
    submitted = finding.handed_in(course, lesson)
    listed, known = set[str](), dict[str, Earned]()
    if is_there(course.db_url):
        listed, known = _in_gradebook(course, lesson, graded)
        graded &= known.keys()
    return [
        _standing(course, lesson, student, student in submitted, student in graded, known.get(student))
        for student in sorted(listed | graded | submitted)
    ]


def forget(course: CourseDirectory, student: str, wanted: Collection[str] = ()) -> list[str]:
    """Drop the grades of a student's withdrawn work, of the wanted lessons or of all; the lessons come back.

    What it earned stays in `attempts/`. Raises `CourseError` where nothing was withdrawn.
    """
    done = []
    for lesson in wanted or lessons_handed_out(course):
        stages = {one.student: one.stage for one in read_standings(course, lesson)}
        if stages.get(student) is not Stage.WITHDRAWN:
            continue
        attempts.put_away(course, lesson, student)
        with Gradebook(course.db_url, course.course_id) as gradebook, suppress(MissingEntry):
            gradebook.remove_submission(lesson, student)
        for step in (course.autograded_directory, course.feedback_directory):
            shutil.rmtree(course.format_path(step, student, lesson), ignore_errors=True)
        done.append(lesson)
    if not done:
        raise CourseError(
            f"{folders.printable(student)} has withdrawn nothing whose grade could be forgotten"
        )
    return done


def _standing(
    course: CourseDirectory, lesson: str, student: str, submitted: bool, graded: bool, earned: Earned | None
) -> Standing:
    if not submitted:
        return Standing(student, Stage.WITHDRAWN if graded or earned else Stage.NOT_HANDED_IN, earned)
    problem = attempts.problem(course, lesson, student)
    found = kept.outcome_of(course, lesson, student) if graded else None
    if found is None or found.refused:
        problem = problem or (found.refused if found else None) or Note(NoteKind.NOT_YET)
        return Standing(student, Stage.NOT_GRADED, None, problem)
    return Standing(student, Stage.WAITS if earned and earned.waiting else Stage.GRADED, earned, problem)


_ASKED_FOR = (SubmittedAssignment.score, SubmittedAssignment.late_submission_penalty)
"""What nbgrader would ask for of each submission by itself."""


def _in_gradebook(
    course: CourseDirectory, lesson: str, graded: Collection[str]
) -> tuple[set[str], dict[str, Earned]]:
    """The ids of all students; what those earned who have a graded notebook, or else any score."""
    with Gradebook(course.db_url, course.course_id) as gradebook:
        counted = (
            gradebook.db.query(
                SubmittedAssignment.student_id,
                func.count(Grade.auto_score) + func.count(Grade.manual_score),
                func.sum(case((Grade.needs_manual_grade, 1), else_=0)),
            )
            .join(SubmittedAssignment.assignment)
            .join(SubmittedAssignment.notebooks)
            .join(SubmittedNotebook.grades)
            .filter(Assignment.name == lesson)
            .group_by(SubmittedAssignment.student_id)
        )
        waiting = {student: int(count) for student, scores, count in counted if scores or student in graded}
        found = {
            one.student_id: Earned(
                one.score,
                one.late_submission_penalty or 0.0,
                earned(one),
                waiting[one.student_id],
                one.timestamp,
                one.duedate,
            )
            for one in gradebook.db.query(SubmittedAssignment)
            .join(SubmittedAssignment.assignment)
            .filter(Assignment.name == lesson)
            .options(*map(undefer, _ASKED_FOR), contains_eager(SubmittedAssignment.assignment))
            if one.student_id in waiting
        }
        return {student.id for student in gradebook.students}, found

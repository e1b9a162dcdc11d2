"""A class's gradebook: whether it is sound, what work earned, and with which version of the course it agrees."""

from __future__ import annotations

import contextlib
import itertools
import os
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nbgrader import api
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import Column, MetaData, Row, String, Table, delete, insert, inspect, select
from sqlalchemy.orm import Query

from autograder.courses import Lesson
from autograder.exercises.errors import CourseError
from autograder.files import atomic_files

REVISIONS = Table(
    "attention_course_revisions",
    MetaData(),
    Column("lesson", String(128), primary_key=True),
    Column("revision", String(128), nullable=False),
)
"""Beside nbgrader's tables: the tag or commit of the course with which a lesson in the gradebook agrees."""


_WITH_GRADES = {"submitted_assignment", "attention_course_records"}

BEGIN_ANEW = "move it away, with autograded/, to grade all again in a new one"


def check_database(file: Path) -> bool:
    """Check a gradebook, and return whether it holds any grades. Raises `CourseError`, with what to do."""
    columns, holds_grades = set[tuple[str, str]](), False
    try:
        with contextlib.closing(sqlite3.connect(f"file:{quote(str(file))}?mode=rw", uri=True)) as base:
            (state,) = base.execute("pragma quick_check(1)").fetchone()
            query = "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c"
            columns |= {*base.execute(query)}
            tables = _WITH_GRADES & {table for table, _ in columns}
            holds_grades = any(base.execute(f"select 1 from {name}").fetchone() for name in tables)
    except sqlite3.OperationalError as error:
        raise CourseError(f"{file} cannot be read ({error}): end what else uses it, and try again") from None
    except sqlite3.DatabaseError as error:
        state = str(error)
    if state != "ok":
        problem = f"{file} is damaged ({state.splitlines()[-1]})"
        raise CourseError(f"{problem}: put a copy in its place, or {BEGIN_ANEW}")
    in_use = api.Base.metadata.sorted_tables
    wanted = {(table.name, column.name) for table in in_use for column in table.columns}
    if columns and (missing := sorted(wanted - columns)):
        raise CourseError(
            f"{file} is of another version of nbgrader (it has no {'.'.join(missing[0])}): "
            "`nbgrader db upgrade` renews it, and keeps a copy"
        )
    return holds_grades


def make_gradebook(url: str, course_id: str) -> None:
    """Make a class's gradebook where there is none: it is there whole, or not at all, whatever ends the program."""
    if gradebook_exists(url):
        return
    file = Path(url.removeprefix("sqlite:///"))
    unfinished = file.with_name(f".{file.name}.new")
    for leftover in file.parent.glob(f"{unfinished.name}*"):
        leftover.unlink()
    Gradebook(f"sqlite:///{unfinished}", course_id).close()
    atomic_files.fsync(unfinished)
    os.rename(unfinished, file)
    atomic_files.fsync(file.parent)


def gradebook_exists(db_url: str) -> bool:
    """Return whether there is a gradebook: opening a missing file would make an empty one."""
    file = db_url.removeprefix("sqlite:///")
    return file == db_url or Path(file).is_file()


def query_cells(gradebook: Gradebook, lesson: str, kind: Any, *columns: Any) -> Query:
    """Return one query for a lesson's grades or comments: students, names of cells, and these columns."""
    return (
        gradebook.db.query(api.SubmittedAssignment.student_id.label("student"), api.BaseCell.name, *columns)
        .select_from(kind)
        .join(kind.cell)
        .join(api.SubmittedNotebook, api.SubmittedNotebook.id == kind.notebook_id)
        .join(api.SubmittedAssignment, api.SubmittedAssignment.id == api.SubmittedNotebook.assignment_id)
        .join(api.Assignment, api.Assignment.id == api.SubmittedAssignment.assignment_id)
        .filter(api.Assignment.name == lesson)
        .order_by(api.SubmittedAssignment.student_id, api.BaseCell.name)
    )


@dataclass(frozen=True)
class LessonScore:
    """What a gradebook has of a student's work on a lesson.

    cells: by the names of graded cells, with nbgrader's names: score, max_score, auto_score, manual_score, extra_credit
    and needs_manual_grade. penalty: for being late; handed_in, due: when, in UTC; an extension in the class's own table
    is not looked at.
    """

    cells: Mapping[str, Row]
    penalty: float
    handed_in: datetime | None
    due: datetime | None

    @property
    def raw(self) -> float:
        """Return the points before the penalty."""
        return float(sum(cell.score for cell in self.cells.values()))

    @property
    def points(self) -> float:
        """Return the points less the penalty, which is no more than there is."""
        return max(0.0, self.raw - self.penalty)

    @property
    def most(self) -> float:
        """Return the most points that this work can earn."""
        return float(sum(cell.max_score for cell in self.cells.values()))

    @property
    def is_scored(self) -> bool:
        """Return whether anything was graded, or marked by hand."""
        cells = self.cells.values()
        return any(cell.auto_score is not None or cell.manual_score is not None for cell in cells)

    @property
    def waiting(self) -> int:
        """Return how many answers wait for marks."""
        return sum(cell.needs_manual_grade for cell in self.cells.values())


def read_scores(
    course: CourseDirectory, lesson: str, students: Collection[str] | None = None
) -> dict[str, LessonScore]:
    """Read the scores of a lesson from a class's gradebook, by student; none where there is no gradebook."""
    if not gradebook_exists(course.db_url):
        return {}
    grade, submission = api.Grade, api.SubmittedAssignment
    columns = (
        *(grade.score, grade.max_score, grade.auto_score, grade.manual_score, grade.extra_credit),
        *(grade.needs_manual_grade, api.SubmittedNotebook.late_submission_penalty),
        *(submission.timestamp, submission.extension, api.Assignment.duedate),
    )
    with Gradebook(course.db_url, course.course_id) as gradebook:
        rows = query_cells(gradebook, lesson, grade, *columns)
        if students is not None:
            rows = rows.filter(submission.student_id.in_(students))
        by_student = itertools.groupby(rows.all(), lambda row: row.student)
    scores = dict[str, LessonScore]()
    for student, student_rows in by_student:
        cells = {row.name: row for row in student_rows}
        *_, row = cells.values()
        due = row.duedate + row.extension if row.extension else row.duedate
        scores[student] = LessonScore(cells, row.late_submission_penalty or 0.0, row.timestamp, due)
    return scores


def record_revision(gradebook: Gradebook, lesson: Lesson) -> None:
    """Write down with which revision of the course the gradebook agrees on a lesson."""
    REVISIONS.create(gradebook.engine, checkfirst=True)
    if lesson.course.revision and lesson.course.revision != _revision(gradebook, lesson):
        gradebook.db.execute(delete(REVISIONS).where(REVISIONS.c.lesson == lesson.id))
        gradebook.db.execute(insert(REVISIONS).values(lesson=lesson.id, revision=lesson.course.revision))
        gradebook.db.commit()


def _revision(gradebook: Gradebook, lesson: Lesson) -> str:
    if not inspect(gradebook.engine).has_table(REVISIONS.name):
        return ""
    return gradebook.db.scalar(select(REVISIONS.c.revision).where(REVISIONS.c.lesson == lesson.id)) or ""


def check_lesson(gradebook: Gradebook, lesson: Lesson, points: bool = True) -> None:
    """Compare which cells a gradebook grades in a lesson, and, with `points`, for how much.

    Raises `CourseError` where that differs.
    """
    command = lesson.course.command
    try:
        notebook = gradebook.find_notebook(lesson.notebook, lesson.id)
    except api.MissingEntry:
        remedy = f"`{command} hand-out {lesson.id}` first; a round does it"
        raise CourseError(f"{lesson.id} is not in the gradebook: {remedy}") from None
    stored = {cell.name: cell.max_score for cell in notebook.grade_cells}
    wanted = {f"test_{exercise.id}": float(exercise.points) for exercise in lesson.graded}
    wanted |= {cell.name: float(cell.points) for cell in lesson.cells if cell.marker == "written"}
    differing = sorted(stored.keys() ^ wanted.keys())
    if differing and stored.keys() <= wanted.keys() and not notebook.submissions:
        raise CourseError(f"handing out {lesson.id} was not finished: `{command} hand-out {lesson.id}` again")
    if differing:
        back = "go back to it"
        if revision := _revision(gradebook, lesson):
            back = f"`git checkout {revision}` in {lesson.course.root} goes back to it"
        raise CourseError(
            f"{lesson.id} in the gradebook is of another version of the course ({', '.join(differing)}): "
            f"{back}; or keep gradebook.db elsewhere: {BEGIN_ANEW}"
        )
    if points and (differing := [name for name in wanted if stored[name] != wanted[name]]):
        name = differing[0]
        raise CourseError(
            f"{name} of {lesson.id} is worth {stored[name]:g} points in the gradebook and {wanted[name]:g} in "
            f"solutions/: `{command} build {lesson.id}`, `{command} release {lesson.id}`, then a round"
        )

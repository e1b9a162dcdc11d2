"""Changes of grades that were given before: rows in the class's database, told to the instructor and on the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from nbgrader.coursedir import CourseDirectory

from autograder.classroom.gradebook import LessonScore, gradebook_exists
from autograder.courses import Lesson
from autograder.exercises.text import clean_table_field, clean_text
from autograder.files import atomic_files
from autograder.files.csv_table import as_csv
from autograder.records import record_store
from autograder.records.record_store import GradingRecord

CHANGES_FILE = "changes.csv"
LATE = "late penalty"

CAUSES = {
    "work": "handed in again",
    "time": "another time of handing in, due date, or rule for being late",
    "secret": "a new secret draws the hidden cases",
    "judged_by": "the lesson is judged otherwise",
    "data": "the course's data changed",
    "grader": "the grader judges otherwise",
    "settings": "the grading settings changed",
    "libraries": "the libraries changed",
}
"""Of each column that a grade depends on: how a change of it is called."""


Grade = tuple[GradingRecord, LessonScore]
"""The record of a grade, and what the gradebook has of it."""


@dataclass(frozen=True)
class Points:
    """What the gradebook has for an item; points: None where it waits to be marked; by_grader: what grading gave."""

    points: float | None
    most: float
    by_grader: float | None
    by_hand: bool


@dataclass(frozen=True)
class Change:
    """A change of an item's points. work: the first letters of the digest of what the grade is for now."""

    time: str
    student: str
    lesson: str
    item: str
    before: str
    now: str
    because: str
    work: str = ""

    @property
    def line(self) -> str:
        """Return the change as one line of text for the instructor: the student, the points and the cause."""
        return f"{self.lesson}  {clean_text(self.student)}: {self.item}: {self.before} → {self.now} ({self.because})"

    @property
    def of_other_work(self) -> bool:
        """Return whether other work was handed in since."""
        return self.because.startswith(CAUSES["work"])

    @property
    def told(self) -> str:
        """Return the same line for the student."""
        return f"{self.time[:10]}: {self.item}: {self.before} → {self.now}, because: {self.because}."


CHANGES = sa.Table(
    "attention_course_changes",
    record_store.TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    *(sa.Column(field.name, sa.String, nullable=False) for field in fields(Change)),
    sa.Index("attention_course_changes_of", "lesson", "student"),
)


def _points_by_item(record: GradingRecord, score: LessonScore) -> dict[str, Points]:
    """Return the points of each item, with the penalty; each of what it could earn at most when it was graded."""
    items = dict[str, Points]()
    for name, cell in score.cells.items():
        by_hand = cell.manual_score is not None
        points = None if cell.needs_manual_grade and not by_hand else cell.score
        most = record.worth.get(name, cell.max_score)
        items[name.removeprefix("test_")] = Points(points, most, cell.auto_score, by_hand)
    return {**items, LATE: Points(-score.penalty, 0.0, -score.penalty, False)}


def find_changes(lesson: Lesson, old: Grade, new: Grade) -> list[Change]:
    """Return what changed of a grade from one record and its points to the next, in the lesson's order."""
    (earlier, _), (record, _) = old, new
    if earlier.problem or record.problem:  # zero points for a file that could not be read are no grade
        return []
    old_items, new_items = _points_by_item(*old), _points_by_item(*new)
    order = {cell.grade_id.removeprefix("test_"): number for number, cell in enumerate(lesson.cells)}
    time, changes = f"{record_store.now()[:16].replace('T', ' ')} UTC", []
    for item in sorted(new_items, key=lambda name: order.get(name, len(order))):
        old_points, points = old_items.get(item), new_items[item]
        if old_points and (because := _because(earlier, record, old_points, points)):
            words = _in_words(old_points, item), _in_words(points, item)
            changes.append(Change(time, record.student, lesson.id, item, *words, because, record.work[:12]))
    return changes


def _because(earlier: GradingRecord, record: GradingRecord, old: Points, new: Points) -> str:
    """Return why an item's points are others now; empty where they are not, or the instructor has just set them."""
    if new.by_hand and not old.by_hand:
        return ""
    by_hand = new.by_hand and old.by_hand and old.points == new.points
    if (old.points, old.most) == (new.points, new.most) and not (by_hand and old.by_grader != new.by_grader):
        return ""
    causes = []
    if old.most != new.most:
        causes.append(f"worth {new.most:g} points now, {old.most:g} before")
    for name, cause in CAUSES.items():
        differs = getattr(earlier, name) != getattr(record, name)
        if differs and not (causes and name == "judged_by"):
            causes.append(cause)
    causes = causes or ["graded again"]
    if by_hand:
        differs = old.by_grader != new.by_grader and old.by_grader is not None and new.by_grader is not None
        causes.append(
            "set by hand, and kept" + (f"; the grader gives {new.by_grader:g} now" if differs else "")
        )
    return "; ".join(causes)


def _in_words(points: Points, item: str) -> str:
    if item == LATE:
        return f"{abs(points.points or 0):g} taken off"
    return f"{'waiting' if points.points is None else f'{points.points:g}'} of {points.most:g}"


def add_changes(db: Any, changes: Sequence[Change]) -> None:
    """Add changes, in the transaction of this connection or session."""
    if changes:
        db.execute(sa.insert(CHANGES), [vars(change) for change in changes])


def read_changes(course: CourseDirectory, lesson: str = "") -> list[Change]:
    """Read the changes of a lesson, or of all, in order."""
    if not gradebook_exists(course.db_url):
        return []
    columns = [CHANGES.c[field.name] for field in fields(Change)]
    of = [CHANGES.c.lesson == lesson] if lesson else []
    with record_store.transaction(course) as db:
        return [Change(*row) for row in db.execute(sa.select(*columns).where(*of).order_by(CHANGES.c.id))]


def take_unreported(course: CourseDirectory) -> list[Change]:
    """Return the changes that no round has reported yet, and mark them as reported; the table for people has all."""
    changes = read_changes(course)
    if not changes:
        return []
    rows = (map(clean_table_field, astuple(change)) for change in changes)
    text, table = as_csv([[field.name for field in fields(Change)], *rows]), Path(course.root, CHANGES_FILE)
    if not table.is_file() or table.read_bytes() != text.encode():
        atomic_files.atomic_write(table, text.encode(), mode=0o600)
    with record_store.transaction(course) as db:
        reported = int(record_store.read_state(db, "told") or 0)
        record_store.write_state(db, "told", str(len(changes)))
    return changes[reported:]


def lines_for_student(changes: Iterable[Change], student: str, work: str) -> list[str]:
    """Return the lines for a student on how the grade of this work changed after it was given."""
    matches = (change for change in changes if change.student == student and change.work == work[:12])
    return [change.told for change in matches if not change.of_other_work]

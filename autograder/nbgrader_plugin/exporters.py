"""The table of grades, `grades.csv`, as `nbgrader export` writes it.

A score is the gradebook's, with what was graded by hand and less the late penalty. Who has handed in nothing has no
score, which is not 0; nor has work that is not graded, or waits for marks. A lesson that was not handed out is in none.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from nbgrader.api import Assignment, Gradebook, Student
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin

from autograder.model.errors import CourseError
from autograder.model.text import in_table
from autograder.nbgrader_plugin import standing
from autograder.nbgrader_plugin.dates import read_dates
from autograder.nbgrader_plugin.standing import Stage, Standing

Entry = TypeVar("Entry")

Standings = Mapping[tuple[str, str], Standing]
"""By lesson and student."""

_COLUMNS = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score", "standing", "reason"),
)


class GradesExporter(ExportPlugin):
    """`grades.csv`: the columns of nbgrader's own, and how each student stands in each lesson, in words."""

    filename = "grades.csv"

    def export(self, gradebook: Gradebook) -> None:
        """Write the grades of the wanted students and lessons, all when none is named.

        A name that the gradebook does not know, or a file that cannot be written, ends the command with one line.
        """
        target = Path(self.to or self.filename)
        course: CourseDirectory = self.parent.coursedir
        try:
            known = {one.name: one for one in sorted(gradebook.assignments, key=lambda one: one.name)}
            lessons = [*self.assignment] or standing.lessons_handed_out(course)
            assignments = _wanted(lessons, known, "lesson") if lessons else []
            found = {one.name: standing.read_standings(course, one.name) for one in assignments}
            students = {one.id: one for one in sorted(gradebook.students, key=_order)}
            for other in sorted({one.student for of in found.values() for one in of} - students.keys()):
                students[other] = Student(id=other)
            chosen = _wanted(self.student, students, "student")
            standings = {(lesson, one.student): one for lesson, of in found.items() for one in of}
            with target.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
                rows = self.rows(assignments, chosen, standings)
                csv.writer(file, lineterminator="\n").writerows(rows)
        except CourseError as error:
            sys.exit(f"✗ {error}")
        except OSError as error:
            sys.exit(f"✗ cannot write {target} ({error.strerror}): name another file with --to")
        self.log.info("%s: %d students, %d lessons", target, len(chosen), len(assignments))

    def rows(
        self, assignments: Sequence[Assignment], students: Sequence[Student], standings: Standings
    ) -> Iterator[Sequence[str]]:
        """The table's, with the heading: a row for each lesson and student."""
        yield _COLUMNS
        for assignment in assignments:
            for student in students:
                nothing = Standing(student.id, Stage.NOT_HANDED_IN)
                one = standings.get((assignment.name, student.id), nothing)
                yield [*map(in_table, self._row(assignment, student, one))]

    def _row(self, assignment: Assignment, student: Student, one: Standing) -> Iterator[str]:
        course = self.parent.coursedir
        due = read_dates(Path(course.root)).of(assignment.name, student.id).due
        theirs = one.earned.due if one.earned else assignment.duedate
        came = one.earned.handed_in if one.earned else None
        yield from (assignment.name, str(due or theirs or ""), str(came or ""))
        yield from (student.id, student.last_name or "", student.first_name or "", student.email or "")
        of_these = (one.earned.raw, one.earned.penalty) if one.earned else (None, None)
        for score in (*of_these, one.score, assignment.max_score):
            yield "" if score is None else number(score)
        yield from (one.stage, one.reason)


def number(score: float, digits: int = 2) -> str:
    """A score with a decimal point and at most so many decimals, but none that are zero; Canvas keeps two."""
    text = f"{score:.{digits}f}"
    return text.rstrip("0").rstrip(".") if digits else text


def _order(student: Student) -> tuple[str, ...]:
    last_name, first_name = student.last_name or "", student.first_name or ""
    return Standing(student.id, Stage.NOT_HANDED_IN, last_name=last_name, first_name=first_name).order


def _wanted(names: Sequence[object], known: dict[str, Entry], kind: str) -> list[Entry]:
    """The entries of these names, all when there are none. Raises `CourseError` for a name that is not known."""
    for name in map(str, names):
        if name not in known:
            raise CourseError(f"the gradebook has no {kind} {name!r}; it has {', '.join(known) or 'none'}")
    return [entry for name, entry in known.items() if not names or name in map(str, names)]

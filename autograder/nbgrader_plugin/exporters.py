"""Grades as tables: `grades.csv`, and the files that Canvas and Moodle import, by `nbgrader export --exporter=…`.

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
from traitlets import Dict

from autograder.model.errors import CourseError
from autograder.model.text import FORMULA, clean_name
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
            students = {one.id: one for one in gradebook.students}
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
                yield [*map(no_formula, self._row(assignment, student, one))]

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


class _PlatformExporter(GradesExporter):
    """A table with a column for each lesson: the heading and what is said of each student are a subclass's."""

    no_grade = ""

    def rows(
        self, assignments: Sequence[Assignment], students: Sequence[Student], standings: Standings
    ) -> Iterator[Sequence[str]]:
        """A row for each student; of whom no score is told, a line in the log says why."""
        yield from self.heading(assignments)
        for assignment in assignments:
            for stage in (Stage.NOT_GRADED, Stage.WAITS, Stage.WITHDRAWN):
                found = [one for (name, _), one in standings.items() if name == assignment.name]
                if names := [one.name for one in found if one.stage is stage]:
                    self.log.warning("%s: %s: %s", assignment.name, stage, ", ".join(names))
        for student in students:
            known = [standings.get((one.name, student.id)) for one in assignments]
            scores = [one.score if one else None for one in known]
            points = (self.no_grade if score is None else number(score) for score in scores)
            yield [*(no_formula(text or "") for text in self.person(student)), *points]

    def heading(self, assignments: Sequence[Assignment]) -> Iterator[Sequence[str]]:
        """The rows above the students'."""
        raise NotImplementedError

    def person(self, student: Student) -> Sequence[str | None]:
        """What stands before a student's scores."""
        raise NotImplementedError


class CanvasExporter(_PlatformExporter):
    """The form of Canvas's own gradebook export, which it imports again.

    `SIS Login ID` is nbgrader's student id, `ID` is nbgrader's `lms_user_id`, Canvas's own number: it finds people by
    either. See "How do I import grades in the Gradebook?" in Canvas's instructor guide.
    """

    filename = "canvas.csv"
    titles = Dict(
        help="Canvas's names of lessons, with its number in brackets where the assignment is there already: "
        '{"01_weighted_sums": "Weighted sums (4711)"}. Else a lesson keeps its own.'
    ).tag(config=True)

    def heading(self, assignments: Sequence[Assignment]) -> Iterator[Sequence[str]]:
        titles = [no_formula(self.titles.get(one.name, one.name)) for one in assignments]
        yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles]
        yield ["    Points Possible", "", "", "", "", *(number(one.max_score) for one in assignments)]

    def person(self, student: Student) -> Sequence[str | None]:
        name = ", ".join(text for text in (student.last_name, student.first_name) if text) or student.id
        return [name, student.lms_user_id, "", student.id, ""]


class MoodleExporter(_PlatformExporter):
    """The columns of Moodle's own grade export, with the user name before them; map any of them to its users.

    `Username` is nbgrader's student id, `ID number` is nbgrader's `lms_user_id`. "-" is Moodle's own sign for no
    grade: an empty cell becomes 0 where the import makes a new grade item. See https://docs.moodle.org/en/Grade_import
    """

    filename = "moodle.csv"
    no_grade = "-"

    def heading(self, assignments: Sequence[Assignment]) -> Iterator[Sequence[str]]:
        names = [no_formula(one.name) for one in assignments]
        yield ["Username", "ID number", "Email address", "First name", "Last name", *names]

    def person(self, student: Student) -> Sequence[str | None]:
        return [student.id, student.lms_user_id, student.email, student.first_name, student.last_name]


def no_formula(text: str) -> str:
    """A text, cleaned, that no spreadsheet takes for a formula: an apostrophe stands before one that looks so."""
    line = clean_name(text)
    return f"'{line}" if line.startswith(FORMULA) else line


def number(score: float, digits: int = 2) -> str:
    """A score with a decimal point and at most so many decimals, but none that are zero; Canvas keeps two."""
    text = f"{score:.{digits}f}"
    return text.rstrip("0").rstrip(".") if digits else text


def _wanted(names: Sequence[object], known: dict[str, Entry], kind: str) -> list[Entry]:
    """The entries of these names, all when there are none. Raises `CourseError` for a name that is not known."""
    for name in map(str, names):
        if name not in known:
            raise CourseError(f"the gradebook has no {kind} {name!r}; it has {', '.join(known) or 'none'}")
    return [entry for name, entry in known.items() if not names or name in map(str, names)]

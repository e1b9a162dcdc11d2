"""Grades as files that Canvas and Moodle import: `nbgrader export --exporter=…`.

A score is the gradebook's, with what was graded by hand and less the late penalty. Who has handed in nothing has no
score, which is not 0.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from nbgrader.api import Assignment, Gradebook, MissingEntry, Student
from nbgrader.plugins import ExportPlugin
from traitlets import Dict

from autograder.model.errors import CourseError
from autograder.model.text import FORMULA
from autograder.nbgrader_plugin.gradebook import earned

Entry = TypeVar("Entry")


class _TableExporter(ExportPlugin):
    """Writes one table: the heading and what is said of each student, from a subclass, and the scores."""

    filename = ""
    no_grade = ""

    def heading(self, assignments: Sequence[Assignment]) -> Iterable[Sequence[str]]:
        """The rows above the students'."""
        raise NotImplementedError

    def person(self, student: Student) -> Sequence[str | None]:
        """What stands before a student's scores."""
        raise NotImplementedError

    def export(self, gradebook: Gradebook) -> None:
        """Write the grades of the wanted students and lessons, all when none is named.

        A name that the gradebook does not know, or a file that cannot be written, ends the command with one line.
        """
        target = Path(self.to or self.filename)
        try:
            assignments = _wanted(self.assignment, {one.name: one for one in gradebook.assignments}, "lesson")
            students = _wanted(self.student, {one.id: one for one in gradebook.students}, "student")
            assignments.sort(key=lambda one: one.name)
            scores = [self._scores(gradebook, assignment, students) for assignment in assignments]
            rows = list(self.heading(assignments))
            for student in students:
                points = (found.get(student.id, self.no_grade) for found in scores)
                rows.append([*(plain(text or "") for text in self.person(student)), *points])
            with target.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(rows)
        except CourseError as error:
            sys.exit(f"✗ {error}")
        except OSError as error:
            sys.exit(f"✗ cannot write {target} ({error.strerror}): name another file with --to")
        self.log.info("%s: %d students, %d lessons", target, len(students), len(assignments))

    def _scores(
        self, gradebook: Gradebook, assignment: Assignment, students: Sequence[Student]
    ) -> dict[str, str]:
        """By student, of those who handed something in; what still waits to be graded by hand is said."""
        found, waiting = {}, []
        for student in students:
            with suppress(MissingEntry):
                submission = gradebook.find_submission(assignment.name, student.id)
                found[student.id] = number(earned(submission))
                waiting += [student.id] if submission.needs_manual_grade else []
        if waiting:
            self.log.warning(
                "%s: %d submissions hold answers that wait to be graded by hand and count 0 so far: %s",
                assignment.name,
                len(waiting),
                ", ".join(waiting),
            )
        return found


class CanvasExporter(_TableExporter):
    """The form of Canvas's own gradebook export, which it imports again.

    `SIS Login ID` is nbgrader's student id, `ID` is nbgrader's `lms_user_id`, Canvas's own number: it finds people by
    either. See "How do I import grades in the Gradebook?" in Canvas's instructor guide.
    """

    filename = "canvas.csv"
    titles = Dict(
        help="Canvas's names of lessons, with its number in brackets where the assignment is there already: "
        '{"01_weighted_sums": "Weighted sums (4711)"}. Else a lesson keeps its own.'
    ).tag(config=True)

    def heading(self, assignments: Sequence[Assignment]) -> Iterable[Sequence[str]]:
        titles = [plain(self.titles.get(one.name, one.name)) for one in assignments]
        yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles]
        yield ["    Points Possible", "", "", "", "", *(number(one.max_score) for one in assignments)]

    def person(self, student: Student) -> Sequence[str | None]:
        name = ", ".join(text for text in (student.last_name, student.first_name) if text) or student.id
        return [name, student.lms_user_id, "", student.id, ""]


class MoodleExporter(_TableExporter):
    """The columns of Moodle's own grade export, with the user name before them; map any of them to its users.

    `Username` is nbgrader's student id, `ID number` is nbgrader's `lms_user_id`. "-" is Moodle's own sign for no
    grade: an empty cell becomes 0 where the import makes a new grade item. See https://docs.moodle.org/en/Grade_import
    """

    filename = "moodle.csv"
    no_grade = "-"

    def heading(self, assignments: Sequence[Assignment]) -> Iterable[Sequence[str]]:
        names = [plain(one.name) for one in assignments]
        yield ["Username", "ID number", "Email address", "First name", "Last name", *names]

    def person(self, student: Student) -> Sequence[str | None]:
        return [student.id, student.lms_user_id, student.email, student.first_name, student.last_name]


def plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula: an apostrophe stands before one that looks so."""
    line = " ".join(text.split())
    return f"'{line}" if line.startswith(FORMULA) else line


def number(score: float) -> str:
    """A score with a decimal point and at most two decimals, as Canvas keeps them."""
    return f"{score:.2f}".rstrip("0").rstrip(".")


def _wanted(names: Sequence[object], known: dict[str, Entry], kind: str) -> list[Entry]:
    """The entries of these names, all when there are none. Raises `CourseError` for a name that is not known."""
    for name in map(str, names):
        if name not in known:
            raise CourseError(f"the gradebook has no {kind} {name!r}; it has {', '.join(known) or 'none'}")
    return [entry for name, entry in known.items() if not names or name in map(str, names)]

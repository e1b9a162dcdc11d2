"""Grades as files that Canvas and Moodle import: `nbgrader export --exporter=…`.

A score is the gradebook's, with what was graded by hand and less the late penalty. Who has handed in nothing has no
score, which is not 0.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from nbgrader.api import Assignment, Gradebook, MissingEntry, Student, SubmittedAssignment
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, Unicode

from autograder.model.errors import CourseError

FORMULA_STARTS = ("=", "+", "-", "@")
"""With one of these a spreadsheet reads a cell as a formula: https://owasp.org/www-community/attacks/CSV_Injection"""

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Grades:
    """What is exported: scores[student.id][assignment.name], without those who handed in nothing."""

    assignments: tuple[Assignment, ...]
    students: tuple[Student, ...]
    scores: dict[str, dict[str, float]]


class _TableExporter(ExportPlugin):
    """Writes one table, whose rows a subclass gives."""

    filename = ""

    def export(self, gradebook: Gradebook) -> None:
        """Write the grades of the wanted students and lessons, all when none is named.

        A name that the gradebook does not know, or a file that cannot be written, ends the command with one line.
        """
        try:
            self._write(self._read(gradebook))
        except CourseError as error:
            sys.exit(f"✗ {error}")

    def rows(self, grades: Grades) -> Iterable[Sequence[str]]:
        """The table, heading first."""
        raise NotImplementedError

    def _write(self, grades: Grades) -> None:
        target = Path(self.to or self.filename)
        try:
            with target.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(self.rows(grades))
        except OSError as error:
            raise CourseError(
                f"cannot write {target} ({error.strerror}): name another file with --to"
            ) from None
        self.log.info("%s: %d students, %d lessons", target, len(grades.students), len(grades.assignments))

    def _read(self, gradebook: Gradebook) -> Grades:
        assignments = _wanted(self.assignment, {one.name: one for one in gradebook.assignments}, "lesson")
        students = _wanted(self.student, {one.id: one for one in gradebook.students}, "student")
        scores: dict[str, dict[str, float]] = {student.id: {} for student in students}
        for assignment in assignments:
            submissions = _submissions(gradebook, assignment, students)
            self._say_what_waits(assignment, submissions)
            for student, submission in submissions.items():
                penalty = submission.late_submission_penalty or 0.0
                scores[student][assignment.name] = max(0.0, submission.score - penalty)
        return Grades(tuple(sorted(assignments, key=lambda one: one.name)), tuple(students), scores)

    def _say_what_waits(self, assignment: Assignment, submissions: dict[str, SubmittedAssignment]) -> None:
        waiting = [student for student, submission in submissions.items() if submission.needs_manual_grade]
        if waiting:
            self.log.warning(
                "%s: %d submissions hold answers that wait to be graded by hand and count 0 so far: %s",
                assignment.name,
                len(waiting),
                ", ".join(waiting),
            )


def _submissions(
    gradebook: Gradebook, assignment: Assignment, students: Sequence[Student]
) -> dict[str, SubmittedAssignment]:
    """What was handed in, by student."""
    found = {}
    for student in students:
        with suppress(MissingEntry):
            found[student.id] = gradebook.find_submission(assignment.name, student.id)
    return found


class CanvasExporter(_TableExporter):
    """The form of Canvas's own gradebook export, which it imports again.

    `SIS Login ID` is nbgrader's student id, `ID` is nbgrader's `lms_user_id`, Canvas's own number: it finds people by
    either. See "How do I import grades in the Gradebook?" in Canvas's instructor guide.
    """

    filename = "canvas.csv"
    section = Unicode("", help="What stands in the Section column.").tag(config=True)
    titles = Dict(
        help="Canvas's names of lessons, with its number in brackets where the assignment is there already: "
        '{"01_weighted_sums": "Weighted sums (4711)"}. Else a lesson keeps its own.'
    ).tag(config=True)

    def rows(self, grades: Grades) -> Iterable[Sequence[str]]:
        titles = [plain(self.titles.get(one.name, one.name)) for one in grades.assignments]
        yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles]
        yield ["    Points Possible", "", "", "", "", *(number(one.max_score) for one in grades.assignments)]
        for student in grades.students:
            name = ", ".join(text for text in (student.last_name, student.first_name) if text) or student.id
            people = [name, student.lms_user_id or "", "", student.id, self.section]
            scores = grades.scores[student.id]
            yield [*map(plain, people), *(number(scores.get(one.name)) for one in grades.assignments)]


class MoodleExporter(_TableExporter):
    """The columns of Moodle's own grade export, with the user name before them; map any of them to its users.

    `Username` is nbgrader's student id, `ID number` is nbgrader's `lms_user_id`. "-" is Moodle's own sign for no
    grade: an empty cell becomes 0 where the import makes a new grade item. See https://docs.moodle.org/en/Grade_import
    """

    filename = "moodle.csv"
    no_grade = "-"

    def rows(self, grades: Grades) -> Iterable[Sequence[str]]:
        names = [plain(one.name) for one in grades.assignments]
        yield ["Username", "ID number", "Email address", "First name", "Last name", *names]
        for student in grades.students:
            people = [student.id, student.lms_user_id, student.email, student.first_name, student.last_name]
            scores = grades.scores[student.id]
            found = (number(scores.get(one.name)) or self.no_grade for one in grades.assignments)
            yield [*(plain(text or "") for text in people), *found]


def plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula: an apostrophe stands before one that looks so."""
    line = " ".join(text.split())
    return f"'{line}" if line.startswith(FORMULA_STARTS) else line


def number(score: float | None) -> str:
    """A score with a decimal point and at most two decimals, as Canvas keeps them; empty for none."""
    return "" if score is None else f"{score:.2f}".rstrip("0").rstrip(".")


def _wanted(names: Sequence[object], known: dict[str, Entry], kind: str) -> list[Entry]:
    """The entries of these names, all when there are none. Raises `CourseError` for a name that is not known."""
    for name in map(str, names):
        if name not in known:
            raise CourseError(f"the gradebook has no {kind} {name!r}; it has {', '.join(known) or 'none'}")
    return [entry for name, entry in known.items() if not names or name in map(str, names)]

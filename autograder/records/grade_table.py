"""The table of grades, `grades.csv`, as `nbgrader export` writes it.

A score is that of the attempt that counts, with what was graded by hand and less the late penalty. A student who has
handed in nothing or is excused has no score, which is not 0; nor has work that is not graded, or waits for marks. A
lesson that was not handed out is in none.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin

from autograder.classroom.dates import read_dates
from autograder.exercises.errors import CourseError
from autograder.exercises.text import clean_table_field
from autograder.files.csv_table import as_csv
from autograder.records import submission_status
from autograder.records.submission_status import Stage, SubmissionStatus

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
            assignments = sorted(assignment.name for assignment in gradebook.assignments)
            lessons = _wanted(self.assignment, assignments, "lesson")
            lessons = lessons or submission_status.lessons_handed_out(course)
            statuses = {lesson: submission_status.load_statuses(course, lesson) for lesson in lessons}
            students = {status.student: status for of in statuses.values() for status in of}
            ordered = sorted(students, key=lambda student: students[student].order)
            named = _wanted(self.student if lessons else (), ordered, "student")
            chosen = [students[name] for name in named or ordered]
            text = as_csv(self.rows(gradebook, chosen, statuses))
            target.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
        except CourseError as error:
            sys.exit(f"✗ {error}")
        except OSError as error:
            sys.exit(f"✗ cannot write {target} ({error.strerror}): name another file with --to")
        self.log.info("%s: %d students, %d lessons", target, len(chosen), len(lessons))

    def rows(
        self,
        gradebook: Gradebook,
        students: Sequence[SubmissionStatus],
        statuses: Mapping[str, Sequence[SubmissionStatus]],
    ) -> Iterator[Iterable[str]]:
        """Yield the table's, with the heading: a row for each lesson and student."""
        yield _COLUMNS
        dates = read_dates(Path(self.parent.coursedir.root))
        emails = {student.id: student.email for student in gradebook.students}
        for lesson, of_lesson in statuses.items():
            assignment = gradebook.find_assignment(lesson)
            by_student = {status.student: status for status in of_lesson}
            for student in students:
                nothing = replace(student, stage=Stage.NOT_HANDED_IN, earned=None, problem=None)
                status = by_student.get(student.student, nothing)
                due, handed_in, scores = assignment.duedate, None, list[float | None]([None, None])
                if status.earned:
                    due, handed_in = status.earned.due, status.earned.handed_in
                    scores = [status.earned.raw, status.earned.penalty]
                if status.best:
                    handed_in = status.best.when
                    scores = [status.best.points + status.best.penalty, status.best.penalty]
                if status.stage is Stage.EXCUSED:
                    scores = [None, None]
                due = dates.of(lesson, status.student).due or due
                person = (status.student, status.last_name, status.first_name, emails.get(status.student))
                scores += [status.score, assignment.max_score]
                points = ("" if score is None else number(score) for score in scores)
                cells = (lesson, due, handed_in, *person, *points, status.stage, status.reason)
                yield (clean_table_field(str(cell or "")) for cell in cells)


def number(score: float, digits: int = 2) -> str:
    """Return a score with a decimal point and at most so many decimals, but none that are zero; Canvas keeps two."""
    text = f"{score:.{digits}f}"
    return text.rstrip("0").rstrip(".") if digits else text


def _wanted(names: Iterable[object], existing: Sequence[str], kind: str) -> list[str]:
    """Return names in the order of those that exist. Raises `CourseError` for one that does not."""
    wanted = {*map(str, names)}
    for name in sorted(wanted.difference(existing)):
        raise CourseError(f"the gradebook has no {kind} {name!r}; it has {', '.join(existing) or 'none'}")
    return [name for name in existing if name in wanted]

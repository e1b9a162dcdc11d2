"""The class report for the instructor: what grading left behind, a page and a table a lesson, and a page a student."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from autograder.class_report import similarity, statistics, student_page
from autograder.class_report.student_page import STUDENTS, page_name
from autograder.classroom import grade_table, mistake_clusters, records, submission_status
from autograder.classroom.atomic_files import atomic_write
from autograder.classroom.dates import format_time, read_dates
from autograder.classroom.gradebook import check_class_folder, directory_of
from autograder.classroom.records import WITH_GRADE, ClassRecord
from autograder.classroom.transaction import recover
from autograder.courses import Course, Lesson
from autograder.exercises.errors import CourseError
from autograder.exercises.text import in_table, some
from autograder.pages import html_pages
from autograder.submissions.limits import MAX_UNNAMED
from autograder.submissions.submission_folder import printable

_COLUMNS = ("student", "exercise", "points", "max_points", "state", "misconception", "first_failing_line")


def write_reports(course: Course, wanted: list[str], folder: Path, student: str = "") -> None:
    """Write the reports on the wanted lessons of a course folder, all graded ones when none is named; then each
    student's page, too, on all lessons that were handed out. student: whose page alone is written.

    Raises `CourseError` where nothing is graded, or nobody has this id.
    """
    directory = directory_of(course, folder)
    check_class_folder(folder, directory.db_url)
    recover(directory)
    lessons = course.chosen(wanted)
    graded = [lesson for lesson in lessons if records.graded_work(folder, lesson)]
    missing = [lesson.id for lesson in lessons if wanted and lesson not in graded]
    if missing or not graded:
        raise CourseError(
            f"nothing is graded yet{' of ' * bool(missing)}{', '.join(missing)} in {folder}: "
            f"`{course.command} round` first, or name another course folder with --folder"
        )
    if student or not wanted:
        write_students(course, folder, student)
    if not student:
        write_classes([records.read_class(folder, lesson) for lesson in graded], folder)


def write_students(course: Course, folder: Path, student: str = "") -> None:
    """Write `reports/students/<id>.html` for everybody, or for one student alone.

    Raises `CourseError` where nobody has this id.
    """
    dates, handed_out = read_dates(folder), submission_status.lessons_handed_out(directory_of(course, folder))
    classes = [
        records.read_class(folder, lesson)
        for lesson in course.lessons
        if lesson.id in handed_out or records.graded_work(folder, lesson)
    ]
    standings = {one.student: one for record in classes for one in record.statuses}
    if student and student not in standings:
        names = some(sorted(one.name for one in standings.values()), 5)
        raise CourseError(f"nobody in {folder} is called {printable(student)!r}: there are {names}")
    place = folder / "reports" / STUDENTS
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    groups = {record.lesson.id: _compare(record, folder).groups for record in classes}
    zone = dates.zone or "UTC"
    for other in [student] if student else sorted(standings):
        page = _render(
            "student.html.j2",
            lessons=student_page.term(other, classes, groups, dates),
            now=format_time(datetime.now(UTC), zone),
            zone=zone,
            person=standings[other],
            sections=dates.sections_of(other),
        )
        atomic_write(place / page_name(other), page.encode(errors="backslashreplace"), mode=0o600)
    if student:
        print(place / page_name(student))
        return
    for path in {*place.glob("*.html")} - {place / page_name(other) for other in standings}:
        path.unlink()
    print(f"{place} ({len(standings)} students)")


def _compare(record: ClassRecord, folder: Path) -> similarity.Comparison:
    texts = {submission.student: submission.code for submission in record.started}
    return similarity.compare(texts, directory_of(record.lesson.course, folder), record.lesson.id)


def _terms(classes: Sequence[ClassRecord], reports: Path) -> dict[str, str]:
    """Return links from a report to the students' own pages, as far as these are written."""
    names = {student: page_name(student) for student in statistics.labels(classes)}
    written = {path.name for path in (reports / STUDENTS).glob("*.html")}
    return {one: f"{STUDENTS}/{quote(name)}" for one, name in names.items() if name in written}


def write_classes(classes: Sequence[ClassRecord], folder: Path) -> None:
    """Write `reports/<lesson>.html` and `.csv` on each, and `reports/index.html` when there are several."""
    reports = folder / "reports"
    reports.mkdir(exist_ok=True)
    for number, record in enumerate(classes, start=1):
        path = reports / f"{record.lesson.id}.html"
        page = _render(
            "report.html.j2",
            record=record,
            told=read_dates(folder).told(record.lesson.id),
            statistics=statistics,
            unnamed=mistake_clusters.unnamed_clusters(folder, record.lesson),
            most_unnamed=MAX_UNNAMED,
            names=mistake_clusters.NAMES,
            alike=_compare(record, folder),
            terms=_terms([record], reports),
        )
        path.write_text(page, encoding="utf-8", errors="backslashreplace")
        _write_table(record, path.with_suffix(".csv"))
        print(f"[{number}/{len(classes)}] {path} ({len(record.submissions)} students)")
    if len(classes) > 1:
        path = reports / "index.html"
        page = _render(
            "index.html.j2",
            lessons=[(record, statistics.overview(record), statistics.shares(record)) for record in classes],
            columns=[("Student", ""), *((record.lesson.id[:2], "n") for record in classes)],
            terms=_terms(classes, reports),
            labels=statistics.labels(classes),
        )
        path.write_text(page, encoding="utf-8", errors="backslashreplace")
        print(path)


def remove_stale(lesson: Lesson, folder: Path) -> None:
    """Remove what tells of work that is no longer graded: all students' pages, which `report` writes anew, and a
    lesson's report where none of its work is graded any more.
    """
    shutil.rmtree(folder / "reports" / STUDENTS, ignore_errors=True)
    if not records.graded_work(folder, lesson):
        for path in (folder / "reports").glob(f"{lesson.id}.*"):
            path.unlink()


def _write_table(record: ClassRecord, path: Path) -> None:
    """Write a row for each student and item; points stay empty while an answer waits to be marked.

    A student without a grade gets one row, which says how they stand.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(_COLUMNS)
        for one in (result for submission in record.submissions for result in submission.results):
            points = "" if one.points is None else f"{one.points:g}"
            about = map(in_table, (one.state, one.misconception, one.first_failing))
            rows.writerow((in_table(one.student), one.item, points, f"{one.max_points:g}", *about))
        for other in record.statuses:
            if other.stage not in WITH_GRADE:
                rows.writerow(map(in_table, (other.name, "", "", "", other.stage, "", other.reason)))


def _render(template: str, **values: object) -> str:
    filters: html_pages.Filters = {"number": grade_table.number, "clock": student_page.clock}
    return html_pages.render_with_script(__name__, template, "sort.js", filters, **values)[0]

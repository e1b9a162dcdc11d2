"""The class report for the instructor: what grading left behind, a page and a table a lesson, and a page a student."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from autograder.class_report import similarity, statistics, student_page
from autograder.class_report.student_page import STUDENTS, page_name
from autograder.classroom import group_work
from autograder.classroom.class_folder import directory_of
from autograder.classroom.dates import format_time, read_dates
from autograder.courses import Course, Lesson
from autograder.exercises.errors import CourseError
from autograder.exercises.limits import MAX_UNNAMED_MISTAKES
from autograder.exercises.text import clean_table_field, list_first
from autograder.files.atomic_files import atomic_write
from autograder.files.csv_table import as_csv
from autograder.pages import html_pages
from autograder.records import class_record, grade_table, mistake_clusters, record_store, submission_status
from autograder.records.class_record import WITH_GRADE, ClassRecord
from autograder.submissions.submission_folder import printable

_COLUMNS = ("student", "exercise", "points", "max_points", "state", "misconception", "first_failing_line")


def write_reports(course: Course, wanted: list[str], folder: Path, student: str = "") -> None:
    """Write the reports on the wanted lessons, or on all graded ones and each student's page when none is named.

    A student's page is about all lessons that were handed out. Where `student` is given, only this student's page is
    written.

    Raises `CourseError` where nothing is graded, or nobody has this id.
    """
    lessons = course.chosen(wanted)
    graded = [lesson for lesson in lessons if class_record.graded_work(folder, lesson)]
    missing = [lesson.id for lesson in lessons if wanted and lesson not in graded]
    if missing or not graded:
        raise CourseError(
            f"nothing is graded yet{' of ' * bool(missing)}{', '.join(missing)} in {folder}: "
            f"`{course.command} round` first, or name another course folder with --class"
        )
    if student or not wanted:
        write_students(course, folder, student)
    if not student:
        write_classes([class_record.read_class(folder, lesson) for lesson in graded], folder)


def write_students(course: Course, folder: Path, student: str = "") -> None:
    """Write `reports/students/<id>.html` for everybody, or for one student alone.

    Raises `CourseError` where nobody has this id.
    """
    dates, handed_out = read_dates(folder), submission_status.lessons_handed_out(directory_of(course, folder))
    classes = [
        class_record.read_class(folder, lesson)
        for lesson in course.lessons
        if lesson.id in handed_out or class_record.graded_work(folder, lesson)
    ]
    standings = {standing.student: standing for record in classes for standing in record.statuses}
    if student and student not in standings:
        names = list_first(sorted(standing.name for standing in standings.values()), 5)
        raise CourseError(f"nobody in {folder} is called {printable(student)!r}: there are {names}")
    place = folder / "reports" / STUDENTS
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    groups = {record.lesson.id: _compare(record, folder).groups for record in classes}
    zone = dates.zone or "UTC"
    pages = {name: place / page_name(name) for name in ([student] if student else sorted(standings))}
    for name, path in pages.items():
        _write_page(
            path,
            "student.html.j2",
            lessons=student_page.read_lessons(name, classes, groups, dates),
            now=format_time(datetime.now(UTC), zone),
            zone=zone,
            person=standings[name],
            sections=dates.sections_of(name),
        )
    if student:
        print(pages[student])
        return
    for path in {*place.glob("*.html")} - {*pages.values()}:
        path.unlink()
    print(f"{place} ({len(standings)} students)")


def _compare(record: ClassRecord, folder: Path) -> similarity.Comparison:
    lesson, texts = record.lesson, dict[str, str]()
    for submission in record.started:
        if group_work.submitter_of(folder, lesson.id, submission.student) == submission.student:
            texts[submission.student] = submission.code
    directory, state = directory_of(lesson.course, folder), f"fingerprints of {lesson.id}"
    with record_store.transaction(directory) as db:
        old_text = record_store.read_state(db, state)
    stored = json.loads(old_text or "{}")
    comparison = similarity.compare(texts, stored)
    if (new_text := json.dumps(stored, sort_keys=True)) != old_text:
        with record_store.transaction(directory) as db:
            record_store.write_state(db, state, new_text)
    return comparison


def _student_pages(classes: Sequence[ClassRecord], reports: Path) -> dict[str, str]:
    """Return links from a report to the students' own pages that exist."""
    pages = {}
    for student in statistics.labels(classes):
        if (reports / STUDENTS / page_name(student)).exists():
            pages[student] = f"{STUDENTS}/{quote(page_name(student))}"
    return pages


def write_classes(classes: Sequence[ClassRecord], folder: Path) -> None:
    """Write `reports/<lesson>.html` and `.csv` on each, and `reports/index.html` when there are several."""
    reports = folder / "reports"
    reports.mkdir(exist_ok=True)
    for number, record in enumerate(classes, start=1):
        path = reports / f"{record.lesson.id}.html"
        _write_page(
            path,
            "report.html.j2",
            record=record,
            dates=read_dates(folder).told(record.lesson.id),
            statistics=statistics,
            unnamed=mistake_clusters.unnamed_clusters(folder, record.lesson),
            most_unnamed=MAX_UNNAMED_MISTAKES,
            names=mistake_clusters.NAMES,
            similar=_compare(record, folder),
            student_pages=_student_pages([record], reports),
        )
        _write_table(record, path.with_suffix(".csv"))
        print(f"[{number}/{len(classes)}] {path} ({len(record.submissions)} students)")
    if len(classes) > 1:
        path = reports / "index.html"
        _write_page(
            path,
            "index.html.j2",
            lessons=[(record, statistics.overview(record), statistics.shares(record)) for record in classes],
            columns=[("Student", ""), *((record.lesson.id[:2], "n") for record in classes)],
            student_pages=_student_pages(classes, reports),
            labels=statistics.labels(classes),
        )
        print(path)


def remove_stale(lesson: Lesson, folder: Path) -> None:
    """Remove pages on work that is no longer graded.

    These are all students' pages, which `report` writes anew, and a lesson's report where none of its work is graded.
    """
    shutil.rmtree(folder / "reports" / STUDENTS, ignore_errors=True)
    if not class_record.graded_work(folder, lesson):
        for path in (folder / "reports").glob(f"{lesson.id}.*"):
            path.unlink()


def _write_table(record: ClassRecord, path: Path) -> None:
    """Write a row for each student and item; points stay empty while an answer waits to be marked.

    A student without a grade gets one row, which says how they stand.
    """
    rows = [_COLUMNS]
    for result in (result for submission in record.submissions for result in submission.results):
        points = "" if result.points is None else f"{result.points:g}"
        about = (result.state, result.misconception, result.first_failing)
        rows.append((result.student, result.item, points, f"{result.max_points:g}", *about))
    for standing in record.statuses:
        if standing.stage not in WITH_GRADE:
            rows.append((standing.name, "", "", "", standing.stage, "", standing.reason))
    text = as_csv(map(clean_table_field, row) for row in rows)
    path.write_text(text, encoding="utf-8", newline="")


def _write_page(path: Path, template: str, **values: object) -> None:
    filters: html_pages.Filters = {"number": grade_table.number, "clock": student_page.clock}
    page, _ = html_pages.render_with_script(__name__, template, "sort.js", filters, **values)
    atomic_write(path, page.encode(errors="backslashreplace"), mode=0o600)

"""The class report for the instructor: what grading left behind, a page and a table a lesson, and a page a student."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from autograder.courses import Course, Lesson
from autograder.model.errors import CourseError
from autograder.model.text import in_table, some
from autograder.model.verdict import State
from autograder.nbgrader_plugin import exporters, met, records, standing
from autograder.nbgrader_plugin.dates import in_zone, read_dates
from autograder.nbgrader_plugin.folders import printable
from autograder.nbgrader_plugin.gradebook import directory_of, expect_fit
from autograder.nbgrader_plugin.limits import MAX_BARS, MAX_UNNAMED
from autograder.nbgrader_plugin.met import MetMistake
from autograder.nbgrader_plugin.records import WITH_GRADE, ClassRecord
from autograder.nbgrader_plugin.roster import ROSTER, read_roster
from autograder.nbgrader_plugin.together import settle_folder
from autograder.nbgrader_plugin.whole import write_whole
from autograder.publish import pages
from autograder.publish.class_report import alike, one_student, statistics
from autograder.publish.class_report.one_student import STUDENTS, page_name
from autograder.publish.class_report.statistics import Group, ItemStatistics

_COLUMNS = ("student", "exercise", "points", "max_points", "state", "misconception", "first_failing_line")


def write_reports(course: Course, wanted: list[str], folder: Path, student: str = "") -> None:
    """Write the reports on the wanted lessons of a course folder, all graded ones when none is named; then each
    student's page, too, on all lessons that were handed out. student: whose page alone is written.

    Raises `CourseError` where nothing is graded, or nobody has this id.
    """
    directory = directory_of(course, folder)
    expect_fit(folder, directory.db_url)
    settle_folder(directory)
    chosen = _chosen(course, wanted, folder)
    if student or not wanted:
        write_students(course, folder, student)
    if not student:
        write_classes([records.read_class(folder, lesson) for lesson in chosen], folder)


def write_students(course: Course, folder: Path, student: str = "") -> None:
    """Write `reports/students/<id>.html` for everybody, or for one student alone.

    Raises `CourseError` where nobody has this id.
    """
    directory, dates = directory_of(course, folder), read_dates(folder)
    given = standing.lessons_handed_out(directory)
    classes = [
        records.read_class(folder, lesson)
        for lesson in course.lessons
        if lesson.id in given or records.graded_work(folder, lesson)
    ]
    known = {one.student: one.name for record in classes for one in record.standings}
    if student and student not in known:
        there = some(sorted(known.values()), 5)
        raise CourseError(f"nobody in {folder} is called {printable(student)!r}: there are {there}")
    place = folder / "reports" / STUDENTS
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    near = {one.lesson.id: _compared(one, folder).groups for one in classes}
    people = {one["id"]: one for one in read_roster(folder / ROSTER)}
    now = in_zone(datetime.now(UTC), dates.zone or "UTC")
    for one in [student] if student else sorted(known):
        lessons = one_student.term(one, classes, near, dates)
        about = {"student": known[one], "person": people.get(one, {}), "sections": dates.sections_of(one)}
        page = _render("student.html.j2", lessons=lessons, now=now, zone=dates.zone or "UTC", **about)
        write_whole(place / page_name(one), page.encode(errors="backslashreplace"), mode=0o600)
    if student:
        print(place / page_name(student))
        return
    for path in {*place.glob("*.html")} - {place / page_name(one) for one in known}:
        path.unlink()
    print(f"{place} ({len(known)} students)")


def _compared(record: ClassRecord, folder: Path) -> alike.Comparison:
    memory = folder / "reports" / f"{record.lesson.id}.fingerprints"
    return alike.compared({one.student: one.code for one in record.started}, memory)


def _terms(classes: Sequence[ClassRecord], folder: Path) -> dict[str, str]:
    """Links from a report to the students' own pages, as far as these are written."""
    names = {student: page_name(student) for student in statistics.labels(classes)}
    place = folder / "reports" / STUDENTS
    return {one: f"{STUDENTS}/{quote(name)}" for one, name in names.items() if (place / name).is_file()}


def write_classes(classes: Sequence[ClassRecord], folder: Path) -> None:
    """Write `reports/<lesson>.html` and `.csv` on each, and `reports/index.html` when there are several."""
    reports = folder / "reports"
    reports.mkdir(exist_ok=True)
    for number, record in enumerate(classes, start=1):
        path = reports / f"{record.lesson.id}.html"
        told = read_dates(folder).told(record.lesson.id)
        unnamed = met.unnamed(folder, record.lesson)
        page = _report(record, folder, told, unnamed)
        path.write_text(page, encoding="utf-8", errors="backslashreplace")
        _write_table(record, path.with_suffix(".csv"))
        print(f"[{number}/{len(classes)}] {path} ({len(record.submissions)} students)")
    if len(classes) > 1:
        leading = reports / "index.html"
        text = index(classes, _terms(classes, folder))
        leading.write_text(text, encoding="utf-8", errors="backslashreplace")
        print(leading)


def remove_stale(lesson: Lesson, folder: Path) -> None:
    """Remove what tells of work that is no longer graded: all students' pages, which `report` writes anew, and a
    lesson's report where none of its work is graded any more.
    """
    shutil.rmtree(folder / "reports" / STUDENTS, ignore_errors=True)
    if not records.graded_work(folder, lesson):
        for path in (folder / "reports").glob(f"{lesson.id}.*"):
            path.unlink()


def _write_table(record: ClassRecord, path: Path) -> None:
    """A row for each student and item; points stay empty while an answer waits to be marked.

    Whoever has no grade gets one row, which says how they stand.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(_COLUMNS)
        for one in (result for submission in record.submissions for result in submission.results):
            points = "" if one.points is None else f"{one.points:g}"
            about = map(in_table, (one.state, one.misconception, one.first_failing))
            rows.writerow((in_table(one.student), one.item, points, f"{one.max_points:g}", *about))
        for other in record.standings:
            if other.stage not in WITH_GRADE:
                rows.writerow(map(in_table, (other.name, "", "", "", other.stage, "", other.reason)))


def _chosen(course: Course, wanted: list[str], folder: Path) -> list[Lesson]:
    chosen = course.chosen(wanted)
    graded = [lesson for lesson in chosen if records.graded_work(folder, lesson)]
    missing = [lesson.id for lesson in chosen if wanted and lesson not in graded]
    if missing or not graded:
        of_these = f" of {', '.join(missing)}" if missing else ""
        raise CourseError(
            f"nothing is graded yet{of_these} in {folder}: `{course.command} round` first, "
            "or name another course folder with --folder"
        )
    return graded


def _report(
    record: ClassRecord, folder: Path, told: Sequence[str], unnamed: Sequence[tuple[MetMistake, int, int]]
) -> str:
    """A lesson's page; told: its dates; unnamed: as `met.unnamed` has them."""
    held = statistics.misconceptions(record)
    return _render(
        "report.html.j2",
        record=record,
        told=told,
        statistics=statistics,
        held=held,
        pictures=[(item.name, bars(item, held)) for item in statistics.items(record)],
        unnamed=unnamed,
        most_unnamed=MAX_UNNAMED,
        names=met.NAMES,
        alike=_compared(record, folder),
        terms=_terms([record], folder),
    )


def index(records: Sequence[ClassRecord], terms: Mapping[str, str]) -> str:
    """A page that leads to those of several lessons; terms: links to students' own pages."""
    lessons = [(record, statistics.overview(record)) for record in records]
    columns = [("Student", ""), *((record.lesson.id[:2], "n") for record in records)]
    return _render(
        "index.html.j2",
        lessons=lessons,
        columns=columns,
        shares=statistics.shares(records),
        terms=terms,
        labels=statistics.labels(records),
    )


def bars(item: ItemStatistics, held: Sequence[Group]) -> list[tuple[str, int, str]]:
    """An item's answers by kind, how many, and the style of their bar: right, each misconception, and so on."""
    named = [(one.label, len(one.results)) for one in held if one.exercise == item.name]
    shown = named if len(named) <= MAX_BARS else named[: MAX_BARS - 1]
    others = [count for _, count in named[len(shown) :]]
    unnamed = item.states.get(State.WRONG, 0) - sum(count for _, count in named)
    found = [
        ("right", item.states.get(State.RIGHT, 0), "right"),
        *((label, count, "named") for label, count in shown),
        (f"{len(others)} other misconceptions", sum(others), "named"),
        ("a mistake without a name", unnamed, "unnamed"),
        ("marked by hand", item.states.get("marked", 0), "right"),
        ("waiting to be marked", item.states.get("waiting", 0), "open"),
        ("not started", item.states.get(State.NOT_STARTED, 0), "open"),
    ]
    return [bar for bar in found if bar[1]]


def _render(template: str, **values: object) -> str:
    filters: pages.Filters = {"number": exporters.number, "clock": one_student.clock}
    return pages.page(__name__, template, "sort.js", filters, **values)[0]

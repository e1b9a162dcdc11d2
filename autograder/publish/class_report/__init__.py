"""The class report: what grading left behind, as one page and one table a lesson for the instructor."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from autograder.courses import Course, Lesson
from autograder.model.errors import CourseError
from autograder.model.text import in_table
from autograder.model.verdict import State
from autograder.nbgrader_plugin import met, records
from autograder.nbgrader_plugin.dates import read_dates
from autograder.nbgrader_plugin.gradebook import expect_fit
from autograder.nbgrader_plugin.met import MetMistake
from autograder.nbgrader_plugin.records import WITH_GRADE, ClassRecord
from autograder.nbgrader_plugin.together import settle_folder
from autograder.publish import pages
from autograder.publish.class_report import alike, statistics
from autograder.publish.class_report.statistics import Group, ItemStatistics

_COLUMNS = ("student", "exercise", "points", "max_points", "state", "misconception", "first_failing_line")
MOST_BARS = 7
"""How many bars of an exercise's picture are misconceptions; where there are more, the last is for all others."""

MOST_UNNAMED = 8
"""Mistakes without a name that are shown at once."""


def write_reports(course: Course, wanted: list[str], folder: Path) -> None:
    """Write the reports on the wanted lessons of a course folder, all graded ones when none is named.

    Raises `CourseError` where nothing is graded.
    """
    url = records.gradebook_of(course, folder)
    expect_fit(folder, url)
    settle_folder(folder, url)
    write_classes([records.read_class(folder, lesson) for lesson in _chosen(course, wanted, folder)], folder)


def write_classes(classes: Sequence[ClassRecord], folder: Path) -> None:
    """Write `reports/<lesson>.html` and `.csv` on each, and `reports/index.html` when there are several."""
    reports = folder / "reports"
    reports.mkdir(exist_ok=True)
    for number, record in enumerate(classes, start=1):
        path = reports / f"{record.lesson.id}.html"
        told = read_dates(folder).told(record.lesson.id)
        unnamed = met.unnamed(folder, record.lesson)
        text = _report(record, path.with_suffix(".fingerprints"), told, unnamed)
        path.write_text(text, encoding="utf-8")
        _write_table(record, path.with_suffix(".csv"))
        print(f"[{number}/{len(classes)}] {path} ({len(record.submissions)} students)")
    if len(classes) > 1:
        leading = reports / "index.html"
        leading.write_text(index(classes), encoding="utf-8", errors="backslashreplace")
        print(leading)


def remove_stale(lesson: Lesson, folder: Path) -> None:
    """Remove a lesson's report where none of its work is graded any more."""
    if not records.graded_folders(folder, lesson):
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
            about = (one.state, one.misconception, one.first_failing)
            rows.writerow(
                (in_table(one.student), one.item, points, f"{one.max_points:g}", *map(in_table, about))
            )
        for other in record.standings:
            if other.stage not in WITH_GRADE:
                rows.writerow(map(in_table, (other.name, "", "", "", other.stage, "", other.reason)))


def _chosen(course: Course, wanted: list[str], folder: Path) -> list[Lesson]:
    chosen = course.chosen(wanted)
    graded = [lesson for lesson in chosen if records.graded_folders(folder, lesson)]
    missing = [lesson.id for lesson in chosen if wanted and lesson not in graded]
    if missing or not graded:
        of_these = f" of {', '.join(missing)}" if missing else ""
        raise CourseError(
            f"nothing is graded yet{of_these} in {folder}: `{course.command} round` first, "
            "or name another course folder with --folder"
        )
    return graded


def _report(
    record: ClassRecord, memory: Path, told: Sequence[str], unnamed: Sequence[tuple[MetMistake, int, int]]
) -> str:
    """A lesson's page; `memory` as `alike.compared` has it; told: its dates; unnamed: as `met.unnamed` has them."""
    held = statistics.misconceptions(record)
    items = statistics.items(record)
    return _render(
        "report.html.j2",
        record=record,
        told=told,
        overview=statistics.overview(record),
        items=items,
        held=held,
        pictures=[(item.name, bars(item, held)) for item in items],
        rungs=statistics.rungs(record),
        unnamed=unnamed,
        most_unnamed=MOST_UNNAMED,
        names=met.NAMES,
        stopped=statistics.stopped(record),
        alike=alike.compared({one.student: one.code for one in record.started}, memory),
        notes=statistics.notes(record),
        suggestions=statistics.suggestions(record),
        least=statistics.least(record),
        most=statistics.MOST_SUGGESTIONS,
        too_few=statistics.TOO_FEW,
    )


def index(records: Sequence[ClassRecord]) -> str:
    """A page that leads to those of several lessons."""
    lessons = [(record, statistics.overview(record)) for record in records]
    columns = [("Student", ""), *((record.lesson.id[:2], "n") for record in records)]
    return _render("index.html.j2", lessons=lessons, columns=columns, shares=statistics.shares(records))


def bars(item: ItemStatistics, held: Sequence[Group]) -> list[tuple[str, int, str]]:
    """An item's answers by kind, how many, and the style of their bar: right, each misconception, and so on."""
    named = [(one.label, len(one.results)) for one in held if one.exercise == item.name]
    shown = named if len(named) <= MOST_BARS else named[: MOST_BARS - 1]
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
    text, _ = pages.page(__name__, template, "sort.js", {"number": _number}, **values)
    return text


def _number(value: float, digits: int = 1) -> str:
    """With so many decimals, but none that are zero."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"

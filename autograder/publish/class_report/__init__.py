"""The class report: what grading left behind, as one page and one table a lesson for the instructor."""

from __future__ import annotations

from pathlib import Path

from autograder.author.course import Course, Lesson
from autograder.model.errors import CourseError
from autograder.publish.class_report import page, records, table
from autograder.publish.class_report.records import ClassRecord


def main(course: Course, wanted: list[str], folder: Path) -> None:
    """Write `reports/<lesson>.html` and `.csv` for the wanted lessons of a course folder, all graded ones when
    none is named, and `reports/index.html` when there are several.

    Raises `CourseError` where nothing is graded.
    """
    classes = [records.read_class(folder, lesson) for lesson in _chosen(course, wanted, folder)]
    reports = folder / "reports"
    reports.mkdir(exist_ok=True)
    for number, record in enumerate(classes, start=1):
        print(f"[{number}/{len(classes)}] {write(record, reports)} ({len(record.submissions)} students)")
    if len(classes) > 1:
        index = reports / "index.html"
        index.write_text(page.index(classes), encoding="utf-8")
        print(index)


def write(record: ClassRecord, reports: Path) -> Path:
    """Write a lesson's page and table to the folder `reports`; the page's path comes back."""
    path = reports / f"{record.lesson.id}.html"
    path.write_text(page.report(record), encoding="utf-8")
    path.with_suffix(".csv").write_text(table.as_csv(record), encoding="utf-8")
    return path


def _chosen(course: Course, wanted: list[str], folder: Path) -> list[Lesson]:
    chosen = [course.lesson(name) for name in wanted] or list(course.lessons)
    graded = [lesson for lesson in chosen if records.graded_folders(folder, lesson)]
    missing = [lesson.id for lesson in chosen if wanted and lesson not in graded]
    if missing or not graded:
        of_these = f" of {', '.join(missing)}" if missing else ""
        raise CourseError(
            f"nothing is graded yet{of_these} in {folder}: run `nbgrader autograde <lesson>` first, "
            "or name another course folder with --folder"
        )
    return graded

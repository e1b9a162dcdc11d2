"""Fills scores into the table of grades that a platform exported, so that it can be imported there again.

Canvas: `Student,ID,SIS User ID,SIS Login ID,Section`, then a column `Name (4711)` for each assignment, and a row with
the points possible ("How do I import grades in the Gradebook?" in its instructor guide). Moodle: `First name,Last
name,ID number,Institution,Department,Email address`, then `Assignment: Name (Real)` for each
(https://docs.moodle.org/en/Grade_export), which tells no maximum; an assignment's grading worksheet has a column of it.
Gradescope's roster has no grades.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.classroom.class_folder import directory_of
from autograder.courses import Course
from autograder.exercises.errors import CourseError
from autograder.files.csv_table import Sheet, read_sheet
from autograder.lms import identities
from autograder.records import submission_status
from autograder.records.grade_table import number
from autograder.records.recovery import lock_and_recover
from autograder.records.submission_status import Stage, SubmissionStatus
from autograder.submissions.submission_folder import printable

_KEPT = ("EX", "N/A")
"""Canvas's for a student who is excused, and for one for whom the assignment is not; its import takes EX
(`lib/gradebook_importer.rb`). Moodle's import has no sign for it: an empty cell is no grade there
(`grade/import/csv/classes/load_data.php`)."""

_IN_BRACKETS = "Percentage|Letter|Prozentsatz|Buchstabe|Feedback"
_NO_POINTS = re.compile(rf"\(({_IN_BRACKETS})\)$|^Feedback:|Score$|Points$|Grade$")


def fill_grades(
    course: Course, file: Path, wanted: Sequence[str], columns: Sequence[str], scale: bool, folder: Path
) -> str:
    """Write, beside a platform's export, one with the scores of lessons that were handed out, all when none is named.

    columns: `lesson=column`, where the names do not tell. scale: scale scores to the points that the export says an
    assignment is worth, where the lesson is worth others. A cell is filled where there is a grade to which nothing is
    missing; all others stay as they are, byte by byte. What was done comes back, line by line. Raises `CourseError`,
    and writes nothing, where a lesson is worth other points than its column and `scale` is not set.
    """
    directory = directory_of(course, folder)
    sheet = read_sheet(file)
    rows = identities.read_people(sheet)
    with lock_and_recover(directory, f"{course.command} grades", patience=None):
        handed_out = submission_status.lessons_handed_out(directory)
        for lesson in wanted:
            if lesson not in handed_out:
                raise CourseError(f"{lesson} was not handed out; there are {', '.join(handed_out) or 'none'}")
        places = {lesson: _find_column(course, lesson, sheet, columns) for lesson in wanted or handed_out}
        messages = [f"no column for {lesson}" for lesson, place in places.items() if place is None]
        if len(messages) == len(places):
            remedy = f"say which is meant: --column '{(*places, 'LESSON')[0]}={sheet.columns[-1]}'"
            raise CourseError(f"{file}: no column is called as a lesson is; {remedy}")
        listed = identities.known_people(course, folder)
        with Gradebook(directory.db_url, directory.course_id) as gradebook:
            points = {lesson: gradebook.find_assignment(lesson).max_score for lesson in places}
        statuses = {lesson: submission_status.load_statuses(directory, lesson) for lesson in places}
    students, unmatched = _match_rows(rows, listed)
    problems = list[str]()
    for lesson, place in places.items():
        if place is None:
            continue
        title, possible, factor = sheet.columns[place], _points_possible(sheet, rows, place), 1.0
        if possible not in (None, points[lesson]):
            if not scale or min(possible, points[lesson]) <= 0:
                worth = f"is worth {possible:g} points there, and {lesson} {points[lesson]:g}"
                remedy = "change its points on the platform and export again, or add --scale"
                problems.append(f"{file}: {title!r} {worth}: nothing is written; {remedy}")
                continue
            factor = possible / points[lesson]
            messages.append(f"{title}: scaled from {points[lesson]:g} to {possible:g} points")
        messages += _fill(sheet, place, lesson, students, statuses[lesson], factor)
    if problems:
        raise CourseError("\n".join(problems))
    if absent := sorted({student["id"] for student in listed} - {*students.values()}):
        unmatched.append(f"on your list, and not in the file: {', '.join(map(printable, absent))}")
    target = file.with_name(f"{file.stem}-filled{file.suffix}")
    sheet.save(target)
    return "\n  ".join([f"{target}", *messages, *unmatched])


def _match_rows(
    rows: Mapping[int, identities.Person], listed: Sequence[identities.Person]
) -> tuple[dict[int, str], list[str]]:
    """Return which row is which student's, and a line on each other row; several rows of one student are left."""
    students, lines = dict[int, str](), list[str]()
    for (row, about), (student, why) in zip(rows.items(), identities.match([*rows.values()], listed)):
        if student:
            students[row] = student
        else:
            about_row = f"row {row}: {identities.describe(about)}"
            lines.append(f"{about_row}: {why or 'nobody on your list'}; left as it is")
    for student in sorted({*students.values()}):
        fitting = [str(row) for row, matched in students.items() if matched == student]
        if len(fitting) > 1:
            students = {row: matched for row, matched in students.items() if matched != student}
            lines.append(f"rows {', '.join(fitting)} all fit {printable(student)}: left as they are")
    return students, lines


def _points_possible(sheet: Sheet, rows: Mapping[int, identities.Person], place: int) -> float | None:
    """Return what a column is worth: Canvas has a row with it, Moodle's worksheet a column; None where neither says."""
    cells = [record[place] for _, record in sheet.records() if record[0] == identities.POINTS_POSSIBLE]
    cells += [about["maximum"] for about in rows.values() if "maximum" in about]
    return next((points for points in map(_worth, cells) if points is not None), None)


def _fill(
    sheet: Sheet,
    place: int,
    lesson: str,
    students: Mapping[int, str],
    statuses: Sequence[SubmissionStatus],
    factor: float,
) -> list[str]:
    cells, comma = dict(sheet.records()), sheet.decimal_comma
    is_canvas = "Student" in sheet.columns
    by_student = {status.student: status for status in statuses}
    unfilled, changed, filled = defaultdict[str, list[str]](list), list[str](), 0
    for row, student in students.items():
        current, cell = by_student.get(student), cells[row][place]
        name = printable(student)
        if current and current.stage is Stage.EXCUSED:
            unfilled[f"excused{', as EX' * is_canvas}"].append(name)
            if cell.upper() not in _KEPT and (is_canvas or _worth(cell) is not None):
                sheet.put(row, place, "EX" * is_canvas)
                changed += [f"{name} {cell} → {'EX' if is_canvas else 'empty'}"] * (_worth(cell) is not None)
        elif cell.upper() in _KEPT:
            unfilled[cell].append(name)
        elif current is None or current.score is None:
            unfilled[current.stage if current else "not handed in"].append(name)
        else:
            score = number(current.score * factor).replace(".", "," if comma else ".")
            filled += 1
            if _worth(cell) != _worth(score):
                sheet.put(row, place, score)
                changed += [f"{name} {cell} → {score}"] if _worth(cell) is not None else []
    title = sheet.columns[place]
    lines = [f"{title}: {filled} scores of {lesson}"]
    for why, names in unfilled.items():
        prefix = "" if why.startswith(Stage.EXCUSED) else "left as it is, "
        lines.append(f"{title}: {prefix}{why}: {', '.join(names)}")
    return lines + ([f"{title}: changed: {', '.join(changed)}"] if changed else [])


def _worth(cell: str) -> float | None:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


def _find_column(course: Course, lesson: str, sheet: Sheet, columns: Sequence[str]) -> int | None:
    """Return where a lesson's scores go. Raises `CourseError` where two columns are called so, or none as was asked."""
    for text in columns:
        name, _, title = text.partition("=")
        if course.lesson(name).id == lesson:
            if sheet.columns.count(title) != 1:
                raise CourseError(f"{sheet.path} has {sheet.columns.count(title)} columns {title!r}, not one")
            return sheet.columns.index(title)
    names = {lesson, lesson.partition("_")[2], *(each.title for each in course.lessons if each.id == lesson)}
    wanted = {*map(_words, names)}
    fits = []
    for place, title in enumerate(sheet.columns):
        parts = map(_words, re.split(r"^[^:]*: |\([^()]*\)$", title))
        if not (_NO_POINTS.search(title) or wanted.isdisjoint(parts)):
            fits.append(place)
    if len(fits) > 1:
        titles = " and ".join(repr(sheet.columns[place]) for place in fits)
        raise CourseError(f"{sheet.path}: {titles} are both called as {lesson} is: say which, with --column")
    return fits[0] if fits else None


def _words(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().casefold()

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

from autograder.courses import Course
from autograder.lms import people
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import standing
from autograder.nbgrader_plugin.class_lock import settled
from autograder.nbgrader_plugin.exporters import number
from autograder.nbgrader_plugin.folders import printable
from autograder.nbgrader_plugin.gradebook import directory_of
from autograder.nbgrader_plugin.sheet import Sheet, read_sheet
from autograder.nbgrader_plugin.standing import Standing

_KEPT = ("EX", "N/A")
"""Canvas's for who is excused, and for whom the assignment is not."""

_NO_POINTS = re.compile(
    r"\((Percentage|Letter|Prozentsatz|Buchstabe|Feedback)\)$|^Feedback:|Score$|Points$|Grade$"
)


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
    rows = people.read_people(sheet)
    with settled(directory, f"{course.command} grades", patience=None):
        handed_out = standing.lessons_handed_out(directory)
        for lesson in wanted:
            if lesson not in handed_out:
                raise CourseError(f"{lesson} was not handed out; there are {', '.join(handed_out) or 'none'}")
        found = {one: _column(course, one, sheet, columns) for one in wanted or handed_out}
        places = {lesson: place for lesson, place in found.items() if place is not None}
        if not places:
            raise CourseError(
                f"{file}: no column is called as a lesson is; say which is meant: "
                f"--column '{(*found, 'LESSON')[0]}={sheet.columns[-1]}'"
            )
        standings = {lesson: standing.read_standings(directory, lesson) for lesson in places}
        matches = people.match([*rows.values()], known := people.known_people(course, folder))
        with Gradebook(directory.db_url, directory.course_id) as gradebook:
            points = {lesson: gradebook.find_assignment(lesson).max_score for lesson in places}
    said = [f"no column for {lesson}" for lesson, place in found.items() if place is None]
    factors, problems = dict[str, float](), list[str]()
    for lesson, place in places.items():
        title, possible = sheet.columns[place], _points_possible(sheet, rows, place)
        if possible is None or possible == points[lesson]:
            continue
        if scale and possible > 0 and points[lesson] > 0:
            factors[lesson] = possible / points[lesson]
            said.append(f"{title}: scaled from {points[lesson]:g} to {possible:g} points")
            continue
        remedy = "change its points on the platform and export again" + ", or add --scale" * (not scale)
        worth = f"is worth {possible:g} points there, and {lesson} {points[lesson]:g}"
        problems.append(f"{file}: {title!r} {worth}: nothing is written; {remedy}")
    if problems:
        raise CourseError("\n".join(problems))
    students = {row: student for row, (student, _) in zip(rows, matches) if student}
    for student in sorted({*students.values()}):
        first, *others = [row for row, other in students.items() if other == student]
        if any(people.is_another(rows[first], rows[row]) for row in others):
            students = {row: other for row, other in students.items() if other != student}
            both = ", ".join(map(str, (first, *others)))
            said.append(f"rows {both} all fit {printable(student)}: left as they are")
        elif others:
            said.append(f"{printable(student)} has {len(others) + 1} rows, all filled in")
    for lesson, place in places.items():
        by_student = {one.student: one for one in standings[lesson]}
        said += _fill(sheet, place, lesson, students, by_student, factors.get(lesson, 1.0))
    for (row, about), (student, why) in zip(rows.items(), matches):
        if not student:
            why = why or "nobody on your list"
            said.append(f"row {row}: {people.in_a_line(about)}: {why}; left as it is")
    if absent := sorted({one["id"] for one in known} - {*students.values()}):
        said.append(f"on your list, and not in the file: {', '.join(map(printable, absent))}")
    to = file.with_name(f"{file.stem}-filled{file.suffix}")
    sheet.save(to)
    return "\n".join([f"{to}", *(f"  {line}" for line in said)])


def _points_possible(sheet: Sheet, rows: Mapping[int, people.About], place: int) -> float | None:
    """Return what a column is worth: Canvas has a row with it, Moodle's worksheet a column; None where neither says."""
    cells = [record[place] for _, record in sheet.records() if record[0] == people.POINTS_POSSIBLE]
    cells += [about["maximum"] for about in rows.values() if "maximum" in about]
    return next((points for points in map(_worth, cells) if points is not None), None)


def _fill(
    sheet: Sheet,
    place: int,
    lesson: str,
    students: Mapping[int, str],
    standings: Mapping[str, Standing],
    factor: float,
) -> list[str]:
    cells, comma = dict(sheet.records()), sheet.decimal_comma
    left, changed, filled = defaultdict[str, list[str]](list), list[str](), 0
    for row, student in students.items():
        one, there = standings.get(student), cells[row][place]
        name = printable(student)
        if one is None or one.score is None:
            left[one.stage if one else "not handed in"].append(name)
        elif there.upper() in _KEPT:
            left[there].append(name)
        else:
            score = number(one.score * factor).replace(".", "," if comma else ".")
            filled += 1
            if _worth(there) != _worth(score):
                sheet.put(row, place, score)
                changed += [f"{name} {there} → {score}"] if _worth(there) is not None else []
    title = sheet.columns[place]
    told = [f"{title}: {filled} scores of {lesson}"]
    told += [f"{title}: left as it is, {why}: {', '.join(names)}" for why, names in left.items()]
    return told + ([f"{title}: changed: {', '.join(changed)}"] if changed else [])


def _worth(cell: str) -> float | None:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


def _column(course: Course, lesson: str, sheet: Sheet, given: Sequence[str]) -> int | None:
    """Where a lesson's scores go. Raises `CourseError` where more than one is called so, or none as was given."""
    for text in given:
        of, _, title = text.partition("=")
        if of == lesson:
            if sheet.columns.count(title) != 1:
                raise CourseError(f"{sheet.path} has {sheet.columns.count(title)} columns {title!r}, not one")
            return sheet.columns.index(title)
    names = {lesson, lesson.partition("_")[2]}
    names |= {one.title for one in course.lessons if one.id == lesson}
    wanted = {*map(_words, names)}
    fits = [
        place
        for place, title in enumerate(sheet.columns)
        if not _NO_POINTS.search(title) and wanted & {*map(_words, re.split(r"^[^:]*: |\([^()]*\)$", title))}
    ]
    if len(fits) > 1:
        both = " and ".join(repr(sheet.columns[place]) for place in fits)
        raise CourseError(f"{sheet.path}: {both} are both called as {lesson} is: say which, with --column")
    return fits[0] if fits else None


def _words(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().casefold()

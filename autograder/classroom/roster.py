"""Who is in a class: a table in its folder, which the instructor writes, taken into nbgrader's gradebook."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

from autograder.exercises.errors import CourseError
from autograder.exercises.limits import MAX_ID_BYTES
from autograder.exercises.text import clean_name
from autograder.files.atomic_files import stat_key
from autograder.files.csv_table import read_sheet

ROSTER = "students.csv"
ROSTER_COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")
"""As `nbgrader db student import` takes them; only the first is needed."""

SHORTENED = "is what a spreadsheet makes of a long number: have the column as text, and write it in full"


def read_roster(path: Path, *more_columns: str) -> list[dict[str, str]]:
    """Read the table: each student's columns, and more that are named; nobody where there is no table.

    Raises `CourseError` where it cannot be read, or says of one id two things.
    """
    if not path.is_file() or not path.stat().st_size:
        return []
    sheet = read_sheet(path)
    if "id" not in sheet.columns:
        problem = f"{path}: its first line names no column id"
        raise CourseError(f"{problem}; it should be {','.join(ROSTER_COLUMNS)}")
    columns = (*ROSTER_COLUMNS, *more_columns)
    for name in columns:
        if (count := sheet.columns.count(name)) > 1 or count == 0 and name in more_columns:
            raise CourseError(f"{path}: {count} columns are called {name}, not one")
    people, forms = dict[str, dict[str, str]](), dict[str, str]()
    for number, row in sheet.records():
        about = {name: text for name, text in zip(sheet.columns, row) if name in columns and text}
        student, where = about.get("id", ""), f"{path}: line {number - 1} below the first"
        about |= {name: clean_name(text) for name, text in about.items() if name != "id"}
        if not is_folder_name(student):
            raise CourseError(f"{where} has no id that a folder can have")
        for text in filter(is_shortened_number, (student, about.get("lms_user_id", ""))):
            raise CourseError(f"{where}: {text} {SHORTENED}")
        if forms.setdefault(unicodedata.normalize("NFC", student), student) != student:
            raise CourseError(f"{where}: {student} only looks the same as an earlier id: copy that over it")
        earlier = people.setdefault(student, about)
        if differing := [name for name in columns if earlier.get(name) != about.get(name)]:
            raise CourseError(
                f"{where} gives {student} another {differing[0]} than an earlier line: leave one"
            )
    return [*people.values()]


def read_groups(path: Path, column: str) -> Mapping[str, str]:
    """Read the names of students' groups from a column of the table, by the students who have one, in its order.

    Raises `CourseError` where there is no such column, or a student is named in two groups.
    """
    if not path.is_file():
        raise CourseError(f"{path} is missing: its column {column!r} should say who works together")
    return _read_groups(path, column, *stat_key(path))


@functools.lru_cache(maxsize=8)
def _read_groups(path: Path, column: str, *version: int) -> Mapping[str, str]:
    return {about["id"]: about[column] for about in read_roster(path, column) if column in about}


def is_valid_id(student: str) -> bool:
    """Return whether the gradebook can hold this id: no control character is in it, and no byte that is not UTF-8."""
    return all(unicodedata.category(letter) not in ("Cc", "Cs") for letter in student)


def is_folder_name(student: str) -> bool:
    """Return whether a student can have this id: their folder is called so."""
    is_plain = student.isprintable() and "/" not in student and student[:1] not in ("", ".")
    return is_plain and len(student.encode()) <= MAX_ID_BYTES


def is_shortened_number(text: str) -> bool:
    """Return whether a text is a long number as spreadsheets shorten it: several people may have the same."""
    return bool(re.fullmatch(r"\d([.,]\d+)?E\+?\d+", text))


def find_lookalike(student: str, students: Iterable[str]) -> str:
    """Return another student's id that looks the same as this one; empty where there is none."""
    form = unicodedata.normalize("NFC", student)
    for other_id in students:
        if other_id != student and unicodedata.normalize("NFC", other_id) == form:
            return other_id
    return ""

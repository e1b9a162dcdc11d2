"""Who is in a class: a table in its folder, which the instructor writes, taken into nbgrader's gradebook."""

from __future__ import annotations

import csv
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.model.errors import CourseError

_TABLE = "students.csv"
_COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")
"""As `nbgrader db student import` takes them; only the first is needed."""


def enrol(gradebook: Gradebook, folder: Path) -> None:
    """Have a gradebook know everybody on the list. Raises `CourseError` where that cannot be read."""
    for about in read_roster(folder / _TABLE):
        gradebook.update_or_create_student(about.pop("id"), **about)


def read_roster(path: Path) -> list[dict[str, str]]:
    """What the table says of each student; nothing where there is none."""
    if not path.is_file():
        return []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            rows = [{name: (row.get(name) or "").strip() for name in _COLUMNS} for row in table]
            columns = table.fieldnames or _COLUMNS
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"{path} cannot be read: {error}") from None
    if "id" not in columns:
        raise CourseError(f"{path}: its first line names no column id; it should be {','.join(_COLUMNS)}")
    for number, row in enumerate(rows, start=1):
        if not row["id"] or not row["id"].isprintable() or "/" in row["id"]:
            raise CourseError(f"{path}: line {number} below the first has no id that a folder can have")
    return [{name: text for name, text in row.items() if text} for row in rows]

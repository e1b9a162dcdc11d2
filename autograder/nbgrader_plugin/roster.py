"""Who is in a class: a table in its folder, which the instructor writes, taken into nbgrader's gradebook."""

from __future__ import annotations

from pathlib import Path

from nbgrader.api import Gradebook

from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.sheet import read_sheet

ROSTER = "students.csv"
ROSTER_COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")
"""As `nbgrader db student import` takes them; only the first is needed."""


def enrol(gradebook: Gradebook, folder: Path) -> None:
    """Have a gradebook know everybody on the list. Raises `CourseError` where that cannot be read."""
    for about in read_roster(folder / ROSTER):
        gradebook.update_or_create_student(about.pop("id"), **about)


def read_roster(path: Path) -> list[dict[str, str]]:
    """What the table says of each student; nothing where there is none.

    Raises `CourseError` where it cannot be read, or says of one id two things.
    """
    if not path.is_file() or not path.stat().st_size:
        return []
    sheet = read_sheet(path)
    if "id" not in sheet.columns:
        raise CourseError(
            f"{path}: its first line names no column id; it should be {','.join(ROSTER_COLUMNS)}"
        )
    known = dict[str, tuple[int, dict[str, str]]]()
    for number, row in sheet.records():
        about = {name: text for name, text in zip(sheet.columns, row) if name in ROSTER_COLUMNS and text}
        student = about.get("id", "")
        if not fits_a_folder(student):
            raise CourseError(f"{path}: line {number - 1} below the first has no id that a folder can have")
        earlier, said = known.setdefault(student, (number, about))
        if said != about:
            lines = f"lines {earlier - 1} and {number - 1} below the first"
            raise CourseError(f"{path}: {lines} say different things of {student}: leave one")
    return [about for _, about in known.values()]


def fits_a_folder(student: str) -> bool:
    """Whether a student can have this id: their folder is called so."""
    return student.isprintable() and "/" not in student and student[:1] not in ("", ".")

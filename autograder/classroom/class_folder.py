"""A class's folder: its settings, whether it is fit to go on with, and what of it is private."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from autograder.classroom.dates import read_dates
from autograder.classroom.gradebook import check_database
from autograder.classroom.placement import REPLACED
from autograder.courses import Course, course_settings
from autograder.exercises.errors import CourseError
from autograder.submissions.submission_folder import printable

CONFIG = "nbgrader_config.py"

_FOLDERS = ("autograded", "feedback", "reports")

_WRITTEN = (*_FOLDERS, "grades.csv", "changes.csv", "gradebook.db")
"""What a round writes into a class's folder."""

SECRET_FILE = "gradebook.salt"

IMPORTED = "imported"
"""A class's folder of files of the version before, whose content is in the database now."""

_TABLES = ("handed_in.csv", "class.toml", "students.csv")

PRIVATE = (*_WRITTEN, *_TABLES, SECRET_FILE, REPLACED, IMPORTED, "attempts", "submitted")
"""What tells of people, or of what they will be asked: the instructor's alone."""


def directory_of(course: Course, folder: Path) -> CourseDirectory:
    """Return nbgrader's `CourseDirectory` of a class's folder, with the course's settings and the folder's own."""
    with course_settings(course):
        config = PyFileConfigLoader(CONFIG, path=str(course.root)).load_config()
        if (folder / CONFIG).is_file() and not folder.samefile(course.root):
            config.merge(PyFileConfigLoader(CONFIG, path=str(folder)).load_config())
    config.CourseDirectory.root = str(folder.resolve())
    if read_dates(folder).groupshared:
        config.CourseDirectory.groupshared = True
    return CourseDirectory(config=config)


def check_class_folder(folder: Path, url: str) -> None:
    """Check a class's folder, and the gradebook at that address. Raises `CourseError`, with what to do."""
    within = (folder.glob(f"{name}{deeper}") for name in _WRITTEN for deeper in ("", "/*", "/*/*"))
    for path in (folder, *itertools.chain(*within)):
        if not os.access(path, os.W_OK) and path.exists():
            raise CourseError(explain_no_access(path))
    file = Path(url.removeprefix("sqlite:///"))
    if str(file) == url:
        return
    holds_grades = file.exists() and check_database(file)
    graded = [path for path in folder.glob("autograded/*/*/*.ipynb") if path.parts[-2][0] != "."]
    if graded and not holds_grades:
        state = "holds no grades" if file.exists() else "is missing"
        lessons = ", ".join(sorted({path.parts[-2] for path in graded}))
        raise CourseError(
            f"{file} {state}, and {folder / 'autograded'} has {len(graded)} graded notebooks ({lessons}): "
            "put a copy of the gradebook in its place, or move autograded/ away too, to grade all again in a new one"
        )


def keep_private(course: CourseDirectory) -> None:
    """Take from others, before grading, what they may do with a class's folder: what it holds, and what it will hold.

    What lies in its folders keeps its permissions: nobody else comes there. With nbgrader's `groupshared`, so does the
    group.
    """
    removed_bits = 0o007 if course.groupshared else 0o077
    root = Path(course.root)
    for name in _FOLDERS:
        (root / name).mkdir(mode=0o777 & ~removed_bits, exist_ok=True)
    for path in open_to_others(root, removed_bits):
        with contextlib.suppress(PermissionError):  # another's; `doctor` tells of it
            path.chmod(path.stat().st_mode & ~removed_bits)


def open_to_others(folder: Path, bits: int = 0o077) -> Iterator[Path]:
    """Yield the private files and folders of a class that have any of these permissions."""
    for path in (folder / name for name in PRIVATE):
        if path.exists() and path.stat().st_mode & bits:
            yield path


def explain_no_access(path: Path) -> str:
    """Say what to do where one may not write to a class's file or folder."""
    return (
        f"you may not write to {printable(str(path))}, which is {_owner(path)}'s: "
        "`chmod u+w` it where it is yours, or name another folder with --class"
    )


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except KeyError:
        return f"user {path.stat().st_uid}"

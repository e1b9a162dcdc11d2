"""Checks a class's folder, and clears up what a killed command left there, while a command holds it."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from nbgrader.apps.baseapp import NbGrader
from nbgrader.apps.dbapp import DbUpgradeApp
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.abc import Exchange

from autograder.classroom.class_folder import check_class_folder
from autograder.classroom.class_lock import lock_class
from autograder.classroom.gradebook import gradebook_exists
from autograder.exercises.errors import CourseError
from autograder.files.atomic_files import UNFINISHED
from autograder.records.class_import import import_class

PLACES = ("", "reports/", "reports/students/", "handed_out/*/", "course/*/")
"""Where in a class's folder files are written at once or not at all."""


@contextlib.contextmanager
def lock_and_recover(course: CourseDirectory, command: str, patience: float | None = 0) -> Iterator[None]:
    """Hold a class's folder, and see first that it is fit to go on with, see `recover`."""
    with lock_class(Path(course.root), command, patience):
        recover(course)
        yield


@contextlib.contextmanager
def lock_for_program(program: NbGrader | Exchange, command: str) -> Iterator[None]:
    """Do the same for a program of nbgrader's, which a `CourseError` in here ends in one line.

    `nbgrader db upgrade` only holds the folder: what it mends is no good yet.
    """
    course = program.coursedir
    try:
        with (
            lock_class(Path(course.root), command, patience=0)
            if isinstance(program, DbUpgradeApp)
            else lock_and_recover(course, command)
        ):
            yield
    except CourseError as error:
        program.fail(str(error))


def recover(course: CourseDirectory) -> None:
    """Check a class's folder, open its record store, and remove what a killed command left unfinished.

    Raises `CourseError`, with what to do, where the folder or its gradebook is no good.
    """
    root = Path(course.root)
    check_class_folder(root, course.db_url)
    if gradebook_exists(course.db_url):
        import_class(course)
    for path in root.glob("autograded/*/.*"):
        shutil.rmtree(path, ignore_errors=True)
    for place in PLACES:
        for path in root.glob(f"{place}.*{UNFINISHED}"):
            path.unlink(missing_ok=True)

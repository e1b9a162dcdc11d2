"""Clears up what a killed grading left, while a command holds a class's folder."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from nbgrader.apps.baseapp import NbGrader
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.abc import Exchange

from autograder.classroom.class_lock import lock_class
from autograder.classroom.gradebook import gradebook_exists
from autograder.exercises.errors import CourseError
from autograder.records.class_import import import_class


@contextlib.contextmanager
def lock_and_recover(course: CourseDirectory, command: str, patience: float | None = 0) -> Iterator[None]:
    """Hold a class's folder, and clear up first what a killed grading left."""
    with lock_class(Path(course.root), command, patience):
        recover(course)
        yield


@contextlib.contextmanager
def lock_for_program(program: NbGrader | Exchange, command: str) -> Iterator[None]:
    """Do the same for a program of nbgrader's, which a `CourseError` in here ends in one line."""
    try:
        with lock_and_recover(program.coursedir, command):
            yield
    except CourseError as error:
        program.fail(str(error))


def recover(course: CourseDirectory) -> None:
    """Open the record store of a class's folder, and remove what a killed grading left beside graded notebooks."""
    if gradebook_exists(course.db_url):
        import_class(course)
    for path in Path(course.root).glob("autograded/*/.*"):
        shutil.rmtree(path, ignore_errors=True)

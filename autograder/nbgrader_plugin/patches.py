"""Every name of nbgrader's that is reassigned, and why no setting does it.

The functions that take the places of nbgrader's stand here; `install` puts them there.
"""

from __future__ import annotations

import atexit
import functools
import gc
from datetime import datetime
from pathlib import Path
from typing import Any

import nbgrader.api
from nbgrader.apps import ExportApp, NbGraderApp, UpdateApp, dbapp
from nbgrader.apps.api import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.converters.base import BaseConverter, NbGraderException

from autograder.classroom import group_work
from autograder.exercises.errors import CourseError
from autograder.grading.batch import BatchGrader
from autograder.nbgrader_plugin import interrupts
from autograder.pages.feedback import FeedbackPages
from autograder.records import recovery, transaction

CONVERTERS: dict[type[BaseConverter], type[BaseConverter]] = {
    Autograde: BatchGrader,
    GenerateFeedback: FeedbackPages,
}
"""The converters of nbgrader's that have subclasses here."""

WRITERS = (
    *(ExportApp, UpdateApp, dbapp.DbUpgradeApp),
    *(dbapp.DbStudentAddApp, dbapp.DbStudentRemoveApp, dbapp.DbGenericImportApp),
    *(dbapp.DbAssignmentAddApp, dbapp.DbAssignmentRemoveApp),
)
"""nbgrader's commands that write to a class's folder and are no converters."""

_start_converter, _start_command = BaseConverter.start, NbGraderApp.start


@functools.cache
def install() -> None:
    """Put the functions below into nbgrader, once in a process."""
    BaseConverter.start = start_converter
    NbGraderApp.start = start_command
    NbGraderAPI.get_submitted_timestamp = find_hand_in_time
    nbgrader.api.create_engine = open_engine
    nbgrader.api.get_alembic_version = find_newest_version


def start_converter(converter: BaseConverter) -> None:
    """Replace `BaseConverter.start`: convert with our subclass, alone in the class's folder.

    nbgrader's commands and formgrader name the classes of their converters in their code, so no setting can name
    subclasses. A `CourseError` ends them as nbgrader's own errors do.
    """
    command = f"nbgrader {type(converter).__name__}"
    # The instance has its settings already, from the command or from formgrader; our subclasses add none.
    converter.__class__ = CONVERTERS.get(type(converter), type(converter))
    try:
        with recovery.lock_and_recover(converter.coursedir, command):
            _start_converter(converter)
    except CourseError as error:
        converter.log.error("%s", error)
        raise NbGraderException(str(error)) from None


def start_command(app: NbGraderApp) -> None:
    """Replace `NbGraderApp.start`: an interrupted command ends in one line, and one that writes does so alone.

    nbgrader has no hook before or after a command.
    """
    atexit.register(gc.freeze)  # a search for garbage among all that was imported would delay the end
    command = find_command(app)
    with interrupts.in_one_line():
        if isinstance(command, WRITERS):
            with recovery.lock_for_program(command, command.name.replace("nbgrader-", "nbgrader ")):
                _start_command(app)
        else:
            _start_command(app)


def find_command(app: NbGrader) -> NbGrader:
    """Return the command that a program was called with, as `nbgrader db student add`."""
    return find_command(app.subapp) if app.subapp else app


def find_hand_in_time(api: NbGraderAPI, assignment_id: str, student_id: str) -> datetime | None:
    """Replace `NbGraderAPI.get_submitted_timestamp`: the time stands in the class's table, `handed_in.csv`.

    nbgrader reads it from a file among the student's own. Formgrader would show each submission whose time is known
    otherwise as one that needs grading.
    """
    return group_work.find_time(Path(api.coursedir.root), student_id, assignment_id)


def open_engine(url: str, **options: Any) -> Any:
    """Replace `nbgrader.api.create_engine`: a `Gradebook` joins the open transaction, or uses a kept engine.

    A `Gradebook` takes only an address. nbgrader's own steps could not write into the transaction of a grade and its
    record; and each new engine would compile all SQL anew.
    """
    return transaction.open_engine(url)


@functools.cache
def find_newest_version() -> str | None:
    """Replace `nbgrader.api.get_alembic_version`: read the version of the gradebook's tables in this process.

    nbgrader starts the program `alembic` for it, which must be on the PATH and takes a second for each new gradebook.
    """
    from alembic.script import ScriptDirectory  # takes a moment, and most gradebooks are there

    return ScriptDirectory(Path(nbgrader.__file__).parent / "alembic").get_current_head()

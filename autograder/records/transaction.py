"""Grades and records of submissions are written in one transaction, whatever ends the process.

Graded notebooks are written into folders beside the earlier ones. Once the transaction holds, these folders take the
earlier ones' places. A record has the digest of its notebook: where a kill in between left another notebook there, the
submission is graded again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.utils import find_all_files
from tornado.log import app_log

from autograder.files import atomic_files
from autograder.records import discovery, record_store
from autograder.records.manual_grades import lock_database
from autograder.submissions import submission_folder
from autograder.submissions.submission_folder import CopiedWork

_open: dict[str, Any] = {}
"""By a database's address: the connection of the transaction that is open."""


def open_engine(url: str) -> Any:
    """Return what a `Gradebook` at this address writes to: the open transaction, or an engine."""
    return _open[url] if url in _open else record_store.engine_of(url)


def add_students(converter: Autograde, students: Sequence[str]) -> None:
    """Enter these students into the gradebook, in this order: tables list them so."""
    course = converter.coursedir
    if not converter.create_student:
        return
    with _one_transaction(course.db_url), Gradebook(course.db_url, course.course_id) as gradebook:
        existing = {student_row.id for student_row in gradebook.students}
        for student in students:
            if student not in existing:
                gradebook.add_student(student)


def lesson_files(converter: Autograde, lesson: str) -> list[Path]:
    """Return the lesson's own files that lie beside each notebook when it is graded."""
    source = _source(converter, lesson)
    excluded = {source / name for name in converter.exclude_overwriting.get(lesson, [])}
    paths = map(Path, find_all_files(str(source), [*converter.coursedir.ignore, "*.ipynb"]))
    return [path for path in paths if path not in excluded]


def lay_out(
    converter: Autograde, lesson: str, student: str, notebook: Path, lesson_paths: Sequence[Path]
) -> CopiedWork:
    """Copy a submission, and these files of the lesson's, to where it is graded.

    notebook: where it should lie; copies of notebooks lie apart from what is shown to them, see `submitted_notebooks`.
    """
    folder = Path(converter._format_dest(lesson, student))
    discard(folder)
    folder.mkdir(parents=True)
    copied = submission_folder.copy_work(
        notebook, converter.coursedir.ignore, folder, submitted_notebooks(folder)
    )
    discovery.copy_files(lesson_paths, _source(converter, lesson), folder)
    return copied


def submitted_notebooks(folder: Path) -> Path:
    """Return the folder of the notebooks that were handed in, beside the folder in which one is graded."""
    return folder.with_suffix(".in")


def discard(folder: Path) -> None:
    """Remove what is made for a submission that is not kept after all."""
    for path in (folder, submitted_notebooks(folder)):
        shutil.rmtree(path, ignore_errors=True)


def _source(converter: Autograde, lesson: str) -> Path:
    return Path(converter.coursedir.format_path(converter.coursedir.source_directory, ".", lesson))


@contextlib.contextmanager
def commit_grades(converter: Autograde, lesson: str, students: Sequence[str]) -> Iterator[Gradebook]:
    """Write grades, records and graded notebooks of these students: all that is written in here, or nothing of it."""
    course = converter.coursedir
    folders = {student: Path(converter._format_dest(lesson, student)) for student in students}
    try:
        with _one_transaction(course.db_url), Gradebook(course.db_url, course.course_id) as gradebook:
            lock_database(gradebook.db)
            gradebook.db().expire_on_commit = False  # nobody else writes: what was read holds
            yield gradebook
            for student, folder in folders.items():
                converter.set_permissions(lesson, student)
                for path in (*folder.glob("*.ipynb"), folder):
                    atomic_files.fsync(path)
            gradebook.db.commit()
    except BaseException:
        for path in (path for folder in folders.values() for path in folder.glob("*.ipynb")):
            path.unlink()  # it may be written again, for one submission alone, and takes room on a full disk
        raise
    for student, folder in folders.items():
        place = record_store.graded_path(course, lesson, student).parent
        shutil.rmtree(place, ignore_errors=True)
        os.rename(folder, place)
        atomic_files.fsync(place.parent)
        discard(folder)


@contextlib.contextmanager
def _one_transaction(url: str) -> Iterator[None]:
    """Have all that opens that gradebook in here, nbgrader's own steps too, write into one transaction."""
    with record_store.engine_of(url).begin() as transaction:
        connection: Any = transaction
        # Each gradebook disposes of its engine when it is closed: the transaction goes on after that.
        connection.dispose = lambda: None
        _open[url] = connection
        app_log.disabled = True  # it would log a traceback for each error, which is raised, too
        try:
            yield
        finally:
            app_log.disabled = False
            del _open[url]

"""Grades and graded notebook of a submission change together, or not at all, whatever ends the process.

All is written into a folder beside the earlier one, and all that the gradebook is told is one transaction, which also
says of which graded notebook it speaks. Once that holds, the folder takes the earlier one's place: a kill in between is
the one that leaves something to do, and `settle_folder` does it before anything else looks there.
"""

from __future__ import annotations

import contextlib
import functools
import glob
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbgrader.api
from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from nbgrader.converters import Autograde
from nbgrader.utils import find_all_files
from sqlalchemy import Column, MetaData, String, Table, create_engine, delete, insert, select

from autograder.nbgrader_plugin import finding, folders, kept, whole
from autograder.nbgrader_plugin.folders import CopiedWork
from autograder.nbgrader_plugin.marks import keep_others_out

engine_of = functools.lru_cache(maxsize=8)(create_engine)
"""A database's engine. nbgrader makes a new one each time it asks, and each compiles all its SQL anew."""

GRADED = Table(
    "attention_course_graded",
    MetaData(),
    Column("submission", String(32), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
)
"""In the gradebook, beside nbgrader's tables: of which graded notebook a submission's grades are."""


def beside(place: Path) -> Path:
    """Where a graded folder is made that will take this place."""
    return place.with_name(f".{place.name}.new")


def enter_students(converter: Autograde, students: Sequence[str]) -> None:
    """Have the gradebook know these students, in this order: tables list them so."""
    course = converter.coursedir
    if not converter.create_student:
        return
    with _one_transaction(course.db_url), Gradebook(course.db_url, course.course_id) as gradebook:
        known = {one.id for one in gradebook.students}
        for student in students:
            if student not in known:
                gradebook.add_student(student)


def own_files(converter: Autograde, lesson: str) -> list[Path]:
    """The lesson's own files that lie beside each notebook when it is graded."""
    source = _source(converter, lesson)
    kept = [source / name for name in converter.exclude_overwriting.get(lesson, [])]
    found = map(Path, find_all_files(str(source), [*converter.coursedir.ignore, "*.ipynb"]))
    return [path for path in found if path not in kept]


def bring(converter: Autograde, lesson: str, student: str, notebook: Path, own: Sequence[Path]) -> CopiedWork:
    """Copy a submission, and these files of the lesson's, to where it is graded.

    notebook: where it should lie; copies of notebooks lie apart from what is shown to them, see `notebooks_of`.
    """
    made = Path(converter._format_dest(lesson, student))
    discard(made)
    made.mkdir(parents=True)
    copied = folders.copy_work(notebook, converter.coursedir.ignore, made, notebooks_of(made))
    finding.copy(own, _source(converter, lesson), made)
    return copied


def notebooks_of(made: Path) -> Path:
    """The folder of the notebooks that were handed in, beside the folder in which one is graded."""
    return made.with_suffix(".in")


def discard(made: Path) -> None:
    """Remove what is made for a submission that is not kept after all."""
    for folder in (made, notebooks_of(made)):
        shutil.rmtree(folder, ignore_errors=True)


def _source(converter: Autograde, lesson: str) -> Path:
    return Path(converter.coursedir.format_path(converter.coursedir.source_directory, ".", lesson))


@contextlib.contextmanager
def committed(converter: Autograde, lesson: str, students: Sequence[str]) -> Iterator[Gradebook]:
    """What in here is written for submissions, and what the gradebook is told, holds in the end, or nothing of it."""
    course = converter.coursedir
    made = {student: Path(converter._format_dest(lesson, student)) for student in students}
    try:
        with _one_transaction(course.db_url), Gradebook(course.db_url, course.course_id) as gradebook:
            keep_others_out(gradebook.db)
            gradebook.db().expire_on_commit = False  # nobody else writes: what was read holds
            assignment = gradebook.find_assignment(lesson)
            yield gradebook
            for student, folder in made.items():
                converter.set_permissions(lesson, student)
                for path in (*folder.glob("*.ipynb"), folder):
                    whole.keep(path)
            _say(gradebook, assignment, {student: _of(folder) for student, folder in made.items()})
    except BaseException:
        for path in (path for folder in made.values() for path in folder.glob("*.ipynb")):
            path.unlink()  # it may be written again, for one submission alone, and takes room on a full disk
        raise
    for student, folder in made.items():
        _put(folder, kept.graded_path(course, lesson, student).parent)


def settle_folder(folder: Path, url: str) -> None:
    """Bring a class's folder to where all graded notebooks are those of the gradebook's grades."""
    beside_work = [Path(folder, path) for path in glob.glob("autograded/*/.*", root_dir=folder)]
    for earlier in (path for path in beside_work if path.suffix in (".old", ".in")):
        shutil.rmtree(earlier, ignore_errors=True)
    left = sorted(path for path in beside_work if path.suffix == ".new")
    if not left:
        return
    with Gradebook(url) as gradebook:
        for made in left:
            lesson, student = made.name[1 : -len(".new")], made.parent.name
            if (written := _of(made)) and written == of_grades(gradebook, lesson).get(student):
                _put(made, made.with_name(lesson))
            else:
                shutil.rmtree(made)


def _put(made: Path, place: Path) -> None:
    earlier = place.with_name(f".{place.name}.old")
    if place.exists():
        os.rename(place, earlier)
    os.rename(made, place)
    whole.keep(place.parent)
    for left in (earlier, notebooks_of(made)):
        shutil.rmtree(left, ignore_errors=True)


def _of(made: Path) -> str:
    return next((kept.glance(path).fingerprint for path in made.glob("*.ipynb")), "")


def of_grades(gradebook: Gradebook, lesson: str) -> dict[str, str]:
    """The fingerprints of the notebooks whose grades a gradebook has, by student."""
    GRADED.create(gradebook.engine, checkfirst=True)
    found = (
        select(SubmittedAssignment.student_id, GRADED.c.fingerprint)
        .join(GRADED, GRADED.c.submission == SubmittedAssignment.id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == lesson)
    )
    return {student: of for student, of in gradebook.db.execute(found)}


def _say(gradebook: Gradebook, assignment: Assignment, written: Mapping[str, str]) -> None:
    """Say of which graded notebooks the students' grades are. written: their fingerprints."""
    GRADED.create(gradebook.engine, checkfirst=True)
    found = select(SubmittedAssignment.id, SubmittedAssignment.student_id).where(
        SubmittedAssignment.assignment_id == assignment.id, SubmittedAssignment.student_id.in_(written)
    )
    rows = [
        {"submission": id, "fingerprint": written[student]} for id, student in gradebook.db.execute(found)
    ]
    gradebook.db.execute(delete(GRADED).where(GRADED.c.submission.in_(row["submission"] for row in rows)))
    if rows:
        gradebook.db.execute(insert(GRADED), rows)
    gradebook.db.commit()


@contextlib.contextmanager
def _one_transaction(url: str) -> Iterator[None]:
    """Whatever opens that gradebook in here, nbgrader's own steps too, writes into one transaction."""
    usual = nbgrader.api.create_engine
    with engine_of(url, echo=False, future=True).begin() as transaction:
        connection: Any = transaction
        # Each gradebook disposes of its engine when it is closed: the transaction goes on after that.
        connection.dispose = lambda: None
        nbgrader.api.create_engine = lambda *_, **__: connection
        try:
            yield
        finally:
            nbgrader.api.create_engine = usual

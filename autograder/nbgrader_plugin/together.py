"""Grades and graded notebook of a submission change together, or not at all, whatever ends the process.

All is written into a folder beside the earlier one, and all that the gradebook is told is one transaction, which also
says of which graded notebook it speaks. Once that holds, the folder takes the earlier one's place: a kill in between is
the one that leaves something to do, and `settle_folder` does it before anything else looks there.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbgrader.api
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import find_all_files
from sqlalchemy import Column, MetaData, String, Table, create_engine, delete, insert, select

from autograder.courses import open_course
from autograder.nbgrader_plugin import finding, fingerprint, whole

engine_of = functools.lru_cache(maxsize=8)(create_engine)
"""A database's engine. nbgrader makes a new one each time it asks, and each compiles all its SQL anew."""

GRADED = Table(
    "attention_course_graded",
    MetaData(),
    Column("submission", String(32), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
)
"""In the gradebook, beside nbgrader's tables: of which graded notebook a submission's grades are."""

_source, _convert = Autograde._format_source, Autograde.convert_single_notebook


def install_grading() -> None:
    """Have nbgrader grade as this module does, from its command and from formgrader."""
    Autograde.init_destination = _is_to_be_graded
    Autograde.init_assignment = bring
    Autograde.convert_single_notebook = _graded
    Autograde._format_dest = _written_to
    Autograde._format_source = _read_from


def beside(place: Path) -> Path:
    """Where a graded folder is made that will take this place."""
    return place.with_name(f".{place.name}.new")


def place_of(converter: Autograde, lesson: str, student: str) -> Path:
    """Where a student's graded folder lies."""
    course = converter.coursedir
    return Path(course.format_path(course.autograded_directory, student, lesson))


def has_changed(converter: Autograde, gradebook: Gradebook, lesson: str, student: str) -> bool:
    """Whether a submission is to be graded: its graded notebook, or its grades, are not of what lies there now."""
    of = open_course(converter.config.TheCourse.folder).lesson(lesson)
    now = converter.exporter.fingerprint(Path(_source(converter, lesson, student)), of)
    notebooks = {fingerprint.of_graded(path) for path in place_of(converter, lesson, student).glob("*.ipynb")}
    return not notebooks == {now} == {_of_grades(gradebook, lesson, student)}


def bring(converter: Autograde, lesson: str, student: str) -> None:
    """Copy what lies beside a submission's notebook, and the lesson's own files, to where it is graded.

    A new student is entered here, where they come in order: tables list them so.
    """
    made = Path(converter._format_dest(lesson, student))
    shutil.rmtree(made, ignore_errors=True)
    finding.copy(converter, lesson, student)
    course = converter.coursedir
    if converter.create_student:
        with Gradebook(course.db_url, course.course_id) as gradebook:
            gradebook.update_or_create_student(student)
    source = Path(course.format_path(course.source_directory, ".", lesson))
    kept = converter.exclude_overwriting.get(lesson, [])
    for path in map(Path, find_all_files(str(source), [*course.ignore, "*.ipynb"])):
        target = made / path.relative_to(source)
        if str(path.relative_to(source)) not in kept:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


class Enter(NbGraderPreprocessor):
    """Puts a submission into the gradebook: the first that it is told of it."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Enter it; what has stood there before stays."""
        names = resources["nbgrader"]
        with Gradebook(names["db_url"], self.parent.parent.coursedir.course_id) as gradebook:
            gradebook.update_or_create_submission(names["assignment"], names["student"])
        return nb, resources


@contextlib.contextmanager
def committed(converter: Autograde, lesson: str, student: str) -> Iterator[None]:
    """What in here is written for a submission, and what the gradebook is told, holds in the end, or nothing of it."""
    made, url = Path(converter._format_dest(lesson, student)), converter.coursedir.db_url
    with _one_transaction(url):
        yield
        converter.set_permissions(lesson, student)
        for path in (*made.glob("*.ipynb"), made):
            whole.keep(path)
        with Gradebook(url, converter.coursedir.course_id) as gradebook:
            _say(gradebook, gradebook.find_submission(lesson, student).id, _of(made))
    _put(made, place_of(converter, lesson, student))


def settle_folder(folder: Path, url: str) -> None:
    """Bring a class's folder to where all graded notebooks are those of the gradebook's grades."""
    for earlier in folder.glob("autograded/*/.*.old"):
        shutil.rmtree(earlier, ignore_errors=True)
    left = sorted(folder.glob("autograded/*/.*.new"))
    if not left:
        return
    with Gradebook(url) as gradebook:
        for made in left:
            lesson, student = made.name[1 : -len(".new")], made.parent.name
            if (written := _of(made)) and written == _of_grades(gradebook, lesson, student):
                _put(made, made.with_name(lesson))
            else:
                shutil.rmtree(made)


def _put(made: Path, place: Path) -> None:
    earlier = place.with_name(f".{place.name}.old")
    if place.exists():
        os.rename(place, earlier)
    os.rename(made, place)
    whole.keep(place.parent)
    shutil.rmtree(earlier, ignore_errors=True)


def _of(made: Path) -> str:
    return next(map(fingerprint.of_graded, made.glob("*.ipynb")), "")


def _of_grades(gradebook: Gradebook, lesson: str, student: str) -> str:
    """The fingerprint of the notebook whose grades a gradebook has; empty where none is known."""
    GRADED.create(gradebook.engine, checkfirst=True)
    with contextlib.suppress(MissingEntry):
        ours = GRADED.c.submission == gradebook.find_submission(lesson, student).id
        return gradebook.db.execute(select(GRADED.c.fingerprint).where(ours)).scalar() or ""
    return ""


def _say(gradebook: Gradebook, submission: str, written: str) -> None:
    GRADED.create(gradebook.engine, checkfirst=True)
    gradebook.db.execute(delete(GRADED).where(GRADED.c.submission == submission))
    gradebook.db.execute(insert(GRADED).values(submission=submission, fingerprint=written))
    gradebook.db.commit()


@contextlib.contextmanager
def _one_transaction(url: str) -> Iterator[None]:
    """Whatever opens that gradebook in here, nbgrader's own steps too, writes into one transaction."""
    usual = nbgrader.api.create_engine
    with engine_of(url, echo=False, future=True).begin() as connection:
        # Each gradebook disposes of its engine when it is closed: the transaction goes on after that.
        connection.dispose = lambda: None  # type: ignore[attr-defined]  # only engines have one
        nbgrader.api.create_engine = lambda *_, **__: connection
        try:
            yield
        finally:
            nbgrader.api.create_engine = usual


def _is_to_be_graded(converter: Autograde, lesson: str, student: str) -> bool:
    if student in converter.coursedir.student_id_exclude.split(","):
        return False
    course = converter.coursedir
    with Gradebook(course.db_url, course.course_id) as gradebook:
        if converter.force or has_changed(converter, gradebook, lesson, student):
            return True
    converter.log.info("%s of %s is graded already", lesson, student)
    return False


def _graded(converter: Autograde, notebook: str) -> None:
    names = converter.init_single_notebook_resources(notebook)["nbgrader"]
    with committed(converter, names["assignment"], names["student"]):
        _convert(converter, notebook)


def _written_to(converter: Autograde, lesson: str, student: str, escape: bool = False) -> str:
    return str(beside(place_of(converter, lesson, student)))


def _read_from(converter: Autograde, lesson: str, student: str, escape: bool = False) -> str:
    """In nbgrader's second pass, what the first has written."""
    if converter._sanitizing:
        return str(_source(converter, lesson, student, escape))
    course = converter.coursedir
    place = Path(course.format_path(course.autograded_directory, student, lesson, escape=escape))
    return str(place.with_name(rf"\.{place.name}\.new") if escape else beside(place))

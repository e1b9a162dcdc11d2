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
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbgrader.api
from nbformat import NotebookNode
from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from nbgrader.converters import Autograde
from nbgrader.utils import find_all_files
from sqlalchemy import Column, MetaData, String, Table, create_engine, delete, insert, select

from autograder.courses import Lesson, open_course
from autograder.model.notes import Note
from autograder.nbgrader_plugin import finding, fingerprint, kept, marked_words, whole
from autograder.nbgrader_plugin.late import LatePenalties
from autograder.nbgrader_plugin.marked_words import Rows

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
    Autograde.init_assignment = _begun
    Autograde.convert_single_notebook = _graded
    Autograde._format_dest = _written_to
    Autograde._format_source = _read_from


def beside(place: Path) -> Path:
    """Where a graded folder is made that will take this place."""
    return place.with_name(f".{place.name}.new")


def place_of(converter: Autograde, lesson: str, student: str) -> Path:
    """Where a student's graded folder lies."""
    return kept.graded_path(converter.coursedir, lesson, student).parent


def has_changed(converter: Autograde, lesson: str, student: str, now: str, of_grades: str) -> bool:
    """Whether a submission is to be graded: its graded notebook, or its grades, are not of what lies there now.

    now, of_grades: the fingerprint of that, and of the notebook whose grades the gradebook has.
    """
    return not _of(place_of(converter, lesson, student)) == now == of_grades


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


def bring(converter: Autograde, lesson: str, student: str) -> None:
    """Copy what lies beside a submission's notebook, and the lesson's own files, to where it is graded."""
    made = Path(converter._format_dest(lesson, student))
    shutil.rmtree(made, ignore_errors=True)
    finding.copy(converter, lesson, student)
    course = converter.coursedir
    source = Path(course.format_path(course.source_directory, ".", lesson))
    kept = converter.exclude_overwriting.get(lesson, [])
    for path in map(Path, find_all_files(str(source), [*course.ignore, "*.ipynb"])):
        target = made / path.relative_to(source)
        if str(path.relative_to(source)) not in kept:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


class Enter(LatePenalties):
    """Tells the gradebook of a graded notebook all that it is told."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Tell it, and note in the notebook what there is to note."""
        names = resources["nbgrader"]
        lesson = open_course(self.config.TheCourse.folder).lesson(names["assignment"])
        with Gradebook(names["db_url"], self.parent.parent.coursedir.course_id) as gradebook:
            notes = self.enter(gradebook, lesson, names["student"], Rows.of(nb))
        kept.note(nb, names["student"], notes, self.log)
        return nb, resources

    def enter(self, gradebook: Gradebook, lesson: Lesson, student: str, rows: Rows) -> list[Note]:
        """Enter a submission, whose student is known, with its scores, and take off what it loses for being late.

        What marks stood there before stay, as far as they are for the same words. What there is to note comes back.
        """
        gradebook.update_or_create_submission(lesson.id, student)
        marked_words.save(gradebook, lesson, student, rows)
        return [*self.take_off(gradebook, self.parent.parent.coursedir, lesson, student)]


@contextlib.contextmanager
def committed(converter: Autograde, lesson: str, students: Sequence[str]) -> Iterator[Gradebook]:
    """What in here is written for submissions, and what the gradebook is told, holds in the end, or nothing of it."""
    course = converter.coursedir
    made = {student: Path(converter._format_dest(lesson, student)) for student in students}
    with _one_transaction(course.db_url), Gradebook(course.db_url, course.course_id) as gradebook:
        yield gradebook
        for student, folder in made.items():
            converter.set_permissions(lesson, student)
            for path in (*folder.glob("*.ipynb"), folder):
                whole.keep(path)
        _say(gradebook, lesson, {student: _of(folder) for student, folder in made.items()})
    for student, folder in made.items():
        _put(folder, place_of(converter, lesson, student))


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
    shutil.rmtree(earlier, ignore_errors=True)


def _of(made: Path) -> str:
    found = next(map(kept.glance, made.glob("*.ipynb")), None)
    return found.fingerprint if found else ""


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


def _say(gradebook: Gradebook, lesson: str, written: Mapping[str, str]) -> None:
    """Say of which graded notebooks the students' grades are. written: their fingerprints."""
    GRADED.create(gradebook.engine, checkfirst=True)
    for student, of in written.items():
        submission = gradebook.find_submission(lesson, student).id
        gradebook.db.execute(delete(GRADED).where(GRADED.c.submission == submission))
        gradebook.db.execute(insert(GRADED).values(submission=submission, fingerprint=of))
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


def _is_to_be_graded(converter: Autograde, lesson: str, student: str) -> bool:
    if student in converter.coursedir.student_id_exclude.split(","):
        return False
    course = converter.coursedir
    folder = Path(_source(converter, lesson, student))
    with Gradebook(course.db_url, course.course_id) as gradebook:
        now = converter.exporter.marks(gradebook, folder)[fingerprint.FIELD]
        before = of_grades(gradebook, lesson).get(student, "")
    if converter.force or has_changed(converter, lesson, student, now, before):
        return True
    converter.log.info("%s of %s is graded already", lesson, student)
    return False


def _begun(converter: Autograde, lesson: str, student: str) -> None:
    bring(converter, lesson, student)
    enter_students(converter, [student])


def _graded(converter: Autograde, notebook: str) -> None:
    names = converter.init_single_notebook_resources(notebook)["nbgrader"]
    with committed(converter, names["assignment"], [names["student"]]):
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

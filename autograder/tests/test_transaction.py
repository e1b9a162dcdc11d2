"""Grades and graded notebook change together or not at all: grading is killed, or fails, at each of its steps."""

from __future__ import annotations

import errno
import multiprocessing
import os
import pkgutil
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
from nbgrader.coursedir import CourseDirectory

from autograder.courses import open_course
from autograder.grading import engines, grade_submission
from autograder.grading.grade_submission import GradedFile, Job
from autograder.records import record_store, transaction
from autograder.records.marked_answers import NotebookScores
from autograder.sandbox import fork_server
from autograder.tests import small_course
from autograder.tests.commands import run_nbgrader
from autograder.tests.grading import NBGRADERS_TRUST, grade, hand_in, right
from autograder.tests.small_course import CELSIUS, DAYS, LESSON

KILLED = 9
NOTEBOOK = f"{small_course.NOTEBOOK}.ipynb"

STEPS = (("autograder.records.record_store", "add_records"), ("os", "rename"))
"""Where what lies on the disk is another than before: once the records are written, and once the notebook is."""


class State(NamedTuple):
    """A student's scores, in nbgrader's tables and in the record, by grade id; None where there are none."""

    gradebook: dict[str, float] | None
    record: dict[str, float] | None


class Class(NamedTuple):
    """A class's folders: Amy's first work is graded, and her second one has come; and how it looks once that is."""

    before: Path
    after: Path


def state(course: Path, student: str) -> State:
    with sqlite3.connect(course / "gradebook.db") as base:
        rows = base.execute(
            """select c.name, g.auto_score from grade g join base_cell c on c.id = g.cell_id
               join submitted_notebook n on n.id = g.notebook_id
               join submitted_assignment s on s.id = n.assignment_id
               where s.student_id = ? and c.name like 'test_%'""",
            [student],
        ).fetchall()
    base.close()
    record = record_store.load_records(CourseDirectory(root=str(course)), LESSON).get(student)
    points = record and {f"test_{name}": float(one.points) for name, one in record.verdicts.items()}
    return State(dict(rows) or None, points)


def fits(course: Path, student: str) -> bool:
    """Whether a student's graded notebook is the one that the record is of."""
    record = record_store.load_records(CourseDirectory(root=str(course)), LESSON)[student]
    return record.notebook == record_store.digest_of_file(course / "autograded" / student / LESSON / NOTEBOOK)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """Bob hands in for the first time when Amy does for the second."""
    place = tmp_path_factory.mktemp("class")
    course = small_course.make(place / "course")
    before = small_course.make_class(course, place / "before")
    lesson = course.lesson(LESSON)
    hand_in(before, "amy", lesson, right(lesson, [CELSIUS]))
    grade(before)
    for student in ("amy", "bob"):
        hand_in(before, student, lesson, right(lesson, [DAYS]))
    after = shutil.copytree(before, place / "after", symlinks=True)
    grade(after)
    return Class(before, after)


def run(way: str, folder: Path, after: Path, change: Callable[..., None], *about: Any) -> None:
    """Grade in one of the two ways, with verdicts that were reached before, in a process in which `change` is made."""

    def found(job: Job) -> GradedFile:
        notebook = nbformat.read(after / "autograded" / job.student / LESSON / NOTEBOOK, as_version=4)
        notebook.metadata = nbformat.from_dict(job.metadata)
        text = f"{nbformat.writes(notebook)}\n"
        return GradedFile(text, NotebookScores.of(notebook), [], records[job.student].verdicts)

    records = record_store.load_records(CourseDirectory(root=str(after)), LESSON)
    grade_submission.grade_submission = engines.grade_submission = found
    fork_server.start = lambda *_: None
    change(*about)
    if way == "ours":
        grade(folder)
    else:
        run_nbgrader("autograde", LESSON, *NBGRADERS_TRUST, folder=folder, course=open_course(folder))


def end_after(owner: str, name: str) -> None:
    """From now on, this process ends, without a chance to clean up, after that function is called."""
    function = getattr(pkgutil.resolve_name(owner), name)

    def ends(*arguments: Any, **options: Any) -> None:
        function(*arguments, **options)
        os._exit(KILLED)

    setattr(pkgutil.resolve_name(owner), name, ends)


def end_at_commit() -> None:
    """As `end_after`, after the commit that follows once all is written."""
    add_records = record_store.add_records

    def added(*arguments: Any) -> None:
        add_records(*arguments)
        end_after("sqlalchemy.engine.default:DefaultDialect", "do_commit")

    record_store.add_records = added


READIED = ("autograder.commands.grade", "autograder.nbgrader_plugin.settings", "autograder.tests.readied")
"""What each grading imports or does first; they share one process that has done so."""


def in_a_process(*arguments: Any) -> int:
    """What `run` ends with."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *READIED])
    process = context.Process(target=run, args=arguments)
    process.start()
    process.join(120)
    assert process.exitcode is not None
    return process.exitcode


KILLS = [*((end_after, *step) for step in STEPS), (end_at_commit,)]
BOTH_WAYS = [(way, kill) for way in ("ours", "nbgrader's") for kill in KILLS]


def in_words(one: str | tuple[object, ...]) -> str:
    """A test's name of a way, or of a kill."""
    return one if isinstance(one, str) else " ".join(str(getattr(word, "__name__", word)) for word in one)


@pytest.mark.parametrize(("way", "kill"), BOTH_WAYS, ids=in_words)
def test_a_kill_leaves_all_as_it_was_or_all_as_it_will_be(graded, tmp_path, way, kill):
    course = shutil.copytree(graded.before, tmp_path / "class", symlinks=True)
    assert in_a_process(way, course, graded.after, *kill) == KILLED
    for student in ("amy", "bob"):
        assert state(course, student) in (state(graded.before, student), state(graded.after, student))
    assert in_a_process(way, course, graded.after, nothing) == 0
    assert not list(course.glob("autograded/*/.*"))
    for student in ("amy", "bob"):
        assert state(course, student) == state(graded.after, student)
        assert fits(course, student)


def nothing() -> None:
    """Change nothing."""


@pytest.mark.parametrize("way", ["ours", "nbgrader's"])
def test_where_an_earlier_gradebook_was_put_back_its_grades_are_given_again(graded, tmp_path, way):
    course = shutil.copytree(graded.after, tmp_path / "class", symlinks=True)
    shutil.copy(graded.before / "gradebook.db", course)
    assert in_a_process(way, course, graded.after, nothing) == 0
    for student in ("amy", "bob"):
        assert state(course, student) == state(graded.after, student)


def fail_at(owner: str, name: str) -> None:
    """From now on, that function fails."""

    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("no")

    setattr(pkgutil.resolve_name(owner), name, fails)


@pytest.mark.parametrize("way", ["ours", "nbgrader's"])
def test_a_failure_leaves_all_as_it_was(graded, tmp_path, way):
    course = shutil.copytree(graded.before, tmp_path / "class", symlinks=True)
    assert (
        in_a_process(way, course, graded.after, fail_at, "autograder.records.record_store", "with_points")
        == 1
    )
    assert not list(course.glob("autograded/*/.*"))
    for student in ("amy", "bob"):
        assert state(course, student) == state(graded.before, student)


def fail_for_several() -> None:
    """From now on, the disk is full wherever more than one submission is written."""
    committed = transaction.commit_grades

    def full(converter: Any, lesson: str, students: list[str]) -> Any:
        if len(students) > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return committed(converter, lesson, students)

    transaction.commit_grades = full


def test_what_cannot_be_written_together_is_written_alone(graded, tmp_path):
    course = shutil.copytree(graded.before, tmp_path / "class", symlinks=True)
    assert in_a_process("ours", course, graded.after, fail_for_several) == 0
    for student in ("amy", "bob"):
        assert state(course, student) == state(graded.after, student)

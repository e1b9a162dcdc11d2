"""Grading a class: the same grades whichever way, nothing twice, nothing lost."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import dask.distributed
import nbformat
import psutil
import pytest
from nbgrader.api import Gradebook
from sqlalchemy import event
from sqlalchemy.engine import Engine

from autograder.classroom import hand_in_times
from autograder.demo import samples
from autograder.exercises.errors import DISK_FULL, CourseError
from autograder.grading import engines
from autograder.grading.batch import MAX_GRADING_STARTS, BatchGrader
from autograder.sandbox import limited_process
from autograder.submissions import submission_folder
from autograder.tests import needs, simulated, small_course
from autograder.tests.dask_cluster import cluster, kill_with_children
from autograder.tests.grading import exported, grade, graded
from autograder.tests.small_course import LESSON

NOTEBOOK = f"{small_course.NOTEBOOK}.ipynb"
STUDENTS = 4
ALL = STUDENTS + 2


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """A class's submissions: a damaged file, one that ends its own kernel, some late."""
    place = tmp_path_factory.mktemp("class")
    lesson = small_course.make(place / "course", question=small_course.QUESTION).lesson(LESSON)
    release, course = lesson.released, small_course.make_class(lesson.course, place / "class")
    simulated.hand_in_class(lesson, release, course / "submitted", STUDENTS, seed=3)
    samples.put_file(course / "submitted", "zoe", LESSON, release.name, b"{ not json")
    blank = nbformat.reads(release.read_text(), as_version=4)
    blank.cells[2:2] = [nbformat.v4.new_code_cell("import os; os._exit(1)")]
    blank.cells[4:4] = [blank.cells.pop(-1)]
    blank.cells[-1].metadata["tags"] = ["skip-execution"]
    samples.put_file(course / "submitted", "max", LESSON, "mine (1).ipynb", nbformat.writes(blank).encode())
    beside = course / "submitted" / "max" / LESSON
    (beside / "notes").mkdir()
    for name in ("my_helpers.py", "numpy.py", "timestamp.txt", "notes/more.txt"):
        (beside / name).write_text("1 = 2")
    (beside / "elsewhere").symlink_to("/etc/passwd")
    for student in ("max", "student_001", "student_002"):
        hand_in_times.add_time(course, student, LESSON, "2026-03-02 08:00:00 UTC")
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")
    return course


@pytest.fixture(scope="module")
def copied(handed_in, tmp_path_factory):
    """A function that copies the class before it is graded."""

    def copy() -> Path:
        target = tmp_path_factory.mktemp("class") / "course"
        shutil.copytree(handed_in, target, symlinks=True)
        return target

    return copy


@pytest.fixture(scope="module")
def one_after_the_other(copied):
    """The class, graded without any worker; and what was said."""
    course = copied()
    return course, grade(course, LESSON)


def test_what_is_said_without_a_terminal_is_plain_lines(one_after_the_other):
    course, said = one_after_the_other
    assert f"{LESSON}: {ALL} of {ALL} done" in said
    assert "zoe: temperatures.ipynb is not JSON" in said
    assert "kernel died" in said
    assert "\x1b" not in said


NAMED_SO = "No space left on device, database or disk is full"
"""A file may have any name: it stops nobody else's grading."""


def test_a_submission_that_cannot_be_looked_at_fails_alone(copied, monkeypatch):
    course, asked = copied(), []
    copy_work = submission_folder.copy_work

    def failing(wanted, *others):
        if wanted.parts[-3] == "max":
            raise OSError("this disk\nis broken")
        if wanted.parts[-3] == "zoe":
            raise PermissionError(errno.EACCES, "Permission denied", NAMED_SO)
        return copy_work(wanted, *others)

    class Idle(Executor):
        def submit(self, function, job, /):
            asked.append(job)
            future: Future = Future()
            if asked.count(job) < MAX_GRADING_STARTS:  # as when a scheduler is lost
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_exception(limited_process.WorkerDied("not run"))
            return future

    monkeypatch.setattr(submission_folder, "copy_work", failing)
    monkeypatch.setattr(engines, "ThreadPoolExecutor", lambda jobs: Idle())
    said = grade(course, LESSON, fails=True)
    assert f"{ALL} of {ALL} done ({ALL} failed)" in said
    assert len(asked) == MAX_GRADING_STARTS * (ALL - 2)
    assert "student_001 could not be graded: WorkerDied: not run" in said
    assert r"max could not be graded: OSError: this disk\nis broken" in said
    assert f"zoe could not be graded: PermissionError: [Errno 13] Permission denied: {NAMED_SO!r}" in said


@needs.seal
def test_a_disk_that_is_full_where_nbgrader_writes_is_one_line(copied, caplog):
    def full(_: object, statement: str, *__: object) -> None:
        if statement.startswith("INSERT INTO submitted_assignment"):
            raise sqlite3.OperationalError("database or disk is full")

    course = copied()
    event.listen(Engine, "do_execute", full)
    try:
        said = grade(course, LESSON, fails=True)
    finally:
        event.remove(Engine, "do_execute", full)
    assert said.splitlines()[-1] == f"✗ {DISK_FULL}"
    assert "could not be graded: InvalidEntry" not in said
    assert not [line for line in caplog.records if line.exc_info]


@needs.seal
def test_each_of_nbgrader_s_hooks_runs_once_a_submission(copied, monkeypatch):
    course, ran = copied(), []

    def note(name):
        return lambda made: ran.append((name, Path(made.notebooks[0]).parts[-3]))

    for name in ("pre", "post"):
        monkeypatch.setattr(BatchGrader, f"run_{name}_convert_hook", note(name))
    grade(course, LESSON)
    students = sorted(path.name for path in (course / "submitted").iterdir())
    assert sorted(ran) == [(name, student) for name in ("post", "pre") for student in students]


def test_only_what_has_changed_is_graded_again(tmp_path, one_after_the_other):
    course = tmp_path / "course"
    shutil.copytree(one_after_the_other[0], course, symlinks=True)
    before, points = graded(course), exported(course)
    said = grade(course, LESSON)
    assert f"({ALL} unchanged)" in said
    path = course / "submitted" / "zoe" / LESSON / NOTEBOOK
    path.write_bytes((course / "submitted" / "student_001" / LESSON / NOTEBOOK).read_bytes())
    said = grade(course, LESSON)
    assert f"{ALL - 1} unchanged" in said
    assert len(said.strip().split("\n")) == 1
    after = graded(course)
    assert [name for name in after if before[name] != after[name]] == [f"autograded/zoe/{LESSON}/{NOTEBOOK}"]
    assert exported(course) != points
    shutil.rmtree(course / "autograded" / "zoe")
    assert f"{ALL - 1} unchanged" in grade(course, LESSON)
    assert graded(course) == after


def wait_for_the_first(course: Path, grading: psutil.Popen) -> None:
    """Until something is written for a student, or nothing will be."""
    while not list((course / "autograded").rglob("*.ipynb")) and grading.poll() is None:
        time.sleep(0.05)


def test_a_setting_on_the_command_line_has_its_type(copied):
    course = copied()
    shutil.rmtree(course / "submitted")
    (course / "submitted" / "amy" / LESSON).mkdir(parents=True)
    said = grade(course, LESSON, "--setting", "GradeAnswers.notebook_timeout=20")
    assert "1 of 1 done (1 not graded)" in said


@needs.seal
def test_a_cluster_whose_worker_is_killed_loses_nothing(copied, one_after_the_other):
    course = copied()
    with cluster(course) as (address, processes), ThreadPoolExecutor() as beside:
        first = beside.submit(wait_for_the_first, course, processes[0])
        first.add_done_callback(lambda _: kill_with_children(processes[0]))
        grade(course, LESSON, "--scheduler", address)
        first.result()
    assert exported(course) == exported(one_after_the_other[0])
    assert graded(course) == graded(one_after_the_other[0])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--jobs", "-1"], "-1 is not in the range x>=0"),
        (["--setting", "Execute.timeout=abc"], "expected an int, not the str 'abc'"),
        (["--scheduler", "nonsense"], "no Dask scheduler answers at nonsense: missing port number"),
    ],
)
def test_an_option_that_makes_no_sense_is_said_in_one_line(one_after_the_other, options, complaint):
    said = grade(one_after_the_other[0], LESSON, "--force", *options, fails=True)
    assert complaint in said


def test_a_cluster_without_workers_is_told_and_one_without_a_scheduler_ends_the_grading(monkeypatch):
    client = mock.MagicMock(status="running", **{"nthreads.return_value": {"one": 1}})
    client.scheduler_info.return_value = {"workers": {"one": {}}}
    monkeypatch.setattr(dask.distributed, "Client", lambda *_, **__: client)
    with engines.dask_engine("tcp://somewhere:1") as engine:
        assert engine.trouble() == ""
        client.scheduler_info.return_value = {"workers": {}}
        assert "the Dask scheduler at tcp://somewhere:1 has no workers" in engine.trouble()
        client.status = "connecting"
        assert "has no workers" in engine.trouble()
        client.status = "closed"
        with pytest.raises(
            CourseError, match="answers no more: start it and its workers, and call this again"
        ):
            engine.trouble()
        with pytest.raises(CourseError, match="answers no more"):
            engine.submit(mock.Mock())

"""Two who write in one class's folder do so one after the other, and each is told of the other."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from filelock import FileLock, Timeout
from nbgrader.apps import NbGraderApp
from nbgrader.apps.api import NbGraderAPI

from autograder.authoring.release import NbgraderError
from autograder.classroom.class_folder import directory_of
from autograder.classroom.class_lock import LOCK, Busy, lock_class
from autograder.courses import course_settings
from autograder.marking import marker_view
from autograder.nbgrader_plugin import patches
from autograder.tests import simulated
from autograder.tests.commands import run_nbgrader
from autograder.tests.marked_class import MarkedClass, make_class
from autograder.tests.this_course import COURSE, ROOT, find_lesson

LESSON = find_lesson("01_weighted_sums")
EXCHANGE = ("collect", "release_assignment", "release_feedback")
CONVERTING = ("autograde", "generate_feedback", "generate_assignment")
COMMANDS = [[name, LESSON.id, "--force"] for name in CONVERTING] + [[name, LESSON.id] for name in EXCHANGE]
"""nbgrader's that write to a class's folder, and need no `nbgrader` before them to do so alone."""


def hold(folder: Path, seconds: float, told: Connection) -> None:
    with lock_class(folder, "attention-course round"):
        told.send("held")
        time.sleep(seconds)


@contextmanager
def held(folder: Path, seconds: float = 60) -> Iterator[BaseProcess]:
    """Another process holds the class's folder."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=hold, args=(folder, seconds, there))
    process.start()
    assert here.recv() == "held"
    try:
        yield process
    finally:
        process.kill()
        process.join()


@pytest.fixture
def course(make_course, tmp_path: Path) -> Path:
    folder, release = make_course(LESSON.id)
    simulated.hand_in_class(LESSON, release, folder / "submitted", 1, seed=5)
    return folder


def test_nbgrader_s_commands_say_who_is_at_work_since_when(course, tmp_path):
    exchange = f"--Exchange.root={tmp_path}"
    tmp_path.chmod(0o777)
    run_nbgrader("release_assignment", LESSON.id, exchange, folder=course)
    with held(course) as other:
        for command in COMMANDS:
            with pytest.raises(NbgraderError) as failed:
                run_nbgrader(*command, *[exchange] * (command[0] in EXCHANGE), folder=course)
            assert_named(other, course, str(failed.value))
        for command in (["db", "student", "add", "zoe"], ["export"]):
            assert_named(other, course, run_program(*command, folder=course))
    assert not (course / "grades.csv").exists()


def assert_named(other: BaseProcess, course: Path, message: str) -> None:
    who = f"`attention-course round` (process {other.pid} on {os.uname().nodename})"
    assert f"{who} is at work in {course} since 20" in message


def run_program(*command: str, folder: Path) -> str:
    """Run the program `nbgrader` in this process, which fails; what it logged comes back."""
    logged, app = io.StringIO(), NbGraderApp(raise_config_file_errors=True)
    with course_settings(COURSE), contextlib.chdir(ROOT), contextlib.redirect_stderr(logged):
        app.initialize([*command, f"--CourseDirectory.root={folder}"])
        type(patches.find_command(app)).clear_instance()  # a process has one command of nbgrader's otherwise
        with pytest.raises(SystemExit):
            app.start()
    return logged.getvalue()


def test_formgrader_says_so_too(course):
    """It runs nbgrader's own converter in the server's process, and shows what that logs."""
    directory = directory_of(COURSE, course)
    api = NbGraderAPI(directory, config=directory.config)
    with held(course) as other:
        answer = api.autograde(LESSON.id, simulated.names(1)[0])
    assert not answer["success"]
    assert f"(process {other.pid} on " in answer["log"]


def test_marks_are_saved_and_answers_settled_while_nobody_else_is_at_work(tmp_path, monkeypatch):
    monkeypatch.setattr(marker_view, "PATIENCE", 0.1)
    marked = MarkedClass(make_class(tmp_path, {"amy": "The query asks."}))
    leftover = tmp_path / "autograded" / "amy" / f".{LESSON.id}.new"
    leftover.mkdir()
    (tmp_path / ".changes.csv-a1b2.unfinished").touch()
    with held(tmp_path):
        with pytest.raises(Busy, match="try again once that has ended"):
            marked.give("amy", points=3.0)
        assert marked.ada.questions()
        assert leftover.exists(), "it may be that one's"
    assert marked.answer().points is None
    assert marked.ada.questions()
    assert not leftover.exists()
    assert [*tmp_path.glob("*.unfinished")] == []


def test_what_a_dead_process_held_is_free(tmp_path):
    with held(tmp_path) as other:
        with pytest.raises(Busy), lock_class(tmp_path, "grade", patience=0):
            pass
        other.kill()
        other.join()
        with lock_class(tmp_path, "attention-course grade", patience=0):
            pass


def test_a_part_of_a_command_does_not_wait_for_it(tmp_path):
    with lock_class(tmp_path, "attention-course round"):
        with lock_class(tmp_path, "nbgrader GenerateFeedback", patience=0):
            pass
        with pytest.raises(Timeout):  # the inner part's end has not let the outer one go
            FileLock(tmp_path / LOCK).acquire(timeout=0)
    assert [path.name for path in tmp_path.iterdir()] == [LOCK]

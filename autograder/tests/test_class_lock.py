"""Two who write in one class's folder do so one after the other, and each is told of the other."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from nbgrader.apps import NbGraderApp

from autograder.authoring.release import NbgraderError
from autograder.classroom.class_lock import LOCK, Busy, lock_class
from autograder.courses import course_settings
from autograder.marking import marker_view
from autograder.nbgrader_plugin import patches
from autograder.tests import simulated
from autograder.tests.commands import run_nbgrader, run_ours
from autograder.tests.this_course import COURSE, ROOT, find_lesson

LESSON = find_lesson("01_weighted_sums")
EXCHANGE = ("collect", "release_assignment", "release_feedback")
COMMANDS = [
    *(
        [command, LESSON.id, "--force"]
        for command in ("autograde", "generate_feedback", "generate_assignment")
    ),
    *([command, LESSON.id] for command in EXCHANGE),
]
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
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config.loader import PyFileConfigLoader

    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    config.CourseDirectory.root = str(course)
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    with held(course) as other:
        answer = api.autograde(LESSON.id, simulated.names(1)[0])
    assert not answer["success"]
    assert f"(process {other.pid} on " in answer["log"]


def test_our_verbs_wait_and_say_for_whom(course):
    with held(course, seconds=1) as other:
        said = run_ours("report", "--class", str(course), fails=True)
        other.join(5)
        assert other.exitcode == 0
    assert f"(process {other.pid} on " in said
    assert "waiting for that to end …\n✗ nothing is graded yet" in said


def test_a_mark_is_saved_alone_or_it_is_said_why_not(course, monkeypatch):
    monkeypatch.setattr(marker_view, "PATIENCE", 0.1)
    page, saved = page_of(course, monkeypatch)
    with held(course), pytest.raises(Busy, match="try again once that has ended"):
        page.give_marks(LESSON.id, "question", "a mark")
    assert not saved
    page.give_marks(LESSON.id, "question", "a mark")
    assert saved == ["a mark"]


def test_what_a_killed_grading_left_is_settled_before_answers_are_shown(course, monkeypatch):
    left = course / "autograded" / "amy" / f".{LESSON.id}.new"
    left.mkdir(parents=True)
    page, _ = page_of(course, monkeypatch)
    assert not left.exists()
    left.mkdir()
    with held(course):  # it is that one's, and not left
        assert page.questions()
        assert left.exists()
    assert page.questions()
    assert not left.exists()


def page_of(course: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[str]]:
    """A marker's desk in a class whose folder was waited for, and what marks it has saved."""
    saved: list[str] = []
    monkeypatch.setattr(marker_view, "marked_questions", lambda *_: ["a question"])
    monkeypatch.setattr(marker_view.MarkerView, "_shown", lambda _, question: question)
    monkeypatch.setattr(marker_view.manual_grades, "give_marks", lambda url, marker, mark: saved.append(mark))
    page = marker_view.MarkerView(COURSE, course, [LESSON], "ada")
    assert page.questions(patience=None)
    return page, saved


def test_what_a_dead_process_held_is_free(tmp_path):
    with held(tmp_path) as other:
        with pytest.raises(Busy), lock_class(tmp_path, "grade", patience=0):
            pass
        other.kill()
        other.join()
        begun = time.monotonic()
        with lock_class(tmp_path, "attention-course grade", patience=0):
            assert time.monotonic() - begun < 1


def test_a_part_of_a_command_does_not_wait_for_it(tmp_path):
    with lock_class(tmp_path, "attention-course round"):
        with lock_class(tmp_path, "nbgrader GenerateFeedback", patience=0):
            pass
        with held_by_nobody_else(tmp_path):
            pass
    assert [path.name for path in tmp_path.iterdir()] == [LOCK]


HOLD = """
import sys
from pathlib import Path
from autograder.classroom.class_lock import lock_class
with lock_class(Path(sys.argv[1]), "attention-course round", 0):
    pass
"""


@contextmanager
def held_by_nobody_else(folder: Path) -> Iterator[None]:
    """The inner part's end has not let the outer one go; what is forked here would hold it as well."""
    done = subprocess.run([sys.executable, "-c", HOLD, folder], cwd=ROOT, capture_output=True, text=True)
    assert f"(process {os.getpid()} on " in done.stderr
    yield

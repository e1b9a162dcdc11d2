"""Ctrl+C, SIGTERM and a full disk end a command with one line, ours and nbgrader's; nothing of it goes on."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from nbconvert.writers import FilesWriter
from nbgrader.apps import NbGraderApp

from autograder.authoring.release import NbgraderError
from autograder.class_report import report as class_report
from autograder.commands import cli
from autograder.courses import course_settings
from autograder.exercises.errors import DISK_FULL
from autograder.nbgrader_plugin import interrupts, patches
from autograder.nbgrader_plugin.interrupts import ENDED
from autograder.sandbox import fork_server
from autograder.tests import needs, simulated
from autograder.tests.commands import run_nbgrader, run_ours
from autograder.tests.this_course import COURSE, ROOT, find_lesson

pytestmark = pytest.mark.usefixtures("heard")
LESSON = find_lesson("01_weighted_sums")


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., None]:
    """Looks that a step ends so, in a process that can be interrupted again."""
    monkeypatch.setattr(interrupts.signal, "signal", lambda *_: None)

    def look(step: Callable[..., Any], *arguments: Any) -> None:
        with pytest.raises(SystemExit) as end:
            step(*arguments)
        assert end.value.code == 130
        assert capsys.readouterr().err.splitlines()[-1:] == [ENDED]

    return look


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_ours_and_nbgrader_s_own_end_with_one_line_also_where_python_passes_over_it(
    ended, monkeypatch, tmp_path
):
    monkeypatch.setattr(class_report, "write_reports", interrupted)
    ended(cli.main, ["report", "--class", str(tmp_path)])
    app = NbGraderApp()
    with course_settings(COURSE), contextlib.chdir(ROOT):
        app.initialize(["generate_feedback", LESSON.id, f"--CourseDirectory.root={tmp_path}"])
        app.subapp.clear_instance()  # a process has one command of nbgrader's otherwise
        monkeypatch.setattr(patches, "_start_converter", interrupted)
        ended(app.start)

    class Going:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    def step() -> None:
        with interrupts.in_one_line():
            Going()
            time.sleep(5)

    ended(step)


LOGS_INTERRUPT = """
import signal, sqlalchemy
from autograder.nbgrader_plugin import interrupts
with interrupts.in_one_line():
    engine = sqlalchemy.create_engine("sqlite://")
    sqlalchemy.event.listen(engine, "reset", lambda *_: signal.raise_signal(signal.SIGINT))
    engine.connect().close()
"""


def test_one_line_also_where_a_library_logs_the_interrupt():
    program = subprocess.run([sys.executable, "-c", LOGS_INTERRUPT], cwd=ROOT, capture_output=True, text=True)
    assert (program.returncode, program.stderr.splitlines()) == (130, [ENDED])


def command_of(process: psutil.Process) -> list[str]:
    """Return a process's command; nothing of one that has just ended."""
    with contextlib.suppress(psutil.Error):
        return process.cmdline()
    return []


@needs.seal
@pytest.mark.parametrize(
    ("send", "ending", "code"), [(os.killpg, signal.SIGINT, 130), (os.kill, signal.SIGTERM, 143)]
)
def test_nothing_goes_on_and_nothing_is_left(make_course, tmp_path, send, ending, code):
    folder, release = make_course(LESSON.id)
    simulated.hand_in_class(LESSON, release, folder / "submitted", 4, seed=5)
    command = [sys.executable, "-m", "autograder.commands.cli", "round", "--class", str(folder)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    variables = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=ROOT, env=variables, start_new_session=True, **pipes) as grading:
        started: list[psutil.Process] = []
        while grading.poll() is None and fork_server.PROGRAM not in itertools.chain(
            *map(command_of, started)
        ):
            time.sleep(0.05)
            started = psutil.Process(grading.pid).children(recursive=True)
        send(grading.pid, ending)
        said = grading.communicate(timeout=60)[0]
    assert grading.returncode == code, said
    assert said.splitlines()[-1] == ENDED
    assert "Traceback" not in said
    assert psutil.wait_procs(set(started), timeout=20)[1] == []
    assert [path for path in tmp_path.iterdir() if not path.name.startswith("network-")] == []


def full_disk(*_: object, **__: object) -> None:
    raise OSError(28, os.strerror(28))


def test_a_full_disk_is_one_line_wherever_it_is_met(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(FilesWriter, "write", full_disk)
    (tmp_path / "solutions").symlink_to(COURSE.solutions)
    with pytest.raises(NbgraderError) as failed:
        run_nbgrader("generate_assignment", LESSON.id, "--no-db", folder=tmp_path)
    assert str(failed.value) == DISK_FULL
    monkeypatch.setattr(class_report, "write_reports", full_disk)
    assert run_ours("report", "--class", str(tmp_path), fails=True) == f"✗ {DISK_FULL}"

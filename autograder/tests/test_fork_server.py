"""A sandbox is set up whole or not at all; somebody reads why not, and nothing of it is left."""

from __future__ import annotations

import ast
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from autograder.grading import grade_submission
from autograder.judging import reference_stubs
from autograder.sandbox import bwrap, fork_server, limited_process, session
from autograder.sandbox.bwrap import SandboxError
from autograder.tests import needs, small_course
from autograder.tests.this_course import COURSE, ROOT

LESSONS = ["01_weighted_sums"]
LIMITS = bwrap.resource_limits(cpu_seconds=60, memory_mb=1024, processes=64, scratch_mb=16)


@needs.seal
def test_after_a_fork_server_that_was_ended_or_answers_no_more_comes_another(monkeypatch):
    first = fork_server.get_server(COURSE.visible, LESSONS)
    first.wait()
    first._process.kill()
    first._process.wait()
    second = fork_server.get_server(COURSE.visible, LESSONS)
    second.wait()
    assert second is not first
    monkeypatch.setattr(fork_server, "MAX_FORK_SECONDS", 0.1)
    second._process.send_signal(signal.SIGSTOP)
    with pytest.raises(SandboxError, match="has not answered"):
        second.fork({}, 0)
    assert fork_server.get_server(COURSE.visible, LESSONS) is not second


@needs.seal
def test_what_cannot_be_confined_is_no_doing_of_the_student_s():
    with pytest.raises(SandboxError, match="could not enter its sandbox: not allowed to raise maximum limit"):
        session.SandboxedProcess(COURSE.visible, None, LIMITS | {"RLIMIT_NOFILE": 2**40})


@needs.seal
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exec sleep 60", "built no sandbox in 0.5 seconds"),
        ("echo no such luck; exit 1", "built no sandbox: b'no such luck"),
        ("read line; echo; exec sleep 60", "its init process has ended"),
    ],
)
def test_a_bubblewrap_that_is_stuck_is_ended_and_it_is_said(tmp_path, monkeypatch, script, said):
    fork_server.get_server(COURSE.visible).wait()
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!{shutil.which('bash')}\n{script}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(bwrap, "MAX_SETUP_SECONDS", 0.5)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    processes = {*psutil.Process().children()}
    with pytest.raises(SandboxError, match=said):
        session.SandboxedProcess(COURSE.visible, None, LIMITS)
    assert {*psutil.Process().children()} <= processes
    assert [*tmp_path.iterdir()] == [fake]


@needs.seal
def test_what_forks_has_no_threads():
    """A fork takes along one thread only, and the locks that others hold."""
    for lesson in ("01_weighted_sums", "07_tiny_transformer"):
        preparation = (grade_submission.prepare, str(COURSE.root), lesson, [])
        worker = limited_process.call(os.getppid, course=COURSE.visible, preparation=preparation)
        assert psutil.Process(worker).num_threads() == 1
    server_process = fork_server.get_server(COURSE.visible)._process.pid
    assert psutil.Process(server_process).num_threads() == 1


def memory_of(process: int) -> Iterator[bytes]:
    """Yield what a process has in memory."""
    with open(f"/proc/{process}/mem", "rb") as memory:
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            start, end = (int(number, 16) for number in line.split()[0].split("-"))
            if line.split()[1].startswith("r") and "[v" not in line:
                memory.seek(start)
                yield memory.read(end - start)


@needs.seal
def test_nothing_secret_is_in_the_process_that_forks_nor_in_a_sandbox(tmp_path, monkeypatch):
    """What hidden cases, references and mistakes are, how they are drawn, and what the grader's environment holds."""
    course, mark = small_course.make(tmp_path / "course"), f"SECRET-{secrets.token_hex(8)}"
    lesson, own = course.lesson(small_course.LESSON), course.visible
    with lesson.judging(small_course.CELSIUS).open("a") as judging:
        judging.write(f"\nHIDDEN = '{mark}-of-cases'\n")
    begin, source = "    ### BEGIN SOLUTION\n", lesson.source.read_text()
    assert begin in source
    lesson.source.write_text(source.replace(begin, f"{begin}    reference = '{mark}'\n", 1))
    monkeypatch.setenv("OF_THE_GRADER", f"{mark}-of-the-environment")

    preparation = (grade_submission.prepare, str(course.root), lesson.id, [])
    worker = limited_process.call(os.getppid, course=own, preparation=preparation)
    assert any(mark.encode() in piece for piece in memory_of(worker))
    server = fork_server.get_server(own)
    sandbox = session.SandboxedProcess(own, None, LIMITS)
    try:
        for process in (server._process.pid, sandbox.forked.number):
            assert not any(mark.encode() in piece for piece in memory_of(process))
            opened = [os.readlink(path) for path in Path(f"/proc/{process}/fd").iterdir()]
            assert all(name.startswith(("/dev/null", "socket:", "pipe:")) for name in opened), opened
    finally:
        sandbox.close()
    assert not any(mark in path.read_text(errors="replace") for path in server.public.rglob("*.*"))


@needs.seal
def test_the_grader_itself_imports_no_pytorch():
    """The process that forks does, once for sandboxes and for what judges."""
    program = (
        "import sys, autograder.commands.grade; from autograder.courses import open_course\n"
        "sys.exit(not open_course('.').lesson('07_tiny_transformer').graded or 'torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0
    assert limited_process.call(has_torch, course=COURSE.visible)


def has_torch() -> bool:
    return "torch" in sys.modules


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_what_a_lesson_and_its_stand_ins_import_is_warm(lesson):
    """Or each submission would import it anew."""
    texts = [cell.text for cell in lesson.cells if cell.marker == "setup"]
    texts += reference_stubs.load_sources(lesson).values()
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    ours = {*sys.stdlib_module_names, "autograder", COURSE.visible.helpers, ""}
    outside = {name.split(".")[0] for name in names} - ours
    assert outside
    assert outside <= {name.split(".")[0] for name in COURSE.visible.libraries_of([lesson.id])}

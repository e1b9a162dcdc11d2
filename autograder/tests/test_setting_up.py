"""A sandbox is set up whole or not at all; somebody reads why not, and nothing of it is left."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from autograder.nbgrader_plugin import grading
from autograder.sandbox import limited, room, session, warm
from autograder.sandbox.room import SealError
from autograder.tests import needs
from autograder.tests.this_course import COURSE, find_lesson

LIMITS = room.limits(cpu_seconds=60, memory_mb=1024, processes=64, scratch_mb=16)


@needs.seal
def test_after_a_warm_process_that_was_ended_comes_another():
    lessons = ["01_weighted_sums"]
    first = warm.place(COURSE.visible, lessons)
    warm.connection(COURSE.visible)
    ended = warm._started[first]._process
    ended.kill()
    ended.wait()
    second = warm.place(COURSE.visible, lessons)
    assert second != first
    assert warm.connection(COURSE.visible).shown == Path(second.shown)
    assert not Path(first.address).parent.exists()


@needs.seal
def test_what_cannot_settle_in_its_room_is_no_doing_of_the_student_s():
    with pytest.raises(SealError, match="could not enter its room: not allowed to raise maximum limit"):
        session.open_sealed(COURSE.visible, None, LIMITS | {"RLIMIT_NOFILE": 2**40})


@needs.seal
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exec sleep 60", "has built no room in 0.5 seconds"),
        ("echo no such luck; exit 1", "built no room: b'no such luck"),
        ("read line; echo; exec sleep 60", "does not say which its room is"),
    ],
)
def test_a_bubblewrap_that_is_stuck_is_ended_and_it_is_said(tmp_path, monkeypatch, script, said):
    warm.connection(COURSE.visible)
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!{shutil.which('bash')}\n{script}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(room, "MAX_SETUP_SECONDS", 0.5)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    processes = {*psutil.Process().children()}
    with pytest.raises(SealError, match=said):
        session.open_sealed(COURSE.visible, None, LIMITS)
    assert {*psutil.Process().children()} <= processes
    assert [*tmp_path.iterdir()] == [fake]


@needs.seal
def test_what_forks_has_no_threads():
    """A fork takes along one thread only, and the locks that others hold."""
    for lesson in ("01_weighted_sums", "07_tiny_transformer"):
        found = find_lesson(lesson)
        before: tuple[Callable[..., None], str, str, list[str]]
        before = (grading.prepare, str(COURSE.root), found.id, [])
        assert limited.call(len, [1], before=before) == 1
        _, helper = limited._helper()
        assert psutil.Process(helper.pid).num_threads() == 1
    warm.connection(COURSE.visible)
    workers = [
        one
        for one in psutil.process_iter(["cmdline"])
        if warm.PROGRAM in (one.info["cmdline"] or ()) and one.ppid() == os.getpid()
    ]
    assert workers
    assert {one.num_threads() for one in workers} == {1}

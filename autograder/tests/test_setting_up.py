"""A room is set up whole or not at all: each call into the system in turn fails, and nothing of it is left."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from autograder.sandbox import limited, room, session, warm
from autograder.sandbox.room import SealError
from autograder.sandbox.session import Session
from autograder.tests import failures, needs
from autograder.tests.failures import LIMITS, Call, calls_of, failing_at, left, opened, there
from autograder.tests.this_course import COURSE, find_lesson


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """All is imported and warm, and a room was opened before."""
    usual = tempfile.tempdir
    failures.get_ready(tmp_path_factory.mktemp("up"))
    yield
    gc.unfreeze()
    tempfile.tempdir = usual


def some(calls: list[Call]) -> list[Call]:
    """The first call of each function; `python -m autograder.tests.failures` fails all."""
    return [call for call in calls if call[1] == 1]


@needs.seal
def test_whatever_fails_while_a_room_is_opened_nothing_of_it_is_left(ready):
    kept: list[Session] = []
    calls = some(calls_of(lambda: kept.append(opened())))
    kept.pop().close()
    assert {"pipe", "pidfd_open", "fork_exec", "select", "read", "socketpair"} <= set(dict(calls))
    for call in calls:
        before = there()
        with contextlib.suppress(OSError, SealError):
            with failing_at(call):
                found = opened()
            found.close()
            del found  # who has it may end the room once more
        failures.warmed()
        assert not left(before, call[0]), call


@needs.seal
def test_whatever_fails_while_one_is_closed_nothing_of_it_is_left(ready):
    for call in some(calls_of(opened().close)):
        before, found = there(), opened()
        with contextlib.suppress(OSError), failing_at(call):
            found.close()
        del found
        assert not left(before, call[0]), call


@needs.seal
def test_whatever_fails_while_a_warm_process_starts_nothing_of_it_is_left(ready):
    kept: list[warm.WarmProcess] = []

    def start() -> None:
        kept.append(warm.WarmProcess(COURSE.visible, (), ()))

    calls = some(calls_of(start))
    kept.pop().close()
    for call in calls:
        if call[0] in ("close", "read"):  # in Popen they leave what ends once it has imported all, alone
            continue
        before = there()
        with contextlib.suppress(OSError):
            with failing_at(call):
                start()
            kept.pop().close()
        assert not left(before), call


@needs.seal
def test_after_a_warm_process_that_was_ended_comes_another():
    lessons = ["01_weighted_sums"]
    first = warm.place(COURSE.visible, lessons)
    warm.connection(COURSE.visible)
    ended = warm._started[first]._process
    ended.kill()
    ended.wait()
    assert warm.place(COURSE.visible, lessons) != first
    assert warm.connection(COURSE.visible).shown == Path(first.shown)
    assert not Path(first.address).parent.exists()


@needs.seal
def test_what_cannot_settle_in_its_room_is_no_doing_of_the_student_s(ready):
    before = there()
    with pytest.raises(SealError, match="could not enter its room: not allowed to raise maximum limit"):
        session.open_sealed(COURSE.visible, None, LIMITS | {"RLIMIT_NOFILE": 2**40})
    failures.warmed()
    assert not left(before)


@needs.seal
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exec sleep 60", "has built no room in 0.5 seconds"),
        ("echo no such luck; exit 1", "built no room: b'no such luck"),
        ("read line; echo; exec sleep 60", "does not say which its room is"),
    ],
)
def test_a_bubblewrap_that_is_stuck_is_ended_and_it_is_said(ready, tmp_path, monkeypatch, script, said):
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!{shutil.which('bash')}\n{script}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(room, "FOR_A_ROOM", 0.5)
    before, begun = there(), time.monotonic()
    with pytest.raises(SealError, match=said):
        opened()
    assert time.monotonic() - begun < 20
    assert not left(before)


def test_an_end_that_does_not_come_is_not_waited_for(monkeypatch):
    class Stuck:
        def kill(self) -> None:
            """As a process in an uninterruptible wait takes it."""

        def wait(self, timeout: float) -> None:
            raise room.TimeoutExpired("bwrap", timeout)

    room.end_process(Stuck())  # type: ignore[arg-type]


def test_a_helper_that_is_stuck_is_given_up_and_the_next_call_has_another(monkeypatch):
    limited.call(len, [1, 2])
    _, helper = limited._helper()
    monkeypatch.setattr(limited, "FOR_A_HELPER", 1)
    helper.send_signal(signal.SIGSTOP)
    with pytest.raises(limited.Lost):
        limited.call(len, [1, 2])
    monkeypatch.undo()
    assert limited.call(len, [1, 2]) == 2


def threads_of_the_helper() -> int:
    return len(os.listdir(f"/proc/{os.getppid()}/task"))


@needs.seal
def test_what_forks_has_no_threads(ready):
    """A fork takes along one thread only, and the locks that others hold."""
    from autograder.nbgrader_plugin import judging

    for lesson in ("01_weighted_sums", "07_tiny_transformer"):
        found = find_lesson(lesson)
        before: tuple[Callable[..., None], str, str, list[str]]
        before = (judging.make_ready, str(COURSE.root), found.id, [])
        assert limited.call(threads_of_the_helper, before=before, access=None) == 1
    workers = [
        one
        for one in psutil.process_iter(["cmdline"])
        if warm.PROGRAM in (one.info["cmdline"] or ()) and one.ppid() == os.getpid()
    ]
    assert workers
    assert {one.num_threads() for one in workers} == {1}

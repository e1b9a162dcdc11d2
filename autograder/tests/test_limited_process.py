"""What looks at a student's work is limited in time, memory and rights, and what it came to until its end counts."""

from __future__ import annotations

import operator
import os
import resource
import signal
import socket
import subprocess
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from autograder.sandbox import layers, limited_process, worker_confinement
from autograder.sandbox.inside import landlock
from autograder.tests import needs


def sum_up(number: int) -> int:
    return sum(range(number))


@pytest.mark.parametrize(
    ("function", "arguments"),
    [(time.sleep, (60,)), (operator.mul, ("x", 2**31)), (sum_up, (10**12,)), (operator.pow, (7, 3**25))],
    ids=["waits", "memory", "never looks up", "computes"],
)
def test_what_takes_too_much_memory_or_time_is_given_up(function, arguments):
    with pytest.raises(limited_process.LimitExceeded):
        limited_process.call(function, *arguments, cpu_seconds=1)
    assert limited_process.call(operator.add, "a", "b") == "ab"


def speak(words: list[str], last: int) -> Iterator[str]:
    yield from words
    sum(range(last))
    yield "never"


def test_what_it_gave_before_its_end_stays():
    assert limited_process.run(speak, [["a"], 1]) == ([b'"a"\n', b'"never"\n'], "")
    assert limited_process.run(speak, [["b", "c"], 10**12], cpu_seconds=1) == ([b'"b"\n', b'"c"\n'], "")


def compute(seconds: float) -> float:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds


def test_of_several_texts_each_has_its_own_time_where_all_together_take_too_long():
    assert limited_process.call_each(compute, [0.6, 0.7, "x", 60, 0.1], cpu_seconds=1) == [
        0.6,
        0.7,
        None,
        None,
        0.1,
    ]


def half(number: int) -> int:
    return number / 2


def test_what_crosses_is_what_the_function_says_or_nothing():
    with pytest.raises(RuntimeError, match="Expected `int`, got `str`"):
        limited_process.call(half, "4")
    with pytest.raises(msgspec.ValidationError, match="Expected `int`, got `float`"):
        limited_process.call(half, 4)


def test_a_warning_about_an_answer_is_not_for_the_instructor_s_terminal(capfd):
    limited_process.end_workers()
    limited_process.call(warnings.warn, "overflow")
    limited_process.end_workers()
    assert capfd.readouterr().err == ""


def shout(text: str) -> str:
    reply, (descriptor,) = limited_process.send_request("louder", text)
    return f"{reply}{os.read(descriptor, 9).decode()}"


def test_it_can_ask_whoever_waits_for_it_and_what_that_raises_ends_it():
    reading, writing = os.pipe()
    os.write(writing, b"!")
    assert limited_process.call(shout, "a", answer_request=lambda _, text: (text.upper(), [reading])) == "A!"
    with pytest.raises(ZeroDivisionError):
        limited_process.call(shout, "a", answer_request=lambda *_: 1 / 0)


ATTEMPTS = {
    "connect": lambda place: socket.create_connection(("127.0.0.1", 9)),
    "connect to a program of this machine": lambda place: socket.socket(socket.AF_UNIX).connect(place),
    "start a program": lambda place: subprocess.run(["true"], check=True),
    "signal": lambda place: os.kill(os.getppid(), 0),
    "limit another process": lambda place: resource.prlimit(os.getppid(), resource.RLIMIT_CORE),
    "look into another process": lambda place: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "list": lambda place: os.listdir(place),
    "read": lambda place: Path(place, "secret").read_text(),
    "write": lambda place: Path(place, "written").write_text("x"),
    "change": lambda place: os.chmod(place, 0),
}


def attempt(place: str) -> list[str]:
    """Return which of these attempts succeed."""
    succeeded = []
    for name, act in ATTEMPTS.items():
        try:
            act(place)
        except OSError:
            continue
        succeeded.append(name)
    return succeeded


@needs.confinement
@pytest.mark.parametrize(
    ("readable", "writable", "may"),
    [(False, False, []), (True, False, ["list", "read"]), (False, True, ["list", "read", "write"])],
)
def test_it_has_the_rights_it_is_given_and_no_others(tmp_path, readable, writable, may):
    (tmp_path / "secret").write_text("x")
    place = [str(tmp_path)]
    access = {"readable": place if readable else [], "writable": place if writable else []}
    assert limited_process.call(attempt, *place, **access) == may


def test_where_the_kernel_lacks_the_means_it_works_all_the_same(monkeypatch):
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setattr(worker_confinement, "system_call_filter", lambda: None)
    worker_confinement.confine((), ())
    assert Path("/proc/self/status").exists()
    assert "– landlock     a second layer; keeps" in layers.layer_report()


def begin(place: str) -> None:
    Path(place, "begun").touch()
    time.sleep(5)


def test_a_helper_that_was_ended_or_is_stuck_is_told_and_another_one_started(tmp_path, monkeypatch):
    worker, begun = limited_process.call(os.getppid), tmp_path / "begun"
    with ThreadPoolExecutor(1) as waiting:
        call = waiting.submit(limited_process.call, begin, str(tmp_path), writable=[str(tmp_path)])
        while not begun.exists():
            time.sleep(0.01)
        os.kill(worker, signal.SIGKILL)
        assert isinstance(call.exception(timeout=10), limited_process.WorkerDied)
    second = limited_process.call(os.getppid)
    assert second != worker
    monkeypatch.setattr(limited_process.limits, "MAX_WORKER_SECONDS", 1)
    os.kill(second, signal.SIGSTOP)
    with pytest.raises(limited_process.WorkerDied):
        limited_process.call(len, [1, 2])
    monkeypatch.undo()
    assert limited_process.call(len, [1, 2]) == 2

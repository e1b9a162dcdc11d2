"""Measures a command with everything it starts, also what outlives its parent: processor time, time, memory."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen
from threading import Event, Thread

import psutil

from autograder.model.errors import CourseError

PR_SET_CHILD_SUBREAPER = 36
EVERY = 0.5
"""Seconds between two looks at the memory."""


@dataclass(frozen=True)
class Mark:
    """A line that the command printed, and the processor time used until then, in seconds."""

    line: str
    cpu: float


@dataclass(frozen=True)
class Reading:
    """cpu, seconds: what the command took in all; peak_mb: the most memory that was its own at one time, in MiB."""

    cpu: float
    seconds: float
    peak_mb: float
    marks: tuple[Mark, ...]

    @property
    def text(self) -> str:
        """What it printed."""
        return "".join(mark.line for mark in self.marks)


def measure(command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> Reading:
    """Run a command to its end. Raises `CourseError`, with what it printed last, when it fails.

    Processes that lose their parent become this process's children (prctl(2), PR_SET_CHILD_SUBREAPER), so that
    none is missed.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before, start = _reaped(), time.monotonic()
    marks: list[Mark] = []
    with Popen(
        command, cwd=folder, env={**os.environ, **(environment or {})}, text=True, stdout=PIPE, stderr=STDOUT
    ) as process:
        memory = _Memory()
        assert process.stdout is not None
        for line in process.stdout:
            marks.append(Mark(line, _reaped() + _running() - before))
    seconds, peak = time.monotonic() - start, memory.stop()
    if process.returncode:
        last = "".join(mark.line for mark in marks[-20:])
        raise CourseError(f"`{' '.join(command)}` failed:\n{last}")
    _wait_for_orphans()
    return Reading(_reaped() - before, seconds, peak, tuple(marks))


def output_of(program: str, *arguments: str) -> str:
    """What a module of this package prints, run in a process of its own."""
    command = [sys.executable, "-m", f"autograder.bench.{program}", *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, env=environment, text=True, stdout=PIPE, check=True).stdout


def _reaped() -> float:
    """Processor seconds of all descendants that have ended and were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _running() -> float:
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            used = process.cpu_times()
        except psutil.Error:
            continue
        total += used.user + used.system + used.children_user + used.children_system
    return total


def _wait_for_orphans() -> None:
    """Wait until those that are on their way out have ended, half a minute at most."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.05)
        except ChildProcessError:
            return


class _Memory:
    """Looks at the memory of all descendants from time to time: what each has for itself, and its share of the rest."""

    def __init__(self) -> None:
        self._peak, self._over = 0.0, Event()
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> float:
        """The peak, in MiB."""
        self._over.set()
        self._thread.join()
        return self._peak

    def _watch(self) -> None:
        while not self._over.wait(EVERY):
            self._peak = max(self._peak, sum(map(_proportional, psutil.Process().children(recursive=True))))


def _proportional(process: psutil.Process) -> float:
    try:
        return float(process.memory_full_info().pss) / 2**20
    except psutil.Error:
        return 0.0

"""Measures a command with everything it starts, also what outlives its parent: processor time, time, memory."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen
from threading import Event, Thread
from typing import Any

import psutil

from autograder.exercises.errors import CourseError

PR_SET_CHILD_SUBREAPER = 36
EVERY = 0.5
"""Seconds between two looks at the memory."""


@dataclass(frozen=True)
class Reading:
    """What a command took, with everything that it started.

    cpu, seconds: in all; peak_mb: the most memory that was its own at one time, in MiB;
    lines: what it printed, each line with the processor seconds used until then.
    """

    cpu: float
    seconds: float
    peak_mb: float
    lines: Sequence[tuple[str, float]]


def measure(
    command: list[str],
    folder: Path,
    patience: float = 30,
    memory: Callable[[], float] = lambda: _of_descendants(_proportional_memory),
    every: float = EVERY,
) -> Reading:
    """Run a command, whose program is beside this Python or a path, to its end, and say what it took.

    patience: the seconds to wait for processes that outlive it, or that were there before; memory: what all processes
    hold, in MiB, read so often as `every` says.

    Raises `CourseError`, with what it printed last, when it fails.
    """
    adopt_orphans()
    before, start = waited_for(patience), time.monotonic()
    program = str(Path(sys.executable).parent / command[0])
    lines, peaks, over = [], [0.0], Event()
    with Popen([program, *command[1:]], cwd=folder, text=True, stdout=PIPE, stderr=STDOUT) as process:
        watching = Thread(target=_watch, args=(peaks, over, memory, every), daemon=True)
        watching.start()
        assert process.stdout is not None
        for line in process.stdout:
            lines.append((line, ended() + _of_descendants(_processor_time) - before))
    seconds = time.monotonic() - start
    over.set()
    watching.join()
    if process.returncode:
        last = "".join(line for line, _ in lines[-20:])
        raise CourseError(f"`{' '.join(command)}` failed:\n{last}")
    taken = Reading(waited_for(patience) - before, seconds, max(peaks), lines)
    print(f"{' '.join(command[:3])}: {taken.cpu:.1f} CPU-s, {seconds:.1f} s", file=sys.stderr)
    return taken


def alone(function: Callable[..., Any], *arguments: str) -> Any:
    """What a function gives, as JSON, in a process of its own."""
    module, name = function.__module__, function.__name__
    code = f"import json; from {module} import {name}; print(json.dumps({name}(*{arguments!r})))"
    return json.loads(subprocess.check_output([sys.executable, "-c", code], text=True))


def adopt_orphans() -> None:
    """From now on, descendants that lose their parent become this process's children, so that none is missed."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def ended() -> float:
    """Processor seconds of all descendants that have ended and were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def waited_for(seconds: float) -> float:
    """`ended`, once all that have ended are waited for, and so long at most for those on their way out."""
    deadline = time.monotonic() + seconds
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0] or time.monotonic() < deadline:
            time.sleep(0.01)
    return ended()


def _watch(peaks: list[float], over: Event, memory: Callable[[], float], every: float) -> None:
    while not over.wait(every):
        peaks.append(memory())


def _of_descendants(measured: Callable[[psutil.Process], float]) -> float:
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            total += measured(process)
    return total


def _processor_time(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system + used.children_user + used.children_system)


def _proportional_memory(process: psutil.Process) -> float:
    """MiB that it has for itself, and its share of the rest."""
    return float(process.memory_full_info().pss) / 2**20

"""Ends a sandbox whose processes together hold more memory than its limit, the kernel's memory for them included.

A process's own limit counts neither shared memory nor other processes, page tables, files in memory or socket buffers.
proc(5) explains the files that are read. Linux itself bounds pipes (`pipe-user-pages-soft`), with `MAX_OPEN_FILES`.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from autograder.exercises.limits import MAX_LAST_LOOK_SECONDS, MAX_TREE_WALKS

_MIN_PAUSE, _MAX_PAUSE = 0.05, 0.1
"""Seconds between two measurements: short, so that little memory is taken meanwhile, longer where one takes long."""

IN_MEMORY = ("tmp", "dev/shm")
"""The file systems of a sandbox that are kept in memory, below its root."""

PER_MAPPING = 256
"""Bytes that the kernel uses for each mapping of a process's address space."""

MAX_PER_FILE = 2048
"""Bytes that the kernel uses for a file in memory beside its content: inode, name and attributes."""


def _setting(name: str, usual: int) -> int:
    """Return a setting of the kernel, or the usual value where it cannot be read."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path("/proc/sys", name).read_text())
    return usual


MAX_MAPPINGS = _setting("vm/max_map_count", 65_530)
"""Mappings that a process may have."""

SEND_BUFFER = _setting("net/core/wmem_default", 212_992)
"""Bytes of a socket's buffer, which the call filter lets nobody change."""


class MemoryWatchdog(threading.Thread):
    """A thread that measures a sandbox from outside until it is stopped.

    Attributes:
        has_ended_sandbox: Whether it has ended the sandbox, which held too much.
    """

    def __init__(
        self, init: int | None, process: int, max_bytes: int, end_sandbox: Callable[[], None]
    ) -> None:
        """Start the thread.

        Args:
            init: The sandbox's init process; None where the notebook's process is in no sandbox.
            process: The notebook's process.
            max_bytes: The memory that all of them may hold together.
            end_sandbox: Ends all of them.
        """
        super().__init__(daemon=True)
        self._init, self._roots = init, tuple(filter(None, (init, process)))
        self._max_bytes, self._end_sandbox = max_bytes, end_sandbox
        self.has_ended_sandbox, self._stopped = False, threading.Event()
        self.start()

    def run(self) -> None:
        """Measure the sandbox, and end it when it holds too much."""
        pause = _MIN_PAUSE
        while not self._stopped.wait(pause):
            start = time.monotonic()
            if self._holds_too_much():
                self.has_ended_sandbox = True
                self._end_sandbox()
                return
            pause = min(max(_MIN_PAUSE, time.monotonic() - start), _MAX_PAUSE)

    def stop(self) -> None:
        """Stop the thread."""
        self._stopped.set()
        self.join(MAX_LAST_LOOK_SECONDS)

    def _holds_too_much(self) -> bool:
        """Compare an upper bound that is quick to read; where that is too high, stop all processes and sum exactly."""
        sandbox = held_by_sandbox(self._init) if self._init else 0
        upper_bound = sandbox + sum(map(self._max_held, descendants(self._roots)))
        if upper_bound <= self._max_bytes:
            return False
        with self._paused() as processes:  # while many are measured exactly, they could take gigabytes
            sums = itertools.accumulate(map(held, processes), initial=sandbox)
            return any(held_so_far > self._max_bytes for held_so_far in sums)

    def _max_held(self, process: int) -> int:
        mappings = 0 if process == self._init else MAX_MAPPINGS
        return _status(process, "VmRSS", "VmSwap", "VmPTE") + mappings * PER_MAPPING

    @contextlib.contextmanager
    def _paused(self) -> Iterator[set[int]]:
        """Stop all processes for the time of the context, and return them; init goes on, or the sandbox would end."""
        paused = set[int]()
        try:
            for _ in range(MAX_TREE_WALKS):
                if not (running := descendants(self._roots) - paused):
                    break
                paused |= running
                for process in running - {self._init}:
                    _send(process, signal.SIGSTOP)
            yield paused
        finally:
            for process in paused - {self._init}:
                _send(process, signal.SIGCONT)


def descendants(roots: Iterable[int]) -> set[int]:
    """Return these processes and all their descendants."""
    roots = tuple(roots)
    processes = _walk(roots)
    for _ in range(MAX_TREE_WALKS):  # a process whose parent ends meanwhile may have been missed
        if (again := _walk(roots)) <= processes:
            break
        processes |= again
    return processes


def _walk(roots: Iterable[int]) -> set[int]:
    processes, waiting = set[int](), list(roots)
    while waiting:
        process = waiting.pop()
        if process not in processes:
            processes.add(process)
            with contextlib.suppress(OSError):
                for thread in os.listdir(f"/proc/{process}/task"):
                    waiting += map(int, _read(f"/proc/{process}/task/{thread}/children").split())
    return processes


def held_by_sandbox(init: int) -> int:
    """Return the bytes of a sandbox's files in memory, and at most those of its sockets; init: its first process."""
    held_bytes = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        sockets = int(_read(f"/proc/{init}/net/sockstat").split()[2])
        held_bytes += sockets * 2 * SEND_BUFFER  # the last message may be as large as the buffer
    for place in IN_MEMORY:
        with contextlib.suppress(OSError):
            system = os.statvfs(f"/proc/{init}/root/{place}")
            held_bytes += (system.f_blocks - system.f_bfree) * system.f_frsize
            held_bytes += (system.f_files - system.f_ffree) * MAX_PER_FILE
    return held_bytes


def held(process: int) -> int:
    """Return the bytes that a process holds with its page tables and mappings, and its part of shared memory."""
    kernel = _status(process, "VmPTE")
    with contextlib.suppress(OSError):
        with open(f"/proc/{process}/maps", "rb") as mappings:
            kernel += sum(1 for _ in mappings) * PER_MAPPING
        return kernel + _sum_fields(_read(f"/proc/{process}/smaps_rollup"), ("Pss", "SwapPss"))
    return kernel + _status(process, "VmRSS", "VmSwap")  # the kernel has no smaps_rollup


def _status(process: int, *names: str) -> int:
    """Return the sum of these sizes; 0 of a process that has ended."""
    with contextlib.suppress(OSError):
        return _sum_fields(_read(f"/proc/{process}/status"), names)
    return 0


def _sum_fields(text: str, names: tuple[str, ...]) -> int:
    fields = (line.split(":", 1) for line in text.splitlines() if ":" in line)
    return sum(int(value.split()[0]) * 1024 for name, value in fields if name in names)


def _read(path: str) -> str:
    with open(path, errors="replace") as file:
        return file.read()


def _send(process: int, number: int) -> None:
    with contextlib.suppress(OSError):  # it has ended
        os.kill(process, number)

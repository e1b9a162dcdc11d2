"""Ends a sandbox whose processes hold more memory than it may have, with what the kernel keeps for them.

A process's own limit counts neither shared memory nor other processes, page tables, files in memory or the buffers of
sockets. See proc(5) for the files. Pipes are bounded by Linux itself (`pipe-user-pages-soft`) and `MAX_OPEN_FILES`.
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
"""Seconds between two looks. A short pause bounds how much is taken meanwhile, a bounded one whatever a look takes."""

IN_MEMORY = ("tmp", "dev/shm")
"""The file systems of a sandbox that are kept in memory, below its root."""

PER_MAPPING = 256
"""Bytes that the kernel keeps for each piece of a process's address space."""

MAX_MAPPINGS, USUAL_MAX_MAPPINGS = Path("/proc/sys/vm/max_map_count"), 65_530
"""How many of them a process may have; and where nothing says so."""

MAX_PER_FILE = 2048
"""Bytes that the kernel keeps for a file in memory beside its content: inode, name and attributes."""

SEND_BUFFER, USUAL_SEND_BUFFER = Path("/proc/sys/net/core/wmem_default"), 212_992
"""Bytes that may wait in a socket, as the filter of system calls lets nobody change it; and where nothing says so."""


class MemoryWatchdog(threading.Thread):
    """Looks at a sandbox from outside until it is stopped."""

    def __init__(
        self, init: int | None, process: int, max_bytes: int, end_sandbox: Callable[[], None]
    ) -> None:
        """Start looking.

        Args:
            init: the sandbox's first process; None where the notebook's process is in no sandbox.
            process: the notebook's process.
            max_bytes: what all of them may hold together.
            end_sandbox: ends all of them.
        """
        super().__init__(daemon=True)
        self._init, self._roots = init, tuple(filter(None, (init, process)))
        self._max_bytes, self._end_sandbox = max_bytes, end_sandbox
        self._stopped = threading.Event()
        self.start()

    def run(self) -> None:
        """Look, and end the sandbox when it holds too much."""
        pause = _MIN_PAUSE
        while not self._stopped.wait(pause):
            begun = time.monotonic()
            if self._holds_too_much():
                self._end_sandbox()
                return
            pause = min(max(_MIN_PAUSE, time.monotonic() - begun), _MAX_PAUSE)

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()
        self.join(MAX_LAST_LOOK_SECONDS)

    def _holds_too_much(self) -> bool:
        """Sum what is quickly read and never less than is held; where that is too much, stop all and sum exactly."""
        sandbox = held_by_sandbox(self._init) if self._init else 0
        most = sandbox + sum(map(self._most_held, descendants(self._roots)))
        if most <= self._max_bytes:
            return False
        with self._paused() as processes:  # for reading this of many takes as long as taking gigabytes
            sums = itertools.accumulate(map(held, processes), initial=sandbox)
            return any(held_so_far > self._max_bytes for held_so_far in sums)

    def _most_held(self, process: int) -> int:
        mappings = 0 if process == self._init else _setting(MAX_MAPPINGS, USUAL_MAX_MAPPINGS)
        return _status(process, "VmRSS", "VmSwap", "VmPTE") + mappings * PER_MAPPING

    @contextlib.contextmanager
    def _paused(self) -> Iterator[set[int]]:
        """Stop all processes meanwhile, and return them; but not the first, with which the sandbox ends."""
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
    """Return these processes, and whatever any of their threads has started."""
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
    """Return the bytes that its files in memory take, and at most its sockets; init: its first process."""
    held_bytes = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        sockets = int(_read(f"/proc/{init}/net/sockstat").split()[2])
        held_bytes += (
            sockets * 2 * _setting(SEND_BUFFER, USUAL_SEND_BUFFER)
        )  # the last message may be as large as the buffer
    for place in IN_MEMORY:
        with contextlib.suppress(OSError):
            system = os.statvfs(f"/proc/{init}/root/{place}")
            held_bytes += (system.f_blocks - system.f_bfree) * system.f_frsize
            held_bytes += (system.f_files - system.f_ffree) * MAX_PER_FILE
    return held_bytes


def held(process: int) -> int:
    """Return the bytes that a process holds with its page tables and mappings, of what is shared its part."""
    kernel = _status(process, "VmPTE")
    with contextlib.suppress(OSError):
        with open(f"/proc/{process}/maps", "rb") as mappings:
            kernel += sum(1 for _ in mappings) * PER_MAPPING
        return kernel + _sum_fields(_read(f"/proc/{process}/smaps_rollup"), ("Pss", "SwapPss"))
    return kernel + _status(process, "VmRSS", "VmSwap")  # no kernel's own account of what is shared


def _setting(path: Path, usual: int) -> int:
    """Return a setting of the kernel."""
    with contextlib.suppress(OSError, ValueError):
        return int(path.read_text())
    return usual


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

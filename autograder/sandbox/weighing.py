"""Ends a room whose processes together take more memory than there is for it.

A process's own limit counts neither what is shared nor what others take. See proc(5) for the files.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

_EVERY = 0.2
"""Seconds between two looks."""

_PATIENCE = 5.0
"""Seconds for its last look."""

PAGE = os.sysconf("SC_PAGE_SIZE")


class Weigher(threading.Thread):
    """Looks at a room from outside until it is stopped."""

    def __init__(self, first: Iterable[int], most: int, end: Callable[[], None]) -> None:
        """first: processes from which all others of the room descend; most: bytes; end: ends the room."""
        super().__init__(daemon=True)
        self._first, self._most, self._end = tuple(first), most, end
        self._stopped = threading.Event()
        self.start()

    def run(self) -> None:
        """Look, and end the room when it is too much."""
        took = 0.0  # the longer, the more processes there are
        while not self._stopped.wait(max(_EVERY, 4 * took)):
            begun = time.thread_time()
            inside = descendants(self._first)
            if sum(map(resident, inside)) > self._most and sum(map(proportional, inside)) > self._most:
                self._end()
                return
            took = time.thread_time() - begun

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()
        self.join(_PATIENCE)


def descendants(first: Iterable[int]) -> set[int]:
    """These processes, and whatever any of their threads has started."""
    found, waiting = set[int](), list(first)
    while waiting:
        process = waiting.pop()
        if process not in found:
            found.add(process)
            with contextlib.suppress(OSError):
                for thread in Path(f"/proc/{process}/task").iterdir():
                    waiting += map(int, (thread / "children").read_text().split())
    return found


def resident(process: int) -> int:
    """Bytes of memory that it has, shared or not: quickly read."""
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE
    return 0


def proportional(process: int) -> int:
    """Bytes of memory that it has, of what is shared its part; all of it where that is not told."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return resident(process)

"""Limits a room as one by a control group of its own, where the grader was given a tree of them.

They are those of version 2, see cgroups(7). With systemd, one is given by
`systemd-run --user --scope -p Delegate=yes autograder grade`.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import time
from collections.abc import Iterable
from pathlib import Path

OWN_GROUP, MOUNTS = Path("/proc/self/cgroup"), Path("/proc/self/mounts")
GRADERS_GROUP = "grader"
"""The group into which the grader itself moves: one that holds processes cannot limit others below it."""

_NEEDED = ("memory", "pids")
ROOMS_WEIGHT = 50
"""A room's share of the processors beside the grader's, which is 100."""

_PATIENCE = 5.0
"""Seconds in which a killed group is empty, or left where it is."""

_numbers = itertools.count()


def given_group() -> Path | None:
    """The group below which this process may make and limit others; None where it was given none."""
    with contextlib.suppress(OSError, StopIteration):
        mounts = (line.split() for line in MOUNTS.read_text().splitlines())
        top = next(Path(fields[1]) for fields in mounts if fields[2] == "cgroup2")
        inside = next(line[3:] for line in OWN_GROUP.read_text().splitlines() if line.startswith("0::"))
        own = top / inside.strip("/")
        own = own.parent if own.name == GRADERS_GROUP else own
        files = [own / name for name in ("cgroup.procs", "cgroup.subtree_control", ".")]
        known = (own / "cgroup.controllers").read_text().split()
        ours = _is_handed_over(own, top) and all(os.access(file, os.W_OK) for file in files)
        return own if ours and set(_NEEDED) <= set(known) else None
    return None


def _is_handed_over(group: Path, top: Path) -> bool:
    """Whether it is ours to divide: a container's own, or one that systemd delegates; never a machine's root."""
    if not (group / "cgroup.events").exists():
        return False
    with contextlib.suppress(OSError):
        return group == top or os.getxattr(group, "user.delegate") == b"1"
    return False


@functools.cache
def tree() -> Path | None:
    """`given_group`, for rooms: what ran in it has moved into `GRADERS_GROUP`, and what is below can be limited."""
    top = given_group()
    if top is None:
        return None
    try:
        (top / GRADERS_GROUP).mkdir(exist_ok=True)
        for process in (top / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                (top / GRADERS_GROUP / "cgroup.procs").write_text(process)
        known = (top / "cgroup.controllers").read_text().split()
        wanted = [name for name in (*_NEEDED, "cpu") if name in known]
        (top / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in wanted))
    except OSError:
        return None
    return top


class ControlGroup:
    """A control group for a room's processes and all that they start; what takes too much memory ends all of them."""

    def __init__(self, tree: Path, first: Iterable[int], memory: int, processes: int) -> None:
        """first: the processes there are; memory: bytes; processes: how many, with threads. Raises OSError."""
        self._path = tree / f"room-{os.getpid()}-{next(_numbers)}"
        self._path.mkdir()
        try:
            self._fill(first, memory, processes)
        except OSError:
            self._leave(tree, first)
            raise

    def _fill(self, first: Iterable[int], memory: int, processes: int) -> None:
        limits = {"memory.max": memory, "memory.oom.group": 1, "pids.max": processes}
        for name, value in limits.items():
            self._write(name, value)
        for name, value in {"memory.swap.max": 0, "cpu.weight": ROOMS_WEIGHT}.items():
            with contextlib.suppress(OSError):  # not every kernel has them
                self._write(name, value)
        for process in first:
            with contextlib.suppress(ProcessLookupError):  # it may have ended
                self._write("cgroup.procs", process)

    def stop(self) -> None:
        """End all of it, and remove it once it is empty."""
        with contextlib.suppress(OSError):  # not every kernel can
            self._write("cgroup.kill", 1)
        deadline = time.monotonic() + _PATIENCE
        while self._populated() and time.monotonic() < deadline:
            time.sleep(0.001)
        with contextlib.suppress(OSError):
            self._path.rmdir()

    def _leave(self, tree: Path, first: Iterable[int]) -> None:
        """Be as if it had never been: its processes go back to where they came from."""
        for process in first:
            with contextlib.suppress(OSError):  # it may have ended
                (tree / GRADERS_GROUP / "cgroup.procs").write_text(str(process))
        with contextlib.suppress(OSError):
            self._path.rmdir()

    def _populated(self) -> bool:
        with contextlib.suppress(OSError):
            return "populated 1" in (self._path / "cgroup.events").read_text()
        return False

    def _write(self, name: str, value: int) -> None:
        (self._path / name).write_text(str(value))

"""Ends processes, also those that another process has forked."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import weakref
from subprocess import Popen, TimeoutExpired

from autograder.exercises.limits import MAX_END_SECONDS


class ForkedProcess:
    """A process that another process has forked, known by its pidfd; it has the methods of `Popen` that are used."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        weakref.finalize(self, os.close, handle)

    @property
    def number(self) -> int:
        """Return its process id; 0 when it has ended."""
        with open(f"/proc/self/fdinfo/{self._handle}") as lines:
            return max(0, *(int(line.split()[1]) for line in lines if line.startswith("Pid:")))

    def poll(self) -> int | None:
        """Return None while it runs."""
        return self.wait(0)

    def wait(self, seconds: float) -> int | None:
        """Wait for its end; return None where it does not come."""
        return 0 if select.select([self._handle], [], [], seconds)[0] else None

    def send_signal(self, number: int) -> None:
        """Send it a signal; do nothing where it has ended."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, number)

    def kill(self) -> None:
        """End it at once, with SIGKILL."""
        self.send_signal(signal.SIGKILL)


def end_process(process: Popen[bytes] | ForkedProcess) -> None:
    """Kill a process, and wait for its end, for `MAX_END_SECONDS` at most: the kernel may be unable to end it."""
    process.kill()
    with contextlib.suppress(TimeoutExpired):
        process.wait(MAX_END_SECONDS)

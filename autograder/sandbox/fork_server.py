"""The grader's side of the warm process: starts it once, and asks it for processes, in sandboxes and outside.

It has imported the libraries, holds nothing secret and runs nothing, so all that is forked from it begins warm: the
shells in which notebooks run, and the helper that judges them, which gets the course's references only after the fork.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Collection, Mapping
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

from autograder.checks.public_course import Visible
from autograder.exercises.limits import MAX_FORK_SECONDS, MAX_START_SECONDS
from autograder.sandbox import layers, public_files
from autograder.sandbox.bwrap import SandboxError, end_process, environment

PROGRAM = "autograder.sandbox.inside.fork_server_main"

HASH_SEED = "0"
"""Of the processes in which notebooks run: texts have the same hashes in each grading."""

_processes: dict[Visible, ForkServer] = {}
_turn = threading.Lock()


def start(course: Visible, lessons: Collection[str] = (), other_user: bool = False) -> ForkServer | None:
    """Return the course's warm process, see `process`.

    There is none where nothing can be sealed, unless notebooks run as an `other_user` then.
    """
    return process(course, lessons) if other_user or layers.sandbox_available() else None


def process(course: Visible, lessons: Collection[str] = ()) -> ForkServer:
    """Return the warm process for a course and these lessons; for all lessons when none is named.

    One that has ended, or has not read what these need, gives way to another one, which is not waited for. What else a
    notebook imports, it imports itself.
    """
    with _turn:
        current = _processes.get(course)
        wanted = course.libraries_of(lessons) if lessons else ()
        if current is None or current.has_ended or not current.has(wanted, lessons):
            libraries, read = course.libraries_of(lessons or None), [*(lessons or course.lessons)]
            if current:
                libraries, read = [*libraries, *current.libraries], [*read, *current.lessons]
            current = _processes[course] = ForkServer(course, libraries, read)
            atexit.register(current.close)
        return current


class ForkServer:
    """A warm process, which ends with this process at the latest.

    shown: the folder of the files that sandboxes show; libraries: what it has imported; lessons: of which it has read
    the visible examples.
    """

    def __init__(self, course: Visible, libraries: Collection[str], lessons: Collection[str]) -> None:
        self.shown = public_files.public_folder(course)
        self.libraries, self.lessons = frozenset(libraries), frozenset(lessons)
        self._turn, self._is_ready = threading.Lock(), False
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = Popen(
                [sys.executable, "-m", PROGRAM, str(theirs.fileno()), "/".join(lessons), *libraries],
                cwd=self.shown,
                env={**environment(self.shown), "PYTHONHASHSEED": HASH_SEED},
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=PIPE,
                pass_fds=[theirs.fileno()],
                process_group=0,  # Ctrl+C is not for it
            )

    def has(self, libraries: Collection[str], lessons: Collection[str]) -> bool:
        return self.libraries.issuperset(libraries) and self.lessons.issuperset(lessons)

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def wait(self) -> None:
        """Wait until it has started. Raises `SandboxError`, with what it complained of, where it does not."""
        with self._turn:
            if not self._is_ready:
                self._line.settimeout(MAX_START_SECONDS)
                self._is_ready = self._receive()[0] == b"ready"
            if not self._is_ready:
                end_process(self._process)
                complaints = self._process.stderr.read() if self._process.stderr else b""
                text = complaints[-2000:].decode(errors="replace")
                raise SandboxError(f"the warm process did not start:\n{text}")

    def fork(self, request: Mapping[str, Any], descriptor: int) -> ForkedProcess:
        """Return a new process, which gets `descriptor`, see `inside/fork_server_main.py`.

        Raises `SandboxError` where it cannot enter its sandbox.
        """
        self.wait()
        with self._turn:
            self._line.settimeout(MAX_FORK_SECONDS)
            reason = "the warm process has not answered"
            try:
                socket.send_fds(self._line, [json.dumps(request).encode()], [descriptor])
                message, forked = self._receive()
                reason = json.loads(message or b"{}").get("error", reason)
            except OSError as error:
                message, forked, reason = b"", [], str(error)
            if not message:
                end_process(self._process)  # an answer that comes late would be taken for the next one's
        if not forked:
            raise SandboxError(f"a process could not enter its room: {reason}")
        return ForkedProcess(forked[0])

    def close(self) -> None:
        """End it, and with it nothing else: what it has forked ends by itself."""
        self._line.close()
        end_process(self._process)

    def _receive(self) -> tuple[bytes, list[int]]:
        try:
            message, descriptors, _, _ = socket.recv_fds(self._line, 2**16, 1)
            return message, descriptors
        except OSError:
            return b"", []


class ForkedProcess:
    """A process that another one has forked, by its descriptor; with the methods of `Popen` that are needed."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    @property
    def number(self) -> int:
        """By which the system knows it; 0 when it has ended."""
        with open(f"/proc/self/fdinfo/{self._handle}") as lines:
            return max(0, *(int(line.split()[1]) for line in lines if line.startswith("Pid:")))

    def poll(self) -> int | None:
        """Return None while it is there."""
        return self.wait(0)

    def wait(self, seconds: float) -> int | None:
        """Wait for its end; return None where it does not come."""
        return 0 if select.select([self._handle], [], [], seconds)[0] else None

    def send_signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """Forget it."""
        os.close(self._handle)

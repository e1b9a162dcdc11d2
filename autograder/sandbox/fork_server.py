"""Starts a course's fork server once, and asks it for processes, in sandboxes and outside.

The fork server has imported the libraries, holds nothing secret and runs nothing. Its children have the libraries at
once: the shells in which notebooks run, and the worker that judges them, which gets references only after the fork.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import socket
import sys
import threading
from collections.abc import Collection, Mapping
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

from autograder.exercises.limits import MAX_FORK_SECONDS, MAX_START_SECONDS
from autograder.exercises.public_course import PublicCourse
from autograder.sandbox import layers, public_files
from autograder.sandbox.bwrap import SandboxError, environment
from autograder.sandbox.processes import ForkedProcess, end_process

PROGRAM = "autograder.sandbox.inside.fork_server_main"

HASH_SEED = "0"
"""PYTHONHASHSEED of the processes in which notebooks run: texts have the same hashes in each grading."""

_servers: dict[PublicCourse, ForkServer] = {}
_lock = threading.Lock()


def start(course: PublicCourse, lessons: Collection[str] = (), other_user: bool = False) -> ForkServer | None:
    """Start the course's fork server, see `get_server`; return None where none is used.

    Without sandboxes there is none, unless notebooks then run as an `other_user`.
    """
    return get_server(course, lessons) if other_user or layers.sandbox_available() else None


def get_server(course: PublicCourse, lessons: Collection[str] = ()) -> ForkServer:
    """Return the fork server for a course and these lessons; for all lessons when none is named.

    A server that has ended, or has not imported what these lessons need, is replaced. The new one is not waited for.
    A notebook imports all other libraries itself.
    """
    with _lock:
        server = _servers.get(course)
        wanted = course.libraries_of(lessons) if lessons else ()
        if server is None or server.has_ended or not server.has(wanted, lessons):
            libraries, read = course.libraries_of(lessons or None), [*(lessons or course.lessons)]
            if server:
                libraries, read = [*libraries, *server.libraries], [*read, *server.lessons]
            server = _servers[course] = ForkServer(course, libraries, read)
            atexit.register(server.close)
        return server


class ForkServer:
    """A running fork server, which ends with this process at the latest.

    Attributes:
        public: The folder of the files that sandboxes show.
        libraries: The libraries that it has imported.
        lessons: The lessons whose visible examples it has read.
    """

    def __init__(self, course: PublicCourse, libraries: Collection[str], lessons: Collection[str]) -> None:
        self.public = public_files.public_folder(course)
        self.libraries, self.lessons = frozenset(libraries), frozenset(lessons)
        self._lock, self._is_ready = threading.Lock(), False
        self._socket, server_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with server_socket:
            self._process = Popen(
                [sys.executable, "-m", PROGRAM, str(server_socket.fileno()), "/".join(lessons), *libraries],
                cwd=self.public,
                env={**environment(self.public), "PYTHONHASHSEED": HASH_SEED},
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=PIPE,
                pass_fds=[server_socket.fileno()],
                process_group=0,  # Ctrl+C is for the grader alone
            )

    def has(self, libraries: Collection[str], lessons: Collection[str]) -> bool:
        """Return whether it has imported all these libraries and read all these lessons."""
        return self.libraries.issuperset(libraries) and self.lessons.issuperset(lessons)

    @property
    def has_ended(self) -> bool:
        """Return whether its process has ended."""
        return self._process.poll() is not None

    def wait(self) -> None:
        """Wait until it has started. Raises `SandboxError`, with its error messages, where it does not."""
        with self._lock:
            if not self._is_ready:
                self._socket.settimeout(MAX_START_SECONDS)
                self._is_ready = self._receive()[0] == b"ready"
            if not self._is_ready:
                end_process(self._process)
                messages = self._process.stderr.read() if self._process.stderr else b""
                text = messages[-2000:].decode(errors="replace")
                raise SandboxError(f"the fork server did not start:\n{text}")

    def fork(self, request: Mapping[str, Any], descriptor: int) -> ForkedProcess:
        """Return a new process, which gets `descriptor`; `inside/fork_server_main.py` explains the request.

        Raises:
            SandboxError: The process cannot enter its sandbox, or the fork server does not answer.
        """
        self.wait()
        with self._lock:
            self._socket.settimeout(MAX_FORK_SECONDS)
            with contextlib.suppress(OSError):  # it has ended
                socket.send_fds(self._socket, [json.dumps(request).encode()], [descriptor])
            error, forked = self._receive()
            if not error and not forked:
                end_process(self._process)  # a late answer would be taken for the next request's
        if not forked:
            reason = error.decode() or "the fork server has not answered"
            raise SandboxError(f"a process could not enter its sandbox: {reason}")
        return ForkedProcess(forked[0])

    def close(self) -> None:
        """End it. The processes that it has forked go on, and end by themselves."""
        self._socket.close()
        end_process(self._process)

    def _receive(self) -> tuple[bytes, list[int]]:
        with contextlib.suppress(OSError):
            return socket.recv_fds(self._socket, 2**16, 1)[:2]
        return b"", []

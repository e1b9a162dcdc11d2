"""Opens notebooks' processes, for this process or for one that has given up the rights to do so itself.

The process that grades a submission is confined before it reads anything of it. It asks the process that waits for it
to open each sandbox, and gets the connection to the shell in there. The answering side alone decides whose folder a
sandbox shows, and what its limits are.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.exercises.public_course import PublicCourse
from autograder.sandbox import bwrap, fork_server, layers, limited_process, session
from autograder.sandbox.bwrap import SandboxError, is_root
from autograder.sandbox.session import Process

REFUSAL = (
    "student code cannot be sandboxed on this machine: see `{command} doctor` for what is missing, or set "
    "c.SealedKernel.allow_unsealed = True in nbgrader_config.py to run it with your own rights"
)


def refusal(course: PublicCourse) -> str:
    """Return the error message where student code of a course would run outside a sandbox."""
    return REFUSAL.format(command=course.command)


class Broker(contextlib.ExitStack):
    """Opens processes for one notebook, also at the request of another process; all of them end with this context."""

    def __init__(
        self, course: PublicCourse, lessons: Sequence[str], settings: Mapping[str, Any], folder: Path | None
    ) -> None:
        """Store what each process is opened with.

        Args:
            course: The notebook's course.
            lessons: The lessons whose libraries the process has imported; none for all of the course.
            settings: The settings of `SealedKernel`, by name.
            folder: The submission's folder, which the sandbox shows.
        """
        super().__init__()
        self._course, self._lessons, self._settings, self._folder = course, lessons, settings, folder
        self._opened = list[Process]()
        self._other_user = is_root() and bool(settings.get("allow_other_user"))
        names = ("cpu_seconds", "memory_mb", "processes", "scratch_mb")
        self._limits = bwrap.resource_limits(*(settings[name] for name in names))

    def start(self) -> bool:
        """Start the fork server, and wait for it; return whether one is used."""
        server = fork_server.start(self._course, self._lessons, self._other_user)
        if server:
            server.wait()
        return server is not None

    def open(self, shows_folder: bool) -> Process:
        """Start a process. Raises `SandboxError` where it may not or cannot be started."""
        folder, has_sandbox = self._folder if shows_folder else None, layers.sandbox_available()
        process: Process
        if has_sandbox or self._other_user:
            process = session.SandboxedProcess(
                self._course, folder, self._limits, as_other_user=not has_sandbox
            )
        elif self._settings.get("allow_unsealed"):
            process = session.UnsandboxedProcess(self._course, folder)
        else:
            raise SandboxError(refusal(self._course))
        self.callback(process.close)
        self._opened.append(process)
        return process

    def answer(self, action: str, argument: Any) -> tuple[Any, list[int]]:
        """Answer a request of `open_remotely`, or of a process that it has opened; see `limited_process.run`."""
        if action == "open":
            process = self.open(argument)
            return len(self._opened) - 1, [process.socket.fileno()]
        process = self._opened[argument]
        actions = {
            "is alive": process.is_alive,
            "is out of memory": process.is_out_of_memory,
            "interrupt": process.interrupt,
            "close": process.close,
        }
        return actions[action](), []


def open_remotely(shows_folder: bool) -> Process:
    """Have a broker start a process, from a process that is confined; see `Broker.open`."""
    number, (descriptor,) = limited_process.send_request("open", shows_folder)
    return _RemoteProcess(number, socket.socket(fileno=descriptor))


class _RemoteProcess:
    """A process that a broker has opened."""

    def __init__(self, number: int, connection: socket.socket) -> None:
        self._number, self.socket = number, connection

    def is_alive(self) -> bool:
        return self._ask("is alive")

    def is_out_of_memory(self) -> bool:
        return self._ask("is out of memory")

    def interrupt(self) -> None:
        self._ask("interrupt")

    def close(self) -> None:
        self._ask("close")
        self.socket.close()

    def _ask(self, action: str) -> bool:
        return bool(limited_process.send_request(action, self._number)[0])

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
from autograder.sandbox.fork_server import ForkServer
from autograder.sandbox.session import Process

REFUSAL = (
    "student code cannot be sandboxed on this machine: see `{command} doctor` for what is missing, or set "
    "c.SealedKernel.allow_unsealed = True in nbgrader_config.py to run it with your own rights"
)


def refusal(course: PublicCourse) -> str:
    """Return the error message where student code of a course would run outside a sandbox."""
    return REFUSAL.format(command=course.command)


class Opener:
    """Opens processes for one notebook."""

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
        self._course, self._lessons, self._settings, self._folder = course, lessons, settings, folder
        self._other_user = is_root() and bool(settings.get("allow_other_user"))
        names = ("cpu_seconds", "memory_mb", "processes", "scratch_mb")
        self._limits = bwrap.resource_limits(*(settings[name] for name in names))

    def start(self) -> ForkServer | None:
        """Start the fork server; return None where none is used."""
        return fork_server.start(self._course, self._lessons, self._other_user)

    def get_ready(self) -> None:
        """Start the fork server, and wait for it."""
        if server := self.start():
            server.wait()

    def open(self, shows_folder: bool) -> Process:
        """Start a process. Raises `SandboxError` where it may not or cannot be started."""
        folder, has_sandbox = self._folder if shows_folder else None, layers.sandbox_available()
        if has_sandbox or self._other_user:
            return session.open_sandboxed(self._course, folder, self._limits, as_other_user=not has_sandbox)
        if not self._settings.get("allow_unsealed"):
            raise SandboxError(refusal(self._course))
        return session.UnsandboxedProcess(self._course, folder)


class Broker:
    """Opens processes for another process, see `limited_process.run`; all of them end with it."""

    def __init__(self, opener: Opener) -> None:
        self._opener, self._opened = opener, list[Process]()

    def __enter__(self) -> Broker:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.ExitStack() as each:
            for process in self._opened:
                each.callback(process.close)

    def answer(self, action: str, argument: Any = None) -> tuple[Any, list[int]]:
        """Answer a request of a `RemoteOpener`, or of a process that it has opened."""
        if action == "get ready":
            self._opener.get_ready()
            return None, []
        if action == "open":
            self._opened.append(self._opener.open(argument))
            return len(self._opened) - 1, [self._opened[-1].socket.detach()]
        process = self._opened[argument]
        if action == "is out of memory":
            return process.is_out_of_memory, []
        actions = {"is alive": process.is_alive, "interrupt": process.interrupt, "close": process.close}
        return actions[action](), []


class RemoteOpener:
    """Opens processes by a broker, in a process that is confined."""

    def get_ready(self) -> None:
        """Have the fork server started, and wait for it."""
        limited_process.send_request("get ready")

    def open(self, shows_folder: bool) -> Process:
        """Have a process started."""
        number, (descriptor,) = limited_process.send_request("open", shows_folder)
        return _Remote(number, socket.socket(fileno=descriptor))


class _Remote:
    """A process that a broker has opened."""

    def __init__(self, number: int, connection: socket.socket) -> None:
        self._number, self.socket = number, connection

    @property
    def is_out_of_memory(self) -> bool:
        return bool(self._ask("is out of memory"))

    def is_alive(self) -> bool:
        return bool(self._ask("is alive"))

    def interrupt(self) -> None:
        self._ask("interrupt")

    def close(self) -> None:
        self._ask("close")

    def _ask(self, action: str) -> Any:
        return limited_process.send_request(action, self._number)[0]

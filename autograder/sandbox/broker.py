"""Opens notebooks' processes, here or for a process that has given up the rights to do so itself.

The process that grades a submission is confined before it reads anything of it. It asks whoever waits for it for each
sandbox, and gets the line to the shell in there. It chooses nothing: whose folder a sandbox shows and what its limits
are, the answering side knows.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.checks.public_course import Visible
from autograder.sandbox import bwrap, fork_server, layers, limited_process, session
from autograder.sandbox.bwrap import SandboxError, is_root
from autograder.sandbox.fork_server import ForkServer
from autograder.sandbox.session import Process

REFUSAL = (
    "student code cannot be sealed on this machine: see `{command} doctor` for what is missing, or set "
    "c.SealedKernel.allow_unsealed = True in nbgrader_config.py to run it with your own rights"
)


def refusal(course: Visible) -> str:
    """Return what is said where student code of a course would run outside a sandbox."""
    return REFUSAL.format(command=course.command)


class Opener:
    """Opens processes for one notebook."""

    def __init__(
        self, course: Visible, lessons: Sequence[str], settings: Mapping[str, Any], folder: Path | None
    ) -> None:
        """Remember what is opened.

        Args:
            course: The notebook's.
            lessons: Those whose libraries the process has imported; none for all of the course.
            settings: By the names of `SealedKernel`'s.
            folder: What the sandbox shows of the submission.
        """
        self._course, self._lessons, self._settings, self._folder = course, lessons, settings, folder
        self._other_user = is_root() and bool(settings.get("allow_other_user"))
        names = ("cpu_seconds", "memory_mb", "processes", "scratch_mb")
        self._limits = bwrap.resource_limits(*(settings[name] for name in names))

    def start(self) -> ForkServer | None:
        """Start the warm process; return it where one is needed."""
        return fork_server.start(self._course, self._lessons, self._other_user)

    def get_ready(self) -> None:
        """Have it started, and wait for it."""
        if process := self.start():
            process.wait()

    def open(self, shows_folder: bool) -> Process:
        """Begin a process. Raises `SandboxError` where it may not or cannot be."""
        folder, walls = self._folder if shows_folder else None, layers.sandbox_available()
        if walls or self._other_user:
            return session.open_sandboxed(self._course, folder, self._limits, walls)
        if not self._settings.get("allow_unsealed"):
            raise SandboxError(refusal(self._course))
        return session.UnsandboxedProcess(self._course, folder)


class Broker:
    """Does for another process what an opener does, see `limited.run`; all that was opened ends with it."""

    def __init__(self, opener: Opener) -> None:
        self._opener, self._opened = opener, list[Process]()

    def __enter__(self) -> Broker:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.ExitStack() as each:
            for process in self._opened:
                each.callback(process.close)

    def attend(self, action: str, argument: Any = None) -> tuple[Any, list[int]]:
        """Answer a request of a `RemoteOpener`, or of a process that it has opened."""
        if action == "get ready":
            self._opener.get_ready()
            return None, []
        if action == "open":
            self._opened.append(self._opener.open(argument))
            return len(self._opened) - 1, [self._opened[-1].line.detach()]
        process = self._opened[argument]
        if action == "full":
            return process.full, []
        actions = {"alive": process.alive, "interrupt": process.interrupt, "close": process.close}
        return actions[action](), []


class RemoteOpener:
    """An opener in a process that is confined."""

    def get_ready(self) -> None:
        """Have the warm process started, and wait for it."""
        limited_process.send_request("get ready")

    def open(self, shows_folder: bool) -> Process:
        """Have a process begun."""
        number, (line,) = limited_process.send_request("open", shows_folder)
        return _Remote(number, socket.socket(fileno=line))


class _Remote:
    """A process that a broker has opened."""

    def __init__(self, number: int, line: socket.socket) -> None:
        self._number, self.line = number, line

    @property
    def full(self) -> bool:
        return bool(self._ask("full"))

    def alive(self) -> bool:
        return bool(self._ask("alive"))

    def interrupt(self) -> None:
        self._ask("interrupt")

    def close(self) -> None:
        self._ask("close")

    def _ask(self, action: str) -> Any:
        return limited_process.send_request(action, self._number)[0]

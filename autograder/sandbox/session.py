"""The grader's side of a notebook's process: starts and ends it, sends it cells, and receives their output.

All messages may have been written by student code: they are bounded, and nothing in them is trusted.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any, Protocol, TypedDict

import msgspec

from autograder.exercises import public_course
from autograder.exercises.limits import MAX_LINE_BYTES
from autograder.exercises.public_course import PublicCourse
from autograder.sandbox import bwrap, fork_server
from autograder.sandbox.bwrap import Sandbox, UserSandbox
from autograder.sandbox.memory_watchdog import MemoryWatchdog
from autograder.sandbox.processes import end_process
from autograder.views import figures

MESSAGE_OVERHEAD = 100
"""Bytes that are counted for a message beside its own: each message becomes an output."""


class Message(TypedDict):
    """A message about the request of this number; `msg_type` and `content` are as in Jupyter's messages."""

    number: int
    msg_type: str
    content: dict[str, Any]


CallStub = Callable[[Mapping[str, Any], float], str]
"""Answers a call of a reference stub, from the message's content, within so many seconds. Raises `Interrupted`."""


class Interrupted(Exception):
    """A request that was not completed.

    Attributes:
        state: How it ended.
        cell_error: The name and text of the error that a cell shows then.
        pieces: The parts of an answer that came until then, see `protocol.read_pieces`.
    """

    state: str
    cell_error: tuple[str, str]
    pieces: Sequence[Any] = ()


class TimedOut(Interrupted):
    """The request took too long."""

    state, cell_error = "timed out", ("CellTimeoutError", "this cell could not be stopped")


class ProcessDied(Interrupted):
    """The process ended."""

    state, cell_error = "kernel died", ("KernelDied", "this cell ended the whole program")


class MalformedMessage(Interrupted):
    """The process sent something that is no message."""

    state, cell_error = "garbled", ("MessageError", "this cell sent malformed messages")


class TooMuchOutput(Interrupted):
    """The process sent more than the limit."""

    state, cell_error = "more was sent than there is room for", ("MessageError", "this cell sent too much")


class OutOfMemory(Interrupted):
    """The processes of a sandbox have reached their memory limit, or nearly."""

    state, cell_error = "took too much memory", ("MemoryError", "this cell took more than {memory} MB")


class Process(Protocol):
    """A notebook's process.

    Attributes:
        socket: The connection to its shell.
    """

    socket: socket.socket

    def is_alive(self) -> bool:
        """Return whether it has not ended yet."""

    def is_out_of_memory(self) -> bool:
        """Return whether it was ended because it held too much memory."""

    def interrupt(self) -> None:
        """Interrupt the code that runs, as Ctrl+C does."""

    def close(self) -> None:
        """End it, and close the connection; do nothing the second time."""


def refuse_stub_call(*_: Any) -> str:
    """Raise `MalformedMessage`, where a process has no reference stub to call."""
    raise MalformedMessage


class Session:
    """An open notebook."""

    def __init__(self, process: Process) -> None:
        self._process, self._socket = process, process.socket
        self._number, self._buffer, self._searched = 0, bytearray(), 0
        self.received_bytes = 0
        """Bytes of all messages that were handed on."""

    def run(self, code: str, limit: float, max_bytes: int) -> Iterator[Message]:
        """Run a cell; see `listen`."""
        self._ask({"code": code}, limit)
        return self.listen(limit, max_bytes)

    def ask(
        self,
        request: Mapping[str, Any],
        limit: float,
        max_bytes: int = MAX_LINE_BYTES,
        call_stub: CallStub = refuse_stub_call,
    ) -> Any:
        """Return the reply to a question, or to a call of a function; `inside/shell.py` explains both.

        Raises `Interrupted`, also where more than `max_bytes` bytes come.
        """
        self._ask(request, limit)
        answer, bytes_at_start, deadline = None, self.received_bytes, time.monotonic() + limit
        pieces: list[Any] = []
        try:
            for message in self.listen(limit, max_bytes):
                if message["msg_type"] == "call":
                    result = call_stub(message["content"], deadline - time.monotonic())
                    self._send({"result": result}, deadline - time.monotonic())
                if message["msg_type"] == "cut" or self.received_bytes - bytes_at_start > max_bytes:
                    raise TooMuchOutput
                if message["msg_type"] == "piece":
                    pieces.append(message["content"].get("piece"))
                answer = message["content"].get("answer")
        except (TimedOut, OutOfMemory) as interruption:
            interruption.pieces = pieces
            raise
        return answer

    def listen(self, limit: float, max_bytes: int) -> Iterator[Message]:
        """Yield messages up to "done", which carries the reply to a question.

        Messages after `max_bytes` bytes are dropped; one message of type "cut" takes their place.
        Raises `Interrupted`, after `limit` seconds at the latest; `OutOfMemory` once the request is done.
        """
        deadline, bytes_left = time.monotonic() + limit, max_bytes
        while True:
            line = self._next(deadline)
            if time.monotonic() > deadline:
                raise TimedOut
            was_within, bytes_left = bytes_left >= 0, bytes_left - len(line) - MESSAGE_OVERHEAD
            if bytes_left < 0 and b'"msg_type": "done"' not in line[:100]:
                if was_within:
                    yield {"number": self._number, "msg_type": "cut", "content": {}}
                continue
            message = _decode(line)
            if message["number"] == self._number:
                self.received_bytes += len(line) + MESSAGE_OVERHEAD
                yield message
                if message["msg_type"] == "done":
                    if message["content"].get("full") is True:
                        raise OutOfMemory
                    return

    def interrupt(self) -> None:
        """Interrupt the cell that runs, as Ctrl+C does."""
        self._process.interrupt()

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _ask(self, request: Mapping[str, Any], limit: float) -> None:
        self._number += 1
        self._send({"number": self._number, **request}, limit)

    def _send(self, content: Mapping[str, Any], limit: float) -> None:
        text = json.dumps(content)
        self._socket.settimeout(None if limit == math.inf else max(limit, 0.001))
        try:
            self._socket.sendall(text.encode() + b"\n")
        except TimeoutError:
            raise TimedOut from None
        except OSError:
            raise self._ended() from None

    def _next(self, deadline: float) -> bytes:
        while (end := self._buffer.find(b"\n", self._searched)) < 0:
            self._searched = len(self._buffer)
            if self._searched > MAX_LINE_BYTES:
                raise TooMuchOutput
            self._buffer += self._receive(deadline)
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        return line

    def _receive(self, deadline: float) -> bytes:
        while True:
            if (seconds := deadline - time.monotonic()) <= 0:
                raise TimedOut
            if select.select([self._socket], [], [], min(1.0, seconds))[0]:
                with contextlib.suppress(OSError):
                    if data := self._socket.recv(2**18):
                        return data
                raise self._ended()
            if not self._process.is_alive():
                raise self._ended()

    def _ended(self) -> Interrupted:
        return OutOfMemory() if self._process.is_out_of_memory() else ProcessDied()


def _decode(line: bytes) -> Message:
    """Return the message. Raises `MalformedMessage` for anything else."""
    try:
        return msgspec.convert(json.loads(line), Message)
    except (ValueError, RecursionError):
        raise MalformedMessage from None


class SandboxedProcess:
    """A process that the fork server has forked into a new sandbox.

    Attributes:
        forked: The process itself.
    """

    def __init__(
        self,
        course: PublicCourse,
        folder: Path | None,
        limits: Mapping[str, int],
        as_other_user: bool = False,
    ) -> None:
        """Start the process.

        Args:
            course: The course whose public files the sandbox shows.
            folder: The submission's folder, which the sandbox shows; None for none.
            limits: As `bwrap.resource_limits` gives them.
            as_other_user: Build no sandbox, but run as another user, with the same limits and filter. Only root can.

        Raises:
            SandboxError: The process cannot be started so.
        """
        place, self._last_first = _working_folder(folder), contextlib.ExitStack()
        self.socket, shell_socket = socket.socketpair()
        self._last_first.callback(self.socket.close)
        with contextlib.ExitStack() as on_failure, shell_socket:
            on_failure.callback(self.close)
            server = fork_server.get_server(course)
            self._sandbox: Sandbox | UserSandbox
            self._sandbox = UserSandbox(place) if as_other_user else Sandbox(place, limits, server.public)
            on_failure.callback(self._sandbox.close)
            request = {
                "sandbox": self._sandbox.process,
                "folder": self._sandbox.folder,
                "user": self._sandbox.user,
                "limits": limits,
            }
            self.forked = server.fork(request, shell_socket.fileno())
            max_bytes = bwrap.memory_limit(limits)
            roots = (self._sandbox.process, self.forked.number)
            self._watchdog = MemoryWatchdog(*roots, max_bytes, self._sandbox.end)
            on_failure.pop_all()
        self._last_first.callback(self._watchdog.stop)
        # a process that has not become its user yet is not ended with that user's others
        self._last_first.callback(end_process, self.forked)
        self._last_first.callback(self._sandbox.close)

    def is_alive(self) -> bool:
        """Return whether it has not ended yet."""
        return self.forked.poll() is None

    def is_out_of_memory(self) -> bool:
        """Return whether the memory watchdog has ended it."""
        return self._watchdog.has_ended_sandbox

    def interrupt(self) -> None:
        """Interrupt the code that runs, with SIGINT."""
        self.forked.send_signal(signal.SIGINT)

    def close(self) -> None:
        """End it, the sandbox first; each step is done even if another one fails."""
        self._last_first.close()


def _working_folder(folder: Path | None) -> str:
    """Return the folder in which a notebook runs: its submission's, if there is one."""
    return str(folder.resolve()) if folder is not None and folder.is_dir() else bwrap.SCRATCH


class UnsandboxedProcess:
    """A process with the grader's own rights."""

    def __init__(self, course: PublicCourse, folder: Path | None) -> None:
        variables = {
            figures.STATIC: "1",
            public_course.COURSE_VARIABLE: str(course.root.parent),
            "PYTHONHASHSEED": fork_server.HASH_SEED,
        }
        self.socket, shell_socket = socket.socketpair()
        with shell_socket:
            self._process = Popen(
                [sys.executable, "-P", "-m", "autograder.sandbox.inside.shell", str(shell_socket.fileno())],
                cwd=_working_folder(folder),
                env={**os.environ, **variables},
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=DEVNULL,
                pass_fds=[shell_socket.fileno()],
                start_new_session=True,
            )

    def is_alive(self) -> bool:
        """Return whether it has not ended yet."""
        return self._process.poll() is None

    def is_out_of_memory(self) -> bool:
        """Return False: nothing measures its memory."""
        return False

    def interrupt(self) -> None:
        """Interrupt the code that runs, with SIGINT."""
        self._process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """End it and the processes that it has started in its group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        end_process(self._process)
        self.socket.close()

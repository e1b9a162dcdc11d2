"""The grader's side of a notebook's process: asks it to run cells, hears what they show; and what begins and ends it.

Whatever comes over the line may have been written by a student's code: it is bounded, and believed in nothing.
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

from autograder.checks import public_course
from autograder.checks.public_course import Visible
from autograder.exercises.limits import MAX_LINE_BYTES
from autograder.notebook import figures
from autograder.sandbox import bwrap, fork_server
from autograder.sandbox.bwrap import Sandbox, UserSandbox
from autograder.sandbox.fork_server import ForkedProcess
from autograder.sandbox.memory_watchdog import MemoryWatchdog
from autograder.sandbox.notes import NoteKind

PER_MESSAGE = 100
"""Bytes that a message counts for beside its own: each becomes an output."""


class Message(TypedDict):
    """`msg_type` and `content` as in Jupyter's messages; number: of the request that it belongs to."""

    number: int
    msg_type: str
    content: dict[str, Any]


StandIn = Callable[[Mapping[str, Any], float], str]
"""What a stand-in gives: from what came as a call of it, and the seconds that are left. Raises `Interrupted`."""


class Interrupted(Exception):
    """A request that came to no end of its own.

    state: how it ended; shown: the error that a cell shows then, name and text; of_cell, of_answer: what is noted;
    pieces: what of an answer had come, see `replies.read_pieces`.
    """

    state: str
    shown: tuple[str, str]
    of_cell: NoteKind
    of_answer: NoteKind
    pieces: Sequence[Any] = ()


class TimedOut(Interrupted):
    """It took too long."""

    state, shown = "timed out", ("CellTimeoutError", "this cell could not be stopped")
    of_cell, of_answer = NoteKind.CELL_TIMED_OUT, NoteKind.ANSWER_TIMED_OUT


class ProcessDied(Interrupted):
    """The process ended."""

    state, shown = "kernel died", ("KernelDied", "this cell ended the whole program")
    of_cell, of_answer = NoteKind.CELL_DIED, NoteKind.ANSWER_DIED


class MalformedMessage(Interrupted):
    """What came was no message."""

    state, shown = "garbled", ("MessageError", "this cell sent messages that are none")
    of_cell, of_answer = NoteKind.CELL_GARBLED, NoteKind.ANSWER_GARBLED


class TooMuchOutput(Interrupted):
    """More came than there is room for."""

    state, shown = "more was sent than there is room for", ("MessageError", "this cell sent too much")
    of_cell, of_answer = NoteKind.CELL_TOO_MUCH, NoteKind.ANSWER_TOO_MUCH


class OutOfMemory(Interrupted):
    """The processes of a room have as much memory as they may have, or nearly."""

    state, shown = "took too much memory", ("MemoryError", "this cell took more than {memory} MB")
    of_cell, of_answer = NoteKind.CELL_FULL, NoteKind.ANSWER_FULL


class Process(Protocol):
    """A notebook's process; line: to its shell; full: whether it was ended as it held too much memory."""

    line: socket.socket

    @property
    def full(self) -> bool: ...
    def alive(self) -> bool: ...
    def interrupt(self) -> None: ...
    def close(self) -> None: ...


class Session:
    """An open notebook."""

    def __init__(self, process: Process) -> None:
        self._process, self._line = process, process.line
        self._number, self._buffer, self._searched = 0, bytearray(), 0
        self.told = 0
        """Bytes of all that was handed on of what it shows."""

    def run(self, code: str, limit: float, max_bytes: int) -> Iterator[Message]:
        """Run a cell; see `listen`."""
        self._ask({"code": code}, limit)
        return self.listen(limit, max_bytes)

    def ask(self, question: str, limit: float, max_bytes: int, stand_in: StandIn) -> Any:
        """The probe's answer to a question; raises `Interrupted`, also where more than `max_bytes` bytes come."""
        return self._answer({"question": question}, limit, max_bytes, stand_in)

    def call(self, name: str, call: str, limit: float) -> Any:
        """What a function that a cell has defined gives, see `stand_ins.answer`; raises `Interrupted`."""
        return self._answer({"name": name, "call": call}, limit, MAX_LINE_BYTES, none_stands_in)

    def _answer(self, request: Mapping[str, Any], limit: float, max_bytes: int, stand_in: StandIn) -> Any:
        self._ask(request, limit)
        answer, before, deadline = None, self.told, time.monotonic() + limit
        pieces: list[Any] = []
        try:
            for message in self.listen(limit, max_bytes):
                if message["msg_type"] == "call":
                    given = stand_in(message["content"], deadline - time.monotonic())
                    self._send({"given": given}, deadline - time.monotonic())
                if message["msg_type"] == "cut" or self.told - before > max_bytes:
                    raise TooMuchOutput
                if message["msg_type"] == "piece":
                    pieces.append(message["content"].get("piece"))
                answer = message["content"].get("answer")
        except (TimedOut, OutOfMemory) as end:
            end.pieces = pieces
            raise
        return answer

    def listen(self, limit: float, max_bytes: int) -> Iterator[Message]:
        """What is shown until the request is "done": the last message, with the probe's answer to a question.

        What comes after `max_bytes` bytes is not looked at, and its place taken by one message of type "cut".
        Raises `Interrupted`, after `limit` seconds at the latest; `OutOfMemory` once the request is done.
        """
        deadline, left = time.monotonic() + limit, max_bytes
        while True:
            line = self._next(deadline)
            if time.monotonic() > deadline:
                raise TimedOut
            before, left = left, left - len(line) - PER_MESSAGE
            if left < 0 and b'"msg_type": "done"' not in line[:100]:
                if before >= 0:
                    yield {"number": self._number, "msg_type": "cut", "content": {}}
                continue
            message = _read(line)
            if message["number"] == self._number:
                self.told += len(line) + PER_MESSAGE
                yield message
                if message["msg_type"] == "done":
                    if message["content"].get("full") is True:
                        raise OutOfMemory
                    return

    def interrupt(self) -> None:
        """What Ctrl-C does, for a cell that runs."""
        self._process.interrupt()

    def close(self) -> None:
        """End the process; nothing the second time."""
        if self._line.fileno() < 0:
            return
        with contextlib.closing(self._line):
            self._process.close()

    def _ask(self, request: Mapping[str, Any], limit: float) -> None:
        self._number += 1
        self._send({"number": self._number, **request}, limit)

    def _send(self, content: Mapping[str, Any], limit: float) -> None:
        text = json.dumps(content)
        self._line.settimeout(None if limit == math.inf else max(limit, 0.001))
        try:
            self._line.sendall(text.encode() + b"\n")
        except TimeoutError:
            raise TimedOut from None
        except OSError:
            raise self._end() from None

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
            if (left := deadline - time.monotonic()) <= 0:
                raise TimedOut
            if select.select([self._line], [], [], min(1.0, left))[0]:
                with contextlib.suppress(OSError):
                    if data := self._line.recv(2**18):
                        return data
                raise self._end()
            if not self._process.alive():
                raise self._end()

    def _end(self) -> Interrupted:
        return OutOfMemory() if self._process.full else ProcessDied()


def none_stands_in(*_: Any) -> str:
    """Where nothing does. Raises `MalformedMessage`."""
    raise MalformedMessage


def _read(line: bytes) -> Message:
    """Raises `MalformedMessage` for anything but a message."""
    try:
        return msgspec.convert(json.loads(line), Message)
    except (ValueError, RecursionError):
        raise MalformedMessage from None


def open_sandboxed(
    course: Visible, folder: Path | None, limits: Mapping[str, int], walls: bool = True
) -> Process:
    """Begin a process in a room of its own, which shows `folder`; limits: see `room.limits`.

    Without walls, which takes root, it is another user's process among this machine's, with the same limits and filter.
    Raises `SandboxError` where that cannot be.
    """
    place = _place(folder)
    with contextlib.ExitStack() as undo:
        line, theirs = socket.socketpair()
        undo.callback(line.close)
        with theirs:
            process = fork_server.process(course)
            opened = Sandbox(place, limits, process.shown) if walls else UserSandbox(place)
            undo.callback(opened.close)
            request = {"room": opened.process, "folder": opened.folder, "user": opened.user, "limits": limits}
            forked = process.fork(request, theirs.fileno())
            undo.callback(forked.close)
        sealed = _SandboxedProcess(line, opened, forked, limits)
        undo.pop_all()
    return sealed


class _SandboxedProcess:
    """A process forked from the warm one into its room; limits: for all in there together."""

    def __init__(
        self,
        line: socket.socket,
        opened: Sandbox | UserSandbox,
        forked: ForkedProcess,
        limits: Mapping[str, int],
    ) -> None:
        self.line, self._room, self.forked, self.full = line, opened, forked, False
        self._watchdog = MemoryWatchdog(
            opened.process, forked.number, bwrap.memory_limit(limits), self._end_full
        )
        self._last_first = contextlib.ExitStack()
        for step in (self._watchdog.stop, forked.close, self._end, opened.close):
            self._last_first.callback(step)

    def alive(self) -> bool:
        return self.forked.poll() is None

    def interrupt(self) -> None:
        self.forked.send_signal(signal.SIGINT)

    def close(self) -> None:
        """End it, and do nothing the second time. Whatever of it fails, the rest is done."""
        self._last_first.close()

    def _end_full(self) -> None:
        """End the room, whose processes together have more memory than they may have."""
        self.full = True
        self._room.end()

    def _end(self) -> None:
        self.forked.kill()  # without a room, it may not have become its user yet
        self.forked.wait(bwrap.MAX_END_SECONDS)


def _place(folder: Path | None) -> str:
    """Return where a notebook runs: in what came with it, where there is a folder for that."""
    return str(folder.resolve()) if folder is not None and folder.is_dir() else bwrap.SCRATCH


class UnsandboxedProcess:
    """A process with the grader's own rights."""

    full = False

    def __init__(self, course: Visible, folder: Path | None) -> None:
        own = {
            figures.STATIC: "1",
            public_course.FOLDER: str(course.root.parent),
            "PYTHONHASHSEED": fork_server.HASH_SEED,
        }
        self.line, theirs = socket.socketpair()
        with theirs:
            self._process = Popen(
                [sys.executable, "-P", "-m", "autograder.sandbox.inside.shell", str(theirs.fileno())],
                cwd=_place(folder),
                env={**os.environ, **own},
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def alive(self) -> bool:
        return self._process.poll() is None

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        bwrap.end_process(self._process)

"""The grader's side of the warm process: starts it once, and asks it for processes in rooms."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
from typing import Any

from autograder.sandbox import files
from autograder.sandbox.room import Room, SealError, environment
from autograder.student.visible import Visible

FOR_A_START, FOR_A_FORK = 300.0, 60.0
"""Seconds after which a machine is not slow but broken."""

Key = tuple[Visible, str]
"""Which warm process: of which course, and the hash seed."""

_addresses: dict[Key, str] = {}
"""Where the warm processes of other graders listen."""


def use(addresses: Mapping[Key, str]) -> None:
    """From now on, ask these warm processes, of the process that started this one, instead of starting others."""
    _addresses.update(addresses)


def start(course: Visible, hash_seed: str) -> None:
    """Start a warm process for a course and this seed, where none is known, and do not wait for it."""
    if (course, hash_seed) not in _addresses:
        process(course, hash_seed)


class WarmProcess:
    """A warm process, in which texts have the hashes of `hash_seed`. It ends with this process at the latest."""

    def __init__(self, course: Visible, hash_seed: str) -> None:
        shown = files.folder(course)
        self._folder = TemporaryDirectory(prefix="warm-", ignore_cleanup_errors=True)
        self.address = str(Path(self._folder.name) / "socket")
        self._complaints = Path(self._folder.name) / "complaints.txt"
        life, self._life = os.pipe()
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener,
            self._complaints.open("wb") as complaints,
        ):
            listener.bind(self.address)
            listener.listen()
            self._process = Popen(
                [sys.executable, "-m", "autograder.sandbox.inside.worker", str(listener.fileno()), str(life)],
                cwd=shown,
                env={**environment(shown), "PYTHONHASHSEED": hash_seed},
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=complaints,
                pass_fds=[listener.fileno(), life],
            )
        os.close(life)

    def close(self) -> None:
        """End it, and with it nothing else: rooms end by themselves."""
        os.close(self._life)
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def complaints(self) -> str:
        """The end of what it complained of."""
        return self._complaints.read_text(errors="replace")[-2000:]


class Connection:
    """A connection to a warm process."""

    def __init__(self, address: str) -> None:
        """Raises `SealError` when nobody answers."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(FOR_A_START)
        with contextlib.suppress(OSError):
            self._socket.connect(address)
        if self._receive()[0] != b"ready":
            raise SealError("the warm process did not start")
        self._socket.settimeout(FOR_A_FORK)
        self._turn = threading.Lock()

    def fork(self, request: Mapping[str, Any], descriptors: Sequence[int]) -> int:
        """A descriptor of the new process, which gets `descriptors`.

        Raises `SealError` where it cannot enter its room.
        """
        with self._turn:
            with contextlib.suppress(OSError):
                socket.send_fds(self._socket, [json.dumps(request).encode()], descriptors)
            message, process = self._receive()
        if not process:
            reason = json.loads(message or b"{}").get("error", "the warm process has ended")
            raise SealError(f"a process could not enter its room: {reason}")
        return process[0]

    def _receive(self) -> tuple[bytes, list[int]]:
        try:
            message, descriptors, _, _ = socket.recv_fds(self._socket, 2**16, 1)
            return message, descriptors
        except OSError:
            return b"", []


@functools.cache
def process(course: Visible, hash_seed: str) -> WarmProcess:
    """This process's own warm process for a course and this seed; started at the first call."""
    started = WarmProcess(course, hash_seed)
    atexit.register(started.close)
    return started


@functools.cache
def connection(course: Visible, hash_seed: str) -> Connection:
    """The connection to that warm process. Raises `SealError`, with what it complained of, where it ended."""
    if (course, hash_seed) in _addresses:
        return Connection(_addresses[course, hash_seed])
    own = process(course, hash_seed)
    try:
        return Connection(own.address)
    except SealError as error:
        raise SealError(f"{error}:\n{own.complaints()}") from None


class SealedProcess:
    """A process forked from the warm one into its room."""

    def __init__(
        self, room: Room, request: Mapping[str, Any], warm: Connection, descriptors: Sequence[int]
    ) -> None:
        """Raises `SealError`; the room is closed then."""
        self._room = room
        try:
            self._handle = warm.fork({**request, "room": room.process}, descriptors)
        except BaseException:
            room.close()
            raise

    def alive(self) -> bool:
        """Whether it runs."""
        return not select.select([self._handle], [], [], 0)[0]

    def interrupt(self) -> None:
        """What Ctrl-C does."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGINT)

    def close(self) -> None:
        """Close the room, with all that is in it, and wait for the end of that."""
        self._room.close()
        select.select([self._handle], [], [])
        os.close(self._handle)

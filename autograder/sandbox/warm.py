"""The grader's side of the warm process: starts it once, and asks it for processes in rooms."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import socket
import sys
import threading
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from autograder.model.limits import MAX_FORK_SECONDS, MAX_START_SECONDS
from autograder.sandbox import doctor, files
from autograder.sandbox.room import SealError, end_process, environment
from autograder.student.visible import Visible

COMPLAINTS = "complaints.txt"
PROGRAM = "autograder.sandbox.inside.worker"

HASH_SEED = "0"
"""Of the processes in which notebooks run: texts have the same hashes in each grading."""


class WarmPlace(NamedTuple):
    """Where a warm process listens, the folder of the files that its rooms show, what it has imported, and of which
    lessons it has read the visible examples.
    """

    address: str
    shown: str
    libraries: frozenset[str]
    lessons: frozenset[str]

    def has(self, libraries: Collection[str], lessons: Collection[str]) -> bool:
        return self.libraries.issuperset(libraries) and self.lessons.issuperset(lessons)


_given: dict[Visible, WarmPlace] = {}
_started: dict[WarmPlace, WarmProcess] = {}
_turn = threading.Lock()


def start(
    course: Visible, lessons: Collection[str] = (), other_user: bool = False, code: str = ""
) -> WarmPlace | None:
    """Return where the course's warm process listens.

    There is none where nothing can be sealed, unless notebooks run as an `other_user` then.

    One that is not known, or has not read what these lessons need and `code` names, is started now, and not
    waited for; with what all lessons need when none is named. What else a notebook imports, it imports itself.
    """
    return place(course, lessons, code) if other_user or doctor.sealable() else None


def place(course: Visible, lessons: Collection[str] = (), code: str = "") -> WarmPlace:
    """Where the warm process for a course, these lessons and what `code` names is; it is started where none is known,
    and anew where the one that was started here has ended.
    """
    with _turn:
        known = _given.get(course)
        wanted = course.libraries_of(lessons, code) if lessons else ()
        if known is None or not known.has(wanted, lessons) or _has_ended(known):
            libraries, read = course.libraries_of(lessons or None, code), [*(lessons or course.lessons)]
            if known:
                libraries, read = [*libraries, *known.libraries], [*read, *known.lessons]
            started = WarmProcess(course, libraries, read)
            atexit.register(started.close)
            known = _given[course] = started.place
            _started[known] = started
        return known


def _has_ended(place: WarmPlace) -> bool:
    """Whether a process that was started here has ended; what it left is removed then."""
    if (started := _started.get(place)) is None or not started.has_ended:
        return False
    del _started[place]
    atexit.unregister(started.close)
    started.close()
    return True


def connection(course: Visible) -> Connection:
    """The connection to a course's warm process. Raises `SealError` where it has ended."""
    return _connection(place(course))


@functools.cache
def _connection(place: WarmPlace) -> Connection:
    return Connection(place)


class WarmProcess:
    """A warm process. It ends with this process at the latest."""

    def __init__(self, course: Visible, libraries: Sequence[str], lessons: Sequence[str]) -> None:
        shown = files.shown_folder(course)
        with contextlib.ExitStack() as undo:
            self._folder = TemporaryDirectory(prefix="warm-", ignore_cleanup_errors=True)
            undo.callback(self._folder.cleanup)
            folder = Path(self._folder.name)
            has = frozenset(libraries), frozenset(lessons)
            self.place = WarmPlace(str(folder / "socket"), str(shown), *has)
            with contextlib.ExitStack() as handed_on:
                life, self._life = os.pipe()
                undo.callback(os.close, self._life)
                handed_on.callback(os.close, life)
                listener = handed_on.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
                complaints = handed_on.enter_context((folder / COMPLAINTS).open("wb"))
                ends = listener.fileno(), life
                listener.bind(self.place.address)
                listener.listen()
                self._process = Popen(
                    [sys.executable, "-m", PROGRAM, *map(str, ends), "/".join(lessons), *libraries],
                    cwd=shown,
                    env={**environment(shown), "PYTHONHASHSEED": HASH_SEED},
                    stdin=DEVNULL,
                    stdout=DEVNULL,
                    stderr=complaints,
                    pass_fds=ends,
                    process_group=0,  # Ctrl+C is not for it
                )
                undo.callback(end_process, self._process)
            undo.pop_all()

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def close(self) -> None:
        """End it, and with it nothing else: rooms end by themselves."""
        os.close(self._life)
        end_process(self._process)
        self._folder.cleanup()


class Connection:
    """A connection to a warm process. `shown`: the folder of the files that its rooms show."""

    def __init__(self, place: WarmPlace) -> None:
        """Raises `SealError`, with what the process complained of, when nobody answers."""
        self.shown = Path(place.shown)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(MAX_START_SECONDS)
        with contextlib.suppress(OSError):
            self._socket.connect(place.address)
        if self._receive()[0] != b"ready":
            complaints = Path(place.address).with_name(COMPLAINTS)
            said = complaints.read_text(errors="replace")[-2000:] if complaints.exists() else ""
            raise SealError(f"the warm process did not start:\n{said}")
        self._socket.settimeout(MAX_FORK_SECONDS)
        self._turn = threading.Lock()

    def fork(self, request: Mapping[str, Any], descriptors: Sequence[int]) -> int:
        """A descriptor of the new process, which gets `descriptors`.

        Raises `SealError` where it cannot enter its room.
        """
        with self._turn:
            try:
                socket.send_fds(self._socket, [json.dumps(request).encode()], descriptors)
                message, process = self._receive()
            except OSError as error:
                message, process = json.dumps({"error": str(error)}).encode(), []
        if not process:
            _connection.cache_clear()  # an answer that comes late is not the next one's
            reason = json.loads(message or b"{}").get("error", "the warm process has not answered")
            raise SealError(f"a process could not enter its room: {reason}")
        return process[0]

    def _receive(self) -> tuple[bytes, list[int]]:
        try:
            message, descriptors, _, _ = socket.recv_fds(self._socket, 2**16, 1)
            return message, descriptors
        except OSError:
            return b"", []

"""Has a function look at what a student wrote in a process of its own, limited in time and memory.

`forked` does so in a child of this process; `call` in one of a helper, which has nothing of this one: it has imported
the functions, and forks at each call. JSON goes there and comes back.
`python -m autograder.nbgrader_plugin.limited <socket>` is the helper.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import math
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

SECONDS = 20
"""Of processor time for a call; of waiting, three times as many."""

MEGABYTES = 1500
MODULES = (
    "autograder.nbgrader_plugin.intake",
    "autograder.nbgrader_plugin.defusing",
    "autograder.nbgrader_plugin.formatting",
    "autograder.publish.class_report.fingerprints",
)
TOGETHER = 50
"""So many texts of a class share a call."""

ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""The helper's own: no thread that waits, and the same fingerprints of code from each helper."""


class Overrun(Exception):
    """It took more time or memory than there is for it."""


def call(function: Callable[..., Any], *arguments: Any, seconds: int = SECONDS) -> Any:
    """What a function of one of `MODULES` gives for these arguments: all of it plain data.

    Raises `Overrun`; what the function itself raises becomes a RuntimeError.
    """
    request = [function.__module__, function.__name__, arguments, seconds]
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            _send(theirs)
        ours.settimeout(60)
        with contextlib.suppress(OSError):
            ours.sendall(json.dumps(request).encode() + b"\n")
        reply = _everything(ours, time.monotonic() + 3 * seconds + 5)
    if not reply.endswith(b"\n"):
        raise Overrun("takes more time or memory to read than there is for it")
    answer = json.loads(reply)
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer["value"]


def each(function: Callable[..., Any], texts: Sequence[Any], seconds: int) -> list[Any]:
    """What a function of one of `MODULES`, which takes a list and gives one, makes of each text; None where it cannot.

    Some share a call; where these overrun, or one makes the function fail, each has a call of its own.
    """
    starts = range(0, len(texts), TOGETHER)
    return [made for one in starts for made in _of_some(function, texts[one : one + TOGETHER], seconds)]


def _of_some(function: Callable[..., Any], texts: Sequence[Any], seconds: int) -> list[Any]:
    try:
        return list(call(function, texts, seconds=seconds))
    except (Overrun, RuntimeError):
        if len(texts) == 1:
            return [None]
        return [made for text in texts for made in _of_some(function, [text], seconds)]


def forked(work: Callable[[], Iterable[Any]], seconds: float) -> list[Any]:
    """What `work` gives, piece by piece, in a child of this process that is ended after so many seconds.

    The pieces are plain data; all that came until then comes back. It may take `MEGABYTES` beside what is there.
    """
    ours, theirs = socket.socketpair()
    with ours:
        if not (child := os.fork()):
            try:
                _limit(math.ceil(seconds), MEGABYTES + _megabytes_of_address_space())
                with theirs.makefile("wb") as told:
                    for piece in work():
                        told.write(json.dumps(piece).encode() + b"\n")
                        told.flush()
            finally:
                os._exit(0)
        theirs.close()
        try:
            said = _everything(ours, time.monotonic() + seconds)
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return [json.loads(line) for line in said.splitlines(keepends=True) if line.endswith(b"\n")]


def _megabytes_of_address_space() -> int:
    with contextlib.suppress(OSError):  # macOS takes no such limit, and does not tell
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() // 2**20
    return 0


def _everything(line: socket.socket, deadline: float) -> bytes:
    found = bytearray()
    with contextlib.suppress(OSError):
        while (left := deadline - time.monotonic()) > 0:
            line.settimeout(left)
            if not (data := line.recv(2**20)):
                break
            found += data
    return bytes(found)


def _send(line: socket.socket) -> None:
    """Hand a line to the helper; to a new one, should it have ended."""
    try:
        socket.send_fds(_helper()[0], [b"!"], [line.fileno()])
    except OSError:
        _helper.cache_clear()
        socket.send_fds(_helper()[0], [b"!"], [line.fileno()])


@functools.cache
def _helper() -> tuple[socket.socket, Popen[bytes]]:
    """A connection to the helper, and the helper; it ends when the connection does."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = Popen(
            [sys.executable, "-m", "autograder.nbgrader_plugin.limited", str(theirs.fileno())],
            cwd=Path(__file__).parents[2],
            env={**os.environ, **ENVIRONMENT},
            stdin=DEVNULL,
            stdout=DEVNULL,
            pass_fds=[theirs.fileno()],
        )
    return ours, process


def serve(helper: socket.socket) -> None:
    """Fork for each line that comes, until no more can come."""
    for name in MODULES:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        message, descriptors, _, _ = socket.recv_fds(helper, 1, 1)
        if not message:
            return
        if not os.fork():
            try:
                _answer(socket.socket(fileno=descriptors[0]))
            finally:
                os._exit(0)
        os.close(descriptors[0])


def _answer(line: socket.socket) -> None:
    with line, line.makefile("rwb") as both:
        module, function, arguments, seconds = json.loads(both.readline())
        _limit(seconds, MEGABYTES)
        try:
            answer = {"value": getattr(importlib.import_module(module), function)(*arguments)}
        except MemoryError:
            return
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        both.write(json.dumps(answer).encode() + b"\n")


def _limit(seconds: int, megabytes: int) -> None:
    """The kernel ends this process when its time is up, whatever it is doing."""
    with contextlib.suppress(ValueError):  # macOS takes no such limit
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 3 * seconds)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))

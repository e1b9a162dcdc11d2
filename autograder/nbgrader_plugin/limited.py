"""Has a function look at what a student wrote in a process of its own, limited in time and memory.

Its helper process has imported the functions, and forks at each call. JSON goes there and comes back.
`python -m autograder.nbgrader_plugin.limited <socket>` is the helper.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

SECONDS = 20
"""Of processor time for a call; of waiting, three times as many."""

MEGABYTES = 1500
MODULES = ("autograder.nbgrader_plugin.intake", "autograder.nbgrader_plugin.defusing")


class Overrun(Exception):
    """It took more time or memory than there is for it."""


def call(function: str, *arguments: Any, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> Any:
    """What a function of `MODULES`, named `module:function`, gives for these arguments: all of it plain data.

    Raises `Overrun`; what the function itself raises becomes a RuntimeError.
    """
    request = {"call": [function, arguments], "seconds": seconds, "megabytes": megabytes}
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


class OutOfTime(Exception):
    """Something of our own took too long."""


@contextlib.contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """Let what is done inside take this process no longer, in its main thread. Raises `OutOfTime`."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: Any) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


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
            env={**os.environ, "OMP_NUM_THREADS": "1"},
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
        request = json.loads(both.readline())
        _limit(request["seconds"], request["megabytes"])
        name, arguments = request["call"]
        module, _, function = name.partition(":")
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
    signal.setitimer(signal.ITIMER_REAL, 3 * seconds)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))

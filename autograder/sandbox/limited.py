"""Has a function look at what a student wrote in a process of its own, limited in time and memory.

All work on a student's text and answers that is not done in their room is done so. A helper process, which has nothing
of this one, imports what it is asked for and forks at each call. What is forked gives up the grader's rights before it
reads anything, see `helper_confinement`, unless it is told to run a notebook. JSON goes there and comes back, and is on
both sides what the function's annotations say, or nothing. Several threads may wait for calls at once.
`python -m autograder.sandbox.limited <socket>` is the helper.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import gc
import importlib
import inspect
import io
import json
import math
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec

from autograder.model import limits
from autograder.sandbox import helper_confinement
from autograder.sandbox.inside.preloading import preloading

ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""The helper's own: no thread that waits, and the same hashes of texts in each helper."""

PR_SET_PDEATHSIG = 1
BEGUN = b"!"

Step = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function of a module, with plain arguments for it."""

_Made = TypeVar("_Made")


class FileAccess(NamedTuple):
    """Files and folders that a call may read beside libraries, and folders beneath which it may write."""

    readable: Sequence[str] = ()
    writable: Sequence[str] = ()


LIBRARIES_ONLY = FileAccess()


class Overrun(BaseException):
    """It took more time or memory than there is for it; no `except Exception` holds this up."""


class Lost(Exception):
    """The helper ended, and with it all that was under way."""


def call(
    function: Callable[..., _Made],
    *arguments: Any,
    seconds: float = limits.MAX_CALL_SECONDS,
    before: Step | None = None,
    access: FileAccess | None = LIBRARIES_ONLY,
) -> _Made:
    """What a module's function gives for these arguments: all of it data, or what `msgspec` makes data of.

    before: what is called first, and kept for later calls: nothing of a student's comes near it.
    access: what of the grader's rights the function keeps; None: all of them.
    Raises `Overrun` and `Lost`; what the function itself raises becomes a RuntimeError.
    """
    for value in _ask(
        _only, function, arguments, seconds, limits.MAX_WAIT_PER_SECOND * seconds, before, access
    ):
        return _as_declared(value, _hints(function).get("return", Any))
    raise Overrun("takes more time or memory to read than there is for it")


def pieces(
    function: Callable[..., Iterator[_Made]],
    *arguments: Any,
    seconds: float = limits.MAX_CALL_SECONDS,
    patience: float | None = None,
    before: Step | None = None,
    access: FileAccess | None = LIBRARIES_ONLY,
) -> list[_Made]:
    """What a module's function yields for these arguments until its time or memory is used up, see `call`.

    seconds: of processor time; patience: of waiting. Raises `Lost`; what the function itself raises becomes a
    RuntimeError.
    """
    patience = limits.MAX_WAIT_PER_SECOND * seconds if patience is None else patience
    found = _ask(_all, function, arguments, seconds, patience, before, access)
    (given,) = get_args(_hints(function).get("return", Iterator[Any]))
    return [_as_declared(value, given) for value in found]


def each(
    function: Callable[..., Any], texts: Sequence[Any], seconds: float, before: Step | None = None
) -> list[Any]:
    """What a module's function makes of each text; None where it fails, or takes more than there is for it alone."""
    made: list[Any] = []
    while len(made) < len(texts):
        made += _ask(
            _of_each, function, texts[len(made) :], seconds, limits.MAX_WAIT_PER_SECOND * seconds, before
        ) or [None]
    return made


def begin_helper(before: Step) -> None:
    """Have the helper import and call what comes before later calls, while this process does something else."""
    nobody, theirs = socket.socketpair()
    with nobody, theirs:
        _send(theirs, _header(_only, os.getpid, 1, 1, before, LIBRARIES_ONLY))


def spend(seconds: float) -> None:
    """Let the process in which a call is answered have so many more seconds of processor time, and no others.

    Then `Overrun` is raised in it, and again each second.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = math.ceil(used.ru_utime + used.ru_stime + seconds)
    _, last = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (min(most, last), last))


def _ask(
    way: Callable[..., Iterator[Any]],
    function: Callable[..., Any],
    arguments: Sequence[Any],
    seconds: float,
    patience: float,
    before: Step | None = None,
    access: FileAccess | None = LIBRARIES_ONLY,
) -> list[Any]:
    """What comes of a function that is called in one of the ways below."""
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            helper = _send(theirs, _header(way, function, seconds, patience, before, access))
        ours.settimeout(limits.MAX_HELPER_SECONDS)
        with contextlib.suppress(OSError):
            ours.sendall(_line(arguments))
        begun, lines = _everything(ours, patience)
    found = [json.loads(line) for line in lines.splitlines(keepends=True) if line.endswith(b"\n")]
    last = found.pop() if found and "value" not in found[-1] else None
    if not begun:
        helper.kill()  # it has ended, or is stuck
    if last is None and _has_ended(helper):
        raise Lost("a helper of the grader's was ended")
    if last and "error" in last:
        raise RuntimeError(last["error"])
    return [piece["value"] for piece in found]


def _header(
    way: Callable[..., Any],
    function: Callable[..., Any],
    seconds: float,
    patience: float,
    before: Step | None,
    access: FileAccess | None,
) -> bytes:
    """What the helper is told first: what to call, how, within which limits, with what rights, and after what."""
    made_ready = [*_named(before[0]), *before[1:]] if before else None
    header = {
        "limits": [seconds, patience],
        "way": _named(way),
        "function": _named(function),
        "before": made_ready,
        "access": access,
    }
    return json.dumps(header).encode()


_hints = functools.cache(get_type_hints)


def _as_declared(data: Any, kind: Any) -> Any:
    """Data as what it is declared to be. Raises `msgspec.ValidationError` where it is not."""
    return msgspec.convert(data, kind, dec_hook=_notebook)


def _notebook(kind: type, data: Any) -> Any:
    """A notebook, or a part of it: all that is declared and is no plain data."""
    import nbformat

    assert kind is nbformat.NotebookNode, f"{kind} cannot cross"
    return nbformat.from_dict(data)


def _all(function: Callable[..., Iterator[Any]], *arguments: Any) -> Iterator[Any]:
    return function(*_taken(function, arguments))


def _only(function: Callable[..., Any], *arguments: Any) -> Iterator[Any]:
    yield function(*_taken(function, arguments))


def _taken(function: Callable[..., Any], arguments: Sequence[Any]) -> Sequence[Any]:
    """The arguments as what a function's annotations say, where it has any."""
    hints = _hints(function)
    if not hints.keys() - {"return"}:
        return arguments
    names = inspect.signature(function).parameters
    return [_as_declared(data, hints.get(name, Any)) for name, data in zip(names, arguments)]


def _has_ended(helper: Popen[bytes]) -> bool:
    with contextlib.suppress(TimeoutExpired):
        helper.wait(0.2)
    return helper.returncode is not None


def _of_each(function: Callable[..., Any], *texts: Any) -> Iterator[Any]:
    for text in texts:
        try:
            made = function(text)
        except (MemoryError, Overrun):
            raise
        except Exception:
            made = None
        yield made


def _named(function: Callable[..., Any]) -> tuple[str, str]:
    return function.__module__, function.__name__


def _function(module: str, name: str) -> Callable[..., Any]:
    return getattr(importlib.import_module(module), name)


def _everything(line: socket.socket, patience: float) -> tuple[bool, bytes]:
    """Whether it began, and what comes until the other side hangs up, or has kept us waiting for too long."""
    begun, found, deadline = False, bytearray(), time.monotonic() + limits.MAX_HELPER_SECONDS
    with contextlib.suppress(OSError):
        if begun := bool(line.recv(len(BEGUN))):
            deadline = time.monotonic() + patience + 5
        while (left := deadline - time.monotonic()) > 0:
            line.settimeout(left)
            if not (data := line.recv(2**20)):
                break
            found += data
    return begun, bytes(found)


_turn = threading.Lock()


def _send(line: socket.socket, header: bytes) -> Popen[bytes]:
    """Hand a line to the helper; to a new one, should it have ended."""
    with _turn:
        if _helper()[1].poll() is not None:
            _helper.cache_clear()
        helper, process = _helper()
        try:
            socket.send_fds(helper, [len(header).to_bytes(4)], [line.fileno()])
            helper.sendall(header)
        except TimeoutError:
            process.kill()
        except OSError:
            pass  # it has ended, which is seen where its answer should be
    return process


def end_helper() -> None:
    """End the helper, and all that is under way there."""
    with _turn:
        if _helper.cache_info().currsize:
            helper, process = _helper()
            process.kill()
            with contextlib.suppress(TimeoutExpired):
                process.wait(limits.MAX_GRACE_SECONDS)
            helper.close()
        _helper.cache_clear()


@functools.cache
def _helper() -> tuple[socket.socket, Popen[bytes]]:
    """A connection to the helper, and the helper; it ends when the connection does."""
    ours, theirs = socket.socketpair()
    ours.settimeout(limits.MAX_HELPER_SECONDS)
    with theirs:
        process = Popen(
            [sys.executable, "-W", "ignore", "-m", "autograder.sandbox.limited", str(theirs.fileno())],
            cwd=Path(__file__).parents[2],
            env={**os.environ, **ENVIRONMENT},
            stdin=DEVNULL,
            stdout=DEVNULL,
            pass_fds=[theirs.fileno()],
            process_group=0,  # Ctrl+C is not for it
        )
    return ours, process


def _serve(helper: socket.socket) -> None:
    """Fork for each line that comes, until no more can come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        size, descriptors, _, _ = socket.recv_fds(helper, 4, 1)
        if not size:
            return
        _forget_ended_children()
        header = json.loads(helper.recv(int.from_bytes(size), socket.MSG_WAITALL))
        os.set_inheritable(descriptors[0], False)
        with socket.socket(fileno=descriptors[0]) as line, line.makefile("rwb") as both:
            try:
                function = _made_ready(header)
            except Exception as error:
                with contextlib.suppress(OSError):  # who asked may be gone
                    line.sendall(BEGUN + _line(_failure(error)))
                continue
            own = os.getpid()
            if not os.fork():
                try:
                    helper.close()
                    _end_with(own)
                    _answer(both, function, header["access"], *header["limits"])
                finally:
                    os._exit(0)


def _forget_ended_children() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _made_ready(header: dict[str, Any]) -> Callable[..., Iterator[Any]]:
    """The function that is asked for, once all is imported and done that comes before it; kept out of forks' way."""
    with preloading():
        helper_confinement.system_call_filter()
        function = functools.partial(_function(*header["way"]), _function(*header["function"]))
        if header["before"]:
            module, name, *arguments = header["before"]
            _function(module, name)(*arguments)
    return function


def _answer(
    both: io.BufferedRWPair,
    function: Callable[..., Iterator[Any]],
    access: Sequence[Sequence[str]] | None,
    seconds: float,
    patience: float,
) -> None:
    both.write(BEGUN)
    try:
        _limit(seconds, patience)
        if access is not None:
            helper_confinement.confine(*access)
        both.flush()
        for value in function(*json.loads(both.readline())):
            both.write(_line({"value": value}))
            both.flush()
        both.write(_line({}))
        both.flush()
    except (MemoryError, Overrun):
        return
    except Exception as error:
        both.write(_line(_failure(error)))
        both.flush()


def _end_with(parent: int) -> None:
    """The kernel ends this process with its parent."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def _failure(error: Exception) -> dict[str, str]:
    return {"error": f"{type(error).__name__}: {error}"[:300]}


def _line(data: Any) -> bytes:
    return json.dumps(data, default=msgspec.to_builtins).encode() + b"\n"


def _limit(seconds: float, patience: float) -> None:
    """The kernel ends this process when its time is up, whatever it is doing."""
    with contextlib.suppress(ValueError, OSError):  # macOS takes no such limit, and does not tell
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        memory = pages * resource.getpagesize() + limits.MAX_CALL_MEGABYTES * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds) + limits.MAX_GRACE_SECONDS,) * 2)
    signal.signal(signal.SIGXCPU, _raise_overrun)
    spend(seconds)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, patience)


def _raise_overrun(*_: object) -> None:
    raise Overrun("there is no time left")


if __name__ == "__main__":
    from autograder.sandbox import limited  # not a second module, with exceptions of its own

    atexit.register(gc.freeze)
    limited._serve(socket.socket(fileno=int(sys.argv[1])))

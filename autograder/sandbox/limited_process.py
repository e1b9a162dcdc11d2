"""Runs a named function in a process of its own: limited in time and memory, confined, its results sent as they come.

Whatever looks at what a student wrote or answered, and does not run it, runs so. A helper, which has nothing of this
process, imports what a function needs and forks for each run. What is forked gives up the grader's rights before it
reads anything, see `worker_confinement`. JSON goes there and comes back, and is on both sides what the function's
annotations say, or nothing. Several threads may wait for runs at once.
The helper is forked from a course's warm process, so that libraries are imported once; where no course is named, or
nothing can be sealed, `python -m autograder.sandbox.limited_process <socket>` is the helper.

`multiprocessing` and `pebble` have no such process: theirs prepare nothing between two forks, send pickles, and give no
results before the end.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import gc
import importlib
import inspect
import itertools
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
from typing import Any, NamedTuple, TypeVar, get_type_hints

import msgspec

from autograder.checks.public_course import Visible
from autograder.exercises import limits
from autograder.sandbox import fork_server, worker_confinement
from autograder.sandbox.fork_server import ForkedProcess
from autograder.sandbox.inside.preload import preloading

ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""The helper's own: no thread that waits, and the same hashes of texts in each helper."""

ROOT = Path(__file__).parents[2]
PR_SET_PDEATHSIG = 1
BEGUN, VALUE, REQUEST, ENDED, FAILED = b"!", b"=", b"?", b".", b"x"
"""How the lines begin that a run sends: it has begun; a value; a request, see `ask`; a call's end; a call's error."""

Step = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function of a module, with plain arguments for it."""

Attend = Callable[..., tuple[Any, Sequence[int]]]
"""What a request is answered with: plain data, and descriptors, which are closed once they are sent."""

_Result = TypeVar("_Result")


class FileAccess(NamedTuple):
    """Files and folders that a run may read beside libraries, and folders beneath which it may write."""

    readable: Sequence[str] = ()
    writable: Sequence[str] = ()


LIBRARIES_ONLY = FileAccess()


class LimitExceeded(BaseException):
    """It took more time or memory than there is for it; no `except Exception` holds this up."""


class WorkerDied(Exception):
    """The helper ended, and with it all that was under way."""


class Outcome(NamedTuple):
    """The values of one call as JSON, and its error; neither has all where the process ended on the way."""

    values: list[bytes]
    error: str = ""


def run(
    function: Callable[..., Any],
    calls: Sequence[Sequence[Any]],
    *,
    seconds: float = limits.MAX_CALL_SECONDS,
    patience: float | None = None,
    course: Visible | None = None,
    before: Step | None = None,
    access: FileAccess | None = LIBRARIES_ONLY,
    attend: Attend | None = None,
) -> list[Outcome]:
    """Call a module's function once for each of these arguments, in one process; return what came until it ended.

    What is called last may be missing, or have no end. Where the function gives an iterator, each of its values is sent
    as soon as it is there.

    Args:
        function: It takes and gives plain data, or what `msgspec` makes data of.
        seconds: Of processor time for all calls.
        patience: Seconds of waiting; None for as many as `MAX_WAIT_PER_SECOND` says.
        course: One whose warm process the helper is forked from.
        before: What is called first, and kept for later runs: nothing of a student's comes near it.
        access: What of the grader's rights the process keeps; None for all of them.
        attend: Answers what the function asks by `ask`; what it raises ends the run.

    Raises:
        WorkerDied: The helper has ended.
    """
    patience = limits.MAX_WAIT_PER_SECOND * seconds if patience is None else patience
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            header = {
                "limits": [seconds, patience],
                "function": _named(function),
                "before": [*_named(before[0]), *before[1:]] if before else None,
                "access": access,
            }
            helper = _send(theirs, json.dumps(header).encode(), course)
        ours.settimeout(limits.MAX_WORKER_SECONDS)
        with contextlib.suppress(OSError):
            ours.sendall(_line(list(calls)))
        begun, outcomes = False, [Outcome([])]
        for kind, data in _lines(ours, patience):
            begun = True
            if kind == VALUE:
                outcomes[-1].values.append(data)
            elif kind == REQUEST and attend:
                number, *request = json.loads(data)
                _reply(ours, number, *attend(*request))
            elif kind in (ENDED, FAILED):
                outcomes[-1:] = [Outcome(outcomes[-1].values, json.loads(data)), Outcome([])]
    if not begun:
        helper.kill()  # it has ended, or is stuck
    if len(outcomes) <= len(calls) and _has_ended(helper):
        raise WorkerDied("a helper of the grader's was ended")
    return outcomes[: len(calls)]


def call(function: Callable[..., _Result], *arguments: Any, **how: Any) -> _Result:
    """Return what a function gives for these arguments, see `run`.

    Raises `LimitExceeded` and `WorkerDied`; what the function itself raises becomes a RuntimeError.
    """
    (outcome,) = run(function, [arguments], **how)
    if outcome.error:
        raise RuntimeError(outcome.error)
    for value in outcome.values:
        return decode(value, _hints(function).get("return", Any))
    raise LimitExceeded("takes more time or memory to read than there is for it")


def call_each(
    function: Callable[..., Any], texts: Sequence[Any], seconds: float, before: Step | None = None
) -> list[Any]:
    """Return what a function makes of each text; None where it fails, or takes more than there is for it alone."""
    results: list[Any] = []
    while left := [[text] for text in texts[len(results) :]]:
        outcomes = run(function, left, seconds=seconds, before=before)
        results += [json.loads(outcome.values[0]) if outcome.values else None for outcome in outcomes]
    return results


def decode(text: bytes, kind: Any) -> Any:
    """Return JSON as what it is declared to be. Raises `msgspec.ValidationError` where it is not."""
    return msgspec.convert(json.loads(text), kind, dec_hook=_special)


def _special(kind: type, data: Any) -> Any:
    """Return a path, a notebook, or a part of one: all that is declared and is no plain data."""
    import nbformat

    if kind is Path:
        return Path(data)
    assert kind is nbformat.NotebookNode, f"{kind} cannot cross"
    return nbformat.from_dict(data)


def _line(data: Any, kind: bytes = b"") -> bytes:
    return kind + json.dumps(data, default=_plain).encode() + b"\n"


def _plain(data: Any) -> Any:
    return str(data) if isinstance(data, Path) else msgspec.to_builtins(data, enc_hook=_plain)


_hints = functools.cache(get_type_hints)


def _named(function: Callable[..., Any]) -> tuple[str, str]:
    return function.__module__, function.__name__


def _lines(line: socket.socket, patience: float) -> Iterator[tuple[bytes, bytes]]:
    """Yield each line that comes, until the other side hangs up, or has kept us waiting for too long."""
    deadline = time.monotonic() + limits.MAX_WORKER_SECONDS
    with line.makefile("rb") as lines:
        while True:
            try:
                line.settimeout(max(0.001, deadline - time.monotonic()))
                text = lines.readline(limits.MAX_RECORD_BYTES)
            except OSError:
                return
            if not text.endswith(b"\n"):
                return
            if text[:1] == BEGUN:
                deadline = time.monotonic() + patience + 5
            yield text[:1], text[1:]


def _reply(line: socket.socket, number: int, data: Any, descriptors: Sequence[int]) -> None:
    try:
        with contextlib.suppress(OSError):  # whoever asked may have ended
            socket.send_fds(line, [_line([number, data])], descriptors)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _has_ended(helper: Popen[bytes] | ForkedProcess) -> bool:
    with contextlib.suppress(TimeoutExpired):
        helper.wait(0.2)
    return helper.poll() is not None


_turn = threading.Lock()
_helpers: dict[Visible | None, tuple[socket.socket, Popen[bytes] | ForkedProcess]] = {}
"""By course: a connection to its helper, and the helper; it ends when the connection does."""


def _send(line: socket.socket, header: bytes, course: Visible | None) -> Popen[bytes] | ForkedProcess:
    """Hand a line to the helper; to a new one, should it have ended."""
    with _turn:
        if course not in _helpers or _helpers[course][1].poll() is not None:
            _helpers[course] = _fork_helper(course) if course else _start_helper()
        helper, process = _helpers[course]
        try:
            socket.send_fds(helper, [len(header).to_bytes(4)], [line.fileno()])
            helper.sendall(header)
        except TimeoutError:
            process.kill()
        except OSError:
            pass  # it has ended, which is seen where its answer should be
    return process


def end_workers() -> None:
    """End the helpers, and all that is under way there."""
    with _turn:
        for line, process in _helpers.values():
            process.kill()
            with contextlib.suppress(TimeoutExpired):
                process.wait(limits.MAX_GRACE_SECONDS)
            line.close()
        _helpers.clear()


def _start_helper() -> tuple[socket.socket, Popen[bytes]]:
    ours, theirs = socket.socketpair()
    ours.settimeout(limits.MAX_WORKER_SECONDS)
    with theirs:
        process = Popen(
            [
                sys.executable,
                "-W",
                "ignore",
                "-m",
                "autograder.sandbox.limited_process",
                str(theirs.fileno()),
            ],
            cwd=ROOT,
            env={**os.environ, **ENVIRONMENT},
            stdin=DEVNULL,
            stdout=DEVNULL,
            pass_fds=[theirs.fileno()],
            process_group=0,  # Ctrl+C is not for it
        )
    return ours, process


def _fork_helper(course: Visible) -> tuple[socket.socket, ForkedProcess]:
    """Raises `SandboxError` where the warm process does not start."""
    ours, theirs = socket.socketpair()
    ours.settimeout(limits.MAX_WORKER_SECONDS)
    with theirs:
        forked = fork_server.process(course).fork({}, theirs.fileno())
    path = [str(ROOT), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    about = json.dumps({"environment": {**os.environ, **ENVIRONMENT}, "path": path}).encode()
    ours.sendall(len(about).to_bytes(4) + about)
    return ours, forked


# In the helper


def serve(helper: socket.socket) -> None:
    """Fork for each line that comes, until no more can come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        size, descriptors, _, _ = socket.recv_fds(helper, 4, 1)
        if not size:
            return
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        header = json.loads(helper.recv(int.from_bytes(size), socket.MSG_WAITALL))
        os.set_inheritable(descriptors[0], False)
        with socket.socket(fileno=descriptors[0]) as line:
            try:
                function = _prepare(header)
            except Exception as error:
                with contextlib.suppress(OSError):  # who asked may be gone
                    line.sendall(BEGUN + b"\n" + _line(_words(error), FAILED))
                continue
            own = os.getpid()
            if not os.fork():
                try:
                    helper.close()
                    _end_with(own)
                    _answer(line, function, header["access"], *header["limits"])
                finally:
                    os._exit(0)


def _prepare(header: dict[str, Any]) -> Callable[..., Any]:
    """Return the function that is asked for, once all is imported and done that comes before it; kept for all forks."""
    with preloading():
        worker_confinement.system_call_filter()
        function = _function(*header["function"])
        if header["before"]:
            module, name, *arguments = header["before"]
            _function(module, name)(*arguments)
    return function


def _function(module: str, name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


def _end_with(parent: int) -> None:
    """Have the kernel end this process with its parent."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


# In what it forks

_asked: list[socket.socket] = []
"""The line to whoever waits for this process."""


def _answer(
    line: socket.socket,
    function: Callable[..., Any],
    access: Sequence[Sequence[str]] | None,
    seconds: float,
    patience: float,
) -> None:
    try:
        _asked.append(line)
        with contextlib.suppress(ValueError, OSError):  # macOS takes no such limit, and does not tell
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            memory = pages * resource.getpagesize() + limits.MAX_CALL_MEGABYTES * 2**20
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds) + limits.MAX_GRACE_SECONDS,) * 2)
        signal.signal(signal.SIGXCPU, _raise_limit_exceeded)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        set_cpu_limit(seconds, patience)
        if access is not None:
            worker_confinement.confine(*access)
        line.sendall(BEGUN + b"\n")
        with line.makefile("rb") as lines:
            calls = json.loads(lines.readline())
        for arguments in calls:
            error = ""
            try:
                results = function(*_as_declared(function, arguments))
                for value in results if isinstance(results, Iterator) else [results]:
                    line.sendall(_line(value, VALUE))
            except MemoryError:
                raise
            except Exception as failure:
                error = _words(failure)
            line.sendall(_line(error, FAILED if error else ENDED))
    except (MemoryError, LimitExceeded):
        return


def set_cpu_limit(seconds: float, patience: float | None = None) -> None:
    """Let this process, in which a run is answered, have so many more seconds of processor time, and no others.

    Then `LimitExceeded` is raised in it, and again each second. The kernel ends it after as many seconds of waiting,
    whatever it is doing; None for as many as `MAX_WAIT_PER_SECOND` says.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = math.ceil(used.ru_utime + used.ru_stime + seconds)
    _, last = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (min(most, last), last))
    signal.setitimer(
        signal.ITIMER_REAL, limits.MAX_WAIT_PER_SECOND * seconds if patience is None else patience
    )


_numbers = itertools.count()


def send_request(*request: Any) -> tuple[Any, list[int]]:
    """Return what whoever waits for this process answers to a request, and descriptors. Raises EOFError at its end."""
    (line,), number, text = _asked, next(_numbers), b""
    line.sendall(_line([number, *request], REQUEST))
    while True:
        data, descriptors, _, _ = socket.recv_fds(line, 2**16, 2)
        if not data:
            raise EOFError("nobody waits for this process any more")
        *replies, text = (text + data).split(b"\n")
        for replied, reply in map(json.loads, replies):
            if replied == number:
                return reply, descriptors
        for descriptor in descriptors:  # `LimitExceeded` was raised before an earlier request was answered
            os.close(descriptor)


def _as_declared(function: Callable[..., Any], arguments: Sequence[Any]) -> Sequence[Any]:
    """Return the arguments as what a function's annotations say, where it has any."""
    hints = _hints(function)
    if not hints.keys() - {"return"}:
        return arguments
    names = inspect.signature(function).parameters
    return [
        msgspec.convert(data, hints.get(name, Any), dec_hook=_special) for name, data in zip(names, arguments)
    ]


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def _raise_limit_exceeded(*_: object) -> None:
    raise LimitExceeded("there is no time left")


if __name__ == "__main__":
    from autograder.sandbox import limited_process  # not a second module, with exceptions of its own

    atexit.register(gc.freeze)
    limited_process.serve(socket.socket(fileno=int(sys.argv[1])))

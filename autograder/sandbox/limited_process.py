"""Runs a function in a process of its own: limited in time and memory, confined, with results sent as they come.

All code that reads a student's work or answers, and does not run it, runs so. A worker, which shares nothing with this
process, imports what a function needs, and forks a child for each run. The child gives up the grader's rights before it
reads anything, see `worker_confinement`. Arguments and results cross as JSON; on both sides they are checked against
the function's annotations. Several threads may wait for runs at once.
A worker is forked from a course's fork server, so that libraries are imported once. Where no course is named, or no
sandbox can be built, `python -m autograder.sandbox.limited_process <socket>` is the worker.

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

from autograder.exercises import limits
from autograder.exercises.public_course import PublicCourse
from autograder.sandbox import fork_server, worker_confinement
from autograder.sandbox.fork_server import ForkedProcess
from autograder.sandbox.inside.preload import preloading

ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""A worker's environment: no waiting threads, and the same hashes of texts in each worker."""

ROOT = Path(__file__).parents[2]
PR_SET_PDEATHSIG = 1
STARTED, VALUE, REQUEST, ENDED, FAILED = b"!", b"=", b"?", b".", b"x"
"""First byte of a run's lines: its start, a value, a request (see `send_request`), a call's end, a call's error."""

Preparation = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function of a module, with plain arguments for it."""

AnswerRequest = Callable[..., tuple[Any, Sequence[int]]]
"""Returns the answer to a request: plain data, and descriptors, which are closed once they are sent."""

_Result = TypeVar("_Result")


class FileAccess(NamedTuple):
    """The paths that a run may read beside libraries, and the folders beneath which it may write."""

    readable: Sequence[str] = ()
    writable: Sequence[str] = ()


LIBRARIES_ONLY = FileAccess()


class LimitExceeded(BaseException):
    """A run exceeded its time or memory; it is no `Exception`, so that no library catches it."""


class WorkerDied(Exception):
    """The worker has ended, and with it all its runs."""


class CallResult(NamedTuple):
    """The values of one call as JSON, and its error; incomplete where the process ended before the call did."""

    values: list[bytes]
    error: str = ""


def run(
    function: Callable[..., Any],
    calls: Sequence[Sequence[Any]],
    *,
    cpu_seconds: float = limits.MAX_CALL_SECONDS,
    wall_seconds: float | None = None,
    course: PublicCourse | None = None,
    preparation: Preparation | None = None,
    access: FileAccess | None = LIBRARIES_ONLY,
    answer_request: AnswerRequest | None = None,
) -> list[CallResult]:
    """Call a module's function once for each of these arguments, in one process.

    Args:
        function: Takes and returns plain data, or types that `msgspec` converts. Where it returns an iterator, each
            value is sent as soon as it is there.
        calls: The arguments of each call.
        cpu_seconds: Processor time for all calls.
        wall_seconds: Time on the clock; None for `MAX_WAIT_PER_SECOND` times the processor time.
        course: The course whose fork server the worker is forked from.
        preparation: A call that the worker makes first, and whose effects stay for later runs. It may use nothing of a
            student's.
        access: The files that the process may use; None leaves it all the grader's rights.
        answer_request: Answers the requests that the function makes by `send_request`. Its exceptions end the run.

    Returns:
        The results that came until the process ended. The last call may be incomplete, and later ones missing.

    Raises:
        WorkerDied: The worker has ended.
    """
    if wall_seconds is None:
        wall_seconds = limits.MAX_WAIT_PER_SECOND * cpu_seconds
    connection, run_socket = socket.socketpair()
    with connection:
        with run_socket:
            header = {
                "limits": [cpu_seconds, wall_seconds],
                "function": _qualified_name(function),
                "preparation": [*_qualified_name(preparation[0]), *preparation[1:]] if preparation else None,
                "access": access,
            }
            worker = _send_to_worker(run_socket, json.dumps(header).encode(), course)
        connection.settimeout(limits.MAX_WORKER_SECONDS)
        with contextlib.suppress(OSError):
            connection.sendall(_encode(list(calls)))
        has_started, results = False, [CallResult([])]
        for kind, data in _receive_lines(connection, wall_seconds):
            has_started = True
            if kind == VALUE:
                results[-1].values.append(data)
            elif kind == REQUEST and answer_request:
                number, *request = json.loads(data)
                _reply(connection, number, *answer_request(*request))
            elif kind in (ENDED, FAILED):
                results[-1:] = [CallResult(results[-1].values, json.loads(data)), CallResult([])]
    if not has_started:
        worker.kill()  # it has ended, or is stuck
    if len(results) <= len(calls) and _has_ended(worker):
        raise WorkerDied("a worker process of the grader was ended; is there enough memory?")
    return results[: len(calls)]


def call(function: Callable[..., _Result], *arguments: Any, **options: Any) -> _Result:
    """Return the result of a function for these arguments; the options are those of `run`.

    Raises:
        LimitExceeded: The call took more time or memory than the limits.
        WorkerDied: The worker has ended.
        RuntimeError: The function raised an exception.
    """
    (result,) = run(function, [arguments], **options)
    if result.error:
        raise RuntimeError(result.error)
    for value in result.values:
        return decode(value, _type_hints(function).get("return", Any))
    raise LimitExceeded("takes more time or memory to read than there is for it")


def call_each(
    function: Callable[..., Any],
    texts: Sequence[Any],
    cpu_seconds: float,
    preparation: Preparation | None = None,
) -> list[Any]:
    """Return the result of a function for each text; None where it fails, or exceeds the limits for this text alone."""
    values: list[Any] = []
    while remaining := [[text] for text in texts[len(values) :]]:
        results = run(function, remaining, cpu_seconds=cpu_seconds, preparation=preparation)
        values += [json.loads(result.values[0]) if result.values else None for result in results]
    return values


def decode(text: bytes, kind: Any) -> Any:
    """Return JSON as a value of this type. Raises `msgspec.ValidationError` where it is none."""
    return msgspec.convert(json.loads(text), kind, dec_hook=_decode_special)


def _decode_special(kind: type, data: Any) -> Any:
    """Return a path, a notebook, or a part of a notebook: the declared types that are no plain data."""
    import nbformat

    if kind is Path:
        return Path(data)
    assert kind is nbformat.NotebookNode, f"{kind} cannot cross"
    return nbformat.from_dict(data)


def _encode(data: Any, kind: bytes = b"") -> bytes:
    return kind + json.dumps(data, default=_to_plain).encode() + b"\n"


def _to_plain(data: Any) -> Any:
    return str(data) if isinstance(data, Path) else msgspec.to_builtins(data, enc_hook=_to_plain)


_type_hints = functools.cache(get_type_hints)


def _qualified_name(function: Callable[..., Any]) -> tuple[str, str]:
    return function.__module__, function.__name__


def _receive_lines(connection: socket.socket, wall_seconds: float) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and data of each line, until the other end closes, or sends nothing for too long."""
    deadline = time.monotonic() + limits.MAX_WORKER_SECONDS
    with connection.makefile("rb") as lines:
        while True:
            try:
                connection.settimeout(max(0.001, deadline - time.monotonic()))
                text = lines.readline(limits.MAX_RECORD_BYTES)
            except OSError:
                return
            if not text.endswith(b"\n"):
                return
            if text[:1] == STARTED:
                deadline = time.monotonic() + wall_seconds + 5
            yield text[:1], text[1:]


def _reply(connection: socket.socket, number: int, data: Any, descriptors: Sequence[int]) -> None:
    try:
        with contextlib.suppress(OSError):  # the run may have ended
            socket.send_fds(connection, [_encode([number, data])], descriptors)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _has_ended(worker: Popen[bytes] | ForkedProcess) -> bool:
    with contextlib.suppress(TimeoutExpired):
        worker.wait(0.2)
    return worker.poll() is not None


_lock = threading.Lock()
_workers: dict[PublicCourse | None, tuple[socket.socket, Popen[bytes] | ForkedProcess]] = {}
"""Each course's worker, with the connection to it; the worker ends when the connection is closed."""


def _send_to_worker(
    run_socket: socket.socket, header: bytes, course: PublicCourse | None
) -> Popen[bytes] | ForkedProcess:
    """Send a run's header and socket to the course's worker; to a new one where that has ended."""
    with _lock:
        if course not in _workers or _workers[course][1].poll() is not None:
            _workers[course] = _fork_worker(course) if course else _start_worker()
        connection, worker = _workers[course]
        try:
            socket.send_fds(connection, [len(header).to_bytes(4)], [run_socket.fileno()])
            connection.sendall(header)
        except TimeoutError:
            worker.kill()
        except OSError:
            pass  # it has ended, which `run` notices
    return worker


def end_workers() -> None:
    """End all workers and their runs."""
    with _lock:
        for connection, worker in _workers.values():
            worker.kill()
            with contextlib.suppress(TimeoutExpired):
                worker.wait(limits.MAX_GRACE_SECONDS)
            connection.close()
        _workers.clear()


def _start_worker() -> tuple[socket.socket, Popen[bytes]]:
    connection, worker_socket = socket.socketpair()
    connection.settimeout(limits.MAX_WORKER_SECONDS)
    with worker_socket:
        process = Popen(
            [
                sys.executable,
                "-W",
                "ignore",
                "-m",
                "autograder.sandbox.limited_process",
                str(worker_socket.fileno()),
            ],
            cwd=ROOT,
            env={**os.environ, **ENVIRONMENT},
            stdin=DEVNULL,
            stdout=DEVNULL,
            pass_fds=[worker_socket.fileno()],
            process_group=0,  # Ctrl+C is for the grader alone
        )
    return connection, process


def _fork_worker(course: PublicCourse) -> tuple[socket.socket, ForkedProcess]:
    """Fork a worker from the fork server. Raises `SandboxError` where that does not start."""
    connection, worker_socket = socket.socketpair()
    connection.settimeout(limits.MAX_WORKER_SECONDS)
    with worker_socket:
        forked = fork_server.get_server(course).fork({}, worker_socket.fileno())
    path = [str(ROOT), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    setup = json.dumps({"environment": {**os.environ, **ENVIRONMENT}, "path": path}).encode()
    connection.sendall(len(setup).to_bytes(4) + setup)
    return connection, forked


# In the worker


def serve(grader: socket.socket) -> None:
    """Fork a child for each run that is asked for, until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        size, descriptors, _, _ = socket.recv_fds(grader, 4, 1)
        if not size:
            return
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        header = json.loads(grader.recv(int.from_bytes(size), socket.MSG_WAITALL))
        os.set_inheritable(descriptors[0], False)
        with socket.socket(fileno=descriptors[0]) as connection:
            try:
                function = _prepare(header)
            except Exception as error:
                with contextlib.suppress(OSError):  # the grader may have ended
                    connection.sendall(STARTED + b"\n" + _encode(_error_message(error), FAILED))
                continue
            worker = os.getpid()
            if not os.fork():
                try:
                    grader.close()
                    _end_with(worker)
                    _run_calls(connection, function, header["access"], *header["limits"])
                finally:
                    os._exit(0)


def _prepare(header: dict[str, Any]) -> Callable[..., Any]:
    """Make the preparation, and return the function; what is imported stays for all later runs."""
    with preloading():
        worker_confinement.system_call_filter()
        function = _function(*header["function"])
        if header["preparation"]:
            module, name, *arguments = header["preparation"]
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


# In the child of a run

_run_connection: list[socket.socket] = []
"""The connection to the process that waits for this run."""


def _run_calls(
    connection: socket.socket,
    function: Callable[..., Any],
    access: Sequence[Sequence[str]] | None,
    cpu_seconds: float,
    wall_seconds: float,
) -> None:
    try:
        _run_connection.append(connection)
        with contextlib.suppress(ValueError, OSError):  # macOS has no such limit, and no /proc
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            memory = pages * resource.getpagesize() + limits.MAX_CALL_MEGABYTES * 2**20
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(cpu_seconds) + limits.MAX_GRACE_SECONDS,) * 2)
        signal.signal(signal.SIGXCPU, _raise_limit_exceeded)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        set_cpu_limit(cpu_seconds, wall_seconds)
        if access is not None:
            worker_confinement.confine(*access)
        connection.sendall(STARTED + b"\n")
        with connection.makefile("rb") as lines:
            calls = json.loads(lines.readline())
        for arguments in calls:
            error = ""
            try:
                result = function(*_as_declared(function, arguments))
                for value in result if isinstance(result, Iterator) else [result]:
                    connection.sendall(_encode(value, VALUE))
            except MemoryError:
                raise
            except Exception as failure:
                error = _error_message(failure)
            connection.sendall(_encode(error, FAILED if error else ENDED))
    except (MemoryError, LimitExceeded):
        return


def set_cpu_limit(cpu_seconds: float, wall_seconds: float | None = None) -> None:
    """Give the process of a run so many more seconds of processor time, in place of what it had left.

    After these, `LimitExceeded` is raised in it, and again each second.

    Args:
        cpu_seconds: Processor time from now on.
        wall_seconds: Time on the clock, after which the kernel ends the process; None for `MAX_WAIT_PER_SECOND` times
            the processor time.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft_limit = math.ceil(used.ru_utime + used.ru_stime + cpu_seconds)
    _, hard_limit = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (min(soft_limit, hard_limit), hard_limit))
    if wall_seconds is None:
        wall_seconds = limits.MAX_WAIT_PER_SECOND * cpu_seconds
    signal.setitimer(signal.ITIMER_REAL, wall_seconds)


_numbers = itertools.count()


def send_request(*request: Any) -> tuple[Any, list[int]]:
    """Return the answer of the process that waits for this run, and descriptors. Raises EOFError where it has ended."""
    (connection,), number, text = _run_connection, next(_numbers), b""
    connection.sendall(_encode([number, *request], REQUEST))
    while True:
        data, descriptors, _, _ = socket.recv_fds(connection, 2**16, 2)
        if not data:
            raise EOFError("no process waits for this run any more")
        *replies, text = (text + data).split(b"\n")
        for replied, reply in map(json.loads, replies):
            if replied == number:
                return reply, descriptors
        for descriptor in descriptors:  # of an earlier request, which `LimitExceeded` broke off
            os.close(descriptor)


def _as_declared(function: Callable[..., Any], arguments: Sequence[Any]) -> Sequence[Any]:
    """Return the arguments converted to a function's annotations, where it has any."""
    hints = _type_hints(function)
    if not hints.keys() - {"return"}:
        return arguments
    names = inspect.signature(function).parameters
    return [
        msgspec.convert(data, hints.get(name, Any), dec_hook=_decode_special)
        for name, data in zip(names, arguments)
    ]


def _error_message(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def _raise_limit_exceeded(*_: object) -> None:
    raise LimitExceeded("the processor time is used up")


if __name__ == "__main__":
    from autograder.sandbox import (
        limited_process,
    )  # the same module as others import, with the same exceptions

    atexit.register(gc.freeze)
    limited_process.serve(socket.socket(fileno=int(sys.argv[1])))

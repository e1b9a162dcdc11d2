"""Runs a function in a process of its own: limited in time and memory, confined, with results sent as they come.

All code that reads a student's work or answers, and does not run it, runs so. A worker, which shares nothing with this
process, imports what a function needs, and forks a child for each run. The child gives up the grader's rights before it
reads anything, see `worker_confinement`. Arguments and results cross as JSON; on both sides they are checked against
the function's annotations. Several threads may wait for runs at once.
A worker is forked from a course's fork server, so that libraries are imported once. Where no sandbox can be built, or
no course is named and no worker runs, the worker is a program of its own.

`multiprocessing` and `pebble` have no such process: theirs prepare nothing between two forks, send pickles, and give no
results before the end.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import pkgutil
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
from autograder.sandbox.inside.preload import preloading
from autograder.sandbox.processes import ForkedProcess, end_process

ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""A worker's environment: no waiting threads, and the same hashes of texts in each worker."""

PROGRAM = """
import socket, sys
from autograder.sandbox import limited_process
limited_process.serve(socket.socket(fileno=int(sys.argv[1])))
"""
ROOT = Path(__file__).parents[2]
STARTED, VALUE, REQUEST, ENDED = b"!", b"=", b"?", b"."
"""First byte of a run's lines: its start, a value, a request (see `send_request`), its end with an error or none."""

Preparation = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function of a module, with plain arguments for it."""

AnswerRequest = Callable[..., tuple[Any, Sequence[int]]]
"""Returns the answer to a request: plain data, and descriptors."""

_Result = TypeVar("_Result")


class LimitExceeded(BaseException):
    """A run exceeded its time or memory; it is no `Exception`, so that no library catches it."""


class WorkerDied(Exception):
    """The worker has ended, and with it all its runs."""


class RunResult(NamedTuple):
    """The values of a run as JSON, and its error; incomplete where its process was ended."""

    values: list[bytes]
    error: str = ""


def run(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    *,
    each: bool = False,
    cpu_seconds: float = limits.MAX_CALL_SECONDS,
    wall_seconds: float | None = None,
    course: PublicCourse | None = None,
    preparation: Preparation | None = None,
    readable: Sequence[str] = (),
    writable: Sequence[str] = (),
    answer_request: AnswerRequest | None = None,
) -> RunResult:
    """Call a module's function in a process of its own.

    Args:
        function: Takes and returns plain data, or types that `msgspec` converts. Where it returns an iterator, each
            value is sent as soon as it is there.
        arguments: The arguments of the call.
        each: Call the function for each of the arguments alone, and send each result.
        cpu_seconds: Processor time.
        wall_seconds: Time on the clock; None for `MAX_WAIT_PER_SECOND` times the processor time.
        course: The course whose fork server the worker is forked from; None where any worker may do it.
        preparation: A call that the worker makes first, and whose effects stay for later runs. It may use nothing of a
            student's.
        readable: The files and folders that the process may read beside libraries.
        writable: The folders beneath which it may write.
        answer_request: Answers the requests that the function makes by `send_request`. Its exceptions end the run.

    Raises:
        WorkerDied: The worker has ended.
    """
    wall_seconds = wall_seconds or limits.MAX_WAIT_PER_SECOND * cpu_seconds
    header = {
        "function": _path_of(function),
        "each": each,
        "limits": [cpu_seconds, wall_seconds],
        "preparation": preparation and [_path_of(preparation[0]), *preparation[1:]],
        "access": [readable, writable],
    }
    connection, run_socket = socket.socketpair()
    with connection:
        with run_socket:
            worker = _send_to_worker(run_socket, json.dumps(header).encode(), course)
        connection.settimeout(limits.MAX_WORKER_SECONDS)
        with contextlib.suppress(OSError):
            connection.sendall(_encode(arguments))
        has_started, values = False, list[bytes]()
        error: str | None = None
        for kind, data in _receive_lines(connection, wall_seconds):
            has_started = True
            if kind == VALUE:
                values.append(data)
            elif kind == REQUEST and answer_request:
                answer, descriptors = answer_request(*json.loads(data))
                with contextlib.suppress(OSError):  # the run may have ended
                    socket.send_fds(connection, [_encode(answer)], descriptors)
            elif kind == ENDED:
                error = json.loads(data)
    if not has_started:
        worker.kill()  # it has ended, or is stuck
    if error is None:
        with contextlib.suppress(TimeoutExpired):
            worker.wait(0.2)
        if worker.poll() is not None:
            raise WorkerDied("a worker process of the grader was ended; is there enough memory?")
    return RunResult(values, error or "")


def call(function: Callable[..., _Result], *arguments: Any, **options: Any) -> _Result:
    """Return the result of a function for these arguments; the options are those of `run`.

    Raises:
        LimitExceeded: The call took more time or memory than the limits.
        WorkerDied: The worker has ended.
        RuntimeError: The function raised an exception.
    """
    result = run(function, arguments, **options)
    if result.error:
        raise RuntimeError(result.error)
    for value in result.values:
        return decode(value, get_type_hints(function).get("return", Any))
    raise LimitExceeded("takes more time or memory to read than there is for it")


def call_each(
    function: Callable[..., Any],
    texts: Sequence[Any],
    cpu_seconds: float,
    preparation: Preparation | None = None,
) -> list[Any]:
    """Return the result of a function for each text; None where it fails, or exceeds the limits for this text alone."""
    values: list[Any] = []
    while remaining := texts[len(values) :]:
        result = run(function, remaining, each=True, cpu_seconds=cpu_seconds, preparation=preparation)
        values += map(json.loads, result.values or [b"null"])
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


def _path_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}:{function.__name__}"


def _receive_lines(connection: socket.socket, wall_seconds: float) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and data of each line, until the other end closes, or sends nothing for too long."""
    deadline = time.monotonic() + limits.MAX_WORKER_SECONDS
    with connection.makefile("rb") as lines, contextlib.suppress(OSError):
        while True:
            connection.settimeout(max(0.001, deadline - time.monotonic()))
            text = lines.readline(limits.MAX_RECORD_BYTES)
            if not text.endswith(b"\n"):
                return
            if text[:1] == STARTED:
                deadline = time.monotonic() + wall_seconds + 5
            yield text[:1], text[1:]


_lock = threading.Lock()
_workers: dict[PublicCourse | None, tuple[socket.socket, Popen[bytes] | ForkedProcess]] = {}
"""Each course's worker, with the connection to it; the worker ends when the connection is closed."""


def _send_to_worker(
    run_socket: socket.socket, header: bytes, course: PublicCourse | None
) -> Popen[bytes] | ForkedProcess:
    """Send a run's header and socket to the course's worker; to a new one where that has ended."""
    with _lock:
        if course is None:
            course = next((name for name, (_, worker) in _workers.items() if worker.poll() is None), None)
        if course not in _workers or _workers[course][1].poll() is not None:
            _workers[course] = _start_worker(course)
        connection, worker = _workers[course]
        try:
            socket.send_fds(connection, [len(header).to_bytes(4)], [run_socket.fileno()])
            connection.sendall(header)
        except OSError:
            worker.kill()  # it has ended, or is stuck
    return worker


def end_workers() -> None:
    """End all workers and their runs."""
    with _lock:
        for connection, worker in _workers.values():
            end_process(worker)
            connection.close()
        _workers.clear()


def _start_worker(course: PublicCourse | None) -> tuple[socket.socket, Popen[bytes] | ForkedProcess]:
    """Fork a worker from the course's fork server, or start one. Raises `SandboxError` where the server fails."""
    variables = {**os.environ, **ENVIRONMENT}
    connection, worker_socket = socket.socketpair()
    connection.settimeout(limits.MAX_WORKER_SECONDS)
    with worker_socket:
        if course is None:
            return connection, Popen(
                [sys.executable, "-W", "ignore", "-c", PROGRAM, str(worker_socket.fileno())],
                cwd=ROOT,
                env=variables,
                stdin=DEVNULL,
                stdout=DEVNULL,
                pass_fds=[worker_socket.fileno()],
                process_group=0,  # Ctrl+C is for the grader alone
            )
        forked = fork_server.get_server(course).fork({}, worker_socket.fileno())
    path = [str(ROOT), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    setup = json.dumps({"environment": variables, "path": path}).encode()
    connection.sendall(len(setup).to_bytes(4) + setup)
    return connection, forked


# In the worker


def serve(grader: socket.socket) -> None:
    """Fork a child for each run that is asked for, until the other end closes; then end this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        size, descriptors, _, _ = socket.recv_fds(grader, 4, 1)
        if not size:
            os._exit(0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        header = json.loads(grader.recv(int.from_bytes(size), socket.MSG_WAITALL))
        with socket.socket(fileno=descriptors[0]) as connection:
            try:
                function = _prepare(header)
            except Exception as error:
                with contextlib.suppress(OSError):  # the grader may have ended
                    connection.sendall(_encode(_error_message(error), ENDED))
                continue
            worker = os.getpid()
            if not os.fork():
                try:
                    grader.close()
                    worker_confinement.end_with(worker)
                    _run(connection, function, header)
                finally:
                    os._exit(0)


def _prepare(header: dict[str, Any]) -> Callable[..., Any]:
    """Make the preparation, and return the function; what is imported stays for all later runs."""
    with preloading():
        worker_confinement.system_call_filter()
        function: Callable[..., Any] = pkgutil.resolve_name(header["function"])
        if header["preparation"]:
            preparation, *arguments = header["preparation"]
            pkgutil.resolve_name(preparation)(*arguments)
    return function


# In the child of a run

_run_connection: list[socket.socket] = []
"""The connection to the process that waits for this run."""


def _run(connection: socket.socket, function: Callable[..., Any], header: dict[str, Any]) -> None:
    """Give up the grader's rights, call the function, and send what it gives.

    Where it exceeds its limits no end is sent: what came before counts.
    """
    _run_connection.append(connection)
    cpu_seconds, wall_seconds = header["limits"]
    error = ""
    try:
        worker_confinement.limit_memory(limits.MAX_CALL_MEGABYTES)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(cpu_seconds) + limits.MAX_GRACE_SECONDS,) * 2)
        signal.signal(signal.SIGXCPU, _raise_limit_exceeded)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        set_cpu_limit(cpu_seconds, wall_seconds)
        worker_confinement.confine(*header["access"])
        connection.sendall(STARTED + b"\n")
        with connection.makefile("rb") as lines:
            arguments = json.loads(lines.readline())
        for value in _results(function, arguments, header["each"]):
            connection.sendall(_encode(value, VALUE))
    except (MemoryError, LimitExceeded):
        return
    except Exception as failure:
        error = _error_message(failure)
    connection.sendall(_encode(error, ENDED))


def _results(function: Callable[..., Any], arguments: Sequence[Any], each: bool) -> Iterator[Any]:
    """Return what a function gives for these arguments, converted to its annotations, or for each text alone."""
    if each:
        return map(function, arguments)
    kinds = [kind for name, kind in get_type_hints(function).items() if name != "return"]
    if kinds:
        pairs = zip(arguments, kinds)
        arguments = [msgspec.convert(*pair, dec_hook=_decode_special) for pair in pairs]
    result = function(*arguments)
    return result if isinstance(result, Iterator) else iter([result])


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
    signal.setitimer(signal.ITIMER_REAL, wall_seconds or limits.MAX_WAIT_PER_SECOND * cpu_seconds)


def send_request(*request: Any) -> tuple[Any, list[int]]:
    """Return the answer of the process that waits for this run, and descriptors. Raises EOFError where it has ended."""
    (connection,) = _run_connection
    text, descriptors = b"", list[int]()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGXCPU})  # else the next request would get this answer
    try:
        connection.sendall(_encode(request, REQUEST))
        while not text.endswith(b"\n"):
            data, received, _, _ = socket.recv_fds(connection, 2**16, 1)
            if not data:
                raise EOFError("no process waits for this run any more")
            text, descriptors = text + data, descriptors + received
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGXCPU})
    return json.loads(text), descriptors


def _error_message(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def _raise_limit_exceeded(*_: object) -> None:
    raise LimitExceeded("the processor time is used up")

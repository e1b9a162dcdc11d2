"""The fork server: a process that has imported the libraries, and forks on request.

`python -m autograder.sandbox.inside.fork_server_main <socket> <lesson>/… <library> …` gets the descriptor of a Unix
socket, and ends when its other end closes. It reads the visible examples of these lessons, and imports these libraries.
A request is one JSON message with a descriptor: of a shell's connection, with the sandbox that it enters, or, where
the request is empty, of the connection of one of the grader's workers. The answer is one message: with a pidfd of the
new process, or the reason why there is none.
It runs no tensor operation and no student code. It knows nothing that a student must not know, since every sandbox gets
its memory. A worker gets its secrets over its own connection.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import socket
import sys
from typing import Any

from autograder.checks import answer_keys
from autograder.exercises import public_course
from autograder.sandbox.inside import confinement, shell
from autograder.sandbox.inside.preload import preloading

OWN_MODULES = (
    *("autograder.notebook.checker", "autograder.views.figures", "autograder.calls.runner"),
    *("IPython.core.completerlib", "IPython.core.debugger", "IPython.core.oinspect"),
)

SETTLED = b"!"
"""The byte that a new process sends to its parent once it is confined, before it receives any code."""


def main() -> None:
    """Import the libraries, read the visible examples, and serve until the other end closes."""
    client = socket.socket(fileno=int(sys.argv[1]))
    course = public_course.current_course()
    with preloading():
        for name in (*sys.argv[3:], *OWN_MODULES):
            importlib.import_module(name)
        for lesson in {*sys.argv[2].split("/")} & {*course.lessons}:
            answer_keys.load_keys(course, lesson)
        shell.get_shell()
        call_filter = confinement.system_call_filter()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the processes of `_start_inside`
    with contextlib.suppress(OSError):  # the grader may have ended
        client.send(b"ready")
        while _answer(client, call_filter):
            pass


def _answer(client: socket.socket, call_filter: Any) -> bool:
    """Answer one request; return False when the other end is closed."""
    message, descriptors, _, _ = socket.recv_fds(client, 2**16, 1)
    if not message:
        return False
    (connection,) = descriptors
    try:
        if not os.fork():
            _start_inside(client, json.loads(message), connection, call_filter)
    except OSError as error:
        _refuse(client, error)
    os.close(connection)
    return True


def _start_inside(client: socket.socket, request: dict[str, Any], connection: int, call_filter: Any) -> None:
    """Enter the sandbox, start a shell there, and end once that is confined; until then no student code has run.

    This process is the parent of the shell, or of a worker, so its id cannot be reused before the pidfd is open.
    """
    try:
        if request.get("sandbox"):
            confinement.enter(request["sandbox"])
        reading, writing = os.pipe()
        process = os.fork()
        if not process:
            try:
                _run(request, connection, writing, call_filter)
            finally:
                os._exit(0)
        os.close(writing)
        if (message := os.read(reading, 2**12)) != SETTLED:
            raise OSError(message.decode(errors="replace") or "it ended before it was confined")
        socket.send_fds(client, [SETTLED], [os.pidfd_open(process)])
    except OSError as error:
        _refuse(client, error)
    finally:
        os._exit(0)


def _refuse(client: socket.socket, error: OSError) -> None:
    with contextlib.suppress(OSError):  # the grader may have ended
        client.send(str(error).encode())


def _run(request: dict[str, Any], connection: int, status: int, call_filter: Any) -> None:
    """Run a shell or, where the request is empty, one of the grader's workers, and tell the parent when it begins."""
    try:
        if request:
            confinement.settle_process(request, (connection, status), call_filter)
            channel = shell.open_channel(connection)
        else:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            confinement.close_files_but(connection, status)
    except Exception as error:
        os.write(status, str(error).encode(errors="replace")[: 2**12])
        return
    os.write(status, SETTLED)
    os.close(status)
    if request:
        shell.serve(channel)
    else:
        _run_worker(socket.socket(fileno=connection))


def _run_worker(grader: socket.socket) -> None:
    """Become one of the grader's workers: nothing stays of the student's side but the libraries."""
    size = int.from_bytes(grader.recv(4, socket.MSG_WAITALL))
    setup = json.loads(grader.recv(size, socket.MSG_WAITALL))
    os.environ.clear()
    os.environ.update(setup["environment"])
    public_folder = os.getcwd()
    sys.path[:] = [*setup["path"], *(path for path in sys.path if path not in ("", public_folder))]
    os.chdir(setup["path"][0])
    shell.SandboxShell.clear_instance()
    if "matplotlib" in sys.modules:
        sys.modules["matplotlib"].use("agg")
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    copied = ("autograder", *public_course.current_course().packages)
    for name in [name for name in sys.modules if name.partition(".")[0] in copied]:
        del sys.modules[name]
    importlib.import_module("autograder.sandbox.limited_process").serve(grader)


if __name__ == "__main__":
    main()

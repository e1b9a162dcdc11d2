"""The warm process: it has imported the libraries, and forks whenever it is asked to.

`python -m autograder.sandbox.inside.fork_server_main <line> <lesson>/… <library> …` gets the descriptor of a Unix
socket, at whose end it ends as well, the lessons whose examples it reads, and what it imports. A request is one
message, JSON, with the end of a connection: that of a shell, with the sandbox that it enters, or that of a helper of
the grader's. The answer is one message, with a descriptor of the new process.
It runs no tensor operation and nothing of a student's, and knows nothing that a student must not know: what it has in
memory, all sandboxes have. What a helper is to know comes over its own connection.
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

from autograder.checks import answer_keys, public_course
from autograder.sandbox.inside import confinement, shell
from autograder.sandbox.inside.preload import preloading

OWN_MODULES = (
    *("autograder.notebook.check", "autograder.notebook.figures", "autograder.checks.runner"),
    *("IPython.core.completerlib", "IPython.core.debugger", "IPython.core.oinspect"),
)

SETTLED = b"!"
"""What a shell says to who led it in, before it hears of any code."""


def main() -> None:
    """Import everything, read the visible examples, and serve until nobody is there to ask."""
    line = socket.socket(fileno=int(sys.argv[1]))
    course = public_course.here()
    with preloading():
        for name in (*sys.argv[3:], *OWN_MODULES):
            importlib.import_module(name)
        for lesson in {*sys.argv[2].split("/")} & {*course.lessons}:
            answer_keys.load(course, lesson)
        shell.warm()
        calls = confinement.system_call_filter()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who lead others in
    with contextlib.suppress(OSError):  # whoever asks may be gone
        line.send(b"ready")
        while _answer(line, calls):
            pass


def _answer(line: socket.socket, calls: Any) -> bool:
    """Answer one request; return False when nobody is there to ask."""
    message, descriptors, _, _ = socket.recv_fds(line, 2**16, 1)
    if not message:
        return False
    (connection,) = descriptors
    try:
        if not os.fork():
            _lead_in(line, json.loads(message), connection, calls)
    except OSError as error:
        _refuse(line, error)
    os.close(connection)
    return True


def _lead_in(client: socket.socket, request: dict[str, Any], line: int, calls: Any) -> None:
    """Enter the room, leave a shell there, and end once that has settled in: what fails until then is nobody's code's.

    It is the parent of the shell, or of a helper, so nobody can take its number.
    """
    try:
        if request.get("room"):
            confinement.enter(request["room"])
        told, tell = os.pipe()
        process = os.fork()
        if not process:
            if request:
                _be_shell(request, line, tell, calls)
            _be_helper(line, tell)
        os.close(tell)
        if (said := os.read(told, 2**12)) != SETTLED:
            raise OSError(said.decode(errors="replace") or "it ended on the way")
        socket.send_fds(client, [b"{}"], [os.pidfd_open(process)])
    except OSError as error:
        _refuse(client, error)
    finally:
        os._exit(0)


def _refuse(client: socket.socket, error: OSError) -> None:
    with contextlib.suppress(OSError):  # who asked may be gone
        client.send(json.dumps({"error": str(error)}).encode())


def _be_shell(request: dict[str, Any], line: int, tell: int, calls: Any) -> None:
    try:
        try:
            confinement.settle_process(request, (line, tell), calls)
            channel = shell.take(line)
        except Exception as error:
            os.write(tell, str(error).encode(errors="replace")[: 2**12])
            return
        os.write(tell, SETTLED)
        os.close(tell)
        shell.serve_room(channel)
    finally:
        os._exit(0)


def _be_helper(descriptor: int, tell: int) -> None:
    """Be a process of the grader's, with nothing left of the student's side but the libraries."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        confinement.close_files_but(descriptor, tell)
        os.write(tell, SETTLED)
        os.close(tell)
        line = socket.socket(fileno=descriptor)
        size = int.from_bytes(line.recv(4, socket.MSG_WAITALL))
        about = json.loads(line.recv(size, socket.MSG_WAITALL))
        os.environ.clear()
        os.environ.update(about["environment"])
        own = os.getcwd()
        sys.path[:] = [*about["path"], *(path for path in sys.path if path not in ("", own))]
        os.chdir(about["path"][0])
        shell.SandboxShell.clear_instance()
        if "matplotlib" in sys.modules:
            sys.modules["matplotlib"].use("agg")
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(1)
        copied = ("autograder", public_course.here().package)
        for name in [name for name in sys.modules if name.partition(".")[0] in copied]:
            del sys.modules[name]
        importlib.import_module("autograder.sandbox.limited_process").serve(line)
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()

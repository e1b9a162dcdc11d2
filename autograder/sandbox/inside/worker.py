"""The warm process: it has imported the libraries, and forks a shell into a room whenever it is asked to.

`python -m autograder.sandbox.inside.worker <listener> <life> <lesson>/… <library> …`: two descriptors, of a listening
Unix socket and of a pipe at whose end it ends as well, the lessons whose examples it reads, and what it imports. A
request is one message, JSON, with the end of the line that belongs into the room; the answer is one message, with a
descriptor of the new process.
It runs no tensor operation and nothing of a student's: what it has in memory, all rooms have.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from autograder.sandbox.inside import confine, shell
from autograder.sandbox.inside.preloading import preloading
from autograder.student import keys, visible

OWN_MODULES = (
    *("autograder.student.checking", "autograder.student.figures", "autograder.student.probe"),
    *("IPython.core.completerlib", "IPython.core.debugger", "IPython.core.oinspect"),
)

SETTLED = b"!"
"""What a shell says to who led it in, before it hears of any code."""


def main() -> None:
    """Import everything, read the visible examples, and serve until the pipe ends."""
    listener, life = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    course = visible.here()
    with preloading():
        for name in (*sys.argv[4:], *OWN_MODULES):
            importlib.import_module(name)
        for lesson in {*sys.argv[3].split("/")} & {*course.lessons}:
            keys.load(course, lesson)
        shell.warm()
        calls = confine.system_call_filter()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who lead others in
    sockets: list[Any] = [listener, life]
    while True:
        for client in select.select(sockets, [], [])[0]:
            if client is life:
                return
            if client is listener:
                sockets.append(listener.accept()[0])
                with contextlib.suppress(OSError):  # who asked may be gone
                    sockets[-1].send(b"ready")
            elif not _answer(client, calls):
                sockets.remove(client)
                client.close()


def _answer(client: socket.socket, calls: Any) -> bool:
    """Answer one request; False when nobody is there to ask."""
    try:
        message, descriptors, _, _ = socket.recv_fds(client, 2**16, 1)
    except OSError:
        return False
    if not message or len(descriptors) != 1:
        return False
    (line,) = descriptors
    try:
        if not os.fork():
            _lead_in(client, json.loads(message), line, calls)
    except OSError as error:
        _refuse(client, error)
    os.close(line)
    return True


def _lead_in(client: socket.socket, request: dict[str, Any], line: int, calls: Any) -> None:
    """Enter the room, leave a shell there, and end once that has settled in: what fails until then is nobody's code's.

    It is the shell's parent, so nobody can take its number.
    """
    try:
        if request["room"]:
            confine.enter(request["room"])
        told, tell = os.pipe()
        process = os.fork()
        if not process:
            _be_shell(request, line, tell, calls)
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
            confine.settle_process(request, (line, tell), calls)
            channel = shell.take(line)
        except Exception as error:
            os.write(tell, str(error).encode(errors="replace")[: 2**12])
            return
        os.write(tell, SETTLED)
        os.close(tell)
        shell.serve_room(channel)
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()

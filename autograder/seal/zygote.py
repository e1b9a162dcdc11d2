"""The warm process: it has imported the libraries, and forks a shell into a room whenever it is asked to.

`python -m autograder.seal.zygote <listener> <life>`, two descriptors: a listening Unix socket, and a pipe at whose
end it ends as well. A request is one message, JSON, with the ends of the lookout's pipe and of the line that belong
into the room; the answer is one message, with a descriptor of the new process. It runs no tensor operation and
nothing of a student's: what it has in memory, all rooms have.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from autograder import keys
from autograder.seal import inside, shell

LIBRARIES = (
    *("numpy", "scipy.special", "scipy.stats", "scipy.spatial", "torch", "torch._dynamo", "gensim.models"),
    *(
        "matplotlib.pyplot",
        "matplotlib_inline.backend_inline",
        "seaborn",
        "ipywidgets",
        "torch.nn.functional",
    ),
    *("torch.optim", "IPython.core.completerlib", "IPython.core.debugger", "IPython.core.oinspect"),
)
OWN = ("checking", "figures", "helpers", "probe", "rules.common", "rules.modules", "vectors")


def main() -> None:
    """Import everything, read the visible examples, and serve until the pipe ends."""
    listener, life = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    for name in (*LIBRARIES, *(f"autograder.{name}" for name in OWN)):
        importlib.import_module(name)
    for lesson in keys.lessons():
        keys.load(lesson)
    shell.warm()
    calls = inside.system_call_filter()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who lead others in
    gc.collect()
    gc.freeze()
    doors: list[Any] = [listener, life]
    while True:
        for door in select.select(doors, [], [])[0]:
            if door is life:
                return
            if door is listener:
                doors.append(listener.accept()[0])
                doors[-1].send(b"ready")
            elif not _answer(door, calls):
                doors.remove(door)
                door.close()


def _answer(door: socket.socket, calls: Any) -> bool:
    """Answer one request; False when nobody is there to ask."""
    try:
        message, descriptors, _, _ = socket.recv_fds(door, 2**16, 2)
    except OSError:
        return False
    if not message or len(descriptors) != 2:
        return False
    watch, line = descriptors
    if not os.fork():
        _lead_in(door, json.loads(message), watch, line, calls)
    os.close(watch)
    os.close(line)
    return True


def _lead_in(door: socket.socket, request: dict[str, Any], watch: int, line: int, calls: Any) -> None:
    """Enter the room, leave a shell there, and end. It is the shell's parent, so nobody can take its number."""
    try:
        inside.enter(request["room"])
        process = os.fork()
        if not process:
            _be_shell(request, watch, line, calls)
        socket.send_fds(door, [b"{}"], [os.pidfd_open(process)])
    except OSError as error:
        door.send(json.dumps({"error": str(error)}).encode())
    finally:
        os._exit(0)


def _be_shell(request: dict[str, Any], watch: int, line: int, calls: Any) -> None:
    try:
        inside.settle(request, watch, line, calls)
        shell.serve(line)
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()

"""The warm process: it has imported the libraries, and forks a kernel into a room whenever it is asked to.

`python -m autograder.seal.zygote <listener> <life>`, two descriptors: a listening Unix socket, and a pipe at whose
end it ends as well. A request is one message, JSON, with the kernel's end of the lookout's pipe; the answer is one
message, with a descriptor of the kernel's process. It runs no tensor operation and nothing of a student's: what it
has in memory, all kernels have.
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

from autograder.seal import inside

LIBRARIES = (
    *("numpy", "scipy.special", "scipy.stats", "scipy.spatial", "torch", "torch._dynamo", "gensim.models"),
    *(
        "matplotlib.pyplot",
        "matplotlib_inline.backend_inline",
        "seaborn",
        "ipywidgets",
        "ipykernel.kernelapp",
    ),
    *("ipykernel.debugger", "ipykernel.ipkernel", "IPython.core.completerlib", "IPython.core.debugger"),
    *("IPython.core.oinspect", "IPython.extensions.storemagic", "torch.nn.functional", "torch.optim"),
)
OWN = ("checking", "figures", "helpers", "probe", "rules.common", "rules.modules", "vectors")


def main() -> None:
    """Import everything, and serve until the pipe ends."""
    listener, life = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    for name in (*LIBRARIES, *(f"autograder.{name}" for name in OWN)):
        importlib.import_module(name)
    calls = inside.system_call_filter()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who lead kernels in
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
        message, descriptors, _, _ = socket.recv_fds(door, 2**16, 1)
    except OSError:
        return False
    if not message or not descriptors:
        return False
    if not os.fork():
        _lead_in(door, json.loads(message), descriptors[0], calls)
    os.close(descriptors[0])
    return True


def _lead_in(door: socket.socket, request: dict[str, Any], watch: int, calls: Any) -> None:
    """Enter the room, leave a kernel there, and end. It is the kernel's parent, so nobody can take its number."""
    try:
        inside.enter(request["room"])
        kernel = os.fork()
        if not kernel:
            _be_kernel(request, watch, calls)
        socket.send_fds(door, [b"{}"], [os.pidfd_open(kernel)])
    except OSError as error:
        door.send(json.dumps({"error": str(error)}).encode())
    finally:
        os._exit(0)


def _be_kernel(request: dict[str, Any], watch: int, calls: Any) -> None:
    try:
        inside.settle(request, watch, calls)
        inside.run_kernel(request["connection"])
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()

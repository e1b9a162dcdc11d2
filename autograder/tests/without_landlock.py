"""`python -m autograder.tests.without_landlock`: what code in a sandbox finds of its other processes, as JSON.

The sandbox is as for a notebook, and the process in it is confined as a notebook's is, but as on a kernel without
Landlock.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

from autograder.sandbox import bwrap, public_files
from autograder.sandbox.inside import confinement, landlock
from autograder.tests.this_course import COURSE

LIMITS = bwrap.resource_limits(cpu_seconds=77, memory_mb=500, processes=99, scratch_mb=5)


def found(line: int) -> None:
    """Tell of each other process: what comes of opening it, and what the kernel says of its rights and limits."""
    said = {}
    for number in (int(name) for name in os.listdir("/proc") if name.isdigit()):
        if number == os.getpid():
            continue
        process = Path(f"/proc/{number}")
        status = dict(row.split(":", 1) for row in (process / "status").read_text().splitlines())
        said[number] = {
            "opened": [name for name in ("mem", "maps", "fd/0", "environ") if is_opened(process / name)],
            **{name: status[name].strip() for name in ("Uid", "Seccomp", "NoNewPrivs", "CapEff")},
            "limits": (process / "limits").read_text(),
        }
    os.write(line, json.dumps({"own": os.getuid(), "others": said}).encode())


def is_opened(file: Path) -> bool:
    """Whether it can be opened; memory, such that it can be written."""
    try:
        os.close(os.open(file, os.O_RDWR if file.name == "mem" else os.O_RDONLY))
    except OSError:
        return False
    return True


def main() -> None:
    """Open a sandbox, look round in it, and print what was found."""
    landlock.version = lambda: 0
    shown = public_files.public_folder(COURSE.visible)
    opened = bwrap.Sandbox(bwrap.SCRATCH, LIMITS, shown)
    ours, theirs = socket.socketpair()
    request = {"user": opened.user, "folder": bwrap.SCRATCH, "limits": LIMITS}
    if not os.fork():
        confinement.enter(opened.process)
        if not os.fork():
            confinement.settle_process(request, [theirs.fileno()], confinement.system_call_filter())
            found(theirs.fileno())
        os._exit(0)
    theirs.close()
    with ours.makefile() as said:
        sys.stdout.write(said.read())
    opened.close()


if __name__ == "__main__":
    main()

"""Keeps a room: its first process, which is there as long as the room, and does nothing.

`python -ISE init.py <limits>`: JSON, by the names of the resource module. It gives back what it is told, and ends,
with the room, once nobody is left who could tell it more. It may share the student's user, so no process without
rights can look into it: see PR_SET_DUMPABLE in prctl(2), and access to others' /proc in ptrace(2).
"""

import ctypes
import json
import os
import resource
import signal
import sys

PR_SET_DUMPABLE = 4


def main() -> None:
    """Give everything up, say that it is done, and wait."""
    if ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0):
        raise OSError("prctl refuses to close it to others")
    for name, most in json.loads(sys.argv[1]).items():
        limit = getattr(resource, name)
        _, allowed = resource.getrlimit(limit)
        most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(limit, (most, most))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those whose parents have ended leave nothing behind
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    while told := os.read(0, 1):
        os.write(1, told)


if __name__ == "__main__":
    main()

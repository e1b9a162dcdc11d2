"""The init process of a sandbox: its first process, which keeps the sandbox open and does nothing else.

`python -ISE init.py <name>=<value> …` takes limits by the names of the resource module. It echoes its standard input,
and ends, with the sandbox, when that ends. It may run as the notebook's user, so it is made undumpable: no process
without rights can look into it, see PR_SET_DUMPABLE in prctl(2), and access to /proc of other processes in ptrace(2).
"""

import ctypes
import os
import resource
import signal
import sys

PR_SET_DUMPABLE = 4


def main() -> None:
    """Give up all rights and set the limits, then echo until standard input ends."""
    if ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0):
        raise OSError("prctl cannot make it undumpable")
    for argument in sys.argv[1:]:  # not JSON: to import it takes a fifth of this program's time
        name, _, text = argument.partition("=")
        limit, value = getattr(resource, name), int(text)
        _, hard_limit = resource.getrlimit(limit)
        new_limit = value if hard_limit == resource.RLIM_INFINITY else min(value, hard_limit)
        resource.setrlimit(limit, (new_limit, new_limit))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # orphans leave no zombies
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    while byte := os.read(0, 1):
        os.write(1, byte)


if __name__ == "__main__":
    main()

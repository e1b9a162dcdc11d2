"""Confines a process that reads a student's work: it may compute, and read libraries.

It can start no program, reach no other process and no network, and write nowhere but beneath the folders that it is
given. The file rules need Landlock (Linux 6.2), the others libseccomp; where one is missing, its rules are left out.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import importlib
import os
import resource
import signal
import site
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autograder.sandbox.inside import landlock

PR_SET_PDEATHSIG = 1
PACKAGE = Path(__file__).parents[1]
SYSTEM = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom")

FORBIDDEN = (
    *("execve", "execveat", "connect", "bind", "listen", "sendmsg", "sendmmsg"),
    *("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal", "pidfd_getfd"),
    *("setpriority", "ioprio_set", "sched_setattr", "sched_setparam", "sched_setscheduler"),
    *("sched_setaffinity", "process_madvise", "migrate_pages", "move_pages"),
    *("chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "utime", "utimes", "utimensat"),
    *("setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr"),
)
"""System calls that such a process does not need, among them those by which files change unseen by Landlock."""


@functools.cache
def system_call_filter() -> Any:
    """Return the filter of a sandbox, with `FORBIDDEN`; None where there is no libseccomp."""
    try:
        pyseccomp = importlib.import_module("pyseccomp")
        confine = importlib.import_module("autograder.sandbox.inside.confinement")
    except Exception:  # not on Linux, or without the system's library, for which there are several exceptions
        return None
    calls, refused = confine.system_call_filter(), pyseccomp.ERRNO(errno.EPERM)
    for name in FORBIDDEN:
        calls.add_rule(refused, name)
    calls.add_rule(refused, "sendto", pyseccomp.Arg(4, pyseccomp.NE, 0))  # to an address
    calls.add_rule(refused, "prlimit64", pyseccomp.Arg(0, pyseccomp.NE, 0))  # of another process
    return calls


@functools.cache
def libraries() -> list[str]:
    """Return the folders of Python and of all that it imports, without the folder in which this package lies."""
    repository = str(PACKAGE.parent)
    imported = [path for path in sys.path if path and path != repository]
    places = [sys.base_prefix, sys.prefix, *site.getsitepackages(), *imported]
    linked = [str(path.resolve()) for place in places for path in Path(place).glob("*") if path.is_symlink()]
    return [*SYSTEM, *places, *linked, str(PACKAGE)]  # some installers put links to packages there


def confine(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Give up, in this process and its children, all rights but those to compute and to use these files.

    Args:
        readable: Files and folders to read beside the libraries.
        writable: Folders to write beneath.

    Raises:
        OSError: The kernel has Landlock or seccomp, and refuses.
    """
    landlock.restrict(writable, [*libraries(), *readable])
    if calls := system_call_filter():
        calls.load()


def limit_memory(megabytes: int) -> None:
    """Let this process take so much memory beside what it has."""
    with contextlib.suppress(ValueError, OSError):  # macOS has no such limit, and no /proc
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        memory = pages * resource.getpagesize() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def end_with(parent: int) -> None:
    """Have the kernel end this process with its parent."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)

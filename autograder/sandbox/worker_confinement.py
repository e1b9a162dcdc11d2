"""What a process keeps of the grader's rights while it reads what a student wrote: to compute, and to read libraries.

It starts no program, reaches no other process and no network, and writes nothing but beneath folders that it is given.
The file rules need Landlock (Linux 6.2), the rest libseccomp; where one is missing, its part stays undone.
"""

from __future__ import annotations

import errno
import functools
import importlib
import site
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autograder.sandbox.inside import landlock

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
"""System calls that reading needs not: among them those that change files in ways that Landlock does not see."""


@functools.cache
def system_call_filter() -> Any:
    """Return the filter of a sandbox, with `FORBIDDEN`; None where there is no libseccomp."""
    try:
        pyseccomp = importlib.import_module("pyseccomp")
        confine = importlib.import_module("autograder.sandbox.inside.confinement")
    except Exception:  # not on Linux, or without the system's library, which is told in several ways
        return None
    calls, refused = confine.system_call_filter(), pyseccomp.ERRNO(errno.EPERM)
    for name in FORBIDDEN:
        calls.add_rule(refused, name)
    calls.add_rule(refused, "sendto", pyseccomp.Arg(4, pyseccomp.NE, 0))  # to an address
    calls.add_rule(refused, "prlimit64", pyseccomp.Arg(0, pyseccomp.NE, 0))  # of another process
    return calls


@functools.cache
def libraries() -> list[str]:
    """Return where Python and what it imports lie; of what lies beside this package, nothing."""
    beside = str(PACKAGE.parent)
    imported = [path for path in sys.path if path and path != beside]
    places = [sys.base_prefix, sys.prefix, *site.getsitepackages(), *imported]
    linked = [str(path.resolve()) for place in places for path in Path(place).glob("*") if path.is_symlink()]
    return [*SYSTEM, *places, *linked, str(PACKAGE)]  # some installers put links to packages there


def confine(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Give up for good, in this process and its children, what reading needs not.

    Args:
        readable: files and folders to read beside the libraries.
        writable: folders to write beneath.

    Raises:
        OSError: the kernel has the means, and refuses.
    """
    landlock.restrict(writable, [*libraries(), *readable])
    if calls := system_call_filter():
        calls.load()


def missing_layers() -> list[str]:
    """Return which of the two this machine has not."""
    layers = {
        "Landlock": landlock.version() >= landlock.MIN_VERSION,
        "libseccomp": bool(system_call_filter()),
    }
    return [name for name, is_available in layers.items() if not is_available]

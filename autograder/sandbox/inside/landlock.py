"""Landlock, a second layer of a sandbox, in case the mount namespace fails. See landlock(7).

A process may read and run the files that its sandbox shows, write in the sandbox's own folders, and signal no process
but those that it has started.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""The system calls' numbers, on every processor."""

VERSION_ASKED, PATH_BENEATH = 1, 1
READ = 0b1101
"""Run a file, read a file, list a folder."""

OF_A_FILE = 0b111 | 1 << 14
"""Run, write, read and truncate: the kernel takes no rule on a file that has a folder's rights."""

PR_SET_NO_NEW_PRIVS = 38
MIN_VERSION, WITH_SIGNALS = 3, 6
"""The versions of Linux 6.2 and 6.12."""

ALL = 2**15 - 1
"""All rights on files since version 3."""

SCOPED = 0b11
"""Abstract sockets and signals, since version 6."""

libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Return the version of Landlock that the kernel has; 0 for none."""
    return max(0, libc.syscall(CREATE_RULESET, None, 0, VERSION_ASKED)) if sys.platform == "linux" else 0


def restrict(writable: Iterable[str], readable: Iterable[str] = ("/",)) -> None:
    """Let this process and its children, from now on, write and read beneath these paths alone, and gain no rights.

    Does nothing where the kernel has no Landlock. Raises OSError where it has, and refuses.
    """
    if version() < MIN_VERSION:
        return
    checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    handled = struct.pack("QQQ", ALL, 0, SCOPED if version() >= WITH_SIGNALS else 0)
    rules = checked(libc.syscall(CREATE_RULESET, handled, len(handled), 0), "landlock")
    for path, allowed in (*((path, READ) for path in readable), *((path, ALL) for path in writable)):
        try:
            place = os.open(path, os.O_PATH)
        except FileNotFoundError:
            continue
        of_kind = ALL if stat.S_ISDIR(os.fstat(place).st_mode) else OF_A_FILE
        beneath = struct.pack("=Qi", allowed & of_kind, place)
        checked(libc.syscall(ADD_RULE, rules, PATH_BENEATH, beneath, 0), "landlock")
        os.close(place)
    checked(libc.syscall(RESTRICT_SELF, rules, 0), "landlock")
    os.close(rules)


def checked(result: int, action: str) -> int:
    """Return the result of a call of `libc`. Raises OSError, which names the action, where the call failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{action}: {os.strerror(number)}")
    return result

"""Landlock: one more wall round a room, which holds should the mount namespace not. See landlock(7).

A process may read and run what its room shows, write where the room has room for it, and signal no process but those
that it has started.
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
"""Run, write, read and cut it short: the kernel takes no rule on a file that speaks of folders."""

PR_SET_NO_NEW_PRIVS = 38
OF_USE, WITH_SIGNALS = 3, 6
"""The versions of Linux 6.2 and 6.12."""

ALL = 2**15 - 1
"""Whatever can be done to files since version 3."""

SCOPED = 0b11
"""Abstract sockets and signals, since version 6."""

libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Which version of Landlock the kernel has; 0 where it has none."""
    return max(0, libc.syscall(CREATE_RULESET, None, 0, VERSION_ASKED)) if sys.platform == "linux" else 0


def restrict(writable: Iterable[str], readable: Iterable[str] = ("/",)) -> None:
    """Let this process and its children write and read beneath these alone from now on, and gain no rights.

    Nothing is done where there is no Landlock. Raises OSError where the kernel has it and refuses.
    """
    if version() < OF_USE:
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


def checked(result: int, what: str) -> int:
    """What a call of `libc` gave. Raises OSError, which says what was done, where it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result

"""Moves a forked process into its sandbox: namespaces, rights, limits, system calls.

Linux only. See setns(2), capabilities(7), getrlimit(2), seccomp(2); the constants are those of the kernel's headers.
"""

from __future__ import annotations

import errno
import fcntl
import itertools
import os
import random
import resource
import signal
import socket
import struct
import sys
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pyseccomp

from autograder.sandbox.inside import landlock
from autograder.sandbox.inside.landlock import checked, libc

NAMESPACES = ("ipc", "uts", "net", "cgroup", "pid", "mnt")
"""In the order in which they are entered: once in another mount namespace, /proc is that one's."""

NS_GET_USERNS = 0xB701
PR_SET_NO_NEW_PRIVS, PR_CAPBSET_DROP, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 38, 24, 47, 4
CAPABILITIES_VERSION, LAST_CAPABILITY = 0x20080522, Path("/proc/sys/kernel/cap_last_cap")
FORBIDDEN = (
    *("bpf", "kcmp", "perf_event_open", "process_vm_readv", "process_vm_writev", "ptrace", "userfaultfd"),
    *("mount", "mount_setattr", "move_mount", "open_tree", "pivot_root", "setns", "umount2", "unshare"),
    *("fsconfig", "fsmount", "fsopen", "fspick", "name_to_handle_at", "open_by_handle_at", "quotactl"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon"),
    *("swapoff", "syslog", "vhangup", "add_key", "keyctl", "request_key"),
    *("io_uring_enter", "io_uring_register", "io_uring_setup"),
    *("memfd_create", "memfd_secret", "shmget", "shmat", "semget", "msgget"),
    *("mq_open", "vmsplice"),
)
"""System calls that no notebook needs: among them all that reach other processes, mounts or namespaces, and those that
allocate memory which belongs to no process."""

LATER = range(454, 512)
"""The numbers of calls from Linux 6.7 on, on every processor. They are refused, since they have not been reviewed."""

NEW_NAMESPACES = 0x00020000, *(1 << bit for bit in range(25, 31))
"""The flags of clone(2) that begin a namespace: CLONE_NEWNS, then from CLONE_NEWCGROUP to CLONE_NEWNET."""

LOCK_RECORDS = fcntl.F_SETLK, fcntl.F_SETLKW, 37, 38
"""Commands of fcntl(2), the last two F_OFD_SETLK and F_OFD_SETLKW: the kernel keeps any number of such locks."""

SET_SEND_BUFFER = socket.SOL_SOCKET, socket.SO_SNDBUF
"""The option by which a socket could hold more of the kernel's memory than the memory watchdog counts for it."""

WRITABLE = ("/tmp", "/dev")
"""The folders of a sandbox with writable files: its file system in memory, and devices such as /dev/null."""


def system_call_filter() -> pyseccomp.SyscallFilter:
    """Return the filter, ready to be loaded: no `FORBIDDEN` or `LATER` calls, no new namespaces, only Unix sockets."""
    call_filter = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in FORBIDDEN:
        call_filter.add_rule(pyseccomp.ERRNO(errno.EPERM), name)
    for flag in NEW_NAMESPACES:
        call_filter.add_rule(
            pyseccomp.ERRNO(errno.EPERM), "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag)
        )
    # no filter can see the flags of clone3, which are in memory; the C library falls back to clone
    for call in ("clone3", *LATER):
        call_filter.add_rule(pyseccomp.ERRNO(errno.ENOSYS), call)
    for call in ("socket", "socketpair"):
        other_family = pyseccomp.Arg(0, pyseccomp.NE, socket.AF_UNIX)
        call_filter.add_rule(pyseccomp.ERRNO(errno.EAFNOSUPPORT), call, other_family)
    option = (_argument(place, value) for place, value in enumerate(SET_SEND_BUFFER, 1))
    call_filter.add_rule(pyseccomp.ERRNO(errno.EPERM), "setsockopt", *option)
    for command in LOCK_RECORDS:
        call_filter.add_rule(pyseccomp.ERRNO(errno.ENOLCK), "fcntl", _argument(1, command))
    return call_filter


def _argument(place: int, value: int) -> pyseccomp.Arg:
    """Return a rule for a call's argument of 32 bits: the kernel ignores its upper half."""
    return pyseccomp.Arg(place, pyseccomp.MASKED_EQ, 2**32 - 1, value)


def enter(process: int) -> None:
    """Enter the namespaces of `process`, a sandbox's init; the children of this process are then in its PID namespace.

    Raises OSError where that is not allowed.
    """
    namespaces = {name: os.open(f"/proc/{process}/ns/{name}", os.O_RDONLY) for name in (*NAMESPACES, "user")}
    current = os.open("/proc/self/ns/user", os.O_RDONLY)
    owner = fcntl.ioctl(namespaces["mnt"], NS_GET_USERNS)
    order = [namespaces[name] for name in NAMESPACES]
    if not os.path.sameopenfile(owner, current):
        order.insert(0, owner)
    if not os.path.sameopenfile(namespaces["user"], owner):
        order.append(namespaces["user"])
    for namespace in order:
        checked(libc.setns(namespace, 0), "setns")
    for namespace in (*namespaces.values(), owner, current):
        os.close(namespace)


def settle_process(
    request: Mapping[str, Any], open_files: Collection[int], call_filter: pyseccomp.SyscallFilter
) -> None:
    """Give up all that the fork brought along but memory: open files, rights, and resources beyond the limits.

    Args:
        request: `user`, `folder`, and `limits` by the names of the resource module.
        open_files: The descriptors that stay open.
        call_filter: The filter of system calls, which is loaded last.
    """
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    close_files_but(*open_files)
    for name, value in request["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    _drop_rights(int(request["user"]))
    os.chdir(request["folder"])
    _reset_interpreter()
    landlock.restrict(WRITABLE)
    call_filter.load()


def close_files_but(*open_files: int) -> None:
    """Close all files but these; standard input, output and error become /dev/null."""
    null = os.open("/dev/null", os.O_RDWR)
    for standard in range(3):
        os.dup2(null, standard)
    edges = [2, *sorted(open_files), 65536]
    for low, high in itertools.pairwise(edges):
        os.closerange(low + 1, high)


def _reset_interpreter() -> None:
    random.seed()
    tempfile.tempdir = None
    sys.path[:] = [*sys.path[1:], ""]  # the submission's own modules are found, but after all others
    sys.argv[:] = [""]


def _drop_rights(user: int) -> None:
    """Become `user`, unless it is the current one, and give up every capability, now and for all programs."""
    checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    for capability in range(int(LAST_CAPABILITY.read_text()) + 1):
        checked(libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0), "bounding set")
    checked(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "ambient set")
    if os.getuid() != user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    header = struct.pack("Ii", CAPABILITIES_VERSION, 0)
    checked(libc.capset(header, bytes(24)), "capset")

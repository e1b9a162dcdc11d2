"""The way of a forked process into its room: namespaces, rights, limits, system calls.

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
"""System calls that no notebook needs, among them all that reach other processes, mounts or namespaces, and those that
get memory which belongs to no process."""

LATER = range(454, 512)
"""The numbers of calls from Linux 6.7 on, on every processor: nobody here has looked at them."""

NEW_NAMESPACES = 0x00020000, *(1 << bit for bit in range(25, 31))
"""The flags of clone(2) that begin a namespace: CLONE_NEWNS, then from CLONE_NEWCGROUP to CLONE_NEWNET."""

LOCK_RECORDS = fcntl.F_SETLK, fcntl.F_SETLKW, 37, 38
"""Commands of fcntl(2), the last two F_OFD_SETLK and F_OFD_SETLKW: the kernel keeps any number of such locks."""

SET_SEND_BUFFER = socket.SOL_SOCKET, socket.SO_SNDBUF
"""The option by which a socket would hold more of the kernel's memory than the grader's watchdog counts for it."""

WRITABLE = ("/tmp", "/dev")
"""Where a room has files that may be written: its memory's, and devices as /dev/null."""


def system_call_filter() -> pyseccomp.SyscallFilter:
    """The filter, ready to be loaded: no `FORBIDDEN` or `LATER` calls, new namespaces, or sockets but Unix ones."""
    found = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in FORBIDDEN:
        found.add_rule(pyseccomp.ERRNO(errno.EPERM), name)
    for flag in NEW_NAMESPACES:
        found.add_rule(
            pyseccomp.ERRNO(errno.EPERM), "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag)
        )
    # its flags are in memory, where no filter sees them; the C library goes on with clone
    for call in ("clone3", *LATER):
        found.add_rule(pyseccomp.ERRNO(errno.ENOSYS), call)
    for call in ("socket", "socketpair"):
        other_family = pyseccomp.Arg(0, pyseccomp.NE, socket.AF_UNIX)
        found.add_rule(pyseccomp.ERRNO(errno.EAFNOSUPPORT), call, other_family)
    option = (_argument(place, value) for place, value in enumerate(SET_SEND_BUFFER, 1))
    found.add_rule(pyseccomp.ERRNO(errno.EPERM), "setsockopt", *option)
    for command in LOCK_RECORDS:
        found.add_rule(pyseccomp.ERRNO(errno.ENOLCK), "fcntl", _argument(1, command))
    return found


def _argument(place: int, value: int) -> pyseccomp.Arg:
    """A call's argument of 32 bits: the kernel ignores what stands in the upper half."""
    return pyseccomp.Arg(place, pyseccomp.MASKED_EQ, 2**32 - 1, value)


def enter(process: int) -> None:
    """Enter the room that `process`, its first one, was given; children are born in its process namespace.

    Raises OSError where that is not allowed.
    """
    namespaces = {name: os.open(f"/proc/{process}/ns/{name}", os.O_RDONLY) for name in (*NAMESPACES, "user")}
    own = os.open("/proc/self/ns/user", os.O_RDONLY)
    owner = fcntl.ioctl(namespaces["mnt"], NS_GET_USERNS)
    order = [namespaces[name] for name in NAMESPACES]
    if not os.path.sameopenfile(owner, own):
        order.insert(0, owner)
    if not os.path.sameopenfile(namespaces["user"], owner):
        order.append(namespaces["user"])
    for namespace in order:
        checked(libc.setns(namespace, 0), "setns")
    for namespace in (*namespaces.values(), owner, own):
        os.close(namespace)


def settle_process(request: Mapping[str, Any], kept: Collection[int], calls: pyseccomp.SyscallFilter) -> None:
    """Leave everything behind that came along but memory: files, rights, and whatever is beyond the limits.

    request: `user`, `folder`, and `limits` by the names of the resource module; kept: the only files that stay open.
    """
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    close_files_but(*kept)
    for name, value in request["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    _shed_rights(int(request["user"]))
    os.chdir(request["folder"])
    _forget_where_it_came_from()
    landlock.restrict(WRITABLE)
    calls.load()


def close_files_but(*kept: int) -> None:
    """Close all files but these; what is read or printed in the usual places comes from, or goes to, nowhere."""
    nothing = os.open("/dev/null", os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    edges = [2, *sorted(kept), 65536]
    for low, high in itertools.pairwise(edges):
        os.closerange(low + 1, high)


def _forget_where_it_came_from() -> None:
    random.seed()
    tempfile.tempdir = None
    sys.path[:] = [*sys.path[1:], ""]  # a notebook's own modules are found, but behind all others
    sys.argv[:] = [""]


def _shed_rights(user: int) -> None:
    """Become `user`, where another one is asked for, and give up every capability, now and for all programs."""
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

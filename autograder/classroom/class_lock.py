"""One lock a class's folder: who writes there does so alone, and others are told who that is.

The system holds it, for as long as the process lives; who is at work is written beside it, for people.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import socket
import stat
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from autograder.classroom.class_folder import explain_no_access
from autograder.classroom.dates import read_dates
from autograder.exercises.errors import CourseError
from autograder.files import atomic_files

LOCK, WATCH = ".lock", ".watch"
"""Files in a class's folder: who writes there, or watches it, locks one; with `.txt` behind its name it tells who."""


class Busy(CourseError):
    """Somebody else is at work in a class's folder."""


@contextlib.contextmanager
def lock_class(folder: Path, command: str, patience: float | None = None, name: str = LOCK) -> Iterator[None]:
    """Hold a class's folder; a command that is a part of another one in this thread does already.

    patience: seconds to wait for another; None: until it ends, and it is said who that is. name: what is locked.
    Raises `Busy` after that time.
    """
    shared = folder.stat().st_mode & 0o020
    lock = FileLock(folder / name, mode=0o660 if shared else 0o600, is_singleton=True)
    holder = folder / f"{name}.txt"
    if lock.is_locked:
        yield
        return
    _acquire(lock, holder, patience)
    process = f"process {os.getpid()} on {socket.gethostname()}"
    begun = f"{datetime.now():%Y-%m-%d %H:%M:%S}"
    at_work = f"{user_name()}'s `{command}` ({process}) is at work in {folder} since {begun}"
    try:
        with contextlib.suppress(OSError):  # on a full disk, say: the lock holds all the same
            atomic_files.atomic_write(holder, at_work.encode(), mode=0o640 if shared else 0o600)
        yield
    finally:
        if shared:
            share_with_group(folder)
        holder.unlink(missing_ok=True)
        lock.release()


def share_with_group(folder: Path) -> None:
    """Give the group what this user made in a class's folder, where `class.toml` says `groupshared`."""
    try:
        if not read_dates(folder).groupshared:
            return
    except CourseError:  # whoever reads the dates says so
        return
    group, user = folder.stat().st_gid, os.geteuid()
    for path in (folder, *folder.rglob("*")):
        about = path.lstat()
        if about.st_uid == user and not stat.S_ISLNK(about.st_mode):
            inherits = stat.S_ISGID if stat.S_ISDIR(about.st_mode) else 0
            with contextlib.suppress(OSError):  # not a member of the group: what is there stays as it is
                os.chown(path, -1, group)
                os.chmod(path, about.st_mode | (about.st_mode & 0o700) >> 3 | inherits)


def _acquire(lock: FileLock, holder: Path, patience: float | None) -> None:
    try:
        try:
            lock.acquire(timeout=patience or 0)
        except Timeout:
            if patience is not None:
                raise Busy(f"{_at_work(holder)}: try again once that has ended") from None
            print(f"{_at_work(holder)}; waiting for that to end …", file=sys.stderr, flush=True)
            lock.acquire(timeout=-1)
    except PermissionError:
        raise CourseError(explain_no_access(holder.parent)) from None


def user_name() -> str:
    """Return the name of the user who runs this program."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


def _at_work(holder: Path) -> str:
    """Return who holds a folder, if that is known: it is written down a moment after the folder is held."""
    for _ in range(20):
        with contextlib.suppress(OSError):
            return holder.read_text(encoding="utf-8")
        time.sleep(0.05)
    return f"another command is at work in {holder.parent}"

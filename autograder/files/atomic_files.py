"""Files that are written completely or not at all, whatever ends the process that writes them."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

UNFINISHED = ".unfinished"
"""How the name of a file ends while it is written: a killed process leaves it so."""


def atomic_write(path: Path, content: bytes, mode: int) -> None:
    """Put a file with these permissions in its place, or leave there what was; it is on the disk then."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-", suffix=UNFINISHED)
    try:
        with open(handle, "wb") as file:
            os.fchmod(handle, mode)
            file.write(content)
            file.flush()
            os.fsync(handle)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
    fsync(path.parent)


def stat_key(path: Path) -> tuple[int, int, int]:
    """Return what changes whenever somebody writes to a file, or puts another in its place."""
    about = path.stat()
    return about.st_mtime_ns, about.st_size, about.st_ino


def fsync(path: Path) -> None:
    """Write a file, or the list of a folder's files, to the disk at once."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""Detection of changes to a course's files, since a process such as formgrader's may live for weeks."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

FileTimes = dict[str, tuple[int, int]]
"""The time of the last change, in nanoseconds, and the size in bytes, by file."""

PASSED_OVER = ("__pycache__", ".ipynb_checkpoints")

_FOLDERS = ("solutions", "data")
"""The folders of a course that the grader reads while it runs, except for notebooks."""


def stat_files(root: Path) -> FileTimes:
    """Return the times and sizes of a course's files, without reading the files."""
    waiting, times = [str(root / name) for name in _FOLDERS], FileTimes()
    while waiting:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    waiting += [] if entry.name in PASSED_OVER else [entry.path]
                elif not entry.name.endswith(".ipynb"):
                    about = entry.stat()
                    times[entry.path] = about.st_mtime_ns, about.st_size
    return times


def digest_files(paths: Iterable[str], root: Path) -> str:
    """Return a digest of these files' contents and of their paths below a folder."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        about = Path(path).relative_to(root).as_posix(), hashlib.sha256(Path(path).read_bytes()).hexdigest()
        digest.update(json.dumps(about).encode())
    return digest.hexdigest()

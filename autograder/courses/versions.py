"""Tells whether a course has changed since it was opened: a process may live for weeks, as formgrader's does."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
from collections.abc import Iterable
from importlib.util import cache_from_source
from pathlib import Path

Look = dict[str, tuple[int, int]]
"""By file: when it was written last, in nanoseconds, and its size in bytes."""

PASSED_OVER = ("__pycache__", ".ipynb_checkpoints")

_FOLDERS = ("solutions", "data")
"""What is read of a course while the grader runs; notebooks are not."""


def look_at(root: Path) -> Look:
    """How the files of a course look, without a look into them."""
    waiting, found = [str(root / name) for name in _FOLDERS], dict[str, tuple[int, int]]()
    while waiting:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    waiting += [] if entry.name in PASSED_OVER else [entry.path]
                elif not entry.name.endswith(".ipynb"):
                    about = entry.stat()
                    found[entry.path] = about.st_mtime_ns, about.st_size
    return found


def version_of(look: Look, root: Path) -> str:
    """The version of a course whose files look so: by what is in them, wherever it lies."""
    digest = hashlib.sha256()
    for path in sorted(look):
        about = Path(path).relative_to(root).as_posix(), hashlib.sha256(Path(path).read_bytes()).hexdigest()
        digest.update(json.dumps(about).encode())
    return digest.hexdigest()


def forget_bytecode(changed: Iterable[str]) -> None:
    """Have Python read these modules again: it takes what it has compiled for them by second and size alone."""
    for path in changed:
        if path.endswith(".py"):
            with contextlib.suppress(OSError):
                Path(cache_from_source(path)).unlink(missing_ok=True)
    importlib.invalidate_caches()

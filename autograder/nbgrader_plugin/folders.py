"""What lies beside a notebook: nbgrader copies it, whatever it is, and ends when it cannot read a time stamp."""

from __future__ import annotations

import functools
import os
import pkgutil
import site
import stat
import sys
from datetime import datetime
from inspect import getmodulename
from pathlib import Path

import nbgrader.converters.base
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import find_all_files, parse_utc

STAMP = "timestamp.txt"


def read_with_care(course: CourseDirectory) -> None:
    """Have nbgrader copy plain files only, and go on without a time stamp where there is no readable one.

    nbgrader has no setting for either: its functions are replaced. A link would show its target to the student's
    code, reading a named pipe never ends, and a bad time stamp would end the run for everybody.
    """
    nbgrader.converters.base.find_all_files = plain_files
    course.get_existing_timestamp = read_stamp


def plain_files(path: str, exclude: list[str] | None = None) -> list[str]:
    """As nbgrader's `find_all_files`, without links, special files and shadows, but with a student's own modules.

    A release leaves `*.py` out, because a lesson's source lies there; a submission may bring helpers along.
    """
    folder = Path(path)
    if folder.is_symlink():
        return []
    found = find_all_files(path, [pattern for pattern in exclude or [] if pattern != "*.py"])
    left_out = {shadow.name for shadow in _shadows(folder)}
    return [
        name
        for name in found
        if is_plain_file(Path(name)) and Path(name).relative_to(folder).parts[0] not in left_out
    ]


def passed_over(folder: Path) -> list[str]:
    """A note for each thing beside the notebook that is not looked at."""
    if folder.is_symlink():
        return []
    odd = [path for path in sorted(folder.iterdir()) if path.suffix != ".ipynb" and not _is_usual(path)]
    notes = [f"{path.name} is a link or is not a file: left out" for path in odd]
    shadows = [path.name for path in _shadows(folder)]
    if shadows:
        has, its = ("has", "it was") if len(shadows) == 1 else ("have", "they were")
        notes.append(f"{', '.join(shadows)} {has} the name of a library's module: {its} left out")
    stamp = folder / STAMP
    if is_plain_file(stamp) and stamp.stat().st_size and read_stamp(str(folder)) is None:
        notes.append(f"{STAMP} holds no time: the submission counts as in time")
    return notes


def read_stamp(folder: str) -> datetime | None:
    """The time at which a submission was handed in, or None where no one wrote it down."""
    path = Path(folder) / STAMP
    try:
        if not is_plain_file(path) or path.stat().st_size > 1000:
            return None
        text = path.read_text(encoding="utf-8").strip()
        found: datetime | None = parse_utc(text) if text else None
        return found
    except (OSError, ValueError, OverflowError):
        return None


def is_plain_file(path: Path) -> bool:
    """Whether it is a file itself: no link, pipe, device or socket."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _shadows(folder: Path) -> list[Path]:
    """What has the name of a module that Python, a library or the course already has."""
    return [path for path in sorted(folder.glob("*")) if _module_name(path) in _taken()]


def _module_name(path: Path) -> str | None:
    """What `import` would call it, None for what is no module."""
    if path.is_symlink() or not path.is_dir():
        return getmodulename(path.name)
    return path.name if any(getmodulename(inner.name) for inner in path.glob("*")) else None


@functools.cache
def _taken() -> set[str]:
    """The names of all modules that are there without a submission."""
    installed = {module.name for module in pkgutil.iter_modules(site.getsitepackages())}
    customs = {"sitecustomize", "usercustomize"}
    return {*sys.stdlib_module_names, *installed, *customs, "autograder"}


def _is_usual(path: Path) -> bool:
    return is_plain_file(path) or (path.is_dir() and not path.is_symlink())

"""What lies beside a notebook: nbgrader copies it, whatever it is, and ends when it cannot read a time stamp."""

from __future__ import annotations

import contextlib
import functools
import os
import pkgutil
import re
import site
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatchcase
from inspect import getmodulename
from pathlib import Path

import nbgrader.converters.base
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import find_all_files, parse_utc

from autograder.model.notes import Kind, Note

STAMP = "timestamp.txt"
OF_A_SOURCE = ("*.py", "shown", "samples")
"""What of a lesson's folder is not released; in a submission it may be a student's own."""

MAX_DEPTH = 32
"""Folders in a folder in a submission; nbgrader and Python follow deeper ones until they fail."""


@dataclass
class Contents:
    """What there is in a folder: files to read, what cannot be read, and whether there is more, too deep down."""

    files: list[Path] = field(default_factory=list)
    unreadable: list[Path] = field(default_factory=list)
    goes_deeper: bool = False


def read_with_care(course: CourseDirectory) -> None:
    """Have nbgrader copy plain files only, and go on without a time stamp where there is no readable one.

    nbgrader has no setting for either: its functions are replaced. A link would show its target to the student's
    code, reading a named pipe never ends, and a bad time stamp would end the run for everybody. Releases, which
    formgrader makes in the same process, are copied as ever.
    """
    submission = re.compile(
        course.format_path(course.submitted_directory, ".*", ".*", escape=True), re.DOTALL
    )

    def find_files(path: str, exclude: list[str] | None = None) -> list[str]:
        find = plain_files if submission.fullmatch(path) else find_all_files
        return list(find(path, exclude))

    nbgrader.converters.base.find_all_files = find_files
    course.get_existing_timestamp = read_stamp


def plain_files(path: str, exclude: list[str] | None = None) -> list[str]:
    """As nbgrader's `find_all_files`, without links, special files and shadows, but with a student's own modules.

    A release leaves `*.py` out, because a lesson's source lies there; a submission may bring helpers along.
    What cannot be read, or lies too deep, is left out as well.
    """
    folder = Path(path)
    if folder.is_symlink():
        return []
    found = _contents(folder, [pattern for pattern in exclude or [] if pattern not in OF_A_SOURCE])
    left_out = {shadow.name for shadow in _shadows(folder)}
    return [str(path) for path in found.files if path.relative_to(folder).parts[0] not in left_out]


def passed_over(folder: Path) -> list[Note]:
    """A note for each kind of thing beside the notebook that is not looked at."""
    if folder.is_symlink():
        return []
    notes = []
    others = (path for path in folder.iterdir() if path.suffix != ".ipynb" and not is_plain_file(path))
    odd = [path for path in others if path.is_symlink() or not path.is_dir()]
    if odd:
        notes.append(Note.on(Kind.NO_FILE, _names(folder, odd)))
    shadows = _shadows(folder)
    if shadows:
        notes.append(Note(Kind.SHADOW, tuple(printable(path.name) for path in shadows)))
    found = _contents(folder, ["*.ipynb"])
    if found.unreadable:
        notes.append(Note.on(Kind.LOCKED_AWAY, _names(folder, found.unreadable)))
    if found.goes_deeper:
        notes.append(Note(Kind.TOO_DEEP, detail=str(MAX_DEPTH)))
    stamp = folder / STAMP
    if is_plain_file(stamp) and stamp.stat().st_size and read_stamp(str(folder)) is None:
        notes.append(Note(Kind.NO_TIME, (STAMP,)))
    return notes


def _names(folder: Path, paths: Sequence[Path]) -> list[str]:
    return [printable(name)[:80] for name in sorted(str(path.relative_to(folder)) for path in paths)]


def printable(text: str) -> str:
    """A name, or what an error says of one, in one line: what would not show as itself is escaped."""
    shown = os.fsencode(text).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)


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


def _contents(folder: Path, exclude: Sequence[str]) -> Contents:
    found = Contents()

    def unlisted(error: OSError) -> None:
        found.unreadable.append(Path(error.filename))

    for path, folders, files in os.walk(folder, onerror=unlisted):
        here = Path(path)
        folders[:] = [name for name in folders if not _matches(name, exclude)]
        if len(here.relative_to(folder).parts) == MAX_DEPTH:
            found.goes_deeper |= bool(folders)
            folders.clear()
        for file in (here / name for name in files if not _matches(name, exclude)):
            if is_plain_file(file):
                (found.files if _opens(file) else found.unreadable).append(file)
    return found


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _opens(path: Path) -> bool:
    with contextlib.suppress(OSError), path.open("rb"):
        return True
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

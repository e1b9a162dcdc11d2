"""What lies beside a notebook: nbgrader copies it, whatever it is, and ends when it cannot read a time stamp."""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import pkgutil
import re
import site
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatchcase
from inspect import getmodulename
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.model.notes import Kind, Note
from autograder.model.text import cleaned

if TYPE_CHECKING:
    from nbgrader.coursedir import CourseDirectory

STAMP = "timestamp.txt"
WRITTEN_ON_SUBMIT = (STAMP, "submission_secret.txt")
"""What `nbgrader submit` puts beside a notebook, and what leads the student back to their feedback."""

OF_A_SOURCE = ("*.py", "shown", "samples")
"""What of a lesson's folder is not released; in a submission it may be a student's own."""

MAX_DEPTH = 32
"""Folders in a folder in a submission; nbgrader and Python follow deeper ones until they fail."""

MAX_LISTED, MAX_FILES, MAX_BYTES = 5_000, 1_000, 100 * 2**20
"""Names that are looked at in a folder, and in all folders; files that are taken along, and bytes in them."""

MAX_NOTEBOOKS = 256 * 2**20
"""Bytes of notebooks, which are not taken along."""


@dataclass
class Contents:
    """What there is in a folder: files to read, what cannot be read or is too large, and whether there is more, too
    deep down."""

    files: list[Path] = field(default_factory=list)
    unreadable: list[Path] = field(default_factory=list)
    too_large: list[Path] = field(default_factory=list)
    goes_deeper: bool = False


def read_with_care(course: CourseDirectory) -> None:
    """Have nbgrader copy plain files only, and go on without a time stamp where there is no readable one.

    nbgrader has no setting for either: its functions are replaced. A link would show its target to the student's
    code, reading a named pipe never ends, and a bad time stamp would end the run for everybody. Releases, which
    formgrader makes in the same process, are copied as ever.
    """
    import nbgrader.converters.base  # slow, and not needed to read a folder

    submission = re.compile(
        course.format_path(course.submitted_directory, ".*", ".*", escape=True), re.DOTALL
    )

    def find_files(path: str, exclude: list[str] | None = None) -> list[str]:
        find = plain_files if submission.fullmatch(path) else nbgrader.utils.find_all_files
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
    found = contents(folder, [pattern for pattern in exclude or [] if pattern not in OF_A_SOURCE])
    left_out = {shadow.name for shadow in _shadows(folder)}
    return [str(path) for path in found.files if path.relative_to(folder).parts[0] not in left_out]


def passed_over(folder: Path) -> list[Note]:
    """A note for each kind of thing beside the notebook that is not looked at."""
    if folder.is_symlink():
        return []
    others = (path for path in _listed(folder) if path.suffix != ".ipynb" and not is_plain_file(path))
    odd = [path for path in others if path.is_symlink() or not path.is_dir()]
    found = contents(folder, ["*.ipynb"])
    seen = [
        Note.on(Kind.NO_FILE, _names(folder, odd)),
        Note(Kind.SHADOW, tuple(printable(path.name) for path in _shadows(folder))),
        Note.on(Kind.LOCKED_AWAY, _names(folder, found.unreadable)),
        Note.on(Kind.TOO_LARGE, _names(folder, found.too_large)),
    ]
    notes = [note for note in seen if note.names]
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
    return cleaned(os.fsencode(text).decode("utf-8", "backslashreplace"))


def read_stamp(folder: str) -> datetime | None:
    """The time at which a submission was handed in, or None where no one wrote it down."""
    from nbgrader.utils import parse_utc  # slow, and not needed to read a folder

    path = Path(folder) / STAMP
    with contextlib.suppress(OSError, ValueError, OverflowError):
        fits = is_plain_file(path) and path.stat().st_size <= 1000
        text = path.read_text(encoding="utf-8").strip() if fits else ""
        return parse_utc(text) if text else None
    return None


def is_plain_file(path: Path) -> bool:
    """Whether it is a file itself: no link, pipe, device or socket."""
    return os.path.isfile(path) and not os.path.islink(path)


def contents(folder: Path, exclude: Sequence[str] = ()) -> Contents:
    """What there is in a submission's folder, as far as there is room for it."""
    found, waiting, listed = Contents(), [folder], 0
    room = {".ipynb": MAX_NOTEBOOKS, "": MAX_BYTES}
    while waiting:
        here = waiting.pop()
        inside = [path for path in _listed(here) if not any(fnmatchcase(path.name, one) for one in exclude)]
        if not inside and not _opens(here):
            found.unreadable.append(here)
        folders = [path for path in inside if os.path.isdir(path) and not path.is_symlink()]
        if len(here.relative_to(folder).parts) == MAX_DEPTH:
            found.goes_deeper |= bool(folders)
            folders = []
        listed += len(inside)
        if listed > MAX_LISTED:
            found.too_large.append(here)
            continue
        waiting += reversed(folders)
        for file in filter(is_plain_file, inside):
            kind, size = ".ipynb" if file.suffix == ".ipynb" else "", file.lstat().st_size
            if size > room[kind] or len(found.files) >= MAX_FILES:
                found.too_large.append(file)
            elif _opens(file):
                found.files.append(file)
                room[kind] -= size
            else:
                found.unreadable.append(file)
    return found


def _listed(folder: Path) -> list[Path]:
    """What is in a folder, in order, as far as it is looked at; nothing where it may not be read and entered."""
    with contextlib.suppress(OSError), os.scandir(f"{folder}/.") as entries:
        return sorted(Path(entry.path) for entry in itertools.islice(entries, MAX_LISTED + 1))
    return []


def _opens(path: Path) -> bool:
    """Whether a file may be read, or a folder read and entered."""
    inner = f"{path}/." if os.path.isdir(path) else path
    with contextlib.suppress(OSError):
        os.close(os.open(inner, os.O_RDONLY))
        return True
    return False


def _shadows(folder: Path) -> list[Path]:
    """What has the name of a module that Python, a library or the course already has."""
    return [path for path in _listed(folder) if _module_name(path) in _taken()]


def _module_name(path: Path) -> str | None:
    """What `import` would call it, None for what is no module."""
    if path.is_symlink() or not path.is_dir():
        return getmodulename(path.name)
    return path.name if any(getmodulename(inner.name) for inner in _listed(path)) else None


@functools.cache
def _taken() -> set[str]:
    """The names of all modules that are there without a submission."""
    installed = {module.name for module in pkgutil.iter_modules(site.getsitepackages())}
    customs = {"sitecustomize", "usercustomize"}
    return {*sys.stdlib_module_names, *installed, *customs, "autograder"}

"""Unpacks what students handed in as zip files, in a limited process and within the limits of a submission.

Students choose names and contents: no path leads out of their folder, links are not followed, sizes are bounded.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import re
import shutil
import stat
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from errno import EDQUOT, ENAMETOOLONG, ENOSPC
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from autograder.classroom import placement
from autograder.classroom.placement import UNPACKED
from autograder.exercises import limits
from autograder.exercises.errors import DISK_FULL, CourseError, is_disk_full
from autograder.sandbox import limited_process
from autograder.submissions.submission_files import copy_submission, list_submission, printable
from autograder.submissions.submission_folder import MADE_BY_PROGRAMS

_LITTER = (*MADE_BY_PROGRAMS, ".DS_Store", "Thumbs.db", "desktop.ini")
_TOO_DEEP = "lies too deep, or has too long a name"


class NotUnpacked(Exception):
    """Why nothing of one person's files is there, in a few words."""


@dataclass
class Delivery:
    """The files that one person handed in.

    folder: as the platform calls it; about: whose it is, in the words of `people`; files: by their path in the work.
    written: the latest time in the zip file, of no time zone; handed_in: where the platform says it.
    numbers: of files, where the platform counts them; messages: what the instructor is told, as what was left out.
    page_prefix: what the path of a feedback page begins with, for the platform to take it back; empty where it cannot.
    """

    folder: str = ""
    about: dict[str, str] = field(default_factory=dict)
    files: dict[str, ZipInfo] = field(default_factory=dict)
    written: datetime | None = None
    handed_in: datetime | None = None
    late: bool = False
    numbers: dict[str, int] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    page_prefix: str = ""

    def take(self, path: str, entry: ZipInfo, number: int = 0) -> None:
        """Take a file in, beside another of its name, or note why not."""
        parts = path.split("/")
        if ".." in parts or "" in parts[:-1] or re.match("[A-Za-z]:", path) or not path.isprintable():
            self.refuse(path, "leads out of the folder, or is no name")
        elif stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
            self.refuse(path, "is a link, or no file")
        elif entry.flag_bits & 1 or entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            self.refuse(path, "is encrypted, or packed in a rare way")
        elif (
            len(parts) > limits.MAX_FOLDER_DEPTH
            or len(path.encode()) > limits.MAX_PATH_BYTES
            or any(len(part.encode()) > limits.MAX_NAME_BYTES for part in parts)
        ):
            self.refuse(path, _TOO_DEEP)
        elif len(self.files) >= limits.MAX_FILES:
            self.refuse(path, f"is one of more than {limits.MAX_FILES:,} files")
        else:
            name, count = PurePosixPath(path), 1
            existing = {name.casefold() for name in self.files}
            while path.casefold() in existing:
                count += 1
                path = str(name.with_name(f"{name.stem} ({count}){name.suffix}"))
            self.files[path], self.numbers[path] = entry, number
            with contextlib.suppress(ValueError):  # no such day
                time = datetime(*entry.date_time)
                if time.year > 1980:  # where nobody wrote one
                    self.written = max(self.written or time, time)

    def refuse(self, path: str, why: str) -> None:
        """Say that a file is left out; of very many not all are named."""
        if len(self.messages) < limits.MAX_REFUSED_FILES:
            self.messages.append(f"{printable(path)[:80]} {why}: left out")


def entries(archive: ZipFile) -> Iterator[tuple[str, ZipInfo]]:
    """Yield names and entries of what is no folder, and not left there by a program.

    Folders are parted by `/`. A name that is not marked as UTF-8 often is all the same.
    """
    for entry in archive.infolist():
        name = entry.filename
        if not entry.flag_bits & 0x800:
            with contextlib.suppress(UnicodeError):
                name = name.encode("cp437").decode("utf-8")
        name = unicodedata.normalize("NFC", name.replace("\\", "/"))
        parts = name.split("/")
        if parts[-1] and not {*parts} & {*_LITTER} and not parts[-1].startswith("._"):
            yield name, entry


def unpack(archive: Path, work: Delivery, to: Path) -> None:
    """Write somebody's files into an empty folder, as far as the limits allow it.

    `work.messages` tells what is left out.

    Raises:
        NotUnpacked: why nothing of it is there.
        CourseError: the disk is full.
    """
    places = {path: entry.header_offset for path, entry in work.files.items()}
    # The process that writes them was started in another folder.
    work.messages += _in_limits(write_files, str(archive.absolute()), places, str(to.absolute()))


def unpack_handed_in(folder: Path) -> list[str]:
    """Unpack, beside itself, the newest zip file in a student's folder that holds a notebook, unless that was done.

    Where a notebook was handed in beside it, nothing is unpacked. What an earlier zip file held moves to `replaced/`.

    Returns:
        What is left out, in words.

    Raises:
        CourseError: the disk is full.
    """
    listed, messages = list_submission(folder, lambda path, _: path.name in MADE_BY_PROGRAMS), list[str]()
    if not all(path.parts[0].endswith(UNPACKED) for path in listed.notebooks):
        return []
    archives = [(file.modified, path) for path, file in listed.files.items() if path.suffix.lower() == ".zip"]
    for time, path in sorted(archives, reverse=True):
        place = folder / f"{path.name}{UNPACKED}"
        if place.is_dir() and round(place.stat().st_mtime, 2) == round(time, 2):
            break
        with placement.prepare_place(folder) as prepared:
            copy_submission(folder, prepared, functools.partial(_is_beside, path))
            unpacked = prepared / place.name
            try:
                messages += _in_limits(write_notebooks, str(prepared / path), str(unpacked))
            except NotUnpacked as reason:
                messages.append(f"{printable(str(path))}: {reason}")
                continue
            if unpacked.exists():
                for earlier in folder.glob(f"*{UNPACKED}"):
                    placement.move_to_replaced(folder, earlier)
                for inner in (*unpacked.rglob("*"), unpacked):
                    os.utime(inner, (time, time))
                os.rename(unpacked, place)
                break
    return messages


def _is_beside(wanted: PurePosixPath, path: PurePosixPath, inside: Sequence[str] | None) -> bool:
    return not wanted.is_relative_to(path)


def _in_limits(function: Callable[..., list[str]], archive: str, *arguments: Any) -> list[str]:
    """Call a function of a zip file and, as the last argument, of where it writes: there alone it may."""
    try:
        return limited_process.call(
            function,
            archive,
            *arguments,
            cpu_seconds=limits.MAX_UNPACKING_SECONDS,
            readable=[archive],
            writable=[str(Path(arguments[-1]).parent)],
        )
    except limited_process.LimitExceeded:
        raise NotUnpacked("unpacking it takes more time or memory than there is for it") from None
    except (RuntimeError, limited_process.WorkerDied) as error:
        if is_disk_full(error):
            raise CourseError(DISK_FULL) from None
        raise NotUnpacked(f"it could not be unpacked: {printable(str(error))}") from None


def write_files(archive: str, places: dict[str, int], to: str) -> list[str]:
    """Write files of a zip file into a folder, and return what is left out, in words.

    Args:
        archive: The path of the zip file.
        places: Where each file's entry begins in the archive, in bytes, by the path that the file gets.
        to: The folder's path.
    """
    with ZipFile(archive) as opened:
        by_place = {entry.header_offset: entry for entry in opened.infolist()}
        work = Delivery(files={path: by_place[place] for path, place in places.items()})
        _write(opened, work, Path(to))
    return work.messages


def write_notebooks(archive: str, to: str) -> list[str]:
    """Write what a student's own zip file holds into a new folder, and return what is left out, in words.

    The folder is not made where the file holds no notebook that can be read.
    """
    work, folder = Delivery(), Path(to)
    try:
        with _SmallFile(archive) as file, ZipFile(file) as opened:
            if len(opened.infolist()) <= limits.MAX_FILES:
                for name, entry in entries(opened):
                    work.take(name, entry)
                if any(map(_is_notebook, work.files)):
                    _write(opened, work, folder)
    except OSError as error:
        if error.errno == ENOSPC:
            raise
    except Exception:  # in whatever way a damaged file makes `zipfile` fail
        pass
    if not any(map(_is_notebook, map(str, folder.rglob("*")))):
        shutil.rmtree(folder, ignore_errors=True)
        return []
    return work.messages


class _SmallFile(io.FileIO):
    """A student's own zip file, unless it takes long to look through."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > limits.MAX_ZIP_DIRECTORY_BYTES:
            raise BadZipFile
        return super().read(size)


def _is_notebook(path: str) -> bool:
    return path.endswith(".ipynb")


def _write(archive: ZipFile, work: Delivery, to: Path) -> None:
    """Write files, notebooks first, within the limits. `zipfile` reads no more of a file than its entry says."""
    room = {True: limits.MAX_NOTEBOOKS_BYTES, False: limits.MAX_COPIED_BYTES}
    for path, entry in sorted(work.files.items(), key=lambda item: not _is_notebook(item[0])):
        if entry.file_size > room[_is_notebook(path)]:
            work.refuse(path, "is more than there is room for")
        elif why := _write_file(archive, entry, to / path):
            work.refuse(path, why)
        else:
            room[_is_notebook(path)] -= entry.file_size


def _write_file(archive: ZipFile, entry: ZipInfo, target: Path) -> str:
    """Write a file; return why it could not be, in words."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            try:
                with archive.open(entry) as source:
                    shutil.copyfileobj(source, file)
            except BaseException:
                target.unlink()
                raise
    except (FileExistsError, NotADirectoryError):
        return "has the name of a folder, or of another file"
    except OSError as error:
        if error.errno in (ENOSPC, EDQUOT):
            raise OSError(ENOSPC, os.strerror(ENOSPC)) from None  # without the name, which is the student's
        return _TOO_DEEP if error.errno == ENAMETOOLONG else "is damaged"
    except Exception:  # in whatever way a damaged file makes `zipfile` fail
        return "is damaged"
    return ""

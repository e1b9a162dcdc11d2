"""Copies and reads what a student handed in. No link is followed, and only regular files are opened.

Each folder and each file is opened by its name, relative to the descriptor of the folder that holds it. A folder or
file that is exchanged for a link between a look and the copy is therefore left out, and never followed.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from autograder.execution.notes import Note, NoteKind
from autograder.exercises import limits
from autograder.exercises.text import clean_text

_BLOCK = 2**20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

_NO_FILE = (errno.ELOOP, errno.ENOTDIR, errno.ENXIO)
"""Errors with which a system opens no link, or nothing where there is only a link, a pipe or a socket."""

_BAD_NAME = (errno.EILSEQ, errno.EINVAL, errno.ENAMETOOLONG, errno.EEXIST, errno.ENOTDIR)
"""Errors with which a system makes no file of this name: on macOS, `A` and `a` are one, and a name is UTF-8."""

Exclude = Callable[[PurePosixPath, Sequence[str] | None], bool]
"""Whether something is left out without a note: from its path, and the names in it, None for what is no folder."""


class CopiedFile(NamedTuple):
    """A file as it was copied: how many bytes, when it was last written, and the SHA-256 of just these bytes."""

    size: int
    modified: float
    digest: str


@dataclass
class CopiedFiles:
    """What was copied of a submission, by path, in the order of the walk; and what was left out, by the reason."""

    files: dict[PurePosixPath, CopiedFile] = field(default_factory=dict)
    left_out: dict[NoteKind, list[PurePosixPath]] = field(default_factory=dict)

    @property
    def notebooks(self) -> list[PurePosixPath]:
        """The paths of the notebooks that were copied."""
        return [path for path in self.files if path.suffix == ".ipynb"]

    @property
    def notes(self) -> list[Note]:
        """A note for each reason for which something was left out."""
        notes = []
        for kind in NoteKind:
            if paths := self.left_out.get(kind):
                detail = str(limits.MAX_FOLDER_DEPTH) if kind is NoteKind.TOO_DEEP else ""
                notes.append(
                    Note.on(kind, [printable(name)[:80] for name in sorted(map(str, paths))], detail)
                )
        return notes


def printable(text: str) -> str:
    """Return a name, or what an error says of one, in one line: what would not show as itself is escaped."""
    return clean_text(os.fsencode(text).decode("utf-8", "backslashreplace"))


def copy_submission(
    source: Path,
    target: Path | None,
    exclude: Exclude | None = None,
    below: str | PurePosixPath = "",
) -> CopiedFiles:
    """Copy the regular files of a student's folder, as far as the limits allow it, or only read them.

    Only contents and paths are copied: no mode, no time, no empty folder. A file that cannot be copied is left out
    with its reason, and so is `source` itself.

    Args:
        source: the student's folder. It may not be a link itself; a folder above it may be.
        target: the folder to copy to, empty or not there; None reads the files and writes nothing.
        exclude: tells what is left out without a note.
        below: a folder in `source` that is copied in its place; paths are relative to it.

    Raises:
        OSError: `target` cannot be written, as on a full disk. What was copied until then is still there.
    """
    return _Copy(target, exclude).copy(source, PurePosixPath(below))


def list_submission(source: Path, exclude: Exclude | None = None) -> CopiedFiles:
    """Return what `copy_submission` would copy, with empty digests: no file is read."""
    return _Copy(None, exclude, reads=False).copy(source, PurePosixPath())


def list_names(source: Path) -> list[str]:
    """Return the names in a student's folder, folders with a slash; none of a link, or where it cannot be read."""
    with contextlib.suppress(_LeftOut), _opened(source, _FOLDER) as folder:
        return [f"{name}{'/' * stat.S_ISDIR(_mode(folder, name))}" for name in _names(folder)]
    return []


def small_text(path: Path) -> str:
    """Return what a regular file of some few letters holds; empty for anything else."""
    with contextlib.suppress(OSError, UnicodeDecodeError), open(os.open(path, _FILE), "rb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file.read(1_000).decode()
    return ""


class _LeftOut(Exception):
    """Why a file or folder is left out."""

    def __init__(self, kind: NoteKind) -> None:
        self.kind = kind


class _Copy:
    """One walk through a student's folder."""

    def __init__(self, target: Path | None, exclude: Exclude | None, reads: bool = True) -> None:
        self._target, self._reads = target, reads
        self._exclude = exclude or (lambda path, inside: False)
        self._copied, self._listed = CopiedFiles(), 0
        self._left = {True: limits.MAX_NOTEBOOKS_BYTES, False: limits.MAX_COPIED_BYTES}
        """Bytes that may still be copied, of notebooks and of other files."""

    def copy(self, source: Path, below: PurePosixPath) -> CopiedFiles:
        """Copy the folder."""
        with self._noting(PurePosixPath(source.name)), contextlib.ExitStack() as until_copied:
            folder = until_copied.enter_context(_opened(source, _FOLDER))
            for name in below.parts:
                folder = until_copied.enter_context(_opened(name, _FOLDER, folder))
            self._copy_folder(folder, PurePosixPath())
        return self._copied

    @contextlib.contextmanager
    def _noting(self, path: PurePosixPath) -> Iterator[None]:
        """Note why a file or folder is left out."""
        try:
            yield
        except _LeftOut as reason:
            self._copied.left_out.setdefault(reason.kind, []).append(path)

    def _copy_folder(self, folder: int, path: PurePosixPath) -> None:
        """Copy what is in an open folder: its files, then its folders."""
        names, folders = _names(folder), []
        if path.parts and self._exclude(path, names):
            return
        self._listed += len(names)
        if self._listed > limits.MAX_LISTED_NAMES:
            raise _LeftOut(NoteKind.TOO_LARGE)
        for name in names:
            with self._noting(path / name):
                mode = _mode(folder, name)
                if stat.S_ISDIR(mode):
                    folders.append(name)
                elif not self._exclude(path / name, None):
                    self._copy_file(folder, path / name, mode)
        for name in folders:
            with self._noting(path / name):
                if len(path.parts) == limits.MAX_FOLDER_DEPTH:
                    raise _LeftOut(NoteKind.TOO_DEEP)
                with _opened(name, _FOLDER, folder) as inner:
                    self._copy_folder(inner, path / name)

    def _copy_file(self, folder: int, path: PurePosixPath, mode: int) -> None:
        is_notebook = path.suffix == ".ipynb"
        if not stat.S_ISREG(mode):
            raise _LeftOut(NoteKind.NO_FILE)
        if len(os.fsencode(path)) > limits.MAX_PATH_BYTES:
            raise _LeftOut(NoteKind.BAD_NAME)
        with _opened(path.name, _FILE, folder) as source:
            about = os.fstat(source)
            if not stat.S_ISREG(about.st_mode):
                raise _LeftOut(NoteKind.NO_FILE)
            if about.st_size > self._left[is_notebook] or len(self._copied.files) >= limits.MAX_FILES:
                raise _LeftOut(NoteKind.TOO_LARGE)
            size, digest = about.st_size, ""
            if self._reads:
                size, digest = self._copy_bytes(source, path, is_notebook)
            else:
                self._left[is_notebook] -= size
        self._copied.files[path] = CopiedFile(size, about.st_mtime, digest)

    def _copy_bytes(self, source: int, path: PurePosixPath, is_notebook: bool) -> tuple[int, str]:
        """Copy a file's bytes, and return how many they are, and their digest.

        A file may grow while it is read. What goes over the limit is removed again, and has used the limit up.
        """
        size, digest = 0, hashlib.sha256()
        with self._created(path) as target:
            while block := _read(source):
                size += len(block)
                self._left[is_notebook] -= len(block)
                if self._left[is_notebook] < 0:
                    raise _LeftOut(NoteKind.TOO_LARGE)
                digest.update(block)
                if target:
                    target.write(block)
        return size, digest.hexdigest()

    @contextlib.contextmanager
    def _created(self, path: PurePosixPath) -> Iterator[IO[bytes] | None]:
        """Make the copy's file, and remove it where it is left out after all."""
        if self._target is None:
            yield None
            return
        copy = self._target / path
        try:
            copy.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(copy, _NEW, 0o666)
        except OSError as error:
            if error.errno in _BAD_NAME:
                raise _LeftOut(NoteKind.BAD_NAME) from None
            raise
        try:
            with open(handle, "wb") as file:
                yield file
        except BaseException:
            copy.unlink()
            raise


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """Leave out what cannot be opened or read."""
    try:
        yield
    except (OSError, ValueError) as error:
        is_no_file = isinstance(error, OSError) and error.errno in _NO_FILE
        raise _LeftOut(NoteKind.NO_FILE if is_no_file else NoteKind.LOCKED_AWAY) from None


@contextlib.contextmanager
def _opened(name: str | Path, flags: int, within: int | None = None) -> Iterator[int]:
    """Open a file or a folder that is no link; nothing waits for who would write into a pipe."""
    with _reading():
        handle = os.open(name, flags, dir_fd=within)
    try:
        yield handle
    finally:
        os.close(handle)


@_reading()
def _names(folder: int) -> list[str]:
    """Return the names in a folder, in order, as far as they are looked at."""
    os.stat(".", dir_fd=folder)  # fails where the folder may be listed and not entered
    with os.scandir(folder) as entries:
        return sorted(entry.name for entry in itertools.islice(entries, limits.MAX_LISTED_NAMES + 1))


@_reading()
def _mode(folder: int, name: str) -> int:
    return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode


@_reading()
def _read(file: int) -> bytes:
    return os.read(file, _BLOCK)

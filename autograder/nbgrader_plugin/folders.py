"""What lies in a submission's folder: its notebook, and what is taken along beside it."""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import pkgutil
import site
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from inspect import getmodulename
from pathlib import Path

from autograder.model.notes import Note, NoteKind
from autograder.model.text import cleaned

STAMP = "timestamp.txt"
WRITTEN_ON_SUBMIT = (STAMP, "submission_secret.txt")
"""What `nbgrader submit` puts beside a notebook, and what leads the student back to their feedback."""

NOBODYS_WORK = (".ipynb_checkpoints", "__MACOSX")
"""Folders with notebooks in them that programs made by themselves."""

OF_A_SOURCE = ("*.py", "shown", "samples")
"""What of a lesson's folder is not released; in a submission it may be a student's own."""

MAX_DEPTH = 32
"""Folders in a folder in a submission; nbgrader and Python follow deeper ones until they fail."""

MAX_LISTED, MAX_FILES, _MAX_BYTES = 5_000, 1_000, 64 * 2**20
"""Names that are looked at in a folder, and in all folders; files that are taken along, and bytes in them."""

MAX_NOTEBOOKS = 256 * 2**20
"""Bytes of notebooks, which are not taken along."""

MAX_COPIES = 8
"""Notebooks of a submission that are read to find the one with the work."""


@dataclass
class Contents:
    """What there is in a folder: files to read, what cannot be read or is too large, and whether there is more, too
    deep down."""

    files: list[Path] = field(default_factory=list)
    unreadable: list[Path] = field(default_factory=list)
    too_large: list[Path] = field(default_factory=list)
    goes_deeper: bool = False


def opens(path: str | Path) -> bool:
    """Whether a file may be read, or a folder read and entered."""
    inner = f"{path}/." if os.path.isdir(path) else path
    with contextlib.suppress(OSError):
        os.close(os.open(inner, os.O_RDONLY))
        return True
    return False


def notebook_of(folder: str | Path) -> Path:
    """Where the notebook of what was handed in for a lesson should lie, in the folder of the lesson's name."""
    return Path(folder, f"{os.path.basename(folder).split('_', 1)[-1]}.ipynb")


def find_notebook(wanted: Path) -> Path | None:
    """The notebook that was handed in as `wanted`: that file, or the one that most likely is it by its place."""
    return wanted if is_plain_file(wanted) else next(iter(find_notebooks(wanted)), None)


def find_notebooks(wanted: Path) -> list[Path]:
    """Return the notebooks that may have been handed in as `wanted`, the likeliest by its place first: that file.

    Another one beside it goes before any that lies deeper, as in an unzipped folder; there the one of the right name
    does, then the one that lies least deep, then the largest. No more than `MAX_COPIES` are given.
    """
    folder = wanted.parent
    if folder.is_symlink():
        return []

    def place(one: Path) -> tuple[bool, bool, int, int]:
        deeper = len(one.relative_to(folder).parts) - 1
        return deeper > 0, deeper > 0 and one.name != wanted.name, deeper, -one.stat().st_size

    found = {one for one in contents(folder, NOBODYS_WORK).files if one.suffix == ".ipynb"} - {wanted}
    right_named = [wanted] if is_plain_file(wanted) else []
    return [*right_named, *sorted(found, key=place)][:MAX_COPIES]


def no_notebook(wanted: Path) -> Note:
    """That there is no notebook in the folder of `wanted`, and what there is."""
    beside = [f"{printable(path.name)}{'/' * path.is_dir()}" for path in list_folder(wanted.parent)[:3]]
    held = f"only {', '.join(beside)}" if beside else "the folder is empty"
    return Note(NoteKind.NO_NOTEBOOK, (printable(wanted.name),), held)


def work_of(folder: Path) -> Path:
    """The folder in which what was handed in has its notebook, where it has any: most often `folder` itself."""
    found = find_notebook(notebook_of(folder))
    return found.parent if found else folder


def taken_along(folder: Path, exclude: Sequence[str] = (), reads: Callable[[Path], bool] = opens) -> Contents:
    """What there is in a submission's folder without links, special files, shadows, but with a student's own modules.

    A release leaves `*.py` out, because a lesson's source lies there; a submission may bring helpers along.
    What cannot be read, or lies too deep, is left out as well, and all files behind a link. reads: as in `contents`.
    """
    found = contents(folder, [pattern for pattern in exclude if pattern not in OF_A_SOURCE], reads)
    files = {} if folder.is_symlink() else {path: path.relative_to(folder).parts[0] for path in found.files}
    left_out = {name for name in {*files.values()} if _is_shadow(folder / name)}
    return replace(found, files=[path for path, name in files.items() if name not in left_out])


def passed_over(folder: Path) -> list[Note]:
    """A note for each kind of thing beside the notebook that is not looked at."""
    if folder.is_symlink():
        return []
    folder = work_of(folder)
    others = (path for path in list_folder(folder) if path.suffix != ".ipynb" and not is_plain_file(path))
    odd = [path for path in others if path.is_symlink() or not path.is_dir()]
    found = contents(folder, ["*.ipynb", *NOBODYS_WORK])
    shadows = filter(_is_shadow, list_folder(folder))
    seen = [
        Note.on(NoteKind.NO_FILE, _names(folder, odd)),
        Note(NoteKind.SHADOW, tuple(printable(path.name) for path in shadows)),
        Note.on(NoteKind.LOCKED_AWAY, _names(folder, found.unreadable)),
        Note.on(NoteKind.TOO_LARGE, _names(folder, found.too_large)),
    ]
    notes = [note for note in seen if note.names]
    if found.goes_deeper:
        notes.append(Note(NoteKind.TOO_DEEP, detail=str(MAX_DEPTH)))
    return notes


def _names(folder: Path, paths: Sequence[Path]) -> list[str]:
    return [printable(name)[:80] for name in sorted(str(path.relative_to(folder)) for path in paths)]


def printable(text: str) -> str:
    """A name, or what an error says of one, in one line: what would not show as itself is escaped."""
    return cleaned(os.fsencode(text).decode("utf-8", "backslashreplace"))


def small_text(path: Path) -> str:
    """What a file of some few letters holds; empty for anything else."""
    try:
        return path.read_text(encoding="utf-8") if is_plain_file(path) and path.stat().st_size <= 1000 else ""
    except (OSError, UnicodeDecodeError):
        return ""


def is_plain_file(path: Path) -> bool:
    """Whether it is a file itself: no link, pipe, device or socket."""
    return os.path.isfile(path) and not os.path.islink(path)


def contents(folder: Path, exclude: Sequence[str] = (), reads: Callable[[Path], bool] = opens) -> Contents:
    """What there is in a submission's folder, as far as there is room for it.

    reads: tells of a file that there is room for whether it can be read; it may read it.
    """
    found, waiting, listed = Contents(), [folder], 0
    room = {".ipynb": MAX_NOTEBOOKS, "": _MAX_BYTES}
    while waiting:
        here = waiting.pop()
        inside = [
            path for path in list_folder(here) if not any(fnmatchcase(path.name, one) for one in exclude)
        ]
        if not inside and not opens(here):
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
            elif reads(file):
                found.files.append(file)
                room[kind] -= size
            else:
                found.unreadable.append(file)
    return found


def list_folder(folder: Path) -> list[Path]:
    """What is in a folder, in order, as far as it is looked at; nothing where it may not be read and entered."""
    with contextlib.suppress(OSError), os.scandir(f"{folder}/.") as entries:
        return sorted(Path(entry.path) for entry in itertools.islice(entries, MAX_LISTED + 1))
    return []


def _is_shadow(path: Path) -> bool:
    """Whether `import` would call it as a module that Python, a library or the course already has."""
    name = getmodulename(path.name)
    if not {name, path.name} & _taken():
        return False
    if path.is_symlink() or not path.is_dir():
        return name in _taken()
    return path.name in _taken() and any(getmodulename(inner.name) for inner in list_folder(path))


@functools.cache
def _taken() -> set[str]:
    """The names of all modules that are there without a submission."""
    installed = {module.name for module in pkgutil.iter_modules(site.getsitepackages())}
    customs = {"sitecustomize", "usercustomize"}
    return {*sys.stdlib_module_names, *installed, *customs, "autograder"}

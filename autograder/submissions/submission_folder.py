"""The work in a submission's folder: which notebook is graded, what is copied beside it, and what is left out."""

from __future__ import annotations

import functools
import hashlib
import os
import pkgutil
import site
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from inspect import getmodulename
from pathlib import Path, PurePosixPath

from autograder.execution.notes import Note, NoteKind
from autograder.exercises.limits import MAX_CANDIDATE_NOTEBOOKS, MAX_FILES, MAX_NOTEBOOKS_BYTES
from autograder.submissions.submission_files import (
    CopiedFiles,
    copy_submission,
    list_names,
    list_submission,
    printable,
)

STAMP = "timestamp.txt"
SUBMIT_FILES = (STAMP, "submission_secret.txt")
"""What `nbgrader submit` puts into a submission's folder: when it came, and what leads a student to their feedback."""

MADE_BY_PROGRAMS = (".ipynb_checkpoints", "__MACOSX")
"""Folders with notebooks in them that programs made by themselves."""

SOURCE_PATTERNS = ("*.json",)
"""Patterns of files that are not released beside a lesson's notebook; in a submission they may be a student's own."""


@dataclass(frozen=True)
class CopiedWork:
    """The part of a submission that is graded.

    notebook: the path of the likeliest one in the submission's folder, beside which files are shown; None where none
    can be read; notes: on what was left out, and why there is no notebook; digest: of all notebooks and of the files
    that are shown to the graded one, and of no other file.
    """

    notebook: PurePosixPath | None
    notes: list[Note]
    digest: str


def notebook_of(folder: str | Path) -> Path:
    """Return the path at which a lesson's notebook should lie in a submission's folder."""
    return Path(folder, f"{os.path.basename(folder).split('_', 1)[-1]}.ipynb")


def find_notebooks(wanted: Path) -> list[Path]:
    """Return the notebooks that may have been handed in as `wanted`, the likeliest by its place first: that file.

    Another one beside it goes before any that lies deeper, as in an unzipped folder; there the one of the right name
    does, then the one that lies least deep, then the largest. No more than `MAX_CANDIDATE_NOTEBOOKS` are given.
    """
    folder = wanted.parent
    if os.path.islink(folder) or os.path.islink(wanted):
        return []
    listed = list_submission(
        folder, lambda path, _: path.name in MADE_BY_PROGRAMS or path.name.startswith("._")
    )

    def place(path: PurePosixPath) -> tuple[bool, bool, int, int]:
        deeper = len(path.parts) - 1
        return deeper > 0, path.name != wanted.name, deeper, -listed.files[path].size

    other_notebooks = sorted((path for path in listed.notebooks if folder / path != wanted), key=place)
    right_named = [wanted] if is_plain_file(wanted) else []
    return [*right_named, *(folder / path for path in other_notebooks)][:MAX_CANDIDATE_NOTEBOOKS]


def no_notebook(wanted: Path) -> Note:
    """Return why there is no notebook in the folder of `wanted`, and what there is."""
    for link in (wanted.parent, wanted):
        if os.path.islink(link):
            return Note(NoteKind.LINK, (printable(link.name),))
    names = [printable(name) for name in list_names(wanted.parent)[:3]]
    detail = f"only {', '.join(names)}" if names else "the folder is empty"
    return Note(NoteKind.NO_NOTEBOOK, (printable(wanted.name),), detail)


def copy_work(
    wanted: Path, ignored: Sequence[str], target: Path | None = None, notebooks: Path | None = None
) -> CopiedWork:
    """Copy what is graded of a submission, or only read it: all that is said of it is said of the bytes of the copy.

    All notebooks are copied to one place, since which of them is graded depends on all. The files beside the graded
    one are copied to another, for its process to read: without notebooks, without what `nbgrader submit` has put
    there, and without modules that would take a library's place.

    Args:
        wanted: where the notebook should lie.
        ignored: patterns of names that are not copied. A release leaves `SOURCE_PATTERNS` out; a submission
            may bring such files along.
        target: the folder for the files beside the notebook; None only reads.
        notebooks: the folder for the notebooks, which lie there as they do in the submission.

    Raises:
        OSError: the folders cannot be written.
    """
    folder, shadows = wanted.parent, list[PurePosixPath]()
    likeliest = next(iter(find_notebooks(wanted)), None)
    notes = [] if likeliest else [no_notebook(wanted)]
    notebook = PurePosixPath(likeliest.relative_to(folder)) if likeliest else None
    below = notebook.parent if notebook else PurePosixPath()
    patterns = [*MADE_BY_PROGRAMS, "*.ipynb", *(each for each in ignored if each not in SOURCE_PATTERNS)]

    def exclude(path: PurePosixPath, inside: Sequence[str] | None) -> bool:
        at_top = len(path.parts) == 1
        if at_top and _is_shadow(path.name, inside):
            shadows.append(path)
            return True
        of_submit = at_top and not below.parts and path.name in SUBMIT_FILES
        return of_submit or any(fnmatchcase(path.name, pattern) for pattern in patterns)

    def exclude_others(path: PurePosixPath, inside: Sequence[str] | None) -> bool:
        return path.name in MADE_BY_PROGRAMS or inside is None and path.suffix != ".ipynb"

    copied = all_notebooks = CopiedFiles()
    if not os.path.islink(folder):
        all_notebooks = copy_submission(folder, notebooks, exclude_others)
        copied = copy_submission(folder, target, exclude, below)
    if shadows:
        copied.left_out[NoteKind.SHADOW] = shadows
    if notebook and notebook not in all_notebooks.files:
        reason = "could not be read"
        if notebook in all_notebooks.left_out.get(NoteKind.TOO_LARGE, ()):
            reason += (
                f": there are more than {MAX_FILES:,} notebooks, or {MAX_NOTEBOOKS_BYTES // 2**20} MB of them"
            )
        notes.append(Note(NoteKind.UNREADABLE, (printable(notebook.name),), reason))
        notebook = None
    files = [
        [(str(path), part.files[path].digest) for path in sorted(part.files)]
        for part in (all_notebooks, copied)
    ]
    left_out = [(kind.value, [*map(str, sorted(paths))]) for kind, paths in copied.left_out.items()]
    of_all = repr((notebook and str(notebook), files, sorted(left_out)))
    digest = f"2:{hashlib.sha256(of_all.encode(errors='surrogatepass')).hexdigest()}"
    return CopiedWork(notebook, [*notes, *copied.notes], digest)


def is_plain_file(path: Path) -> bool:
    """Return whether it is a regular file: no link, pipe, device or socket."""
    return os.path.isfile(path) and not os.path.islink(path)


def _is_shadow(name: str, inside: Sequence[str] | None) -> bool:
    """Return whether `import` would take a file, or a folder with these names in it, for an installed module.

    Such are Python's own, the libraries' and the course's. A folder of tables may be called as a library.
    """
    if inside is None:
        return getmodulename(name) in _modules()
    return name in _modules() and any(map(getmodulename, inside))


@functools.cache
def _modules() -> set[str | None]:
    """Return the names of all modules that can be imported without a submission."""
    installed = {module.name for module in pkgutil.iter_modules(site.getsitepackages())}
    return {*sys.stdlib_module_names, *installed, "sitecustomize", "usercustomize", "autograder"}

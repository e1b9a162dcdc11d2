"""Puts work into its place in `submitted/`, whole or not at all; what lay there is kept in `replaced/`."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath

from autograder.submissions.submission_files import copy_submission

REPLACED = "replaced"
"""A class's folder of work in whose place newer was collected."""

UNPACKED = ".unpacked"
"""What is added to a zip file's name for the folder beside it in which its files lie."""


@contextlib.contextmanager
def prepare_place(place: Path) -> Iterator[Path]:
    """Make an empty folder beside the students' folders, in which work for a place is put together.

    It is removed in the end, unless it was moved.
    """
    submitted = place.parents[1]
    submitted.mkdir(parents=True, exist_ok=True)
    for leftover in submitted.glob(".collect-*"):  # by a command that was killed
        shutil.rmtree(leftover)
    with tempfile.TemporaryDirectory(prefix=".collect-", dir=submitted) as temporary:
        prepared = Path(temporary, place.name)
        prepared.mkdir()
        yield prepared


def holds_same(prepared: Path, place: Path, ignored: Collection[str] = ()) -> bool:
    """Return whether the same files lie in a place, but for what was unpacked there, and for these."""

    def exclude(path: PurePosixPath, inside: Sequence[str] | None) -> bool:
        return path.name.endswith(UNPACKED) or str(path) in ignored

    digests = []
    for folder in (prepared, place):
        files = copy_submission(folder, None, exclude).files
        digests.append({path: file.digest for path, file in files.items()})
    return digests[0] == digests[1]


def put_in_place(prepared: Path, place: Path) -> None:
    """Move a folder to its place, `submitted/<student>/<lesson>`."""
    move_to_replaced(place, place)
    place.parent.mkdir(exist_ok=True)
    os.rename(prepared, place)


def move_to_replaced(place: Path, path: Path) -> None:
    """Move what lies in a place, or the place itself, to `replaced/<student>/<lesson>/<number>`, if it is there."""
    if os.path.lexists(path):
        replaced = place.parents[1].with_name(REPLACED) / place.parent.name / place.name
        replaced.mkdir(parents=True, exist_ok=True)
        numbers = [int(name) for name in os.listdir(replaced) if name.isdecimal()]
        os.rename(path, replaced / str(max(numbers, default=0) + 1))

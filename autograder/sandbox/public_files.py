"""Copies the files of the grader and of a course that a sandbox shows to a folder of their own.

The fork server imports from this folder, and sandboxes show it at the same path, so that modules that are imported
late are found there too. The folder lasts as long as the process that made it.
"""

from __future__ import annotations

import atexit
import functools
import shutil
from pathlib import Path
from tempfile import mkdtemp

from autograder.exercises import public_course
from autograder.exercises.public_course import PublicCourse

PACKAGES = ("exercises", "calls", "checks", "views", "notebook", "sandbox/inside")
"""The folders of the grader that a sandbox shows."""


@functools.cache
def public_folder(course: PublicCourse) -> Path:
    """Return the filled folder; it is made at the first call."""
    import matplotlib

    folder = Path(mkdtemp(prefix="autograder-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    copy_grader(folder)
    copy_course(course, folder)
    for fonts in Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):  # to make them again takes seconds
        _copy(fonts, folder / "matplotlib" / fonts.name)
    make_world_readable(folder)
    return folder


def make_world_readable(folder: Path) -> None:
    """Let every user read the files in a folder, and enter the folders in it: a sandbox has a user of its own."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))


def copy_grader(target: Path, packages: tuple[str, ...] = PACKAGES) -> None:
    """Copy these folders of the grader, as a package that can be imported from `target`."""
    package = Path(__file__).parents[1]
    for name in packages:
        for path in filter(Path.is_file, (package / name).iterdir()):
            _copy(path, target / path.relative_to(package.parent))
        for parent in (package / name).relative_to(package.parent).parents:
            if parent.parts:
                _copy(package.parent / parent / "__init__.py", target / parent / "__init__.py")


def copy_course(course: PublicCourse, target: Path) -> None:
    """Copy a course's public half to where the package in `target` looks for it, and its helpers beside it."""
    copied = target / public_course.COURSE_COPY.relative_to(Path(__file__).parents[2])
    for path in course.files():
        below = path.relative_to(course.root)
        _copy(path, (target if below.parts[0] == course.helpers else copied) / below)
    for path in course.data_files():
        _copy(path, copied / "data" / path.name)


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)

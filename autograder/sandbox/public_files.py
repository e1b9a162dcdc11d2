"""The files that a sandbox shows of the grader and of a course, copied to a folder of their own.

The warm process imports from this folder and the rooms show it at the same path, so that a module which is
imported late is found where the first ones were. It lasts as long as the process that asked for it.
"""

from __future__ import annotations

import atexit
import functools
import shutil
from pathlib import Path
from tempfile import mkdtemp

from autograder.checks import public_course
from autograder.checks.public_course import Visible

PACKAGES = ("exercises", "checks", "notebook", "sandbox/inside")
"""The folders of the grader that a student's process sees."""


@functools.cache
def public_folder(course: Visible) -> Path:
    """The folder, filled; the same at each call."""
    import matplotlib

    made = Path(mkdtemp(prefix="autograder-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    copy_grader(made)
    copy_course(course, made)
    for fonts in Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):  # made anew, they take seconds
        _copy(fonts, made / "matplotlib" / fonts.name)
    make_world_readable(made)
    return made


def make_world_readable(folder: Path) -> None:
    """Let every user read what lies in a folder, and come into the folders in it: a room's user is another one."""
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


def copy_course(course: Visible, target: Path) -> None:
    """Copy a course's shown half to where the package in `target` looks for it."""
    copied = target / public_course.COPY.relative_to(Path(__file__).parents[2])
    for path in course.files():
        _copy(path, copied / path.relative_to(course.root))
    for path in course.data_files():
        _copy(path, copied / "data" / path.name)


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)

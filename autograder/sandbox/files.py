"""The files that a sandbox shows of the grader and of a course, copied to a folder of their own.

The warm process imports from this folder and the rooms show it at the same path, so that a module which is
imported late is found where the first ones were. It lasts as long as the process that asked for it.
"""

from __future__ import annotations

import functools
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.student import visible
from autograder.student.visible import Visible

ROOMS = ("model", "student", "sandbox/inside")
"""The folders of the grader that a student's process sees."""

_given: dict[Visible, Path] = {}


def use(folders: Mapping[Visible, Path]) -> None:
    """From now on, take these folders, of the process that started this one, instead of making others."""
    _given.update(folders)


def folder(course: Visible) -> Path:
    """The folder, filled; the same at each call."""
    return _given.get(course) or _made(course)


def copy_grader(target: Path, rooms: tuple[str, ...] = ROOMS) -> None:
    """Copy these folders of the grader, as a package that can be imported from `target`."""
    package = Path(__file__).parents[1]
    for room in rooms:
        for path in (package / room).glob("*.py"):
            _copy(path, target / path.relative_to(package.parent))
        for parent in (package / room).relative_to(package.parent).parents:
            if parent.parts:
                _copy(package.parent / parent / "__init__.py", target / parent / "__init__.py")


def copy_course(course: Visible, target: Path) -> None:
    """Copy a course's shown half to where the package in `target` looks for it."""
    staged = target / visible.STAGED.relative_to(Path(__file__).parents[2])
    for path in course.files():
        _copy(path, staged / path.relative_to(course.root))
    for path in course.data_files():
        _copy(path, staged / "data" / path.name)


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


@functools.cache
def _made(course: Visible) -> Path:
    made = Path(_temporary(course).name)
    made.chmod(0o755)
    copy_grader(made)
    copy_course(course, made)
    for cache in _font_caches():
        _copy(cache, made / "matplotlib" / cache.name)
    return made


@functools.cache
def _temporary(course: Visible) -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="attention-course-", ignore_cleanup_errors=True)


def _font_caches() -> list[Path]:
    """matplotlib's list of fonts, which it would otherwise make anew, for seconds."""
    import matplotlib

    return sorted(Path(matplotlib.get_cachedir()).glob("fontlist-*.json"))

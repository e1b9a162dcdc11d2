"""The files of the course that every room shows, copied to a folder of their own.

The warm process imports from this folder and the rooms show it at the same path, so that a module which is
imported late is found where the first ones were. It lasts as long as the process that asked for it.
"""

from __future__ import annotations

import functools
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder import student_side

IN_THE_ROOM = ("__init__", "inside", "lookout", "shell", "zygote")
"""The modules of `autograder.seal` that a room needs."""


_given: list[Path] = []


def use(folder: Path) -> None:
    """From now on, take this folder, of the process that started this one, instead of making another."""
    _given[:] = [folder]


def folder() -> Path:
    """The folder, filled; the same at each call."""
    return _given[0] if _given else _made()


@functools.cache
def _made() -> Path:
    made = _folder()
    root = student_side.PACKAGE.parent
    seal = [Path(__file__).parent / f"{name}.py" for name in IN_THE_ROOM]
    for path in (*student_side.files(), *seal):
        target = made / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for cache in _font_caches():
        settings = made / "matplotlib"
        settings.mkdir(exist_ok=True)
        shutil.copyfile(cache, settings / cache.name)
    return made


@functools.cache
def _temporary() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="attention-course-", ignore_cleanup_errors=True)


def _folder() -> Path:
    made = Path(_temporary().name)
    made.chmod(0o755)
    return made


def _font_caches() -> list[Path]:
    """matplotlib's list of fonts, which it would otherwise make anew, for seconds."""
    import matplotlib

    return sorted(Path(matplotlib.get_cachedir()).glob("fontlist-*.json"))

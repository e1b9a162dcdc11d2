"""Finds the package of helpers that a course's notebooks import; nobody need have installed it.

`helpers` in `solutions/course.toml` is its name, and `solutions/<name>/` its folder. A kit and a sandbox hold it beside
`autograder/`, where Python finds it by itself.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.exercises.errors import CourseError

COURSE_VARIABLE = "AUTOGRADER_COURSE"
"""An environment variable that names a course's folder, for notebooks that do not lie in it."""


_opened: dict[str, Path] = {}
"""Of the courses that this process has opened, the folders that hold the helpers, by the packages' names."""


class HelpersFinder:
    """A finder of `sys.meta_path`, which stands first: the course's own package hides one that is installed."""

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return where a course's package of helpers is imported from; None for any other module."""
        folder = (_opened.get(name) or _find_above(name)) if path is None else None
        return PathFinder.find_spec(name, [str(folder)]) if folder else None


_finder = HelpersFinder()


def install_finder() -> None:
    """Let `import` find the helpers of the course in whose folder this process runs."""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def import_helpers(name: str, solutions: Path) -> None:
    """Import a course's helpers, which register what they add to the grader.

    Raises `CourseError` where there is no such package, and where this process has another one of that name.
    """
    folder = solutions / name
    if (folder / "__init__.py").is_file():  # a kit and a sandbox hold it elsewhere
        _opened.setdefault(name, solutions)
    try:
        package = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise CourseError(
            f"{solutions}/course.toml: helpers = {name!r}, but there is no {folder / '__init__.py'}"
        ) from None
    imported = Path(str(package.__file__)).parent
    if folder.is_dir() and _read_modules(folder) != _read_modules(imported):
        remedy = "give it another name, or start again in one course's folder"
        raise CourseError(
            f"{solutions}/course.toml: helpers = {name!r}, but {imported} is imported: {remedy}"
        )


def _read_modules(folder: Path) -> dict[str, bytes]:
    """Return the texts of a package's modules: a copy of a course may use the helpers of the first one."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")}


def find_root() -> Path | None:
    """Return the folder of the course that the environment names, or around the working folder; None without one."""
    if named := os.environ.get(COURSE_VARIABLE):
        return Path(named)
    try:
        working_folder = Path.cwd()
    except FileNotFoundError:  # it was deleted
        return None
    for folder in (working_folder, *working_folder.parents):
        if os.path.isfile(folder / "solutions" / "course.toml"):
            return folder
    return None


def _find_above(name: str) -> Path | None:
    """Return the folder that holds the helpers of that name, where the course around the working folder has them."""
    root = find_root()
    if root is None or not os.path.isfile(root / "solutions" / name / "__init__.py"):
        return None
    import tomllib

    settings = tomllib.loads((root / "solutions" / "course.toml").read_text(encoding="utf-8"))
    return (root / "solutions").resolve() if settings.get("helpers") == name else None

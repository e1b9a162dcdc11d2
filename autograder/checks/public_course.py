"""What students get of a course: its package of helpers, all that lies in its folders called `shown`, and its data.

In a checkout these folders lie in `solutions/`, among what students do not get. A kit and a sandbox hold copies of them
in `autograder/course/`, in the same places, and the package of helpers beside `autograder/`.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import sys
import tomllib
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.checks.course_helpers import FOLDER, import_helpers
from autograder.exercises import argument_kinds
from autograder.exercises.errors import CourseError

COPY = Path(__file__).parents[1] / "course"
"""Where a kit and a sandbox hold a course's shown half."""

COMMAND = "autograder"
"""What instructors type, in a course that names no command of its own."""

SHOWN = "shown"
EXAMPLES = "examples.json"
HINTS = "hints.json"
BOXES = "boxes.json"
OPENED = "opened"
"""The folder of what later tries open: no part of what a sandbox shows."""

HELPS = {"hint": True, "step_through": True, "answer": False, "box": True}
"""What a check may add to its verdict, by the names of `course.toml`, and whether it is on by itself."""

OPENS = {"answer": ("answers.json", "twins.json")}
"""The files that these need of each lesson."""

_chosen: list[Visible] = []


@dataclass(frozen=True)
class Visible:
    """A course's shown half: the folder in which `shown` folders lie, the folder of its data."""

    root: Path
    data: Path

    @property
    def package(self) -> str:
        """The name under which its lessons' modules are imported: `<package>.<lesson>.shown.rules`."""
        return f"course_{zlib.crc32(str(self.root).encode()):08x}"

    @functools.cached_property
    def helpers(self) -> str:
        """The name of its package of helpers, which its notebooks import; empty where it has none."""
        return str(self._settings.get("helpers", ""))

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages whose modules are its own."""
        return (self.package, self.helpers) if self.helpers else (self.package,)

    @property
    def lessons(self) -> list[str]:
        """The ids of all lessons that have stored examples, in order."""
        return sorted(path.parts[-3] for path in self.root.glob(f"*/{SHOWN}/{EXAMPLES}"))

    def examples(self, lesson: str) -> Path:
        """The file of a lesson's visible examples."""
        return self.root / lesson / SHOWN / EXAMPLES

    def hints(self, lesson: str) -> Path:
        """The file of a lesson's hints."""
        return self.root / lesson / SHOWN / HINTS

    def boxes(self, lesson: str) -> Path:
        """The file of a lesson's boxes."""
        return self.root / lesson / SHOWN / BOXES

    def opened(self, lesson: str, name: str) -> Path:
        """One of the files in `OPENS`, of a lesson."""
        return self.root / OPENED / lesson / name

    def added(self, file: Path) -> dict[str, Any]:
        """What a file holds for a lesson's exercises; nothing where it cannot be read: a verdict comes all the same."""
        try:
            return dict(json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, RecursionError):
            return {}

    @property
    def helps(self) -> dict[str, bool]:
        """Which of `HELPS` are on.

        Raises `CourseError` where it says something else than on or off, or of something else.
        """
        said = self._settings.get("help", {})
        for name, on in said.items():
            if name not in HELPS or not isinstance(on, bool):
                wanted = f"true or false for {', '.join(HELPS)}"
                raise CourseError(f"course.toml: [help] wants {wanted}, not {name} = {on!r}")
        return {**HELPS, **said}

    def files(self) -> list[Path]:
        """All files of it that are not data, as absolute paths; `root` is where they lead from."""
        folders = [*self.root.rglob(SHOWN), *([self.root / self.helpers] if self.helpers else ())]
        shown = [path for folder in folders for path in folder.rglob("*")]
        own = [path for path in shown if path.is_file() and "__pycache__" not in path.parts]
        return sorted({self.root / "course.toml", *own})

    def data_files(self) -> list[Path]:
        """Its data, without what makes them."""
        return sorted(path for path in self.data.glob("*") if path.is_file())

    def libraries_of(self, lessons: Collection[str] | None = None) -> list[str]:
        """Return what the notebooks of these lessons import, by Python's names; of all when none is named."""
        about = self._settings
        libraries = [*about.get("libraries", [])]
        for lesson, names in about.get("more_libraries", {}).items():
            libraries += names if lessons is None or lesson in lessons else []
        return list(dict.fromkeys(map(str, libraries)))

    @property
    def command(self) -> str:
        """What its instructors type, as messages say it."""
        return str(self._settings.get("command", COMMAND))

    @functools.cached_property
    def _settings(self) -> dict[str, Any]:
        return tomllib.loads((self.root / "course.toml").read_text(encoding="utf-8"))

    def brought(self, modules: Mapping[str, str]) -> dict[str, Any]:
        """What these modules of it hold under these names; modules: `<helpers>.module` or `<lesson>.shown.module`."""
        return {name: getattr(self.import_module(module), name) for name, module in modules.items()}

    def import_module(self, name: str) -> ModuleType:
        """Import a module of its helpers, or one of a lesson by its name below `package`."""
        in_helpers = name.partition(".")[0] == self.helpers
        return importlib.import_module(name if in_helpers else f"{self.package}.{name}")


@functools.cache
def shown_half(root: Path, data: Path) -> Visible:
    """The shown half of a course, ready to be imported from; what its helpers register is known.

    Raises `CourseError` where this process has another package under the name of its helpers.
    """
    course = _with_package(root, data)
    if course.helpers:
        import_helpers(course.helpers, root)
    return course


@functools.cache
def _with_package(root: Path, data: Path) -> Visible:
    """The shown half of a course, whose lessons' modules can be imported."""
    course = Visible(root, data)
    package = ModuleType(course.package)
    vars(package).update(__path__=[str(root)], visible=course)
    sys.modules[course.package] = package
    return course


def is_lessons(package: str) -> bool:
    """Whether a package is the one of a course's lessons, whose name differs from folder to folder."""
    return "visible" in vars(sys.modules.get(package, object))


def owner(module: str) -> Visible:
    """The shown half that a module of its own belongs to, by the module's `__name__`."""
    package = sys.modules[module.partition(".")[0]]
    if course := vars(package).get("visible"):
        return course
    root = Path(str(package.__file__)).resolve().parents[1]
    if (root / "course.toml").is_file():
        return _with_package(root, root.parent / "data")
    return _with_package(COPY, COPY / "data")


@contextlib.contextmanager
def using(course: Visible) -> Iterator[None]:
    """Let this be the course of this process for a while."""
    _chosen.append(course)
    try:
        with argument_kinds.of_course(course.packages):
            yield
    finally:
        _chosen.pop()


def here() -> Visible:
    """Return the course of this process. Raises `CourseError` where there is none."""
    if _chosen:
        return _chosen[-1]
    if COPY.is_dir():
        return shown_half(COPY, COPY / "data")
    if named := os.environ.get(FOLDER):
        root = Path(named)
    else:
        folders = (Path.cwd(), *Path.cwd().parents, COPY.parents[1])
        roots = [folder.resolve() for folder in folders if (folder / "solutions" / "course.toml").is_file()]
        if not roots:
            raise CourseError(f"{Path.cwd()} is not in a course's folder: start from there")
        root = roots[0]
    return shown_half(root / "solutions", root / "data")

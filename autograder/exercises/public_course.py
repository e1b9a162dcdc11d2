"""The public half of a course, which students get: its helpers, the rules of its checks, examples, hints and data.

In a checkout these files lie in `solutions/`, among what students do not get. A kit and a sandbox hold copies of them
in `autograder/course/`, in the same places, and the package of helpers beside `autograder/`.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import sys
import tomllib
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.exercises.course_helpers import COURSE_VARIABLE as COURSE_VARIABLE
from autograder.exercises.course_helpers import find_root, import_helpers
from autograder.exercises.errors import CourseError

COURSE_COPY = Path(__file__).parents[1] / "course"
"""The folder in which a kit and a sandbox hold the public half of a course."""

DEFAULT_COMMAND = "autograder"
"""The command of a course that names none of its own."""

CHECKS = "checks"
"""A lesson's folder of the modules that students' checks import."""

GENERATED = "generated"
"""The folder of what is built, a folder a lesson. Only the next three files of a lesson are public."""

EXAMPLES = "examples.json"
HINTS = "hints.json"
BOXES = "boxes.json"

HELP_DEFAULTS = {"hint": True, "step_through": True, "answer": False, "box": True}
"""What a check may add to its verdict, by the names of `course.toml`, and whether it is on by default."""

HELP_FILES = {"answer": ("answers.json", "twins.json")}
"""The files of each lesson that a kind of help needs; a sandbox has no copy of them."""

_chosen: list[PublicCourse] = []


@dataclass(frozen=True)
class PublicCourse:
    """The public half of a course: the folder in which its lessons lie, and the folder of its data."""

    root: Path
    data: Path

    @property
    def package(self) -> str:
        """Return the name under which its lessons' modules are imported: `<package>.<lesson>.checks.rules`."""
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
        """Return the ids of all lessons that have stored examples, in order."""
        return sorted(path.parent.name for path in self.root.glob(f"{GENERATED}/*/{EXAMPLES}"))

    def generated(self, lesson: str) -> Path:
        """Return the folder of a lesson's derived files."""
        return self.root / GENERATED / lesson

    def examples(self, lesson: str) -> Path:
        """Return the path of a lesson's visible examples."""
        return self.generated(lesson) / EXAMPLES

    def hints(self, lesson: str) -> Path:
        """Return the path of a lesson's hints."""
        return self.generated(lesson) / HINTS

    def other_solutions(self, lesson: str) -> Path:
        """Return the path of the other solutions to a lesson's exercises."""
        return self.generated(lesson) / BOXES

    def help_file(self, lesson: str, name: str) -> Path:
        """Return the path of one of a lesson's `HELP_FILES`."""
        return self.generated(lesson) / name

    def read_json(self, file: Path) -> dict[str, Any]:
        """Return what a file holds, by exercise; nothing where it cannot be read, since a verdict does without it."""
        try:
            return dict(json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, RecursionError):
            return {}

    @property
    def enabled_help(self) -> dict[str, bool]:
        """Return for each of `HELP_DEFAULTS` whether it is on. Raises `CourseError` for an unknown name or value."""
        settings = self._settings.get("help", {})
        for name, on in settings.items():
            if name not in HELP_DEFAULTS or not isinstance(on, bool):
                wanted = f"true or false for {', '.join(HELP_DEFAULTS)}"
                raise CourseError(f"course.toml: [help] takes {wanted}, not {name} = {on!r}")
        return {**HELP_DEFAULTS, **settings}

    def files(self) -> list[Path]:
        """Return all its files that are not data, as absolute paths below `root`."""
        folders = [*self.root.glob(f"*/{CHECKS}"), *([self.root / self.helpers] if self.helpers else ())]
        paths = [path for folder in folders for path in folder.rglob("*") if "__pycache__" not in path.parts]
        for lesson in self.lessons:
            paths += self.examples(lesson), self.hints(lesson), self.other_solutions(lesson)
        return sorted({self.root / "course.toml", *filter(Path.is_file, paths)})

    def data_files(self) -> list[Path]:
        """Return its data files, without the scripts that make them."""
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
        """Return the command that its instructors type."""
        return str(self._settings.get("command", DEFAULT_COMMAND))

    @functools.cached_property
    def _settings(self) -> dict[str, Any]:
        return tomllib.loads((self.root / "course.toml").read_text(encoding="utf-8"))

    def load_helpers(self, modules: Mapping[str, str]) -> dict[str, Any]:
        """Return the helpers of these names.

        Args:
            modules: By name, the module that holds it, as `<helpers>.module` or `<lesson>.checks.module`.
        """
        return {name: getattr(self.import_module(module), name) for name, module in modules.items()}

    def import_module(self, name: str) -> ModuleType:
        """Import a module of its helpers, or one of a lesson by its name below `package`."""
        in_helpers = name.partition(".")[0] == self.helpers
        return importlib.import_module(name if in_helpers else f"{self.package}.{name}")


@functools.cache
def open_public_course(root: Path, data: Path) -> PublicCourse:
    """Return the public half of a course, ready to be imported from; its helpers have registered their kinds.

    Raises:
        CourseError: This process has another package under the name of its helpers.
    """
    course = _with_package(root, data)
    if course.helpers:
        import_helpers(course.helpers, root)
    return course


@functools.cache
def _with_package(root: Path, data: Path) -> PublicCourse:
    """Return the public half of a course whose lessons' modules can be imported."""
    course = PublicCourse(root, data)
    package = ModuleType(course.package)
    vars(package).update(__path__=[str(root)], visible=course)
    sys.modules[course.package] = package
    return course


def is_lessons(package: str) -> bool:
    """Return whether a package is the one of a course's lessons, whose name differs from folder to folder."""
    return "visible" in vars(sys.modules.get(package, object))


def find_course(module: str) -> PublicCourse:
    """Return the public half that a module of its helpers belongs to, by the module's `__name__`."""
    root = Path(str(sys.modules[module.partition(".")[0]].__file__)).resolve().parents[1]
    if (root / "course.toml").is_file():
        return _with_package(root, root.parent / "data")
    return _with_package(COURSE_COPY, COURSE_COPY / "data")


@contextlib.contextmanager
def use_course(course: PublicCourse) -> Iterator[None]:
    """Make this the course of this process, for a while."""
    _chosen.append(course)
    try:
        yield
    finally:
        _chosen.pop()


def current_course() -> PublicCourse:
    """Return the course of this process. Raises `CourseError` where there is none."""
    if _chosen:
        return _chosen[-1]
    if COURSE_COPY.is_dir():
        return open_public_course(COURSE_COPY, COURSE_COPY / "data")
    root = find_root() or COURSE_COPY.parents[1]
    if not (root / "solutions" / "course.toml").is_file():
        raise CourseError(f"{Path.cwd()} is not in a course's folder: change to one and try again")
    return open_public_course(root.resolve() / "solutions", root.resolve() / "data")

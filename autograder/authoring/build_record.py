"""What a lesson's derived files were last made from, so that a build leaves alone what has not changed.

A record lies in the course's folder `build/`. Where there is none, everything is made.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from autograder.courses import START, Course, Lesson
from autograder.courses.changed_files import PASSED_OVER

LIBRARIES = ("ipython", "matplotlib", "nbformat", "numpy")
"""The libraries on which every derived file depends; a course names its own."""

GRADER = Path(__file__).parents[1]
CODE = (".py", ".toml", ".css", ".js", ".csv", ".json")
"""Suffixes of the grader's files that a build may read."""


@dataclass(frozen=True)
class BuildRecord:
    """Digests of what the build of a lesson read and wrote.

    source: the lesson's source; inputs: all else that it read, and the source's code; outputs: the derived files.
    """

    source: str = ""
    inputs: str = ""
    outputs: str = ""


def path_of(course: Course, name: str) -> Path:
    """Return the file of the record of a lesson, or of the start page, by its name."""
    return course.root / "build" / "made" / f"{name}.json"


def load(course: Course, name: str) -> BuildRecord:
    """Return the stored record; an empty one where there is none."""
    try:
        return BuildRecord(**json.loads(path_of(course, name).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return BuildRecord()


def save(course: Course, name: str, record: BuildRecord) -> None:
    """Store a record."""
    path = path_of(course, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(record), indent=1) + "\n", encoding="utf-8")


def take(lesson: Lesson, derived: Iterable[Path]) -> BuildRecord:
    """Return the record of a lesson as its files are now.

    derived: the files that the build makes of it.
    """
    code = [(cell.marker, cell.name, cell.text) for cell in lesson.cells if cell.kind == "code"]
    files = [path for path in _files(lesson.folder) if _is_read(path) and path != lesson.source]
    inputs = _digest([_course_digest(lesson.course), *code], files)
    return BuildRecord(_digest([], [lesson.source]), inputs, _digest([], derived))


def take_start_page(course: Course) -> BuildRecord:
    """Return the record of the start page, which may read every lesson's source."""
    sources = [course.solutions / f"{START}.py", *(lesson.source for lesson in course.lessons)]
    return BuildRecord(_digest([], sources), _course_digest(course), _digest([], [course.start]))


def _course_digest(course: Course) -> str:
    """Return a digest of what every lesson depends on: the grader, libraries, helpers, data, public modules."""
    packages = sorted({*LIBRARIES, *course.packages})
    versions = [platform.python_version(), platform.machine(), *map(metadata.version, packages)]
    grader = [
        path
        for path in _files(GRADER)
        if path.suffix in CODE and "tests" not in path.relative_to(GRADER).parts
    ]
    settings = [*course.solutions.glob("*.py"), *course.visible.files(), *course.visible.data_files()]
    return _digest(
        versions, [*grader, *(path for path in settings if _is_read(path) and path.suffix != ".json")]
    )


def _is_read(path: Path) -> bool:
    """Return whether a build may read a file of the course that is not derived."""
    return path.suffix != ".ipynb" and not path.name.startswith("test_") and path.stem != START


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not {*PASSED_OVER} & {*path.parts}]


def _digest(values: Iterable[Any], paths: Iterable[Path]) -> str:
    digest = hashlib.sha256(repr([*values]).encode())
    for path in sorted({*paths}):
        content = path.read_bytes() if path.is_file() else b""
        digest.update(f"{path.name} {hashlib.sha256(content).hexdigest()}".encode())
    return digest.hexdigest()

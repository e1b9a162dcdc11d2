"""Tells whether a submission has to be graded again: a digest of all that its grade depends on."""

from __future__ import annotations

import functools
import hashlib
import json
import platform
import re
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from traitlets.config import Config, LazyConfigValue

from autograder.courses import Course, Lesson
from autograder.nbgrader_plugin.folders import WRITTEN_ON_SUBMIT, contents, plain_files

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

FIELD = "fingerprint"
"""Where the digest is kept: in the graded notebook's metadata, beside the verdicts. Quotes inside of what a student
wrote are escaped in the file, so what is looked for cannot stand there."""

WORK = "work"
"""Where the digest of the submission's files alone is kept, whoever grades them."""

ROOMS = ("model", "student", "courses", "judge", "sandbox", "nbgrader_plugin")
NOT_GRADING = ("exchange", "exporters", "feedback", "formatting", "prose", "standing")
"""The folders of the grader that bear on a grade, beside its own `__init__`, and what of the plug-in does not."""

LIBRARIES = ("ipython", "matplotlib", "nbgrader", "numpy", "scipy")
"""What every grade depends on; a course names what its own exercises use."""

SETTINGS = ("Execute", "SealedKernel", "GradeAnswers")
"""The parts of the configuration that a grade depends on."""


def of_submission(folder: Path, lesson: Lesson, config: Config, when: str = "") -> str:
    """The digest of a submission's files, its time and due date, lesson, grader, settings, and libraries."""
    found = {name: config[name] for name in SETTINGS if name in config}
    settings = json.dumps(found, sort_keys=True, default=_plain)
    graded_by = (lesson.id, settings, when, _grader(lesson.course), _lesson(lesson))
    digest = hashlib.sha256("\0".join(graded_by).encode())
    _add_files(digest, folder, map(Path, plain_files(str(folder))))
    return digest.hexdigest()


def _plain(setting: Any) -> Any:
    """What JSON can hold of a setting, such as one that only adds to a list."""
    return setting.to_dict() if isinstance(setting, LazyConfigValue) else repr(setting)


def of_work(folder: Path) -> str:
    """The digest of what a student handed in, whoever grades it, and whenever it came."""
    digest = hashlib.sha256()
    files = (path for path in map(Path, plain_files(str(folder))) if path.name not in WRITTEN_ON_SUBMIT)
    _add_files(digest, folder, files)
    return digest.hexdigest()


def _add_files(digest: Hash, folder: Path, files: Iterable[Path]) -> None:
    for path in sorted(files):
        digest.update(f"\0{path.relative_to(folder)}\0".encode(errors="replace"))
        digest.update(_digest([path]).encode())
    for path in contents(folder).too_large:
        digest.update(f"\0{path.relative_to(folder)} {path.lstat().st_size}".encode(errors="replace"))


def of_graded(notebook: Path) -> str:
    """The digest under which a notebook was graded; empty where it has not been, or not to the end."""
    return _written(notebook, FIELD)


def of_graded_work(notebook: Path) -> str:
    """The digest of the work that a graded notebook was made of; empty where none is kept."""
    return _written(notebook, WORK)


def _written(notebook: Path, field: str) -> str:
    try:
        text = notebook.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    found = re.findall(rf'"{field}": "([0-9a-f]{{64}})"', text)
    return found[-1] if found and '"verdicts": {' in text else ""


@functools.cache
def _lesson(lesson: Lesson) -> str:
    """What its course and itself say of its exercises, and the data they use; not the corpus, nor the samples."""
    course = lesson.course
    own = [path for path in lesson.folder.glob("*.py") if not path.stem.endswith("_answers")]
    return _digest([*course.visible.files(), *course.visible.data_files(), *sorted(own), lesson.built])


@functools.cache
def _grader(course: Course) -> str:
    versions = (f"{name} {version(name)}" for name in (*LIBRARIES, *course.packages))
    code = grading_files(Path(__file__).parents[1])
    return " ".join([_digest(code), platform.python_version(), *versions])


def grading_files(package: Path) -> list[Path]:
    """The grader's modules that a grade depends on, wherever the package lies."""
    left_out = {package / "nbgrader_plugin" / f"{name}.py" for name in NOT_GRADING}
    rooms = {path for room in ROOMS for path in (package / room).rglob("*.py")}
    return sorted({*package.glob("__init__.py"), *rooms} - left_out)


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()

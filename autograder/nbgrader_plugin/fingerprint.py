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

from traitlets.config import Config

from autograder import source, student_side
from autograder.nbgrader_plugin.folders import plain_files

FIELD = "fingerprint"
"""Where the digest is kept: in the graded notebook's metadata, beside the verdicts. Quotes inside of what a student
wrote are escaped in the file, so what is looked for cannot stand there."""

LIBRARIES = ("gensim", "ipython", "matplotlib", "nbgrader", "numpy", "scipy", "seaborn", "torch")

NOT_GRADING = (
    *("bench", "class_report", "corpus", "data_makers", "samples", "site", "tests"),
    *("cli.py", "demo.py", "kit.py"),
    *(f"nbgrader_plugin/{name}.py" for name in ("exchange", "exporters", "feedback", "feedback_page")),
    *(f"nbgrader_plugin/{name}.py" for name in ("outputs", "prose", "remarks", "stubs")),
)
"""What of the package no grade depends on."""

_JUDGED = '"verdicts": {'
_WRITTEN = re.compile(rf'"{FIELD}": "([0-9a-f]{{64}})"')


SETTINGS = ("Execute", "SealedKernel", "GradeAnswers")
"""The parts of the configuration that a grade depends on."""


def of_submission(folder: Path, lesson: str, config: Config) -> str:
    """The digest of a submission's files, its lesson, the grader, its settings, and the libraries."""
    settings = json.dumps({name: config[name] for name in SETTINGS if name in config}, sort_keys=True)
    digest = hashlib.sha256("\0".join((lesson, settings, _grader(), _lesson(lesson))).encode())
    for path in sorted(map(Path, plain_files(str(folder)))):
        digest.update(f"\0{path.relative_to(folder)}\0".encode(errors="replace"))
        digest.update(_digest([path]).encode())
    return digest.hexdigest()


def of_graded(notebook: Path) -> str:
    """The digest under which a notebook was graded; empty where it has not been, or not to the end."""
    try:
        text = notebook.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    found = _WRITTEN.findall(text)
    return found[-1] if found and _JUDGED in text else ""


@functools.cache
def _lesson(lesson: str) -> str:
    return _digest(sorted(source.path_of(lesson).parent.glob("*.ipynb")))


@functools.cache
def _grader() -> str:
    versions = (f"{name} {version(name)}" for name in LIBRARIES)
    return " ".join([_digest(grading_files(source.ROOT)), platform.python_version(), *versions])


def grading_files(checkout: Path) -> list[Path]:
    """The files of a checkout that a grade depends on, beside the lesson's own."""
    package = checkout / student_side.PACKAGE.name
    left_out = [package / name for name in NOT_GRADING]
    code = [path for path in package.rglob("*.py") if not any(map(path.is_relative_to, left_out))]
    data = (checkout / student_side.DATA.name).iterdir()
    lessons = (checkout / source.SOLUTIONS.name).glob("*/*.py")
    return [*sorted(code), *sorted(data), *sorted(lessons)]


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()

"""Digests and versions of all that a grade depends on: where one is another, the submission is graded again."""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import platform
from importlib.metadata import version
from typing import Any

from traitlets.config import Config, LazyConfigValue

from autograder.courses import Course, Lesson
from autograder.courses.lesson_source import BEGIN, parse_without_docstrings
from autograder.exercises.public_course import CHECKS, PublicCourse

JUDGING = 3
"""The grader's version, as grades know it: raised with each change by which an answer may be judged otherwise."""

LIBRARIES = ("ipython", "matplotlib", "nbgrader", "numpy")
"""What every grade depends on; a course names what its own exercises use."""

_SETTINGS = ("Execute", "SealedKernel", "GradeAnswers")
"""The parts of the configuration that a grade depends on."""


def grade_inputs(
    work: str, lesson: Lesson, config: Config, when: str = "", secret: str = ""
) -> dict[str, str]:
    """Return what a grade depends on, by the names of the record store's columns.

    Args:
        work: The digest of a submission's files.
        lesson: The lesson that was handed in.
        config: The configuration that it is graded with.
        when: The time of the submission, and its due date and the rule where it was late.
        secret: The digest of the class's secret.
    """
    relevant = {name: config[name] for name in _SETTINGS if name in config}
    settings = json.dumps(relevant, sort_keys=True, default=_plain)
    return {
        "work": work,
        "time": when,
        "secret": secret,
        "judged_by": lesson_digest(lesson),
        "data": _data(lesson.course),
        "grader": str(JUDGING),
        "settings": hashlib.sha256(settings.encode()).hexdigest(),
        "libraries": library_versions(lesson.course),
    }


def _plain(setting: Any) -> Any:
    """Return what JSON can hold of a setting, such as one that only adds to a list."""
    return setting.to_dict() if isinstance(setting, LazyConfigValue) else repr(setting)


@functools.cache
def lesson_digest(lesson: Lesson) -> str:
    """Return the digest of what a lesson's answers are judged by.

    These are its code but for illustrations, its rubrics, the modules that judge its exercises, and what notebooks may
    import. Texts, comments and other lessons are not.
    """
    judged = [cell for cell in lesson.cells if cell.marker in ("setup", "solution", "test", "written")]
    texts = [
        cell.text.partition(BEGIN)[2] if cell.marker == "written" else _code(cell.text) for cell in judged
    ]
    cells = [(cell.marker, cell.name, cell.points, text) for cell, text in zip(judged, texts)]
    folders = [lesson.folder / "judging", lesson.folder / CHECKS, lesson.course.solutions / "judging"]
    if helpers := _public(lesson.course).helpers:
        folders.append(lesson.course.solutions / helpers)
    code = {
        str(path.relative_to(lesson.course.solutions)): _code(path.read_text(encoding="utf-8"))
        for path in (path for folder in folders for path in folder.rglob("*.py"))
    }
    return hashlib.sha256(json.dumps([lesson.id, cells, code], sort_keys=True).encode()).hexdigest()


def _public(course: Course) -> PublicCourse:
    """What students get of a course; its modules are read here, and not imported."""
    return PublicCourse(course.solutions, course.root / "data")


@functools.cache
def _data(course: Course) -> str:
    digests = (hashlib.sha256(path.read_bytes()).digest() for path in _public(course).data_files())
    return hashlib.sha256(b"".join(digests)).hexdigest()


@functools.cache
def library_versions(course: Course) -> str:
    """Return the versions of Python and of the libraries that a course's grades depend on."""
    libraries = (*LIBRARIES, *course.packages)
    return " ".join([platform.python_version(), *(f"{name} {version(name)}" for name in libraries)])


@functools.cache
def _code(text: str) -> str:
    """Return the syntax tree of a text, without comments and docstrings; the text, where that is no Python."""
    try:
        return ast.dump(parse_without_docstrings(text))
    except SyntaxError:
        return text

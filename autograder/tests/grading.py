"""Grading a class in this process, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from autograder.courses import Lesson, lesson_source, open_course
from autograder.demo import samples
from autograder.sandbox import layers
from autograder.tests.commands import run_nbgrader, run_ours

_UNSEALED = [] if layers.sandbox_available() else ["SealedKernel.allow_unsealed=True"]
TRUST = [word for setting in _UNSEALED for word in ("--setting", setting)]
NBGRADERS_TRUST = [f"--{setting}" for setting in _UNSEALED]
"""Options where this machine has no seal, of our commands and of nbgrader's."""


def hand_in(course: Path, student: str, lesson: Lesson, answers: dict[str, str]) -> None:
    """Put a lesson's released notebook with these answers into a class's `submitted/`."""
    text = samples.filled(lesson.released.read_text(encoding="utf-8"), answers)
    samples.put_file(course / "submitted", student, lesson.id, lesson.released.name, text.encode())


def right(lesson: Lesson, names: Iterable[str] | None = None) -> dict[str, str]:
    """The reference solutions of these exercises; where none are given, of all that count."""
    wanted = [exercise.id for exercise in lesson.graded] if names is None else names
    return {name: lesson_source.strip_solution_marks(lesson.solution(name)) for name in wanted}


def grade(course: Path, *options: str, fails: bool = False) -> str:
    """Grade in this process, without any worker where no number is given; what was said comes back."""
    command = ("grade", "--class", str(course), "--jobs", "1", *options, *TRUST)
    return run_ours(*command, folder=open_course(course).root, fails=fails)


def exported(course: Path) -> bytes:
    path = course / "grades.csv"
    run_nbgrader("export", f"--to={path}", folder=course, course=open_course(course))
    return path.read_bytes()


def graded(course: Path) -> dict[str, object]:
    found = {}
    for path in sorted((course / "autograded").rglob("*.*")):
        text = path.read_text()
        found[str(path.relative_to(course))] = json.loads(text) if path.suffix == ".ipynb" else text
    return found


def held(course: Path) -> dict[str, bytes]:
    """All files of a class but those that a database makes beside itself."""
    files = (path for path in course.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {
        str(path.relative_to(course)): path.read_bytes() for path in files if "solutions" not in path.parts
    }

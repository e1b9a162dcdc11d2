"""Grading a class in this process, and what came of it."""

from __future__ import annotations

import json
from pathlib import Path

from autograder.courses import open_course
from autograder.sandbox import doctor
from autograder.tests.commands import run_nbgrader, run_ours

TRUST = [] if doctor.sealable() else ["--setting", "SealedKernel.allow_unsealed=True"]
"""Options where this machine has no seal."""


def grade(course: Path, *options: str, fails: bool = False) -> str:
    """Grade in this process, without any worker where no number is given; what was said comes back."""
    command = ("grade", "--folder", str(course), "--jobs", "1", *options, *TRUST)
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

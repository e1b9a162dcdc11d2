"""The same course as stock nbgrader would grade it: its own settings, and tests that run in the student's kernel."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat

from autograder import judge, keys
from autograder.keys import LessonKeys
from autograder.lessons import find_lesson
from autograder.release import nbgrader
from autograder.runner import grade_id_of
from autograder.source import SOLUTIONS

STUDENT = "bench"
"""Whose hidden cases stock nbgrader asks: everybody the same ones, as a course of plain tests would."""

SETTINGS = """c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.course_id = "stock"
c.Execute.timeout = 60
"""
TEST = "from autograder.bench.in_kernel import score\nscore({exercise!r}, {keys!r}, globals())"


def prepare(folder: Path, lessons: Iterable[str]) -> None:
    """Make `folder` a stock course with these lessons, released into its gradebook."""
    folder.mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text(SETTINGS.format(root=str(folder)))
    for lesson in lessons:
        known = find_lesson(lesson)
        graded = [one.id for one in known.exercises if one.graded]
        hidden = {name: judge.hidden_key(lesson, name, STUDENT) for name in graded}
        path = folder / "keys" / f"{lesson}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(keys.dumps(LessonKeys(lesson, known.title, hidden)))
        notebook = nbformat.read(SOLUTIONS / lesson / f"{known.notebook}.ipynb", as_version=4)
        for cell in notebook.cells:
            name = grade_id_of(cell).removeprefix("test_")
            if name in hidden and grade_id_of(cell) != name:
                cell.source = TEST.format(exercise=name, keys=str(path))
        target = folder / "source" / lesson / f"{known.notebook}.ipynb"
        target.parent.mkdir(parents=True)
        nbformat.write(notebook, target)
        nbgrader("generate_assignment", lesson, "--force", course=folder, settings=folder)


def command(lesson: str) -> list[str]:
    """How stock nbgrader is told to grade a lesson."""
    return [str(Path(sys.executable).parent / "nbgrader"), "autograde", lesson, "--force"]

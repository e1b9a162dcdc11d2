"""The same course as stock nbgrader would grade it: its own settings, and tests that run in the student's kernel."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat

from autograder import judge
from autograder.author import build
from autograder.bench import course, lesson
from autograder.sandbox.notebook_runner import grade_id_of
from autograder.student import keys
from autograder.student.keys import LessonKeys

NBGRADER = str(Path(sys.executable).parent / "nbgrader")
STUDENT = "bench"
"""Whose hidden cases stock nbgrader asks: everybody the same ones, as a course of plain tests would."""

SETTINGS = """c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.course_id = "stock"
c.Execute.timeout = 60
"""
TEST = "from autograder.bench.in_kernel import score\nscore({exercise!r}, {keys!r}, {course!r}, globals())"


def prepare(folder: Path, lessons: Iterable[str]) -> None:
    """Make `folder` a stock course with these lessons, released into its gradebook."""
    folder.mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text(SETTINGS.format(root=str(folder)))
    for name in lessons:
        known = lesson(name)
        hidden = {one.id: judge.hidden_key(known, one.id, STUDENT) for one in known.graded}
        path = folder / "keys" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(keys.dumps(LessonKeys(name, known.title, hidden)))
        notebook = nbformat.read(build.notebook_path(known), as_version=4)
        for cell in notebook.cells:
            asked = grade_id_of(cell).removeprefix("test_")
            if asked in hidden and grade_id_of(cell) != asked:
                cell.source = TEST.format(exercise=asked, keys=str(path), course=str(course().root))
        target = folder / "source" / name / f"{known.notebook}.ipynb"
        target.parent.mkdir(parents=True)
        nbformat.write(notebook, target)
        subprocess.run(
            [NBGRADER, "generate_assignment", name, "--force"], cwd=folder, check=True, capture_output=True
        )


def command(name: str) -> list[str]:
    """How stock nbgrader is told to grade a lesson."""
    return [NBGRADER, "autograde", name, "--force"]

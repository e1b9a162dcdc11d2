"""otter-grader on the same submissions: `otter run`, one command a submission, with its own settings."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

from autograder.courses import Lesson
from autograder.tests.bench import meter

TEST = """from autograder.tests.bench.in_kernel import score
from otter.test_files import test_case

OK_FORMAT = False
name = {exercise!r}
points = {points}


@test_case()
def earns_full_points(env):
    assert score({exercise!r}, {key!r}, {course!r}, env) == points
"""


def prepare(folder: Path, lesson: Lesson, key: Path) -> None:
    """Write a lesson's autograder into `folder`: a test for each graded exercise, judged by the key in a file."""
    folder.mkdir(parents=True, exist_ok=True)
    with ZipFile(folder / f"{lesson.id}.zip", "w") as file:
        for one in lesson.graded:
            about = {"exercise": one.id, "points": one.points, "key": str(key)}
            file.writestr(f"tests/{one.id}.py", TEST.format(**about, course=str(lesson.course.root)))


def run(
    folder: Path, lesson: Lesson, submitted: Path, student: str
) -> tuple[float, dict[tuple[str, str], float]]:
    """Grade what a student handed in with one command, as it is.

    Its processor seconds come back, and points by student and exercise: full ones or none.
    """
    submission = submitted / student / lesson.id / lesson.released.name
    autograder = str(folder / f"{lesson.id}.zip")
    command = ["otter", "run", "--no-logo", "-a", autograder, "-o", str(folder), str(submission)]
    cpu = meter.measure(command, folder).cpu
    tests = json.loads((folder / "results.json").read_text(encoding="utf-8"))["tests"]
    return cpu, {(student, test["name"]): test["score"] for test in tests if "score" in test}

"""otter-grader on the same submissions: `otter run`, one command a submission, with its own settings."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

from autograder.bench import course, lesson, meter

TEST = """from autograder.bench.in_kernel import score
from otter.test_files import test_case

OK_FORMAT = False
name = {exercise!r}
points = {points}


@test_case()
def earns_full_points(env):
    assert score({exercise!r}, {key!r}, {course!r}, env) == points
"""


def prepare(folder: Path, name: str, key: Path) -> None:
    """Write a lesson's autograder into `folder`: a test for each graded exercise, judged by the key in a file."""
    folder.mkdir(parents=True, exist_ok=True)
    with ZipFile(_autograder(folder, name), "w") as file:
        for one in lesson(name).graded:
            test = TEST.format(exercise=one.id, points=one.points, key=str(key), course=str(course().root))
            file.writestr(f"tests/{one.id}.py", test)


def run(folder: Path, name: str, submitted: Path, student: str) -> tuple[float, dict[tuple[str, str], float]]:
    """Grade what a student handed in with one command, as it is.

    Its processor seconds come back, and points by student and exercise: full ones or none.
    """
    (submission,) = (submitted / student / name).glob("*.ipynb")
    autograder = str(_autograder(folder, name))
    command = ["otter", "run", "--no-logo", "-a", autograder, "-o", str(folder), str(submission)]
    cpu = meter.measure(command, folder).cpu
    tests = json.loads((folder / "results.json").read_text(encoding="utf-8"))["tests"]
    return cpu, {(student, test["name"]): test["score"] for test in tests if "score" in test}


def _autograder(folder: Path, name: str) -> Path:
    return folder / f"{name}.zip"

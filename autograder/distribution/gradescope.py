"""Grading on Gradescope: the zip file that an instructor uploads there, and what runs in it.

How a zip file, `/autograder` and `results.json` look: https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import metadata, version
from importlib.metadata import requires as requires_of
from pathlib import Path
from string import Template
from typing import Any

from autograder.authoring.release import run_nbgrader_app
from autograder.classroom.class_folder import SECRET_FILE, directory_of
from autograder.courses import Course, Lesson, open_course
from autograder.distribution.kit import GRADER, pack, ranges
from autograder.exercises.verdict import State
from autograder.records import record_store
from autograder.records.case_seed import load_secret
from autograder.records.record_store import GradingRecord
from autograder.sandbox import layers
from autograder.submissions.submission_files import copy_submission, list_submission
from autograder.views import verdict_view

_TEMPLATES = Path(__file__).parent / "gradescope_files"
PACKAGE = Path(__file__).parents[1]

OF_A_COURSE = ("solutions", "course", "data", "nbgrader_config.py")
_LEFT_OUT = {"__pycache__", ".ipynb_checkpoints", "tests", "demo", "samples"}

VISIBILITY = "after_published"
"""When students see the verdicts: they tell of hidden cases, which are the same at the next attempt."""

UNSEALED = "Graded unsealed, in no room of its own: as a user who may not read the grader's files."


def write_autograders(course: Course, wanted: list[str], folder: Path) -> str:
    """Write an autograder for each of the wanted lessons, all when none is named; a line on each comes back."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for lesson in course.chosen(wanted):
        target = folder / f"gradescope-{lesson.id}.zip"
        pack(target, _contents(lesson), mode=0o755)
        points = sum(exercise.points for exercise in lesson.graded)
        lines.append(f"{target}: {points} autograder points. It holds the answers: hand it to no one.")
    return "\n".join(lines)


def _contents(lesson: Lesson) -> Iterator[tuple[str, bytes]]:
    """Names and contents: the grader, the course with its answers and its secret, and how to begin."""
    needed = (line for line in requires_of(GRADER) or () if "extra ==" not in line)
    words = {
        "lesson": lesson.id,
        "grader": GRADER,
        "version": version(GRADER),
        "requires": metadata(GRADER)["Requires-Python"],
        "ranges": "\n".join(f"  '{line}'," for line in [*needed, *ranges(lesson.course.packages)]),
    }
    for template in sorted(_TEMPLATES.iterdir()):
        text = Template(template.read_text(encoding="utf-8"))
        yield template.name, text.safe_substitute(words).encode()
    root = lesson.course.root
    yield SECRET_FILE, load_secret(directory_of(lesson.course, root)).encode()
    for path in _files(PACKAGE):
        yield f"autograder/{path.relative_to(PACKAGE).as_posix()}", path.read_bytes()
    for name in OF_A_COURSE:
        for path in _files(root / name):
            yield path.relative_to(root).as_posix(), path.read_bytes()


def _files(path: Path) -> Iterator[Path]:
    """Yield a file, or all below a folder that grading needs."""
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        is_left_out = _LEFT_OUT & {*file.relative_to(path).parts} or file.match("test_*.py")
        if file.is_file() and not is_left_out:
            yield file


def grade_submission(lesson: Lesson, root: Path) -> None:
    """Grade what lies in `root/submission`, and write `root/results/results.json`.

    Raises `CourseError` where grading fails; then there are no results, which Gradescope tells the instructor.
    """
    about = json.loads((root / "submission_metadata.json").read_text(encoding="utf-8"))
    student = str(min(user["id"] for user in about["users"]))  # by whom the hidden cases are drawn
    course = lesson.course
    answer: dict[str, Any] = {"score": 0, "output": f"No {lesson.notebook}.ipynb was handed in."}
    if take_submission(lesson, (root / "submission").resolve(), student, course.root):
        trust = [] if layers.sandbox_available() else ["--SealedKernel.allow_other_user=True"]
        print(run_nbgrader_app("autograde", lesson.id, "--force", *trust, course=course, folder=course.root))
        answer = results(lesson, record_store.load_record(lesson, student, course.root))
    (root / "results" / "results.json").write_text(json.dumps(answer), encoding="utf-8")


def take_submission(lesson: Lesson, submission: Path, student: str, folder: Path) -> bool:
    """Copy what was handed in into a class's folder; return whether there is a notebook in it."""
    notebooks = sorted(list_submission(submission).notebooks)
    named = [path for path in notebooks if path.name == lesson.released.name]
    for notebook in (named or notebooks)[:1]:
        submitted = folder / "submitted" / student / lesson.id
        shutil.rmtree(submitted.parent, ignore_errors=True)
        copy_submission(submission, submitted, below=notebook.parent)
    return bool(notebooks)


def results(lesson: Lesson, record: GradingRecord) -> dict[str, Any]:
    """Return the results for Gradescope: a test for each exercise with points.

    Written answers are graded there by hand.
    """
    tests = []
    for exercise in lesson.graded:
        verdict = record.verdicts[exercise.id]
        tests.append(
            {
                "name": exercise.id,
                "score": verdict.points,
                "max_score": verdict.max_points,
                "status": "passed" if verdict.state is State.RIGHT else "failed",
                "output": verdict_view.as_text(verdict),
            }
        )
    return {"visibility": VISIBILITY, "output": "" if record.sealed else UNSEALED, "tests": tests}


if __name__ == "__main__":
    grade_submission(open_course(Path.cwd()).lesson(sys.argv[1]), Path(sys.argv[2]))

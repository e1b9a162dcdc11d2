"""From instructor notebooks to student notebooks, through nbgrader's own `generate_assignment`."""

from __future__ import annotations

import subprocess
from pathlib import Path

from autograder.errors import CourseError
from autograder.lessons import find_lesson, lessons
from autograder.source import ROOT


class NbgraderError(CourseError):
    """An nbgrader command failed; the message holds what it said last."""


def nbgrader(*arguments: str, course: Path = ROOT, log: Path | None = None) -> str:
    """Run an nbgrader command with this repository's settings; what it logged comes back.

    course: the folder that holds `submitted/`, `gradebook.db` and the like.
    log: a file to append the output to.
    Raises `NbgraderError` when the command fails.
    """
    command = ["nbgrader", *arguments, f"--CourseDirectory.root={course}"]
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(command)}\n{done.stdout}\n")
    if done.returncode:
        last = "\n".join(done.stdout.strip().splitlines()[-12:])
        raise NbgraderError(f"`{' '.join(command)}` failed:\n{last}")
    return done.stdout


def release(lesson: str, course: Path = ROOT, log: Path | None = None) -> Path:
    """Generate the student's notebook of a lesson; its path comes back."""
    nbgrader("generate_assignment", lesson, "--force", course=course, log=log)
    return course / "course" / lesson / f"{find_lesson(lesson).notebook}.ipynb"


def main(wanted: list[str]) -> None:
    """Release the wanted lessons, all when none is named."""
    chosen = [find_lesson(lesson) for lesson in wanted] or list(lessons())
    for number, lesson in enumerate(chosen, start=1):
        print(f"[{number}/{len(chosen)}] releasing {lesson.id} …", end=" ", flush=True)
        print(release(lesson.id).relative_to(ROOT))

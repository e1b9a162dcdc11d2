"""From instructor notebooks to student notebooks, through nbgrader's own `generate_assignment`."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen

from autograder.errors import CourseError
from autograder.lessons import find_lesson, lessons
from autograder.source import ROOT

STRICT = "TRAITLETS_APPLICATION_RAISE_CONFIG_FILE_ERROR"
"""Set where nbgrader should end, not go on with its own settings, when `nbgrader_config.py` cannot be read."""


class NbgraderError(CourseError):
    """An nbgrader command failed; the message holds what it said last."""


def nbgrader(
    *arguments: str,
    course: Path = ROOT,
    settings: Path = ROOT,
    log: Path | None = None,
    on_line: Callable[[str], None] | None = None,
) -> str:
    """Run an nbgrader command; what it logged comes back.

    course: the folder that holds `submitted/`, `gradebook.db` and the like; settings: the one that holds
    `nbgrader_config.py`, this repository's where none is named.
    log: a file to append the output to.
    on_line: called with each line as it comes.
    Raises `NbgraderError` when the command fails.
    """
    command = ["nbgrader", *arguments, f"--CourseDirectory.root={course}"]
    # nbgrader looks for alembic, and we for nbgrader, among the programs beside this Python
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": paths, STRICT: "1"}
    program = shutil.which("nbgrader", path=paths) or "nbgrader"
    lines = []
    with Popen(
        [program, *command[1:]], cwd=settings, env=environment, text=True, stdout=PIPE, stderr=STDOUT
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if on_line is not None:
                on_line(line)
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(command)}\n{''.join(lines)}\n")
    if process.returncode:
        raise NbgraderError(f"`{' '.join(command)}` failed:\n{''.join(lines[-12:])}")
    return "".join(lines)


def link_solutions(course: Path) -> None:
    """Put this repository's lessons into another course folder, so that nbgrader can release them there."""
    link = course / "solutions"
    if not link.exists():
        link.symlink_to(ROOT / "solutions", target_is_directory=True)


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

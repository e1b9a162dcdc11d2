"""From instructor notebooks to student notebooks, through nbgrader's own `generate_assignment`."""

from __future__ import annotations

import contextlib
import io
import traceback
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from nbgrader.apps import NbGraderApp

from autograder.courses import Course, Lesson, as_named
from autograder.model.errors import FULL, CourseError, is_full


class NbgraderError(CourseError):
    """An nbgrader command failed; the message holds what it said last."""


def nbgrader_here(*arguments: str, course: Course, folder: Path, log: Path | None = None) -> str:
    """Run an nbgrader command in this process, without the seconds that another takes to start.

    What it logged comes back. course: the one whose `nbgrader_config.py` holds; folder: where `submitted/`,
    `gradebook.db` and the like lie; log: a file to append the output to. Raises `NbgraderError` when it fails.
    """
    app = NbGraderApp.subcommands[arguments[0]][0](raise_config_file_errors=True)
    command = ["nbgrader", *arguments, f"--CourseDirectory.root={folder}"]
    said = io.StringIO()
    with as_named(course), contextlib.chdir(course.root), redirect_stdout(said), redirect_stderr(said):
        try:
            app.initialize(command[2:])
            app.start()
            code: int | str | None = None
        except SystemExit as end:
            code = end.code
        except Exception:
            code = traceback.format_exc()
    text = f"{said.getvalue()}{code}\n" if isinstance(code, str) else said.getvalue()
    _keep(log, command, text)
    if code:
        raise _failed(command, text.splitlines(keepends=True))
    return text


def _keep(log: Path | None, command: Sequence[str], said: str) -> None:
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(command)}\n{said}\n")


def _failed(command: Sequence[str], said: Sequence[str]) -> NbgraderError:
    if any(map(is_full, said)):
        return NbgraderError(FULL)
    return NbgraderError(f"`{' '.join(command)}` failed:\n{''.join(said[-12:])}")


def link_solutions(course: Course, folder: Path) -> None:
    """Put a course's lessons into another folder, so that nbgrader can release them there."""
    link = folder / "solutions"
    if not link.exists():
        link.symlink_to(course.solutions, target_is_directory=True)


def release(lesson: Lesson, folder: Path | None = None, log: Path | None = None) -> Path:
    """Generate the student's notebook of a lesson; its path comes back.

    folder: into which, and into whose gradebook; where none is named, into the course, and into no gradebook.
    """
    options = ["--force"]
    if folder is None:
        folder = lesson.course.root
        options.append("--no-db")
    else:
        folder.mkdir(parents=True, exist_ok=True)
        link_solutions(lesson.course, folder)
    nbgrader_here("generate_assignment", lesson.id, *options, course=lesson.course, folder=folder, log=log)
    return folder / lesson.released.relative_to(lesson.course.root)


def notebooks(course: Course) -> list[Path]:
    """What students get to open: the start page where there is one, then each lesson's notebook, in order."""
    first = [course.start] if course.start.is_file() else []
    return [*first, *(lesson.released for lesson in course.lessons)]


def release_lessons(course: Course, wanted: list[str]) -> None:
    """Release the wanted lessons, all when none is named."""
    chosen = course.chosen(wanted)
    for number, lesson in enumerate(chosen, start=1):
        print(f"[{number}/{len(chosen)}] releasing {lesson.id} …", end=" ", flush=True)
        print(release(lesson).relative_to(course.root))

"""Makes student notebooks from instructor notebooks with nbgrader's `generate_assignment`."""

from __future__ import annotations

import contextlib
import io
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from nbgrader.apps import NbGraderApp

from autograder.courses import Course, Lesson, course_settings
from autograder.exercises.errors import DISK_FULL, CourseError, is_disk_full


class NbgraderError(CourseError):
    """An nbgrader command failed; the message holds what it said last."""


def run_nbgrader_app(*arguments: str, course: Course, folder: Path, log: Path | None = None) -> str:
    """Run an nbgrader command in this process, because a new one takes seconds to start; return what it logged.

    Args:
        arguments: The command, as `generate_assignment`, and its arguments.
        course: The course whose `nbgrader_config.py` is read.
        folder: The class's folder, with `submitted/` and `gradebook.db`.
        log: A file to which the output is appended.

    Raises:
        NbgraderError: The command failed.
    """
    app = NbGraderApp.subcommands[arguments[0]][0](raise_config_file_errors=True)
    command = " ".join(["nbgrader", *arguments, f"--CourseDirectory.root={folder}"])
    output, failure = io.StringIO(), None
    streams = redirect_stdout(output), redirect_stderr(output)
    with course_settings(course), contextlib.chdir(course.root), streams[0], streams[1]:
        try:
            app.initialize([*arguments[1:], f"--CourseDirectory.root={folder}"])
            app.start()
        except SystemExit as end:
            failure = end.code
        except Exception:
            failure = traceback.format_exc()
    text = output.getvalue() + (f"{failure}\n" if isinstance(failure, str) else "")
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"$ {command}\n{text}\n")
    if failure:
        lines = text.splitlines(keepends=True)
        last = f"`{command}` failed:\n{''.join(lines[-12:])}"
        raise NbgraderError(DISK_FULL if any(map(is_disk_full, lines)) else last)
    return text


def link_solutions(course: Course, folder: Path) -> None:
    """Link a course's lessons into another folder, so that nbgrader can release them there."""
    link = folder / "solutions"
    if not link.exists():
        link.symlink_to(course.solutions, target_is_directory=True)


def release(lesson: Lesson, folder: Path | None = None, log: Path | None = None) -> Path:
    """Generate a lesson's student notebook and return its path.

    Args:
        lesson: The lesson to release.
        folder: The class that gets the notebook and an entry in its gradebook; the course itself, without a gradebook,
            where it is None.
        log: A file to which nbgrader's output is appended.

    Raises:
        CourseError: The lesson is not built.
    """
    if not lesson.built.is_file():
        raise CourseError(f"{lesson.built} is missing: run `{lesson.course.command} build {lesson.id}` first")
    options = ["--force"]
    if folder is None:
        folder = lesson.course.root
        options.append("--no-db")
    else:
        folder.mkdir(parents=True, exist_ok=True)
        link_solutions(lesson.course, folder)
    run_nbgrader_app("generate_assignment", lesson.id, *options, course=lesson.course, folder=folder, log=log)
    return folder / lesson.released.relative_to(lesson.course.root)


def notebooks(course: Course) -> list[Path]:
    """Return the paths of the start page, where there is one, and of the students' notebooks in order."""
    first = [course.start] if course.start.is_file() else []
    return [*first, *(lesson.released for lesson in course.lessons)]


def release_lessons(course: Course, wanted: list[str]) -> None:
    """Release the wanted lessons, or all when none is named."""
    chosen = course.chosen(wanted)
    for number, lesson in enumerate(chosen, start=1):
        print(f"[{number}/{len(chosen)}] releasing {lesson.id} …", end=" ", flush=True)
        print(release(lesson).relative_to(course.root))

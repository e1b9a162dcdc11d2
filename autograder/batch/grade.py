"""`attention-course grade`: nbgrader's `autograde`, for a class."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import warnings
from pathlib import Path

from nbgrader.apps import AutogradeApp
from rich.console import Console
from rich.logging import RichHandler
from sqlalchemy.exc import SAWarning

from autograder.author.course import Course, Lesson
from autograder.batch import engines
from autograder.batch.converter import GradeMany
from autograder.batch.progress import Telling
from autograder.model.errors import CourseError
from autograder.sandbox.notebook_runner import hash_seeds


def main(
    course: Course,
    wanted: list[str],
    folder: Path,
    jobs: int,
    scheduler: str,
    force: bool,
    quiet: bool,
    settings: list[str],
) -> None:
    """Grade the wanted lessons of a course, or all that something was handed in for in `folder`.

    settings: nbgrader's own, as `Execute.timeout=20`. Raises `CourseError` when a submission could not be
    graded; the others are.
    """
    warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")  # nbgrader's own
    app = nbgrader(course, folder, settings)
    console = Console(highlight=False)
    app.log.handlers = [_handler(console)]
    chosen = [course.lesson(name) for name in wanted] or _handed_in(course, folder)
    if not chosen:
        raise CourseError(f"nothing was handed in: {folder / 'submitted'} holds no lesson")
    patience = 2.0 * app.config.GradeAnswers.get("notebook_timeout", 300) + 120
    engine = (
        engines.cluster(scheduler, patience)
        if scheduler
        else engines.local(jobs, patience, course.visible, _hash_seeds(chosen))
    )
    try:
        with contextlib.chdir(app.coursedir.root):
            failed = sum(_grade(app, lesson, engine, force, quiet, console) for lesson in chosen)
    finally:
        engine.close()
    if failed:
        raise CourseError(
            f"{failed} submissions could not be graded, see above; run it again to try once more"
        )


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _grade(
    app: AutogradeApp,
    lesson: Lesson,
    engine: engines.Inline | engines.Workers,
    force: bool,
    quiet: bool,
    console: Console,
) -> int:
    app.coursedir.assignment_id = lesson.id
    converter = GradeMany(coursedir=app.coursedir, parent=app, force=force)
    converter.lesson = lesson
    return converter.grade(engine, functools.partial(Telling, lesson.id, quiet=quiet, console=console))


def nbgrader(course: Course, folder: Path, settings: list[str]) -> AutogradeApp:
    """nbgrader's own application, with the course's configuration, for another folder."""
    app = AutogradeApp(raise_config_file_errors=True)
    with contextlib.chdir(course.root):
        app.initialize([f"--CourseDirectory.root={folder}", *(f"--{setting}" for setting in settings)])
    return app


def _handler(console: Console) -> logging.Handler:
    """Warnings above the bar in a terminal, and as plain lines where there is none."""
    if console.is_terminal:
        return RichHandler(console=console, show_time=False, show_path=False, level=logging.WARNING)
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    return handler


def _hash_seeds(chosen: list[Lesson]) -> tuple[str, ...]:
    """The hash seeds of the processes in which these lessons' answers are asked."""
    exercises = (exercise for lesson in chosen for exercise in lesson.exercises)
    return hash_seeds(case for exercise in exercises for case in exercise.examples())


def _handed_in(course: Course, folder: Path) -> list[Lesson]:
    return [lesson for lesson in course.lessons if any((folder / "submitted").glob(f"*/{lesson.id}"))]

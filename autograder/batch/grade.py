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

from autograder.batch import engines
from autograder.batch.converter import GradeMany
from autograder.batch.progress import Telling
from autograder.errors import CourseError
from autograder.lessons import find_lesson, lessons
from autograder.runner import hash_seeds
from autograder.source import ROOT


def main(
    wanted: list[str], folder: Path, jobs: int, scheduler: str, force: bool, quiet: bool, settings: list[str]
) -> None:
    """Grade the wanted lessons, or all that something was handed in for, in the course folder `folder`.

    settings: nbgrader's own, as `Execute.timeout=20`. Raises `CourseError` when a submission could not be
    graded; the others are.
    """
    warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")  # of nbgrader's own queries
    app = nbgrader(folder, settings)
    console = Console(highlight=False)
    app.log.handlers = [_handler(console)]
    chosen = [find_lesson(lesson).id for lesson in wanted] or _handed_in(folder)
    if not chosen:
        raise CourseError(f"nothing was handed in: {folder / 'submitted'} holds no lesson")
    patience = 2.0 * app.config.GradeAnswers.get("notebook_timeout", 300) + 120
    engine = (
        engines.cluster(scheduler, patience)
        if scheduler
        else engines.local(jobs, patience, _hash_seeds(chosen))
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
    lesson: str,
    engine: engines.Inline | engines.Workers,
    force: bool,
    quiet: bool,
    console: Console,
) -> int:
    app.coursedir.assignment_id = lesson
    converter = GradeMany(coursedir=app.coursedir, parent=app, force=force)
    return converter.grade(engine, functools.partial(Telling, lesson, quiet=quiet, console=console))


def nbgrader(folder: Path, settings: list[str]) -> AutogradeApp:
    """nbgrader's own application, with this repository's configuration."""
    app = AutogradeApp(raise_config_file_errors=True)
    with contextlib.chdir(ROOT):
        app.initialize([f"--CourseDirectory.root={folder}", *(f"--{setting}" for setting in settings)])
    return app


def _handler(console: Console) -> logging.Handler:
    """Warnings above the bar in a terminal, and as plain lines where there is none."""
    if console.is_terminal:
        return RichHandler(console=console, show_time=False, show_path=False, level=logging.WARNING)
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    return handler


def _hash_seeds(chosen: list[str]) -> tuple[str, ...]:
    """The hash seeds of the processes in which these lessons' answers are asked."""
    exercises = (exercise for lesson in chosen for exercise in find_lesson(lesson).exercises)
    return hash_seeds(case for exercise in exercises for case in exercise.examples())


def _handed_in(folder: Path) -> list[str]:
    return [lesson.id for lesson in lessons() if any((folder / "submitted").glob(f"*/{lesson.id}"))]

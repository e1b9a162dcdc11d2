"""The command `grade`: nbgrader's `autograde`, for a class, with many submissions at a time."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import warnings
from collections.abc import Sequence
from pathlib import Path

from nbgrader.apps import AutogradeApp
from rich.console import Console
from sqlalchemy.exc import SAWarning
from traitlets import TraitError

from autograder.classroom import class_folder
from autograder.courses import Course, Lesson, course_settings
from autograder.exercises.errors import CourseError
from autograder.exercises.text import list_first
from autograder.grading import batch, engines
from autograder.grading.batch import IsPostponed, never_postponed
from autograder.grading.grade_submission import GradeAnswers
from autograder.grading.progress_bar import ProgressBar
from autograder.records import discovery, mistake_clusters, submission_status
from autograder.sandbox import fork_server
from autograder.submissions.submission_folder import printable


class NotAllGraded(CourseError):
    """Some submissions could not be graded; the others are."""


_MAX_NAMED = 10
"""Folders that one message names."""


def grade_class(
    course: Course,
    wanted: list[str],
    folder: Path,
    jobs: int,
    scheduler: str = "",
    force: bool = False,
    settings: Sequence[str] = (),
    is_postponed: IsPostponed = never_postponed,
) -> None:
    """Grade the wanted lessons of a course, or all that something was handed in for in `folder`.

    jobs: how many at a time, 0 for one a core; settings: nbgrader's own, as `Execute.timeout=20`;
    is_postponed: whose work on which lesson is left for a later time.
    Raises `NotAllGraded` when a submission could not be graded.
    """
    warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")  # nbgrader's own
    app = autograde_app(course, folder, settings)
    console = Console(highlight=False)
    app.log.handlers = [logging.lastResort]  # warnings as plain lines, above the bar
    lessons = choose_lessons(course, wanted, folder)
    mistake_clusters.read_names(folder, mistake_clusters.load_clusters(folder))
    try:
        GradeAnswers(config=app.config)
    except TraitError as error:
        raise CourseError(f"a setting cannot be used: {error}") from None
    failed = 0
    with contextlib.chdir(app.coursedir.root):
        classes = [batch.BatchGrader.of(lesson, app, force, is_postponed) for lesson in lessons]
        changed = [grader.lesson for grader in classes if grader.changed]
        with (
            engines.dask_engine(scheduler)
            if scheduler
            else engines.local_engine(jobs or count_cores()) as engine
        ):
            if changed and not scheduler:
                fork_server.start(course.visible, [lesson.id for lesson in changed])
            for grader in classes:
                telling = functools.partial(ProgressBar, grader.lesson.id, console=console)
                failed += grader.grade(engine, telling)
                mistake_clusters.update_clusters(grader.lesson, folder)
    if failed:
        raise NotAllGraded(f"{failed} submissions could not be graded, see above: run it again")


def choose_lessons(course: Course, wanted: Sequence[str], folder: Path) -> list[Lesson]:
    """Return the named lessons, all that were handed in when none is named. Raises `CourseError` where none was."""
    named, place = [course.lesson(name) for name in wanted], folder / "submitted"
    if handed_in := lessons_handed_in(course, folder):
        return named or handed_in
    if locked := sorted(printable(path.name) for path in place.glob("*") if discovery.is_locked(path)):
        names = list_first(locked, _MAX_NAMED)
        raise CourseError(f"{place}: what lies in {names} may not be read; call chmod -R u+rX on it")
    wanted_place = f"{place}/<student>/<lesson>/"
    raise CourseError(f"nothing was handed in: {place} holds no lesson; put notebooks into {wanted_place}")


def lessons_handed_in(course: Course, folder: Path) -> list[Lesson]:
    """Return the lessons that something was handed in for.

    Where no folder holds one, and some may not be read, these may hold each lesson that was handed out. Raises
    `CourseError` where `submitted/` itself may not be read.
    """
    place = folder / "submitted"
    if discovery.is_locked(place):
        raise CourseError(f"{place} may not be read; call chmod -R u+rX on it")
    lessons = {path.name for path in place.glob("*/*")}.intersection(lesson.id for lesson in course.lessons)
    if not lessons and any(map(discovery.is_locked, place.glob("*"))):
        lessons = {*submission_status.lessons_handed_out(class_folder.directory_of(course, folder))}
    return [lesson for lesson in course.lessons if lesson.id in lessons]


def count_cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def autograde_app(course: Course, folder: Path, settings: Sequence[str]) -> AutogradeApp:
    """Return nbgrader's own application, with the course's configuration, for another folder."""
    app = AutogradeApp(raise_config_file_errors=True)
    with course_settings(course), contextlib.chdir(course.root):
        app.initialize([f"--CourseDirectory.root={folder}", *(f"--{setting}" for setting in settings)])
    return app

"""nbgrader's settings for a course of this grader."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from nbgrader import preprocessors as stock
from nbgrader.converters import GenerateAssignment
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.classroom.class_folder import CONFIG
from autograder.classroom.dates import read_dates
from autograder.classroom.hand_out import ReleaseExporter, TodoStubs
from autograder.courses import Course, open_course
from autograder.exercises import public_course
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import STUB
from autograder.nbgrader_plugin import exchange, patches
from autograder.pages.feedback import QuietPage, ReadGrades
from autograder.records.grade_table import GradesExporter
from autograder.submissions.submission_folder import SOURCE_PATTERNS


def apply(c: Config, folder: Path) -> None:
    """Put everything into nbgrader's configuration that the course in this folder needs.

    A course's `nbgrader_config.py` calls it first; what stands below that call there goes before what stands here.
    """
    course = _open(folder)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # small arrays: waiting threads cost ten times more
    c.TheCourse.folder = str(course.root)
    c.CourseDirectory.root = str(folder)
    c.CourseDirectory.course_id = course.name
    c.CourseDirectory.source_directory = course.generated.relative_to(course.root).as_posix()
    c.CourseDirectory.release_directory = "course"
    c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc", *SOURCE_PATTERNS]

    # A release: every solution becomes a TODO; what was handed out is kept.
    c.GenerateAssignment.exporter_class = ReleaseExporter
    c.TodoStubs.code_stub = {"python": f'# TODO: your code here\nraise NotImplementedError("{STUB}")'}
    c.TodoStubs.text_stub = "*Your answer here.*"
    steps = GenerateAssignment.preprocessors.default()
    steps[steps.index(stock.ClearSolutions)] = TodoStubs
    c.GenerateAssignment.preprocessors = steps

    # Grading: find and read anything, take only the student's own cells from it, judge outside the student's process.
    patches.install()
    c.Autograde.sanitize_preprocessors = []
    c.Autograde.autograde_preprocessors = [stock.IgnorePattern, stock.LimitOutput]

    # Grades out: a lesson that was handed out has a row for each student, a grade only where there is one.
    c.ExportApp.plugin_class = GradesExporter

    # Feedback: a page on which nothing runs and nothing is fetched, made anew each time; the exchange takes it to those
    # who handed in there.
    c.GenerateFeedback.exporter_class = QuietPage
    c.GenerateFeedback.force = True
    c.ExchangeFactory.release_assignment = exchange.ReleaseAssignment
    c.ExchangeFactory.release_feedback = exchange.ReleaseFeedback
    c.ExchangeFactory.collect = exchange.Collect
    c.ExchangeFactory.list = exchange.List
    c.ZipCollectApp.extractor_plugin = exchange.RefusedZip
    c.GenerateFeedback.preprocessors = [ReadGrades]
    c.Execute.shutdown_kernel = "immediate"


def apply_to_class(c: Config, folder: Path) -> None:
    """Do the same for a class that lies elsewhere: all that its course's `nbgrader_config.py` says, for this folder."""
    course = _open(os.environ.get(public_course.COURSE_VARIABLE) or folder)
    c.merge(PyFileConfigLoader(CONFIG, path=str(course.root)).load_config())
    c.CourseDirectory.root = str(folder)
    # nbgrader puts the root before it: formgrader lists the lessons that lie there
    c.CourseDirectory.source_directory = os.path.relpath(course.generated, folder)
    try:
        c.CourseDirectory.groupshared = read_dates(folder).groupshared
    except CourseError as error:
        sys.exit(f"✗ {error}")


def _open(folder: Path | str) -> Course:
    """Open the course in a folder. Without it nbgrader would go on with its own settings, so this ends the process."""
    try:
        return open_course(folder)
    except CourseError as error:
        sys.exit(f"✗ {error}")

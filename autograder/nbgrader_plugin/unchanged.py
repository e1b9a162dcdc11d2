"""Leaves a feedback page as it is where nothing has changed that it is made of: a digest of that stands in the page."""

from __future__ import annotations

import functools
import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from nbgrader.api import Comment, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory

from autograder.courses import open_course, versions
from autograder.nbgrader_plugin import attempts, changes, fingerprint, folders, kept
from autograder.nbgrader_plugin.dates import read_dates
from autograder.nbgrader_plugin.gradebook import rows_of

_MADE_OF = "made-of"
"""The name under which a page's digest stands among what it says of itself."""

OF_A_PAGE = ("model", "nbgrader_plugin", "sandbox", "student")
"""The rooms whose code makes a page."""

_usual = GenerateFeedback.init_destination


def install_feedback() -> None:
    """Have nbgrader make only pages that would be others."""
    GenerateFeedback.init_destination = _is_to_be_made


def made_of(converter: GenerateFeedback, lesson: str, student: str) -> str:
    """The digest of all that a student's page is made of."""
    course, of_class = converter.coursedir, _of_class(converter, lesson)
    known = read_dates(Path(course.root))
    about = kept.graded_path(course, lesson, student).stat()
    work = attempts.graded_work(course, lesson, student)
    told = [
        of_class[student],
        (about.st_mtime_ns, about.st_size),
        attempts.earlier(course, lesson, student, work),
        attempts.problem(course, lesson, student),
        changes.told(Path(course.root), lesson, student, work),
        known.of(lesson, student),
        known.zone_of(student),
        of_class[""],
    ]
    return hashlib.sha256(repr(told).encode(errors="replace")).hexdigest()


def _is_to_be_made(converter: GenerateFeedback, lesson: str, student: str) -> bool:
    place = Path(converter._format_dest(lesson, student))
    page = folders.notebook_of(place).with_suffix(".html")
    known = f'<meta name="{_MADE_OF}" content="{made_of(converter, lesson, student)}">'
    if page.is_file() and known in page.read_text(encoding="utf-8"):
        return False
    return bool(_usual(converter, lesson, student))


def _of_class(converter: GenerateFeedback, lesson: str) -> dict[str, list[Any]]:
    """What a gradebook says of a lesson's grades, by student; under no name what all pages are made of."""
    if not hasattr(converter, "of_class"):
        converter.of_class = {**_in_gradebook(converter.coursedir, lesson), "": [_of_all(converter)]}
    return converter.of_class


def _in_gradebook(course: CourseDirectory, lesson: str) -> dict[str, list[Any]]:
    found = defaultdict(list)
    of_grade = (Grade.auto_score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade)
    late = SubmittedNotebook.late_submission_penalty
    about = (Grade.max_score, SubmittedAssignment.timestamp, late)
    with Gradebook(course.db_url, course.course_id) as gradebook:
        for kind, columns in ((Grade, (*of_grade, *about)), (Comment, (Comment.manual_comment,))):
            for student, *row in rows_of(gradebook, lesson, kind, *columns):
                found[student].append(row)
    return found


def _of_all(converter: GenerateFeedback) -> list[Any]:
    """What all pages are made of: the course, the code, the libraries and the settings."""
    course = open_course(converter.config.TheCourse.folder)
    settings = json.dumps(converter.config, sort_keys=True, default=repr)
    version = versions.version_of(versions.look_at(course.root), course.root)
    return [version, _code(), fingerprint.library_versions(course), settings]


@functools.cache
def _code() -> str:
    package = Path(__file__).parents[1]
    files = (path for room in OF_A_PAGE for path in (package / room).rglob("*") if path.suffix != ".pyc")
    return versions.version_of({str(path): (0, 0) for path in files if path.is_file()}, package)

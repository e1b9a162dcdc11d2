"""Leaves a feedback page as it is where nothing has changed that it is made of: a digest of that stands in the page."""

from __future__ import annotations

import functools
import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from nbgrader.api import Comment, Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory

from autograder.courses import open_course, versions
from autograder.nbgrader_plugin import attempts, changes, fingerprint, folders, kept
from autograder.nbgrader_plugin.dates import read_dates
from autograder.nbgrader_plugin.gradebook import read_earned, rows_of

OF_A_PAGE = ("model", "nbgrader_plugin", "sandbox", "student")
"""The rooms whose code makes a page."""

_usual = GenerateFeedback.init_destination


def install_feedback() -> None:
    """Have nbgrader make only pages that would be others."""
    GenerateFeedback.init_destination = _is_to_be_made


def _is_to_be_made(converter: GenerateFeedback, lesson: str, student: str) -> bool:
    course = converter.coursedir
    if not hasattr(converter, "of_class"):
        converter.of_class, converter.of_all = _in_gradebook(course, lesson), _of_all(converter)
    told = {**converter.of_class[student], **_in_folder(course, lesson, student)}
    about = kept.graded_path(course, lesson, student).stat()
    made_of = repr([told, about.st_mtime_ns, about.st_size, converter.of_all])
    digest = hashlib.sha256(made_of.encode(errors="replace")).hexdigest()
    converter.told = {**told, "made_of": digest}
    page = folders.notebook_of(Path(converter._format_dest(lesson, student))).with_suffix(".html")
    if page.is_file() and f'<meta name="made-of" content="{digest}">' in page.read_text(encoding="utf-8"):
        return False
    return bool(_usual(converter, lesson, student))


def _in_folder(course: CourseDirectory, lesson: str, student: str) -> dict[str, Any]:
    """What the class's folder says of a student's grade, beside the graded notebook, by the template's names."""
    root, known = Path(course.root), read_dates(Path(course.root))
    work = kept.outcome_of(course, lesson, student).work
    problem = attempts.problem(course, lesson, student)
    return {
        "earlier": attempts.earlier(course, lesson, student, work),
        "changes": changes.told(root, lesson, student, work),
        "problem": problem if problem and attempts.is_other_work(course, lesson, student) else None,
        "deadline": known.of(lesson, student),
        "zone": known.zone_of(student),
    }


def _in_gradebook(course: CourseDirectory, lesson: str) -> dict[str, dict[str, Any]]:
    """What the gradebook says of a lesson's grades, by student; of cells, by their names."""
    comments = defaultdict[str, dict[str, str]](dict)
    with Gradebook(course.db_url, course.course_id) as gradebook:
        for student, name, comment in rows_of(gradebook, lesson, Comment, Comment.manual_comment):
            comments[student][name] = comment
    return {
        student: {
            "grades": earned.cells,
            "comments": comments[student],
            "score": earned.points,
            "max_score": earned.most,
            "late_penalty": earned.penalty,
            "handed_in": earned.handed_in,
        }
        for student, earned in read_earned(course, lesson).items()
    }


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

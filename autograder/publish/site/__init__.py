"""The lessons as a static web site, for reading: made with Sphinx, and whole without a network."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from sphinx.cmd.build import build_main

from autograder.author import released
from autograder.author.course import Course
from autograder.model.errors import CourseError
from autograder.publish import kit
from autograder.publish.site import pages

SETTINGS = Path(__file__).parent / "sphinx"
"""Sphinx's `conf.py` and the site's own style."""


class SiteError(CourseError):
    """Sphinx could not make the site; the message says what it complained about."""


def build(course: Course, folder: Path) -> Path:
    """Write the site to `folder`, which is made anew; the start page's path comes back.

    Raises `SiteError` when Sphinx has anything to complain about, a link that leads nowhere for example, and
    `EditedNotebookError` when a notebook in `course/` holds someone's work.
    """
    shutil.rmtree(folder, ignore_errors=True)
    with TemporaryDirectory() as scratch:
        source = Path(scratch) / "source"
        _write_source(course, source)
        _run_sphinx(course, source, folder, Path(scratch))
    return folder / "index.html"


def _write_source(course: Course, source: Path) -> None:
    """What Sphinx reads: a notebook a page, in folders named as in `course/`, so that links hold."""
    shutil.copytree(SETTINGS, source)
    for lesson in course.lessons:
        page = source / released.path_of(lesson).relative_to(course.released)
        page.parent.mkdir(parents=True)
        nbformat.write(pages.lesson_page(lesson), page)
    nbformat.write(pages.start_page(course), source / "index.ipynb")
    kit.write(course, source / pages.KIT)


def _run_sphinx(course: Course, source: Path, folder: Path, scratch: Path) -> None:
    warnings = scratch / "warnings.txt"
    titles = [f"-D{name}={course.title}" for name in ("project", "html_title")]
    arguments = [*titles, "-q", "-W", "--keep-going", "-d", scratch / "doctrees", "-w", warnings]
    if build_main([*map(str, arguments), str(source), str(folder)]):
        raise SiteError(f"the site could not be made; Sphinx says:\n{warnings.read_text(encoding='utf-8')}")

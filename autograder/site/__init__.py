"""The lessons as a static web site, for reading: made with Sphinx, and whole without a network."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from sphinx.cmd.build import build_main

from autograder import kit, released
from autograder.errors import CourseError
from autograder.lessons import lessons
from autograder.site import formulas, pages

SETTINGS = Path(__file__).parent / "sphinx"
"""Sphinx's `conf.py` and the site's own style."""


class SiteError(CourseError):
    """Sphinx could not make the site; the message says what it complained about."""


def build(folder: Path) -> Path:
    """Write the site to `folder`, which is made anew; the start page's path comes back.

    Raises `SiteError` when Sphinx has anything to complain about, a link that leads nowhere for example, and
    `EditedNotebookError` when a notebook in `course/` holds someone's work.
    """
    shutil.rmtree(folder, ignore_errors=True)
    with TemporaryDirectory() as scratch:
        source = Path(scratch) / "source"
        _write_source(source)
        _run_sphinx(source, folder, Path(scratch))
    return folder / "index.html"


def _write_source(source: Path) -> None:
    """What Sphinx reads: a notebook a page, in folders named as in `course/`, so that links hold."""
    shutil.copytree(SETTINGS, source)
    formulas.write_font(source / "static" / formulas.FONT)
    for lesson in lessons():
        page = source / released.path_of(lesson).relative_to(released.START.parent)
        page.parent.mkdir(parents=True)
        nbformat.write(pages.lesson_page(lesson), page)
    nbformat.write(pages.start_page(), source / "index.ipynb")
    kit.write(source / pages.KIT)


def _run_sphinx(source: Path, folder: Path, scratch: Path) -> None:
    warnings = scratch / "warnings.txt"
    arguments = ["-q", "-W", "--keep-going", "-d", scratch / "doctrees", "-w", warnings]
    if build_main([*map(str, arguments), str(source), str(folder)]):
        raise SiteError(f"the site could not be made; Sphinx says:\n{warnings.read_text(encoding='utf-8')}")

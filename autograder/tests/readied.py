"""What each grading does first is done once, for all processes that are forked from one that imports this.

What decides a grade is read, and a gradebook was opened.
"""

from __future__ import annotations

from tempfile import TemporaryDirectory

from nbgrader.api import Gradebook
from sqlalchemy.orm import configure_mappers

from autograder.nbgrader_plugin import patches
from autograder.records import fingerprint
from autograder.tests.this_course import COURSE

patches.install()
configure_mappers()
with TemporaryDirectory() as folder, Gradebook(f"sqlite:///{folder}/gradebook.db"):
    fingerprint.lesson_digest(COURSE.lessons[0])

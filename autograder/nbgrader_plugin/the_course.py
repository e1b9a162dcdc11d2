"""Which course nbgrader's settings are for."""

from __future__ import annotations

from pathlib import Path

from traitlets.config import Config

from autograder.author.course import Course, open_course


def course_of(config: Config) -> Course:
    """The course that `settings.apply` was called for."""
    return open_course(Path(config.TheCourse.folder))

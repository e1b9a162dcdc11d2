"""What several test modules share."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.release import release
from autograder.source import ROOT


@pytest.fixture(scope="session")
def make_course(tmp_path_factory: pytest.TempPathFactory):
    """A function that releases a lesson in a course folder of its own: folder and released notebook come back."""

    def make(lesson: str) -> tuple[Path, Path]:
        course = tmp_path_factory.mktemp("course")
        (course / "solutions").symlink_to(ROOT / "solutions", target_is_directory=True)
        return course, release(lesson, course)

    return make

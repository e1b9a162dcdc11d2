"""What several test modules share."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.author.release import link_solutions
from autograder.nbgrader_plugin.grading import SALT
from autograder.tests.commands import run_nbgrader
from autograder.tests.this_course import COURSE, find_lesson

LONG = (
    "test_attacks",
    "test_batch",
    "test_validity",
    "test_docs",
    "test_round",
    "test_chain",
    "test_accessibility",
    "test_kit",
    "test_student",
    "test_own_course",
    "test_instructor",
    "test_runner",
    "test_seal",
    "test_site",
)
"""The files that take longest, by name."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long files, so that in the end neither process waits for the other."""
    items.sort(key=lambda item: LONG.index(item.path.stem) if item.path.stem in LONG else len(LONG))


@pytest.fixture(scope="session")
def make_course(tmp_path_factory: pytest.TempPathFactory):
    """A function that releases a lesson in a course folder of its own: folder and released notebook come back."""

    def make(lesson: str) -> tuple[Path, Path]:
        course = tmp_path_factory.mktemp("course")
        link_solutions(COURSE, course)
        run_nbgrader("generate_assignment", lesson, "--force", folder=course)
        (course / SALT).touch()  # the same cases in each run
        return course, course / "course" / lesson / f"{find_lesson(lesson).notebook}.ipynb"

    return make

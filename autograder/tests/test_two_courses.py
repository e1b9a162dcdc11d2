"""Helpers of a course are found, and not mixed up with those of another. A course that changed is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from autograder.authoring import scaffold
from autograder.courses import open_course
from autograder.exercises.errors import CourseError
from autograder.exercises.verdict import State
from autograder.records import record_store
from autograder.tests import needs, small_course
from autograder.tests.commands import run_ours
from autograder.tests.grading import hand_in, right
from autograder.tests.small_course import LESSON, NOTEBOOK


def make_course(folder: Path, helpers: str, code: str) -> Path:
    """A small course with a package of helpers."""
    scaffold.new_course(folder)
    settings = folder / "solutions" / "course.toml"
    settings.write_text(f'helpers = "{helpers}"\n{settings.read_text()}')
    (folder / "solutions" / helpers).mkdir()
    (folder / "solutions" / helpers / "__init__.py").write_text(code)
    return folder


def test_a_notebook_imports_helpers_that_nobody_installed_and_none_of_what_lies_beside_them(
    tmp_path: Path,
) -> None:
    folder = make_course(tmp_path, "helpers_here", "number = 3") / "course" / LESSON
    folder.mkdir(parents=True)
    (tmp_path / "solutions" / "beside").mkdir()
    (tmp_path / "solutions" / "beside" / "__init__.py").touch()
    code = "from autograder import check; from helpers_here import number; print(number); import beside"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.stdout == "3\n"
    assert "No module named 'beside'" in done.stderr


def test_two_courses_whose_helpers_have_one_name_are_not_mixed_up(tmp_path: Path) -> None:
    first, second = (make_course(tmp_path / name, "helpers_of_both", f"name = {name!r}") for name in "cd")
    assert open_course(first).visible.helpers == "helpers_of_both"
    with pytest.raises(CourseError, match=f"helpers = 'helpers_of_both', but {first}/.* is imported"):
        _ = open_course(second).visible


@needs.seal
def test_a_formgrader_that_runs_refuses_a_course_that_was_edited_meanwhile(tmp_path: Path) -> None:
    """What its buttons call, in one process; the file is as long as before."""
    own = small_course.make(tmp_path / "own").root
    run_ours("hand-out", LESSON, folder=own)
    lesson = open_course(own).lesson(LESSON)
    hand_in(own, "amy", lesson, right(lesson, ["to_celsius"]))
    config = PyFileConfigLoader("nbgrader_config.py", path=str(own)).load_config()
    formgrader = NbGraderAPI(CourseDirectory(config=config), config=config)
    for button in (formgrader.autograde, formgrader.generate_feedback):
        assert button(LESSON, "amy")["success"]
    verdicts, page = (
        record_store.load_record(lesson, "amy", own).verdicts,
        (own / "feedback/amy" / LESSON / NOTEBOOK),
    )
    made = page.with_suffix(".html").read_bytes()
    assert verdicts["to_celsius"].state is State.RIGHT
    judging = lesson.judging("to_celsius")
    judging.write_text(judging.read_text().replace('" - 32"', '" - 31"'))
    for button in (formgrader.autograde, formgrader.generate_feedback):
        answer = button(LESSON, "amy", force=True)
        assert not answer["success"]
        assert f"{own} has changed since this program was started: start it again" in answer["error"]
    assert record_store.load_record(lesson, "amy", own).verdicts == verdicts
    assert page.with_suffix(".html").read_bytes() == made

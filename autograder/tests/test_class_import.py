"""A class folder that an earlier version made goes on with this one: grades, marks, attempts, and what comes next.

`samples/class_<version>.tar.xz` holds a course and a class as a release made them, see `class_sample`.

`samples/class_before_store.tar.xz` holds one of November 2026, of the small course with two lessons. Amy handed in
lesson 1 twice, has a mark by hand there, and was late in lesson 2. Ben's second file in lesson 1 is empty, and he
withdrew from lesson 2.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.classroom.class_folder import directory_of
from autograder.courses import Course, open_course
from autograder.records import record_store
from autograder.tests import class_sample, needs, small_course
from autograder.tests.class_sample import SAMPLES
from autograder.tests.commands import run_ours
from autograder.tests.grading import hand_in, right
from autograder.tests.small_course import LESSON, NOTEBOOK, SECOND

pytestmark = [pytest.mark.slow, needs.seal]

BEFORE = SAMPLES / "class_before_store.tar.xz"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    folder = tmp_path_factory.mktemp("course") / "weather"
    return small_course.make(folder, question=small_course.QUESTION, lessons=(LESSON, SECOND))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, course: Course) -> Path:
    unpacked = tmp_path_factory.mktemp("before")
    shutil.unpack_archive(BEFORE, unpacked)
    settings = unpacked / "class.toml"
    settings.write_text(settings.read_text().replace("COURSE", str(course.root)))
    (unpacked / ".grades-before.json").write_text("{}")
    return unpacked


def table(folder: Path) -> list[dict[str, str]]:
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_round_takes_it_over_once_and_changes_no_grade(folder: Path) -> None:
    before, changes = table(folder), (folder / "changes.csv").read_text()
    said = run_ours("round", "--class", str(folder), folder=folder, fails=True)
    assert "taken over from the version before: 4 grades, 1 earlier attempts, 1 changes of grades" in said
    assert table(folder) == before
    assert [row["standing"] for row in before] == ["graded", "graded", "graded", "withdrawn"]
    assert (folder / "changes.csv").read_text() == changes
    assert "wait" not in said, "a mark given to these words stays"
    page = (folder / "feedback" / "amy" / LESSON / f"{NOTEBOOK}.html").read_text()
    assert "Sun 2026-03-01 09:00 UTC: 6 of 10 points" in page
    page = (folder / "feedback" / "ben" / LESSON / f"{NOTEBOOK}.html").read_text()
    assert "could not be graded, so these points stay" in page


def test_its_files_are_kept_and_a_second_import_adds_nothing(folder: Path, course: Course) -> None:
    directory = directory_of(course, folder)
    rows = record_store.load_histories(directory, LESSON)
    assert {path.name for path in (folder / "imported").iterdir()} == {
        "attempts",
        "gradebook.salt",
        ".grades-before.json",
    }
    shutil.copytree(folder / "imported" / "attempts", folder / "attempts")
    said = run_ours("round", "--class", str(folder), folder=folder, fails=True)
    assert "2 of 2 done (1 not graded, 1 unchanged)" in said
    assert "1 of 1 done (1 unchanged)" in said
    assert "taken over" not in said
    assert record_store.load_histories(directory, LESSON) == rows


def test_what_it_kept_of_withdrawn_work_can_be_forgotten_and_new_work_is_graded(
    folder: Path, course: Course
) -> None:
    run_ours("round", SECOND, "--class", str(folder), "--forget", "ben", folder=folder)
    assert [row["standing"] for row in table(folder) if row["assignment"] == SECOND] == [
        "graded",
        "not handed in",
    ]
    lesson = course.lesson(LESSON)
    hand_in(folder, "ben", lesson, right(lesson) | {"why_kelvin": "It is cold."})
    run_ours("round", LESSON, "--class", str(folder), folder=folder)
    scores = {row["student_id"]: row["standing"] for row in table(folder) if row["assignment"] == LESSON}
    assert scores == {"amy": "graded", "ben": "waits for marks"}
    page = (folder / "feedback" / "ben" / LESSON / f"{NOTEBOOK}.html").read_text()
    assert "6 of 10 points" in page, "the earlier attempt"


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("class_[0-9]*.tar.xz")), ids=lambda path: path.name)
def test_a_released_version_s_class_is_graded_again_with_the_same_grades_and_its_notebooks_work(
    sample: Path, tmp_path: Path
) -> None:
    released = class_sample.unpack_sample(sample, tmp_path)
    before = table(released)
    assert [(row["student_id"], row["score"]) for row in before] == [("amy", "9"), ("ben", "3")]
    run_ours("grade", "--force", "--class", str(released), folder=released)
    said = run_ours("round", "--class", str(released), folder=released)
    assert "changed" not in said.replace("unchanged", "")
    assert table(released) == before
    course = open_course(tmp_path / "course")
    lesson = course.lesson(LESSON)
    hand_in(released, "ben", lesson, right(lesson))
    run_ours("round", "--class", str(released), folder=released)
    assert [row["score"] for row in table(released)] == ["9", "6"]
    handed_in = released / "submitted" / "amy" / LESSON / f"{NOTEBOOK}.ipynb"
    shutil.copy(handed_in, lesson.released)
    check_all = [sys.executable, "-m", "autograder.notebook.check_all", lesson.released]
    said = subprocess.run(check_all, cwd=course.root, capture_output=True, text=True, check=True).stdout
    assert "2 of 2 exercises pass" in said

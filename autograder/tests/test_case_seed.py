"""Secret, gradebook and what was handed out are never replaced in silence: a round stops, and says why."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory

from autograder.classroom.class_folder import SECRET_FILE
from autograder.demo import samples
from autograder.exercises.errors import CourseError
from autograder.records import case_seed, record_store
from autograder.tests.commands import run_ours
from autograder.tests.grading import grade, held
from autograder.tests.this_course import FIXED, find_lesson

LESSON = find_lesson("01_weighted_sums")
STUDENTS = ("amy", "bob")


@pytest.fixture(scope="module")
def graded(make_course) -> Path:
    folder, release = make_course(LESSON.id)
    for student in STUDENTS:
        samples.put_file(folder / "submitted", student, LESSON.id, release.name, release.read_bytes())
    grade(folder)
    return folder


@pytest.fixture
def course(graded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(graded, tmp_path / "class", symlinks=True)


def secret(course: Path) -> str:
    return case_seed.load_secret(CourseDirectory(root=str(course)))


def test_a_secret_is_made_once_and_copied_with_the_gradebook(tmp_path: Path) -> None:
    first = secret(tmp_path)
    assert len(first) == 32
    assert secret(tmp_path) == first
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "gradebook.db", tmp_path / "copy")
    assert secret(tmp_path / "copy") == first


@pytest.mark.parametrize("content", [b"", FIXED[:20].encode(), b"\xff\xfe"])
def test_a_file_that_should_bring_a_secret_and_does_not_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / SECRET_FILE).write_bytes(content)
    with pytest.raises(
        CourseError, match=f"{SECRET_FILE} (is damaged|cannot be read).*put back a copy|Put back a copy"
    ):
        secret(tmp_path)


def test_with_a_new_one_all_is_graded_again(course: Path) -> None:
    before = secret(course)
    assert before == FIXED.strip(), "of the file that the version before had"
    assert not (course / SECRET_FILE).exists()
    (course / SECRET_FILE).write_text(FIXED[::-1])
    assert "2 unchanged" in grade(course), "a class that has a secret takes no other"
    assert "new secret" in run_ours("new-salt", "--class", str(course))
    assert secret(course) not in (before, before[::-1])
    assert "unchanged" not in grade(course)
    assert "2 unchanged" in grade(course)
    records = record_store.load_records(CourseDirectory(root=str(course)), LESSON.id).values()
    assert {record.secret for record in records} == {case_seed.secret_digest(secret(course))}


@pytest.mark.parametrize(
    ("verb", "content"), [("round", b""), *(("grade", one) for one in (b'{"cells": [', b"[]", b"\xff\xfe"))]
)
def test_a_broken_copy_of_what_was_handed_out_is_named_before_anyone_is_graded(course, content, verb):
    path = next((course / "handed_out" / LESSON.id).glob("*.ipynb"))
    path.write_bytes(content)
    before = held(course)
    said = run_ours(verb, "--class", str(course), fails=True).strip()
    assert said.startswith(f"✗ {path} ")
    assert "put a copy of the notebook in its place" in said
    assert "\n" not in said
    assert held(course) == before


def test_a_setting_takes_the_secret_s_place(course: Path) -> None:
    assert "unchanged" not in grade(course, "--setting", "GradeAnswers.salt=autumn")
    records = record_store.load_records(CourseDirectory(root=str(course)), LESSON.id).values()
    assert {record.secret for record in records} == {""}

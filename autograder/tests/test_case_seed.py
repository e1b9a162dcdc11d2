"""Secret, gradebook and what was handed out are never replaced in silence: a round stops, and says why."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory

from autograder.authoring.release import NbgraderError
from autograder.classroom.class_folder import SECRET_FILE
from autograder.demo import samples
from autograder.exercises.errors import CourseError
from autograder.records import case_seed, record_store
from autograder.tests.commands import run_nbgrader, run_ours
from autograder.tests.grading import grade
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


def held(course: Path) -> dict[str, bytes]:
    """All files of a class but those that a database makes beside itself."""
    files = (path for path in course.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {
        str(path.relative_to(course)): path.read_bytes() for path in files if "solutions" not in path.parts
    }


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


LATER = "a later version of the grader: update it"
UNKNOWN = {
    "update attention_course_state set value = '9' where name = 'version'": LATER,
    "update attention_course_state set value = '2.1b' where name = 'version'": LATER,
    "update alembic_version set version_num = '0a'": "an unknown version of nbgrader (0a): install that version",
}


@pytest.mark.parametrize("statement", UNKNOWN)
def test_a_database_of_an_unknown_version_is_told_and_left_as_it_is(course: Path, statement: str) -> None:
    with sqlite3.connect(course / "gradebook.db") as base:
        base.execute("drop table attention_course_changes")
        base.execute(statement)
    base.close()
    before, reason = held(course), f"{course / 'gradebook.db'} was written by {UNKNOWN[statement]}"
    for command in (["round"], ["grade"], ["report"], ["new-salt"], ["hand-out", LESSON.id]):
        assert run_ours(*command, "--class", str(course), fails=True) == f"✗ {reason}"
    assert held(course) == before
    with pytest.raises(NbgraderError, match=re.escape(reason)):
        run_nbgrader("export", folder=course)


def emptied(course: Path) -> None:
    (course / "gradebook.db").write_bytes(b"")


def nothing_graded_in_it(course: Path) -> None:
    with sqlite3.connect(course / "gradebook.db") as base:
        base.execute("delete from submitted_assignment")
        base.execute("delete from attention_course_records")
    base.close()


GRADEBOOKS = {
    "empty file": (emptied, "holds no grades"),
    "no grades": (nothing_graded_in_it, "holds no grades"),
    "missing": (lambda course: (course / "gradebook.db").unlink(), "is missing"),
}


@pytest.mark.parametrize(
    ("verb", "kind"),
    [*((verb, "missing") for verb in ("round", "report", "mark")), *(("grade", kind) for kind in GRADEBOOKS)],
)
def test_a_gradebook_that_has_lost_what_was_graded_stops_the_round(course, kind, verb):
    spoil, words = GRADEBOOKS[kind]
    spoil(course)
    before = held(course)
    said = run_ours(verb, "--class", str(course), fails=True).strip()
    assert "\n" not in said
    for needed in (
        str(course / "gradebook.db"),
        words,
        f"has 2 graded notebooks ({LESSON.id})",
        "put a copy",
    ):
        assert needed in said, said
    assert held(course) == before


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

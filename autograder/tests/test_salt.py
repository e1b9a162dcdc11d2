"""Secret, gradebook and what was handed out are never replaced in silence: a round stops, and says why."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.author.release import NbgraderError
from autograder.demo import samples
from autograder.nbgrader_plugin import kept, salt
from autograder.nbgrader_plugin.gradebook import SALT
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


def put(content: bytes) -> Callable[[Path], object]:
    return lambda course: (course / SALT).write_bytes(content)


def folder_in_its_place(course: Path) -> None:
    (course / SALT).unlink()
    (course / SALT).mkdir()


BAD = {
    "empty": (put(b""), "is empty"),
    "short": (put(FIXED[:20].encode()), "is damaged"),
    "cut in a later line": (put(b"\xff\xfe"), "cannot be read (it is not text)"),
    "no file": (folder_in_its_place, "cannot be read (Is a directory)"),
    "missing": (lambda course: (course / SALT).unlink(), "is missing, and these were graded"),
    "foreign": (put(FIXED[::-1].encode()), "is not the one with which these were graded"),
}


@pytest.mark.parametrize(("verb", "kind"), [("round", "missing"), *(("grade", kind) for kind in BAD)])
def test_a_secret_that_is_not_the_class_s_own_stops_the_round(course, kind, verb):
    spoil, words = BAD[kind]
    spoil(course)
    before = held(course)
    said = run_ours(verb, "--folder", str(course), fails=True).strip()
    assert said.startswith("✗ ")
    assert "\n" not in said
    for needed in (str(course / SALT), words, f"{LESSON.id} of amy, bob", "attention-course new-salt"):
        assert needed in said, said
    assert held(course) == before


@pytest.mark.parametrize("kind", ["missing", "foreign"])
def test_nbgrader_s_own_command_stops_as_well(course, kind):
    BAD[kind][0](course)
    before = held(course)
    with pytest.raises(NbgraderError, match=re.escape(BAD[kind][1])):
        run_nbgrader("autograde", LESSON.id, "--force", folder=course)
    assert held(course) == before


@pytest.mark.parametrize("kind", [kind for kind in BAD if kind != "no file"])
def test_a_new_one_is_made_when_it_is_asked_for(course, kind):
    before = salt.secret(course)
    BAD[kind][0](course)
    said = run_ours("new-salt", "--folder", str(course))
    assert f"{LESSON.id} of amy, bob" in said
    assert len(salt.secret(course)) == 32
    assert salt.secret(course) not in (before, before[::-1])
    salt.expect_own(course, [LESSON.id])  # raises where a round would stop


def test_with_a_new_one_all_is_graded_again(course):
    BAD["foreign"][0](course)
    run_ours("new-salt", "--folder", str(course))
    assert "unchanged" not in grade(course, "--quiet")
    assert "2 unchanged" in grade(course, "--quiet")
    digests = {kept.glance(path).salt for path in course.glob("autograded/*/*/*.ipynb")}
    assert digests == {salt.digest_of_secret(salt.secret(course))}


def test_a_secret_is_made_once_and_kept_beside_the_gradebook(tmp_path):
    one = salt.secret(tmp_path)
    assert one == salt.secret(tmp_path) == (tmp_path / SALT).read_text().strip()
    assert len(one) == 32
    assert (tmp_path / SALT).stat().st_mode & 0o077 == 0


def emptied(course: Path) -> None:
    (course / "gradebook.db").write_bytes(b"")


def nothing_graded_in_it(course: Path) -> None:
    with sqlite3.connect(course / "gradebook.db") as base:
        base.execute("delete from submitted_assignment")
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
    said = run_ours(verb, "--folder", str(course), fails=True).strip()
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
    said = run_ours(verb, "--folder", str(course), fails=True).strip()
    assert said.startswith(f"✗ {path} ")
    assert "put a copy of the notebook in its place" in said
    assert "\n" not in said
    assert held(course) == before


def test_a_setting_takes_the_secret_s_place(course):
    (course / SALT).unlink()
    grade(course, "--setting", "GradeAnswers.salt=autumn")
    assert not (course / SALT).exists()

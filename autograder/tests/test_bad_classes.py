"""A class's folder or gradebook that is no good is told in one line, with what to do, and stays as it is."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.authoring.release import NbgraderError
from autograder.classroom.class_folder import check_class_folder
from autograder.classroom.gradebook import check_lesson
from autograder.commands import grade
from autograder.commands import round as rounds
from autograder.demo import samples
from autograder.exercises.errors import CourseError
from autograder.records import grade_changes, record_store, recovery
from autograder.records.grade_changes import Change
from autograder.tests.commands import run_nbgrader, run_ours, told
from autograder.tests.grading import held
from autograder.tests.recorded import record
from autograder.tests.this_course import COURSE, find_lesson

pytestmark = pytest.mark.slow
LESSON = find_lesson("01_weighted_sums")
GRADEBOOK = "gradebook.db"
DAMAGED = "gradebook.db is damaged", "put a copy in its place"


@pytest.fixture(scope="module")
def released(make_course) -> Path:
    """A class in which one notebook was handed in, blank."""
    folder, release = make_course(LESSON.id)
    samples.put_file(folder / "submitted", "amy", LESSON.id, release.name, release.read_bytes())
    recovery.recover(CourseDirectory(root=str(folder)))
    return folder


@pytest.fixture
def course(released: Path, tmp_path: Path) -> Path:
    return shutil.copytree(released, tmp_path / "class", symlinks=True)


def sql(line: str) -> Callable[[Path], None]:
    def change(course: Path) -> None:
        with contextlib.closing(sqlite3.connect(course / GRADEBOOK)) as base, base:
            base.executescript(line)

    return change


def older_course(course: Path) -> None:
    """One in which another exercise was answered."""
    with Gradebook(f"sqlite:///{course / GRADEBOOK}", COURSE.name) as gradebook:
        gradebook.add_student("amy")
        gradebook.add_submission(LESSON.id, "amy")
    sql("update base_cell set name = 'test_pad' where name = 'test_pad_rows'")(course)


def lost(spoil: Callable[[Path], object]) -> Callable[[Path], None]:
    """One that does not hold what was graded."""

    def change(course: Path) -> None:
        notebook = next((course / "submitted" / "amy").glob("*/*.ipynb"))
        shutil.copytree(notebook.parent, course / "autograded" / "amy" / LESSON.id)
        spoil(course / GRADEBOOK)

    return change


LOST = f"has 1 graded notebooks ({LESSON.id})", "put a copy"
LATER = "drop table attention_course_changes; update attention_course_state set value = '%s' where name = 'version'"
BAD = {
    "garbage": (lambda course: (course / GRADEBOOK).write_bytes(b"?" * 9000), DAMAGED),
    "cut short": (lambda course: os.truncate(course / GRADEBOOK, 50_000), DAMAGED),
    "missing": (lost(Path.unlink), ("is missing", *LOST)),
    "empty": (lost(Path.touch), ("holds no grades", *LOST)),
    "emptied": (lost(lambda file: file.write_bytes(b"")), ("holds no grades", *LOST)),
    "later": (sql(LATER % 9), ("was written by a later version of the grader: update it",)),
    "later by far": (sql(LATER % "2.1b"), ("was written by a later version of the grader: update it",)),
    "unknown nbgrader": (
        sql("update alembic_version set version_num = '0a'"),
        ("was written by an unknown version of nbgrader (0a): install that version",),
    ),
    "older nbgrader": (
        sql("alter table student drop column lms_user_id"),
        ("of another version of nbgrader", "student.lms_user_id", "nbgrader db upgrade"),
    ),
    "older course": (
        older_course,
        (f"{LESSON.id} in the gradebook", "another version of the course", "test_pad, test_pad_rows"),
    ),
}
COMMANDS = ["grade"], ["report"], ["mark"], ["new-salt"], ["hand-out", LESSON.id], ["nbgrader"]


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        *((kind, ["round"]) for kind in BAD),
        *(
            (kind, command)
            for kind in ("cut short", "missing", "later", "unknown nbgrader")
            for command in COMMANDS
        ),
    ],
)
def test_a_gradebook_that_is_no_good_is_told_in_one_line_and_left_as_it_is(course, kind, command):
    spoil, words = BAD[kind]
    spoil(course)
    before = held(course)
    if command == ["nbgrader"]:
        with pytest.raises(NbgraderError) as failed:
            run_nbgrader("autograde", LESSON.id, folder=course)
        line = str(failed.value).splitlines()[-1]
    else:
        line = run_ours(*command, "--class", str(course), fails=True).strip()
        assert line.startswith("✗ ")
    assert "\n" not in line
    assert [word for word in (*words, "gradebook") if word not in line] == []
    assert str(course / GRADEBOOK) in line or kind == "older course"
    assert held(course) == before


@pytest.mark.parametrize("kind", ["later", "unknown nbgrader"])
def test_nothing_is_exported_from_a_gradebook_of_an_unknown_version(course, kind):
    spoil, (reason,) = BAD[kind]
    spoil(course)
    with pytest.raises(NbgraderError, match=re.escape(reason)):
        run_nbgrader("export", folder=course)


def test_a_gradebook_that_was_being_written_when_all_ended_is_mended(course):
    write = """
import os, sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.execute("update base_cell set name = name || '_'")
base.execute("update source_cell set source = randomblob(10000000)")  # more than it keeps in memory
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", write, str(course / GRADEBOOK)], check=True)
    assert (course / f"{GRADEBOOK}-journal").exists()
    check_class_folder(course, f"sqlite:///{course / GRADEBOOK}")
    with Gradebook(f"sqlite:///{course / GRADEBOOK}", COURSE.name) as gradebook:
        check_lesson(gradebook, LESSON)


def test_a_round_takes_other_points_over_and_grading_alone_says_how(course, monkeypatch):
    cell = "select id from base_cell where name = 'test_softmax' and type = 'GradeCell'"
    sql(f"update grade_cells set max_score = 50 where id = ({cell})")(course)
    said = run_ours("grade", "--class", str(course), fails=True)
    assert "test_softmax of 01_weighted_sums is worth 50 points in the gradebook" in said
    assert said.endswith("then a round")
    monkeypatch.setattr(grade, "grade_class", stop)
    assert "into the gradebook" in run_ours("round", "--class", str(course), fails=True)
    with Gradebook(f"sqlite:///{course / GRADEBOOK}", COURSE.name) as gradebook:
        check_lesson(gradebook, LESSON)


def test_a_gradebook_that_another_program_holds_is_told(course):
    with contextlib.closing(sqlite3.connect(course / GRADEBOOK, isolation_level=None)) as other:
        other.execute("begin exclusive")
        said = run_ours("round", "--class", str(course), fails=True)
    file = course / GRADEBOOK
    assert said == f"✗ {file} cannot be read (database is locked): end what else uses it, and try again"


def test_a_due_date_may_be_set_before_the_first_round(released, tmp_path, monkeypatch):
    shutil.copytree(released / "submitted", tmp_path / "submitted")
    with Gradebook(f"sqlite:///{tmp_path / GRADEBOOK}", COURSE.name) as gradebook:
        gradebook.add_assignment(LESSON.id, duedate="2026-12-01 23:59:00 UTC")
    monkeypatch.setattr(grade, "grade_class", stop)  # all else was tried elsewhere
    said = run_ours("round", "--class", str(tmp_path), fails=True)
    assert said == f"{LESSON.id}: into the gradebook, as it is released now\n✗ far enough"


def stop(*_: object, **__: object) -> None:
    raise CourseError("far enough")


def test_changed_grades_are_told_by_the_first_round_that_ends(course, monkeypatch):
    change = Change("2026-11-23 12:00 UTC", "amy", LESSON.id, "f", "3 of 3", "2 of 3", "graded again", "w")
    with record_store.transaction(CourseDirectory(root=str(course))) as db:
        grade_changes.add_changes(db, [change])
    monkeypatch.setattr(grade, "grade_class", lambda *_, **__: None)
    with monkeypatch.context() as failing:
        failing.setattr(rounds, "_write_tables", stop)
        assert change.line not in run_ours("round", "--class", str(course), fails=True)
    assert change.line in told("round", "--class", str(course), folder=course)[0]
    assert change.line not in told("round", "--class", str(course), folder=course)[0]


def test_what_a_round_could_not_do_is_told_in_the_end(course, monkeypatch):
    notebook = next((course / "submitted" / "amy").glob("*/*.ipynb"))
    shutil.copytree(notebook.parent, course / "autograded" / "amy" / LESSON.id)
    record(course, LESSON.id, "amy")  # of which nbgrader's own tables know nothing
    monkeypatch.setattr(grade, "grade_class", lambda *_, **__: None)
    said = run_ours("round", "--class", str(course), fails=True)
    done, failed = said.split("✗ not all could be done:\n")
    assert f"\nOpen\n  {course / 'reports' / LESSON.id}.html" in done
    command = f"nbgrader generate_feedback {LESSON.id} --CourseDirectory.root={course}"
    assert failed.startswith(f"  `{command}` failed:")
    assert "There was an error processing assignment" in failed


@pytest.mark.parametrize("which", [".", "autograded/amy", GRADEBOOK])
def test_a_folder_that_one_may_not_write_to_is_told_in_one_line(course, which, monkeypatch):
    (course / "autograded" / "amy").mkdir(parents=True)
    allowed = os.access
    locked = course / which
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != locked and allowed(path, mode))
    said = run_ours("round", "--class", str(course), fails=True).strip()
    assert said.startswith(f"✗ you may not write to {locked}, which is ")
    assert "\n" not in said


def test_an_unknown_lesson_is_told_also_where_nothing_was_handed_in(tmp_path):
    said = run_ours("round", "nope", "--class", str(tmp_path), fails=True)
    assert said.startswith(f"✗ no lesson is called 'nope'; there are {COURSE.lessons[0].id}")

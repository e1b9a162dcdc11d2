"""A class's folder is the instructor's alone, whatever the umask; a student's own modules are found all the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder.authoring.release import release
from autograder.demo import samples
from autograder.records import record_store
from autograder.sandbox import layers
from autograder.tests.commands import run_nbgrader, run_ours
from autograder.tests.this_course import find_lesson

LESSON = find_lesson("01_weighted_sums")
NOTEBOOK = LESSON.released.name
TRUST = [] if layers.sandbox_available() else ["--SealedKernel.allow_unsealed=True"]


def hand_in(course: Path, released: Path, student: str) -> None:
    """An answer that lies beside the notebook, in files that are their owner's alone."""
    text = samples.filled(released.read_text(), {"softmax": "from my_pieces.helper import softmax"})
    folder = course / "submitted" / student / LESSON.id
    samples.put_file(course / "submitted", student, LESSON.id, NOTEBOOK, text.encode())
    (folder / "my_pieces").mkdir(mode=0o700)
    helper = folder / "my_pieces" / "helper.py"
    helper.touch(0o600)
    imports = "import numpy as np\nfrom numpy.typing import ArrayLike\n\n"
    helper.write_text(imports + LESSON.solution("softmax"))


def open_to_others(course: Path) -> set[str]:
    """Return what of a class's folder others may look into."""
    paths = (path for path in course.iterdir() if path.name not in ("course", "solutions"))
    return {path.name for path in paths if path.stat().st_mode & 0o077}


def points(course: Path, student: str) -> float:
    return record_store.load_record(LESSON, student, course).verdicts["softmax"].points


@pytest.fixture
def umask():
    """A function that sets it; it is as before afterwards."""
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


@pytest.mark.slow
def test_after_a_round_others_read_nothing_of_a_class(make_course, umask, monkeypatch):
    course, released = make_course(LESSON.id)
    hand_in(course, released, "amy")
    (course / "grades.csv").touch(0o644)
    (course / "handed_out").chmod(0o755)
    assert open_to_others(course) >= {"gradebook.db", "submitted", "grades.csv"}
    monkeypatch.chdir(course)
    run_nbgrader("autograde", LESSON.id, *TRUST, folder=course)
    assert open_to_others(course) <= {"gradebook.salt", "handed_out"}
    run_ours("round", "--class", str(course), "--jobs", "1")
    assert {"autograded", "feedback", "reports", "grades.csv"} <= {path.name for path in course.iterdir()}
    assert open_to_others(course) <= {"handed_out"}
    assert points(course, "amy") == LESSON.exercise("softmax").points


@pytest.mark.slow
def test_a_student_s_own_modules_are_found_where_all_is_private(tmp_path, umask):
    umask(0o077)
    course = tmp_path / "class"
    hand_in(course, release(LESSON, course), "amy")
    run_ours("grade", "--class", str(course), "--jobs", "1")
    assert points(course, "amy") == LESSON.exercise("softmax").points
    assert open_to_others(course) == set()

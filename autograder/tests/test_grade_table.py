"""The table of grades, against a sample of it."""

from __future__ import annotations

import csv
import datetime

import pytest
from nbgrader.api import Gradebook

from autograder.authoring.release import NbgraderError
from autograder.exercises.text import clean_table_field
from autograder.tests import in_process
from autograder.tests.commands import run_nbgrader
from autograder.tests.this_course import ROOT

SAMPLES = ROOT / "autograder" / "tests" / "samples"
STUDENTS = {
    "amy": {"first_name": "Amy", "last_name": "Lee", "email": "amy@example.edu", "lms_user_id": "1042"},
    "jørgen": {"first_name": "Jørgen", "last_name": "Ångström, Jr.", "email": "jørgen@example.edu"},
    "bob": {"first_name": 'Robert "Bob"', "last_name": "O'Neil"},
    "nameless": {},
    "late": {"first_name": "李", "last_name": "小龍"},
    "absent": {"first_name": "Ada", "last_name": "Absent", "email": "absent@example.edu"},
    "eve": {"first_name": '=HYPERLINK("http://example.org","x")', "last_name": "@SUM(1;2)", "email": "+1"},
}
SCORES = {
    "amy": (10, 2.5),
    "jørgen": (7.125, None),
    "bob": (0, 0),
    "nameless": (3, None),
    "late": (1, None),
    "eve": (10, 3),
}
"""For each student the score in the first lesson and, where it was handed in, in the second."""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A gradebook of two lessons, one with an answer that is graded by hand."""
    folder = tmp_path_factory.mktemp("course")
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "attention") as gradebook:
        for lesson, points in (("01_weighted_sums", 10), ("02_toy_tensors", 4)):
            gradebook.add_assignment(lesson, duedate="2030-01-01 12:00:00 UTC")
            gradebook.add_notebook(lesson[3:], lesson)
            gradebook.add_grade_cell("explain", lesson[3:], lesson, max_score=points, cell_type="markdown")
        for student, person in STUDENTS.items():
            gradebook.add_student(student, **person)
            for lesson, score in zip(("01_weighted_sums", "02_toy_tensors"), SCORES.get(student, ())):
                if score is not None:
                    gradebook.add_submission(lesson, student)
                    mark = gradebook.find_grade("explain", lesson[3:], lesson, student)
                    mark.manual_score, mark.needs_manual_grade = score, False
                    gradebook.db.commit()
                    in_process.write_graded(folder, lesson, student, {}, [])
        gradebook.add_assignment("03_not_handed_out")
        waiting = gradebook.find_grade("explain", "toy_tensors", "02_toy_tensors", "bob")
        waiting.manual_score, waiting.needs_manual_grade = None, True
        late = gradebook.find_submission("01_weighted_sums", "late")
        late.timestamp = datetime.datetime(2030, 1, 2)
        late.notebooks[0].late_submission_penalty = 3
        gradebook.db.commit()
    return folder


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Amy", "Amy"),
        ("=1+1", "'=1+1"),
        ("-1", "'-1"),
        ("\t=1+1", r"\t=1+1"),
        ("two\nlines", r"two\nlines"),
        ("1-2", "1-2"),
        ("a\x1b[31mb", r"a\x1b[31mb"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_plain_text(text, written):
    assert clean_table_field(text) == written


def test_the_file_is_the_sample(course, tmp_path):
    """It has a student without a name, texts that look like formulas, and every reason for which there is no score."""
    target = tmp_path / "grades.csv"
    run_nbgrader("export", f"--to={target}", folder=course)
    assert rows(target) == rows(SAMPLES / "grades.csv")
    chosen = ("--assignment=['02_toy_tensors']", "--student=['amy']")
    run_nbgrader("export", *chosen, f"--to={target}", folder=course)
    assert [(row[0], row[3], row[9]) for row in rows(target)[1:]] == [("02_toy_tensors", "amy", "2.5")]


def test_a_command_that_fails_hands_on_what_it_said(course, tmp_path):
    with pytest.raises(
        NbgraderError, match="no lesson '07_nowhere'; it has 01_weighted_sums, 02_toy_tensors"
    ):
        run_nbgrader("export", "--assignment=['07_nowhere']", f"--to={tmp_path / 'x.csv'}", folder=course)
    with pytest.raises(NbgraderError, match="✗ cannot write .*: name another file with --to"):
        run_nbgrader("export", f"--to={tmp_path}", folder=course)

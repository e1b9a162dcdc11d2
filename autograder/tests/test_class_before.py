"""A class folder that the release before made goes on with this one: its grades, its marks, and what comes next.

`samples/class_before.tar.xz` holds one of November 2026: two students of lesson 04, one mark given by hand.
"""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from autograder.tests import needs
from autograder.tests.commands import run_ours
from autograder.tests.this_course import ROOT

pytestmark = [pytest.mark.slow, needs.seal]

BEFORE = Path(__file__).parent / "samples" / "class_before.tar.xz"
LESSON = "04_gaussian_kernel"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    unpacked = tmp_path_factory.mktemp("before")
    shutil.unpack_archive(BEFORE, unpacked)
    settings = unpacked / "class.toml"
    settings.write_text(settings.read_text().replace("COURSE", str(ROOT)))
    return unpacked


def scores(folder: Path) -> dict[str, tuple[str, str]]:
    """By student where they stand, and their score."""
    with (folder / "grades.csv").open(encoding="utf-8") as table:
        return {row["student_id"]: (row["standing"], row["score"]) for row in csv.DictReader(table)}


def test_a_round_grades_it_anew_and_changes_no_grade(folder):
    before = scores(folder)
    assert before == {"amy": ("graded", "35"), "ben": ("graded", "9")}
    said = run_ours("round", "--folder", str(folder))
    assert scores(folder) == before
    assert "wait" not in said, "a mark given to these words stays"
    assert not list(folder.glob("attempts/**/*.jsonl")), "it is the same work, and no earlier attempt"
    assert "✗" not in said
    page = (folder / "feedback" / "amy" / LESSON / "gaussian_kernel.html").read_text()
    assert "And in between?" in page


def test_the_next_round_has_nothing_to_do(folder):
    assert "2 of 2 done (2 unchanged)" in run_ours("round", "--folder", str(folder))


def test_work_from_the_notebook_that_was_handed_out_then_is_graded(folder):
    handed_in = folder / "submitted"
    shutil.copytree(handed_in / "amy" / LESSON, handed_in / "ben" / LESSON, dirs_exist_ok=True)
    run_ours("round", "--folder", str(folder))
    assert scores(folder) == {"amy": ("graded", "35"), "ben": ("waits for marks", "")}
    page = (folder / "feedback" / "ben" / LESSON / "gaussian_kernel.html").read_text()
    assert "Every exercise is right" in page

"""What an instructor marks by hand, in the class report."""

from __future__ import annotations

import pytest
from nbgrader.api import Gradebook

from autograder.classroom.class_folder import directory_of
from autograder.commands import cli
from autograder.records import submission_status
from autograder.records.submission_status import Stage
from autograder.tests import in_process
from autograder.tests.marked_class import CODE, LESSON, SET, WRITTEN, make_gradebook
from autograder.tests.reports import OTHER, graded_exercises, report, right
from autograder.tests.this_course import COURSE, find_exercise

MOST = find_exercise(OTHER, CODE).points


@pytest.fixture
def marked(tmp_path):
    """A function that marks the students' written answers, None while they wait, and sets points by hand.

    waiting: whose code is to be looked at again.
    """
    make_gradebook(tmp_path, ("amy", "bo"), {WRITTEN: 4, SET: MOST})
    for student in ("amy", "bo"):
        in_process.write_graded(tmp_path, OTHER, student, {CODE: right(OTHER)[CODE]}, [])

    def mark(written, by_hand, waiting=()):
        with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook:
            for student, score in written.items():
                grade = gradebook.find_grade(WRITTEN, LESSON.notebook, OTHER, student)
                grade.manual_score, grade.needs_manual_grade = score, score is None
                judged = gradebook.find_grade(SET, LESSON.notebook, OTHER, student)
                judged.auto_score, judged.manual_score = MOST, by_hand.get(student)
                judged.needs_manual_grade = student in waiting
            gradebook.db.commit()
        return report(tmp_path, OTHER)

    return mark


def states(found, item):
    """By student, the state and the points of an item."""
    rows = [row for row in found.rows if row["exercise"] == item]
    return {row["student"]: (row["state"], row["points"]) for row in rows}


def test_marks_count_and_points_set_by_hand_count_instead_of_the_verdict_s(marked):
    found = marked({"amy": 3.5, "bo": 2}, by_hand={"bo": 1.5})
    assert states(found, WRITTEN) == {"amy": ("marked", "3.5"), "bo": ("marked", "2")}
    assert [points for _, points in states(found, CODE).values()] == [str(MOST), "1.5"]
    item = next(row for row in found.table("item-table") if row[0] == WRITTEN)
    assert item[1:3] == ["4", f"{100 * 5.5 / 8:.0f} %"]
    most = 4 + sum(exercise.points for exercise in graded_exercises(OTHER))
    assert f"median, of {most} points" in found.words()


def test_what_waits_is_left_out_of_the_sums(marked, tmp_path):
    found = marked({"amy": 3, "bo": None}, by_hand={})
    assert states(found, WRITTEN) == {"amy": ("marked", "3"), "bo": ("waiting", "")}
    item = next(row for row in found.table("item-table") if row[0] == WRITTEN)
    assert item[2:4] == ["–", "–"]
    most = sum(exercise.points for exercise in graded_exercises(OTHER))
    assert f"median, of {most} points" in found.words()
    found = marked({"amy": 3, "bo": 3}, by_hand={}, waiting=["bo"])
    assert states(found, CODE)["bo"] == ("waiting", "")
    standings = submission_status.load_statuses(directory_of(COURSE, tmp_path), OTHER)
    assert {one.student: one.stage for one in standings} == {"amy": Stage.GRADED, "bo": Stage.WAITS}


def test_where_there_is_no_gradebook_there_is_nothing_to_mark(tmp_path):
    (tmp_path / "submitted" / "amy" / OTHER).mkdir(parents=True)
    with pytest.raises(SystemExit, match="no written answers are graded"):
        cli.main(["mark", OTHER, "--no-browser", "--class", str(tmp_path)])
    assert not (tmp_path / "gradebook.db").exists()

"""What an instructor marks by hand, in the class report."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from nbgrader.api import Gradebook

from autograder import cli
from autograder.courses import Lesson
from autograder.marking import answers
from autograder.nbgrader_plugin import standing
from autograder.nbgrader_plugin.gradebook import directory_of
from autograder.nbgrader_plugin.standing import Stage
from autograder.tests import in_process
from autograder.tests.marked_class import make_gradebook
from autograder.tests.reports import OTHER, graded_exercises, report, right
from autograder.tests.this_course import COURSE, find_exercise, find_lesson

NOTEBOOK = find_lesson(OTHER).notebook
MASK, WRITTEN = "create_causal_mask", "explain_self_and_cross"
MOST = find_exercise(OTHER, MASK).points


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory):
    """The file of a gradebook that knows the lesson and two students."""
    points = {WRITTEN: 4, f"test_{MASK}": MOST}
    return make_gradebook(tmp_path_factory.mktemp("gradebook"), ("amy", "bo"), points)


@pytest.fixture
def marked(gradebook, tmp_path):
    """A function that marks the students' written answers, None while they wait, and sets points by hand.

    waiting: whose code is to be looked at again.
    """

    def mark(written, by_hand, waiting=()):
        shutil.copy(gradebook, tmp_path)
        with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as opened:
            for student, score in written.items():
                grade = opened.find_grade(WRITTEN, NOTEBOOK, OTHER, student)
                grade.manual_score, grade.needs_manual_grade = score, score is None
            for student in written:
                judged = opened.find_grade(f"test_{MASK}", NOTEBOOK, OTHER, student)
                judged.auto_score, judged.manual_score = MOST, by_hand.get(student)
                judged.needs_manual_grade = student in waiting
            opened.db.commit()
        for student in written:
            in_process.write_graded(tmp_path, OTHER, student, {MASK: right(OTHER)[MASK]}, [])
        return report(tmp_path, OTHER)

    return mark


def test_marks_of_written_answers_count(marked):
    found = marked({"amy": 3.5, "bo": 2}, by_hand={})
    written = {row["student"]: row for row in found.rows if row["exercise"] == WRITTEN}
    assert {student: row["points"] for student, row in written.items()} == {"amy": "3.5", "bo": "2"}
    assert {row["state"] for row in written.values()} == {"marked"}
    item = next(row for row in found.table("item-table") if row[0] == WRITTEN)
    assert item[1:3] == ["4", f"{100 * 5.5 / 8:.0f} %"]
    most = 4 + sum(exercise.points for exercise in graded_exercises(OTHER))
    assert f"median, of {most} points" in found.words()


def test_written_answers_that_wait_are_left_out_of_the_sums(marked):
    found = marked({"amy": 3, "bo": None}, by_hand={})
    states = {
        row["student"]: (row["state"], row["points"]) for row in found.rows if row["exercise"] == WRITTEN
    }
    assert states == {"amy": ("marked", "3"), "bo": ("waiting", "")}
    item = next(row for row in found.table("item-table") if row[0] == WRITTEN)
    assert item[2:4] == ["not marked yet", "not marked yet"]
    most = sum(exercise.points for exercise in graded_exercises(OTHER))
    assert f"median, of {most} points" in found.words()


def test_code_that_is_to_be_looked_at_again_waits_in_report_and_tables(marked, tmp_path):
    found = marked({"amy": 3, "bo": 3}, by_hand={}, waiting=["bo"])
    waiting = [(row["student"], row["points"]) for row in found.rows if row["state"] == "waiting"]
    assert waiting == [("bo", "")]
    stages = {
        one.student: one.stage for one in standing.read_standings(directory_of(COURSE, tmp_path), OTHER)
    }
    assert stages == {"amy": Stage.GRADED, "bo": Stage.WAITS}


def test_points_that_the_instructor_set_count_instead_of_the_verdict_s(marked):
    found = marked({"amy": 3, "bo": 3}, by_hand={"bo": 1.5})
    points = {row["student"]: row["points"] for row in found.rows if row["exercise"] == MASK}
    assert points == {"amy": str(MOST), "bo": "1.5"}


def test_a_question_without_a_model_answer_is_shown_too(marked, tmp_path):
    marked({"amy": None, "bo": 2}, by_hand={})
    lesson = Lesson(COURSE, OTHER)
    texts = {WRITTEN: "Why?"}
    vars(lesson)["cells"] = tuple(replace(one, text=texts.get(one.name, one.text)) for one in lesson.cells)
    shown = {
        question.name: (question.prompt, question.model)
        for question in answers.marked_questions(tmp_path, lesson)
    }
    assert shown[WRITTEN] == ("Why?", "")


def test_where_there_is_no_gradebook_there_is_nothing_to_mark(tmp_path):
    (tmp_path / "submitted" / "amy" / OTHER).mkdir(parents=True)
    with pytest.raises(SystemExit, match="no written answers are graded"):
        cli.main(["mark", OTHER, "--no-browser", "--folder", str(tmp_path)])
    assert not (tmp_path / "gradebook.db").exists()

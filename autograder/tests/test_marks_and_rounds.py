"""What is marked by hand, from round to round: lines, page, table, report and feedback say the same."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from autograder.courses import Course
from autograder.nbgrader_plugin import marks, records
from autograder.nbgrader_plugin.marks import GivenMark, Marked
from autograder.tests import needs, small_course
from autograder.tests.commands import run_nbgrader, run_ours
from autograder.tests.grading import hand_in, right
from autograder.tests.small_course import CELSIUS as CODE
from autograder.tests.small_course import LESSON, NOTEBOOK

pytestmark = [pytest.mark.slow, needs.seal]
WRITTEN = "why_kelvin"
FIRST, SECOND = "It begins at zero.", "It begins at zero: then twice as many are twice as much."
HERE = (WRITTEN, NOTEBOOK, LESSON, "amy")


class Class:
    def __init__(self, course: Course, folder: Path) -> None:
        self.folder = folder
        self.lesson = course.lesson(LESSON)
        self.url = f"sqlite:///{folder / 'gradebook.db'}"
        self.points: dict[str, float] = {}
        self.scores: dict[str, str] = {}

    def hand_in(self, student: str, **given: str) -> None:
        shutil.rmtree(self.folder / "submitted" / student, ignore_errors=True)
        hand_in(self.folder, student, self.lesson, right(self.lesson, [CODE]) | given)

    def round(self) -> str:
        said = self.ours("round")
        with (self.folder / "grades.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if row["assignment"] == LESSON]
        self.points = {row["student_id"]: float(row["raw_score"]) for row in rows}
        self.scores = {row["student_id"]: row["score"] for row in rows}
        return said

    def ours(self, verb: str, *options: str) -> str:
        command = (verb, LESSON, "--folder", str(self.folder), "--jobs", "1", *options)
        return run_ours(*command, folder=self.folder)

    def answer(self) -> Marked:
        with Gradebook(self.url) as gradebook:
            return next(one for one in marks.answers_of(gradebook, self.lesson) if one.name == WRITTEN)

    def waiting_in_report(self) -> list[str]:
        with (self.folder / "reports" / f"{LESSON}.csv").open() as file:
            return [row["student"] for row in csv.DictReader(file) if row["state"] == "waiting"]

    def feedback(self) -> str:
        path = self.folder / "feedback" / "amy" / LESSON / f"{NOTEBOOK}.html"
        return " ".join(BeautifulSoup(path.read_text(), "html.parser").text.split())


def test_marks_over_four_rounds(tmp_path):
    made = small_course.make(tmp_path / "course", question=small_course.QUESTION)
    course = Class(made, small_course.make_class(made, tmp_path / "class"))
    course.hand_in("amy", **{WRITTEN: FIRST})
    course.hand_in("bo")
    assert "Answers that wait for your mark: 1." in course.round()
    assert records.read_class(course.folder, course.lesson).waiting == 1
    assert course.waiting_in_report() == ["amy"]
    before = course.points
    assert course.scores["amy"] == "", "no grade while an answer waits"
    assert float(course.scores["bo"]) == before["bo"]

    answer = course.answer()
    given = GivenMark(answer.id, answer.change, {"points": 3, "comment": "Why?"})
    with marks.writing(course.url) as gradebook:
        marks.give_marks(gradebook, "ada", [given])
    with Gradebook(course.url) as gradebook:
        gradebook.find_grade(f"test_{CODE}", *HERE[1:]).manual_score = 1
        gradebook.find_comment(CODE, *HERE[1:]).manual_comment = "Too slow."
        gradebook.db.commit()
    assert "wait for your mark" not in course.round()
    taken_off = before["bo"] - 1
    assert float(course.scores["amy"]) == course.points["amy"]
    assert course.points == {"amy": before["amy"] + 3 - taken_off, "bo": before["bo"]}
    assert "Your instructor set the points: 1 of" in course.feedback()
    assert "Too slow." in course.feedback()
    assert "Well done" not in course.feedback()

    course.hand_in("amy", **{WRITTEN: SECOND})
    assert "Answers that wait for your mark: 1." in course.round()
    assert records.read_class(course.folder, course.lesson).waiting == 1
    assert course.waiting_in_report() == ["amy"]
    assert course.points["amy"] == before["amy"] - taken_off, "the code is the same, the words are not"
    assert course.scores["amy"] == ""
    assert "Why?" not in course.feedback()
    answer = course.answer()
    assert answer.before is not None
    assert (answer.before.text, answer.before.points, answer.text) == (FIRST, 3, SECOND)

    course.hand_in("amy", **{WRITTEN: FIRST})
    run_nbgrader("autograde", LESSON, "--force", folder=course.folder, course=made)
    assert (course.answer().points, course.answer().comment, course.answer().waits) == (3, "Why?", False)
    assert "wait for your mark" not in course.round()
    course.ours("grade", "--force")
    assert not course.answer().waits

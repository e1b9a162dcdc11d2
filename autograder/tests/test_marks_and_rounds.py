"""What is marked by hand, from round to round: lines, page, table, report and feedback say the same."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from autograder.courses import source
from autograder.demo import samples
from autograder.marking import answers
from autograder.nbgrader_plugin import marks
from autograder.nbgrader_plugin.marks import GivenMark, Marked, Place
from autograder.tests import needs
from autograder.tests.commands import run_nbgrader, run_ours
from autograder.tests.this_course import find_lesson

pytestmark = [pytest.mark.slow, needs.seal]
LESSON = find_lesson("04_gaussian_kernel")
WRITTEN, CODE = "explain_kernel", "gaussian_weights"
SOLUTION = source.without_marks(LESSON.solution(CODE))
FIRST, SECOND = "They agree for keys of one length.", "They agree for keys of one length: then |k| cancels."
HERE = Place(WRITTEN, LESSON.notebook, LESSON.id, "amy")


class Class:
    def __init__(self, folder: Path, release: Path) -> None:
        self.folder, self.release = folder, release
        self.url = f"sqlite:///{folder / 'gradebook.db'}"
        self.points: dict[str, float] = {}
        self.scores: dict[str, str] = {}

    def hand_in(self, student: str, **given: str) -> None:
        shutil.rmtree(self.folder / "submitted" / student, ignore_errors=True)
        text = samples.filled(self.release.read_text(), given)
        samples.put_file(self.folder / "submitted", student, LESSON.id, self.release.name, text.encode())

    def round(self) -> str:
        said = run_ours("round", LESSON.id, "--folder", str(self.folder), "--jobs", "1")
        with (self.folder / "grades.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if row["assignment"] == LESSON.id]
        self.points = {row["student_id"]: float(row["raw_score"]) for row in rows}
        self.scores = {row["student_id"]: row["score"] for row in rows}
        return said

    def answer(self) -> Marked:
        with Gradebook(self.url) as gradebook:
            return next(one for one in marks.answers_of(gradebook, LESSON, "amy") if one.place == HERE)

    def waiting_in_report(self) -> list[str]:
        with (self.folder / "reports" / f"{LESSON.id}.csv").open() as file:
            return [row["student"] for row in csv.DictReader(file) if row["state"] == "waiting"]

    def feedback(self) -> str:
        path = self.folder / "feedback" / "amy" / LESSON.id / f"{LESSON.notebook}.html"
        return " ".join(BeautifulSoup(path.read_text(), "html.parser").text.split())


def test_marks_over_four_rounds(make_course):
    course = Class(*make_course(LESSON.id))
    course.hand_in("amy", **{CODE: SOLUTION, WRITTEN: FIRST})
    course.hand_in("bo", **{CODE: SOLUTION})
    assert "Answers that wait for your mark: 1." in course.round()
    assert answers.waiting(course.folder, LESSON) == 1
    assert course.waiting_in_report() == ["amy"]
    before = course.points
    assert course.scores["amy"] == "", "no grade while an answer waits"
    assert float(course.scores["bo"]) == before["bo"]

    answer = course.answer()
    given = GivenMark(answer.id, answer.seen, {"points": 3, "comment": "Why?"})
    marks.give_marks(course.url, "ada", [given])
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

    course.hand_in("amy", **{CODE: SOLUTION, WRITTEN: SECOND})
    assert "Answers that wait for your mark: 1." in course.round()
    assert answers.waiting(course.folder, LESSON) == 1
    assert course.waiting_in_report() == ["amy"]
    assert course.points["amy"] == before["amy"] - taken_off, "the code is the same, the words are not"
    assert course.scores["amy"] == ""
    assert "Why?" not in course.feedback()
    answer = course.answer()
    assert answer.before is not None
    assert (answer.before.text, answer.before.points, answer.text) == (FIRST, 3, SECOND)

    course.hand_in("amy", **{CODE: SOLUTION, WRITTEN: FIRST})
    run_nbgrader("autograde", LESSON.id, "--force", folder=course.folder)
    assert (course.answer().points, course.answer().comment, course.answer().waits) == (3, "Why?", False)
    assert "wait for your mark" not in course.round()
    run_ours("grade", LESSON.id, "--folder", str(course.folder), "--jobs", "1", "--force")
    assert not course.answer().waits

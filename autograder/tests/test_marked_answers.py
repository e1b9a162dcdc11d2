"""A mark belongs to the words that it was given for; nobody's mark is lost by another's, and each change is kept."""

from __future__ import annotations

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.classroom.class_folder import directory_of
from autograder.courses import Lesson
from autograder.exercises.errors import CourseError
from autograder.marking import marker_view
from autograder.records import submission_status
from autograder.records.manual_grades import MARKS, GivenMark, Stale
from autograder.tests.marked_class import CODE, LESSON, SET, WRITTEN, MarkedClass, hand_in_words, make_class
from autograder.tests.recorded import record
from autograder.tests.reports import OTHER
from autograder.tests.this_course import COURSE

SAMPLES = Path(__file__).parent / "samples"
FIRST, SECOND = "The query asks.", "The query asks, the key answers."


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Path:
    return make_class(tmp_path_factory.mktemp("graded"), {"amy": FIRST})


@pytest.fixture
def amys(graded, tmp_path) -> MarkedClass:
    """A class in which Amy's work is graded."""
    return MarkedClass(shutil.copytree(graded, tmp_path / "class"))


def waiting(amys: MarkedClass) -> int:
    """How many answers wait, as page and tables both say."""
    (amy,) = submission_status.load_statuses(directory_of(COURSE, amys.folder), OTHER)
    assert amy.earned is not None
    questions = marker_view.marked_questions(amys.folder, LESSON)
    assert amy.earned.waiting == sum(answer.waits for question in questions for answer in question.answers)
    return amy.earned.waiting


def test_other_words_wait_beside_the_old_ones_and_the_same_are_not_marked_twice(amys):
    amys.give("amy", points=3.0, comment="And the key?")
    hand_in_words(amys.folder, "amy", f"{FIRST}  \n", code="mask = 2")
    assert (amys.answer().points, waiting(amys)) == (3, 0)
    hand_in_words(amys.folder, "amy", SECOND)
    now = amys.answer()
    assert (now.points, now.comment, now.waits, now.text) == (None, "", True, SECOND)
    assert waiting(amys) == 1
    before, after = amys.page().find_all(class_="version")
    for text in (FIRST, "Marked before: 3 of 4 points", "And the key?"):
        assert text in before.text
    assert after.find(class_="answer").text.strip() == SECOND
    amys.give("amy", points=4.0)
    hand_in_words(amys.folder, "amy", FIRST)
    assert (amys.answer().points, amys.answer().comment, waiting(amys)) == (3, "And the key?", 0)


def test_another_rubric_lets_a_mark_wait_and_says_so(amys):
    amys.give("amy", points=3.0)
    seen, other = amys.answer().change, Lesson(COURSE, OTHER)
    for begin, waits in (("BEGIN SOLUTION ", False), ("BEGIN SOLUTION\nA new rule.", True)):
        texts = [cell.text.replace("BEGIN SOLUTION", begin) for cell in LESSON.cells]
        vars(other)["cells"] = tuple(replace(cell, text=text) for cell, text in zip(LESSON.cells, texts))
        hand_in_words(amys.folder, "amy", FIRST, lesson=other)
        assert amys.answer().waits is waits
    assert "the rubric is another by now" in amys.page().find(class_="version").text
    with pytest.raises(Stale, match="the rubric has been changed meanwhile"):
        amys.ada.give_marks(OTHER, WRITTEN, [GivenMark(amys.answer().id, seen, {"points": 2.0})])


def test_points_set_by_hand_for_other_code_do_not_count_and_are_to_be_looked_at(amys):
    assert [question.name for question in marker_view.marked_questions(amys.folder, LESSON)] == [WRITTEN]
    amys.formgrader(6, "Copied.", SET)
    hand_in_words(amys.folder, "amy", FIRST)
    assert (amys.answer(cell=SET).points, amys.answer(cell=SET).waits) == (6, False)
    hand_in_words(amys.folder, "amy", FIRST, code="mask = 2")
    now = amys.answer(cell=SET)
    assert (now.points, now.given, now.comment, now.waits) == (None, 7, "", True)
    assert waiting(amys) == 2
    section = amys.page().find(id=f"{OTHER}-{CODE}").find_parent("section")
    assert "mask = 1" in section.find(class_="version").text
    assert "Leave it at the grader's 7" in section.text
    amys.give("amy", cell=SET, points=None)
    hand_in_words(amys.folder, "amy", FIRST, code="mask = 2")
    assert not amys.answer(cell=SET).waits


def test_of_a_mark_from_before_this_grader_nobody_knows_the_words(amys):
    with closing(sqlite3.connect(amys.folder / "gradebook.db")) as base:
        (triggers,) = zip(*base.execute("select name from sqlite_master where type = 'trigger'"))
        for left in (*(f"trigger {name}" for name in triggers), "table marks", "table marking_log"):
            base.execute(f"drop {left}")
    amys.formgrader(3)
    for _ in range(2):
        hand_in_words(amys.folder, "amy", FIRST)
        assert waiting(amys) == 1
    before, now = amys.page().find_all(class_="version")[:2]
    assert "Marked before: 3 of 4 points" in before.text
    assert "not known" in before.text
    assert now.find(class_="answer").text.strip() == FIRST
    amys.give("amy", points=3.0)
    assert waiting(amys) == 0


def test_the_tables_of_the_release_before_are_taken_over_once(tmp_path):
    """As it left them: Amy's mark has a rubric item and two markers, Ben's waits since he handed in other words."""
    folder = make_class(tmp_path, dict.fromkeys(("amy", "ben", "cy"), ""))
    (folder / "gradebook.db").unlink()
    with closing(sqlite3.connect(folder / "gradebook.db")) as base:
        base.executescript((SAMPLES / "marks_before.sql").read_text(encoding="utf-8"))
    for student in ("amy", "ben", "cy"):
        record(folder, OTHER, student)
    taken = MarkedClass(folder)
    for _ in range(2):
        (question,) = taken.ada.questions()
        assert [(item.says, item.points) for item in question.aids.items] == [("says where from", 2)]
        assert [line.marker for line in question.aids.record] == ["ada", "ada", "ben"]
    amy, ben, cy = (taken.answer(student) for student in ("amy", "ben", "cy"))
    assert (amy.points, amy.comment, amy.text, amy.waits) == (2, "says where from\nGood.", FIRST, False)
    assert [(mark.marker, mark.points) for mark in amy.history] == [("ada", 1), ("ben", 1), ("ben", 2)]
    assert {mark.items for mark in amy.history} == {(1,)}
    assert (cy.points, cy.text, cy.waits) == (None, "No idea.", True)
    assert (ben.points, ben.text, ben.waits) == (None, "The key and the query.", True)
    assert ben.before is not None
    assert (ben.before.points, ben.before.text) == (2, "The key answers.")
    taken.formgrader(1, amy.comment)
    assert [mark.points for mark in taken.answer("amy").history] == [1, 1, 2, 1]
    with closing(sqlite3.connect(folder / "gradebook.db")) as base:
        names = [name for (name,) in base.execute("select name from sqlite_master")]
        assert not [name for name in names if "answer" in name or "history" in name]


def test_of_many_at_once_one_mark_is_saved_and_none_over_formgrader_s(amys):
    id, seen = amys.answer().id, amys.answer().change

    def is_saved(points: int) -> bool:
        try:
            amys.ada.give_marks(OTHER, WRITTEN, [GivenMark(id, seen, {"points": points / 4})])
        except CourseError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        saved = list(pool.map(is_saved, range(16)))
    assert saved.count(True) == len(amys.answer().history) == 1
    assert amys.answer().points == saved.index(True) / 4
    seen = amys.answer().change
    amys.formgrader(1)
    with pytest.raises(Stale):
        amys.ada.give_marks(OTHER, WRITTEN, [GivenMark(id, seen, {"points": 2.0})])
    assert amys.answer().points == 1


def test_every_change_is_kept_formgrader_s_too_and_goes_with_the_student(amys):
    amys.give("amy", points=3.0, comment="Good.")
    amys.give("amy", points=None)
    assert amys.answer().waits
    assert amys.answer().undone == (3, "Good.", ())
    amys.formgrader(2, "Good.")
    amys.formgrader(None, "Good.")
    amys.give("amy", by="ben", points=4.0)
    kept = [(mark.points, mark.comment, mark.marker) for mark in amys.answer().history]
    points, markers = (3, None, 2, None, 4), ("ada", "ada", "", "", "ben")
    assert kept == [(each, "Good.", marker) for each, marker in zip(points, markers)]
    history = amys.page().find(class_="below")
    assert history.summary.text == "History (5)"
    back = [(button["data-points"], button["data-comment"]) for button in history.find_all("button")]
    assert back == [("3", "Good."), ("", "Good."), ("2", "Good."), ("", "Good.")]
    with Gradebook(amys.url) as gradebook:
        gradebook.remove_student("amy")
        assert gradebook.db.query(MARKS).count() == 0

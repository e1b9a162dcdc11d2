"""A mark belongs to the words that it was given for; nobody's mark is lost by another's, and each change is kept."""

from __future__ import annotations

import os
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from autograder.courses import Lesson
from autograder.marking import answers, server
from autograder.marking.answers import MarkedQuestion
from autograder.marking.desk import Desk
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import marked_words, marks, standing
from autograder.nbgrader_plugin.gradebook import directory_of
from autograder.nbgrader_plugin.mark_tables import HISTORY, NOW, TABLES, WORDS
from autograder.nbgrader_plugin.marks import Changes, GivenMark, Marked, Seen, Stale
from autograder.tests import toy
from autograder.tests.marked_class import make_gradebook, settle_marks
from autograder.tests.recorded import record
from autograder.tests.reports import OTHER
from autograder.tests.this_course import COURSE

LESSON = Lesson(COURSE, OTHER)
WRITTEN, CODE = "explain_self_and_cross", "create_causal_mask"
Place = tuple[str, str, str, str]
"""A cell, its notebook, its lesson and a student, as nbgrader asks for them."""

HERE = (WRITTEN, LESSON.notebook, OTHER, "amy")
SET = (f"test_{CODE}", LESSON.notebook, OTHER, "amy")
FIRST, SECOND = "The query asks.", "The query asks, the key answers."


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory):
    """A gradebook's file, as nbgrader makes it, that knows one student's submission."""
    return make_gradebook(tmp_path_factory.mktemp("gradebook"), ["amy"], {WRITTEN: 4, SET[0]: 7}, LESSON)


class Class:
    """A class in which Amy's work is graded, as `SaveGrades` saves it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "submitted" / "amy" / OTHER).mkdir(parents=True)
        self.url = f"sqlite:///{folder / 'gradebook.db'}"
        self.desk = Desk(COURSE, folder, [LESSON], "ada")

    def give(self, place: Place, seen: Seen, changes: Changes) -> None:
        self.desk.give(OTHER, place[0], [GivenMark(self.now(place).id, seen, changes)])

    def graded(self, words: str, code: str = "mask = 1", lesson: Lesson = LESSON, grader: float = 7) -> None:
        notebook = new_notebook(
            cells=[
                new_markdown_cell(words, metadata={"nbgrader": {"grade_id": WRITTEN}}),
                new_code_cell(code, metadata={"nbgrader": {"grade_id": CODE}}),
            ],
        )
        path = self.folder / "autograded" / "amy" / OTHER / LESSON.released.name
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, path)
        record(self.folder, OTHER, "amy", kept_verdicts={"double": asdict(toy.verdict(toy.double))})
        with Gradebook(self.url) as opened:
            marked_words.adopt(opened, lesson, {})
            for place, score in ((HERE, None), (SET, grader)):
                grade = opened.find_grade(*place)
                grade.auto_score = score
                grade.needs_manual_grade = grade.manual_score is not None or score is None
            opened.db.commit()
            settle_marks(opened, lesson, "amy", notebook)

    def formgrader(self, place: Place, points: float | None, comment: str | None = None) -> None:
        with Gradebook(self.url) as opened:
            grade = opened.find_grade(*place)
            grade.manual_score = points
            grade.needs_manual_grade = points is None and grade.auto_score is None
            name = place[0].removeprefix("test_")
            opened.find_comment(name, *place[1:]).manual_comment = comment
            opened.db.commit()

    def now(self, place: Place = HERE) -> Marked:
        with Gradebook(self.url) as opened:
            return next(one for one in marks.answers_of(opened, LESSON) if one.name == place[0])

    def mark(self, place: Place = HERE, **changes) -> None:
        self.give(place, self.now(place).seen, changes)

    def questions(self) -> dict[str, MarkedQuestion]:
        return {one.name: one for one in answers.marked_questions(self.folder, LESSON)}

    def waiting_on_page(self) -> int:
        return sum(answer.waits for question in self.questions().values() for answer in question.answers)

    def waiting_in_tables(self) -> int:
        (amys,) = standing.read_standings(directory_of(COURSE, self.folder), OTHER)
        assert amys.earned is not None
        return amys.earned.waiting

    def page(self) -> BeautifulSoup:
        page, _ = server.answers_page(self.desk.questions(), server.Remembered(), self.desk)
        return BeautifulSoup(page, "html.parser")


@pytest.fixture
def amys(gradebook, tmp_path) -> Class:
    shutil.copy(gradebook, tmp_path)
    made = Class(tmp_path)
    made.graded(FIRST)
    return made


def test_other_words_wait_beside_the_old_ones_and_their_mark(amys):
    amys.mark(points=3.0, comment="And the key?")
    amys.graded(SECOND)
    now = amys.now()
    assert (now.points, now.comment, now.waits, now.text) == (None, "", True, SECOND)
    assert now.before is not None
    assert (now.before.text, now.before.points, now.before.comment) == (FIRST, 3, "And the key?")
    assert amys.waiting_on_page() == amys.waiting_in_tables() == 1
    before, after = amys.page().find_all(class_="version")
    assert FIRST in before.text
    assert "Marked before: 3 of 4 points" in before.text
    assert "And the key?" in before.text
    assert after.find(class_="answer").text.strip() == SECOND


def test_the_same_words_are_not_marked_twice(amys):
    amys.mark(points=3.0)
    for words in (FIRST, f"{FIRST}  \n"):
        amys.graded(words, code="mask = 2")
        assert (amys.now().points, amys.now().waits) == (3, False)
    amys.graded(SECOND)
    amys.mark(points=4.0)
    amys.graded(FIRST)
    assert (amys.now().points, amys.now().waits) == (3, False), "handed in again as it was"


def test_another_rubric_lets_a_mark_wait_and_says_so(amys):
    amys.mark(points=3.0)
    other = Lesson(COURSE, OTHER)
    cells = [replace(one, text=one.text + " ") for one in LESSON.cells]
    vars(other)["cells"] = tuple(cells)
    amys.graded(FIRST, lesson=other)
    assert not amys.now().waits
    cells = [
        replace(one, text=one.text.replace("BEGIN SOLUTION", "BEGIN SOLUTION\nA new rule.")) for one in cells
    ]
    vars(other)["cells"] = tuple(cells)
    amys.graded(FIRST, lesson=other)
    assert amys.now().waits
    assert "the rubric is another by now" in amys.page().find(class_="version").text


def test_points_set_by_hand_for_other_code_do_not_count_and_are_to_be_looked_at(amys):
    assert CODE not in amys.questions()
    amys.formgrader(SET, 6, "Copied.")
    amys.graded(FIRST)
    assert (amys.now(SET).points, amys.now(SET).waits) == (6, False)
    amys.graded(FIRST, code="mask = 2")
    now = amys.now(SET)
    assert (now.points, now.given, now.comment, now.waits) == (None, 7, "", True)
    assert amys.waiting_on_page() == amys.waiting_in_tables() == 2
    section = amys.page().find(id=f"{OTHER}-{CODE}").find_parent("section")
    assert "mask = 1" in section.find(class_="version").text
    assert "Leave it at the grader's 7" in section.text
    amys.mark(SET, points=None)
    assert not amys.now(SET).waits
    amys.graded(FIRST, code="mask = 2")
    assert not amys.now(SET).waits


@pytest.fixture
def of_before(amys) -> Class:
    """The same, with a gradebook of before words were kept."""
    with Gradebook(amys.url) as opened:
        TABLES.drop_all(opened.engine)
        for trigger in ("grade_changed", "comment_changed", "grade_removed"):
            opened.db.connection().exec_driver_sql(f"drop trigger if exists {trigger}")
        opened.db.commit()
    return amys


def test_a_gradebook_of_before_is_taken_over_with_its_marks(of_before):
    of_before.formgrader(HERE, 3)
    assert amount(of_before) == (3, False)
    of_before.graded(FIRST)
    assert amount(of_before) == (3, False)
    of_before.graded(SECOND)
    assert amount(of_before) == (None, True)


def test_of_a_mark_of_before_that_waits_nobody_knows_the_words(of_before):
    with Gradebook(of_before.url) as opened:
        grade = opened.find_grade(*HERE)
        grade.manual_score, grade.needs_manual_grade = 3, True
        opened.db.commit()
    assert amount(of_before) == (None, True)
    before = of_before.page().find(class_="version")
    assert "Marked before: 3 of 4 points" in before.text
    assert "not known" in before.text
    assert of_before.page().find(class_="now").find(class_="answer").text.strip() == FIRST
    of_before.graded(FIRST)
    assert amount(of_before) == (None, True)
    of_before.mark(points=3.0)
    assert amount(of_before) == (3, False)


def amount(made: Class) -> tuple[float | None, bool]:
    (answer,) = made.questions()[WRITTEN].answers
    return answer.points, answer.waits


def test_a_mark_on_a_page_older_than_formgrader_s_is_refused_and_changes_nothing(amys):
    seen = amys.now().seen
    amys.formgrader(HERE, 1)
    with pytest.raises(Stale):
        amys.give(HERE, seen, {"points": 2.0})
    assert amys.now().points == 1


def test_of_many_at_once_one_mark_is_saved(amys):
    seen = amys.now().seen

    def one(points: int) -> bool:
        try:
            amys.give(HERE, seen, {"points": points / 4})
        except CourseError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        saved = list(pool.map(one, range(16)))
    assert saved.count(True) == 1
    assert amys.now().points == saved.index(True) / 4
    assert len(amys.now().history) == 1


@pytest.mark.parametrize("step", ["_change_words", "_let_have"])
def test_who_kills_it_in_the_middle_finds_words_and_mark_as_they_were(amys, step, monkeypatch):
    amys.mark(points=3.0)
    if (child := os.fork()) == 0:
        try:
            monkeypatch.setattr(marked_words, step, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
            amys.graded(SECOND)
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert (amys.now().text, amys.now().points) == (FIRST, 3)
    amys.graded(SECOND)
    assert (amys.now().text, amys.now().points, amys.now().waits) == (SECOND, None, True)
    assert len(amys.now().history) == 1


def test_a_mark_that_comes_while_other_words_are_saved_is_not_theirs(amys, monkeypatch):
    seen, of_student = amys.now().seen, marked_words._of_student
    with ThreadPoolExecutor(1) as pool:
        given = []

        def reading(*those):
            found = of_student(*those)
            given.append(pool.submit(amys.give, HERE, seen, {"points": 2.0}))
            with pytest.raises(TimeoutError):
                given[0].result(0.5)
            return found

        monkeypatch.setattr(marked_words, "_of_student", reading)
        amys.graded(SECOND)
        with pytest.raises(Stale):
            given[0].result()
    assert (amys.now().text, amys.now().points) == (SECOND, None)


def test_every_change_is_kept_formgrader_s_too(amys):
    amys.mark(points=3.0, comment="Good.")
    amys.mark(points=None)
    assert amys.now().waits
    assert amys.now().undone == (3, "Good.", ())
    amys.formgrader(HERE, 2, "Good.")
    amys.formgrader(HERE, None, "Good.")
    amys.mark(points=4.0)
    kept = [(one.points, one.comment) for one in amys.now().history]
    assert kept == [(3, "Good."), (None, "Good."), (2, "Good."), (None, "Good."), (4, "Good.")]
    history = amys.page().find(class_="below")
    assert history.summary.text == "History (5)"
    back = [(button["data-points"], button["data-comment"]) for button in history.find_all("button")]
    assert back == [("3", "Good."), ("", "Good."), ("2", "Good."), ("", "Good.")]


def test_a_student_who_is_removed_leaves_no_words(amys):
    amys.mark(points=3.0)
    with Gradebook(amys.url) as opened:
        opened.remove_student("amy")
        tables = (NOW, WORDS, HISTORY)
        assert [opened.db.query(table).count() for table in tables] == [0, 0, 0]

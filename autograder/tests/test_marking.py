"""The marking page: who wrote is not seen, marks have their marker's name, items add up, alike is marked once."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tornado.testing import AsyncHTTPTestCase

from autograder.exercises.errors import CourseError
from autograder.marking import server
from autograder.marking.groups import find_differences
from autograder.marking.marker_view import MarkerView, released_text
from autograder.marking.rubric import MAX_ITEM, read_rubric
from autograder.records.manual_grades import GivenMark, RubricItem, Stale
from autograder.records.marked_answers import split_prompt
from autograder.tests.commands import run_ours
from autograder.tests.marked_class import LESSON, MOST, WRITTEN, MarkedClass, hand_in_words, make_class
from autograder.tests.reports import OTHER
from autograder.tests.this_course import COURSE

SAME, NEAR = "The query asks, and each key answers it.", "The query asks, and every key answers it."
ANSWERED = {
    "amy": SAME,
    "benedict": "the query asks,  and each KEY answers it.\n",
    "cemre": NEAR,
    "dorothy": "With 4 heads there are 4 patterns of weights in the layer.",
    "eleanor": "With 8 heads there are 8 patterns of weights in the layer.",
    "gilbert": "I have no idea at all, sorry.",
    "hildegard": "Self: one sequence. Cross: two of them.",
}
ALIKE = ("amy", "benedict", "cemre")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_class(tmp_path_factory.mktemp("made"), ANSWERED)


class Class(MarkedClass):
    def ids(self, *students: str) -> list[str]:
        return [self.answer(student).id for student in students]

    def points(self, *students: str) -> list[float | None]:
        return [self.answer(student).points for student in students]

    def items(self) -> list[RubricItem]:
        return [*self.ada.aids(OTHER, WRITTEN, []).items]

    def add_item(self, says: str, points: float) -> RubricItem:
        self.ada.change_item(OTHER, WRITTEN, None, RubricItem(0, says, points))
        return self.items()[-1]

    def change_item(self, seen: RubricItem, **changes) -> None:
        self.ben.change_item(OTHER, WRITTEN, seen, seen._replace(**changes))


@pytest.fixture
def a_class(made: Path, tmp_path: Path) -> Class:
    return Class(shutil.copytree(made, tmp_path / "class"))


def test_nothing_on_the_page_tells_who_wrote_or_orders_by_it(a_class):
    again = MarkerView(COURSE, a_class.folder, [LESSON], "ada")
    desks = (a_class.ada, again, a_class.ben)
    first, started_again, bens = ([one.id for one in desk.questions()[0].answers] for desk in desks)
    by_name = a_class.ids(*sorted(ANSWERED))
    assert first == started_again
    assert sorted(first) == sorted(by_name)
    assert len({tuple(order) for order in (first, bens, by_name)}) == 3
    a_class.give(*ANSWERED, points=1.0, comment="Why?")
    page = a_class.page()
    forms = page.select("form[data-answer]")
    assert [form["data-answer"] for form in forms] == first
    assert {form["data-change"] for form in forms} == {"1"}
    assert not [student for student in ANSWERED if student in str(page)]
    assert [one.id for one in a_class.ada.of_question(OTHER, WRITTEN)] == sorted(by_name), "as JSON, too"


def test_a_question_that_nobody_answered_is_shown(a_class, monkeypatch):
    nobody = replace(a_class.ada.questions()[0], answers=(), untouched=8)
    monkeypatch.setattr("autograder.marking.marker_view.marked_questions", lambda *_: [nobody])
    assert "8 left it as it was" in a_class.page().text


def test_answers_that_are_alike_are_put_together_but_not_with_other_numbers(a_class):
    (question,) = a_class.ada.questions()
    ids = {*a_class.ids(*ALIKE)}
    first = next(answer.id for answer in question.answers if answer.id in ids)
    assert {*question.alike} == {first}
    assert {answer.id for answer in question.alike[first]} | {first} == ids
    pieces = [("The query asks, and ", False), ("every", True), (" key answers it.", False)]
    assert find_differences(NEAR, SAME) == pieces


def test_a_group_is_marked_whole_or_not_at_all(a_class):
    given = [GivenMark(id, 0, {"points": 3.0}) for id in a_class.ids(*ALIKE)]
    a_class.give("benedict", by="ben", points=1.0)
    with pytest.raises(Stale) as refused:
        a_class.ada.give_marks(OTHER, WRITTEN, given)
    assert refused.value.ids == a_class.ids("benedict")
    with pytest.raises(CourseError, match="from 0 to 4"):
        a_class.ada.give_marks(OTHER, WRITTEN, [given[0], given[2]._replace(changes={"points": 5.0})])
    assert a_class.points(*ALIKE) == [None, 1, None]
    a_class.ada.give_marks(OTHER, WRITTEN, [given[0], given[2]])
    assert a_class.points(*ALIKE) == [3, 1, 3]
    assert len(a_class.ada.questions()[0].leaders) == 1, "another mark is another group"


def test_who_changes_a_rubric_item_changes_the_marks_that_have_it(a_class):
    where, whole = a_class.add_item("says where from", 1), a_class.add_item("says it all", 3)
    both, first = (where.id, whole.id), (where.id,)
    a_class.give("amy", points=4.0, comment="says where from\nWell.", items=both)
    a_class.give("cemre", points=2.5, items=first)
    a_class.give("gilbert", points=0.0)
    a_class.give("dorothy", points=1.0, items=first)
    hand_in_words(a_class.folder, "dorothy", "Other words.")
    a_class.change_item(where, points=2.0, says="says from where")
    amy = a_class.answer("amy")
    assert (amy.points, amy.comment, amy.items) == (MOST, "says from where\nWell.", both), "all there is"
    why = "rubric item “says where from”: reads “says from where”, 2, was 1"
    assert (amy.history[-1].marker, amy.history[-1].why) == ("ben", why)
    assert a_class.points("cemre", "gilbert", "dorothy") == [3.5, 0, None]
    before = a_class.answer("dorothy").before
    assert before is not None
    assert (before.points, a_class.answer("dorothy").text) == (2, "Other words.")
    with pytest.raises(CourseError, match="marks that have it: 3"):
        a_class.ada.change_item(OTHER, WRITTEN, a_class.items()[0], None)
    hand_in_words(a_class.folder, "dorothy", ANSWERED["dorothy"])
    dorothy = a_class.answer("dorothy")
    assert (dorothy.points, dorothy.items, dorothy.waits) == (2, first, False), "handed in again as it was"
    a_class.change_item(a_class.items()[0], points=0.5)
    assert a_class.points("amy", "cemre", "dorothy") == [3.5, 2, 0.5]
    record = a_class.ada.questions()[0].aids.record
    assert record[-1].what.endswith("0.5, was 2; marks that follow: 3")
    with pytest.raises(Stale, match="somebody has changed this rubric item meanwhile"):
        a_class.change_item(where, points=3.0)
    with pytest.raises(CourseError, match="marks that have it: 1"):
        a_class.ada.change_item(OTHER, WRITTEN, whole, None)
    a_class.give("amy", points=0.5, items=first)
    a_class.ada.change_item(OTHER, WRITTEN, whole, None)
    assert [item.says for item in a_class.items()] == ["says from where"]


def test_each_line_of_a_comment_can_be_given_again(a_class):
    item = a_class.add_item("says where from", 1)
    a_class.give("amy", comment="says where from\nAnd the mask?", items=(item.id,))
    a_class.give("cemre", by="ben", comment="And the mask?\nWhich heads?")
    assert a_class.ada.questions()[0].aids.comments == ["And the mask?", "Which heads?"]


def test_a_marker_has_a_name_of_one_line(a_class):
    said = run_ours("mark", "--marker", "a\nb", "--class", str(a_class.folder), fails=True)
    assert said == "✗ --marker: a name of at most 60 characters on one line"


RELEASED = released_text(LESSON, WRITTEN)
PNG, OTHER_PNG = (f"data:image/png;base64,iVBORw0KGgo{pixel * 60}" for pixel in ("aaaa", "bbbb"))


def test_the_question_is_folded_and_not_compared(a_class):
    for student, words in zip(ALIKE, ("One.", "Quite another answer.", "Two.")):
        hand_in_words(a_class.folder, student, RELEASED.replace("*Your answer here.*", words))
    (question,) = a_class.ada.questions()
    assert not {*a_class.ids(*ALIKE)} & {*question.leaders, *question.alike}
    above = a_class.page().select_one(f"#answer-{a_class.ids('amy')[0]} .above")
    assert above.select_one(".now > .answer").get_text(strip=True) == "One."
    assert "three questions" in above.select_one("details.asked:not([open])").get_text()


def test_pictures_are_shown_and_belong_to_the_words(a_class):
    for student, picture in zip(ALIKE, (PNG, OTHER_PNG, PNG)):
        hand_in_words(a_class.folder, student, f"See ![image.png]({picture})")
    gif = PNG.replace("png", "gif")
    hand_in_words(a_class.folder, "dorothy", f"See ![a sketch]({gif}) <img src='https://x.y/z'>")
    amy, benedict, cemre = a_class.ids(*ALIKE)
    leaders = a_class.ada.questions()[0].leaders
    assert leaders in ({amy: cemre}, {cemre: amy})
    page = a_class.page()
    shown = [(image["src"], image["alt"]) for image in page.select("form .answer img")]
    assert sorted(shown) == sorted([(each, "Picture 1 of this answer") for each in (PNG, PNG, OTHER_PNG)])
    assert "[Picture 1 of this answer: a sketch, left out]" in page.text
    a_class.give("amy", points=2.0)
    hand_in_words(a_class.folder, "amy", f"See ![image.png]({OTHER_PNG})")
    assert a_class.answer("amy").waits


def test_the_lesson_s_rubrics_add_up_to_the_points_of_their_questions():
    written = [cell for lesson in COURSE.lessons for cell in lesson.cells if cell.marker == "written"]
    assert written
    for cell in written:
        items = read_rubric(split_prompt(cell)[1])
        assert sum(points for _, points in items) == cell.points
        assert all(says and "\n" not in says and len(says) <= MAX_ITEM for says, _ in items)


class TestServed(AsyncHTTPTestCase):
    """What the page's script is answered."""

    @pytest.fixture(autouse=True)
    def served_class(self, a_class, monkeypatch):
        self.a_class = a_class
        monkeypatch.setenv("ASYNC_TEST_TIMEOUT", "60")  # seconds, of a busy machine

    def get_app(self):
        return server.application(self.a_class.ada, "secret", 1)

    def sent(self, path: str, **what) -> tuple[int, dict]:
        body = json.dumps({"lesson": OTHER, "name": WRITTEN, **what})
        url = self.get_url(f"/{path}?token=secret")
        answer = self.fetch(url, method="POST", body=body, request_timeout=60)
        is_json = "json" in answer.headers["Content-Type"]
        return answer.code, json.loads(answer.body) if is_json else {}

    def test_marks_rubric_and_names(self):
        (amy,) = self.a_class.ids("amy")
        status, now = self.sent("mark", marks=[(amy, 0, {"points": 2, "comment": "Why?"})])
        assert (status, now["comments"], now["answers"][amy]["points"]) == (200, ["Why?"], "2")
        assert "Undo: back to no points" in now["answers"][amy]["below"]
        assert not [student for student in ANSWERED if student in json.dumps(now)]
        status, now = self.sent("mark", marks=[(amy, 0, {"points": 4})])
        assert (status, now["stale"], now["answers"][amy]["points"]) == (409, [amy], "2")
        for _ in range(2):
            status, now = self.sent("rubric")
            assert (status, len(now["items"]), now["offered"]) == (200, MOST, False)
        status, now = self.sent("names")
        assert (status, now["names"][amy]) == (200, "amy")
        assert "ada: names shown" in now["record"]
        assert "ada: names shown" in self.a_class.page("ben").text

    def test_what_is_none_of_it_is_refused(self):
        amy = self.a_class.answer("amy")
        for path, what in (
            ("mark", {"marks": [("none", 0, {"points": 1})]}),
            ("mark", {"marks": [[1]]}),
            ("mark", {"marks": [(amy.id, 0, {"items": [1]})]}),
            *(("mark", {"marks": [(amy.id, 0, {"points": points})]}) for points in (5, -1, float("nan"))),
            ("mark", {"marks": [(amy.id, 0, {"comment": "!" * (server.MAX_COMMENT + 1)})]}),
            ("item", {"seen": None, "now": (0, " ", 1)}),
            ("item", {"seen": None, "now": (0, "!" * (MAX_ITEM + 1), 1)}),
            ("item", {"seen": None, "now": (0, "x", float("inf"))}),
            ("names", {"lesson": "no lesson"}),
        ):
            assert self.sent(path, **what)[0] == 400, what
        assert self.a_class.answer("amy") == amy

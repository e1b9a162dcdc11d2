"""The marking page: who wrote is not seen, marks have their marker's name, items add up, alike is marked once."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook
from tornado.testing import AsyncHTTPTestCase

from autograder.marking import server
from autograder.marking.answers import released_text
from autograder.marking.desk import Desk, ShownQuestion
from autograder.marking.groups import differing
from autograder.marking.local_page import application
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.gradebook import directory_of
from autograder.nbgrader_plugin.marked_words import prompt_and_model
from autograder.nbgrader_plugin.marks import GivenMark, Marked, Stale
from autograder.nbgrader_plugin.rubric_items import MAX_ITEM, RubricItem, read_rubric
from autograder.nbgrader_plugin.together import settle_folder
from autograder.tests.commands import run_ours
from autograder.tests.marked_class import LESSON, MOST, WRITTEN, hand_in_words, make_class
from autograder.tests.reports import OTHER
from autograder.tests.this_course import COURSE

SAME, NEAR = "The query asks, and each key answers it.", "The query asks, and every key answers it."
ANSWERED = {
    "amelia": SAME,
    "benedict": "the query asks,  and each KEY answers it.\n",
    "cemre": NEAR,
    "dorothy": "With 4 heads there are 4 patterns of weights in the layer.",
    "eleanor": "With 8 heads there are 8 patterns of weights in the layer.",
    "fredegund": "A mask hides what comes later, so that nothing leaks.",
    "gilbert": "I have no idea at all, sorry.",
    "hildegard": "Self: one sequence. Cross: two of them.",
}


def marked(lesson) -> list:
    return [cell for cell in lesson.cells if cell.marker == "written"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_class(tmp_path_factory.mktemp("made"), ANSWERED)


class Class:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ada, self.ben = (self.marker(name) for name in ("ada", "ben"))
        self.ids = {who: id for id, who in self.ada.uncover(OTHER, WRITTEN).items()}

    def marker(self, name: str) -> Desk:
        return Desk(COURSE, self.folder, [LESSON], name)

    def now(self, student: str, desk: Desk | None = None) -> Marked:
        found = (desk or self.ada).of_question(OTHER, WRITTEN)
        return next(one for one in found if one.id == self.ids[student])

    def give(self, desk: Desk, *students: str, **changes) -> None:
        those = [self.now(student, desk) for student in students]
        desk.give(OTHER, WRITTEN, [GivenMark(one.id, one.seen, changes) for one in those], self.items())

    def items(self) -> list[RubricItem]:
        return [*self.shown(self.ada).aids.items]

    def add_item(self, says: str, points: float) -> RubricItem:
        self.ada.change_item(OTHER, WRITTEN, None, RubricItem(0, says, points))
        return self.items()[-1]

    def change_item(self, seen: RubricItem, **changes) -> None:
        self.ben.change_item(OTHER, WRITTEN, seen, seen._replace(**changes))

    @staticmethod
    def shown(desk: Desk) -> ShownQuestion:
        (question,) = desk.questions()
        return question

    def page(self, desk: Desk) -> str:
        return server.answers_page(desk.questions(), server.Remembered(), desk)[0]


@pytest.fixture
def a_class(made: Path, tmp_path: Path) -> Class:
    return Class(shutil.copytree(made, tmp_path / "class"))


def test_nothing_on_the_page_tells_who_wrote_or_orders_by_it(a_class):
    orders = [[one.id for one in a_class.shown(desk).answers] for desk in (a_class.ada, a_class.ben)]
    by_name = [a_class.ids[student] for student in sorted(ANSWERED)]
    assert sorted(orders[0]) == sorted(by_name)
    assert len({tuple(order) for order in (*orders, by_name)}) == 3
    a_class.give(a_class.ada, *ANSWERED, points=1.0, comment="Why?")
    page = a_class.page(a_class.ada)
    assert [
        form["data-answer"] for form in BeautifulSoup(page, "html.parser").select("form[data-answer]")
    ] == orders[0]
    assert not [student for student in ANSWERED if student in page]
    assert {
        form["data-change"] for form in BeautifulSoup(page, "html.parser").select("form[data-change]")
    } == {"1"}
    assert [one.id for one in a_class.shown(a_class.marker("ada")).answers] == orders[0], "started again"
    assert [one.id for one in a_class.ada.of_question(OTHER, WRITTEN)] == sorted(by_name), "as JSON, too"


def test_a_question_that_nobody_answered_is_shown(a_class, monkeypatch):
    nobody = replace(a_class.shown(a_class.ada).about, answers=(), untouched=8)
    monkeypatch.setattr("autograder.marking.answers.marked_questions", lambda *_: [nobody])
    assert "8 left it as it was" in a_class.page(a_class.ada)


def test_who_uncovers_names_is_in_the_record(a_class):
    assert a_class.ben.uncover(OTHER, WRITTEN)[a_class.ids["amelia"]] == "amelia"
    said = [(one.marker, one.what) for one in a_class.shown(a_class.ada).aids.record]
    assert said == [("ada", "names shown"), ("ben", "names shown")]
    assert "ben: names shown" in a_class.page(a_class.ada)


def test_each_mark_has_its_marker_s_name(a_class):
    a_class.give(a_class.ada, "gilbert", points=0.0)
    a_class.give(a_class.ben, "gilbert", comment="Look at the figure again.")
    past = a_class.now("gilbert").history
    assert [(one.marker, one.points, one.comment) for one in past] == [
        ("ada", 0, ""),
        ("ben", 0, "Look at the figure again."),
    ]
    with Gradebook(f"sqlite:///{a_class.folder / 'gradebook.db'}") as formgrader:
        formgrader.find_grade(WRITTEN, LESSON.notebook, OTHER, "gilbert").manual_score = 2
        formgrader.db.commit()
    assert [one.marker for one in a_class.now("gilbert").history] == ["ada", "ben", ""]


def test_answers_that_are_alike_are_put_together_but_not_with_other_numbers(a_class):
    question = a_class.shown(a_class.ada)
    first = next(
        one.id
        for one in question.answers
        if one.id in {a_class.ids[who] for who in ("amelia", "benedict", "cemre")}
    )
    assert {one.id for one in question.alike[first]} | {first} == {
        a_class.ids[who] for who in ("amelia", "benedict", "cemre")
    }
    assert {*question.alike} == {first}
    assert differing(NEAR, SAME) == [
        ("The query asks, and ", False),
        ("every", True),
        (" key answers it.", False),
    ]


def test_a_group_is_marked_whole_or_not_at_all(a_class):
    those = [a_class.now(who) for who in ("amelia", "benedict", "cemre")]
    given = [GivenMark(one.id, one.seen, {"points": 3.0}) for one in those]
    a_class.give(a_class.ben, "benedict", points=1.0)
    with pytest.raises(Stale) as refused:
        a_class.ada.give(OTHER, WRITTEN, given)
    assert refused.value.ids == [a_class.ids["benedict"]]
    assert [a_class.now(who).points for who in ("amelia", "benedict", "cemre")] == [None, 1, None]
    with pytest.raises(CourseError, match="from 0 to 4"):
        a_class.ada.give(OTHER, WRITTEN, [given[0], given[2]._replace(changes={"points": 5.0})])
    assert a_class.now("amelia").points is None
    a_class.ada.give(OTHER, WRITTEN, [given[0], given[2]])
    assert [a_class.now(who).points for who in ("amelia", "benedict", "cemre")] == [3, 1, 3]
    assert len(a_class.shown(a_class.ada).leaders) == 1, "another mark is another group"


def test_who_changes_a_rubric_item_changes_the_marks_that_have_it(a_class):
    where, whole = a_class.add_item("says where from", 1), a_class.add_item("says it all", 3)
    both, one = (where.id, whole.id), (where.id,)
    a_class.give(a_class.ada, "amelia", points=4.0, comment="says where from\nWell.", items=both)
    a_class.give(a_class.ada, "cemre", points=2.5, items=one)
    a_class.give(a_class.ada, "gilbert", points=0.0)
    a_class.give(a_class.ada, "dorothy", points=1.0, items=one)
    hand_in_words(a_class.folder, "dorothy", "Other words.")
    a_class.change_item(where, points=2.0, says="says from where")
    amelia = a_class.now("amelia")
    assert (amelia.points, amelia.comment, amelia.items) == (MOST, "says from where\nWell.", both), (
        "as much as there is"
    )
    assert (amelia.history[-1].marker, amelia.history[-1].why) == (
        "ben",
        "rubric item “says where from”: reads “says from where”, 2, was 1",
    )
    assert [a_class.now(who).points for who in ("cemre", "gilbert", "dorothy")] == [3.5, 0, None]
    before = a_class.now("dorothy").before
    assert before is not None
    assert before.points == 2
    hand_in_words(a_class.folder, "dorothy", ANSWERED["dorothy"])
    assert (a_class.now("dorothy").points, a_class.now("dorothy").items) == (2, one), (
        "handed in again as it was"
    )
    a_class.change_item(a_class.items()[0], points=0.5)
    assert [a_class.now(who).points for who in ("amelia", "cemre", "dorothy")] == [3.5, 2, 0.5]
    assert a_class.shown(a_class.ada).aids.record[-1].what.endswith("0.5, was 2; marks that follow: 3")
    with pytest.raises(Stale):
        a_class.change_item(where, points=3.0)
    with pytest.raises(CourseError, match="marks that have it: 1"):
        a_class.ada.change_item(OTHER, WRITTEN, whole, None)
    a_class.give(a_class.ada, "amelia", points=0.5, items=one)
    a_class.ada.change_item(OTHER, WRITTEN, whole, None)
    assert [one.says for one in a_class.items()] == ["says from where"]


def test_no_mark_has_a_rubric_item_otherwise_than_its_marker_saw_it(a_class):
    seen = a_class.add_item("says where from", 1)
    a_class.change_item(seen, points=2.0)
    amelia = a_class.now("amelia")
    given = [GivenMark(amelia.id, amelia.seen, {"points": 1.0, "items": (seen.id,)})]
    with pytest.raises(Stale, match="changed this rubric item meanwhile") as refused:
        a_class.ada.give(OTHER, WRITTEN, given, [seen])
    assert refused.value.ids == []
    assert a_class.now("amelia").points is None
    a_class.ada.give(OTHER, WRITTEN, given, a_class.items())
    assert a_class.now("amelia").points == 1


def test_each_line_of_a_comment_can_be_given_again(a_class):
    item = a_class.add_item("says where from", 1)
    a_class.give(a_class.ada, "amelia", comment="says where from\nAnd the mask?", items=(item.id,))
    a_class.give(a_class.ben, "cemre", comment="And the mask?\nWhich heads?")
    assert a_class.shown(a_class.ada).aids.comments == ["And the mask?", "Which heads?"]


def test_a_marker_has_a_name_of_one_line(a_class):
    said = run_ours("mark", "--marker", "a\nb", "--folder", str(a_class.folder), fails=True)
    assert said == "✗ --marker: a name of at most 60 characters on one line"


RELEASED = released_text(LESSON, WRITTEN)
PNG, OTHER_PNG = (f"data:image/png;base64,iVBORw0KGgo{pixel * 60}" for pixel in ("aaaa", "bbbb"))


def test_the_question_is_folded_and_not_compared(a_class):
    for student, words in zip(sorted(ANSWERED), ("One.", "Quite another answer.", "Two.")):
        hand_in_words(a_class.folder, student, RELEASED.replace("*Your answer here.*", words))
    question = a_class.shown(a_class.ada)
    ids = {a_class.ids[student] for student in ("amelia", "benedict", "cemre")}
    assert not ids & {*question.leaders, *question.alike}
    page = BeautifulSoup(a_class.page(a_class.ada), "html.parser")
    above = page.select_one(f"#answer-{a_class.ids['amelia']} .above")
    assert above.select_one(".now > .answer").get_text(strip=True) == "One."
    assert "three questions" in above.select_one("details.asked:not([open])").get_text()


def test_pictures_are_shown_and_belong_to_the_words(a_class):
    for student, picture in (("amelia", PNG), ("benedict", OTHER_PNG), ("cemre", PNG)):
        hand_in_words(a_class.folder, student, f"See ![image.png]({picture})")
    hand_in_words(
        a_class.folder, "dorothy", f"See ![a sketch]({PNG.replace('png', 'gif')}) <img src='https://x.y/z'>"
    )
    question = a_class.shown(a_class.ada)
    leader = {
        a_class.ids[who]: question.leaders.get(a_class.ids[who]) for who in ("amelia", "benedict", "cemre")
    }
    assert leader[a_class.ids["benedict"]] is None
    assert {leader[a_class.ids["amelia"]], leader[a_class.ids["cemre"]]} & {
        a_class.ids["amelia"],
        a_class.ids["cemre"],
    }
    text, policy = server.answers_page(a_class.ada.questions(), server.Remembered(), a_class.ada)
    page = BeautifulSoup(text, "html.parser")
    shown = [(image["src"], image["alt"]) for image in page.select("form .answer img")]
    assert sorted(shown) == sorted([(one, "Picture 1 of this answer") for one in (PNG, PNG, OTHER_PNG)])
    assert "[Picture 1 of this answer: a sketch, left out]" in page.text
    assert "img-src data:" in policy
    a_class.give(a_class.ada, "amelia", points=2.0)
    hand_in_words(a_class.folder, "amelia", f"See ![image.png]({OTHER_PNG})")
    assert a_class.now("amelia").waits


@pytest.mark.parametrize("lesson", [one for one in COURSE.lessons if marked(one)], ids=lambda one: one.id)
def test_the_lesson_s_rubric_adds_up_to_the_points_of_its_question(lesson):
    for cell in marked(lesson):
        items = read_rubric(prompt_and_model(cell)[1])
        assert sum(points for _, points in items) == cell.points
        assert all(says and "\n" not in says and len(says) <= MAX_ITEM for says, _ in items)


def test_a_class_of_the_release_before_is_marked_on(tmp_path):
    shutil.unpack_archive(Path(__file__).parent / "samples" / "class_before.tar.xz", tmp_path)
    settings = tmp_path / "class.toml"
    settings.write_text(settings.read_text().replace("COURSE", str(COURSE.root)))
    settle_folder(directory_of(COURSE, tmp_path))
    desk = Desk(COURSE, tmp_path, [COURSE.lesson("04_gaussian_kernel")], "ada")
    (question,) = desk.questions()
    (answer,) = question.answers
    assert (answer.points, answer.items, [one.marker for one in answer.history]) == (3, (), [""])
    name = answer.name
    desk.change_item("04_gaussian_kernel", name, None, RubricItem(0, "says why", 2))
    desk.give("04_gaussian_kernel", name, [GivenMark(answer.id, answer.seen, {"points": 2.0, "items": (1,)})])
    (answer,) = desk.of_question("04_gaussian_kernel", name)[:1]
    assert (answer.items, [one.marker for one in answer.history]) == ((1,), ["", "ada"])


class TestServed(AsyncHTTPTestCase):
    """What the page's script is answered."""

    @pytest.fixture(autouse=True)
    def served_class(self, a_class, monkeypatch):
        self.a_class = a_class
        monkeypatch.setenv("ASYNC_TEST_TIMEOUT", "60")  # seconds, of a busy machine

    def get_app(self):
        return application(server.marking_doors(self.a_class.ada), "mark", "secret", 1)

    def sent(self, path: str, **what) -> tuple[int, dict]:
        body = json.dumps({"lesson": OTHER, "name": WRITTEN, **what})
        answer = self.fetch(
            self.get_url(f"/{path}?token=secret"), method="POST", body=body, request_timeout=60
        )
        is_json = "json" in answer.headers["Content-Type"]
        return answer.code, json.loads(answer.body) if is_json else {}

    def test_items_marks_groups_and_names(self):
        item = RubricItem(0, "says where from", 2)
        status, now = self.sent("item", seen=None, now=item)
        assert (status, [says for _, says, _ in now["items"]]) == (200, ["says where from"])
        (kept,) = now["items"]
        amelia = self.a_class.now("amelia")
        given = {"points": 2, "items": [kept[0]], "comment": "Why?"}
        status, now = self.sent("mark", marks=[(amelia.id, amelia.seen, given)], rubric=[kept])
        assert (status, now["comments"], now["answers"][amelia.id]["items"]) == (200, ["Why?"], [kept[0]])
        assert not [student for student in ANSWERED if student in json.dumps(now)]
        status, now = self.sent("item", seen=kept, now=[*kept[:2], 1])
        assert (status, now["answers"][amelia.id]["points"]) == (200, "1")
        status, now = self.sent("mark", marks=[(amelia.id, amelia.seen, {"points": 4})])
        assert (status, now["stale"]) == (409, [amelia.id])
        for _ in range(2):
            status, now = self.sent("rubric")
            assert (status, len(now["items"]), now["offered"]) == (200, 1 + MOST, False)
        status, now = self.sent("names")
        assert (status, now["names"][amelia.id]) == (200, "amelia")
        assert "ada: names shown" in now["record"]

    def test_who_is_too_late_is_shown_what_is_there(self):
        id, seen = self.a_class.ids["amelia"], self.a_class.now("amelia").seen

        def give(words: str, change: int, **changes) -> tuple[int, dict]:
            status, said = self.sent("mark", marks=[(id, (words, change), changes)])
            return status, said | said["answers"][id]

        status, first = give(*seen, points=3)
        assert (status, first["points"], first["waits"]) == (200, "3", False)
        assert "Undo: back to no points" in first["below"]
        status, late = give(*seen, comment="Which key?")
        assert (status, late["points"], late["comment"]) == (409, "3", "")
        assert late["problem"] == "somebody has marked it meanwhile"
        status, again = give(late["words"], late["change"], comment="Which key?")
        assert (status, again["points"], again["comment"]) == (200, "3", "Which key?")
        hand_in_words(self.a_class.folder, "amelia", "Other words.")
        status, late = give(again["words"], again["change"], points=1)
        assert (status, late["waits"]) == (409, True)
        assert late["problem"] == "other words were handed in meanwhile"
        assert SAME in late["above"]
        assert "Other words." in late["above"]

    def test_what_is_none_of_it_is_refused(self):
        amelia = self.a_class.now("amelia")
        for path, what in (
            ("mark", {"marks": [("none", ("", 0), {"points": 1})]}),
            ("mark", {"marks": [[1]]}),
            ("mark", {"marks": [(amelia.id, amelia.seen, {"items": [1]})]}),
            *(
                ("mark", {"marks": [(amelia.id, amelia.seen, {"points": points})]})
                for points in (5, -1, float("nan"))
            ),
            ("mark", {"marks": [(amelia.id, amelia.seen, {"comment": "!" * (server.MAX_COMMENT + 1)})]}),
            ("item", {"seen": None, "now": (0, " ", 1)}),
            ("item", {"seen": None, "now": (0, "!" * (server.MAX_ITEM + 1), 1)}),
            ("item", {"seen": None, "now": (0, "x", float("inf"))}),
            ("names", {"lesson": "no lesson"}),
        ):
            assert self.sent(path, **what)[0] == 400, what
        assert self.a_class.now("amelia") == amelia

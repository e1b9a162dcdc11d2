"""The marking page: who wrote is not seen, marks have their marker's name, items add up, alike is marked once."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook
from tornado.testing import AsyncHTTPTestCase

from autograder.marking import server
from autograder.marking.desk import Desk, ShownQuestion
from autograder.marking.groups import differing
from autograder.marking.local_page import application
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import shared_sample
from autograder.nbgrader_plugin.marks import GivenMark, Marked, Stale
from autograder.nbgrader_plugin.rubric_items import RubricItem
from autograder.nbgrader_plugin.shared_sample import kappa
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


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_class(tmp_path_factory.mktemp("made"), ANSWERED)


class Class:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ada, self.ben = (self.marker(name) for name in ("ada", "ben"))
        self.ids = {who: id for id, who in self.ada.uncover(OTHER, WRITTEN).items()}

    def marker(self, name: str, sample: int = 0) -> Desk:
        return Desk(COURSE, self.folder, [LESSON], name, sample)

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


def test_who_is_taken_out_stays_out_until_the_words_change(a_class):
    cemre = a_class.now("cemre")
    a_class.ada.take_out(cemre.id, cemre.words)
    question = a_class.shown(a_class.ben)
    assert cemre.id not in {*question.leaders, *question.alike}
    hand_in_words(a_class.folder, "cemre", SAME)
    question = a_class.shown(a_class.ben)
    assert cemre.id in {*question.leaders, *question.alike}


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


def test_a_shared_sample_is_the_same_for_both_and_each_marks_it_alone(a_class):
    ada, ben = (a_class.marker(name, sample=3) for name in ("ada", "ben"))
    sample = {one.id for one in a_class.shown(ada).answers}
    assert len(sample) == 3
    assert {one.id for one in a_class.shown(ben).answers} == sample
    assert sample < {one.id for one in a_class.shown(a_class.marker("eve", sample=5)).answers}
    assert {one.id for one in a_class.shown(ben).answers} == sample, "also when there are more"
    students = [who for who, id in a_class.ids.items() if id in sample]
    for who, (first, second) in zip(students, ((4.0, 4.0), (0.0, 1.0), (2.0, 2.0))):
        a_class.give(ada, who, points=first, comment="Ada's.")
        seen = a_class.now(who, ben)
        assert (seen.points, seen.comment, seen.history, seen.waits) == (None, "", (), True)
        assert "Ada&#39;s" not in a_class.page(ben).split("<aside")[0]
        a_class.give(ben, who, points=second)
        assert (a_class.now(who).points, a_class.now(who).comment) == (first, "Ada's."), (
            "the first one counts"
        )
        assert a_class.now(who, ben).points == second
    with pytest.raises(Stale, match="another window"):
        ben.give(
            OTHER,
            WRITTEN,
            [GivenMark(a_class.ids[students[0]], a_class.now(students[0], ada).seen._replace(change=0), {})],
        )
    those = [a_class.now(who, ada) for who in (students[2], students[0])]
    given = [GivenMark(those[0].id, those[0].seen, {"points": 3.0})]
    with pytest.raises(Stale, match="another window"):
        ada.give(OTHER, WRITTEN, [*given, GivenMark(those[1].id, those[1].seen._replace(change=0), {})])
    assert a_class.now(students[2], ada).points == 2, "all or none"
    ada.give(OTHER, WRITTEN, given)
    assert a_class.now(students[2]).points == 3, "it counts, so it is changed"
    (agreed,) = a_class.ada.agreements()
    assert str(agreed).startswith(
        f"{WRITTEN}: ada and ben gave 1 of 3 answers the same points (33 %); Cohen's kappa "
    )
    page = BeautifulSoup(a_class.page(a_class.ada), "html.parser")
    assert str(agreed) in page.text
    assert len(page.select("form[data-differs]")) == 2


def test_kappa_is_the_one_of_a_table_of_both_markers_points():
    two_values = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    assert kappa(two_values) == pytest.approx((0.7 - 0.5) / (1 - 0.5)), "without weights"
    pairs = [(0, 0), (1, 1), (2, 2), (3, 2), (3, 3), (0, 2)]
    both = np.zeros((4, 4))
    for first, second in pairs:
        both[first, second] += 1 / len(pairs)
    chance = np.outer(both.sum(axis=1), both.sum(axis=0))
    weight = 1 - np.subtract.outer(np.arange(4), np.arange(4)) ** 2 / 9
    agreed, by_chance = (weight * both).sum(), (weight * chance).sum()
    assert kappa(pairs) == pytest.approx((agreed - by_chance) / (1 - by_chance))
    assert kappa([(2, 2), (2, 2)]) is None


def test_the_command_ends_with_how_far_markers_agree(a_class, monkeypatch):
    for name, given in (("ada", 2.0), ("ben", 3.0)):
        a_class.give(a_class.marker(name, sample=1), next(iter(sampled(a_class))), points=given)

    monkeypatch.setattr("autograder.marking.server.serve_page", lambda *_: None)
    said = run_ours("mark", OTHER, "--marker", "ada", "--sample", "1", "--folder", str(a_class.folder))
    assert "ada and ben gave 0 of 1 answers the same points (0 %)" in said
    said = run_ours("mark", "--marker", "a\nb", "--folder", str(a_class.folder), fails=True)
    assert said == "✗ --marker: a name of at most 60 characters on one line"


def sampled(a_class: Class) -> list[str]:
    with Gradebook(f"sqlite:///{a_class.folder / 'gradebook.db'}") as gradebook:
        ids = shared_sample.drawn(gradebook, a_class.ids.values(), 1)
    return [who for who, id in a_class.ids.items() if id in ids]


def test_a_class_of_the_release_before_is_marked_on(tmp_path):
    shutil.unpack_archive(Path(__file__).parent / "samples" / "class_before.tar.xz", tmp_path)
    settings = tmp_path / "class.toml"
    settings.write_text(settings.read_text().replace("COURSE", str(COURSE.root)))
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
        assert self.sent("apart", id=amelia.id, words=amelia.words)[0] == 200
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

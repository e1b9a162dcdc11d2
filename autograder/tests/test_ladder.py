"""From answers to verdicts: points by part, one explanation, a name for the mistake."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from autograder.model import common
from autograder.model.exercise import Case, MistakenAnswers, Part, Problem
from autograder.student import ladder, probe, report
from autograder.tests import toy


def passed(verdict):
    return [line.passed for line in verdict.lines]


def test_a_right_answer_gets_everything():
    verdict = toy.verdict(toy.double)
    assert (verdict.state, verdict.points, verdict.max_points) == ("right", 5, 5)
    assert not verdict.looks_like


def test_lists_scalars_and_single_precision_are_right_too():
    assert toy.verdict(lambda x: (2 * x).tolist()).state == "right"
    assert toy.verdict(lambda x: (2 * x).astype(np.float32)).state == "right"


def test_a_listed_mistake_is_named_and_keeps_what_it_earned():
    verdict = toy.verdict(toy.thrice)
    assert passed(verdict) == [True, False, False, True]
    assert (verdict.points, verdict.misconception, verdict.question) == (2, "thrice", "How much is it?")


def test_an_unlisted_mistake_is_not_guessed_at():
    verdict = toy.verdict(lambda x: x + 1)
    assert verdict.state == "wrong"
    assert not verdict.misconception


def test_only_the_first_failure_is_explained():
    verdict = toy.verdict(toy.thrice)
    assert [bool(line.details) for line in verdict.lines] == [False, True, False, False]


def test_a_card_sets_code_as_code_and_as_text_parts_stand_apart():
    added = [report.Section("Hint: twice", "Take `2 * x`.", "<p>Take it.</p>")]
    verdict = dataclasses.replace(toy.verdict(toy.thrice), question="What is `x < 3` in `[<b>]`, or ` alone?")
    html = report.card(verdict, added)
    assert "What is <code>x &lt; 3</code> in <code>[&lt;b&gt;]</code>, or ` alone?" in html
    assert "\n\n  Hint: twice\n      Take `2 * x`." in report.as_text(verdict, added)


def test_both_sides_of_a_shape_are_said():
    text = report.as_text(toy.verdict(lambda x: np.zeros(3)))
    assert "(3,)" in text
    assert "(2,)" in text


def test_expected_values_of_hidden_cases_are_not_said():
    hidden = Case("example", (np.array([1.0, 21.5]),), hidden=True)
    for wrong in (toy.thrice, lambda x: np.zeros(7), lambda x: x * np.nan):
        text = report.as_text(toy.verdict(wrong, hidden))
        assert "43" not in text
        assert "21.5" not in text


def test_a_stub_is_not_started_and_not_an_error():
    def stub(x):
        raise NotImplementedError("this is still a TODO")

    verdict = toy.verdict(stub)
    assert (verdict.state, verdict.points) == ("not started", 0)
    assert "not started" in report.as_text(verdict)


def test_what_stands_above_a_todo_that_was_left_is_a_start():
    def half(x):
        print(2 * x)
        raise NotImplementedError("this is still a TODO")

    verdict = toy.verdict(half)
    assert verdict.state == "wrong"
    assert "`half` is still a TODO" in report.as_text(verdict)


def test_a_librarys_own_not_implemented_is_an_error():
    def borrows(x):
        raise NotImplementedError("\"softmax_lastdim_kernel_impl\" not implemented for 'Long'")

    verdict = toy.verdict(borrows)
    assert verdict.state == "wrong"
    assert "your code raised NotImplementedError" in report.as_text(verdict)


def test_where_the_code_raised_nothing_was_seen_to_fail():
    def picky(x):
        raise ValueError("no")

    verdict = toy.verdict(picky)
    assert [line.sight for line in verdict.lines] == ["not reached"] * 4
    assert "✗" not in report.as_text(verdict).split("\n", 1)[1]
    assert verdict.next_step == "keeps the shape (not reached)"


def test_two_results_in_place_of_one_are_said_to_be_two():
    line = toy.verdict(lambda x: (2 * x, x)).lines[0]
    assert line.details[-2:] == (
        "got        2 results: an array of shape (2,), an array of shape (2,)",
        "expected   an array of shape (2,)",
    )


def test_numbers_of_another_shape_are_not_reached():
    verdict = toy.verdict(lambda x: np.zeros(3))
    assert [line.sight for line in verdict.lines] == ["failed", *["not reached"] * 3]


def far_verdict(answer):
    """On the example, and on numbers far from 0, a line about something special."""
    cases = (Case("example", (np.array([1.0, 2.0]),)), Case("far", (np.array([1e300, -1e300]),)))
    far = Part("far from 0 as well", common.agrees, ("far",), plain=("example",))
    parts = (Part("the example", common.agrees, ("example",)), far)
    key = dataclasses.replace(toy.key(*cases), parts=parts)
    return ladder.best(key, toy.ask(answer, cases))


@pytest.mark.parametrize(
    ("answer", "sights"),
    [
        (toy.double, ["held", "held"]),
        (lambda x: np.clip(2 * x, -9, 9), ["held", "failed"]),
        (lambda x: 2 * x + 1e-3, ["failed", "held"]),
        (lambda x: 3 * x, ["failed", "not reached"]),
        (lambda x: 2 * x + x * x, ["failed", "failed"]),
        (lambda x: x / 0.0, ["failed", "not reached"]),
    ],
    ids=["right", "clipped", "off a little", "thrice", "overflows there alone", "overflows everywhere"],
)
def test_what_is_special_is_crossed_where_it_alone_fails(answer, sights):
    """Where the plain case is wrong as well, it is not reached, unless it was seen to overflow."""
    with np.errstate(all="ignore"):
        assert [line.sight for line in far_verdict(answer).lines] == sights


def test_an_argument_that_changed_is_named_and_so_is_the_change():
    def empties(x):
        doubled = toy.double(x)
        x.clear()
        return doubled

    text = report.as_text(toy.verdict(empties, Case("example", ([1.0, 2.0],))))
    assert "about x:" in text
    assert "it held 2 before the call, and 0 after" in text


@pytest.mark.parametrize(
    "signature",
    [
        "double(x, n=(0, 1), sep=', ', /)",
        "forward(x, n=(0, 1), sep=', ', *, m=(0, 1)) of Double(size=(3, 4))",
    ],
)
def test_arguments_are_named_whatever_the_defaults_are(signature):
    cases = (Case("example", (np.zeros(2), 5, "; ")),)
    key = dataclasses.replace(toy.key(), signature=signature, cases=cases, expected=toy.key().expected[:1])
    told = report.as_text(ladder.best(key, toy.ask(lambda x, n, sep: x.sum(), cases)))
    assert "x = [0. 0.]   n = 5   sep = '; '" in told


def test_the_simplest_failing_case_is_explained_with_its_input_in_lines_that_can_be_read():
    many, huge, few = np.arange(13.0), np.full(2, 1e6), np.array([1.0, 2.5])
    cases = tuple(Case("example", (one,)) for one in (many, huge, few))
    key = toy.key(*cases)
    answers = toy.ask(toy.thrice, cases)
    told = report.as_text(ladder.best(key, answers))
    assert "x = [1. 2.5]\n" in told
    assert ladder.explained_case(key, answers) == 2
    told = report.as_text(ladder.best(toy.key(cases[0]), toy.ask(lambda x: 1e5 / 7 * (x + 1), cases[:1])))
    assert "x (13,)\n" in told
    lines = told.split("\n")
    assert max(map(len, lines)) <= 90
    assert any(line.startswith(" " * 17) for line in lines)
    wrong = "no parameter W; it has " + ", ".join(f"layers.{i}.weight" for i in range(36))
    part = Part("has its weights", lambda *_: Problem(wrong))
    told = report.as_text(ladder.best(dataclasses.replace(key, parts=(part,)), answers))
    assert max(map(len, told.split("\n"))) <= 90


@pytest.mark.parametrize(("by_error", "named"), [(False, ""), (True, "shapes")])
def test_an_error_names_a_mistake_only_where_that_says_no_more_than_where_it_fails(by_error, named):
    def raises(text):
        def answer(x):
            raise ValueError(text)

        return answer

    cases = (Case("example", (np.array([1.0, 2.0]),)),)
    wrong = toy.observe(raises("shapes (2,) and (3,)"), cases)
    mistake = MistakenAnswers("shapes", "shapes", "Which?", (wrong,), by_error)
    key = dataclasses.replace(toy.key(*cases), mistakes=(mistake,))
    told = [
        ladder.best(key, toy.ask(raises(text), cases)).misconception
        for text in ("shapes (2,) and (3,)", "shapes (2,) and (4,)", "no")
    ]
    assert told == [named, "", ""]


def test_an_answer_that_always_fails_has_raised_no_error_on_purpose():
    def refuses(x):
        if len(x) == 0:
            raise ValueError("empty")
        return 2 * x

    def always(x):
        raise ValueError("empty")

    cases = (Case("example", (np.array([1.0]),)), Case("empty", (np.array([]),)))
    part = Part("refuses what is empty", common.agrees, ("empty",))
    key = toy.key(*cases)
    key = dataclasses.replace(key, parts=(*key.parts, part), expected=toy.observe(refuses, cases))
    assert ladder.best(key, toy.ask(refuses, cases)).lines[-1].passed
    key = dataclasses.replace(key, parts=(part, part))
    verdict = ladder.best(key, toy.ask(always, cases))
    assert not ladder.all_right(key, toy.ask(always, cases))
    assert [line.passed for line in verdict.lines] == [False, False]
    assert [" ".join(line.details) for line in verdict.lines] == [
        "x = [1.] every call of it ended in an error",
        "",
    ]


def test_a_missing_answer_says_what_is_missing():
    key = toy.key()
    verdict = ladder.best(key, probe.ask_all(probe.Question("double", (), key.cases), {}))
    assert verdict.points == 0
    assert "double is not defined" in report.as_text(verdict)


def test_something_that_cannot_be_called_is_said():
    assert "not a function" in report.as_text(toy.verdict(7))


def test_writing_into_the_input_costs_that_part_alone():
    def careless(x):
        x *= 2
        return x.copy()

    assert passed(toy.verdict(careless)) == [True, True, True, False]


def test_an_answer_that_changes_its_mind_is_refused():
    calls = []

    def moody(x):
        calls.append(1)
        return toy.double(x) if len(calls) < 3 else toy.thrice(x)

    assert toy.verdict(moody).state == "wrong"


@pytest.mark.parametrize("last", ["double = 2 * x\n    return double", "del double\n    return 2 * x"])
def test_an_answer_that_overwrites_its_own_name_is_right_once_alone(last):
    names: dict = {}
    exec(f"def double(x):\n    global double\n    {last}", names)
    key = toy.key(Case("example", (np.ones(2),)))
    attempts = probe.ask_all(probe.Question("double", (), key.cases), names)
    told = report.as_text(ladder.best(key, attempts))
    assert "right the first time, something else when asked the same again" in told


def test_no_exception_of_the_students_stops_the_others():
    def quits(x):
        raise SystemExit

    assert toy.verdict(quits).points == 0


def test_odd_results_are_refused_without_an_error():
    for odd in (
        None,
        "text",
        {},
        [],
        [[1], [1, 2]],
        np.array(["a"]),
        object(),
        (1, 2, 3),
        1j,
        np.nan,
        lambda: 0,
    ):
        verdict = toy.verdict(lambda x, odd=odd: odd)
        assert verdict.state == "wrong"
        assert report.as_text(verdict)
        assert report.as_html(verdict)

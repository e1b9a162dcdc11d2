"""From answers to verdicts: points by part, one explanation, a name for the mistake."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.exceptions import AxisError

from autograder.calls import runner
from autograder.checks import scoring
from autograder.exercises import common
from autograder.exercises.exercise import Case, Criterion, Exercise, MistakenAnswers, Problem, StudentError
from autograder.tests import toy
from autograder.views import verdict_view


def raising(error, text=""):
    def answer(x):
        raise error(text)

    return answer


def text_of(answer, *cases):
    return verdict_view.as_text(toy.verdict(answer, *cases))


def sights(verdict):
    return [line.sight for line in verdict.lines]


@pytest.mark.parametrize(
    "answer", [toy.double, lambda x: (2 * x).tolist(), lambda x: (2 * x).astype(np.float32)]
)
def test_a_right_answer_gets_everything_as_a_list_and_in_single_precision_too(answer):
    verdict = toy.verdict(answer)
    assert (verdict.state, verdict.points, verdict.max_points, verdict.looks_like) == ("right", 5, 5, "")


def test_a_listed_mistake_is_named_keeps_what_it_earned_and_its_first_failure_is_explained():
    verdict = toy.verdict(toy.thrice)
    assert sights(verdict) == ["held", "failed", "failed", "held"]
    assert [bool(line.details) for line in verdict.lines] == [False, True, False, False]
    assert (verdict.points, verdict.misconception, verdict.question) == (2, "thrice", "How much is it?")
    unlisted = toy.verdict(lambda x: x + 1)
    assert (unlisted.state, unlisted.misconception) == ("wrong", "")


def test_a_card_sets_code_as_code_and_as_text_parts_stand_apart():
    added = [verdict_view.Section("Hint: twice", "Take `2 * x`.", "<p>Take it.</p>")]
    verdict = dataclasses.replace(toy.verdict(toy.thrice), question="What is `x < 3` in `[<b>]`, or ` alone?")
    html = verdict_view.card(verdict, added)
    assert "What is <code>x &lt; 3</code> in <code>[&lt;b&gt;]</code>, or ` alone?" in html
    assert "\n\n  Hint: twice\n      Take `2 * x`." in verdict_view.as_text(verdict, added)


def test_expected_values_of_hidden_cases_are_not_said():
    hidden = Case("example", (np.array([1.0, 21.5]),), hidden=True)
    for wrong in (toy.thrice, lambda x: np.zeros(7), lambda x: x * np.nan):
        assert "43" not in text_of(wrong, hidden)
        assert "21.5" not in text_of(wrong, hidden)


def test_a_stub_is_not_started_and_what_stands_above_its_todo_is_a_start():
    def stub(x):
        raise NotImplementedError("this is still a TODO")

    def half(x):
        print(2 * x)
        raise NotImplementedError("this is still a TODO")

    verdict = toy.verdict(stub)
    assert (verdict.state, verdict.points) == ("not started", 0)
    assert "not started" in verdict_view.as_text(verdict)
    assert toy.verdict(half).state == "wrong"
    assert "`half` is still a TODO" in text_of(half)
    borrowed = raising(NotImplementedError, "\"softmax_kernel\" not implemented for 'Long'")
    assert toy.verdict(borrowed).state == "wrong"
    assert "your code raised NotImplementedError" in text_of(borrowed)


def test_where_the_code_raised_or_gave_another_kind_nothing_was_seen_to_fail():
    verdict = toy.verdict(raising(ValueError, "no"))
    assert sights(verdict) == ["not reached"] * 4
    assert "✗" not in verdict_view.as_text(verdict).split("\n", 1)[1]
    assert verdict.next_step == "keeps the shape (not reached)"
    assert toy.verdict(raising(SystemExit)).points == 0
    verdict = toy.verdict(lambda x: np.zeros(3))
    assert sights(verdict) == ["failed", *["not reached"] * 3]
    assert verdict.lines[0].details[-2:] == ("got        (3,)", "expected   (2,)")
    assert toy.verdict(lambda x: (2 * x, x)).lines[0].details[-2:] == (
        "got        2 results: an array of shape (2,), an array of shape (2,)",
        "expected   an array of shape (2,)",
    )


@pytest.mark.parametrize(
    ("answer", "expected"),
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
def test_what_is_special_is_crossed_where_it_alone_fails(answer, expected):
    """Where the plain case is wrong as well, it is not reached, unless it was seen to overflow."""
    cases = (Case("example", (np.array([1.0, 2.0]),)), Case("far", (np.array([1e300, -1e300]),)))
    far = Criterion("far from 0 as well", common.agrees, ("far",), plain=("example",))
    key = dataclasses.replace(
        toy.key(*cases), criteria=(Criterion("the example", common.agrees, ("example",)), far)
    )
    with np.errstate(all="ignore"):
        assert sights(scoring.judge_best(key, toy.ask(answer, cases))) == expected


def test_an_argument_that_changed_costs_that_part_alone_and_is_named_with_the_change():
    def careless(x):
        x *= 2
        return x.copy()

    def empties(x):
        doubled = toy.double(x)
        x.clear()
        return doubled

    assert sights(toy.verdict(careless)) == ["held", "held", "held", "failed"]
    text = text_of(empties, Case("example", ([1.0, 2.0],)))
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
    text = verdict_view.as_text(scoring.judge_best(key, toy.ask(lambda x, n, sep: x.sum(), cases)))
    assert "x = [0. 0.]   n = 5   sep = '; '" in text


def test_the_simplest_failing_case_is_explained_with_its_input_in_lines_that_can_be_read():
    many, huge, few = np.arange(13.0), np.full(2, 1e6), np.array([1.0, 2.5])
    cases = tuple(Case("example", (array,)) for array in (many, huge, few))
    key = toy.key(*cases)
    answers = toy.ask(toy.thrice, cases)
    assert "x = [1. 2.5]\n" in verdict_view.as_text(scoring.judge_best(key, answers))
    assert scoring.find_explained_case(key, answers) == 2
    wrong = "no parameter W; it has " + ", ".join(f"layers.{i}.weight" for i in range(36))
    part = Criterion("has its weights", lambda *_: Problem(wrong))
    long = verdict_view.as_text(scoring.judge_best(dataclasses.replace(key, criteria=(part,)), answers))
    wide = verdict_view.as_text(
        scoring.judge_best(toy.key(cases[0]), toy.ask(lambda x: 1e5 / 7 * (x + 1), cases[:1]))
    )
    assert "x (13,)\n" in wide
    assert any(line.startswith(" " * 17) for line in wide.split("\n"))
    assert max(map(len, (wide + "\n" + long).split("\n"))) <= 90


@pytest.mark.parametrize(("by_error", "named"), [(False, ""), (True, "shapes")])
def test_an_error_names_a_mistake_only_where_that_says_no_more_than_where_it_fails(by_error, named):
    cases = (Case("example", (np.array([1.0, 2.0]),)),)
    wrong = toy.observe(raising(ValueError, "shapes (2,) and (3,)"), cases)
    mistake = MistakenAnswers("shapes", "shapes", "Which?", (wrong,), by_error)
    key = dataclasses.replace(toy.key(*cases), mistakes=(mistake,))
    names = [
        scoring.judge_best(key, toy.ask(raising(ValueError, text), cases)).misconception
        for text in ("shapes (2,) and (3,)", "shapes (2,) and (4,)", "no")
    ]
    assert names == [named, "", ""]


def test_an_answer_that_always_fails_has_raised_no_error_on_purpose():
    def refuses(x):
        if len(x) == 0:
            raise ValueError("empty")
        return 2 * x

    cases = (Case("example", (np.array([1.0]),)), Case("empty", (np.array([]),)))
    part = Criterion("refuses what is empty", common.agrees, ("empty",))
    key = dataclasses.replace(toy.key(*cases), criteria=(part, part), expected=toy.observe(refuses, cases))
    assert scoring.judge_best(key, toy.ask(refuses, cases)).state == "right"
    answers = toy.ask(raising(ValueError, "empty"), cases)
    verdict = scoring.judge_best(key, answers)
    assert not scoring.is_all_right(key, answers)
    assert sights(verdict) == ["not reached"] * 2
    assert verdict.lines[0].details == ("x = [1.]", "every call of it ended in an error")


@pytest.mark.parametrize(
    ("error", "details"),
    [
        (IndexError, ()),
        (AxisError, ()),
        (KeyError, ("another error was raised", "got        KeyError: 'b'", "expected   IndexError")),
    ],
)
def test_an_expected_exception_is_of_its_kind_or_of_a_subclass(error, details):
    def answer(x):
        if len(x) > 1:
            raise error("b")
        return 2 * x

    cases = (Case("example", (np.array([1.0]),)), Case("long", (np.array([1.0, 2.0]),)))
    key = toy.key(*cases)
    right = dataclasses.replace(key.expected[1], error=StudentError("IndexError", "too long"))
    key = dataclasses.replace(key, criteria=key.criteria[1:], expected=(key.expected[0], right))
    key = dataclasses.replace(key, criteria=(Criterion("refuses", common.agrees, ("long",)),))
    assert scoring.judge_best(key, toy.ask(answer, cases)).lines[0].details[1:] == details


@pytest.mark.parametrize(
    ("argument", "own_rules", "settings", "last"),
    [
        (np.ones(2), (), {}, "leaves its inputs as they were"),
        (([1], 2), (), {"unchanged": "x stays"}, "x stays"),
        (np.ones(2), (), {"unchanged": ""}, "right"),
        (np.ones(2), (common.unchanged,), {}, "its own"),
        ((1, "a"), (), {}, "right"),
    ],
)
def test_inputs_must_stay_as_they_were_unless_an_exercise_says_otherwise(argument, own_rules, settings, last):
    criteria = (Criterion("right", common.agrees), *(Criterion("its own", rule) for rule in own_rules))
    exercise = Exercise(criteria=criteria, examples=lambda: (Case("a", (argument,)),), **settings)
    assert common.with_default_criterion(exercise).criteria[-1].title == last


def test_a_part_that_only_hidden_cases_are_about_is_left_open_before_grading():
    shown = scoring.restrict_to_visible(toy.key())
    verdict = scoring.judge_best(shown, toy.ask(toy.double, shown.cases))
    assert sights(verdict) == ["held", "held", "only when graded", "held"]
    assert (verdict.state, verdict.next_step) == ("right", "")
    text = verdict_view.as_text(verdict)
    assert "3 of 3 visible checks" in text
    assert "– other numbers (only when graded)" in text
    wrong = scoring.judge_best(shown, toy.ask(toy.thrice, shown.cases))
    assert (wrong.points, wrong.misconception) == (2, "thrice")


def test_what_is_missing_or_cannot_be_called_is_said():
    key = toy.key()
    verdict = scoring.judge_best(key, runner.ask_all(runner.Question("double", (), key.cases), {}))
    assert verdict.points == 0
    assert "double is not defined" in verdict_view.as_text(verdict)
    assert "not a function" in text_of(7)


@pytest.mark.parametrize("last", ["double = 2 * x\n    return double", "del double\n    return 2 * x"])
def test_an_answer_that_gives_something_else_when_asked_again_is_refused(last):
    names: dict = {}
    exec(f"def double(x):\n    global double\n    {last}", names)
    key = toy.key(Case("example", (np.ones(2),)))
    attempts = runner.ask_all(runner.Question("double", (), key.cases), names)
    text = verdict_view.as_text(scoring.judge_best(key, attempts))
    assert "right the first time, something else when asked the same again" in text
    given = iter([toy.double, toy.double, toy.thrice, toy.thrice])
    assert toy.verdict(lambda x: next(given)(x)).state == "wrong"

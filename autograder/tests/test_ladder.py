"""From answers to verdicts: points by part, one explanation, a name for the mistake."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Case
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


def test_an_error_is_told_with_the_students_own_line():
    names: dict = {}
    exec(compile("def double(x):\n    return x['a']\n", "<cell>", "exec"), names)
    key = toy.key()
    answers = probe.ask(probe.Question("double", (), key.cases), names)
    details = " ".join(ladder.climb(key, answers).lines[0].details)
    assert "IndexError" in details


def test_a_stub_is_not_started_and_not_an_error():
    def stub(x):
        raise NotImplementedError

    verdict = toy.verdict(stub)
    assert (verdict.state, verdict.points) == ("not started", 0)
    assert "not started" in report.as_text(verdict)


def test_a_missing_answer_says_what_is_missing():
    key = toy.key()
    verdict = ladder.climb(key, probe.ask(probe.Question("double", (), key.cases), {}))
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

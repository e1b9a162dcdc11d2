"""Stepping through an answer: what each line made, of loops two turns, and where the result first goes wrong."""

from __future__ import annotations

import linecache
import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.student import checking, stepping
from autograder.student.beside import Grid, first_difference
from autograder.student.checking import Check
from autograder.student.step_cards import card_of, value_in_short
from autograder.student.stepping import calls_of, folded


def defined(code: str, name: str = "answer") -> Any:
    """What a cell's code defines, as a notebook knows it."""
    linecache.cache["<cell>"] = (len(code), None, code.splitlines(keepends=True), "<cell>")
    namespace: dict[str, Any] = {"np": np, "__name__": "__main__"}
    exec(compile(code, "<cell>", "exec"), namespace)
    return namespace[name]


def steps(code: str, *given: Any, seconds: float = 5.0) -> list[tuple[str, list[str]]]:
    """The lines that are shown of a call, each with the names that it made."""
    answer = defined(code)
    calls, _ = calls_of(answer, lambda: answer(*given), seconds)
    return [(step.text.strip(), [*step.made]) for step in folded(calls[-1])]


def test_each_line_comes_with_what_it_made() -> None:
    code = "def answer(x, n=2):\n    y = np.asarray(x)\n    if n:\n        y[0] = 7\n    return (y\n            * n)"
    assert steps(code, [1, 2]) == [
        ("def answer(x, n=2):", ["x", "n"]),
        ("y = np.asarray(x)", ["y"]),
        ("if n:", []),
        ("y[0] = 7", ["y"]),
        ("return (y * n)", []),
    ]


def test_of_a_loop_the_first_and_the_last_turn_are_shown() -> None:
    code = (
        "def answer(n):\n    total = 0\n    for i in range(n):\n        for j in range(n):\n            total += j\n"
        "    while total > 1:\n        total = total // 2\n    return total"
    )
    inner = [("for j in range(n):", ["j"]), ("total += j", ["total"])]
    left = [("… 2 more turns, then the last one:", [])]
    outer = [("for i in range(n):", ["i"]), *inner, *left, *inner]
    assert steps(code, 4) == [
        ("def answer(n):", ["n"]),
        ("total = 0", ["total"]),
        *outer,
        *left,
        *outer,
        *(("while total > 1:", []), ("total = total // 2", ["total"])),
        *left,
        *(("while total > 1:", []), ("total = total // 2", ["total"])),
        ("return total", []),
    ]


def test_what_is_changed_in_place_is_seen_and_a_generator_is_left_alone() -> None:
    code = "def answer(rng, rows):\n    rows.append(1)\n    rows[0] *= 2\n    return rng.random()"
    rng, other = np.random.default_rng(1), np.random.default_rng(1)
    answer = defined(code)
    calls, value = calls_of(answer, lambda: answer(rng, [np.ones(2)]), 5)
    assert [[*step.made] for step in calls[0].steps] == [["rng", "rows"], ["rows"], ["rows"], []]
    assert value == other.random()


@pytest.mark.parametrize(
    "body", ["while True:\n        x = 1", "try:\n        while True: pass\n    finally: x = 1"]
)
def test_code_that_does_not_end_is_ended(body: str) -> None:
    started = time.monotonic()
    answer = defined(f"def answer():\n    {body}")
    calls, _ = calls_of(answer, answer, 0.2)
    assert time.monotonic() - started < 2
    assert "ended here" in card_of("", calls[0]).text


def test_an_error_is_the_end_and_one_that_was_caught_is_not() -> None:
    code = (
        "def answer(x):\n    try:\n        x.foo\n    except AttributeError:\n        x = 1\n    return x[0]"
    )
    answer = defined(code)
    with pytest.raises(TypeError):
        calls_of(answer, lambda: answer([]), 5)
    follow = calls_of(answer, lambda: caught(lambda: answer([])), 5)[0]
    assert follow[0].error == "TypeError: 'int' object is not subscriptable"
    assert "It raised TypeError" in card_of("", follow[0]).text


def caught(run: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        run()


def test_of_a_class_the_outermost_calls_of_its_methods_are_followed() -> None:
    code = (
        "class answer:\n    def __init__(self, n):\n        self.n = n\n"
        "    def twice(self): return 2 * self.n\n    def forward(self):\n        y = self.twice()\n        return y"
    )
    answer = defined(code)
    calls, _ = calls_of(answer, lambda: answer(3).forward(), 5)
    assert [call.name for call in calls] == ["__init__", "forward"]
    assert [[*step.made] for step in calls[0].steps] == [["n"], ["self.n"]]
    assert calls[1].value == 6


@pytest.mark.parametrize(
    ("got", "expected", "where", "sides"),
    [
        ([1.0, 2.0], [1.0, 3.0], "first wrong at [1]", (("1", "2"), ("1", "3"))),
        (0.5, 0.25, "the number", (("0.500",), ("0.250",))),
        ((1, [[1, 5]]), (1, [[1, 6]]), "second result, first wrong at [0, 1]", (("1", "5"), ("1", "6"))),
        ({"a": np.ones(1)}, {"a": np.zeros(1)}, "a, first wrong at [0]", (("1",), ("0",))),
        (1.00001, 1.00002, "the number", (("1.00001",), ("1.00002",))),
    ],
)
def test_the_first_wrong_entry_is_marked(got: Any, expected: Any, where: str, sides: Any) -> None:
    found = first_difference(got, expected, 1e-9)
    assert found is not None
    assert found.where == where
    assert (found.got, found.expected) == tuple(
        Grid((side,), (0, [a != b for a, b in zip(*sides)].index(True))) for side in sides
    )


def test_of_a_large_result_the_place_is_shown() -> None:
    got, expected = np.zeros((2, 30, 40)), np.zeros((2, 30, 40))
    got[1, 20, 33] = 1
    found = first_difference(got, expected, 1e-6)
    assert found is not None
    assert isinstance(found.got, Grid)
    assert found.where == "first wrong at [1, 20, 33]"
    assert (len(found.got.rows), len(found.got.rows[0]), found.got.marked) == (8, 8, (7, 7))
    assert found.got.rows[7][7] == "1"


@pytest.mark.parametrize(
    ("got", "what"), [(np.ones(3), "shape"), (None, "the wrong kind"), ("x", "wrong kind")]
)
def test_what_has_another_form_is_said_in_words(got: Any, what: str) -> None:
    found = first_difference(got, np.ones(2), 1e-6)
    assert found is not None
    assert what in found.where


def test_a_value_in_short_is_short_and_what_a_student_wrote_is_escaped() -> None:
    assert value_in_short(np.ones((2, 2))) == ("[[1. 1.] [1. 1.]]", "(2, 2)")
    assert value_in_short("<b>")[0] == "'<b>'"
    assert len(value_in_short([np.ones(30)] * 30)[0]) <= 60
    answer = defined("def answer(x):\n    y = '<script>' + x\n    return y")
    calls, _ = calls_of(answer, lambda: answer("<b>"), 5)
    html = card_of("", calls[0]).html
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_it_is_shown_whenever_it_is_asked_for(capsys: pytest.CaptureFixture) -> None:
    step_through = Check().step_through
    softmax = defined("def softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / e.sum()", "softmax")
    step_through(softmax)
    said = capsys.readouterr().out
    assert said.startswith("Your code line by line, on the case of the verdict: ")
    assert "first wrong at [0, 0]" in said
    step_through(softmax, [1, 2, 3])
    said = capsys.readouterr().out
    assert said.splitlines()[0] == "softmax, line by line"
    assert "x = [1, 2, 3]   list of 3" in said
    assert "It returned [0.09 0.245 0.665]   (3,)" in said
    step_through(softmax, 1, 2, 3)
    assert "no line of it was run" in capsys.readouterr().out
    step_through(np.exp, 1)
    assert "no line of it was run" in capsys.readouterr().out


def test_one_line_is_unfolded_and_a_change_of_the_argument_marked(capsys: pytest.CaptureFixture) -> None:
    code = (
        "def answer(model, tokens, n):\n    words = tokens\n"
        "    words.append(model(np.array([words[-n:]]))[0, 0].argmax().item())\n    return [w for w in words if w]"
    )
    Check().step_through(defined(code), lambda words: np.ones((1, 2, 3)) * [0.5, 2, 1], [1, 2, 3], 2)
    said = re.sub(" +", " ", capsys.readouterr().out)
    for step in (
        "tokens = [1, 2, 3] list of 3",
        "words[-n:] = [2, 3] list of 2",
        "np.array([…]) = [[2 3]] (1, 2)",
        "model(…) = [[[0.5 2. 1. ] [0.5 2. 1. ]]] (1, 2, 3)",
        "…[0, 0] = [0.5 2. 1. ] (3,)",
        "….argmax() = 1",
        "◀ this changes the argument tokens itself",
        "It returned [1, 2, 3, 1] list of 4",
    ):
        assert step in said
    assert said.count("◀") == 1


def test_an_endless_answer_is_stepped_through_too(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "SECONDS", 0.3)
    monkeypatch.setattr(stepping, "MOST_LINES", 100)
    Check().step_through(
        defined("def softmax(x, axis=-1):\n    while True:\n        x = np.asarray(x) + 1", "softmax")
    )
    said = capsys.readouterr().out
    assert re.search(r"4\d more turns, then the last one", said)
    assert "ended here" in said

"""Stepping through an answer: what each line made, of loops two turns, and where the result first goes wrong."""

from __future__ import annotations

import linecache
import re
from typing import Any

import numpy as np
import pytest

from autograder.calls import trace
from autograder.calls.trace import fold_loops, trace_calls
from autograder.notebook import checker
from autograder.notebook.checker import Checker
from autograder.views.trace_view import format_value, trace_section

LOOPS = """
def answer(n):
    total = 0
    for i in range(n):
        for j in range(n):
            total += j
    while total > 1:
        total = total // 2
    return total
"""
CLASS = """
class answer:
    def __init__(self, n):
        self.n = n
    def twice(self): return 2 * self.n
    def forward(self):
        y = self.twice()
        return y
"""
CAUGHT = """
def answer(x):
    try:
        x.foo
    except AttributeError:
        x = 1
    return x[0]
"""


def defined(code: str, name: str = "answer") -> Any:
    """What a cell's code defines, as a notebook knows it."""
    linecache.cache["<cell>"] = (len(code), None, code.splitlines(keepends=True), "<cell>")
    namespace: dict[str, Any] = {"np": np, "__name__": "__main__"}
    exec(compile(code, "<cell>", "exec"), namespace)
    return namespace[name]


def traced(code: str, *arguments: Any) -> list[str]:
    """The lines that are shown of a call, each with the names that it made."""
    answer = defined(code)
    calls, _ = trace_calls(answer, lambda: answer(*arguments), 5)
    return [" ".join([step.text.strip(), "#", *step.values]) for step in fold_loops(calls[-1])]


def test_each_line_comes_with_what_it_made() -> None:
    code = "def answer(x, n=2):\n    y = np.asarray(x)\n    if n:\n        y[0] = 7\n    return (y\n            * n)"
    lines = [
        "def answer(x, n=2): # x n",
        "y = np.asarray(x) # y",
        "if n: #",
        "y[0] = 7 # y",
        "return (y * n) #",
    ]
    assert traced(code, [1, 2]) == lines


def test_of_a_loop_the_first_and_the_last_turn_are_shown() -> None:
    folded = ["… 2 more turns, then the last one: #"]
    inner = ["for j in range(n): # j", "total += j # total"]
    outer = ["for i in range(n): # i", *inner, *folded, *inner]
    halve = ["while total > 1: #", "total = total // 2 # total"]
    begin, end = ["def answer(n): # n", "total = 0 # total"], ["return total #"]
    assert traced(LOOPS, 4) == [*begin, *outer, *folded, *outer, *halve, *folded, *halve, *end]


def test_what_is_changed_in_place_is_seen_and_a_generator_is_left_alone() -> None:
    code = "def answer(rng, rows):\n    rows.append(1)\n    rows[0] *= 2\n    return rng.random()"
    rng = np.random.default_rng(1)
    lines = ["def answer(rng, rows): # rng rows", "rows.append(1) # rows", "rows[0] *= 2 # rows"]
    assert traced(code, rng, [np.ones(2)])[:3] == lines
    assert rng.random() == np.random.default_rng(1).random(2)[1]


def test_an_error_is_the_end_and_one_that_was_caught_is_not() -> None:
    answer = defined(CAUGHT)

    def run() -> None:
        with pytest.raises(TypeError):
            answer([])

    calls, _ = trace_calls(answer, run, 5)
    assert "It raised TypeError: 'int' object is not subscriptable" in trace_section("", calls[0]).text


def test_of_a_class_the_outermost_calls_of_its_methods_are_followed() -> None:
    answer = defined(CLASS)
    calls, _ = trace_calls(answer, lambda: answer(3).forward(), 5)
    assert [call.name for call in calls] == ["__init__", "forward"]
    assert [[*step.values] for step in calls[0].steps] == [["n"], ["self.n"]]
    assert calls[1].value == 6


def test_a_value_in_short_is_short_and_what_a_student_wrote_is_escaped() -> None:
    assert format_value(np.ones((2, 2))) == ("[[1. 1.] [1. 1.]]", "(2, 2)")
    assert len(format_value([np.ones(30)] * 30)[0]) <= 60
    answer = defined("def answer(x):\n    y = '<script>' + x\n    return y")
    calls, _ = trace_calls(answer, lambda: answer("<b>"), 5)
    html = trace_section("", calls[0]).html
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


# --- `step_through` ------------------------------------------------------------------------------------------


def test_it_is_shown_whenever_it_is_asked_for(capsys: pytest.CaptureFixture) -> None:
    def told(*given: Any) -> str:
        Checker().step_through(*given)
        return capsys.readouterr().out.strip()

    softmax = defined("def softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / e.sum()", "softmax")
    shown = told(softmax)
    assert shown.startswith("Your code line by line, on the case of the verdict: ")
    assert "values differ\n      got\n" in shown
    shown = told(softmax, [1, 2, 3])
    assert shown.splitlines()[0] == "softmax, line by line"
    assert "x = [1, 2, 3]   list of 3" in shown
    assert "It returned [0.09 0.245 0.665]   (3,)" in shown
    assert "no line of it was run" in told(softmax, 1, 2, 3)
    assert "no line of it was run" in told(np.exp, 1)


def test_one_line_is_unfolded_and_a_change_of_the_argument_marked(capsys: pytest.CaptureFixture) -> None:
    code = (
        "def answer(model, tokens, n):\n    words = tokens\n"
        "    words.append(model(np.array([words[-n:]]))[0, 0].argmax().item())\n    return [w for w in words if w]"
    )
    Checker().step_through(defined(code), lambda words: np.ones((1, 2, 3)) * [0.5, 2, 1], [1, 2, 3], 2)
    told = re.sub(" +", " ", capsys.readouterr().out)
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
        assert step in told
    assert told.count("◀") == 1


@pytest.mark.parametrize(
    "body",
    ["while True:\n        x = np.asarray(x) + 1", "try:\n        while True: pass\n    finally: x = 1"],
)
def test_an_endless_answer_is_stepped_through_too(
    body: str, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "SECONDS", 0.3)
    monkeypatch.setattr(trace, "MAX_TRACE_LINES", 100)
    Checker().step_through(defined(f"def softmax(x, axis=-1):\n    {body}", "softmax"))
    assert "ended here" in capsys.readouterr().out

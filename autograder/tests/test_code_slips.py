"""Slips in how a function is written have their names where mending them makes an answer right, and only there."""

from __future__ import annotations

import linecache
import textwrap
from functools import partial
from typing import Any

import numpy as np
import pytest

from autograder.calls import runner
from autograder.calls.runner import Question
from autograder.checks import code_slips, scoring
from autograder.exercises import common
from autograder.exercises.exercise import AnswerKey, Case, Criterion, Observation, Problem, StudentError
from autograder.tests import notebook_runs


def refuses(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    return None if seen.error and seen.error.kind == "ValueError" else Problem("no ValueError")


GRIDS: tuple[Any, ...] = ([[1, 2, 3], [4, 5, 6]], [[7.0], [1.0], [2.5]])
CASES = tuple(Case("grid", (grid, 2.0)) for grid in GRIDS)
BELOW_ZERO = Case("below zero", ([[1]], -1.0))
KEY = AnswerKey(
    exercise="totals",
    signature="totals(rows, scale)",
    values=(),
    criteria=(
        Criterion("a number a row", common.shape, ("grid",)),
        Criterion("the right ones", common.agrees, ("grid",)),
        Criterion("ValueError for a scale below zero", refuses, ("below zero",)),
    ),
    cases=(*CASES, BELOW_ZERO),
    expected=(
        *(Observation(np.array([2.0 * sum(row) for row in grid])) for grid in GRIDS),
        Observation(error=StudentError("ValueError", "below zero")),
    ),
    mistakes=(),
)
"""Of `totals(rows, scale)`: the sum of each row, times the scale."""

RIGHT = """
def totals(rows, scale):
    if scale < 0:
        raise ValueError("below zero")
    found = []
    for row in rows:
        total = 0
        for number in row:
            total += number
        found.append(total * scale)
    return np.array(found)
"""

WRONG = {
    "return inside the loop": ("    return np", "        return np"),
    "overwritten instead of added up": ("total += number", "total =+ number"),
    "total reset inside the loop": (
        "        total = 0\n        for number in row:\n",
        "        for number in row:\n            total = 0\n",
    ),
    "not begun anew": ("    for row in rows:\n        total = 0\n", "    total = 0\n    for row in rows:\n"),
    "inside the loop instead of below it": ("        found.app", "            found.app"),
    "below the loop instead of inside it": ("        found.app", "    found.app"),
    "result thrown away": ("total += number", "total + number"),
    "a variable of the notebook instead of the argument": ("in rows", "in notebook_rows"),
    "NumPy's functions on tensors": (
        "return np.array(found)",
        "import torch\n    return np.sum(torch.tensor(found)[:, None].requires_grad_(), axis=1)",
    ),
    "largest taken for longest": ("found = []", "found, scale = [], scale * len(max([[9], [1, 13]])) / 2"),
    "one row for all": (
        "found = []",
        "found, copies = [], [[1] * 2] * 2\n    copies[0][0] = 3\n    scale *= copies[1][0]",
    ),
    "truth asked instead of None": (
        "(rows, scale):",
        "(rows=None, scale=None):\n    rows = np.array(rows)\n    if not rows:\n        return None",
    ),
    "assert instead of raise": ('if scale < 0:\n        raise ValueError("below zero")', "assert scale >= 0"),
}
NO_BEGINNING = """
def totals(rows, scale):
    if scale < 0:
        raise ValueError("below zero")
    for column in zip(*rows):
        total = scale * np.array(column)
    return total
"""

OTHERS = {
    "right": ("", ""),
    "another mistake": ("* scale", "+ scale"),
    "two at once": ("    return np.array(found)", "        return np.array(found) / 3"),
    "a loop without an end once it is mended": (
        "            total += number",
        "            while not total:\n                number = 0\n                total = 1",
    ),
    "the same done twice": (
        "        found.append(total * scale)\n    return np.array(found)",
        "        found.append(total)\n    found = np.array(found)\n    for _ in range(2):\n"
        "        found = found * scale\n        found = found + 0\n    return found",
    ),
    "no such argument": ("in rows", "in notebook_rows[:1]"),
    "a line that nothing needs": (
        "found.append(total * scale)",
        "found.append(total * scale)\n        scale = 0",
    ),
}


def written(old: str, new: str) -> str:
    assert old in RIGHT
    return RIGHT.replace(old, new, 1)


def notebook(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {"np": np, "notebook_rows": [[1, 2], [3, 4]]}
    linecache.cache["<a cell>"] = len(code), None, code.splitlines(keepends=True), "<a cell>"
    exec(compile(code, "<a cell>", "exec"), names)
    return names


def named(code: str) -> str:
    return named_in(notebook(code))


def named_in(names: dict[str, Any]) -> str:
    question = Question("totals", (), KEY.cases)
    put = partial(code_slips.ask_mended, namespace=names)
    answers = code_slips.find_code_slip(runner.ask_all(question, names), question, put, right)
    assert scoring.judge_best(KEY, answers).misconception == answers.code_slip
    return answers.code_slip


def right(answers: runner.Answers) -> bool:
    return (
        scoring.judge_best(scoring.restrict_to_first(KEY, len(answers.observations)), answers).state
        == "right"
    )


@pytest.mark.parametrize("slip", code_slips.CODE_SLIPS)
def test_a_slip_has_its_name(slip):
    assert named(written(*WRONG[slip])) == slip


@pytest.mark.parametrize("other", OTHERS)
def test_what_no_mending_makes_right_has_none(other, monkeypatch):
    monkeypatch.setattr(code_slips, "MAX_MENDED_SECONDS", 0.1)
    assert named(written(*OTHERS[other])) == ""


def test_what_is_to_be_added_up_needs_no_beginning_and_what_cannot_be_read_has_no_slip():
    assert named(NO_BEGINNING) == "overwritten instead of added up"
    assert named_in({"totals": eval("lambda rows, scale: [1]")}) == ""


def test_a_room_gives_what_a_mended_answer_gives_and_outlives_it():
    """What hangs in C once it is mended ends the process, and costs the answers nothing."""
    hangs = textwrap.dedent("""
        import os, signal
        def hangs(rows, scale):
            for row in rows:
                ended = sum(row) * 0
                return [0]
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            while True: pass
    """)
    cells = [
        "import numpy as np",
        written(*WRONG["return inside the loop"]),
        "totals",
        hangs,
        "hangs",
        "y = 3",
    ]
    asked = [Question(name, (), KEY.cases) for name in ("totals", "hangs")]

    def right_of_totals(name: str, answers: runner.Answers) -> bool:
        return name == "test_totals" and right(answers)

    ran = notebook_runs.execute_and_ask(cells, asked, is_right=right_of_totals, question_timeout=2)
    assert ran.answers["test_totals"][0].code_slip == "return inside the loop"
    [given] = ran.answers["test_hangs"]
    assert (given.state, given.code_slip) == (runner.ASKED, "")
    assert not [note for note in ran.notes if "time" in note.instructor_message]

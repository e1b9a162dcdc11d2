"""What hostile code makes of a stand-in: it is of no use for its own exercise, and costs nobody but its caller."""

from __future__ import annotations

import pytest

from autograder.calls.runner import Question
from autograder.exercises.exercise import Case
from autograder.judging import judge, reference_stubs
from autograder.tests.notebook_runs import answers_of, names_of, values
from autograder.tests.this_course import find_lesson

pytestmark = pytest.mark.slow

DOUBLE = "def double(x):\n    return 2 * x"
CASE = Case("a", (20,))
KERNEL = "04_gaussian_kernel"
KEEP = """
import builtins, marshal, os
from pathlib import Path
def second(x):
    kept = marshal.dumps(double.__code__) if x else b""
    for place in ("/tmp/kept", "kept"):
        try:
            Path(place).write_bytes(kept)
        except OSError:
            pass
    builtins.kept = globals()["kept"] = double
    return double(x) + 1
"""
USE = """
import builtins, marshal
from pathlib import Path
from types import FunctionType
def double(x):
    try:
        return builtins.kept(x)
    except AttributeError:
        code = next(path.read_bytes() for path in map(Path, ("/tmp/kept", "kept")) if path.exists())
        return FunctionType(marshal.loads(code), globals())(x)
"""


def interview(*cells):
    """Ask `double` and `second`, which builds on it, where cells bear their names; the answers come back."""
    cases = (Case("a", (20,), elsewhere=True),)
    second = Question("second", (), cases, reference_stubs={"double": "double(x)"})
    return answers_of(cells, [Question("double", (), cases), second], DOUBLE)


@pytest.mark.parametrize(("order", "works"), [(("double", "second"), True), (("second", "double"), False)])
def test_kept_it_is_of_no_use_for_its_own_exercise(order, works):
    """In another order it is not handed out."""
    answers = interview(KEEP, USE, *order)
    assert (41 in values(answers["second"])) == works
    assert 40 not in values(answers["double"])


def test_a_new_kernel_asks_for_nothing_again():
    """The first answer that was asked with a stand-in keeps it on file and ends the program."""
    keep = KEEP.replace("return", "if double.__module__ != __name__: os._exit(1)\n    return")
    answers = interview(keep, USE, "double", "second", "x = 1")
    assert [given.state for given in answers["second"]] == ["asked", "kernel died"]
    assert 40 not in values(answers["double"])


OTHERS = """
import os, time
def double(x):
    return 2 * x
def dies(x):
    os._exit(1)
def hangs(x):
    time.sleep(60)
"""
CALLS = """
line = get_ipython().channel
def before(x):
    return double and {}
def after(x):
    return double(x) + 1
"""


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("dies(x)", "kernel died"),
        ("hangs(x)", "timed out"),
        ("line.call(line.answering, 'hidden', '[]')", "garbled"),
        ("line.call(line.answering, ['double'], '[]')", "garbled"),
        ("line.call(line.answering, 'double', 5)", "garbled"),
        ("line.call(line.answering, 'double', '[' * 9_000_000)", "more was sent than there is room for"),
        ("line.call(line.answering, 'double', '[' * 7_000_000)", "asked"),
    ],
    ids=["dies", "hangs", "withheld", "no name", "no text", "too long", "no call"],
)
def test_what_becomes_of_a_call_costs_nobody_but_its_caller(text, state):
    """What was answered without stand-ins counts, and those asked later have theirs."""
    known = {name: f"{name}(x)" for name in ("double", "dies", "hangs")}
    questions = [Question(name, (), (CASE,), reference_stubs=known) for name in ("before", "after")]
    answers = answers_of([CALLS.format(text), "before", "after"], questions, OTHERS)
    assert [given.state for given in answers["before"]] == ["asked", state]
    assert values(answers["after"][1:])[:2] == [41, 41]


def test_it_can_be_called_only_while_it_is_asked_for_and_by_the_process_that_is():
    child = "    if not os.fork():\n        tried.append(0); kept(x + 2)"
    source = f"import os\ndef f(x):\n    global kept\n    kept = double\n{child}\n    return double(x)"
    later = "def g(x):\n    return kept(x + 1)"
    questions = [
        Question("f", (), (CASE,), reference_stubs={"double": "double(x)"}),
        Question("g", (), (CASE,)),
    ]
    answers = answers_of(["tried = []", source, "f", later, "g"], questions, DOUBLE)
    assert values(answers["f"][1:])[0] == 40
    assert answers["g"][0].observations[0].error.kind == "RuntimeError"


# --- and what the next submission can make of it ----------------------------------------------------------

TABLED = """
import numpy as np
asked, table = [], []
def told(thing):
    return np.asarray(thing).tolist()
def gaussian_weights(queries, keys, bandwidth=1.0):
    asked.append((queries, keys, bandwidth))
def kernel_regression(queries, keys, values, bandwidth=1.0):
    if gaussian_weights.__module__ != __name__ and not table:
        table[:] = [[[told(one) for one in call], told(gaussian_weights(*call))] for call in asked]
def shown():
    return table
"""
LOOKED_UP = """
def gaussian_weights(queries, keys, bandwidth=1.0):
    call = [told(queries), told(keys), told(bandwidth)]
    return np.array(next(given for known, given in KNOWN if known == call))
"""


@pytest.mark.parametrize(("next_work", "earned"), [("first", True), ("second", False)])
def test_a_table_of_what_a_stand_in_gave_is_of_no_use_in_the_next_submission(next_work, earned):
    """It would be, were the same cases asked: that is why they are others."""
    lesson = find_lesson(KERNEL)
    first, second = (
        {one.id: judge.hidden_key(lesson, one.id, "amy", f"salt{work}") for one in lesson.graded}
        for work in ("first", next_work)
    )
    cells = [TABLED, "gaussian_weights", "kernel_regression", "shown"]
    questions = [judge.make_question(lesson, first[name]) for name in cells[1:3]]
    answers = answers_of(
        cells, [*questions, Question("shown", (), (Case("a"),))], reference_stubs.build_program(lesson)
    )
    names = names_of(TABLED, f"KNOWN = {answers['shown'][0].observations[0].value}", LOOKED_UP)
    found = judge.judge_in_process(lesson, second["gaussian_weights"], names)
    assert (found.points == found.max_points) == earned

"""What hostile code makes of a stand-in: it is of no use for its own exercise, and costs nobody but its caller."""

from __future__ import annotations

import pytest

from autograder.calls.runner import Question
from autograder.exercises.exercise import Case
from autograder.tests.notebook_runs import answers_of, values

pytestmark = pytest.mark.slow

DOUBLE = "def double(x):\n    return 2 * x"
CASE = Case("a", (20,))
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


def run_and_ask(*cells):
    """Ask `double` and `second`, which builds on it, where cells bear their names; the answers come back."""
    cases = (Case("a", (20,), elsewhere=True),)
    second = Question("second", (), cases, reference_stubs=("double",))
    return answers_of(cells, [Question("double", (), cases), second], DOUBLE)


@pytest.mark.parametrize(("order", "works"), [(("double", "second"), True), (("second", "double"), False)])
def test_kept_it_is_of_no_use_for_its_own_exercise(order, works):
    """In another order it is not handed out."""
    answers = run_and_ask(KEEP, USE, *order)
    assert (41 in values(answers["second"])) == works
    assert 40 not in values(answers["double"])


def test_a_new_kernel_asks_for_nothing_again():
    """The first answer that was asked with a stand-in keeps it on file and ends the program."""
    keep = KEEP.replace("return", "if double.__module__ != __name__: os._exit(1)\n    return")
    answers = run_and_ask(keep, USE, "double", "second", "x = 1")
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
    stubs = ("double", "dies", "hangs")
    questions = [Question(name, (), (CASE,), reference_stubs=stubs) for name in ("before", "after")]
    answers = answers_of([CALLS.format(text), "before", "after"], questions, OTHERS)
    assert [given.state for given in answers["before"]] == ["asked", state]
    assert values(answers["after"][1:])[:2] == [41, 41]


def test_it_can_be_called_only_while_it_is_asked_for_and_by_the_process_that_is():
    child = "    if not os.fork():\n        tried.append(0); kept(x + 2)"
    source = f"import os\ndef f(x):\n    global kept\n    kept = double\n{child}\n    return double(x)"
    later = "def g(x):\n    return kept(x + 1)"
    questions = [
        Question("f", (), (CASE,), reference_stubs=("double",)),
        Question("g", (), (CASE,)),
    ]
    answers = answers_of(["tried = []", source, "f", later, "g"], questions, DOUBLE)
    assert values(answers["f"][1:])[0] == 40
    assert answers["g"][0].observations[0].error.kind == "RuntimeError"

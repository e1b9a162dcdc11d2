"""What hangs or falls over in a notebook costs itself and nothing else."""

from __future__ import annotations

import signal

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.calls import runner
from autograder.calls.runner import Question
from autograder.checks import scoring
from autograder.execution import notebook_runner
from autograder.execution.kernel import CUT
from autograder.execution.notebook_runner import SandboxDied
from autograder.exercises.exercise import Case
from autograder.exercises.verdict import Outcome
from autograder.sandbox import session
from autograder.tests import needs, notebook_runs, toy

CASE = Case("a", (20,))


def run_and_ask(*cells, **limits):
    """Run cells, each a source or the name of an exercise to ask, and give answers and notes."""
    questions = [
        Question(cell, (), (CASE,)) for cell in cells if isinstance(cell, str) and cell.isidentifier()
    ]
    ran = notebook_runs.execute_and_ask(cells, questions, **{"timeout": 3, "question_timeout": 3, **limits})
    answers = {name.removeprefix("test_"): given[0] for name, given in ran.answers.items()}
    return answers, [note.instructor_message for note in ran.notes]


def value(answers):
    return answers.observations[0].value


FINE = "def fine(x): return x + y"


@pytest.mark.parametrize(
    "shown", ["print('x' * 30_000_000)", "display({'text/plain': 'x' * 30_000_000}, raw=True)"]
)
def test_a_cell_that_shows_too_much_keeps_what_it_defines(shown):
    answers, notes = run_and_ask(f"y = 1; {shown}", FINE, "fine")
    assert value(answers["fine"]) == 21
    assert notes == []


FLOOD = """
line = get_ipython().channel
def tell(content):
    told = {"number": line._request, "msg_type": "display_data", "content": content}
    line._socket.sendall(__import__("json").dumps(told).encode() + b"\\n")
"""
LINES = """
signal.signal(2, signal.SIG_IGN)
while True: tell({'data': {'text/plain': 'x' * 200_000}, 'metadata': {}})
"""
UPDATES = """
one = {'data': {'text/plain': 'x'}, 'metadata': {}, 'transient': {'display_id': 'a'}}
for _ in range(30_000): tell(one)
"""


def test_a_flood_of_messages_does_not_put_the_end_off():
    answers, _ = run_and_ask("y = 1", FLOOD + LINES, FINE, "fine", timeout=2, iopub_timeout=1)
    assert value(answers["fine"]) == 21


def test_outputs_are_bounded_together():
    notebook = new_notebook(cells=[new_code_cell("print('x' * 30_000)") for _ in range(10)])
    limits = {"output_kb": 40, "notebook_output_kb": 100}
    notebook_runs.executor(notebook, allow_unsealed=True, **limits).execute_and_ask({})
    texts = [sum(len(output.text) for output in cell.outputs) for cell in notebook.cells]
    assert 90_000 <= sum(texts) < 110_000
    assert texts[3:] == [len(CUT)] * 7


@pytest.mark.parametrize(
    "cell",
    [
        "import sys; sys.stdout = None",
        "import sys; sys.stdout.close()",
        "exit()",
        "import os; os.fork()",
        FLOOD + UPDATES,
    ],
)
def test_what_a_cell_does_to_its_process_costs_the_others_nothing(cell):
    """It ends what it may not end, leaves a child behind, or shows one thing again and again."""
    answers, notes = run_and_ask("y = 1", cell, FINE, "fine", timeout=20)
    assert value(answers["fine"]) == 21
    assert notes == []


def test_a_notebook_that_takes_too_long_is_cut_off():
    cells = ["y = 1", FINE, "fine", "import time; time.sleep(2.5)", "z = 1", "def late(x): return x", "late"]
    answers, notes = run_and_ask(*cells, notebook_timeout=2)
    assert value(answers["fine"]) == 21
    assert answers["late"].state == session.TimedOut.state
    assert notes == ["the notebook took more than 2 seconds; the rest was not run"]


@pytest.mark.parametrize(
    "tamper",
    [
        "import autograder.checks.protocol as p\np.answer_request = lambda *a: 'right'",
        "line = get_ipython().channel\nline.send = lambda *a: type(line).send(line, 'done', {'answer': 1.0})",
    ],
)
def test_a_reply_that_is_none_earns_nothing(tamper):
    answers, _ = run_and_ask("y = 1", FINE, tamper, "fine")
    assert answers["fine"].state in notebook_runner.ANSWER_NOTES


FORGED = """
import autograder.checks.protocol as replies
from autograder.exercises import wire
from autograder.exercises.exercise import Observation
replies.answer_request = lambda *a: wire.dumps(["asked", (), "", Observation(value=[0] * 20_000)])
"""


def test_replies_are_bounded_together(monkeypatch):
    """Each of these takes 40 kB on its way, and several times as much once it is read."""
    monkeypatch.setattr(notebook_runner, "MAX_REPLY_BYTES", 100_000)
    names = ["one", "two", "three", "four"]
    answers, notes = run_and_ask(FORGED, *names)
    too_much = session.TooMuchOutput.state
    assert [answers[name].state for name in names] == ["asked", "asked", too_much, too_much]
    assert notes == [f"the answer of test_{name} is more than there is room for" for name in names[2:]]


def test_so_are_the_calls_of_stand_ins(monkeypatch):
    monkeypatch.setattr(notebook_runner, "MAX_REPLY_BYTES", 100_000)
    source = "def many(x):\n    return [double([i] * 10_000)[0] for i in range(x)]"
    questions = [Question("many", (), (CASE,), reference_stubs=("double",))]
    ran = notebook_runs.execute_and_ask(
        [source, "many"], questions, "def double(x):\n    return x", timeout=3
    )
    assert [given.state for given in ran.answers["test_many"]] == ["asked", session.TooMuchOutput.state]


def test_whatever_the_state_there_is_a_verdict():
    for state in (*notebook_runner.ANSWER_NOTES, runner.MISSING):
        verdict = scoring.judge_best(toy.key(), runner.Answers(state))
        assert (verdict.points, verdict.state) == (0, "wrong")


def test_processes_that_are_begun_again_have_no_time_of_their_own():
    cells = "import os, time; time.sleep(3)", "os._exit(1)", "os._exit(1)"
    _, notes = run_and_ask(*cells, notebook_timeout=4, timeout=60)
    assert notes[-1] == "the notebook took more than 4 seconds; the rest was not run"


@pytest.fixture
def kill_at(monkeypatch):
    """Ends a notebook's process from outside, as the kernel does where memory is short.

    Each text stands for the moment in which it has been sent there; "each" for each time that it is.
    """

    def begin(*moments, each=""):
        left, send = list(moments), session.Session._send

        def kills(self, content, limit):
            now = next((one for one in (*left, each) if one and one in str(content)), "")
            if now:  # stopped, or it may have done what is sent before it is killed
                self._process.forked.send_signal(signal.SIGSTOP)
            send(self, content, limit)
            if now:
                self._process.forked.kill()
                left.remove(now) if now != each else None

        monkeypatch.setattr(session.Session, "_send", kills)
        return left

    return begin


@needs.seal
@pytest.mark.parametrize(
    "moments",
    [
        ["'question'"],
        ["z = 1", "y = 1", "def fine"],
        ["y = 1", "'question'", "def fine", "z = 1"],
    ],
)
def test_a_process_that_is_ended_from_outside_costs_nothing_and_is_not_told(kill_at, moments):
    """Whether it runs a cell, answers, or runs cells again."""
    left = kill_at(*moments)
    locked = new_code_cell("y = 1", metadata={"nbgrader": {"grade_id": "setup", "locked": True}})
    cells = [locked, FINE, "fine", "z = 1", FINE.replace("fine", "more"), "more"]
    answers, notes = run_and_ask(*cells)
    assert (left, notes) == ([], [])
    assert [value(answers[name]) for name in ("fine", "more")] == [21, 21]


@needs.seal
def test_where_it_ends_in_a_locked_cell_each_time_there_is_no_grade(kill_at):
    kill_at(each="y = 1")
    locked = {"nbgrader": {"grade_id": "setup", "locked": True}}
    with pytest.raises(
        SandboxDied, match="ended in the lesson's own cell setup, 3 times: is there enough memory"
    ):
        run_and_ask(new_code_cell("y = 1\nimport time\ntime.sleep(9)", metadata=locked))


HOLDING = "\nwhile True: held.append(bytearray(2**20))"
NEARLY_ALL = """
left = 875 * 2**20 - 1024 * int(next(line for line in open("/proc/self/status") if line[:7] == "VmData:").split()[1])
held = bytearray(left - 30 * 2**20)"""
SHARED = "\nimport mmap\nheld = mmap.mmap(-1, 900 * 2**20)\nwhile True: held.write(bytes(2**20))"


EATS = f"held = []\ndef eats(x):{HOLDING.replace(chr(10), chr(10) + '    ')}"
CELL, ANSWER = "cell number 2 took", "the answer of test_eats took"


@needs.seal
@pytest.mark.parametrize(
    ("cells", "told"),
    [([f"held = []{HOLDING}"], CELL), ([NEARLY_ALL], CELL), ([SHARED], CELL), ([EATS, "eats"], ANSWER)],
)
def test_what_eats_the_memory_is_told_so_and_the_rest_goes_on_without_it(cells, told):
    answers, notes = run_and_ask(
        "y = 1", *cells, FINE, "fine", memory_mb=700, timeout=20, question_timeout=20
    )
    assert value(answers["fine"]) == 21
    assert notes == [f"{told} more than 700 MB of memory"]


def test_what_was_answered_in_time_counts():
    key, name = toy.key(), "double"
    slow = "import numpy, time\ndef double(x):\n    if x.ndim == 2: time.sleep(60)\n    return 2 * x"
    ran = notebook_runs.execute_and_ask([slow, name], [Question(name, (), key.cases)], question_timeout=2)
    judged = scoring.judge_best(key, *ran.answers["test_double"])
    assert [line.sight for line in judged.lines] == [Outcome.NOT_REACHED, Outcome.PASSED] + [
        Outcome.NOT_REACHED
    ] * 2
    assert judged.points == 1
    assert [note.instructor_message for note in ran.notes] == ["the answer of test_double: timed out"]

"""What students hand in is read however it comes, or there is one clear line why not."""

from __future__ import annotations

import contextlib
import importlib
import json
import operator
import os
import resource
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat import NotebookNode

from autograder.nbgrader_plugin import judging, limits
from autograder.nbgrader_plugin.grading import take_in
from autograder.nbgrader_plugin.intake import Unreadable, read_notebook, taken_in
from autograder.nbgrader_plugin.judging import Work
from autograder.nbgrader_plugin.restoring import restore
from autograder.sandbox import doctor, helper_confinement, limited, warm
from autograder.sandbox.inside import landlock
from autograder.sandbox.warm import WarmPlace
from autograder.tests.made_up import make_master
from autograder.tests.this_course import COURSE

NOTEBOOK = nbformat.writes(
    nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 1\ny = 2", id="a")])
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "heatmap.ipynb"


@pytest.mark.parametrize(
    "raw",
    [
        NOTEBOOK.encode(),
        b"\xef\xbb\xbf" + NOTEBOOK.encode(),
        NOTEBOOK.replace("\n", "\r\n").encode(),
        NOTEBOOK.replace("x = 1\\n", "x = 1\\r\\n").encode(),
        NOTEBOOK.encode("utf-16"),
        NOTEBOOK.encode() + b"\n\n",
    ],
    ids=["plain", "BOM", "CRLF", "CRLF in a cell", "utf-16", "trailing lines"],
)
def test_one_notebook_in_many_dresses(path, raw):
    path.write_bytes(raw)
    assert read_notebook(path).cells[0].source == "x = 1\ny = 2"


def test_format_3_is_brought_up_to_date(path):
    old = nbformat.v3.new_notebook(
        worksheets=[nbformat.v3.new_worksheet(cells=[nbformat.v3.new_code_cell("x = 1")])]
    )
    path.write_text(nbformat.v3.writes_json(old))
    assert read_notebook(path).cells[0].source == "x = 1"


OPEN = b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "", "outputs": ['
MANY = b'{"nbformat": 4, "cells": [%s]}'
CELL = json.dumps(json.loads(NOTEBOOK)["cells"][0]).encode()
EMPTY = b'{"cell_type": "code", "source": "", "metadata": {}, "outputs": []}'
OF_NO_FORM = "is large, and not JSON of a notebook's form"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b" \n", "is empty"),
        (b"not json", "is not JSON (line 1, column 1)"),
        (b"[1, 2]", "is JSON, but not a notebook: it has no list of cells"),
        (b'{"cells": 5, "nbformat": 4}', "is JSON, but not a notebook: it has no list of cells"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "is not text"),
        (b"[" * 100_000, "is not JSON that can be read"),
        (b'{"cells": [], "number": %s}' % (b"1" * 5000), "is not JSON that can be read"),
        (OPEN + b'"' + b"x" * 60_000_000, OF_NO_FORM),
        (OPEN + b"[" * 3_000_000, OF_NO_FORM),
        (bytes(60_000_000), OF_NO_FORM),
        (MANY % (b"{}," * 1_000_000 + b"5"), OF_NO_FORM),
        (MANY % (b"{}," * 1_000_000 + b"{}"), "has more than 500,000 entries without its outputs"),
    ],
)
def test_what_is_no_notebook_counts_as_untouched_and_says_why(path, raw, reason):
    path.write_bytes(raw)
    notebook, (note,) = take_in(path, {}, [])
    assert notebook.cells == []
    assert note.line == f"heatmap.ipynb {reason}: not graded; ask for the file again"


def test_a_file_that_is_too_large_is_not_even_opened(path):
    with path.open("wb") as file:
        os.truncate(file.fileno(), limits.MAX_NOTEBOOK + 1)
    with pytest.raises(Unreadable, match="has 256 MB, more than 256"):
        read_notebook(path)


@given(
    st.recursive(
        st.none() | st.text(max_size=5) | st.integers(), lambda x: st.lists(x, max_size=3), max_leaves=6
    )
)
@settings(deadline=None, max_examples=60)
def test_odd_cells_never_raise_anything_else(tmp_path_factory, odd):
    path = tmp_path_factory.mktemp("odd") / "n.ipynb"
    path.write_text(
        json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [odd, {"cell_type": odd}]})
    )
    with contextlib.suppress(Unreadable):
        read_notebook(path)


# --- what costs too much ------------------------------------------------------------------------------------


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "outputs", [["[\n" * 30_000_000], [[i] for i in range(300_000)]], ids=["long", "many"]
)
def test_stored_outputs_cost_nothing(path, outputs, indent):
    cells = [{"cell_type": "code", "source": source, "outputs": outputs} for source in ('"outputs": [1', "x")]
    path.write_text(json.dumps({"nbformat": 4, "cells": cells, "metadata": {}}, indent=indent))
    notebook, notes = take_in(path, {}, [])
    assert [cell.source for cell in notebook.cells] == ['"outputs": [1', "x"]
    assert notes == []


def test_a_thousand_empty_cells_more_than_there_is_room_for_cost_nothing(path):
    path.write_bytes(MANY % b",".join([EMPTY] * 20_000 + [CELL]))
    notebook, (note,) = take_in(path, {}, [])
    assert [cell.source for cell in notebook.cells] == ["x = 1\ny = 2"]
    assert note.line == "heatmap.ipynb holds more than there is room for: 20000 of its cells were left out"


def test_texts_are_bounded_together(path, monkeypatch):
    monkeypatch.setattr(limits, "MAX_CELL", 100)
    monkeypatch.setattr(limits, "MAX_SOURCES", 250)
    cells = [{"cell_type": "code", "source": "x" * size} for size in (100, 101, 100, 100, 50)]
    path.write_text(json.dumps({"nbformat": 4, "cells": cells}))
    notebook, notes = taken_in(str(path))
    assert [len(cell.source) for cell in notebook.cells] == [100, 100, 50]
    assert len(notes) == 1


def test_a_graded_notebook_can_be_read_again_however_many_lines_it_has(path):
    cells = [{"cell_type": "code", "source": text} for text in ("x", "\n" * 600_000, "y\n" * 150_000)]
    path.write_text(json.dumps({"nbformat": 4, "cells": cells}))
    notebook, notes = take_in(path, {}, [])
    assert [cell.source[:1] for cell in notebook.cells] == ["x", "y"]
    assert len(notes) == 1
    path.write_text(nbformat.writes(notebook))
    assert len(read_notebook(path).cells) == 2


FIELDS = [
    *("metadata", "nbformat", "nbformat_minor", "metadata.kernelspec", "metadata.kernelspec.name"),
    *("metadata.language_info", "metadata.language_info.name", "metadata.language_info.version"),
    *("metadata.title", "metadata.authors", "metadata.attention_course", "more"),
    *("cell.id", "cell.metadata", "cell.metadata.tags", "cell.metadata.name", "cell.metadata.jupyter"),
    *("cell.metadata.nbgrader", "cell.metadata.nbgrader.points", "cell.metadata.nbgrader.checksum"),
    *("cell.outputs", "cell.execution_count", "cell.attachments", "cell.attachments.a", "cell.more"),
]
ODD = [5, -1.5, "", "\ud800", None, True, [5], [["x"]], {"name": 5}, {"x": [None]}, "z" * 10_000]


def set_at(place, path, odd):
    *outer, last = path.split(".")
    for name in outer:
        place = place.setdefault(name, {})
    place[last] = odd


@pytest.mark.parametrize("which", ["nbformat 4", "nbformat 3"])
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
def test_no_field_costs_its_sender_the_answers(path, odd, which):
    """What Jupyter's schema says of a field holds for what is written, whatever came in it; of metadata short words."""
    answer = {"cell_type": "code", "source": "def f(): return 7"}
    if which == "nbformat 3":
        answer = {"cell_type": "code", "input": ["def f(): ", "return 7"]}
    for field in FIELDS:
        cell = {**answer, "metadata": {"nbgrader": {"grade_id": "f"}}}
        data = {"cells": [cell], "nbformat": 4}
        if which == "nbformat 3":
            data = {"worksheets": [{"cells": []}, {"cells": [cell]}, odd], "nbformat": 3}
        set_at(cell if field.startswith("cell.") else data, field.removeprefix("cell."), odd)
        path.write_text(json.dumps(data))
        notebook, notes = taken_in(str(path))
        assert len(json.dumps(notebook.metadata) + json.dumps(notebook.cells[0].metadata)) < 1000
        master = make_master()
        notebook.cells, _ = restore(notebook.cells, master, [master])
        nbformat.validate(nbformat.reads(nbformat.writes(notebook), as_version=4))
        assert notes == [], field
        assert "def f(): return 7" in [cell.source for cell in notebook.cells], field


@pytest.mark.parametrize(
    ("function", "arguments"),
    [(time.sleep, (60,)), (operator.mul, ("x", 2**31)), (operator.pow, (7, 3**25))],
    ids=["waits", "memory", "computes"],
)
def test_what_takes_too_much_memory_or_time_is_given_up(function, arguments):
    with pytest.raises(limited.Overrun):
        limited.call(function, *arguments, seconds=1)
    assert limited.call(operator.add, "a", "b") == "ab"


@pytest.mark.parametrize("last", ["time.sleep(60)", "'x' * 2**31", "7 ** 3**25"])
def test_what_it_gave_before_its_end_stays(tmp_path, monkeypatch, last):
    (tmp_path / "said_in_pieces.py").write_text(
        f"import time\ndef say(*words):\n    yield from words\n    {last}\n    yield 'never'"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    limited.end_helper()
    try:
        assert limited.pieces(importlib.import_module("said_in_pieces").say, "one", [2], seconds=1) == [
            "one",
            [2],
        ]
    finally:
        limited.end_helper()
        del sys.modules["said_in_pieces"]


def half(number: int) -> int:
    return number / 2


def test_what_crosses_is_what_the_function_says_or_nothing():
    with pytest.raises(RuntimeError, match="Expected `int`, got `str`"):
        limited.call(half, "4")
    with pytest.raises(msgspec.ValidationError, match="Expected `int`, got `float`"):
        limited.call(half, 4)


def test_a_warning_about_an_answer_is_not_for_the_instructor_s_terminal(capfd):
    limited.end_helper()
    limited.call(warnings.warn, "overflow")
    limited.end_helper()
    assert capfd.readouterr().err == ""


ATTEMPTS = {
    "connect": lambda place: socket.create_connection(("127.0.0.1", 9)),
    "connect to a program of this machine": lambda place: socket.socket(socket.AF_UNIX).connect(place),
    "start a program": lambda place: subprocess.run(["true"], check=True),
    "signal": lambda place: os.kill(os.getppid(), 0),
    "limit another process": lambda place: resource.prlimit(os.getppid(), resource.RLIMIT_CORE),
    "look into another process": lambda place: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "list": lambda place: os.listdir(place),
    "read": lambda place: Path(place, "secret").read_text(),
    "write": lambda place: Path(place, "written").write_text("x"),
    "change": lambda place: os.chmod(place, 0),
}


def attempt(place: str) -> dict[str, str]:
    """What comes of each of these attempts."""
    outcomes = {}
    for name, act in ATTEMPTS.items():
        try:
            act(place)
            outcomes[name] = "done"
        except OSError as error:
            outcomes[name] = type(error).__name__
    return outcomes


def attempt_while_judging(
    work: Work, notebook: NotebookNode, place: str, warm_place: WarmPlace
) -> Iterator[dict[str, str]]:
    """Run a notebook and make the attempts where its answers are judged."""
    judging.verdicts = lambda *_: iter([attempt(place)])
    pieces = judging.judged_in_pieces(
        work, notebook, str(COURSE.visible.data), [], warm_place, doctor.sealable()
    )
    yield from (piece for piece in pieces if isinstance(piece, dict))


@pytest.mark.skipif(bool(helper_confinement.missing_layers()), reason="the kernel lacks the means")
def test_what_reads_a_submission_has_the_rights_it_is_given_and_no_others(tmp_path):
    (tmp_path / "secret").write_text("x")
    nothing = limited.call(attempt, str(tmp_path))
    assert "done" not in nothing.values(), nothing
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]
    reading = limited.call(attempt, str(tmp_path), access=limited.FileAccess([str(tmp_path)]))
    assert {name for name, outcome in reading.items() if outcome == "done"} == {"list", "read"}
    writing = limited.call(attempt, str(tmp_path), access=limited.FileAccess((), [str(tmp_path)]))
    assert {name for name, outcome in writing.items() if outcome == "done"} == {"list", "read", "write"}
    work = Work(str(COURSE.root), COURSE.lessons[0].id, "amy", "salt", {"allow_unsealed": True})
    arguments = work, nbformat.v4.new_notebook(), str(tmp_path), warm.start(COURSE.visible)
    (judging_it,) = limited.pieces(attempt_while_judging, *arguments, seconds=30, access=None)
    assert "done" not in judging_it.values(), judging_it


def test_where_the_kernel_lacks_the_means_it_reads_all_the_same(monkeypatch):
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setattr(helper_confinement, "system_call_filter", lambda: None)
    helper_confinement.confine((), ())
    assert Path("/proc/self/status").exists()
    assert "keeps your rights in part: this machine lacks Landlock, libseccomp" in doctor.seal_report()


def test_a_helper_that_was_ended_is_told_and_another_one_started(tmp_path):
    helper, begun = limited.call(os.getppid), tmp_path / "begun"
    with ThreadPoolExecutor(1) as waiting:
        call = waiting.submit(limited.call, os.system, f"touch {begun}; exec sleep 5", access=None)
        while not begun.exists():
            time.sleep(0.01)
        os.kill(helper, signal.SIGKILL)
        assert isinstance(call.exception(timeout=10), limited.Lost)
    assert limited.call(os.getppid) != helper


def test_an_overrun_is_an_unreadable_submission_with_a_note(path, monkeypatch):
    def overrun(*_, **__):
        raise limited.Overrun("takes more time")

    monkeypatch.setattr(limited, "call", overrun)
    notebook, (note,) = take_in(path, {}, [])
    assert notebook.cells == []
    assert note.line == "heatmap.ipynb takes more time: not graded; ask for the file again"

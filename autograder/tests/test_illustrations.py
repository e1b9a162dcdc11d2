"""Which of a lesson's own cells a grading leaves out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import nbformat
import pytest

from autograder.sandbox.illustrations import names_of, unneeded
from autograder.tests.this_course import lessons

SHOWN = {"drawn = 3\nprint(drawn)", "used_by_drawn = drawn", "get_ipython()"}


def left_out(*texts):
    return unneeded(enumerate(texts), SHOWN)


def test_an_illustration_that_nothing_refers_to_is_left_out():
    assert left_out("x = 1", "drawn = 3\nprint(drawn)", "def f(drawn): return drawn") == [1]


@pytest.mark.parametrize(
    "text",
    [
        "y = drawn",
        "def f(): return drawn",
        "%timeit drawn",
        "for i in range(drawn): pass",
        "print(f'{drawn}')",
    ],
)
def test_one_that_is_referred_to_runs(text):
    assert left_out("drawn = 3\nprint(drawn)", text) == []


def test_what_an_illustration_that_runs_refers_to_runs_as_well():
    assert left_out("drawn = 3\nprint(drawn)", "used_by_drawn = drawn", "used_by_drawn + 1") == []


def test_a_cell_does_not_read_what_comes_after_it():
    assert left_out("y = drawn", "drawn = 3\nprint(drawn)") == [1]


def test_a_function_may_read_what_comes_after_it():
    assert left_out("def f(): return drawn", "drawn = 3\nprint(drawn)") == []


def test_an_illustration_reads_its_own_names_from_itself():
    """The second binds `drawn` by itself; only the name `other` is wanted of it."""
    shown = {"drawn = 3\nprint(drawn)", "drawn = other = 4\nprint(drawn)"}
    texts = ("drawn = 3\nprint(drawn)", *sorted(shown)[1:], "other")
    assert unneeded(enumerate(texts), shown) == [0]


def test_one_that_was_changed_runs():
    assert left_out("drawn = 4\nprint(drawn)") == []


def test_where_code_looks_names_up_by_itself_all_run():
    assert left_out("drawn = 3\nprint(drawn)", "globals()['dra' + 'wn']") == []


def test_a_cell_that_cannot_be_compiled_needs_nothing():
    assert left_out("drawn = 3\nprint(drawn)", "def f(:\n  drawn", "\0") == [0]


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_no_reference_solution_needs_an_illustration(lesson):
    """Otherwise each grading would pay for the picture."""
    cells = nbformat.read(lesson.built, as_version=4).cells
    shown = lesson.illustrations()
    texts = [cell.source.strip() for cell in cells if cell.cell_type == "code"]
    assert len(unneeded(enumerate(texts), shown)) == sum(text in shown for text in texts) > 5


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_illustrations_bind_their_names_before_they_read_them(lesson, tmp_path):
    texts = sorted(lesson.illustrations())
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.py").write_text(text)
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821"]
    found = subprocess.run(
        [*command, "--output-format", "json", str(tmp_path)], capture_output=True, text=True, check=False
    )
    undefined = defaultdict(set)
    for one in json.loads(found.stdout):
        assert one["code"] == "F821", one["message"]
        undefined[int(Path(one["filename"]).stem)] |= set(re.findall("`(.*?)`", one["message"]))
    assert undefined
    for number, text in enumerate(texts):
        names = names_of(text)
        assert undefined[number] <= names.read - names.bound

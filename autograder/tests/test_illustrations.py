"""Which of a lesson's own cells a grading leaves out."""

from __future__ import annotations

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder import source
from autograder.illustrations import unneeded
from autograder.lessons import lessons

SHOWN = {"drawn = 3\nprint(drawn)", "used_by_drawn = drawn", "get_ipython()"}


def left_out(*texts):
    return unneeded([new_code_cell(text) for text in texts], SHOWN)


def test_an_illustration_that_nothing_refers_to_is_left_out():
    assert left_out("x = 1", "drawn = 3\nprint(drawn)", "def f(drawn): return drawn") == {1}


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
    assert left_out("drawn = 3\nprint(drawn)", text) == set()


def test_what_an_illustration_that_runs_refers_to_runs_as_well():
    assert left_out("drawn = 3\nprint(drawn)", "used_by_drawn = drawn", "used_by_drawn + 1") == set()


def test_one_that_was_changed_runs():
    assert left_out("drawn = 4\nprint(drawn)") == set()


def test_where_code_looks_names_up_by_itself_all_run():
    assert left_out("drawn = 3\nprint(drawn)", "globals()['dra' + 'wn']") == set()


def test_a_cell_that_cannot_be_compiled_needs_nothing():
    assert left_out("drawn = 3\nprint(drawn)", "def f(:\n  drawn", "\0") == {0}


@pytest.mark.parametrize("lesson", [lesson.id for lesson in lessons()])
def test_no_reference_solution_needs_an_illustration(lesson):
    """Otherwise each grading would pay for the picture."""
    (path,) = (source.SOLUTIONS / lesson).glob("*.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    shown = source.illustrations(lesson)
    texts = [cell.source.strip() for cell in cells if cell.cell_type == "code"]
    assert len(unneeded(cells, shown)) == sum(text in shown for text in texts) > 5

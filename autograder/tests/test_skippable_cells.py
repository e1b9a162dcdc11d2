"""Which of a lesson's own cells a grading leaves out."""

from __future__ import annotations

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from autograder.execution.skippable_cells import find_skippable
from autograder.sandbox.inside.cell_syntax import CellTransformer
from autograder.tests.this_course import lessons

DRAWN, AGAIN, READER = "drawn = 3\nprint(drawn)", "drawn = other = 4\nprint(drawn)", "used_by_drawn = drawn"
SHOWN = {DRAWN, AGAIN, READER, "get_ipython()"}


@pytest.mark.parametrize(
    ("texts", "left_out"),
    [
        (("x = 1", DRAWN, "def f(drawn): return drawn"), [1]),
        ((DRAWN, "y = drawn"), []),
        ((DRAWN, "def f(): return drawn"), []),
        ((DRAWN, "%timeit drawn"), []),
        ((DRAWN, "for i in range(drawn): pass"), []),
        ((DRAWN, "print(f'{drawn}')"), []),
        ((DRAWN, READER, "used_by_drawn + 1"), []),
        (("y = drawn", DRAWN), [1]),
        (("def f(): return drawn", DRAWN), []),
        ((DRAWN, AGAIN, "other"), [0]),  # the second binds `drawn` by itself
        (("drawn = 4\nprint(drawn)",), []),  # it was changed
        ((DRAWN, "globals()['dra' + 'wn']"), []),
        ((DRAWN, "def f(:\n  drawn", "\0"), [0]),
    ],
)
def test_illustrations_that_nothing_refers_to_are_left_out(texts, left_out):
    """A cell does not read what comes after it; a function may."""
    assert find_skippable(enumerate(texts), SHOWN) == left_out


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_no_reference_solution_needs_an_illustration(lesson):
    """Otherwise each grading would pay for the picture."""
    cells = nbformat.read(lesson.built, as_version=4).cells
    shown = lesson.illustrations()
    texts = [cell.source.strip() for cell in cells if cell.cell_type == "code"]
    assert len(find_skippable(enumerate(texts), shown)) == sum(text in shown for text in texts) > 5


@pytest.mark.parametrize(
    "cell",
    [
        "%matplotlib inline\nx = 1\nif x:\n    %time x\n    y = !ls -l 'it\ny = %who_ls\nx?\n??x\n",
        "!echo (\n%time 1\nz = (1,\n%time\n)\n",
        '!echo """\n%time 1\n"""\n%time 2\n"""\n',
        "x = '''\n%time\n'''\n%time 1 \\\n  2\n%%time\n",
        "%%bash\n%time\n",
        ">>> %time 1\n>>> x?\n",
        "def f(:\n  %time\n",
    ],
)
def test_magics_are_read_as_ipython_reads_them(cell):
    assert CellTransformer().transform_cell(cell) == TransformerManager().transform_cell(cell)

"""What students hand in is read however it comes, or there is one clear line why not."""

from __future__ import annotations

import json
import os

import nbformat
import pytest

from autograder.exercises import limits
from autograder.submissions.cell_matching import LessonCells
from autograder.submissions.read_submission import Unreadable, read_notebook, read_submission
from autograder.submissions.restore_cells import read_and_restore, restore_cells
from autograder.tests.made_up import make_master

NOTEBOOK = nbformat.writes(
    nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 1\ny = 2", id="a")])
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "heatmap.ipynb"


OLD = nbformat.v3.new_notebook(
    worksheets=[nbformat.v3.new_worksheet(cells=[nbformat.v3.new_code_cell("x = 1\ny = 2")])]
)


@pytest.mark.parametrize(
    "raw",
    [
        NOTEBOOK.encode(),
        b"\xef\xbb\xbf" + NOTEBOOK.encode(),
        NOTEBOOK.replace("\n", "\r\n").encode(),
        NOTEBOOK.replace("x = 1\\n", "x = 1\\r\\n").encode(),
        NOTEBOOK.encode("utf-16"),
        NOTEBOOK.encode() + b"\n\n",
        nbformat.v3.writes_json(OLD).encode(),
    ],
    ids=["plain", "BOM", "CRLF", "CRLF in a cell", "utf-16", "trailing lines", "format 3"],
)
def test_one_notebook_in_many_dresses(path, raw):
    path.write_bytes(raw)
    assert read_notebook(path).cells[0].source == "x = 1\ny = 2"


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
    notebook, (note,) = read_and_restore(str(path), LessonCells({}))
    assert notebook.cells == []
    assert note.instructor_message == f"heatmap.ipynb {reason}: not graded; ask for the file again"


def test_a_file_that_is_too_large_is_not_even_opened(path):
    with path.open("wb") as file:
        os.truncate(file.fileno(), limits.MAX_NOTEBOOK_BYTES + 1)
    with pytest.raises(Unreadable, match="has 256 MB, more than 256"):
        read_notebook(path)


# --- what costs too much ------------------------------------------------------------------------------------


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "outputs", [["[\n" * 30_000_000], [[i] for i in range(300_000)]], ids=["long", "many"]
)
def test_stored_outputs_cost_nothing(path, outputs, indent):
    cells = [{"cell_type": "code", "source": source, "outputs": outputs} for source in ('"outputs": [1', "x")]
    path.write_text(json.dumps({"nbformat": 4, "cells": cells, "metadata": {}}, indent=indent))
    notebook, notes = read_and_restore(str(path), LessonCells({}))
    assert [cell.source for cell in notebook.cells] == ['"outputs": [1', "x"]
    assert notes == []


def test_a_thousand_empty_cells_more_than_there_is_room_for_cost_nothing(path):
    path.write_bytes(MANY % b",".join([EMPTY] * 20_000 + [CELL]))
    notebook, (note,) = read_and_restore(str(path), LessonCells({}))
    assert [cell.source for cell in notebook.cells] == ["x = 1\ny = 2"]
    told = "heatmap.ipynb holds more than there is room for: 20000 of its cells were left out"
    assert note.instructor_message == told


def test_texts_are_bounded_together_and_what_is_left_can_be_read_again(path, monkeypatch):
    monkeypatch.setattr(limits, "MAX_CELL_CHARACTERS", 100)
    monkeypatch.setattr(limits, "MAX_SOURCE_CHARACTERS", 250)
    monkeypatch.setattr(limits, "MAX_SOURCE_LINES", 60)
    texts = ["x" * 100, "x" * 101, "\n" * 70, "y\n" * 50, "x" * 51, "x" * 50]
    path.write_text(
        json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": text} for text in texts]})
    )
    notebook, notes = read_and_restore(str(path), LessonCells({}))
    assert [cell.source for cell in notebook.cells] == [texts[0], texts[3], texts[5]]
    assert len(notes) == 1
    path.write_text(nbformat.writes(notebook))
    assert len(read_notebook(path).cells) == 3


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
        notebook, notes = read_submission(str(path), LessonCells({}))
        assert len(json.dumps(notebook.metadata) + json.dumps(notebook.cells[0].metadata)) < 1000
        master = make_master()
        notebook.cells, _ = restore_cells(notebook.cells, LessonCells(master, [master]))
        nbformat.validate(nbformat.reads(nbformat.writes(notebook), as_version=4))
        assert notes == [], field
        assert "def f(): return 7" in [one.source for one in notebook.cells], field

"""What students hand in is read however it comes, or there is one clear line why not."""

from __future__ import annotations

import contextlib
import json
import os

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.nbgrader_plugin import intake
from autograder.nbgrader_plugin.intake import (
    Unreadable,
    read_notebook,
    taken_in,
    without_outputs,
)
from autograder.nbgrader_plugin.restoring import restore, restored
from autograder.tests.made_up import make_master

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


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"not json", r"is not JSON \(line 1, column 1\)"),
        (NOTEBOOK[: len(NOTEBOOK) // 2].encode(), "is not JSON"),
        (b"[1, 2]", "not a notebook"),
        (b'{"a": 1}', "not a notebook"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "is not text"),
        (b'{"cells": 5, "nbformat": 4}', "not a notebook"),
        (b"[" * 100_000, "not"),
    ],
)
def test_what_is_no_notebook_says_why(path, raw, reason):
    path.write_bytes(raw)
    with pytest.raises(Unreadable, match=reason):
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


def test_an_unreadable_submission_counts_as_untouched_with_a_note(path):
    path.write_text("{")
    notebook, notes = taken_in(str(path))
    assert notebook.cells == []
    assert len(notes) == 1
    assert "heatmap.ipynb is not JSON" in notes[0].line


# --- large notebooks ----------------------------------------------------------------------------------------

MESSY = st.text(alphabet='ab"\\\\[]{}:, \\n\u00fc', max_size=12) | st.just('"outputs": [1, "]')
VALUES = st.recursive(
    st.none() | st.integers() | MESSY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MESSY, inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.tuples(MESSY, st.lists(VALUES, max_size=3)), max_size=4), st.sampled_from([None, 1]))
@settings(deadline=None, max_examples=100)
def test_outputs_and_nothing_else_are_left_out(cells, indent):
    def written(with_outputs):
        made = [{"outputs": outputs * with_outputs, "source": source} for source, outputs in cells]
        return json.dumps({"cells": made}, indent=indent)

    assert json.loads(without_outputs(written(True).encode())) == json.loads(written(False))


def test_a_large_notebook_is_read_without_its_outputs(path, monkeypatch):
    monkeypatch.setattr(intake, "MAX_PARSED", 2000)
    cell = nbformat.v4.new_code_cell("x = 1", outputs=[nbformat.v4.new_output("stream", text="[\n" * 1000)])
    path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=[cell])))
    assert read_notebook(path).cells[0].source == "x = 1"


OPEN = b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "", "outputs": ['


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (OPEN + b'"' + b"x" * 3_000_000, "is not JSON: it was cut short"),
        (OPEN + b"[" * 3_000_000, "has too many outputs"),
        (OPEN + b'"outputs":[],' * 1_100_000, "has too many outputs"),
        (b'{"cells": [' + b"{}," * 1_000_000, "has 3 MB without its outputs"),
        (bytes(3_000_000), "has 3 MB without its outputs"),
    ],
    ids=["cut short", "brackets", "many outputs", "many cells", "zeros"],
)
def test_a_large_file_that_is_no_notebook_is_given_up(path, monkeypatch, raw, reason):
    monkeypatch.setattr(intake, "MAX_PARSED", 2**20)
    monkeypatch.setattr(intake, "MAX_BRACKETS", 1000)
    path.write_bytes(raw)
    with pytest.raises(Unreadable, match=reason):
        read_notebook(path)


def test_a_file_that_is_too_large_is_not_even_opened(path):
    with path.open("wb") as file:
        os.truncate(file.fileno(), intake.MAX_NOTEBOOK + 1)
    with pytest.raises(Unreadable, match="has 256 MB, more than 256"):
        read_notebook(path)


# --- what costs too much ------------------------------------------------------------------------------------

MANY = b'{"nbformat": 4, "cells": [%s]}'
EMPTY = b'{"cell_type": "code", "source": "", "metadata": {}, "outputs": []}'


def taken(path, raw):
    """The notebook and the lines of its notes."""
    path.write_bytes(raw)
    notebook, notes = restored(str(path), {}, [], {})
    return notebook, [note.line for note in notes]


def test_a_notebook_of_braces_is_not_parsed(path):
    notebook, said = taken(path, MANY % (b"{}," * 1_000_000))
    assert notebook.cells == []
    assert said == [
        "heatmap.ipynb has more than 500,000 entries without its outputs: not graded; ask for the file again"
    ]


def test_a_thousand_empty_cells_more_than_there_is_room_for_cost_nothing(path):
    own = json.dumps(json.loads(NOTEBOOK)["cells"][0]).encode()
    notebook, said = taken(path, MANY % b",".join([EMPTY] * 20_000 + [own]))
    assert [cell.source for cell in notebook.cells] == ["x = 1\ny = 2"]
    assert said == ["heatmap.ipynb holds more than there is room for: 20000 of its cells were left out"]


def test_texts_are_bounded_together(path, monkeypatch):
    monkeypatch.setattr(intake, "MAX_CELL", 100)
    monkeypatch.setattr(intake, "MAX_SOURCES", 250)
    cells = [{"cell_type": "code", "source": "x" * size} for size in (100, 101, 100, 100, 50)]
    path.write_text(json.dumps({"nbformat": 4, "cells": cells}))
    notebook, notes = taken_in(str(path))
    assert [len(cell.source) for cell in notebook.cells] == [100, 100, 50]
    assert len(notes) == 1


def test_a_graded_notebook_can_be_read_again_however_many_lines_it_has(path):
    cells = [{"cell_type": "code", "source": text} for text in ("x", "\n" * 600_000, "y\n" * 150_000)]
    path.write_text(json.dumps({"nbformat": 4, "cells": cells}))
    notebook, notes = restored(str(path), {}, [], {})
    assert [cell.source[:1] for cell in notebook.cells] == ["x", "y"]
    assert len(notes) == 1
    path.write_text(nbformat.writes(notebook))
    assert len(read_notebook(path).cells) == 2


@pytest.mark.parametrize("odd", ["x", 5, [1], {"name": "python", "x": {"y": 1}, "long": "z" * 10_000}, None])
def test_metadata_is_short_words(path, odd):
    cell = {"cell_type": "code", "source": "x", "metadata": {"nbgrader": odd, "tags": odd, "other": odd}}
    path.write_text(
        json.dumps({"nbformat": 4, "cells": [cell], "metadata": {"language_info": odd, "z": odd}})
    )
    notebook, notes = taken_in(str(path))
    assert notes == []
    assert len(json.dumps(notebook)) < 1500
    assert notebook.metadata == {"language_info": {"name": "python"}}


OF_A_NOTEBOOK = [
    *("metadata", "nbformat", "nbformat_minor", "orig_nbformat", "more"),
    *("metadata.kernelspec", "metadata.kernelspec.name", "metadata.kernelspec.display_name"),
    *("metadata.language_info", "metadata.language_info.name", "metadata.language_info.codemirror_mode"),
    *("metadata.language_info.codemirror_mode.name", "metadata.language_info.codemirror_mode.version"),
    *("metadata.language_info.file_extension", "metadata.language_info.mimetype"),
    *("metadata.language_info.pygments_lexer", "metadata.language_info.version"),
    *("metadata.title", "metadata.authors", "metadata.orig_nbformat", "metadata.attention_course"),
]
OF_A_CELL = [
    *("id", "metadata", "metadata.tags", "metadata.name", "metadata.collapsed", "metadata.scrolled"),
    *("metadata.jupyter", "metadata.execution", "metadata.nbgrader", "metadata.nbgrader.points"),
    *("metadata.nbgrader.schema_version", "metadata.nbgrader.checksum", "metadata.nbgrader.cell_type"),
    *("outputs", "execution_count", "attachments", "attachments.a", "more"),
]
ODD = [5, -1.5, "", "x", "\ud800", None, True, [], [5], [["x"]], {}, {"name": 5}, {"x": [None]}]


def set_at(place, path, odd):
    *outer, last = path.split(".")
    for name in outer:
        place = place.setdefault(name, {})
    place[last] = odd


@pytest.mark.parametrize("which", ["nbformat 4", "nbformat 3"])
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_no_field_costs_its_sender_the_answers(path, odd, which):
    """What Jupyter's schema says of a field holds for what is written, whatever came in it."""
    answer = {"cell_type": "code", "source": "def f(): return 7"}
    if which == "nbformat 3":
        answer = {"cell_type": "code", "input": ["def f(): ", "return 7"]}
    for field in (*OF_A_NOTEBOOK, *(f"cell.{one}" for one in OF_A_CELL)):
        cell = {**answer, "metadata": {"nbgrader": {"grade_id": "f"}}}
        data = {"cells": [cell], "nbformat": 4}
        if which == "nbformat 3":
            data = {"worksheets": [{"cells": []}, {"cells": [cell]}, odd], "nbformat": 3}
        set_at(cell if field.startswith("cell.") else data, field.removeprefix("cell."), odd)
        path.write_text(json.dumps(data))
        notebook, notes = taken_in(str(path))
        master = make_master()
        notebook.cells, _ = restore(notebook.cells, master, [master])
        nbformat.validate(nbformat.reads(nbformat.writes(notebook), as_version=4))
        assert notes == [], field
        assert "def f(): return 7" in [one.source for one in notebook.cells], field

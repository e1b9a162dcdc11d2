"""What a student wrote cannot act in a reader's browser; what only formats stays as it is."""

from __future__ import annotations

import pytest
from nbformat import NotebookNode, from_dict, validate
from nbformat.v4 import new_code_cell, new_notebook, new_output

from autograder import source
from autograder.lessons import lessons
from autograder.nbgrader_plugin.defusing import defused_text
from autograder.passive import defused, make_passive

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<IMG SRC=http://example.org/track.png>",
    "<svg/onload=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java\nscript:alert(1)">x</a>',
    "<details open ontoggle=alert(1)>",
    "<p style='background:url(http://example.org)'>x",
    "<math><mtext></p><style><img src=x onerror=alert(1)></style>",
    "<!--><script>alert(1)</script>-->",
    "<?php ?><script>alert(1)</script>",
    "text <script",
    "<form action=http://example.org><input></form>",
    "<base href=http://example.org>",
    "<meta http-equiv=refresh content='0;url=http://example.org'>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_is_taken_apart(text):
    clean = defused_text(text)
    assert clean != text
    for sign in ("<script", "<img", "<svg", "<iframe", "<style", "<form", "<base", "<meta", "<p style"):
        assert sign not in clean.lower()
    assert " on" not in clean.split("<details", 1)[-1].split(">")[0] if "<details" in clean else True


@pytest.mark.parametrize("lesson", [lesson.id for lesson in lessons()])
def test_the_lessons_own_text_stays(lesson):
    for cell in source.read(lesson):
        if cell.kind == "markdown":
            assert defused_text(cell.text) == cell.text


def test_active_outputs_are_dropped_and_pictures_keep_their_text():
    data = {"text/html": "<script>", "image/svg+xml": "<svg>", "text/plain": "x", "image/png": "abc"}
    metadata = {"image/png": {"alt": "a cat"}, "isolated": True}
    clean = defused(new_output("display_data", data=data, metadata=metadata))
    assert clean.data == {"text/plain": "x", "image/png": "abc"}
    assert clean.metadata == {"image/png": {"alt": "a cat"}}


@pytest.mark.parametrize(
    "forged",
    [
        {"output_type": "stream", "name": 1, "text": 7},
        {"output_type": "display_data", "data": [], "metadata": 3},
        {
            "output_type": "execute_result",
            "data": {"text/plain": 5, "image/png": [1]},
            "execution_count": "<b>",
        },
        {"output_type": "error", "ename": 1, "evalue": {}, "traceback": 3},
        {"output_type": "clear", "text": "x"},
    ],
)
def test_forged_outputs_leave_a_valid_notebook(forged):
    cell = new_code_cell("x = 1", id="a")
    cell["execution_count"] = "<b>x</b>"
    cell["outputs"] = from_dict([forged, new_output("stream", text="kept")])
    make_passive(cell)
    validate(NotebookNode(new_notebook(cells=[cell])))
    assert cell.outputs[-1].text == "kept"

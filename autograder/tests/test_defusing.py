"""What a student wrote cannot act in a reader's browser; what only formats stays as it is."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable
from html import escape

import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode, from_dict, validate
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.server_extensions.formgrader import handlers

from autograder.courses import Lesson
from autograder.execution.sanitize_outputs import sanitize_output, sanitize_outputs
from autograder.exercises.limits import MAX_ATTACHMENT_CHARACTERS
from autograder.sandbox import limited_process
from autograder.submissions.cell_matching import LessonCells
from autograder.submissions.read_submission import read_notebook
from autograder.submissions.restore_cells import restore_cells
from autograder.submissions.sanitize_text import sanitize_cells
from autograder.tests.hostile import DOT, HOSTILE
from autograder.tests.this_course import lessons

DATA = f"data:image/png;base64,{DOT}"
ADDRESS = "example.org/track.png"

ELSEWHERE = [
    f"![a cat](HTTPS://{ADDRESS} 'title')",
    f"![a cat](<//{ADDRESS}>)",
    rf"![a cat](\//{ADDRESS})",
    f"![a cat](&#x2f;/{ADDRESS})",
    f"![a cat](files///{ADDRESS})",
    f"![a *cat*, `too`](http://{ADDRESS})",
    f"![a cat]\n\n[A  Cat]: <http://{ADDRESS}>",
    f"[![a cat](http://{ADDRESS})](http://example.org)",
    f"| a |\n|---|\n| ![a cat](http://{ADDRESS}) |",
    f"> - ![a cat](http://{ADDRESS})",
    f"<img\nsrc='//{ADDRESS}' alt='a cat'>",
    rf"<img src='\\{ADDRESS}' alt='a cat'>",
    f"<img src='/\t/{ADDRESS}' alt='a cat'>",
    f"<image src=http://{ADDRESS} alt='a cat'>",
]
"""Pictures on a server, which would learn who reads them."""

NONE = [
    text.format(address)
    for text in ("![a cat]({})", "<img alt='a cat' src='{}'>")
    for address in (
        "attachment:gone.png",
        "data:image/svg+xml;base64,PHN2Zy8+",
        "data:text/html;base64,PHN2Zy8+",
        "data:image/png,<svg>",
    )
]
"""What is no picture."""

PICTURES = {
    "data": f"![a cat]({DATA})",
    "data by reference": f"![a cat][c]\n\n[c]: <{DATA}>",
    "data in HTML": f'<p><img src="{DATA}" alt="a cat" width="30"></p>',
    "more attributes": f"<img src='{DATA}' alt='a cat' srcset='//{ADDRESS} 2x' style='background:url(/{ADDRESS})'>",
    "pasted": "![a cat](attachment:cat.png)",
    "pasted, by reference": "![a cat][c]\n\n[c]: attachment:cat.png",
    "pasted, in HTML": '<img src="attachment:cat.png" alt="a cat" width="30">',
}
ATTACHED = {"cat.png": {"image/png": DOT}}

Show = Callable[..., BeautifulSoup]


@pytest.fixture(scope="module")
def show() -> Show:
    """A function that shows a text cell as formgrader does, after it was defused."""
    exporter = HTMLExporter(template_name="formgrade", extra_template_basedirs=[handlers.template_path])
    names = dict.fromkeys(("assignment_id", "notebook_id", "submission_id", "student", "base_url"), "x")

    def show(text: str, **more: object) -> BeautifulSoup:
        notebook = defused_notebook(new_markdown_cell(text, **more))
        page, _ = exporter.from_notebook_node(notebook, resources={**names, "index": 0, "total": 1})
        cell = BeautifulSoup(page, "html.parser").find("div", class_="text_cell_render")
        assert cell is not None
        return cell

    return show


def defused_notebook(*cells: NotebookNode) -> NotebookNode:
    sanitize_cells(cells)
    return new_notebook(cells=[*cells])


def defused_text(text: str) -> str:
    return defused_notebook(new_markdown_cell(text)).cells[0].source


def assert_passive(shown: BeautifulSoup) -> None:
    formats = {
        *("a", "b", "blockquote", "code", "details", "div", "em", "h1", "img", "li", "ol", "p", "pre"),
        *("span", "strong", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul"),
    }
    for tag in shown.find_all(True):
        assert tag.name in formats
        assert set(tag.attrs) <= {"href", "title", "src", "alt", "width", "height", "class"}
        assert tag.get("href", "http:").startswith(("http:", "#"))
        assert tag.get("src", DATA) in (DATA, "x")


# --- what acts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_is_taken_apart(text: str, show: Show) -> None:
    assert_passive(show(text))
    assert_passive(show(f"A picture ![a cat](http://{ADDRESS})\n\n{text}"))


@pytest.mark.parametrize(
    "text",
    [
        "A subscript: $x_i$; a description: none; a transcript : `a < b`.",
        "JavaScript: the good parts, VBScript: not so many",
        "> quoted & [linked](http://example.org), data: 1 < 2",
        "`<script>` and `![a](http://example.org/a.png)`",
        "```html\n<img src=http://example.org/a.png>\n<script>\n```",
        r"$E\![x](t) < 1$, \![not a picture](http://example.org)",
        "- [ ] to do\n- [x] done\n\nterm\n: what it means, ~~not~~\n\n| a |\n|--:|\n| 1<br>2 |",
        "<details><summary>more</summary>\n\n```python\nx < 1\n```\n</details>",
        "![ours](figure.png) ![ours](figures/my%20figure.png)",
    ],
)
def test_harmless_text_stays(text: str) -> None:
    assert defused_text(text) == text


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_the_lessons_own_text_stays(lesson: Lesson) -> None:
    texts = [cell.text for cell in lesson.cells if cell.kind == "markdown"]
    defused = defused_notebook(*map(new_markdown_cell, texts))
    assert [cell.source for cell in defused.cells] == texts


def test_what_else_stands_in_a_cell_is_still_readable(show: Show) -> None:
    shown = show("# Title\n\n- **bold** $a_i < b$\n- x\n\n```python\nif a:\n\n    b\n```\n<u>under</u>")
    assert shown.find("h1").text == "Title"
    assert shown.find("li").text == "bold $a_i < b$"
    assert shown.find("pre").text == "if a:\n\n    b\n"
    assert "<u>under</u>" in shown.text


@pytest.mark.parametrize("text", [r"\\[", r"\begin{a}", "<ul><li>", "![a]("])
def test_of_a_notebook_only_a_few_long_cells_are_judged(text: str) -> None:
    long = f"<u>{text * 9_999}"[:9_999]
    cells = defused_notebook(*[new_markdown_cell(long) for _ in range(300)]).cells
    assert {cell.source for cell in cells[3:]} == {f"<pre>{escape(long)}</pre>"}


def defused_in_a_second(text: str) -> str:
    limited_process.set_cpu_limit(1, 60)
    return defused_text(text)


def test_formulas_and_pictures_data_keep_nobody_busy() -> None:
    for text in ("\\\\[" + ("A" * 300 + "\\\\[") * 3000 + "<b>", f"![a cat](http://{ADDRESS})\n\n" * 10_000):
        assert limited_process.call(defused_in_a_second, text) == f"<pre>{escape(text)}</pre>"


# --- pictures --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ELSEWHERE + NONE)
def test_a_picture_from_elsewhere_or_that_is_none_is_text(text: str, show: Show) -> None:
    shown = show(text)
    assert_passive(shown)
    assert "a cat" in shown.text
    assert (ADDRESS in shown.text) == (text in ELSEWHERE)


@pytest.mark.parametrize("text", PICTURES.values(), ids=PICTURES)
@pytest.mark.parametrize(
    "beside", ["", f"\n\nand ![a dog](http://{ADDRESS})"], ids=["alone", "beside another"]
)
def test_a_picture_of_the_cells_own_is_shown(text: str, beside: str, show: Show) -> None:
    shown = show(text + beside, attachments=ATTACHED)
    assert_passive(shown)
    assert [picture["src"] for picture in shown.find_all("img", alt="a cat")] == [DATA]


def handed_in(tmp_path, attachments: object) -> NotebookNode:
    """A text cell with a pasted picture, as it leaves reading and restoring."""
    cell = new_markdown_cell("![a cat](attachment:cat.png)")
    path = tmp_path / "x.ipynb"
    cells = [{**cell, "attachments": attachments}]
    path.write_text(json.dumps({**new_notebook(), "cells": cells}))
    (restored,), _ = restore_cells(read_notebook(path).cells, LessonCells({}))
    validate(new_notebook(cells=[restored]))
    return restored


def test_pasted_pictures_are_handed_on_within_the_limit_under_names_that_can_be_written(
    tmp_path, show: Show
) -> None:
    half = "half a character: \ud800.png"
    large = {"image/png": (start := picture(1, 1)) + "A" * (MAX_ATTACHMENT_CHARACTERS // 2 - len(start))}
    more = {half: {"image/png": [DOT[:9], "\n", DOT[9:]]}, "1.png": large, "2.png": large}
    cell = handed_in(tmp_path, {**ATTACHED, **more})
    assert cell.attachments == {**ATTACHED, "half a character: ?.png": {"image/png": DOT}, "1.png": large}
    assert show(cell.source, attachments=ATTACHED).find("img")["src"] == DATA


@pytest.mark.parametrize(
    "attachments",
    [
        *({"cat.png": {"image/png": odd}} for odd in ("<script>", "A" * (MAX_ATTACHMENT_CHARACTERS + 1), "")),
        {"cat.png": {"image/svg+xml": DOT, "text/html": "<script>"}},
        {"cat.png": [DOT]},
        [ATTACHED],
    ],
)
def test_what_is_no_picture_is_not_handed_on(tmp_path, attachments: object, show: Show) -> None:
    cell = handed_in(tmp_path, attachments)
    assert "attachments" not in cell
    assert "![a cat](attachment:cat.png)" in show(cell.source).text


def test_a_written_answer_has_its_pictures_and_a_code_cell_none() -> None:
    def cell(kind: str) -> NotebookNode:
        metadata = {"nbgrader": {"grade_id": kind, "locked": False}}
        return from_dict(
            {"cell_type": kind, "source": "", "metadata": metadata, "id": kind, "attachments": ATTACHED}
        )

    master = {kind: NotebookNode(cell(kind)) for kind in ("markdown", "code")}
    for original in master.values():
        del original["attachments"]
    written, code = restore_cells([cell("markdown"), cell("code")], LessonCells(master))[0]
    assert written.attachments == ATTACHED
    assert "attachments" not in code
    assert "attachments" not in master["markdown"]


# --- outputs ---------------------------------------------------------------------------------------------


def test_active_outputs_are_dropped_and_pictures_keep_their_text():
    active = {"text/html": "<script>", "text/markdown": f"![x](http://{ADDRESS})", "image/svg+xml": "<svg>"}
    data = {**active, "text/latex": "$x$", "text/plain": "x", "image/png": DOT, "image/jpeg": "abc"}
    metadata = {"image/png": {"alt": "a cat"}, "isolated": True}
    clean = sanitize_output(new_output("display_data", data=data, metadata=metadata))
    assert clean.data == {"text/plain": "x", "image/png": DOT}
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
    sanitize_outputs(cell)
    validate(NotebookNode(new_notebook(cells=[cell])))
    assert cell.outputs[-1].text == "kept"


def picture(width: int, height: int) -> str:
    """The beginning of a PNG of that size, as base64."""
    header = struct.pack(">4sIIBBBBB", b"IHDR", width, height, 8, 6, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    return base64.b64encode(data + struct.pack(">I4sI", 0, b"IDAT", zlib.crc32(b"IDAT"))).decode()


def photo(width: int, height: int) -> str:
    """The beginning of a JPEG of that size, as base64."""
    marked = struct.pack(">HHH10x", 0xFFD8, 0xFFE1, 12) + struct.pack(">HHBHH", 0xFFC2, 17, 8, height, width)
    return base64.b64encode(marked + bytes(12)).decode()


def animation(width: int, height: int) -> str:
    """The beginning of a GIF, which a browser would show whatever it is called."""
    return base64.b64encode(b"GIF89a" + struct.pack("<HH", width, height) + bytes(20)).decode()


@pytest.mark.parametrize(("size", "shown"), [((60_000, 60_000), 0), ((2000, 1500), 1), ((30_000, 2), 0)])
@pytest.mark.parametrize("kind", ["image/png", "image/jpeg"])
@pytest.mark.parametrize("draw", [picture, photo, animation])
def test_a_picture_that_takes_gigabytes_to_show_is_none_nor_what_is_neither_png_nor_jpeg(
    tmp_path, size, shown, kind, draw
):
    shown = shown and draw is not animation
    found = sanitize_output(new_output("display_data", data={kind: draw(*size), "text/plain": "x"}))
    assert len(found.data) == 1 + shown
    assert ("attachments" in handed_in(tmp_path, {"a.png": {kind: draw(*size)}})) == shown

"""Students' texts on pages: whatever one of them holds, the page comes soon, and shows the others' as ever."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.pages import formatting
from autograder.pages.formatting import render_formula, render_markdown
from autograder.tests.hostile import HOSTILE, REACHES_OUT
from autograder.tests.made_up import page_of
from autograder.tests.this_course import find_lesson, lessons

MUCH = 5_000_000
"""Characters of one cell that are taken in."""

KINDS = {
    "formulas": r"\\[",
    "brackets": "[",
    "emphasis": "*a_",
    "ticks": "`",
    "tags": "<a ",
    "entities": "&",
    "form feeds": "\f\n",
    "statements": "x=1;",
    "quotes": "> ",
    "lists": "- ",
    "dollars": "$$",
    "tables": "|a|\n|-|\n",
    "one line": "a ",
    "nothing": "\0",
    "indents": "\n    ",
}
SLOW_CODE = "\f\n" * 50_000
"""The libraries look at it for minutes."""

HONEST = "The **query** asks: $q_i$."


@pytest.fixture(autouse=True)
def a_second_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "MAX_FORMATTING_SECONDS", 1)


def cell(make: Callable, name: str, text: str):
    grading = {"grade_id": name, "grade": True, "solution": True, "score": 0.0, "points": 1.0}
    return make(text, metadata={"nbgrader": grading})


def test_a_feedback_page_comes_whatever_its_cells_hold(monkeypatch):
    monkeypatch.setattr(formatting, "MAX_SHOWN_SOURCE", 5_000)
    cells = [
        cell(make, f"{make.__name__}_{number}", text * (MUCH // len(text)))
        for number, text in enumerate(KINDS.values())
        for make in (new_code_cell, new_markdown_cell)
    ]
    linked = cell(new_markdown_cell, "linked", f"[a]: http://{'b' * 2500}\n\n{'[a] ' * 600}")
    page = page_of(*cells, linked, cell(new_markdown_cell, "honest", HONEST))
    assert page.encode().count(b"more characters were cut") == len(cells)
    assert page.count("b" * 2500) == 1
    assert "<strong>query</strong>" in page
    assert "<mi>q</mi>" in page


def test_what_takes_too_long_is_shown_as_it_was_written_and_the_page_says_so(monkeypatch):
    monkeypatch.setattr(formatting, "MAX_SHOWN_SOURCE", 30_000)
    slow = cell(new_code_cell, "slow", SLOW_CODE)
    page = BeautifulSoup(page_of(slow, cell(new_code_cell, "honest", "def f(): ...")), "html.parser")
    remarks = ["… 70,000 more characters were cut", f"… {formatting.AS_WRITTEN}"]
    for name, expected in (("slow", remarks), ("honest", [])):
        answer = page.find(id=name).find_parent("section").find(class_="answer")
        assert [cut.text for cut in answer.find_all(class_="cut")] == expected
    assert answer.find(class_="k").text == "def"


@pytest.mark.parametrize("lesson", [lesson.id for lesson in lessons()])
def test_every_formula_of_a_lesson_becomes_mathml(lesson):
    for cell in find_lesson(lesson).cells:
        if cell.kind == "markdown":
            html = BeautifulSoup(render_markdown(cell.text), "html.parser")
            assert not [code.text for code in html.find_all("code") if "\\" in code.text]
            assert "$" not in re.sub("<code.*?</code>", "", str(html), flags=re.DOTALL)


SCRIPTS = ("\\text{<script>alert(1)</script>}", "\\href{javascript:alert(1)}{x}", "\\style{x}{y}")


@pytest.mark.parametrize("tex", [*SCRIPTS, "{" * 5000, "\\frac{1"])
def test_a_formula_is_no_way_in(tex):
    shown = BeautifulSoup(render_formula(tex), "html.parser")
    assert shown.find_all(REACHES_OUT) == []
    assert not [tag for tag in shown.find_all(True) if {"href", "style"} & set(tag.attrs)]


@pytest.mark.parametrize(
    "text", [*HOSTILE, "![x](http://example.org/x.png)", "<h1>big</h1>", "</section></main>"]
)
def test_prose_only_formats(text):
    shown = BeautifulSoup(render_markdown(text), "html.parser")
    assert shown.find_all([*REACHES_OUT, "img", "h1", "style", "section", "main"]) == []
    assert not [tag for tag in shown.find_all(True) if set(tag.attrs) - {"href", "title", "class"}]

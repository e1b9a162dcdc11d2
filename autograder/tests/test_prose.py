"""What feedback pages are written with: prose and formulas, which let nothing act."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from autograder.pages.formatting import render_formula, render_markdown
from autograder.tests.hostile import HOSTILE, REACHES_OUT
from autograder.tests.this_course import find_lesson, lessons


@pytest.mark.parametrize("lesson", [lesson.id for lesson in lessons()])
def test_every_formula_of_a_lesson_becomes_mathml(lesson):
    for cell in find_lesson(lesson).cells:
        if cell.kind == "markdown":
            html = BeautifulSoup(render_markdown(cell.text), "html.parser")
            assert not [code.text for code in html.find_all("code") if "\\" in code.text]
            assert "$" not in "".join(
                text for text in html.find_all(string=True) if text.parent.name != "code"
            )


@pytest.mark.parametrize(
    "tex",
    [
        "\\text{<script>alert(1)</script>}",
        "\\href{javascript:alert(1)}{x}",
        "\\style{x}{y}",
        "{" * 5000,
        "\\frac{1",
    ],
)
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

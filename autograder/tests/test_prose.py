"""What feedback pages are written with: prose, formulas and colours, which let nothing act and everyone read."""

from __future__ import annotations

import re

import numpy as np
import pytest
from bs4 import BeautifulSoup

from autograder.nbgrader_plugin.feedback import FEEDBACK_TEMPLATES
from autograder.nbgrader_plugin.formatting import formula, prose
from autograder.tests.hostile import HOSTILE, REACHES_OUT
from autograder.tests.this_course import find_lesson, lessons


@pytest.mark.parametrize("lesson", [lesson.id for lesson in lessons()])
def test_every_formula_of_a_lesson_becomes_mathml(lesson):
    for cell in find_lesson(lesson).cells:
        if cell.kind == "markdown":
            html = BeautifulSoup(prose(cell.text), "html.parser")
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
    shown = BeautifulSoup(formula(tex), "html.parser")
    assert shown.find_all(REACHES_OUT) == []
    assert not [tag for tag in shown.find_all(True) if {"href", "style"} & set(tag.attrs)]


@pytest.mark.parametrize(
    "text", [*HOSTILE, "![x](http://example.org/x.png)", "<h1>big</h1>", "</section></main>"]
)
def test_prose_only_formats(text):
    shown = BeautifulSoup(prose(text), "html.parser")
    assert shown.find_all([*REACHES_OUT, "img", "h1", "style", "section", "main"]) == []
    assert not [tag for tag in shown.find_all(True) if set(tag.attrs) - {"href", "title", "class"}]


INKS = [
    *[(ink, "paper") for ink in ("ink", "soft", "link", "good", "bad")],
    *[(ink, "call") for ink in ("ink", "link")],
    *[(ink, "block") for ink in ("ink", "keyword", "string", "number", "comment", "name")],
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), INKS)
def test_colours_have_contrast(scheme, ink, ground):
    """At least 4.5 to 1, level AA: https://www.w3.org/TR/WCAG22/#contrast-minimum"""
    blocks = (FEEDBACK_TEMPLATES / "feedback" / "style.css").read_text().split("  color-scheme: ")
    colours = dict(re.findall(r"--(\w+): (#\w{6});", next(b for b in blocks if b.startswith(scheme))))
    bright, dark = sorted((_luminance(colours[ink]), _luminance(colours[ground])), reverse=True)
    assert (bright + 0.05) / (dark + 0.05) >= 4.5


def _luminance(colour):
    """https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])

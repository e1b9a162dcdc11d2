"""Students' texts on pages: whatever one of them holds, the page comes soon, and shows the others' as ever."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook

from autograder.class_report import similarity
from autograder.marking import marker_view, server
from autograder.pages import formatting
from autograder.pages.formatting import render_formula, render_markdown
from autograder.records import manual_grades
from autograder.records.marked_answers import NotebookScores, save_scores
from autograder.tests import in_process
from autograder.tests.copied import OTHERS, RENAMED, SPREAD
from autograder.tests.hostile import HOSTILE, REACHES_OUT
from autograder.tests.made_up import page_of
from autograder.tests.marked_class import make_gradebook
from autograder.tests.recorded import record
from autograder.tests.reports import report, right
from autograder.tests.this_course import COURSE, find_lesson, lessons

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
LESSON = find_lesson("04_gaussian_kernel")
WRITTEN = next(cell.name for cell in LESSON.cells if cell.marker == "written")


def much(kind: str, most: int = MUCH) -> str:
    return KINDS[kind] * (most // len(KINDS[kind]))


@pytest.fixture(autouse=True)
def a_second_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "MAX_FORMATTING_SECONDS", 1)
    monkeypatch.setattr(similarity, "MAX_COMPARING_SECONDS", 1)


def cell(make: Callable, name: str, text: str):
    grading = {"grade_id": name, "grade": True, "solution": True, "score": 0.0, "points": 1.0}
    return make(text, metadata={"nbgrader": grading})


def test_a_feedback_page_comes_whatever_its_cells_hold(monkeypatch):
    monkeypatch.setattr(formatting, "MAX_SHOWN_SOURCE", 5_000)
    cells = [
        cell(make, f"{make.__name__}_{number}", much(kind))
        for number, kind in enumerate(KINDS)
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
    answers = {
        name: page.find(id=name).find_parent("section").find(class_="answer") for name in ("slow", "honest")
    }
    remarks = {name: [cut.text for cut in answer.find_all(class_="cut")] for name, answer in answers.items()}
    assert remarks == {
        "slow": ["… 70,000 more characters were cut", f"… {formatting.AS_WRITTEN}"],
        "honest": [],
    }
    assert answers["honest"].find(class_="k").text == "def"


@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    """The folder of a class of which two wrote the same, and others what is nasty."""
    folder = tmp_path_factory.mktemp("class")
    code = {f"student_{number}": text for number, text in enumerate(OTHERS)}
    code |= {"amy": SPREAD, "bo": RENAMED}
    texts = dict.fromkeys(code, HONEST)
    for kind in KINDS:
        texts[kind] = much(kind, 100_000 if "[" in KINDS[kind] else MUCH // 5)
        code[kind] = much(kind, similarity.MAX_COMPARED_CHARACTERS + len(KINDS[kind]))
    texts["a_slow"], code["a_slow"] = HONEST, SLOW_CODE
    texts["unreadable"], code["unreadable"] = "[" * 600_000, ""
    make_gradebook(folder, code, {WRITTEN: 4}, LESSON)
    verdicts = in_process.verdicts(LESSON.id, right(LESSON.id))
    for student in code:
        cells = [cell(new_code_cell, LESSON.graded[0].id, code[student])]
        cells.append(cell(new_markdown_cell, WRITTEN, texts[student]))
        path = folder / "autograded" / student / LESSON.id / LESSON.released.name
        path.parent.mkdir(parents=True)
        (folder / "submitted" / student / LESSON.id).mkdir(parents=True)
        path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))
        code_of = {LESSON.graded[0].id: code[student]}
        record(folder, LESSON.id, student, kept_verdicts=verdicts, code=code_of)
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        manual_grades.make_tables(gradebook)
        for student, words in texts.items():
            submitted = gradebook.find_submission_notebook(LESSON.notebook, LESSON.id, student)
            save_scores(gradebook, LESSON, submitted, NotebookScores({WRITTEN: None}, {WRITTEN: words}, []))
    return folder


def test_answers_are_marked_beside_one_that_cannot_be_formatted(a_class, monkeypatch):
    monkeypatch.setattr(formatting, "MAX_SHOWN_SOURCE", 50_000)
    marker, show = marker_view.MarkerView(COURSE, a_class, [LESSON], "ada"), server.FormatCache()
    questions = marker.questions()
    text, _ = server.answers_page(questions, show, marker)
    page = BeautifulSoup(text, "html.parser")
    names = marker.show_names(LESSON.id, WRITTEN)
    forms = {names[form["data-answer"]]: form for form in page.select("form[data-answer]")}
    assert len(forms) == len(OTHERS) + 2 + len(KINDS) + 2
    assert forms["amy"].strong.text == "query"
    assert not forms["amy"].find(class_="cut")
    for student in KINDS:
        assert "more characters were cut" in forms[student].find(class_="cut").text
    assert formatting.AS_WRITTEN in forms["formulas"].text


def test_a_report_has_everybody_and_says_whose_code_was_not_compared(a_class):
    found = report(a_class, LESSON.id)
    assert {row["student"] for row in found.rows} >= {"student_0", "amy", "bo", *KINDS, "a_slow"}
    assert [row[0] for row in found.table("alike-table")] == ["amy, bo"]
    words = found.words()
    for student in (*KINDS, "a_slow"):
        assert student in words.partition("Not compared")[2], student


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

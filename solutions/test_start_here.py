"""The page that students open first: its picture is what it says it is, and its glossary is the lessons' own."""

from __future__ import annotations

import importlib
import json
import re
import shutil
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch

from autograder.judging import reference
from autograder.tests.this_course import COURSE, find_lesson

terms = importlib.import_module("attention.terms")
looks = importlib.import_module("attention.looks")


def test_the_weights_of_the_picture_are_what_the_lessons_own_code_makes_of_its_scores(monkeypatch) -> None:
    texts = []
    monkeypatch.setattr(looks.figures, "show", lambda figure, alt: texts.append(alt))
    looks.who_he_looks_at()
    lesson_1, lesson_6 = (
        reference.load_namespace(find_lesson(name)) for name in ("01_weighted_sums", "06_masks_and_heads")
    )
    weights = lesson_6["masked_weights"](torch.tensor(looks.SCORES)).numpy()
    np.testing.assert_allclose(lesson_1["softmax"](looks.SCORES), weights, atol=1e-6)
    order = np.argsort(-weights, kind="stable")
    shares = ", ".join(f"{looks.WORDS[i]} {weights[i]:.2f}" for i in order)
    assert texts == [
        "Whom does 'he' look at? (weights of made-up scores). Arrows from he to the words it weighs, "
        f"thick where the weight is large: {shares}."
    ]
    assert looks.WORDS[order[0]] == "Ming"
    assert weights.max() > 0.5


def test_each_lesson_has_one_title() -> None:
    page = (COURSE.solutions / "start_here.py").read_text(encoding="utf-8")
    assert re.findall(r"^# \| \[\d+ · (.+?)\]", page, re.MULTILINE) == [one.title for one in COURSE.lessons]


def in_the_course() -> list[terms.Term]:
    return terms.all_terms(COURSE.released, [lesson.id for lesson in COURSE.lessons])


def test_each_bold_term_is_defined_once() -> None:
    """Where it is met again it stands in plain letters, or in italics for stress."""
    found = in_the_course()
    where: dict[str, list[str]] = {}
    for one in found:
        where.setdefault(one.name.casefold().removesuffix("s"), []).append(f"{one.lesson} {one.cell}")
    assert {name: places for name, places in where.items() if len(places) > 1} == {}
    assert {lesson.id for lesson in COURSE.lessons} == {one.lesson for one in found}


def test_each_term_leads_to_the_cell_that_explains_it() -> None:
    for one in in_the_course():
        path, _, cell_id = one.link.partition("#cell-id=")
        cells = nbformat.read(COURSE.released / path, as_version=4).cells
        (cell,) = [cell for cell in cells if cell.id == cell_id]
        assert f"**{one.name}**" in " ".join(cell.source.split())
        assert one.name.casefold() in one.meaning.casefold()
        assert "**" not in one.meaning
        assert len(one.meaning.split()) >= terms.SHORT, (
            f"lesson {one.lesson}: what is {one.name}? {one.meaning}"
        )


def test_the_glossary_is_read_from_the_notebooks_beside_the_start_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notebook that a learner has spoilt, or not fetched, only lacks its own terms."""
    first, second, *_ = COURSE.lessons
    shutil.copy(COURSE.start, tmp_path)
    for lesson in (first, second):
        (tmp_path / lesson.id).mkdir()
        shutil.copy(lesson.released, tmp_path / lesson.id)
    monkeypatch.chdir(tmp_path)
    shown: list[str] = []
    monkeypatch.setattr("IPython.display.display", lambda one: shown.append(one.data))
    terms.glossary()
    (tmp_path / second.id / second.released.name).write_text("{")
    terms.glossary()
    both, one = shown
    assert "- [**Query**](01_weighted_sums/weighted_sums.ipynb#cell-id=" in one
    assert "Variance" in both
    assert "Variance" not in one
    assert re.match(r"<details><summary>\d+ terms, from A to Z</summary>\n\n- ", both)


def test_what_is_bold_and_no_term_is_left_out() -> None:
    source = """# A title
**By hand.** The **spread** says how far numbers lie apart. **Guess now:** how far?

| **sum** | **1** |

- its **width** says how wide it is;
- **15.58** is no word.

```
**code**
```
This is a **long bold part that is a task** in a sentence. It is called a **mean**."""
    cell = {"cell_type": "markdown", "id": "one", "source": source}
    found = [*terms.terms_of("01_weighted_sums", json.dumps({"cells": [cell]}))]
    assert [(one.name, one.meaning) for one in found] == [
        ("spread", "The spread says how far numbers lie apart."),
        ("width", "Its width says how wide it is."),
        ("mean", "This is a long bold part that is a task in a sentence. It is called a mean."),
    ]

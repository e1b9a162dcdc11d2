"""Code that is nearly the same, though few others wrote so."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory

from autograder.class_report import similarity
from autograder.class_report.similarity import Comparison
from autograder.tests.copied import COMMON, OTHERS, RENAMED, SPREAD


@pytest.fixture
def compared(tmp_path: Path):
    """A function: the comparison of texts, in a class of its own."""
    return lambda texts: similarity.compare(texts, CourseDirectory(root=str(tmp_path)), "01_lesson")


def test_a_copy_with_other_names_is_found_and_nobody_else(compared):
    texts = {f"student_{number}": COMMON + text for number, text in enumerate(OTHERS)}
    (found,) = compared({**texts, "amy": COMMON + SPREAD, "bo": COMMON + RENAMED}).groups
    assert found.students == ("amy", "bo")
    assert found.share > 0.9


def test_what_most_of_a_class_writes_is_no_copy(compared):
    assert compared({f"student_{number}": COMMON + SPREAD for number in range(12)}).groups == []


def test_a_class_that_wrote_nothing_has_no_groups(compared):
    assert compared({}) == compared({"amy": "", "bo": ""}) == Comparison([], [])


def test_a_text_is_looked_at_once(compared, monkeypatch):
    each, looked_at = similarity.limited_process.call_each, []
    monkeypatch.setattr(
        similarity.limited_process,
        "call_each",
        lambda f, texts, *how: looked_at.extend(texts) or each(f, texts, *how),
    )
    texts = {"amy": COMMON + SPREAD, "bo": COMMON + RENAMED, "cem": ""}
    first = compared(texts)
    assert len(looked_at) == 3
    assert compared(texts) == first
    assert len(looked_at) == 3
    compared(texts | {"cem": "x = 1"})
    assert looked_at[3:] == ["x = 1"]

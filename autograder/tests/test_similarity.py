"""Code that is nearly the same, though few others wrote so."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.class_report import similarity
from autograder.class_report.similarity import Comparison
from autograder.tests.copied import COMMON, OTHERS, RENAMED, SPREAD


@pytest.fixture
def compared(tmp_path: Path):
    """A function: the comparison of texts, with one file for what is kept."""
    return lambda texts: similarity.compare_code(texts, tmp_path / "kept")


def test_a_copy_with_other_names_is_found_and_nobody_else(compared):
    texts = {f"student_{number}": COMMON + text for number, text in enumerate(OTHERS)}
    (found,) = compared({**texts, "amy": COMMON + SPREAD, "bo": COMMON + RENAMED}).groups
    assert found.students == ("amy", "bo")
    assert found.share > 0.9


def test_what_most_of_a_class_writes_is_no_copy(compared):
    assert compared({f"student_{number}": COMMON + SPREAD for number in range(12)}).groups == []


def test_a_class_that_wrote_nothing_has_no_groups(compared):
    assert compared({}) == compared({"amy": "", "bo": ""}) == Comparison([], [])


@pytest.mark.parametrize("spoilt", [b"", b"\xff", b"[1]", b'{"a": "b"}'])
def test_a_text_is_looked_at_once_and_again_where_what_was_kept_is_spoilt(tmp_path, monkeypatch, spoilt):
    each, looked_at, kept = similarity.limited_process.call_each, [], tmp_path / "kept"
    monkeypatch.setattr(
        similarity.limited_process,
        "call_each",
        lambda f, texts, *how: looked_at.extend(texts) or each(f, texts, *how),
    )
    texts = {"amy": COMMON + SPREAD, "bo": COMMON + RENAMED, "cem": ""}
    first = similarity.compare_code(texts, kept)
    assert len(looked_at) == 3
    assert similarity.compare_code(texts, kept) == first
    assert len(looked_at) == 3
    similarity.compare_code(texts | {"cem": "x = 1"}, kept)
    assert looked_at[3:] == ["x = 1"]
    kept.write_bytes(spoilt)
    assert similarity.compare_code(texts, kept) == first
    assert len(looked_at) == 7

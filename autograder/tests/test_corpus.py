"""Answers that are written as what changes in another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.answers import corpus
from autograder.exercises.errors import CourseError

FIRST = '# %% right="whole"\ntotal = 1\ntotal += 2\n\n# %% mistake="one lost" style="short" of="whole"\n'


def changed(folder: Path, changes: str) -> str:
    """The second answer's code."""
    path = folder / "total.py"
    path.write_text(FIRST + changes, encoding="utf-8")
    return corpus.read_answers(path)[1].code


def test_lines_are_replaced_and_taken_out(tmp_path: Path) -> None:
    assert changed(tmp_path, "# - total += 2\n# + total += 3\n") == "total = 1\ntotal += 3"
    assert changed(tmp_path, "# - total = 1\n# + total = 0\n# - total += 2\n") == "total = 0"


@pytest.mark.parametrize("changes", ["total += 3", "# + total += 3", "# - total += 2\ntotal += 3"])
def test_what_is_neither_taken_out_nor_put_in_is_said(tmp_path: Path, changes: str) -> None:
    with pytest.raises(CourseError, match=r"total\.py, 'short': begin lines taken out with '# - '"):
        changed(tmp_path, changes)


def test_lines_that_the_other_answer_does_not_hold_are_said(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="stands 0 times in the answer that it changes"):
        changed(tmp_path, "# - total += 4\n# + total += 3\n")

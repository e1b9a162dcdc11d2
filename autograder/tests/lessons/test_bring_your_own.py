"""Lesson 07 fetches a class from the notebook of lesson 06, or says why the course's stands in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from autograder import bring_your_own
from autograder.courses import source
from autograder.student import figures, visible
from autograder.tests.this_course import COURSE, find_lesson

LESSON = find_lesson("06_masks_and_heads")
NAME = "MultiHeadAttention"
OWN = "MultiHeadAttention: yours, from your notebook of lesson 06.\n"


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Someone at work in lesson 07, who saves this text as the notebook of lesson 06."""
    monkeypatch.delenv(figures.STATIC)
    monkeypatch.setenv(visible.FOLDER, str(COURSE.root))
    for lesson in (LESSON.id, "07_tiny_transformer"):
        (tmp_path / lesson).mkdir()
    monkeypatch.chdir(tmp_path / "07_tiny_transformer")
    return (tmp_path / LESSON.id / LESSON.released.name).write_text


def solved(old: str = "", new: str = "") -> str:
    """The released notebook with all solutions in it, changed in one place."""
    notebook = json.loads(LESSON.released.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        about = cell["metadata"].get("nbgrader", {})
        if about.get("solution") and cell["cell_type"] == "code":
            cell["source"] = source.without_marks(LESSON.solution(about["grade_id"])).splitlines(
                keepends=True
            )
    text = json.dumps(notebook)
    assert old in text
    return text.replace(old, new) if old else text


def same(one: type, other: type) -> bool:
    torch.manual_seed(0)
    first, second = one(12, 3), other(12, 3)
    second.load_state_dict(first.state_dict())
    q, k = torch.randn(2, 4, 12), torch.randn(2, 5, 12)
    for shape in (None, (4, 5), (2, 1, 5), (2, 4, 5), (2, 3, 4, 5)):
        mask = None if shape is None else torch.rand(shape) < 0.5
        if not torch.allclose(first(q, k, k, mask), second(q, k, k, mask), atol=1e-5):
            return False
        if not torch.allclose(first.attention_weights, second.attention_weights, atol=1e-5):
            return False
    return True


def test_your_own_is_brought_and_does_what_the_course_s_does(
    save: Callable[[str], None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    save(solved("queries, keys and values", "my own note"))
    own = bring_your_own(NAME)
    assert capsys.readouterr().out == OWN
    monkeypatch.setenv(figures.STATIC, "1")
    stand_in = bring_your_own(NAME)
    assert "stands in, since no notebook of lesson 06 lies beside" in capsys.readouterr().out
    assert own.__module__ != stand_in.__module__
    assert same(own, stand_in)
    with pytest.raises(ValueError, match="not divisible"):
        stand_in(10, 4)


@pytest.mark.parametrize(
    ("notebook", "why"),
    [
        (lambda: LESSON.released.read_text(encoding="utf-8"), "is not saved in lesson 06 yet"),
        (lambda: solved("math.sqrt(self.d_k)", "self.d_k"), "does not pass all checks of lesson 06 yet"),
        (lambda: solved("self.W_q(queries)", "self.W_q(querie)"), "does not pass all checks"),
        (
            lambda: solved("class MultiHeadAttention(nn.Module)", "class MultiHeadAttention(nn.Modul)"),
            "does not run",
        ),
        (lambda: solved()[:3000], "cannot be read"),
        (lambda: "[1]", "cannot be read"),
    ],
)
def test_why_the_course_s_stands_in_is_said(
    notebook: Callable[[], str],
    why: str,
    save: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    save(notebook())
    assert issubclass(bring_your_own(NAME), torch.nn.Module)
    said = capsys.readouterr().out
    assert said.startswith("MultiHeadAttention: the course's stands in, since ")
    assert why in said
    assert said.count("\n") == 1


def test_what_else_stands_in_a_cell_does_not_run(
    save: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """A print, a check, a loop that tries something out."""
    save(solved("class MultiHeadAttention(nn.Module)", "print(1 / 0)\\nclass MultiHeadAttention(nn.Module)"))
    bring_your_own(NAME)
    assert capsys.readouterr().out == OWN

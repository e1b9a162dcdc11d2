"""Lessons fetch what was written in earlier ones, or say why the course's stands in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import IPython
import numpy as np
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from autograder import check
from autograder.courses import Lesson, lesson_source
from autograder.exercises import public_course
from autograder.judging import reference
from autograder.tests.this_course import COURSE, find_lesson
from autograder.views import figures
from attention import bring_your_own

LESSON = find_lesson("06_masks_and_heads")
NAME = "MultiHeadAttention"
OWN = "MultiHeadAttention: yours, from your notebook of lesson 06.\n"


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Someone at work in lesson 07, who saves this text as the notebook of lesson 06."""
    monkeypatch.delenv(figures.STATIC)
    monkeypatch.setenv(public_course.COURSE_VARIABLE, str(COURSE.root))
    for lesson in (LESSON.id, "07_tiny_transformer"):
        (tmp_path / lesson).mkdir()
    monkeypatch.chdir(tmp_path / "07_tiny_transformer")
    return (tmp_path / LESSON.id / LESSON.released.name).write_text


def solved(old: str = "", new: str = "", lesson: Lesson = LESSON) -> str:
    """The released notebook with all solutions in it, changed in one place."""
    notebook = json.loads(lesson.released.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        about = cell["metadata"].get("nbgrader", {})
        if about.get("solution") and cell["cell_type"] == "code":
            cell["source"] = lesson_source.strip_solution_marks(
                lesson.solution(about["grade_id"])
            ).splitlines(keepends=True)
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
    assert "version is used, since no notebook of lesson 06 lies beside" in capsys.readouterr().out
    assert own.__module__ != stand_in.__module__
    assert same(own, stand_in)
    with pytest.raises(ValueError, match="not divisible"):
        stand_in(10, 4)


def test_the_softmax_of_lesson_01_is_brought_to_lesson_03(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = find_lesson("01_weighted_sums")
    monkeypatch.delenv(figures.STATIC)
    monkeypatch.setenv(public_course.COURSE_VARIABLE, str(COURSE.root))
    for name in (lesson.id, "03_word2vec_heatmap"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "03_word2vec_heatmap")
    scores = np.array([[1000.0, 1001.0], [0.0, 3.0]])
    stand_in = bring_your_own("softmax")
    assert "softmax: the course's version is used, since no notebook" in capsys.readouterr().out
    (tmp_path / lesson.id / lesson.released.name).write_text(solved(lesson=lesson))
    own = bring_your_own("softmax")
    assert capsys.readouterr().out == "softmax: yours, from your notebook of lesson 01.\n"
    np.testing.assert_allclose(own(scores), stand_in(scores))


@pytest.mark.parametrize("name", ["rotate", "attend_new"])
def test_what_lesson_08_builds_is_brought_to_lesson_09(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`attend_new` brings the mask that it calls."""
    lesson = find_lesson("08_attention_today")
    monkeypatch.delenv(figures.STATIC)
    monkeypatch.setenv(public_course.COURSE_VARIABLE, str(COURSE.root))
    for folder in (lesson.id, "09_attention_at_scale"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "09_attention_at_scale")
    stand_in = bring_your_own(name)
    assert f"{name}: the course's version is used, since no notebook" in capsys.readouterr().out
    (tmp_path / lesson.id / lesson.released.name).write_text(solved(lesson=lesson), encoding="utf-8")
    own = bring_your_own(name)
    assert capsys.readouterr().out == f"{name}: yours, from your notebook of lesson 08.\n"
    Q, K, V = torch.randn(3, 2, 5, 4, generator=torch.Generator().manual_seed(0))
    given = (Q, torch.arange(5)) if name == "rotate" else (Q, K, V, (K, V))
    torch.testing.assert_close(own(*given), stand_in(*given))


@pytest.mark.parametrize(
    ("name", "lesson"),
    [
        ("simple_attention", "02_toy_tensors"),  # it calls the softmax that was brought to lesson 02
        ("scaled_dot_product_attention", "02_toy_tensors"),
    ],
)
def test_attention_is_brought_to_later_lessons(
    name: str,
    lesson: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(figures.STATIC)
    monkeypatch.setenv(public_course.COURSE_VARIABLE, str(COURSE.root))
    for folder in (lesson, "06_masks_and_heads"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "06_masks_and_heads")
    stand_in = bring_your_own(name)
    (tmp_path / lesson / find_lesson(lesson).released.name).write_text(solved(lesson=find_lesson(lesson)))
    capsys.readouterr()
    own = bring_your_own(name)
    assert capsys.readouterr().out == f"{name}: yours, from your notebook of lesson {lesson[:2]}.\n"
    rng = np.random.default_rng(0)
    Q, K, V = (torch.tensor(rng.normal(size=shape)) for shape in ((3, 4), (5, 4), (5, 2)))
    inputs: dict[str, tuple] = {
        "simple_attention": (Q.numpy(), K.numpy(), V.numpy()),
        "scaled_dot_product_attention": (Q[None], K[None], V[None]),
    }
    for one, other in zip(own(*inputs[name]), stand_in(*inputs[name]), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


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
    assert said.startswith("MultiHeadAttention: the course's version is used, since ")
    assert why in said
    assert said.count("\n") == 1


def test_what_else_stands_in_a_cell_does_not_run(
    save: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """A print, a check, a loop that tries something out."""
    save(solved("class MultiHeadAttention(nn.Module)", "print(1 / 0)\\nclass MultiHeadAttention(nn.Module)"))
    bring_your_own(NAME)
    assert capsys.readouterr().out == OWN


@pytest.mark.parametrize(("name", "lesson"), [(NAME, LESSON.id), ("softmax", "01_weighted_sums")])
def test_nothing_is_brought_to_the_lesson_that_asks_for_it(
    name: str, lesson: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a notebook, whose first cell says which lesson it is."""
    shell = InteractiveShell()
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    for private in ("lesson_id", "_hooks"):  # what they are now is put back afterwards
        monkeypatch.setattr(check, private, None)
    cell = "from autograder import check; from attention import bring_your_own; check.lesson({});"
    cell += f"own = bring_your_own('{name}')"
    shell.run_cell(cell.format(repr(lesson)))
    assert f"{name} is this lesson's own exercise: write it here" in capsys.readouterr().out
    assert "own" not in shell.user_ns
    shell.run_cell(cell.format("'02_toy_tensors'"))
    assert callable(shell.user_ns["own"])


@pytest.mark.parametrize("batch", [False, True])
def test_a_query_that_sees_nothing_gets_zeros_and_spoils_no_gradient(batch: bool) -> None:
    """In the course's version, as in the solution of lesson 06, which has the same numbers and gradients."""
    mask = torch.ones(4, 4).tril().bool()
    mask[2] = False
    ours, theirs = bring_your_own(NAME)(6, 2), reference.load_namespace(LESSON)[NAME](6, 2)
    theirs.load_state_dict(ours.state_dict())
    found = []
    for layer in (ours, theirs):
        x = torch.linspace(-1, 1, 48).view(2, 4, 6).requires_grad_()
        output = layer(x, x, x, mask.expand(2, 4, 4) if batch else mask)
        (output**2).sum().backward()
        assert not output[:, 2].any()
        found.append([output, layer.attention_weights, x.grad, *(one.grad for one in layer.parameters())])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)

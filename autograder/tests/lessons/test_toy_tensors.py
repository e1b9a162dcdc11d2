"""Lesson 02: the reference against independent code, the prose's numbers, what verdicts say, what passes."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
import scipy.special
import torch

from autograder import judge
from autograder.judge import reference
from autograder.model.exercise import Key, Observation
from autograder.model.verdict import Verdict
from autograder.student import probe
from autograder.tests.this_course import find_exercise, find_lesson

LESSON = find_lesson("02_toy_tensors")
NAMES = reference.namespace(LESSON)


@functools.cache
def visible(exercise: str) -> Key:
    return judge.visible_key(LESSON, exercise)


@functools.cache
def hidden(exercise: str) -> Key:
    return judge.hidden_key(LESSON, exercise, "some student")


def verdict(key: Key, names: dict[str, Any]) -> Verdict:
    """The verdict on a notebook with these names."""
    return judge.judge(key, probe.ask_all(judge.question(LESSON, key), names))


# --- the reference ----------------------------------------------------------------------------------------


def random_tensors(*shapes: tuple[int, ...]) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(shape, generator=generator) for shape in shapes]


@pytest.mark.parametrize("batch", [(), (2,), (1,), (2, 3)])
def test_attention_is_that_of_pytorch(batch: tuple[int, ...]) -> None:
    Q, K, V = random_tensors((*batch, 3, 5), (*batch, 4, 5), (*batch, 4, 6))
    output, weights = NAMES["scaled_dot_product_attention"](Q, K, V)
    torch.testing.assert_close(output, torch.nn.functional.scaled_dot_product_attention(Q, K, V))
    torch.testing.assert_close(weights @ V, output)


def test_attention_has_the_gradients_of_pytorch() -> None:
    inputs = [x.double().requires_grad_() for x in random_tensors((3, 5), (4, 5), (4, 6))]
    own = torch.autograd.grad(NAMES["scaled_dot_product_attention"](*inputs)[0].square().sum(), inputs)
    library = torch.nn.functional.scaled_dot_product_attention(*inputs).square().sum()
    torch.testing.assert_close(own, torch.autograd.grad(library, inputs))


def test_simple_attention_is_that_of_pytorch() -> None:
    Q, K, V = random_tensors((3, 5), (4, 5), (4, 6))
    wanted = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    np.testing.assert_allclose(NAMES["simple_attention"](*map(np.asarray, (Q, K, V))), wanted, rtol=1e-5)


def test_self_attention_is_that_of_a_module_with_one_head() -> None:
    X, *matrices = random_tensors((4, 6), (6, 6), (6, 6), (6, 6))
    module = torch.nn.MultiheadAttention(6, 1, bias=False, batch_first=True)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.cat([matrix.T for matrix in matrices]))
        module.out_proj.weight.copy_(torch.eye(6))
        wanted, weights = module(X[None], X[None], X[None])
    own, own_weights = NAMES["self_attention"](X, *matrices)
    torch.testing.assert_close(own, wanted[0])
    torch.testing.assert_close(own_weights, weights[0])


@pytest.mark.parametrize("d_k", [1, 7, 64])
def test_the_variance_is_the_closed_form(d_k: int) -> None:
    raw, scaled = NAMES["score_variance"](d_k, 50_000, np.random.default_rng(0))
    assert raw == pytest.approx(d_k, rel=0.05)
    assert scaled == pytest.approx(1, rel=0.05)


# --- the numbers of the prose -----------------------------------------------------------------------------


PROSE = "\n".join(cell.text for cell in LESSON.cells)


def stated(*texts: str) -> bool:
    return all(text in PROSE for text in texts)


def test_the_example_with_one_feature() -> None:
    weights = scipy.special.softmax([1, 2, 0.5])
    values = np.array([10, 20, 5])
    assert f"{weights @ values:.2f}" == "15.58"
    assert f"{np.floor(weights * 1000) / 1000 @ values:.2f}" == "15.57"
    assert f"{weights.round(3) @ values:.2f}" == "15.59"
    assert stated("15.58", "15.57", "15.59", "0.231, 0.628 and 0.140", "0.629")


def test_the_hand_example() -> None:
    Q, K = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    V = np.array([[10.0, 0.0], [0.0, 20.0], [30.0, 0.0]])
    weights = scipy.special.softmax([2**-0.5, 0, 2**-0.5])
    assert weights.round(3).tolist() == [0.401, 0.198, 0.401]
    assert scipy.special.softmax([3, -1, -1]).round(2).tolist() == [0.96, 0.02, 0.02]
    assert NAMES["simple_attention"](Q, K, V).round(2).tolist() == [[16.04, 3.96]]
    np.testing.assert_allclose(NAMES["hand_weights"], weights)
    np.testing.assert_allclose(NAMES["hand_output"], weights @ V)
    assert stated("0.401, 0.198, 0.401", "(16.04, 3.96)", "0.5, 0, 0.5", "(20, 0)", "0.707", "2.03", "1.414")


def toy() -> tuple[torch.Tensor, torch.Tensor]:
    keys = torch.tensor([[10.0, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]])
    return keys, torch.tensor([[1.0, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]])


@pytest.mark.parametrize(
    ("strength", "best", "others"), [(0.1, 0.37, 0.21), (0.3, 0.65, 0.12), (1, 0.99, 0), (10, 1, 0)]
)
def test_the_bars_by_strength(strength: float, best: float, others: float) -> None:
    _, weights = NAMES["scaled_dot_product_attention"](torch.tensor([[0.0, strength, 0.0]]), *toy())
    np.testing.assert_allclose(weights[0].numpy().round(2), [others, best, others, others], atol=1e-6)
    shares = scipy.special.softmax(np.array([0, 10 * strength, 0, 0]) / NAMES["divisor"])
    np.testing.assert_allclose(weights[0], shares, atol=1e-6)


def test_the_toy_queries() -> None:
    queries = torch.tensor([[0.0, 10, 0], [0, 0, 10], [10, 10, 0]])
    output, weights = NAMES["scaled_dot_product_attention"](queries, *toy())
    np.testing.assert_allclose(output, NAMES["looked_up"], atol=1e-4)
    assert [np.flatnonzero(row > 0.1).tolist() for row in weights.numpy()] == NAMES["attends_to"]


def test_the_whole_matrix_gives_the_rows_that_the_alt_text_names() -> None:
    rng = np.random.default_rng(0)
    X, W_Q, W_K, _ = (0.7 * rng.normal(size=(rows, 16)) for rows in (10, 16, 16, 16))
    sums = scipy.special.softmax((X @ W_Q) @ (X @ W_K).T / 4, axis=None).sum(axis=1)
    assert np.argsort(sums)[-2:].tolist() == [7, 4]
    assert [f"{sums[i]:.2f}" for i in (4, 7, 0)] == ["0.57", "0.23", "0.00"]
    assert sums[[0, 1, 2, 3, 5, 6, 8, 9]].max() < 0.06


def test_the_best_of_ten_keys() -> None:
    rng = np.random.default_rng(5)
    for d_k, low, high in ((1, 0.2, 0.35), (256, 0.9, 1)):
        scores = np.einsum("id,ikd->ik", rng.normal(size=(500, d_k)), rng.normal(size=(500, 10, d_k)))
        assert low < scipy.special.softmax(scores, axis=1).max(axis=1).mean() < high
        assert 0.2 < scipy.special.softmax(scores / d_k**0.5, axis=1).max(axis=1).mean() < 0.4


# --- what verdicts say ------------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", [exercise.id for exercise in LESSON.exercises if not exercise.values])
@pytest.mark.parametrize("kind", [ValueError, RuntimeError, TypeError])
def test_what_always_raises_is_not_taken_for_a_misconception(exercise: str, kind: type[Exception]) -> None:
    def raising(*arguments: Any) -> Any:
        raise kind("shapes do not match")

    for key in (visible(exercise), hidden(exercise)):
        found = verdict(key, {**NAMES, exercise: raising})
        assert (found.points, found.misconception) == (0, "")


@pytest.mark.parametrize(
    ("exercise", "secrets", "guess"),
    [
        ("predict_by_hand", ("0.401", "0.198", "16.04", "3.96"), ([0.3, 0.3, 0.4], [1, 2])),
        ("predict_toy_queries", ("550", "[2, 3]", "5.5"), ([[0], [0], [0]], np.zeros((3, 3)))),
        ("mend_the_divisor", ("1.73",), (7,)),
        ("self_or_cross", ("cross",), (["self", "self", "cross"],)),
        ("what_sums_to_one", ("matrix",), ("elephant",)),
    ],
)
def test_verdicts_on_predictions_keep_the_answer_to_themselves(
    exercise: str, secrets: tuple[str, ...], guess: tuple[Any, ...]
) -> None:
    key = visible(exercise)
    found = verdict(key, dict(zip(key.values, guess, strict=True)))
    shown = " ".join(detail for line in found.lines for detail in line.details)
    assert found.state == "wrong"
    assert shown
    assert not any(secret in shown for secret in secrets)


def test_an_earlier_mistake_costs_self_attention_nothing() -> None:
    def wrong(Q: Any, K: Any, V: Any) -> Any:
        raise ValueError

    text = "def self_attention(X, A, B, C): return scaled_dot_product_attention(X @ A, X @ B, X @ C)"
    names: dict[str, Any] = {"scaled_dot_product_attention": wrong}
    exec(text, names)
    found = verdict(hidden("self_attention"), names)
    assert found.state == "right"
    assert found.library == ()


# --- the cases --------------------------------------------------------------------------------------------


def variance_in_one_array(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    k, q = rng.normal(0, 1, size=(2, d_k, n_samples))
    scores = np.einsum("ij,ij->j", q, k)
    return np.array([scores.var(ddof=1), (scores / d_k**0.5).var(ddof=1)])


def test_right_variances_pass_whatever_the_seed() -> None:
    exercise = find_exercise(LESSON, "score_variance")
    for seed in range(20):
        for case in exercise.draw(np.random.default_rng(seed)):
            question = probe.Question(exercise.id, (), (case,))
            answers = probe.ask(question, {exercise.id: variance_in_one_array})
            parts = [part for part in exercise.parts if not part.tags or case.tag in part.tags]
            assert not any(part.rule(case, answers.observations[0], Observation()) for part in parts)


def test_cases_tell_apart_what_blind_spots_hide() -> None:
    for exercise in ("simple_attention", "scaled_dot_product_attention"):
        shapes = [
            tuple(np.shape(getattr(a, "array", a)) for a in case.args) for case in hidden(exercise).cases
        ]
        widths = {K[-1] for _, K, _ in shapes}
        assert len(widths - {1, 4}) >= 4
        assert any(Q[-2] == 1 for Q, _, _ in shapes)
        assert any(len({Q[-2], K[-2], K[-1], V[-1]}) == 4 for Q, K, V in shapes)

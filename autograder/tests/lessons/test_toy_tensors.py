"""Lesson 02: the reference against independent code, the prose's numbers, what is refused, what passes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special
import torch

from autograder import judge, ladder, probe, reference, source, wire
from autograder.exercise import Case, Key, Misconception, Observation, StudentError, Verdict
from autograder.lessons.toy_tensors import LESSON

EXERCISES = {exercise.id: exercise for exercise in LESSON.exercises}
NAMES = reference.namespace(LESSON.id)
STUDENT = "some student"


@functools.cache
def visible(exercise: str) -> Key:
    return judge.visible_key(LESSON.id, EXERCISES[exercise])


def hidden(exercise: str) -> Key:
    return judge.hidden_key(LESSON.id, exercise, STUDENT)


def verdict(key: Key, answer: Any, **others: Any) -> Verdict:
    """The verdict on a function, or on a tuple of values."""
    given = dict(zip(key.values, answer, strict=True)) if key.values else {key.exercise: answer}
    question = probe.Question(key.exercise, key.values, key.cases)
    return ladder.best(key, probe.ask_all(question, {**NAMES, **others, **given}))


def assert_right(exercise: str, answer: Any) -> None:
    for key in (visible(exercise), hidden(exercise)):
        found = verdict(key, answer)
        assert found.state == "right", (found.looks_like, found.lines)
        assert found.points == found.max_points


def assert_named(exercise: str, answer: Any, name: str) -> None:
    for key in (visible(exercise), hidden(exercise)):
        found = verdict(key, answer)
        assert found.state == "wrong"
        assert found.points < found.max_points
        assert found.misconception == name
        assert name in found.looks_like
        assert found.question


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


PROSE = "\n".join(cell.text for cell in source.read(LESSON.id))


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


def test_every_figure_has_alt_text() -> None:
    drawn = re.findall(r"^(?:show|explore)\(", PROSE, flags=re.MULTILINE)
    assert len(drawn) == len(re.findall(r"^    alt=", PROSE, flags=re.MULTILINE)) == 5


# --- wrong answers ----------------------------------------------------------------------------------------


VARIANTS = [
    pytest.param(exercise.id, mistake, wrong, id=f"{exercise.id}-{mistake.name}-{i}")
    for exercise in LESSON.exercises
    for mistake in exercise.misconceptions
    for i, wrong in enumerate(mistake.wrong)
]


@pytest.mark.parametrize(("exercise", "mistake", "wrong"), VARIANTS)
def test_misconceptions_are_refused_and_named(
    exercise: str, mistake: Misconception, wrong: Callable[..., Any]
) -> None:
    assert mistake.name in mistake.looks_like
    assert mistake.question.endswith(("?", "."))
    key = hidden(exercise)
    found = verdict(key, wrong() if key.values else wrong)
    assert found.state == "wrong"
    assert found.misconception == mistake.name


@pytest.mark.parametrize("exercise", ["simple_attention", "scaled_dot_product_attention", "self_attention"])
def test_the_visible_cases_suffice_to_name(exercise: str) -> None:
    key = visible(exercise)
    for mistake in EXERCISES[exercise].misconceptions:
        assert verdict(key, mistake.wrong[0]).misconception == mistake.name


def test_mistakes_written_otherwise_are_named() -> None:
    def divided_by_4(Q: Any, K: Any, V: Any, d_k: int = 4) -> Any:
        weights = torch.softmax(torch.matmul(Q, K.mT) / np.sqrt(d_k), dim=-1)
        return torch.matmul(weights, V), weights

    def implicit_axis(Q: Any, K: Any, V: Any) -> Any:
        weights = torch.nn.functional.softmax(Q @ K.mT / K.shape[-1] ** 0.5)
        return weights @ V, weights

    def tensors_made_anew(Q: Any, K: Any, V: Any) -> Any:
        weights = torch.softmax(torch.tensor((Q @ K.mT).tolist()) / K.shape[-1] ** 0.5, -1)
        return weights @ V, weights

    def through_numpy(Q: Any, K: Any, V: Any) -> Any:
        weights = scipy.special.softmax(np.asarray(Q @ K.mT) / K.shape[-1] ** 0.5, axis=-1)
        return torch.tensor(weights) @ V, torch.tensor(weights)

    assert_named("scaled_dot_product_attention", divided_by_4, "wrong length")
    assert_named("scaled_dot_product_attention", implicit_axis, "softmax over queries")
    assert_named("scaled_dot_product_attention", tensors_made_anew, "gradient cut")
    assert_named("scaled_dot_product_attention", through_numpy, "gradient cut")


@pytest.mark.parametrize("exercise", ["simple_attention", "scaled_dot_product_attention", "self_attention"])
def test_what_always_raises_is_not_taken_for_a_misconception(exercise: str) -> None:
    for kind in (ValueError, RuntimeError, TypeError):

        def raising(*arguments: Any, kind: type[Exception] = kind) -> Any:
            raise kind("shapes do not match")

        for key in (visible(exercise), hidden(exercise)):
            found = verdict(key, raising)
            assert (found.points, found.misconception) == (0, "")


def test_numbers_from_elsewhere_are_refused() -> None:
    def from_global_state(d_k: int, n_samples: int, rng: Any) -> Any:
        scores = (np.random.randn(n_samples, d_k) * np.random.randn(n_samples, d_k)).sum(1)
        return scores.var(), scores.var() / d_k

    def theory_alone(d_k: int, n_samples: int, rng: Any) -> Any:
        return float(d_k), 1.0

    def drawn_and_dropped(d_k: int, n_samples: int, rng: Any) -> Any:
        rng.normal(size=n_samples)
        return float(d_k), 1.0

    for wrong in (from_global_state, theory_alone, drawn_and_dropped):
        assert_named("score_variance", wrong, "rng ignored")


@pytest.mark.parametrize(
    ("weights", "output", "name"),
    [
        ([0.5, 0, 0.5], [20, 0], "zero score, zero weight"),
        ([[0.5, 0, 0.5]], [[20, 0]], "zero score, zero weight"),
        ([0.42, 0.16, 0.42], [16.9, 3.1], "no scale"),
        ([0.401, 0.198, 0.401], [0.80, 0.20], "wrong partner"),
        (["a", "b", "c"], [16.04, 3.96], ""),
        ([0.401, 0.198, 0.401], [16, 4], ""),
        (None, None, ""),
    ],
)
def test_wrong_predictions_by_hand(weights: Any, output: Any, name: str) -> None:
    found = verdict(visible("predict_by_hand"), (weights, output))
    assert (found.state, found.misconception) == ("wrong", name)


@pytest.mark.parametrize(
    ("attends_to", "name"),
    [
        ([[2], [3, 4], [1, 2]], "off by one"),
        ([[1], [2], [0]], "only one winner"),
        ([[1], [2], [0, 1]], "positions, not keys"),
        ([[0, 1, 0, 0], [0, 0, 0.5, 0.5], [0.5, 0.5, 0, 0]], ""),
        ([[False, True, False, False]] * 3, ""),
        ([[1], [2, 3]], ""),
        ("1, 2, 0", ""),
        (None, ""),
    ],
)
def test_wrong_predictions_of_keys(attends_to: Any, name: str) -> None:
    found = verdict(visible("predict_toy_queries"), (attends_to, NAMES["looked_up"]))
    assert (found.state, found.misconception, found.points) == ("wrong", name, 1)


PREDICTIONS = {
    "predict_by_hand": (("0.401", "0.198", "16.04", "3.96"), ([0.3, 0.3, 0.4], [1, 2])),
    "predict_toy_queries": (("550", "[2, 3]", "5.5"), ([[0], [0], [0]], np.zeros((3, 3)))),
    "mend_the_divisor": (("1.73",), (7,)),
    "self_or_cross": (("cross",), (["self", "self", "cross"],)),
    "what_sums_to_one": (("matrix",), ("elephant",)),
}


@pytest.mark.parametrize("exercise", PREDICTIONS)
def test_verdicts_on_predictions_keep_the_answer_to_themselves(exercise: str) -> None:
    secrets, guess = PREDICTIONS[exercise]
    found = verdict(visible(exercise), guess)
    shown = " ".join(detail for line in found.lines for detail in line.details)
    assert found.state == "wrong"
    assert shown
    assert not any(secret in shown for secret in secrets)


ODD = (
    None,
    [],
    (),
    {},
    "text",
    np.nan,
    np.array([]),
    np.full((2, 3), np.nan),
    [[1], [2, 3]],
    wire.Opaque("set"),
    True,
)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_rule_raises_on_odd_answers(exercise: str) -> None:
    key = hidden(exercise)
    for odd in ODD:
        for value in (
            odd,
            (odd, odd),
            [odd] * 12,
            {"value": odd, "gradients": odd},
            {n: odd for n in key.values},
        ):
            seen = Observation(value=value, again=value)
            problems = [
                part.rule(case, seen, expected)
                for part in key.parts
                for case, expected in zip(key.cases, key.expected, strict=True)
                if not part.tags or case.tag in part.tags
            ]
            assert any(problems)
    errors = tuple(Observation(error=StudentError("ValueError", "no")) for _ in key.cases)
    assert ladder.climb(key, probe.Answers(probe.ASKED, errors)).points == 0


def test_an_unfinished_answer_is_not_started() -> None:
    def stub(*arguments: Any) -> Any:
        raise NotImplementedError

    assert verdict(visible("simple_attention"), stub).state == "not started"
    assert verdict(visible("predict_by_hand"), (..., ...)).state == "not started"


def test_an_earlier_mistake_costs_self_attention_nothing() -> None:
    def wrong(Q: Any, K: Any, V: Any) -> Any:
        raise ValueError

    for key in (visible("self_attention"), hidden("self_attention")):
        text = "def self_attention(X, A, B, C): return scaled_dot_product_attention(X @ A, X @ B, X @ C)"
        namespace: dict[str, Any] = {"scaled_dot_product_attention": wrong}
        exec(text, namespace)
        question = probe.Question(key.exercise, key.values, key.cases)
        assert ladder.best(key, probe.ask_all(question, namespace)).state == "right"


# --- right answers in other styles ------------------------------------------------------------------------


def numpy_einsum(Q: Any, K: Any, V: Any) -> Any:
    scores = np.einsum("qd,kd->qk", Q, K) / np.sqrt(Q.shape[1])
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.einsum("qk,kv->qv", kernel / kernel.sum(axis=1, keepdims=True), V)


def numpy_loops(Q: Any, K: Any, V: Any) -> Any:
    rows = []
    for q in Q:
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / len(q) ** 0.5 for k in K]
        kernel = [np.exp(score - max(scores)) for score in scores]
        rows.append(
            [sum(w * v[j] for w, v in zip(kernel, V, strict=True)) / sum(kernel) for j in range(V.shape[1])]
        )
    return rows


def numpy_logsumexp(Q: Any, K: Any, V: Any) -> Any:
    scores = (Q * K.shape[1] ** -0.25) @ (K * K.shape[1] ** -0.25).T
    return np.exp(scores - scipy.special.logsumexp(scores, axis=1, keepdims=True)) @ V


def numpy_columns(Q: Any, K: Any, V: Any) -> Any:
    return (V.T @ scipy.special.softmax(K @ (Q / np.sqrt(len(K[0]))).T, axis=0)).T


def numpy_single(Q: Any, K: Any, V: Any) -> Any:
    return numpy_einsum(*(x.astype(np.float32) for x in (Q, K, V)))


def numpy_by_torch(Q: Any, K: Any, V: Any) -> Any:
    return torch.nn.functional.scaled_dot_product_attention(*map(torch.tensor, (Q, K, V)))


@pytest.mark.parametrize(
    "answer", [numpy_einsum, numpy_loops, numpy_logsumexp, numpy_columns, numpy_single, numpy_by_torch]
)
def test_other_styles_of_simple_attention(answer: Callable[..., Any]) -> None:
    assert_right("simple_attention", answer)


def torch_einsum(Q: Any, K: Any, V: Any) -> Any:
    weights = torch.einsum("...qd,...kd->...qk", Q / Q.size(-1) ** 0.5, K).softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, V), weights


def torch_logsumexp(Q: Any, K: Any, V: Any) -> list[Any]:
    root = K.size(-1) ** 0.25
    scores = torch.matmul(Q / root, (K / root).mT)
    weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    return [weights.matmul(V), weights]


def torch_own_softmax(Q: Any, K: Any, V: Any) -> Any:
    scores = Q @ torch.swapaxes(K, -1, -2) * torch.tensor(K.shape[-1]).rsqrt()
    kernel = torch.exp(scores - scores.detach().max(dim=-1, keepdim=True).values)
    weights = kernel / torch.sum(kernel, dim=-1, keepdim=True)
    return weights @ V, weights


def torch_bmm(Q: Any, K: Any, V: Any) -> Any:
    batch = Q.shape[:-2]
    flat = [x.reshape(-1, *x.shape[-2:]) for x in (Q, K, V)]
    empty = torch.zeros(len(flat[0]), Q.shape[-2], K.shape[-2])
    scores = torch.baddbmm(empty, flat[0], flat[1].transpose(1, 2), alpha=K.shape[-1] ** -0.5)
    weights = torch.softmax(scores, dim=2)
    output = torch.bmm(weights, flat[2])
    return output.reshape(*batch, *output.shape[1:]), weights.reshape(*batch, *weights.shape[1:])


def torch_loops(Q: Any, K: Any, V: Any) -> Any:
    if Q.dim() > 2:
        pairs = [torch_loops(*matrices) for matrices in zip(Q, K, V, strict=True)]
        return tuple(torch.stack(parts) for parts in zip(*pairs, strict=True))
    weights = torch.zeros(len(Q), len(K))
    for i, q in enumerate(Q):
        weights[i] = torch.softmax(torch.stack([q.dot(k) for k in K]) / np.sqrt(len(q)), dim=0)
    return torch.stack([(row[:, None] * V).sum(dim=0) for row in weights]), weights


def torch_library(Q: Any, K: Any, V: Any) -> Any:
    return NAMES["attention"](Q, K, V)


def torch_double(Q: Any, K: Any, V: Any) -> Any:
    return torch_einsum(Q.double(), K.double(), V.double())


TORCH_STYLES = [
    torch_einsum,
    torch_logsumexp,
    torch_own_softmax,
    torch_bmm,
    torch_loops,
    torch_library,
    torch_double,
]


@pytest.mark.parametrize("answer", TORCH_STYLES)
def test_other_styles_of_attention(answer: Callable[..., Any]) -> None:
    assert_right("scaled_dot_product_attention", answer)
    assert_right("self_attention", lambda X, W_Q, W_K, W_V: answer(X @ W_Q, X @ W_K, X @ W_V))


def test_other_styles_of_self_attention() -> None:
    def through_numpy(X: Any, W_Q: Any, W_K: Any, W_V: Any) -> Any:
        Q, K, V = (X.numpy() @ W.numpy() for W in (W_Q, W_K, W_V))
        weights = scipy.special.softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
        return weights @ V, weights

    def linear(X: Any, W_Q: Any, W_K: Any, W_V: Any) -> Any:
        Q, K, V = (torch.nn.functional.linear(X, W.T) for W in (W_Q, W_K, W_V))
        weights = torch.softmax(Q @ K.T / np.sqrt(W_K.shape[1]), dim=1)
        return weights @ V, weights

    assert_right("self_attention", through_numpy)
    assert_right("self_attention", linear)


def variance_in_one_array(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    k, q = rng.normal(0, 1, size=(2, d_k, n_samples))
    scores = np.einsum("ij,ij->j", q, k)
    return np.array([scores.var(ddof=1), (scores / d_k**0.5).var(ddof=1)])


def variance_on_a_diagonal(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    q, k = rng.standard_normal((n_samples, d_k)), rng.standard_normal((n_samples, d_k))
    scores = np.diag(q @ k.T)
    return np.var(scores), np.var(scores / np.sqrt(d_k))


def variance_in_loops(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    scores = np.array([rng.standard_normal(d_k) @ rng.standard_normal(d_k) for _ in range(n_samples)])
    mean = sum(scores) / n_samples
    raw = sum((score - mean) ** 2 for score in scores) / (n_samples - 1)
    return raw, raw / d_k


def variance_in_single_precision(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    q, k = (rng.standard_normal((n_samples, d_k), dtype=np.float32) for _ in range(2))
    scores = (q * k).sum(1)
    return [float(np.var(scores)), float(np.std(scores / np.sqrt(d_k)) ** 2)]


def variance_in_torch(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    generator = torch.Generator().manual_seed(int(rng.integers(2**31)))
    q, k = torch.randn(2, n_samples, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return scores.var(), (scores / d_k**0.5).var()


@pytest.mark.parametrize(
    "answer",
    [
        variance_in_one_array,
        variance_on_a_diagonal,
        variance_in_loops,
        variance_in_single_precision,
        variance_in_torch,
    ],
)
def test_other_styles_of_variance(answer: Callable[..., Any]) -> None:
    assert_right("score_variance", answer)


def test_right_variances_pass_whatever_the_seed() -> None:
    exercise = EXERCISES["score_variance"]
    for seed in range(20):
        for case in exercise.draw(np.random.default_rng(seed)):
            answers = probe.ask(
                probe.Question(exercise.id, (), (case,)), {exercise.id: variance_in_one_array}
            )
            parts = [part for part in exercise.parts if not part.tags or case.tag in part.tags]
            assert not any(part.rule(case, answers.observations[0], Observation()) for part in parts)


RIGHT_VALUES = [
    ("predict_by_hand", ([0.4, 0.2, 0.4], [16.04, 3.96])),
    ("predict_by_hand", (np.array([[0.401, 0.198, 0.401]]), np.array([[16.04, 3.96]]))),
    ("predict_by_hand", ([0.41, 0.207, 0.41], [16.04, 3.96])),
    ("predict_by_hand", (torch.tensor([0.4011, 0.1978, 0.4011]), (16.0445, 3.9555))),
    ("predict_by_hand", ([[0.40], [0.20], [0.41]], [np.float32(16.05), 3.95])),
    ("predict_toy_queries", (((1,), (3, 2), (1, 0)), np.array([[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]))),
    (
        "predict_toy_queries",
        ([np.array([1]), torch.tensor([2, 3]), [0, 1]], torch.tensor(NAMES["looked_up"])),
    ),
    ("predict_toy_queries", ([1, [2, 3], [0, 1]], [[[10.0, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]])),
    ("mend_the_divisor", (1.73,)),
    ("mend_the_divisor", (np.sqrt(3),)),
    ("self_or_cross", (("Cross-attention", "self-attention", "CROSS"),)),
    ("what_sums_to_one", ("Matrix",)),
]


@pytest.mark.parametrize(("exercise", "answer"), RIGHT_VALUES)
def test_right_values_in_other_forms(exercise: str, answer: tuple[Any, ...]) -> None:
    assert_right(exercise, answer)


def test_cases_tell_apart_what_blind_spots_hide() -> None:
    for exercise in ("simple_attention", "scaled_dot_product_attention"):
        shapes = [
            tuple(np.shape(getattr(a, "array", a)) for a in case.args) for case in hidden(exercise).cases
        ]
        widths = {K[-1] for _, K, _ in shapes}
        assert len(widths - {1, 4}) >= 4
        assert any(Q[-2] == 1 for Q, _, _ in shapes)
        assert any(len({Q[-2], K[-2], K[-1], V[-1]}) == 4 for Q, K, V in shapes)


def test_values_exercises_have_one_visible_case() -> None:
    for exercise in LESSON.exercises:
        if exercise.values:
            assert [type(case) for case in exercise.examples()] == [Case]

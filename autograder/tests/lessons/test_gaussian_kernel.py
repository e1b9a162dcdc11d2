"""Lesson 04: the reference, the numbers in its text, its table of people, and how answers are judged."""

from __future__ import annotations

import csv
import functools
import hashlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.spatial.distance
import scipy.special
import scipy.stats
import torch

from autograder import bodies, judge, probe, reference, source
from autograder.data_makers import bodies as maker
from autograder.data_makers import record_checksum
from autograder.errors import CourseError
from autograder.exercise import Key, Verdict
from autograder.lessons import find_exercise
from autograder.rules import gaussian_kernel as rules

LESSON = "04_gaussian_kernel"
WAISTS, KILOS = np.array([51.0, 56.0, 58.0]), np.array([40.0, 43.0, 48.0])
SIZES = np.array([[51.0, 70.0], [56.0, 82.0], [58.0, 86.0]])
TWINS = np.array([[51.0, 70.0], [56.0, 82.0], [56.0, 82.0]])
PEOPLE = np.array([[40.0, 155.0], [43.0, 159.0], [48.0, 162.0]])
ASKED = np.array([[57.0, 83.0], [55.0, 76.0]])
CANDIDATES = [0.25, 0.5, 1, 2, 4, 8, 16, 32]


@functools.cache
def keys_of(exercise: str) -> tuple[Key, Key]:
    """The visible and one hidden key."""
    visible = judge.visible_key(LESSON, find_exercise(LESSON, exercise))
    return visible, judge.hidden_key(LESSON, exercise, "amy")


def verdict(key: Key, names: dict[str, Any]) -> Verdict:
    return judge.judge(key, probe.ask_all(probe.Question(key.exercise, key.values, key.cases), names))


def accept(exercise: str, answer: Any, **others: Any) -> None:
    for key in (*keys_of(exercise), judge.hidden_key(LESSON, exercise, "ben")):
        judged = verdict(key, {exercise: answer, **others})
        assert judged.state == "right", judged
        assert judged.points == judged.max_points


def reference_of(name: str) -> Callable[..., Any]:
    return reference.namespace(LESSON)[name]


# --- the reference against independent implementations ----------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 5])
def test_weights_are_those_of_a_gaussian_density(d: int) -> None:
    rng = np.random.default_rng(d)
    queries, keys, bandwidth = rng.normal(size=(4, d)), rng.normal(size=(6, d)), 0.8
    densities = np.array(
        [[scipy.stats.multivariate_normal(k, bandwidth**2 * np.eye(d)).pdf(q) for k in keys] for q in queries]
    )
    wanted = densities / densities.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(reference_of("gaussian_weights")(queries, keys, bandwidth), wanted, rtol=1e-10)


def test_regression_is_attention_with_a_bias_for_the_keys_length() -> None:
    rng = np.random.default_rng(0)
    queries, keys, values, bandwidth = (
        rng.normal(size=(4, 3)),
        rng.normal(size=(6, 3)),
        rng.normal(size=(6, 2)),
        1.3,
    )
    q, k, v = (torch.tensor(x) for x in (queries, keys, values))
    bias = (-(k**2).sum(-1) / (2 * bandwidth**2)).expand(4, 6)
    wanted = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=1 / bandwidth**2)
    np.testing.assert_allclose(
        reference_of("kernel_regression")(queries, keys, values, bandwidth), wanted, rtol=1e-10
    )


def test_lookup_is_scaled_dot_product_attention() -> None:
    rng = np.random.default_rng(1)
    queries, keys, values = rng.normal(size=(2, 5)), rng.normal(size=(4, 5)), rng.normal(size=(4, 3))
    wanted = torch.nn.functional.scaled_dot_product_attention(*map(torch.tensor, (queries, keys, values)))
    np.testing.assert_allclose(reference_of("dot_product_lookup")(queries, keys, values), wanted, rtol=1e-10)


def test_leave_one_out_by_the_linear_smoothers_identity() -> None:
    rng = np.random.default_rng(2)
    keys, values = rng.uniform(0, 5, 12), rng.normal(size=(12, 2))
    weights = reference_of("gaussian_weights")(keys, keys, 0.9)
    residuals = (values - weights @ values) / (1 - np.diag(weights))[:, None]
    assert reference_of("leave_one_out_error")(keys, values, 0.9) == pytest.approx(np.mean(residuals**2))


def test_far_queries_give_numbers() -> None:
    weights = reference_of("gaussian_weights")(np.array([500.0]), WAISTS, 0.1)
    np.testing.assert_allclose(weights, [[0, 0, 1]])


# --- the numbers in the text ------------------------------------------------------------------------------


def test_the_worked_example() -> None:
    scores = -((57 - WAISTS) ** 2) / 2
    np.testing.assert_array_equal(scores, [-18, -0.5, -0.5])
    np.testing.assert_allclose(np.exp(scores), [0.000000015, 0.607, 0.607], atol=5e-4)
    assert np.exp(-18) == pytest.approx(0.000000015, abs=5e-10)
    assert np.exp(scores).sum() == pytest.approx(1.213, abs=5e-4)
    regression = reference_of("kernel_regression")
    assert regression(np.array([57.0]), WAISTS, KILOS)[0] == pytest.approx(45.5, abs=1e-6)
    assert regression(np.array([56.4]), WAISTS, KILOS)[0] == pytest.approx(44.16, abs=0.005)
    assert regression(np.array([56.4]), WAISTS, KILOS, 0.1)[0] == pytest.approx(43.0)
    assert regression(np.array([56.4]), WAISTS, KILOS, 1000)[0] == pytest.approx(131 / 3, abs=1e-4)
    assert scipy.special.softmax((57 - WAISTS) ** 2 / 2) @ KILOS == pytest.approx(40.0, abs=1e-5)


def test_the_numbers_of_leave_one_out() -> None:
    error = reference_of("leave_one_out_error")
    assert error(WAISTS, KILOS, 1.0) == pytest.approx(19.67, abs=0.005)
    table = bodies.load_bodies()
    errors = {h: error(table["waist"], table["weight"], h) for h in CANDIDATES}
    assert min(errors, key=lambda h: errors[h]) == 4
    assert reference_of("best_bandwidth")(table["waist"], table["weight"], CANDIDATES) == 4
    assert [round(errors[h]) for h in (0.25, 4, 32)] == [61, 47, 146]
    assert errors[4] ** 0.5 == pytest.approx(6.9, abs=0.05)


def test_the_two_dimensional_sample() -> None:
    regression, lookup = reference_of("kernel_regression"), reference_of("dot_product_lookup")
    np.testing.assert_allclose(regression(TWINS[1:2], TWINS, PEOPLE, 0.1), [[45.5, 160.5]])
    np.testing.assert_allclose(lookup(ASKED, SIZES, PEOPLE), [[48, 162], [48, 162]])
    np.testing.assert_allclose(regression(ASKED, SIZES, PEOPLE, 3), [[45.0, 160.2], [42.2, 157.8]], atol=0.05)
    assert np.argmax((SIZES**2).sum(axis=1)) == 2
    ranked = np.sort(ASKED @ SIZES.T / np.sqrt(2), axis=1)
    assert (ranked[:, 2] - ranked[:, 1] > 200).all()


def test_when_the_two_agree() -> None:
    angles = np.radians(np.arange(6) * 60)
    keys = 2 * np.column_stack([np.cos(angles), np.sin(angles)])
    queries = np.random.default_rng(3).normal(size=(4, 2))
    gaussian, lookup = reference_of("gaussian_weights"), reference_of("dot_product_lookup")
    np.testing.assert_allclose(gaussian(queries, keys, 2**0.25), lookup(queries, keys, np.eye(6)))
    keys[2] *= 2
    assert not np.allclose(gaussian(queries, keys, 2**0.25), lookup(queries, keys, np.eye(6)))


def test_the_text_states_the_slips() -> None:
    text = " ".join(cell.text for cell in source.read(LESSON) if cell.kind == "markdown").replace("\n", " ")
    for words in (
        "40.0 kg, not 45.5",
        "the last two keys are the same",
        'say beside it to "divide by $d_k$"',
    ):
        assert words in text


# --- the measured bodies ----------------------------------------------------------------------------------


def test_the_table_is_what_its_maker_makes() -> None:
    text = bodies.PATH.read_text(encoding="utf-8")
    assert text == maker.make()
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert f"{digest}  bodies.csv" in (bodies.DATA / "SHA256SUMS").read_text().splitlines()


def test_the_table_is_realistic() -> None:
    table = bodies.load_bodies()
    rows = list(csv.DictReader(io.StringIO(bodies.PATH.read_text())))
    assert list(table) == ["waist", "chest", "weight", "height"]
    assert len(rows) >= 100
    for name, column in table.items():
        np.testing.assert_array_equal(column, [float(row[name]) for row in rows])
    limits = {"waist": (45, 130), "chest": (60, 140), "weight": (25, 130), "height": (130, 205)}
    assert all(low < table[name].min() and table[name].max() < high for name, (low, high) in limits.items())
    assert all(np.corrcoef(table["weight"], table[name])[0, 1] > 0.3 for name in ("waist", "chest", "height"))


def test_a_changed_table_is_found_out(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(bodies, "PATH", tmp_path / "bodies.csv")
    with pytest.raises(CourseError, match="is missing"):
        bodies.load_bodies()
    (tmp_path / "bodies.csv").write_text("waist\n1\n")
    with pytest.raises(CourseError, match="has changed"):
        bodies.load_bodies()


def test_the_maker_rewrites_only_its_own_line(tmp_path: Any) -> None:
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  bodies.csv\n{'1' * 64}  word_vectors.txt.gz\n")
    (tmp_path / "bodies.csv").write_text(maker.make())
    record_checksum(tmp_path / "bodies.csv")
    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    assert lines == [
        f"{hashlib.sha256(maker.make().encode()).hexdigest()}  bodies.csv",
        f"{'1' * 64}  word_vectors.txt.gz",
    ]


# --- right answers in many styles -------------------------------------------------------------------------


def rows(x: Any) -> Any:
    return np.asarray(x)[:, None] if np.ndim(x) == 1 else np.asarray(x)


def normalised(scores: Any) -> Any:
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return kernel / kernel.sum(axis=1, keepdims=True)


def with_cdist(queries: Any, keys: Any, bandwidth: float = 1.0) -> Any:
    squared = scipy.spatial.distance.cdist(rows(queries), rows(keys), "sqeuclidean")
    return scipy.special.softmax(-squared / (2 * bandwidth**2), axis=1)


def with_loops(queries: Any, keys: Any, bandwidth: float = 1.0) -> Any:
    weights = np.zeros((len(queries), len(keys)))
    for i, q in enumerate(queries):
        scores = [-float(np.sum((q - k) ** 2.0)) / (2 * bandwidth**2) for k in keys]
        total = sum(np.exp(s - max(scores)) for s in scores)
        weights[i] = [np.exp(s - max(scores)) / total for s in scores]
    return weights


def expanded(queries: Any, keys: Any, bandwidth: float = 1.0) -> Any:
    q, k = rows(queries).astype(float), rows(keys).astype(float)
    squared = (q**2).sum(1)[:, None] + (k**2).sum(1) - 2 * q @ k.T
    return normalised(-squared / (2 * bandwidth**2))


def without_the_queries_length(queries: Any, keys: Any, bandwidth: float = 1.0) -> Any:
    q, k = rows(queries), rows(keys)
    return normalised((q @ k.T - 0.5 * (k**2).sum(axis=1)) / bandwidth**2)


def with_log_densities(queries: Any, keys: Any, bandwidth: float = 1.0) -> Any:
    logs = scipy.stats.norm.logpdf(rows(queries)[:, None], rows(keys)[None], bandwidth).sum(axis=-1)
    return np.exp(logs - scipy.special.logsumexp(logs, axis=1, keepdims=True))


def in_single_precision(queries: Any, keys: Any, bandwidth: float = 1.0) -> Any:
    q, k = rows(queries).astype(np.float32), rows(keys).astype(np.float32)
    norms = np.linalg.norm(q[:, None] - k[None], axis=-1)
    return normalised(-((norms / np.float32(bandwidth)) ** 2) / 2)


def in_base_two(queries: Any, keys: Any, bandwidth: float = 1.0) -> Any:
    scaled = (rows(queries)[:, None] - rows(keys)) / bandwidth
    scores = -0.5 * np.einsum("qkd,qkd->qk", scaled, scaled) * np.log2(np.e)
    powers = np.exp2(scores - scores.max(1)[:, None])
    return (powers.T / powers.sum(1)).T


def with_torch(queries: Any, keys: Any, bandwidth: float = 1.0) -> Any:
    q, k = (torch.tensor(rows(x), dtype=torch.float64) for x in (queries, keys))
    return torch.softmax(-0.5 * torch.cdist(q, k) ** 2 / bandwidth**2, dim=1).numpy()


WEIGHTS = [
    with_cdist,
    with_loops,
    expanded,
    without_the_queries_length,
    with_log_densities,
    in_single_precision,
    in_base_two,
    with_torch,
]


@pytest.mark.parametrize("answer", WEIGHTS)
def test_weights_accept(answer: Any) -> None:
    accept("gaussian_weights", answer)


@pytest.mark.parametrize("weigh", WEIGHTS)
def test_regression_accepts(weigh: Any) -> None:
    def by_matrix(queries: Any, keys: Any, values: Any, bandwidth: float = 1.0) -> Any:
        return weigh(queries, keys, bandwidth) @ values

    accept("kernel_regression", by_matrix)


def by_query(queries: Any, keys: Any, values: Any, bandwidth: float = 1.0) -> Any:
    predictions = []
    for q in queries:
        w = with_cdist(np.array([q]), keys, bandwidth)[0]
        predictions.append(sum(share * value for share, value in zip(w, values, strict=True)))
    return np.array(predictions)


def as_a_quotient(queries: Any, keys: Any, values: Any, bandwidth: float = 1.0) -> Any:
    return np.einsum("qk,k...->q...", in_base_two(queries, keys, bandwidth), values)


def as_an_average(queries: Any, keys: Any, values: Any, bandwidth: float = 1.0) -> list[Any]:
    return [np.average(values, axis=0, weights=w) for w in with_loops(queries, keys, bandwidth)]


@pytest.mark.parametrize("answer", [by_query, as_a_quotient, as_an_average])
def test_regression_accepts_other_sums(answer: Any) -> None:
    accept("kernel_regression", answer)


def off_the_diagonal(keys: Any, values: Any, bandwidth: float) -> Any:
    squared = scipy.spatial.distance.cdist(rows(keys), rows(keys), "sqeuclidean")
    np.fill_diagonal(squared, np.inf)
    return np.mean((values - scipy.special.softmax(-squared / (2 * bandwidth**2), axis=1) @ values) ** 2)


def by_deleting(keys: Any, values: Any, bandwidth: float) -> float:
    squares = []
    for i in range(len(keys)):
        prediction = by_query(keys[i : i + 1], np.delete(keys, i, 0), np.delete(values, i, 0), bandwidth)
        squares.append((prediction[0] - values[i]) ** 2)
    return np.mean(squares)


def by_lists(keys: Any, values: Any, bandwidth: float) -> float:
    total, count = 0.0, 0
    for i in range(len(keys)):
        k = np.array([x for j, x in enumerate(keys) if j != i])
        v = np.array([x for j, x in enumerate(values) if j != i])
        residual = np.atleast_1d(by_query(np.array([keys[i]]), k, v, bandwidth)[0] - values[i])
        total, count = total + float(residual @ residual), count + residual.size
    return total / count


def with_a_low_fill(keys: Any, values: Any, bandwidth: float) -> Any:
    squared = ((rows(keys)[:, None] - rows(keys)) ** 2).sum(-1) * 1.0
    squared[np.eye(len(keys), dtype=bool)] = 1e9
    return np.float32(((normalised(-squared / (2 * bandwidth**2)) @ values - values) ** 2).mean())


ERRORS = [off_the_diagonal, by_deleting, by_lists, with_a_low_fill]


@pytest.mark.parametrize("answer", ERRORS)
def test_error_accepts(answer: Any) -> None:
    accept("leave_one_out_error", answer)


def by_argmin(keys: Any, values: Any, candidates: Any) -> Any:
    return np.asarray(candidates)[np.argmin([off_the_diagonal(keys, values, h) for h in candidates])]


def by_sorting(keys: Any, values: Any, candidates: Any) -> Any:
    return sorted((by_deleting(keys, values, h), h) for h in candidates)[0][1]


def by_comparing(keys: Any, values: Any, candidates: Any) -> Any:
    best, least = None, np.inf
    for h in candidates:
        error = with_a_low_fill(keys, values, h)
        if error < least:
            best, least = h, error
    return best


@pytest.mark.parametrize("answer", [by_argmin, by_sorting, by_comparing])
def test_search_accepts(answer: Any) -> None:
    accept("best_bandwidth", answer)


def through_torch(queries: Any, keys: Any, values: Any) -> Any:
    q, k, v = (torch.tensor(x, dtype=torch.float64) for x in (queries, keys, values))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v).numpy()


def query_by_query(queries: Any, keys: Any, values: Any) -> Any:
    result = []
    for q in queries:
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / len(q) ** 0.5 for k in keys]
        exps = [np.exp(s - max(scores)) for s in scores]
        result.append(sum(e * v for e, v in zip(exps, values, strict=True)) / sum(exps))
    return np.array(result)


def scaled_on_both_sides(queries: Any, keys: Any, values: Any) -> Any:
    root = keys.shape[1] ** 0.25
    scores = np.einsum("qd,kd->qk", queries / root, keys / root)
    return np.exp(scores - scipy.special.logsumexp(scores, axis=1, keepdims=True)) @ values


def in_float32(queries: Any, keys: Any, values: Any) -> Any:
    q, k, v = (np.asarray(x, dtype=np.float32) for x in (queries, keys, values))
    return normalised((q / np.sqrt(np.float32(q.shape[-1]))) @ k.T) @ v


@pytest.mark.parametrize("answer", [through_torch, query_by_query, scaled_on_both_sides, in_float32])
def test_lookup_accepts(answer: Any) -> None:
    accept("dot_product_lookup", answer)


# --- wrong answers ----------------------------------------------------------------------------------------

GRADED = (
    "gaussian_weights",
    "kernel_regression",
    "leave_one_out_error",
    "best_bandwidth",
    "dot_product_lookup",
)
ASKED_VALUES = ("name_the_slip", "predict_bandwidth", "predict_twins", "predict_divisor")
BUILT_ON_WEIGHTS = ("kernel_regression", "leave_one_out_error")
"""They share the kernel's mistakes, which hidden cases are tried on for `gaussian_weights`."""
TOLD = [
    (exercise, mistake.name, variant)
    for exercise in (*GRADED, *ASKED_VALUES)
    for mistake in find_exercise(LESSON, exercise).misconceptions
    for variant in range(len(mistake.wrong))
]


def wrong(key: Key, name: str, variant: int) -> Verdict:
    mistake = next(m for m in key.mistakes if m.name == name)
    return judge.judge(key, (probe.Answers(probe.ASKED, mistake.observations[variant]),))


@pytest.mark.parametrize(("exercise", "name", "variant"), TOLD)
def test_listed_mistakes_are_refused_and_named(exercise: str, name: str, variant: int) -> None:
    visible, hidden = keys_of(exercise)
    judged = wrong(visible if variant or exercise in BUILT_ON_WEIGHTS else hidden, name, variant)
    assert judged.state == "wrong"
    assert judged.points < judged.max_points
    assert judged.misconception == name
    assert name in judged.looks_like


@pytest.mark.parametrize("exercise", GRADED)
def test_writing_into_an_input_is_named(exercise: str) -> None:
    answer = reference_of(exercise)

    def careless(first: Any, *rest: Any) -> Any:
        result = answer(first, *rest)
        first *= 2
        return result

    for key in keys_of(exercise):
        judged = verdict(key, {exercise: careless})
        assert judged.misconception == "writes into its input"


UNLISTED: list[tuple[str, Callable[..., Any]]] = [
    ("gaussian_weights", lambda q, k, h=1.0: np.full((len(q), len(k)), 1 / len(k))),
    ("gaussian_weights", lambda q, k, h=1.0: None),
    ("gaussian_weights", lambda q, k, h=1.0: "far"),
    ("gaussian_weights", lambda q, k, h=1.0: [[np.nan] * len(k)] * len(q)),
    ("gaussian_weights", lambda q, k, h=1.0: with_cdist(q, k, h).tolist()[:1]),
    ("gaussian_weights", lambda q, k, h=1.0: np.eye(len(k))[with_cdist(q, k, h).argmax(1)]),
    ("gaussian_weights", lambda q, k: with_cdist(q, k)),
    ("kernel_regression", lambda q, k, v, h=1.0: v[with_cdist(q, k, h).argmax(1)]),
    ("kernel_regression", lambda q, k, v, h=1.0: None),
    ("kernel_regression", lambda q, k, v, h=1.0: (with_cdist(q, k, h) @ v, with_cdist(q, k, h))),
    ("leave_one_out_error", lambda k, v, h: None),
    ("leave_one_out_error", lambda k, v, h: 0.0),
    ("leave_one_out_error", lambda k, v, h: [off_the_diagonal(k, v, h)]),
    ("leave_one_out_error", lambda k, v, h: np.median((rows(v) - 1) ** 2)),
    ("best_bandwidth", lambda k, v, c: None),
    ("best_bandwidth", lambda k, v, c: "4"),
    ("best_bandwidth", lambda k, v, c: list(c)),
    ("best_bandwidth", lambda k, v, c: float(np.median(c))),
    ("best_bandwidth", lambda k, v, c: [by_argmin(k, v, c)]),
    ("dot_product_lookup", lambda q, k, v: None),
    ("dot_product_lookup", lambda q, k, v: with_cdist(q, k, k.shape[1] ** 0.25) @ v),
    ("dot_product_lookup", lambda q, k, v: v[(q @ k.T).argmax(1)]),
    ("dot_product_lookup", lambda q, k, v: (through_torch(q, k, v), q @ k.T)),
]


@pytest.mark.parametrize(("exercise", "answer"), UNLISTED)
def test_other_wrong_answers_are_refused(exercise: str, answer: Any) -> None:
    judged = verdict(keys_of(exercise)[0], {exercise: answer})
    assert judged.state == "wrong"
    assert judged.points < judged.max_points


def test_an_own_wrong_kernel_costs_nothing_later() -> None:
    names = {"gaussian_weights": lambda q, k, h=1.0: np.ones((len(q), len(k)))}
    exec("def kernel_regression(q, k, v, h=1.0): return gaussian_weights(q, k, h) @ v", names)
    assert verdict(keys_of("kernel_regression")[1], names).state == "right"


def test_an_own_wrong_error_costs_nothing_later() -> None:
    names: dict[str, Any] = {}
    exec("def leave_one_out_error(k, v, h): raise NotImplementedError", names)
    exec("def best_bandwidth(k, v, c): return min(c, key=lambda h: leave_one_out_error(k, v, h))", names)
    assert verdict(keys_of("best_bandwidth")[1], names).state == "right"
    exec(
        "def best_bandwidth(k, v, c): return max(c, key=lambda h: leave_one_out_error(k, v, bandwidth=h))",
        names,
    )
    assert verdict(keys_of("best_bandwidth")[1], names).misconception == "worst instead of best"


# --- predictions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("name_the_slip", {"winner": 51, "faulty_line": 2}),
        ("name_the_slip", {"winner": np.float64(51.0), "faulty_line": [2]}),
        ("predict_bandwidth", {"nearly_zero": 43, "enormous": 43.7}),
        ("predict_bandwidth", {"nearly_zero": np.array([43.0]), "enormous": 131 / 3}),
        ("predict_twins", {"at_the_twins": np.array([[45.5, 160.5]])}),
        ("predict_twins", {"at_the_twins": (45.5, 160.5)}),
        ("predict_divisor", {"divisor_at_9": 3.0}),
        ("predict_divisor", {"divisor_at_9": np.sqrt(9)}),
    ],
)
def test_predictions_accept(exercise: str, answer: dict[str, Any]) -> None:
    assert verdict(keys_of(exercise)[0], answer).state == "right"


@pytest.mark.parametrize("exercise", ASKED_VALUES)
@pytest.mark.parametrize("guess", [0, "no idea", None, [1, 2, 3], 42.0, {"a": 1}, np.nan, [[45.5], [1.0]]])
def test_predictions_never_tell(exercise: str, guess: Any) -> None:
    key = keys_of(exercise)[0]
    judged = verdict(key, dict.fromkeys(key.values, guess))
    assert judged.state == "wrong"
    said = (
        " ".join(text for line in judged.lines for text in line.details) + judged.looks_like + judged.question
    )
    assert not any(number in said for number in ("43.0", "43.67", "43.7", "160.5", " 51", "line 2", "√9"))


def test_rules_never_raise() -> None:
    case = judge.visible_key(LESSON, find_exercise(LESSON, "best_bandwidth")).cases[0]
    for value in (None, "x", {}, [], [np.ones(2), 3], np.nan, np.ones((2, 3)), True, 10**400):
        seen = probe.Observation(value=value)
        assert rules.is_a_candidate(case, seen, seen) is not None
        for rule in (rules.winner, rules.faulty_line, rules.nearly_zero, rules.enormous, rules.divisor_at_9):
            expected = probe.Observation(value={rule.__name__: 1.0})
            assert rule(case, seen, expected) is not None
            assert rule(case, probe.Observation(value={rule.__name__: value}), expected) is not None

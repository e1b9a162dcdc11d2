"""Lesson 04: the reference, the numbers in its text, its table of people, and how answers are judged."""

from __future__ import annotations

import csv
import functools
import hashlib
import importlib
import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special
import torch

from autograder.exercises.errors import CourseError
from autograder.exercises.verdict import Verdict
from autograder.judging import judge, reference
from autograder.tests.this_course import find_lesson, nameless_key, verdict_by
from autograder.views import verdict_view
from data.makers import bodies as maker
from data.makers import record_checksum

LESSON = find_lesson("04_gaussian_kernel")
verdict = functools.partial(verdict_by, LESSON)
bodies = importlib.import_module("attention.bodies")
pictures = importlib.import_module("attention.kernel_pictures")
writer = importlib.import_module("attention.writer")

WAISTS, KILOS = np.array([51.0, 56.0, 58.0]), np.array([40.0, 43.0, 48.0])
SIZES = np.array([[51.0, 70.0], [56.0, 82.0], [58.0, 86.0]])
PEOPLE = np.array([[40.0, 155.0], [43.0, 159.0], [48.0, 162.0]])
ASKED = np.array([[57.0, 83.0], [55.0, 76.0]])
CANDIDATES = [0.25, 0.5, 1, 2, 4, 8, 16, 32]


def reference_of(name: str) -> Callable[..., Any]:
    return reference.load_namespace(LESSON)[name]


def said(text: str) -> bool:
    prose = " ".join(cell.text for cell in LESSON.cells if cell.kind == "markdown")
    return text in " ".join(prose.split())


# --- the reference against independent implementations ----------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 5])
def test_weights_are_those_of_a_gaussian_density(d: int) -> None:
    from scipy.stats import multivariate_normal  # a second to import, in each process that collects tests

    rng = np.random.default_rng(d)
    queries, keys, bandwidth = rng.normal(size=(4, d)), rng.normal(size=(6, d)), 0.8
    densities = np.array(
        [[multivariate_normal(k, bandwidth**2 * np.eye(d)).pdf(q) for k in keys] for q in queries]
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


def test_the_far_query() -> None:
    scores = -((500 - WAISTS) ** 2) / (2 * 0.1**2)
    assert f"−{-scores.max():,.0f}" == "−9,768,200"
    assert not np.exp(scores).any()
    assert any("−9,768,200" in cell.text for cell in LESSON.cells)


def test_the_worked_example() -> None:
    scores = -((57 - WAISTS) ** 2) / 2
    np.testing.assert_array_equal(scores, [-18, -0.5, -0.5])
    np.testing.assert_allclose(np.exp(scores), [0.000000015, 0.607, 0.607], atol=5e-4)
    assert np.exp(-18) == pytest.approx(0.000000015, abs=5e-10)
    assert f"{np.exp(scores).sum():.3f}" == "1.213"
    assert said("| 1.213 (from unrounded numbers) |")
    regression = reference_of("kernel_regression")
    assert regression(np.array([57.0]), WAISTS, KILOS)[0] == pytest.approx(45.5, abs=1e-6)
    assert regression(np.array([56.4]), WAISTS, KILOS)[0] == pytest.approx(44.16, abs=0.005)
    assert -((56.4 - WAISTS[1:]) ** 2) / 2 == pytest.approx([-0.08, -1.28])
    assert regression(np.array([56.4]), WAISTS, KILOS, 0.1)[0] == pytest.approx(43.0)
    assert regression(np.array([56.4]), WAISTS, KILOS, 1000)[0] == pytest.approx(131 / 3, abs=1e-4)
    assert scipy.special.softmax((57 - WAISTS) ** 2 / 2) @ KILOS == pytest.approx(40.0, abs=1e-5)
    assert said("40.0 kg, not 45.5")


def test_the_numbers_of_leave_one_out() -> None:
    error_of = reference_of("leave_one_out_error")
    assert error_of(WAISTS, KILOS, 1.0) == pytest.approx(19.67, abs=0.005)
    table = bodies.load_bodies()
    errors = {h: error_of(table["waist"], table["weight"], h) for h in CANDIDATES}
    assert min(errors, key=lambda h: errors[h]) == 4
    assert reference_of("best_bandwidth")(table["waist"], table["weight"], CANDIDATES) == 4
    baselines = [smoothed_out(table["waist"], table["weight"], degree) for degree in (0, 1)]
    mean, line = (float(np.mean(off**2)) for off in baselines)
    for degree, error in enumerate((mean, line)):
        assert pictures.polynomial_error(table["waist"], table["weight"], degree) == pytest.approx(error)
    assert max(errors[1], errors[2]) < 1.03 * errors[4], "almost flat from 1 to 4 cm"
    assert errors[4] / mean == pytest.approx(0.27, abs=0.03)
    assert line < 0.9 * min(errors.values())


def test_who_votes_for_oneself_is_least_off_with_the_narrowest_bandwidth() -> None:
    table, predict = bodies.load_bodies(), reference_of("kernel_regression")
    own = [pictures.own_error(predict, table["waist"], table["weight"], h) for h in (0.1, *CANDIDATES)]
    assert own == sorted(own)
    assert said(f"At bandwidth 0.1 it is still {own[0]:.1f}")


def smoothed_out(keys: np.ndarray, values: np.ndarray, degree: int) -> np.ndarray:
    """What a polynomial through all others is off by at each sample, by the identity of linear smoothers."""
    powers = np.vander(keys, degree + 1)
    hat = powers @ np.linalg.pinv(powers)
    return (hat @ values - values) / (1 - np.diag(hat))


def test_the_two_dimensional_sample() -> None:
    lookup = reference_of("dot_product_lookup")
    np.testing.assert_allclose(lookup(ASKED, SIZES, PEOPLE), [[48, 162], [48, 162]])


def test_the_dot_product_in_three_terms() -> None:
    query, rows = ASKED[1], []
    for key in SIZES:
        halves = [np.sum(vector**2) / 2 for vector in (query, key, query - key)]
        assert halves[0] + halves[1] - halves[2] == query @ key
        rows.append(halves)
    for (waist, chest), halves in zip(SIZES, rows):
        assert said(f"| ({waist:.0f}, {chest:.0f}) | {' | '.join(f'{half:.1f}' for half in halves)} |")
    assert [f"{key @ query:.0f}" for key in SIZES] == ["8125", "9312", "9726"]
    _, longer, farther = np.subtract(rows[2], rows[1])
    assert said(f"½‖k‖² grows by {longer:.0f}, and ½‖q − k‖² only by {farther:.0f}")
    assert np.argmax(rows, axis=0)[2] == 2, "the third is the farthest"


def test_keys_of_equal_length_have_the_same_weights_by_distance_and_by_dot_product() -> None:
    queries = np.vstack([ASKED, 50 * np.random.default_rng(3).normal(size=(1000, 2))])
    equal = 100 * SIZES / np.linalg.norm(SIZES, axis=1, keepdims=True)
    by_distance = reference_of("gaussian_weights")(queries, equal, 2**0.25)
    by_product = reference_of("dot_product_lookup")(queries, equal, np.eye(3))
    np.testing.assert_allclose(by_distance, by_product, atol=1e-9)
    assert by_product[1].argmax() == 0, "for (55, 76) the first person"


def test_a_head_is_the_kernel_times_a_loudness() -> None:
    sentence = ". the animal did not cross the street because it"
    text = sentence.split()
    Q, K, _ = writer.load_writer().head(text, layer=1, head=2)
    near = reference_of("gaussian_weights")(Q, K, K.shape[1] ** 0.25)
    loud = np.exp((K**2).sum(axis=1) / (2 * np.sqrt(K.shape[1])))
    votes = near * loud / (near * loud).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(votes, scipy.special.softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1), rtol=1e-6)
    assert text[loud.argmax()] == "cross"
    shares = loud / loud.sum()
    factors = {word: f"{near[-1, i]:.2f} {shares[i]:.2f}" for i, word in enumerate(text)}
    assert [factors[word] for word in ("animal", "did", "not")] == ["0.49 0.18", "0.24 0.03", "0.25 0.01"]
    assert factors["cross"] == "0.00 0.53"
    assert near[-1, loud.argmax()] < 0.01
    assert text[near[-1].argmax()] == text[votes[-1].argmax()] == "animal"
    assert near[-1].max() < 0.5
    assert votes[-1].max() == pytest.approx(0.89, abs=0.005)
    assert np.sort(loud)[-2] == loud[text.index("animal")]
    own = writer.load_writer().weights(text, layer=1, head=2)
    np.testing.assert_allclose(votes[-1], own[-1], atol=1e-5)
    assert not np.triu(own, 1).any()  # the model looks back only, so earlier rows are others
    assert own[-1, text.index("cross")] < 0.005
    doubled = reference_of("dot_product_lookup")(Q / 2, 2 * K, np.eye(len(K)))
    np.testing.assert_allclose(doubled, votes, rtol=1e-6)
    assert text[np.linalg.norm(Q[-1] / 2 - 2 * K, axis=1).argmin()] == "not"
    rescaled = reference_of("gaussian_weights")(Q / 2, 2 * K, K.shape[1] ** 0.25)[-1]
    assert rescaled[text.index("animal")] < 0.005
    assert said("Now `not` is the nearest, and `animal` keeps its .89 although its *near* is .00.")
    assert said(
        "If you double all keys and halve all queries, no dot product and no attention weight changes"
    )
    assert said(f"the distance of query and key, in the head's {K.shape[1]} dimensions")


def test_the_numbers_of_the_puzzles() -> None:
    order = [2, 0, 1]
    regression, query = reference_of("kernel_regression"), np.array([57.0])
    assert regression(query, WAISTS[order], KILOS[order])[0] == pytest.approx(45.5, abs=1e-6)
    assert regression(query, WAISTS[order], KILOS)[0] == pytest.approx(44, abs=1e-6)
    table, slope = bodies.load_bodies(), reference_of("bandwidth_slope")
    for h, rate, steps, end in ((16.0, 0.5, 15, 3.48), (1.0, 0.1, 15, 1.4)):
        for _ in range(steps):
            h -= rate * slope(table["waist"], table["weight"], h)
        assert h == pytest.approx(end, abs=0.05)
        beside = (
            reference_of("leave_one_out_error")(table["waist"], table["weight"], h + d)
            for d in (-0.2, 0, 0.2)
        )
        left, here, right = beside
        assert here < min(left, right)
    assert said("in a local minimum at 1.4")


def test_gaussian_keys_give_every_query_its_weights() -> None:
    rng = np.random.default_rng(5)
    queries, keys = rng.normal(size=(7, 3)), rng.normal(size=(4, 3))
    scores = np.column_stack([queries, np.ones(7)]) @ reference_of("gaussian_keys")(keys, 0.7).T
    wanted = reference_of("gaussian_weights")(queries, keys, 0.7)
    np.testing.assert_allclose(scipy.special.softmax(scores, axis=1), wanted, rtol=1e-10)


@pytest.mark.parametrize("shape", [(6,), (6, 2)])
def test_the_slope_is_that_of_autograd(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(6)
    keys, values = rng.uniform(0, 3, 6), rng.normal(size=shape)
    x, y = torch.tensor(keys), torch.tensor(values)
    h = torch.tensor(0.8, dtype=torch.float64, requires_grad=True)
    scores = (-((x[:, None] - x) ** 2) / (2 * h**2)).masked_fill(torch.eye(6, dtype=torch.bool), -torch.inf)
    torch.mean((torch.softmax(scores, dim=-1) @ y - y) ** 2).backward()
    assert h.grad is not None
    assert reference_of("bandwidth_slope")(keys, values, 0.8) == pytest.approx(h.grad.item(), rel=1e-5)


# --- the table of bodies ----------------------------------------------------------------------------------


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
    remedies = "Unpack the student kit again, or in the repository run: git restore data"
    monkeypatch.setattr(bodies, "PATH", tmp_path / "bodies.csv")
    with pytest.raises(CourseError, match=f"is missing. {remedies}"):
        bodies.load_bodies()
    (tmp_path / "bodies.csv").write_text("waist\n1\n")
    with pytest.raises(CourseError, match=f"has changed. {remedies}"):
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


# --- answers ----------------------------------------------------------------------------------------------


def graded(exercise: str, names: dict[str, Any]) -> Verdict:
    return verdict(judge.hidden_key(LESSON, exercise, "amy"), names)


def test_an_own_wrong_kernel_costs_nothing_later() -> None:
    names = {"gaussian_weights": lambda q, k, h=1.0: np.ones((len(q), len(k)))}
    exec("def kernel_regression(q, k, v, h=1.0): return gaussian_weights(q, k, h) @ v", names)
    assert graded("kernel_regression", names).state == "right"


def test_an_own_wrong_error_costs_nothing_later() -> None:
    names: dict[str, Any] = {}
    exec("def leave_one_out_error(k, v, h): raise NotImplementedError", names)
    exec("def best_bandwidth(k, v, c): return min(c, key=lambda h: leave_one_out_error(k, v, h))", names)
    assert graded("best_bandwidth", names).state == "right"
    exec(
        "def best_bandwidth(k, v, c): return max(c, key=lambda h: leave_one_out_error(k, v, bandwidth=h))",
        names,
    )
    assert graded("best_bandwidth", names).misconception == "worst candidate instead of the best"


@pytest.mark.parametrize("odd", [None, "x", {}, [], [np.ones(2), 3], np.nan, np.ones((2, 3)), True, 10**400])
def test_what_is_no_number_is_no_candidate(odd: Any) -> None:
    judged = verdict(judge.visible_key(LESSON, "best_bandwidth"), {"best_bandwidth": lambda *_: odd})
    assert not judged.lines[0].passed


def test_what_is_nearly_a_candidate_is_shown_apart_from_it() -> None:
    body = "return 1.0004 * min(candidates, key=lambda h: leave_one_out_error(keys, values, h))"
    details = " ".join(told("best_bandwidth", body).lines[0].details)
    got, expected = re.findall(r"[\d.]*\d[\d.]*", details)[-2:]
    assert float(got) == pytest.approx(1.0004 * float(expected), rel=1e-4), details


def told(exercise: str, body: str) -> Verdict:
    """The verdict on the visible cases of a function with this body."""
    names = dict(reference.load_namespace(LESSON))
    exec(f"def {LESSON.exercise(exercise).signature}:\n    {body}", names)
    return verdict(judge.visible_key(LESSON, exercise), names)


SQUARES = "d = ((queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)) ** 2).sum(-1); "
LEFT_OUT = (
    "rest = [np.arange(len(keys)) != i for i in range(len(keys))]; "
    "off = np.array([kernel_regression(keys[~r], keys[r], values[r], bandwidth)[0] for r in rest]) - values; "
)
TOLD = [
    (
        "gaussian_weights",
        SQUARES + "return softmax(-d / 2 * bandwidth**2)",
        "bandwidth in the wrong place, or left out",
    ),
    ("gaussian_weights", SQUARES + "return softmax(-d.T / (2 * bandwidth**2))", "queries and keys exchanged"),
    (
        "kernel_regression",
        "return values @ gaussian_weights(queries, keys, bandwidth).T",
        "factors of the product in the wrong order",
    ),
    ("leave_one_out_error", LEFT_OUT + "return np.sqrt(np.mean(off**2))", "root of the mean squared error"),
    ("leave_one_out_error", LEFT_OUT + "return np.mean(np.abs(off))", "errors not squared"),
    (
        "leave_one_out_error",
        LEFT_OUT + "return np.sum(off**2) / (off.size - 1)",
        "squares divided by another number than theirs",
    ),
    (
        "best_bandwidth",
        "return round(min(candidates, key=lambda h: leave_one_out_error(keys, values, h)))",
        "",
    ),
]
"""For an exercise, the body of a wrong answer, and the name it gets; none where no name is certain."""


@pytest.mark.parametrize(("exercise", "body", "name"), TOLD)
def test_a_name_is_given_where_it_is_true(exercise: str, body: str, name: str) -> None:
    judged = told(exercise, body)
    assert (judged.state, judged.misconception) == ("wrong", name)


@pytest.mark.parametrize("exercise", [exercise.id for exercise in LESSON.exercises if exercise.graded])
@pytest.mark.parametrize(
    "body", ["return missing_name", "return None", "raise NotImplementedError('torch says no')"]
)
def test_what_never_came_back_is_not_said_to_fail(exercise: str, body: str) -> None:
    judged = told(exercise, body)
    reached = [line.sight for line in judged.lines if line.sight != "not reached"]
    assert judged.state == "wrong"
    assert judged.points == 0
    assert judged.misconception == ""
    assert reached == (["failed"] if body == "return None" else [])


def test_a_rounded_bandwidth_earns_the_same_whoever_asks() -> None:
    names = dict(reference.load_namespace(LESSON))
    body = "return round(min(candidates, key=lambda h: leave_one_out_error(keys, values, h)))"
    exec(f"def best_bandwidth(keys, values, candidates): {body}", names)
    keys = [nameless_key(LESSON, "best_bandwidth", student) for student in ("amy", "bo", "cy", "di")]
    assert len({verdict(key, names).points for key in keys}) == 1
    best = [
        seen.value
        for key in keys
        for case, seen in zip(key.cases, key.expected)
        if case.tag in ("order", "lone")
    ]
    assert not any(float(one).is_integer() for one in best)


# --- predictions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", [exercise.id for exercise in LESSON.exercises if not exercise.graded])
@pytest.mark.parametrize("guess", [0, "no idea", None, [1, 2, 3], 42.0, {"a": 1}, np.nan, [[7.5], [1.0]]])
def test_predictions_never_tell(exercise: str, guess: Any) -> None:
    key = judge.visible_key(LESSON, exercise)
    judged = verdict(key, dict.fromkeys(key.values, guess))
    assert judged.state == "wrong"
    said = (
        " ".join(text for line in judged.lines for text in line.details) + judged.looks_like + judged.question
    )
    told = ("43.0", "43.67", "43.7", "160.5", " 51", "line 2", "√9", "45.5", "44.0")
    assert not any(number in said for number in told)


def test_what_is_not_filled_in_yet_is_not_called_wrong() -> None:
    judged = verdict(judge.visible_key(LESSON, "name_the_slip"), {"winner": 51, "faulty_line": ...})
    assert [line.sight for line in judged.lines] == ["held", "not reached"]
    assert "faulty_line is not filled in yet" in verdict_view.as_text(judged)
    assert judged.misconception == ""

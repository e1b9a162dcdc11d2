"""Lesson 09: the references against other people's code, and what is judged: memory, time, frequencies."""

from __future__ import annotations

import importlib
import math
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from scipy.linalg import solve_triangular
from scipy.special import bdtr, bdtrc, logsumexp, softmax
from torch.nn import functional

from autograder.answers import corpus
from autograder.calls import runner
from autograder.exercises import wire
from autograder.exercises.exercise import CasePutBy
from autograder.exercises.verdict import Outcome, State
from autograder.judging import judge, reference
from autograder.notebook import help_policy
from autograder.tests import fresh
from autograder.tests.taught_lesson import TaughtLesson
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, nameless_key, verdict_by
from autograder.views import figures
from attention import costs, load_austen, load_trained, scale_pictures, sentences, smaller, two_writers

torch.set_num_threads(1)

LESSON = find_lesson("09_attention_at_scale")
of_lesson = TaughtLesson(LESSON)
taught, answer, written = of_lesson.taught, of_lesson.answer, of_lesson.written
verdict, outputs, prose = of_lesson.verdict, of_lesson.outputs, of_lesson.prose
CHECKS = f"{COURSE.visible.package}.{LESSON.id}.checks"
asking = importlib.import_module(f"{CHECKS}.asking")
frequencies = importlib.import_module(f"{CHECKS}.frequencies")


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("g", [1, 2, 3, 6])
def test_grouped_attention_is_the_librarys(g: int) -> None:
    Q, K, V = normal(2, 6, 3, 5, seed=6), normal(2, g, 4, 5, seed=7), normal(2, g, 4, 2, seed=8)
    right = functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
    torch.testing.assert_close(taught("grouped_attention")(Q, K, V), right)


@pytest.mark.parametrize("block", [1, 3, 7, 100])
@pytest.mark.parametrize("scale", [1.0, 3000.0])
def test_streamed_attention_is_that_of_the_whole_table(block: int, scale: float) -> None:
    rng = np.random.default_rng(9)
    Q, K, V = rng.normal(size=(4, 3)) * scale, rng.normal(size=(7, 3)), rng.normal(size=(7, 5))
    right = softmax(Q @ K.T / math.sqrt(3), axis=1) @ V
    np.testing.assert_allclose(taught("streamed_attention")(Q, K, V, block), right, atol=1e-12)


def test_linear_attention_is_that_of_the_whole_table() -> None:
    rng = np.random.default_rng(10)
    Q, K, V = rng.uniform(-30, 30, (12, 3)), rng.uniform(-30, 30, (12, 3)), rng.normal(size=(12, 5))
    q, k = (functional.elu(torch.tensor(x)).numpy() + 1 for x in (Q, K))
    weights = np.tril(q @ k.T)
    np.testing.assert_allclose(
        taught("linear_attention")(Q, K, V), weights @ V / weights.sum(1, keepdims=True), atol=1e-9
    )


def test_latent_attention_is_the_librarys_on_keys_that_were_made() -> None:
    rng = np.random.default_rng(12)
    Q, C = rng.normal(size=(3, 4, 5)), rng.normal(size=(7, 6))
    W_k, W_v = rng.normal(size=(3, 6, 5)), rng.normal(size=(3, 6, 2))
    given = (torch.tensor(one)[None] for one in (Q, C @ W_k, C @ W_v))
    right = functional.scaled_dot_product_attention(*given)[0].numpy()
    np.testing.assert_allclose(taught("latent_attention")(Q, C, W_k, W_v), right, atol=1e-12)


@pytest.mark.parametrize("height", [0.0, 5000.0])
@pytest.mark.parametrize("cuts", [(7,), (3, 3, 9), (0, 12), tuple(range(13))])
def test_parts_that_are_merged_are_attention_over_all_keys(height: float, cuts: tuple[int, ...]) -> None:
    rng = np.random.default_rng(13)
    scores, V = rng.normal(size=(3, 12)) + height * np.array([[0.0], [1.0], [-1.0]]), rng.normal(size=(12, 4))
    parts = [slice(a, b) for a, b in zip((0, *cuts), (*cuts, 12), strict=True)]
    empty = np.zeros((3, 4)), np.full(3, -np.inf)
    found = empty
    for one in parts:
        here = scores[:, one]
        pair = (softmax(here, axis=1) @ V[one], logsumexp(here, axis=1)) if here.size else empty
        found = taught("merge")(found, pair)
    np.testing.assert_allclose(found[0], softmax(scores, axis=1) @ V, atol=1e-9)
    np.testing.assert_allclose(found[1], logsumexp(scores, axis=1), atol=1e-9)


def test_two_sets_without_keys_are_a_set_without_keys() -> None:
    empty = np.zeros((2, 3)), np.full(2, -np.inf)
    with np.errstate(all="raise"):
        output, lse = taught("merge")(empty, empty)
    assert not output.any()
    assert np.isneginf(lse).all()


def test_a_wrong_lse_of_no_key_is_not_one_of_a_set_without_keys() -> None:
    lines = verdict("merge", answer("merge", "NaN and −inf both made finite")).lines
    assert [line.title for line in lines if line.sight is Outcome.FAILED] == [
        "no key in either set: zeros and −inf"
    ]


def test_a_query_without_a_key_is_judged_by_itself() -> None:
    lines = verdict("merge", answer("merge", "the top not added back")).lines
    assert [line.title for line in lines if line.sight is Outcome.FAILED] == [
        "the lse over both sets together"
    ]
    assert next(line for line in lines if line.title.startswith("no key in")).sight is Outcome.PASSED


def test_the_delta_rule_is_one_triangular_system() -> None:
    rng = np.random.default_rng(14)
    Q, K, V, beta = (rng.normal(size=shape) for shape in ((9, 4), (9, 4), (9, 3), (9,)))
    K /= np.linalg.norm(K, axis=1, keepdims=True)
    beta = 1 / (1 + np.exp(-beta))
    system = np.eye(9) + np.tril(beta[:, None] * (K @ K.T), -1)
    new = solve_triangular(system, beta[:, None] * V, lower=True)
    np.testing.assert_allclose(taught("delta_attention")(Q, K, V, beta), np.tril(Q @ K.T) @ new, atol=1e-12)


def test_words_a_pass_are_counted_in_a_simulation() -> None:
    rng = np.random.default_rng(15)
    kept = rng.random((20_000, 3)) < 0.6
    counted = 1 + kept.cumprod(axis=1).sum(axis=1)
    assert taught("words_a_pass")(0.6, 3) == pytest.approx(counted.mean(), abs=0.03)


def test_steps_are_shown_on_a_case_of_one_call() -> None:
    key = judge.visible_key(LESSON, "keep_or_redraw")
    names = {**reference.load_namespace(LESSON), "keep_or_redraw": written("keep_or_redraw", "return guess")}
    answers = runner.ask_all(judge.make_question(LESSON, key).without_stubs(), names)
    checked = help_policy.CheckedAnswer(LESSON.id, key, names, answers, judge.judge(key, (answers,)))
    shown = help_policy.trace_explained_case(checked, 5)
    assert shown is None or "p and q" not in shown.title


# --- memory and time, which are measured ------------------------------------------------------------------


def measured(exercise: str, tag: str) -> CasePutBy:
    cases = nameless_key(LESSON.id, exercise).cases
    return next(case for case in cases if case.tag == tag and isinstance(case, CasePutBy))


def arguments_of(case: CasePutBy) -> list[Any]:
    drawn = lambda one: np.random.default_rng(one.seed).standard_normal(one.shape)  # noqa: E731
    return [drawn(one) if hasattr(one, "seed") else one for one in case.args]


@pytest.mark.parametrize("times", [0.7, 1.6])
@pytest.mark.parametrize(
    ("exercise", "tag", "right", "wrong"),
    [
        ("streamed_attention", "measured", "key by key, float32", "scipy's softmax"),
        ("streamed_attention", "measured", "in torch, block by block", "in torch"),
        ("linear_attention", "memory", "cumulative sums of n outer products", "masked, einsum"),
        ("linear_attention", "memory", "chunks of 64 words", "torch"),
        ("latent_attention", "memory", "head by head", "einsum"),
        ("latent_attention", "memory", "einsum, three factors at a time", "the values alone"),
        ("latent_attention", "memory", "query by query", "torch, SDPA"),
    ],
)
def test_the_limit_of_memory_is_far_from_both_sides(
    exercise: str, tag: str, right: str, wrong: str, times: float
) -> None:
    """A limit of 0.7 or 1.6 times as much tells right answers from wrong ones as well."""
    case = measured(exercise, tag)
    case = replace(case, facts={"bytes": int(case.facts["bytes"] * times)})
    arguments = arguments_of(case)
    found = [
        asking.without_table(written(exercise, style), case, arguments)["table"] for style in (right, wrong)
    ]
    assert found == [False, True]


LINEAR = (
    "cumulative sums of n outer products",
    "torch, float64",
    "feature by feature",
    "a state that knows its norm: a column of ones, written into an output",
)
ALL_PAIRS = "one product a word"
"""Of those whose time grows as the square, the one that takes longest to show it."""
TICKS = pytest.mark.parametrize("tick", [1e-7, 1 / 64])


@pytest.fixture(scope="module")
def seconds() -> Callable[[str, int, int], float]:
    """How long an answer takes for so many rows at its first, second … call: measured once, told as often as asked."""
    arguments = arguments_of(measured("linear_attention", "time"))
    known: dict[tuple[str, int], list[float]] = {}
    measure = asking._seconds

    def told(style: str, rows: int, call: int) -> float:
        found = known.setdefault((style, rows), [])
        while len(found) <= call:
            found.append(measure(written("linear_attention", style), arguments, rows))
        return found[call]

    return told


def use_clock(
    monkeypatch: pytest.MonkeyPatch, tick: float, seconds: Callable[[str, int, int], float]
) -> None:
    """Have a clock with this tick tell how long an answer takes for so many rows at its first, second … call."""
    clock, calls = tick / 2, Counter[tuple[str, int]]()

    def asked(answer: str, arguments: Any, rows: int) -> float:
        nonlocal clock
        began = clock // tick
        clock += seconds(answer, rows, calls[answer, rows])
        calls[answer, rows] += 1
        return (clock // tick - began) * tick

    monkeypatch.setattr(asking, "_seconds", asked)
    monkeypatch.setattr(asking, "_tick", lambda: tick)


@TICKS
@pytest.mark.parametrize(
    ("name", "power"),
    [
        ("LINEAR", 1.1),
        ("LINEAR", 1.3),
        ("SQUARE", 1.4),
        ("SQUARE", 1.65),
        ("CERTAIN", 1.65),
        ("CERTAIN", 2.2),
        ("CLEAR", 1.55),
        ("CLEAR", 1.9),
    ],
)
def test_the_limits_of_growth_are_far_from_both_sides(
    name: str, power: float, tick: float, seconds: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other powers tell right answers from wrong ones as well, and so does a clock that ticks like Windows'."""
    use_clock(monkeypatch, tick, seconds)
    steps = tuple(
        (*rows, power if limit == getattr(asking, name) else limit) for *rows, limit in asking.STEPS
    )
    monkeypatch.setattr(asking, "STEPS", steps)
    monkeypatch.setattr(asking, name, power)
    assert [style for style in LINEAR if asking._is_square(style, ())] == []
    assert asking._is_square(ALL_PAIRS, ())


@pytest.mark.parametrize(
    ("style", "square"),
    [
        ("the erasing as a matrix", False),
        ("Python's own numbers", False),
        ("chunks of 32 words", False),
        ("a function of the first t words", True),
    ],
)
def test_the_growth_of_the_delta_rule_is_seen(style: str, square: bool) -> None:
    case = measured("delta_attention", "time")
    found = asking.delta_in_linear_time(written("delta_attention", style), case, arguments_of(case))
    assert found["square"] == square


@pytest.mark.parametrize(
    ("exercise", "style"),
    [("linear_attention", ALL_PAIRS), ("delta_attention", "a function of the first t words")],
)
def test_growth_is_named_where_arguments_are_too_large_to_cross(exercise: str, style: str) -> None:
    """In grading an answer comes from another process, and so do the arguments that it leaves behind."""
    key = judge.hidden_key(LESSON, exercise, "ada")
    names = {**reference.load_namespace(LESSON), exercise: written(exercise, style)}
    answers = runner.ask_all(judge.make_question(LESSON, key).without_stubs(), names)
    received = tuple(wire.decode(wire.encode(observation)) for observation in answers.observations)
    verdict = judge.judge(key, (replace(answers, observations=received),))
    assert verdict.misconception == next(
        answer.misconception for answer in corpus.answers_to(LESSON, exercise) if answer.style == style
    )


SECONDS: dict[str, tuple[bool, Callable[[int, int], float]]] = {
    "linear, quick": (False, lambda n, call: 5e-7 * n),
    "linear, slow": (False, lambda n, call: 3e-4 * n),
    "linear, a first call takes four times as long": (
        False,
        lambda n, call: 1.5e-4 * n * (4 if n > 512 and not call else 1),
    ),
    "linear, above 2,048 rows out of a cache": (False, lambda n, call: 2e-6 * n * (1 + (n > 2048))),
    "square, quick, and out of a cache": (True, lambda n, call: 2.4e-9 * n * n * (1 + 0.3 * (n > 4096))),
    "square, slow": (True, lambda n, call: 1e-6 * n * n),
    "square, behind a loop": (True, lambda n, call: 6e-6 * n + 8e-9 * n * n),
    "square, one short call takes twice as long": (
        True,
        lambda n, call: 1e-7 * n * n * (2 if n <= 512 and not call else 1),
    ),
}
"""By what happens: whether time grows as the square, and the seconds for n rows at the first, second … call."""


@TICKS
@pytest.mark.parametrize("what", SECONDS)
def test_growth_is_told_whatever_happens(what: str, tick: float, monkeypatch: pytest.MonkeyPatch) -> None:
    square, takes = SECONDS[what]
    use_clock(monkeypatch, tick, lambda _, rows, call: takes(rows, call))
    assert asking._is_square(what, ()) == square


def test_a_clock_that_ticks_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = time.thread_time
    assert asking._tick() < asking.FINE
    monkeypatch.setattr(asking, "time", SimpleNamespace(thread_time=lambda: clock() * 64 // 1 / 64))
    assert asking._tick() == 1 / 64 > asking.FINE
    monkeypatch.setattr(asking, "time", SimpleNamespace(thread_time=lambda: 0.0))
    assert asking._tick() == math.inf


def test_a_python_loop_is_in_time() -> None:
    """Over the queries, over the keys, over all numbers of the state."""
    for exercise, style in (
        ("streamed_attention", "a Python loop over queries"),
        ("streamed_attention", "key by key, float32"),
        ("linear_attention", "Python's own numbers"),
    ):
        began = time.thread_time()
        assert verdict(exercise, answer(exercise, style)).state is State.RIGHT, style
        assert time.thread_time() - began < 30, style


# --- frequencies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.02, 0.3, 0.77])
def test_a_count_is_refused_only_where_it_is_less_likely_than_the_bound_says(share: float) -> None:
    """The bound against the exact tails of the binomial distribution."""
    n = 3000
    counts = np.arange(n + 1)
    refused = counts[
        frequencies.unlikely(counts, np.full(n + 1, n), np.full(n + 1, share)) > frequencies.LIMIT
    ]
    low, high = refused[refused < n * share].max(initial=-1), refused[refused > n * share].min(initial=n + 1)
    chance = bdtr(low, n, share) + bdtrc(high - 1, n, share)
    assert 0 < chance < 1e-9 / frequencies.LOOKS


def test_as_many_counts_are_looked_at_as_the_bound_allows() -> None:
    cases = judge.hidden_key(LESSON, "keep_or_redraw", "ada").cases
    looked = sum(3 * len(case.args[1]) for case in cases if isinstance(case, CasePutBy))
    assert looked <= frequencies.LOOKS


def test_the_first_counts_tell_each_mistake_from_every_other_one_and_from_what_is_right() -> None:
    case = judge.visible_key(LESSON, "keep_or_redraw").cases[0]
    assert isinstance(case, CasePutBy)
    _, p, q, _ = case.args
    known = frequencies.mistakes(p, q) | {"right": [frequencies.law(p, q)]}
    n = np.broadcast_to((case.facts["times"] * q)[:, None], (4, 4))
    for one, other in permutations(known, 2):
        for law, taken_for in product(known[one], known[other]):
            far = frequencies.unlikely(n * law, n, taken_for).max()
            assert far > 1.5 * frequencies.LIMIT, (one, other)


def test_only_how_words_are_redrawn_is_told_of_whoever_refuses_other_guesses() -> None:
    """(p − q)⁺ is right whichever guesses are refused, and what is not (p − q)⁺ is wrong."""
    p, q = np.array([0.6, 0.3, 0.05, 0.05]), np.array([0.4, 0.05, 0.3, 0.25])
    case: Any = SimpleNamespace(args=(None, p, q, None))
    refused = 1 - np.minimum(1, q / p)
    missing = np.maximum(p - q, 0)
    for drawn, is_right in (
        (missing / missing.sum(), True),
        (p, False),
        (q, False),
        (np.full(4, 0.25), False),
    ):
        law = np.diag(1 - refused) + refused[:, None] * drawn
        counts = np.round(3000 * q[:, None] * law).astype(int)
        seen: Any = SimpleNamespace(value=counts)
        assert (frequencies.redrawn(case, seen, seen) is None) == is_right


def test_what_can_never_come_is_refused_at_once() -> None:
    assert (
        frequencies.unlikely(np.array([1, 0]), np.array([9, 9]), np.array([0.0, 1.0])).min()
        > frequencies.LIMIT
    )
    assert frequencies.unlikely(np.array([0, 9]), np.array([9, 9]), np.array([0.0, 1.0])).max() == 0


def test_the_reference_gives_words_as_p_says_and_grading_draws_the_same_again() -> None:
    rng = np.random.default_rng(11)
    p, q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.15, 0.2, 0.4, 0.25])
    words = [taught("keep_or_redraw")(int(guess), p, q, rng) for guess in rng.choice(4, 20_000, p=q)]
    np.testing.assert_allclose(np.bincount(words) / 20_000, p, atol=0.02)
    right = frequencies.law(p, q)
    np.testing.assert_allclose(q @ right, p, atol=1e-12)
    keys = [judge.hidden_key(LESSON, "keep_or_redraw", "ada").expected for _ in range(2)]
    for one, other in zip(*keys, strict=True):
        np.testing.assert_array_equal(one.value, other.value)


def test_every_exercise_lists_eight_mistakes() -> None:
    for exercise in LESSON.graded:
        assert len(find_exercise(LESSON.id, exercise.id).misconceptions) >= 8, exercise.id


trained = fresh.margins(LESSON.id)
reading_on = importlib.import_module("attention.reading_on")
MARKDOWN = [cell for cell in LESSON.cells if cell.kind == "markdown"]


# --- what is said -----------------------------------------------------------------------------------------


def test_what_was_measured_is_what_the_text_says() -> None:
    """What a run gives now is looked at where nbval runs the notebook: `autograder.tests.fresh`."""
    trained.check(outputs())


def test_numbers_in_the_text_are_those_that_are_computed() -> None:
    """The model answer of the written question names two numbers of a cell without chance."""
    assert "0.112 ms" in prose()
    assert "moved four times: 0.112 ms" in outputs()
    assert "arithmetic without the softmax takes 0.035 ms" in prose()
    assert "the arithmetic, without the softmax: 0.035 ms" in outputs()
    first, both = (sum(math.exp(score - max(scores)) for score in scores) for scores in ((1, 3), (1, 3, 5)))
    assert f"exp(1 − 3) + exp(3 − 3) = {first:.3f}" in prose()
    assert f"{first:.3f} · exp(3 − 5) + exp(5 − 5) = {both:.3f}" in prose()
    assert "four times as large as all the parameters together" in prose()
    assert 3.9 < 62.5 / 15.0 < 4.3
    writer = load_austen()
    assert "has only 650,000 parameters" in prose()
    assert sum(one.numel() for one in writer.parameters()) == pytest.approx(650_000, rel=0.01)
    assert (smaller_rows := load_trained("lesson 07").embedding.weight.shape[1]) == 64
    p, q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.2, 0.5, 0.1])
    refused, missing = np.maximum(q - p, 0), np.maximum(p - q, 0)
    assert f"{refused[2]:.2f} + {refused[3]:.2f} = {refused.sum():.2f}, and the missing" in prose()
    assert f"{missing[0]:.2f} + {missing[1]:.2f} = {missing.sum():.2f}" in prose()
    assert missing / missing.sum() == pytest.approx([0.75, 0.25, 0, 0])
    assert "(0.3, 0.1, 0, 0) / 0.4 = (0.75, 0.25, 0, 0)" in prose()
    assert f"computed from a row of {smaller_rows} numbers" in prose()


def test_softmax_finds_every_pair_whose_key_no_other_has() -> None:
    """Keys that differ in one column have scores that lie (30² + 30²) / √16 apart: nothing is left of the others."""
    rng = np.random.default_rng(128)
    for _ in range(20):
        keys, values = np.where(rng.random((128, 16)) < 0.25, 30.0, -30.0), rng.normal(size=(128, 16))
        raised = np.exp((keys @ keys.T - (keys @ keys.T).max(1, keepdims=True)) / 4)
        _, which, times = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
        alone = times[which.ravel()] == 1
        answers = raised @ values / raised.sum(1, keepdims=True)
        assert np.array_equal(answers[alone], values[alone])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"W @ v takes [\d.]+", "W @ v takes 2.4"),
        (r"(kept heads: 1 of 4, .*) \S+ nats", r"\1 1.90 nats"),
        (r"all 128 numbers: \S+", "all 128 numbers: 1.80"),
        (r"1/4 of the cache: \S+", "1/4 of the cache: 2.40"),
        (r"as PyTorch's own function: True", "as PyTorch's own function: False"),
        (r"(kept heads: 2 of 4, cache after 2,000 words) +[\d,]+", r"\1 2,000"),
        (r"(your function +: +)[\d.]+ MiB", r"\1 30.0 MiB"),
        (r"(2,048 words:.*?) [\d.]+ MiB without", r"\1 90.0 MiB without"),
        (r"merge them, the same numbers: True", "merge them, the same numbers: False"),
        (r"from two parts is the same: True", "from two parts is the same: False"),
        (r"(each of 4 parts:.*?) \d+ ms at most", r"\1 999 ms at most"),
        (r"(memory to read .*), the same page: True", r"\1, the same page: False"),
        (r"tokens: +1,536", "tokens: 6,144"),
        (r"memory to read them: +\d+", "memory to read them: 99"),
        (r"[\d.]+% of 128\.", "40% of 128."),
        (r"delta rule( +4 keys, 8 values each:) +\d+%", r"delta rule\1  50%"),
        (r"instead of 400, \S+ times", "instead of 400, 1.0 times"),
        (r"2 guesses: \d+ passes", "2 guesses: 390 passes"),
        (r"(think: .*? alone), [\d.]+% come out", r"\1, 2.0% come out"),
    ],
)
def test_a_measurement_that_drifts_turns_red(old: str, new: str) -> None:
    drifted = re.sub(old, new, outputs(), count=1)
    assert drifted != outputs()
    with pytest.raises(AssertionError):
        trained.check(drifted)


# --- the real bugs ----------------------------------------------------------------------------------------

PROJECTS = {
    "line_onnx": "onnx/onnx#7274",
    "line_flashinfer": "flashinfer-ai/flashinfer#4051",
    "line_mlx": "ml-explore/mlx-lm#1109",
}


def test_each_slip_has_its_project_and_a_short_quotation() -> None:
    shown = re.findall(r"\*\*`(\w+)`\*\* · (\S+): “(.+?)” ```", prose())
    assert {name: project for name, project, _ in shown} == PROJECTS
    assert all(len(words.split()) <= 15 for *_, words in shown)


@pytest.mark.parametrize("line", list(PROJECTS))
def test_another_line_is_refused_by_the_project_s_name(line: str) -> None:
    names = {**reference.load_namespace(LESSON)}
    names[line] = names[line] % 4 + 1
    found = verdict_by(LESSON, judge.visible_key(LESSON, f"real_bug_{line.removeprefix('line_')}"), names)
    assert found.state is not State.RIGHT
    assert found.misconception is not None
    project = PROJECTS[line].split("/")[1].split("#")[0]
    assert found.misconception == f"{project}: another line blamed"


def test_the_slip_in_the_empty_sets_is_nan_from_its_line_on() -> None:
    empty = torch.tensor([-torch.inf])
    top = torch.maximum(empty, empty)
    assert not top.isnan().any()
    assert torch.exp(empty - top).isnan().all()


# --- the prices -------------------------------------------------------------------------------------------


def pieces() -> torch.Tensor:
    old = load_trained("lesson 07")
    number = {word: i for i, word in enumerate(old.words)}
    words = [number[word] for sentence in sentences(30, seed=8) for word in [*sentence, "."]]
    return torch.tensor(words[: 8 * 16]).view(8, 16)


def test_with_nothing_taken_away_the_writer_is_as_it_was() -> None:
    old, tokens = load_trained("lesson 07"), pieces()
    logits = old(tokens)[:, :-1].flatten(0, 1)
    right = functional.cross_entropy(logits, tokens[:, 1:].flatten()).item()
    sharing = smaller.with_shared_heads(old, 4)
    found = smaller.loss_with_shared_heads(sharing, taught("grouped_attention"), tokens)
    assert found == pytest.approx(right, abs=1e-4)
    found = smaller.loss_with_latents(old, taught("latent_attention"), 64, tokens)
    assert found == pytest.approx(right, abs=1e-3)


def test_what_lesson_08_gave_is_what_stands_in() -> None:
    X, places = (
        torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(0)),
        torch.tensor([0, 7, 3, 2000, 1]),
    )
    torch.testing.assert_close(
        reading_on.rotate(X, places), two_writers.turned(X, places), atol=1e-3, rtol=1e-3
    )
    Q, K, V = torch.randn(3, 2, 6, 4, generator=torch.Generator().manual_seed(1))
    first, kept = reading_on.attend_new(Q[:, :4], K[:, :4], V[:, :4])
    rest, kept = reading_on.attend_new(Q[:, 4:], K[:, 4:], V[:, 4:], kept)
    right = functional.scaled_dot_product_attention(Q, K, V, is_causal=True)
    torch.testing.assert_close(torch.cat([first, rest], 1), right)
    assert torch.equal(kept[0], K)
    with pytest.raises(ValueError, match="pairs"):
        reading_on.rotate(X[..., :7], places)


def test_heads_that_share_are_the_mean_of_their_group() -> None:
    old = load_trained("lesson 07")
    h = torch.randn(1, 3, 64, generator=torch.Generator().manual_seed(0))
    apart, shared = (
        writer.blocks[1].attention.split(h)[1] for writer in (old, smaller.with_shared_heads(old, 2))
    )
    torch.testing.assert_close(shared, apart.unflatten(1, (2, 2)).mean(2))


# --- guessing ahead ---------------------------------------------------------------------------------------


def test_guesses_that_are_refused_leave_nothing_behind() -> None:
    """Each word is drawn from the writer's own probabilities of what it had read, whatever the draft."""
    today, attend_new = load_trained("today"), reading_on.attend_new
    silly = np.full((986, 986), 1 / 986)
    seen: list[tuple[int, np.ndarray]] = []

    def never(guess: int, p: np.ndarray, q: np.ndarray, rng: np.random.Generator) -> int:
        seen.append((guess, p))
        return int(p.argmax())

    words, passes = two_writers.guess_and_check(today, silly, never, attend_new, 12, guesses=3, width=99)
    assert passes == len(seen) == 12
    greedy = today(torch.tensor([[0, *words]]))[0].argmax(-1).tolist()
    assert words == greedy[:12]


def test_a_bigram_counts_what_follows() -> None:
    rows = two_writers.follow_ups(torch.tensor([0, 1, 0, 1, 0, 2]), 3)
    assert rows[0] == pytest.approx([0, 2 / 3, 1 / 3], abs=0.001)


@pytest.mark.parametrize("kept", [0, 3])
@pytest.mark.parametrize("way", ["groups", "blocks", "parts"])
def test_each_learner_s_function_attends_as_lesson_08_s_does(way: str, kept: int) -> None:
    """Where one head of keys and values is kept, with several new tokens at once as well."""
    attend_new = {
        "groups": costs.by_groups(taught("grouped_attention")),
        "blocks": costs.by_blocks(taught("streamed_attention"), 2),
        "parts": costs.by_parts(taught("merge"), 2),
    }[way]
    Q, (K, V) = normal(4, 7, 6), (normal(1, 7, 6, seed=seed).expand(4, -1, -1) for seed in (1, 2))
    old = (K[:, :kept], V[:, :kept]) if kept else None
    right, pair = reading_on.attend_new(Q[:, kept:], K[:, kept:], V[:, kept:], old)
    output, held = attend_new(Q[:, kept:], K[:, kept:], V[:, kept:], old)
    torch.testing.assert_close(output, right)
    torch.testing.assert_close(held, pair)


# --- pictures ---------------------------------------------------------------------------------------------


def shown(draw: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """The text of the one picture that is drawn."""
    texts: list[str] = []
    monkeypatch.setattr(figures, "show", lambda figure, alt: texts.append(alt))
    draw()
    (text,) = texts
    return text


def test_the_running_numbers_are_those_of_the_streamed_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    Q, K, V = np.random.default_rng(1).normal(size=(3, 6, 4))
    text = shown(lambda: scale_pictures.lit_block(Q, K, V[:, :1], block=4), monkeypatch)
    for number, stop in ((1, 4), (2, 6)):
        (output,) = taught("streamed_attention")(Q[:1], K[:stop], V[:stop, :1], 4)[0]
        assert re.search(rf"block {number}: .*?output so far {output:.2f}", text)


def test_the_parts_of_a_query_and_what_they_give(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(lambda: scale_pictures.weighed_parts([(1.0, 0.0), (4.0, np.log(3.0))], 3.25), monkeypatch)
    assert "part 1 has 25% and the output 1.00, part 2 has 75% and the output 4.00" in text
    assert text.endswith("they give 3.25.")


def test_what_is_refused_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])
    text = shown(lambda: scale_pictures.kept_and_redrawn(p, q), monkeypatch)
    refused, again = (
        sum(map(float, re.findall(rf"{word} (\d\.\d+)", text))) for word in ("refused", "drawn instead")
    )
    assert refused == pytest.approx(again) == pytest.approx(0.4)

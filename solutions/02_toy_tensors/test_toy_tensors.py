"""Lesson 02: the reference against independent code, the prose's numbers, what verdicts say, what passes."""

from __future__ import annotations

import functools
import importlib
import re
from typing import Any

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
import scipy.special
import torch

from autograder.calls import runner
from autograder.exercises.exercise import AnswerKey, Observation
from autograder.judging import judge, reference
from autograder.quiz import practice
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, verdict_by
from autograder.views import verdict_view
import attention

LESSON = find_lesson("02_toy_tensors")
verdict = functools.partial(verdict_by, LESSON)
NAMES = reference.load_namespace(LESSON)
toy_pictures = importlib.import_module("attention.toy_pictures")


@functools.cache
def visible(exercise: str) -> AnswerKey:
    return judge.visible_key(LESSON, exercise)


@functools.cache
def hidden(exercise: str) -> AnswerKey:
    return judge.hidden_key(LESSON, exercise, "some student")


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
    assert stated("15.58")


def test_the_hand_example() -> None:
    Q, K = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    V = np.array([[10.0, 0.0], [0.0, 20.0], [30.0, 0.0]])
    weights = scipy.special.softmax([2**-0.5, 0, 2**-0.5])
    assert weights.round(3).tolist() == [0.401, 0.198, 0.401]
    assert NAMES["simple_attention"](Q, K, V).round(2).tolist() == [[16.04, 3.96]]
    np.testing.assert_allclose(NAMES["hand_weights"], weights)
    np.testing.assert_allclose(NAMES["hand_output"], weights @ V)
    assert f"{np.exp(2**-0.5):.3f}" == "2.028"
    assert stated("0.707", "2.028", "1.414")


def test_as_many_decimals_as_the_hand_example_asks_for_are_enough() -> None:
    assert stated("give two decimals at the end.")
    rounded = {name: np.round(NAMES[name], 2).tolist() for name in ("hand_weights", "hand_output")}
    key = judge.visible_key(LESSON, "predict_by_hand")
    assert rounded == {"hand_weights": [0.4, 0.2, 0.4], "hand_output": [16.04, 3.96]}
    assert verdict(key, rounded).state == "right"
    assert verdict(key, rounded | {"hand_output": [16, 4]}).misconception == "digits lost in rounding"


def toy() -> tuple[torch.Tensor, torch.Tensor]:
    keys = torch.tensor([[10.0, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]])
    return keys, torch.tensor([[1.0, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]])


def test_the_toy_queries() -> None:
    queries = torch.tensor([[0.0, 10, 0], [0, 0, 10], [10, 10, 0]])
    output, weights = NAMES["scaled_dot_product_attention"](queries, *toy())
    np.testing.assert_allclose(output, NAMES["looked_up"], atol=1e-4)
    assert [np.flatnonzero(row > 0.1).tolist() for row in weights.numpy()] == NAMES["attends_to"]


def test_without_the_divisor_only_the_weak_query_weighs_otherwise() -> None:
    (cell,) = (cell.text for cell in LESSON.cells if "look_inside(" in cell.text)
    names: dict[str, Any] = {"torch": torch}
    exec(cell.split("look_inside")[0], names)
    scores = names["toy_Q"] @ toy()[0].T
    with_it, without = torch.softmax(scores / 3**0.5, dim=-1), torch.softmax(scores, dim=-1)
    torch.testing.assert_close(with_it[:3], without[:3])
    assert names["toy_Q"][:3].tolist() == [[0.0, 10, 0], [0, 0, 10], [10, 10, 0]]
    assert stated(f"its best key gets {without[3].max():.2f} instead of {with_it[3].max():.2f}")


def test_the_best_of_ten_keys() -> None:
    rng = np.random.default_rng(5)
    for d_k, low, high in ((1, 0.2, 0.35), (256, 0.9, 1)):
        scores = np.einsum("id,ikd->ik", rng.normal(size=(500, d_k)), rng.normal(size=(500, 10, d_k)))
        assert low < scipy.special.softmax(scores, axis=1).max(axis=1).mean() < high
        assert 0.2 < scipy.special.softmax(scores / d_k**0.5, axis=1).max(axis=1).mean() < 0.4
    assert stated(
        "When $d_k = 256$ and the scores are not divided", "gets more than 0.9 of the weight on average"
    )


def test_half_of_the_gradients_vanish_without_the_division() -> None:
    rng = np.random.default_rng(5)
    scores = np.einsum("id,ikd->ik", rng.normal(size=(2000, 256)), rng.normal(size=(2000, 10, 256)))
    without, with_it = (scipy.special.softmax(these, axis=1) for these in (scores, scores / 16))
    assert np.median(without * (1 - without)) < 1e-10
    assert np.median(with_it * (1 - with_it)) > 0.06
    assert stated("are below $10^{-10}$ without the division. With it, half are above 0.06.")


@pytest.mark.parametrize(("weight", "gradient"), [(0.5, 0.25), (0.99, 0.0099)])
def test_the_gradient_of_a_weight(weight: float, gradient: float) -> None:
    score = torch.tensor(np.log(weight / (1 - weight)), requires_grad=True)
    torch.softmax(torch.stack([score, torch.zeros_like(score)]), dim=0)[0].backward()
    assert score.grad is not None
    assert score.grad.item() == pytest.approx(gradient)
    assert stated(f"{weight}$ this is {gradient}") or stated(f"{weight}$ it is only {gradient}")


# --- predictions --------------------------------------------------------------------------------------------

SECRETS = {
    "predict_by_hand": ("0.401", "0.40,", "0.198", "16.0", "3.96"),
    "mend_the_divisor": ("1.73", "3**0.5", "sqrt(3)", "√3", "d_k=3"),
    "predict_toy_queries": ("550", " 5.5", "[2, 3]", "[0, 1]", "[[0.0, 10, 0]]", "(0, strength"),
    "guess_one_matrix": ("even share", "a third", "1/3", "One matrix for queries and keys: 0"),
    "self_or_cross": ("toy lookup *self", "different places"),
}


def unfolded() -> str:
    """What is read without opening a fold: the lesson's text and code without folds and solutions."""
    texts = (cell.text for cell in LESSON.cells if cell.marker != "solution")
    return re.sub(r"<details.*?</details>", "", "\n".join(texts), flags=re.DOTALL)


def test_every_prediction_has_its_secrets() -> None:
    asked = {exercise.id for exercise in LESSON.exercises if exercise.values and not exercise.puzzle}
    assert asked == set(SECRETS)


@pytest.mark.parametrize("exercise", SECRETS)
def test_what_is_asked_is_nowhere_told_unfolded(exercise: str) -> None:
    assert [secret for secret in SECRETS[exercise] if secret in unfolded()] == []


@pytest.mark.parametrize("exercise", SECRETS)
def test_no_output_tells_what_is_asked_later(exercise: str) -> None:
    cells = nbformat.read(LESSON.built, as_version=4).cells
    check = next(i for i, cell in enumerate(cells) if cell.id == f"test_{exercise}")
    outputs = str([cell.get("outputs", []) for cell in cells[:check]])
    shown = re.sub(r"'image/png': '.*?'", "", outputs)
    assert [secret for secret in SECRETS[exercise] if secret in shown] == []


# --- the pictures -----------------------------------------------------------------------------------------


@pytest.fixture
def turned(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the next picture with a slider is made of, by the names of what `explore` takes."""
    taken: dict[str, Any] = {}

    def explore(draw: Any, stills: Any, **more: Any) -> None:
        taken.update(draw=draw, stills=stills, **more)

    monkeypatch.setattr(toy_pictures, "explore", explore)
    return taken


def test_only_what_moves_moves(turned: dict[str, Any]) -> None:
    """All of 25 stops have the same limits."""
    toy_pictures.paint(NAMES["simple_attention"], toy_pictures.KEYS, toy_pictures.COLOURS)
    assert isinstance(turned["turn"], (list, range))  # of an array, nobody can say whether it is empty
    assert len(turned["turn"]) == 25
    limits = set()
    for stop in turned["turn"]:
        figure, row = plt.subplots(1, turned.get("panels", 1), squeeze=False)
        turned["draw"](stop, *row[0])
        limits.add(tuple((axes.get_xlim(), axes.get_ylim()) for axes in row[0]))
        plt.close(figure)
    assert len(limits) == 1


def test_training_finds_the_painting_with_other_keys() -> None:
    attend, keys = NAMES["scaled_dot_product_attention"], toy_pictures.KEYS
    moved = np.vstack([keys[:5], 4 * keys[5]])
    for goal in (keys, moved):
        stages = toy_pictures.fit_painting(attend, goal, toy_pictures.COLOURS)
        assert stages[0][1] > 0.15
        assert stages[400][1] < 0.02
        assert np.abs(stages[400][0][0] - goal).max() > 0.1


@pytest.mark.parametrize("seed", range(4))
def test_one_matrix_ends_with_an_even_share_and_two_with_what_was_wanted(seed: int) -> None:
    one, two = (
        toy_pictures.fit_round(NAMES["scaled_dot_product_attention"], matrices, seed) for matrices in (1, 2)
    )
    np.testing.assert_allclose(one, 1 / 3, atol=1e-3)
    np.testing.assert_allclose(one[range(3), [1, 2, 0]], NAMES["with_one"], atol=1e-3)
    np.testing.assert_allclose(two[range(3), [1, 2, 0]], NAMES["with_two"], atol=5e-3)
    assert stated("Ming at\nAnna, Anna at Tom, Tom at Ming.", "the three wanted weights are equal.")


def test_no_single_matrix_does_better_than_an_even_share() -> None:
    rng = np.random.default_rng(1)
    for size in (0.1, 1.0, 5.0):
        for _ in range(200):
            rows = size * rng.normal(size=(3, 4))
            weights = scipy.special.softmax(rows @ rows.T / 2, axis=1)
            assert np.log(weights[range(3), [1, 2, 0]]).sum() <= -3 * np.log(3) + 1e-9


def test_no_given_cell_is_long() -> None:
    given = [cell.text for cell in LESSON.cells if cell.kind == "code" and not cell.marker]
    assert max(len(text.splitlines()) for text in given) <= 12


def test_white_wins_nowhere_until_its_key_reaches_past_its_neighbours() -> None:
    round_about = toy_pictures._directions(np.linspace(0, 360, 7201))
    keys, own = toy_pictures.KEYS, toy_pictures.COLOURS
    best = (round_about @ keys.T).argmax(axis=1)
    assert set(best) == set(range(5))
    assert own[5].tolist() == [1, 1, 1]
    weights = NAMES["simple_attention"](16 * round_about, keys, np.eye(6))
    assert weights[:, 5].max() < weights.max(axis=1).min()
    moved = np.vstack([keys[:5], 4 * keys[5]])
    assert 5 in (round_about @ moved.T).argmax(axis=1)
    cell = next(cell.text for cell in LESSON.cells if "toy_pictures.paint(" in cell.text)
    names: dict[str, Any] = {"np": np}
    exec(cell.split("toy_pictures.paint")[0], names)
    np.testing.assert_array_equal(names["my_keys"], keys)
    np.testing.assert_array_equal(names["my_colours"], own)


def test_each_point_of_the_painting_is_the_blend_that_its_query_fetches(turned: dict[str, Any]) -> None:
    toy_pictures.paint(NAMES["simple_attention"], toy_pictures.KEYS, toy_pictures.COLOURS)
    figure, axes = plt.subplots()
    turned["draw"](4, axes)
    drawn = np.asarray(axes.images[0].get_array())
    assert axes.images[0].origin == "lower"
    for row, column in ((0, 0), (0, 199), (120, 40)):
        query = np.linspace(-4, 4, 200)[[column, row]]
        weights = scipy.special.softmax(toy_pictures.KEYS @ query / 2**0.5)
        np.testing.assert_allclose(drawn[row, column], weights @ toy_pictures.COLOURS)
    assert "key 5 in 0." in turned["alt"]
    plt.close(figure)


@pytest.mark.usefixtures("turned")
def test_painting_counts_where_white_wins(capsys: pytest.CaptureFixture[str]) -> None:
    keys, colours = toy_pictures.KEYS, toy_pictures.COLOURS
    toy_pictures.paint(NAMES["simple_attention"], keys, colours)
    assert capsys.readouterr().out == "White wins 0 of 360 directions.\n"
    moved = np.vstack([keys[:5], 4 * keys[5]])
    wins = (toy_pictures._directions(np.arange(360)) @ moved.T).argmax(axis=1).tolist().count(5)
    toy_pictures.paint(NAMES["simple_attention"], moved, colours)
    assert capsys.readouterr().out == f"White wins {wins} of 360 directions.\n"
    assert wins > 0
    toy_pictures.paint(NAMES["simple_attention"], moved.tolist(), [*colours[:5], [0.5, 0.5, 0.5]])
    assert capsys.readouterr().out == f"The last key wins {wins} of 360 directions.\n"


def test_the_cold_questions_are_all_on_lesson_01() -> None:
    assert stated("up to three questions on lesson 1")
    assert practice.LESSON_QUESTIONS == 3
    assert COURSE.visible.lessons.index(LESSON.id) == 1


# --- the puzzles ------------------------------------------------------------------------------------------


def test_the_puzzles_to_think_over_are_answered_as_attention_does() -> None:
    Q, K, V = random_tensors((2, 5, 8), (2, 7, 8), (2, 7, 3))
    output, weights = attention.attention(Q, K, V)
    assert (NAMES["scores_shape"], NAMES["output_shape"]) == (weights.shape, output.shape)
    order, others = torch.tensor([3, 0, 6, 1, 5, 2, 4]), torch.tensor([4, 2, 0, 1, 3])
    both, queries, alone = (
        attention.attention(*one)[0]
        for one in ((Q, K[:, order], V[:, order]), (Q[:, others], K, V), (Q, K[:, order], V))
    )
    assert NAMES["after_shuffling"] == ["same", "reordered", "different"]
    torch.testing.assert_close(both, output)
    torch.testing.assert_close(queries, output[:, others])
    assert torch.cdist(alone, output).min() > 1e-3


@pytest.mark.parametrize("n", [1, 2, 9])
def test_every_word_copies_its_left_neighbour(n: int) -> None:
    V = np.random.default_rng(3).normal(size=(n, 4))
    copied = NAMES["simple_attention"](*NAMES["copy_left"](n), V)
    np.testing.assert_allclose(copied, np.vstack([V[:1], V[:-1]]), atol=1e-6)


def test_all_scores_give_the_weights_of_self_attention() -> None:
    X, W_Q, W_K = random_tensors((2, 4, 6), (6, 3), (6, 3))
    scores = NAMES["all_scores"](X, W_Q, W_K)
    torch.testing.assert_close(scores.softmax(-1), attention.attention(X @ W_Q, X @ W_K, X)[1])


def test_what_is_asked_of_whoever_whispers_is_true() -> None:
    (whisper,) = (m for m in find_exercise(LESSON, "copy_left").misconceptions if "too close" in m.name)
    high, low = scipy.special.softmax([1, 0])
    assert f"scores 1 and 0 is {high:.2f} and {low:.2f}" in whisper.question


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


def told(exercise: str, cell: str, key: AnswerKey | None = None) -> str:
    """What a student reads who writes this cell, on the visible cases where no other key is given."""
    names = dict(NAMES)
    exec(cell, names)
    return verdict_view.as_text(verdict(key or visible(exercise), names))


def test_of_two_predictions_each_is_judged_by_itself() -> None:
    text = told("predict_by_hand", "hand_weights, hand_output = [0.401, 0.198, 0.401], ...")
    assert "✓ the weights are right" in text
    assert "– the output is right (not reached)\n      hand_output is not filled in yet" in text


def test_what_was_rounded_too_soon_is_called_so() -> None:
    text = told("predict_by_hand", "hand_weights, hand_output = [0.40, 0.20, 0.40], [16.00, 4.00]")
    assert "✓ the weights are right" in text
    assert "Looks like: digits lost in rounding" in text
    assert "not the weighted sum" not in text


def test_positions_are_shown_as_they_were_written() -> None:
    text = told("predict_toy_queries", "attends_to = [[0, 1, 0, 0], [0, 0, 0.5, 0.5], [0.5, 0.5, 0, 0]]")
    assert "yours: [0, 1, 0, 0]" in text
    assert "Looks like: weights instead of positions" in text


ATTENTION = "def scaled_dot_product_attention(Q, K, V):\n    "


def test_an_error_of_torch_s_is_not_taken_for_the_stub() -> None:
    text = told("scaled_dot_product_attention", f"{ATTENTION}return torch.softmax((Q @ K.mT).long(), -1) @ V")
    assert "your code raised NotImplementedError" in text
    assert "– leaves its inputs as they were (not reached)" in text


def test_finished_code_with_a_refusal_of_its_own_is_started() -> None:
    body = "if Q.dim() > 2: raise NotImplementedError('batches later')\n    return attention(Q, K, V)"
    text = told("scaled_dot_product_attention", ATTENTION + body)
    assert "✓ the numbers are right, whatever the sizes" in text
    assert "– the numbers are right for batches (not reached)" in text


def test_bmm_transposes_no_batch_and_wants_one() -> None:
    body = "w = torch.softmax(torch.bmm(Q, K.transpose(1, 2)) / K.shape[-1] ** 0.5, -1)\n    return torch.bmm(w, V), w"
    for key in (visible("scaled_dot_product_attention"), hidden("scaled_dot_product_attention")):
        text = told("scaled_dot_product_attention", ATTENTION + body, key)
        assert "Looks like: works for one rank only" in text
        assert "✗" not in text.split("\n", 1)[1]


def test_the_course_s_attention_may_be_called_where_the_text_allows_it() -> None:
    cell = "def self_attention(X, W_Q, W_K, W_V): return attention(X @ W_Q, X @ W_K, X @ W_V)"
    assert "does the exercise for you" not in told("self_attention", cell, hidden("self_attention"))
    assert verdict(hidden("self_attention"), NAMES).state == "right"


@pytest.mark.parametrize(
    "result", ["w, w @ V", "w @ V", "(w @ V, w, w)", "None"], ids=["swapped", "output", "three", "nothing"]
)
def test_row_sums_are_those_of_weights_alone(result: str) -> None:
    body = f"w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)\n    return {result}"
    for key in (visible("scaled_dot_product_attention"), hidden("scaled_dot_product_attention")):
        text = told("scaled_dot_product_attention", ATTENTION + body, key)
        assert "– every query's weights sum to 1 (not reached)" in text
        assert "– gradients reach Q, K and V (not reached)" in text


VARIANCE = "def score_variance(d_k, n_samples, rng):\n    "
SCORES = "q, k = rng.standard_normal((2, n_samples, d_k)); s = (q * k).sum(axis=1)"


@pytest.mark.parametrize(
    "drawn",
    [
        "s = rng.standard_normal(d_k) * rng.standard_normal(d_k)",
        "s = rng.standard_normal(d_k) @ rng.standard_normal((d_k, n_samples))",
        "s = rng.normal(0, d_k ** 0.5, n_samples)",
    ],
)
def test_fewer_draws_than_pairs_are_seen(drawn: str) -> None:
    text = told("score_variance", f"{VARIANCE}{drawn}\n    return s.var(), (s / d_k ** 0.5).var()")
    assert "✗ draws as many pairs as it is asked for" in text
    assert "fewer numbers were drawn from rng" in text


def test_who_draws_elsewhere_may_still_draw_as_many_pairs() -> None:
    body = f"rng = np.random.default_rng(7); {SCORES}\n    return s.var(), s.var() / d_k"
    text = told("score_variance", VARIANCE + body)
    assert "✗ the generator it is given decides its numbers" in text
    assert "– draws as many pairs as it is asked for (not reached)" in text
    assert "– raw scores of separate pairs spread as d_k says (not reached)" in text


def test_no_answer_has_no_variance_and_no_draws() -> None:
    text = told("score_variance", f"{VARIANCE}rng.normal(size=n_samples)")
    assert text.count("✗") == 2  # the verdict's own, and that two variances come back
    assert "✓" not in text


def test_single_precision_draws_as_many_pairs_whoever_is_asked() -> None:
    part = next(
        one for one in find_exercise(LESSON, "score_variance").criteria if "as many pairs" in one.title
    )
    names = dict(NAMES)
    exec(
        f"{VARIANCE}{SCORES.replace('d_k))', 'd_k), dtype=np.float32)')}\n    return s.var(), s.var() / d_k",
        names,
    )
    for student in range(30):
        key = judge.hidden_key(LESSON, "score_variance", f"student {student}")
        cases = [case for case in key.cases if case.tag in part.tags]
        seen = runner.ask(runner.Question("score_variance", (), tuple(cases)), names).observations
        assert not any(part.rule(case, one, one) for case, one in zip(cases, seen, strict=True))


# --- the cases --------------------------------------------------------------------------------------------


def variance_in_one_array(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    k, q = rng.normal(0, 1, size=(2, d_k, n_samples))
    scores = np.einsum("ij,ij->j", q, k)
    return np.array([scores.var(ddof=1), (scores / d_k**0.5).var(ddof=1)])


def test_right_variances_pass_whatever_the_seed() -> None:
    exercise = find_exercise(LESSON, "score_variance")
    for seed in range(20):
        for case in exercise.draw(np.random.default_rng(seed)):
            question = runner.Question(exercise.id, (), (case,))
            answers = runner.ask_all(question, {exercise.id: variance_in_one_array})
            parts = [part for part in exercise.criteria if not part.tags or case.tag in part.tags]
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

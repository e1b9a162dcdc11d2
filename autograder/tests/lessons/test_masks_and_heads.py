"""Lesson 06: the reference against PyTorch, the prose's numbers, wrong answers named, right ones accepted."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from autograder import judge, ladder, probe, reference, source, values
from autograder.exercise import Exercise, Verdict
from autograder.lessons.masks_and_heads import LESSON, Heads
from autograder.rules import masks_and_heads as rules

EXERCISES = {exercise.id: exercise for exercise in LESSON.exercises}
VALUES = {
    "guess_covered_key": ([0.401, 0.198, 0.401], 1),
    "predict_who_sees_whom": ([0, 1, 2], [0, 1, 3], [0, 1]),
    "predict_head_zero": ([[0, 1], [4, 5], [8, 9]], [[0, 1], [2, 3], [4, 5]]),
}


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Thousands of tiny tensors: more threads only wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def ask(exercise: Exercise, names: dict[str, Any], visible: bool = False) -> Verdict:
    key = visible_key(exercise.id) if visible else judge.hidden_key(LESSON.id, exercise.id, "ada")
    return ladder.climb(key, probe.ask(judge.question(key), names))


@functools.cache
def visible_key(exercise: str) -> Any:
    return judge.visible_key(LESSON.id, EXERCISES[exercise])


def names_of(exercise: Exercise, answer: Any) -> dict[str, Any]:
    if exercise.values:
        return dict(zip(exercise.values, answer() if callable(answer) else answer, strict=True))
    return {exercise.id: answer}


def judged(exercise: str, answer: Any, visible: bool = False) -> Verdict:
    return ask(EXERCISES[exercise], names_of(EXERCISES[exercise], answer), visible)


def taught(name: str) -> Any:
    return reference.namespace(LESSON.id)[name]


# --- the reference, against other people's code -----------------------------------------------------------


def test_causal_mask_is_the_one_pytorch_uses() -> None:
    for n in (1, 2, 5):
        theirs = nn.Transformer.generate_square_subsequent_mask(n)
        assert torch.equal(taught("additive_mask")(taught("create_causal_mask")(n)), theirs)


def test_additive_mask_is_what_the_notes_print() -> None:
    printed = str(taught("additive_mask")(taught("create_causal_mask")(4)).numpy())
    notes = "[[ 0. -inf -inf -inf] [ 0. 0. -inf -inf] [ 0. 0. 0. -inf] [ 0. 0. 0. 0.]]"
    assert " ".join(printed.split()) == notes


def test_masked_weights_agree_with_sdpa() -> None:
    torch.manual_seed(0)
    q, k, mask = torch.randn(2, 3, 5), torch.randn(2, 4, 5), torch.rand(2, 3, 4) < 0.6
    mask[1, 2] = False
    theirs = functional.scaled_dot_product_attention(q, k, torch.eye(4).expand(2, 4, 4), attn_mask=mask)
    ours = taught("masked_weights")(q @ k.mT / math.sqrt(5), mask)
    assert torch.allclose(ours, theirs.nan_to_num(), atol=1e-6)


@pytest.mark.parametrize("n_q", [1, 4])
@pytest.mark.parametrize("heads", [1, 2, 3])
def test_multi_head_attention_agrees_with_pytorch(heads: int, n_q: int) -> None:
    torch.manual_seed(heads)
    mine = taught("MultiHeadAttention")(12, heads)
    theirs = nn.MultiheadAttention(12, heads, bias=False, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([mine.W_q.weight, mine.W_k.weight, mine.W_v.weight]))
        theirs.out_proj.weight.copy_(mine.W_o.weight)
    queries, keys, values = torch.randn(2, n_q, 12), torch.randn(2, 5, 12), torch.randn(2, 5, 12)
    mask = torch.rand(2, n_q, 5) < 0.6
    mask[0, 0] = False
    for allowed in (None, mask):
        forbidden = None if allowed is None else ~allowed.repeat_interleave(heads, 0)
        wanted, weights = theirs(queries, keys, values, attn_mask=forbidden, average_attn_weights=False)
        assert torch.allclose(mine(queries, keys, values, allowed), wanted.nan_to_num(), atol=1e-5)
        assert torch.allclose(mine.attention_weights, weights.nan_to_num(), atol=1e-5)


def test_an_empty_row_has_a_gradient() -> None:
    scores = torch.randn(2, 3, requires_grad=True)
    mask = torch.tensor([[True, False, True], [False, False, False]])
    (taught("masked_weights")(scores, mask) * torch.arange(3.0)).sum().backward()
    assert scores.grad is not None
    assert torch.isfinite(scores.grad).all()
    assert not scores.grad[1].any()


def test_split_and_merge_are_inverse_and_split_keeps_columns_together() -> None:
    X = torch.randn(2, 3, 12)
    parts = taught("split_heads")(X, 4)
    assert torch.equal(taught("merge_heads")(parts), X)
    for head in range(4):
        assert torch.equal(parts[:, head], X[:, :, 3 * head : 3 * head + 3])


# --- the numbers in the prose -----------------------------------------------------------------------------


def softmax(*scores: float) -> np.ndarray:
    kernel = np.exp(np.array(scores))
    return kernel / kernel.sum()


def test_the_notes_first_example() -> None:
    weights = softmax(1 / math.sqrt(2), 0, 1 / math.sqrt(2))
    values = np.array([[10, 0], [0, 20], [30, 0]])
    assert weights.round(3).tolist() == [0.401, 0.198, 0.401]
    assert (weights @ values).round(2).tolist() == [16.04, 3.96]
    assert math.exp(1 / math.sqrt(2)) == pytest.approx(2.03, abs=0.005)
    assert np.array([0.5, 0, 0.5]) @ values == pytest.approx([20, 0])  # as with key 1 covered


def test_the_notes_second_example() -> None:
    weights, values = softmax(1, 2, 0.5), np.array([10, 20, 5])
    rounded = np.array([0.231, 0.628, 0.140])
    assert rounded.sum() == pytest.approx(0.999)
    assert rounded @ values == pytest.approx(15.57)
    assert weights @ values == pytest.approx(15.58, abs=0.005)
    assert weights[2] == pytest.approx(0.14, abs=0.005)
    assert weights[:2] @ values[:2] == pytest.approx(14.88, abs=0.005)
    assert softmax(1, 2) @ values[:2] == pytest.approx(17.31, abs=0.005)


def test_what_one_two_and_four_heads_look_at() -> None:
    for heads, words, weight in ((1, 4, 0.23), (2, 2, 0.44), (4, 1, 0.92)):
        score = 6 / math.sqrt(8 / heads)
        assert softmax(*[score] * words, *[0] * (7 - words))[0] == pytest.approx(weight, abs=0.005)


def test_the_parameters_of_128_features() -> None:
    for heads, d_k in ((1, 128), (8, 16)):
        mha = taught("MultiHeadAttention")(128, heads)
        assert mha.d_k == d_k
        assert sum(parameter.numel() for parameter in mha.parameters()) == 4 * 128**2 == 65536


# --- wrong answers ----------------------------------------------------------------------------------------

WRONG = [
    pytest.param(exercise, mistake.name, way, id=f"{exercise.id}-{mistake.name}-{i}")
    for exercise in LESSON.exercises
    for mistake in exercise.misconceptions
    for i, way in enumerate(mistake.wrong)
]


@pytest.mark.parametrize(("exercise", "name", "way"), WRONG)
def test_a_misconception_is_refused_and_named(exercise: Exercise, name: str, way: Callable[..., Any]) -> None:
    verdict = ask(exercise, names_of(exercise, way))
    assert verdict.points < verdict.max_points
    assert verdict.misconception == name
    assert name in verdict.looks_like


FIRST_WAYS = [way for way in WRONG if way.id is not None and way.id.endswith("-0")]


@pytest.mark.parametrize(("exercise", "name", "way"), FIRST_WAYS)
def test_the_visible_examples_name_it_too(exercise: Exercise, name: str, way: Callable[..., Any]) -> None:
    verdict = ask(exercise, names_of(exercise, way), visible=True)
    assert verdict.state == "wrong"
    assert verdict.misconception == name


def test_unfinished_or_wrong_pieces_cost_nothing_here() -> None:
    key = judge.hidden_key(LESSON.id, "MultiHeadAttention", "ada")
    question = judge.question(key)
    text = source.solution_of(LESSON.id, "MultiHeadAttention")
    for pieces in (
        "def split_heads(X, num_heads): raise NotImplementedError",
        "split_heads = lambda X, h: X.reshape(len(X), h, X.shape[1], -1)\n"
        "merge_heads = lambda X: X.reshape(len(X), X.shape[2], -1)\n"
        "masked_weights = lambda scores, mask: torch.softmax(scores, -1)",
    ):
        names: dict[str, Any] = {"__name__": "student"}
        exec(f"import math, torch\nfrom torch import nn\n{pieces}\n{text}", names)
        verdict = judge.judge(key, probe.ask_all(question, names))
        assert verdict.points == verdict.max_points, verdict


def test_a_verdict_on_a_prediction_does_not_give_it_away() -> None:
    for exercise in ("predict_who_sees_whom", "guess_covered_key", "predict_head_zero"):
        answer = [[9] for _ in EXERCISES[exercise].values]
        told = " ".join(" ".join(line.details) for line in judged(exercise, answer).lines)
        assert "expected" not in told
        assert not any(str(value) in told for value in VALUES[exercise] if value != 1)


def test_rules_never_raise() -> None:
    arrays = [np.zeros(0), np.full((2, 3), np.nan), np.array(True)]
    odd = [None, *arrays, "text", [1, [2]], {"value": None}, {"output": 3}, (1, None)]
    own = [rule for name, rule in vars(rules).items() if name in USED_RULES]
    for exercise in LESSON.exercises:
        key = visible_key(exercise.id)
        fitting = [part.rule for part in exercise.parts if part.rule in own]
        for case, expected in zip(key.cases, key.expected, strict=True):
            for value in odd:
                seen = probe.Observation(value=value, again=value, after=())
                for rule in fitting:
                    if expected.error is None:
                        rule(case, seen, expected)


USED_RULES = {part.rule.__name__ for exercise in LESSON.exercises for part in exercise.parts}


# --- the reference as an answer ---------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.id)
def test_the_reference_is_right_for_every_student(exercise: Exercise) -> None:
    for student in ("ben", "cleo") if exercise.id != "MultiHeadAttention" else ("ada",):
        key = judge.hidden_key(LESSON.id, exercise.id, student)
        question = judge.question(key)
        verdict = ladder.climb(key, probe.ask(question, reference.namespace(LESSON.id)))
        assert verdict.points == verdict.max_points, verdict


def test_two_right_answers_agree_whatever_is_drawn() -> None:
    """No drawn input is so close to a tie that rounding would make a right answer look wrong."""
    exercise = EXERCISES["MultiHeadAttention"]
    for seed in range(8):
        question = probe.Question(exercise.id, (), exercise.draw(np.random.default_rng(seed)))
        answers = Heads, taught(exercise.id)
        one, other = (probe.ask(question, {exercise.id: answer}).observations for answer in answers)
        for case, seen, expected in zip(question.cases, one, other, strict=True):
            if case.tag not in ("build", "refuse"):
                assert values.close(seen.value, expected.value, case.tolerance / 10), case.label

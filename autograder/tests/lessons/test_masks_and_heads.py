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
from autograder.lessons.masks_and_heads import LESSON, Heads, wrong
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
    return ladder.climb(key, probe.ask(probe.Question(key.exercise, key.values, key.cases), names))


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


class Biased(Heads):
    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__(d_model, num_heads)
        self.W_o = nn.Linear(d_model, d_model)


class OneProjection(Heads):
    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__(d_model, num_heads)
        self.W_k = self.W_v = self.W_q


class OneLayer(Heads):
    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__(d_model, num_heads)
        self.W = self.W_q
        del self.W_q, self.W_k, self.W_v

    def project(self, queries: Any, keys: Any, values: Any) -> tuple[torch.Tensor, ...]:
        return self.W(queries), self.W(keys), self.W(values)


class NoOutputLayer(Heads):
    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__(d_model, num_heads)
        del self.W_o

    def mix(self, X: torch.Tensor) -> torch.Tensor:
        return X


class WholeWidth(Heads):
    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__(d_model, num_heads)
        self.d_k = d_model

    def cut(self, X: torch.Tensor, n: int) -> torch.Tensor:
        return X.view(len(X), n, self.num_heads, -1).transpose(1, 2)


class Asserting(Heads):
    def __init__(self, d_model: int, num_heads: int) -> None:
        assert d_model % num_heads == 0
        super().__init__(d_model, num_heads)


class Lenient(Heads):
    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__(d_model, math.gcd(d_model, num_heads))


class InPlace(Heads):
    def widen(self, mask: torch.Tensor) -> torch.Tensor:
        return mask.unsqueeze_(1) if mask.dim() == 3 else mask


class AlwaysFailing(Heads):
    def glue(self, X: torch.Tensor) -> torch.Tensor:
        return X.transpose(1, 2).view(len(X), X.shape[2], -1)


class NoTranspose(Heads):
    def cut(self, X: torch.Tensor, n: int) -> torch.Tensor:
        return X.view(len(X), n, self.num_heads, self.d_k)

    def glue(self, X: torch.Tensor) -> torch.Tensor:
        return X.flatten(2)


HEAD_ERRORS: list[tuple[Any, str]] = [
    (Biased, ""),
    (OneProjection, "one projection for all"),
    (OneLayer, "one projection for all"),
    (NoOutputLayer, "no W_o"),
    (WholeWidth, "√d_model"),
    (Asserting, ""),
    (Lenient, ""),
    (InPlace, "writes into its input"),
    (AlwaysFailing, ""),
    (NoTranspose, ""),
    (wrong(weigh=lambda self, s, m: rightly(s.detach(), m)), "gradient cut"),
    (wrong(mix=lambda self, X: self.W_o(X.data)), "gradient cut"),
    (wrong(project=lambda self, q, k, v: (self.W_q(q), self.W_k(k.detach()), self.W_v(v))), "gradient cut"),
]


def rightly(scores: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    return taught("masked_weights")(scores, mask)


@pytest.mark.parametrize(("answer", "name"), HEAD_ERRORS)
def test_other_wrong_heads_are_refused(answer: Any, name: str) -> None:
    verdict = judged("MultiHeadAttention", answer)
    assert verdict.points < verdict.max_points
    assert verdict.misconception == name


def test_unfinished_or_wrong_pieces_cost_nothing_here() -> None:
    key = judge.hidden_key(LESSON.id, "MultiHeadAttention", "ada")
    question = probe.Question(key.exercise, key.values, key.cases)
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


OTHER_ERRORS: list[tuple[str, Any, str]] = [
    ("create_causal_mask", lambda n: torch.ones(n, n, dtype=torch.bool), ""),
    ("create_causal_mask", lambda n: torch.eye(n, dtype=torch.bool), ""),
    ("create_causal_mask", lambda n: torch.ones(n, n, dtype=torch.long).tril(), "not boolean"),
    ("create_causal_mask", lambda n: torch.ones(1, n, n, dtype=torch.bool).tril(), ""),
    ("create_causal_mask", lambda n: torch.ones(n, n).triu(), "looks ahead"),
    ("create_causal_mask", lambda n: None, ""),
    ("additive_mask", lambda mask: mask, "fill too weak"),
    ("additive_mask", lambda mask: torch.zeros(4, 4), ""),
    ("additive_mask", lambda mask: mask.logical_not_().float().log().neg(), ""),
    ("create_padding_mask", lambda seq, pad_token=0: torch.as_tensor(seq) != pad_token, ""),
    ("create_padding_mask", lambda seq, pad_token=0: (seq != pad_token)[:, None], ""),
    ("create_padding_mask", lambda seq, pad_token=0: (torch.as_tensor(seq) > pad_token)[:, None], ""),
    ("create_padding_mask", lambda seq, pad_token=0: 1 * padding_in_numpy(seq, pad_token), "not boolean"),
    ("split_heads", lambda X, num_heads: X, ""),
    ("merge_heads", lambda X: X.transpose(1, 2).transpose(1, 2).reshape(len(X), -1), ""),
    ("predict_who_sees_whom", ([0, 1], [0, 1], [0, 1]), ""),
    ("predict_who_sees_whom", ("0", None, {}), ""),
    ("predict_head_zero", ([0, 1, 4, 5, 8, 9], [[0, 1], [2, 3], [4, 5]]), ""),
    ("guess_covered_key", ([0.3, 0.3, 0.4], 0), ""),
]


@pytest.mark.parametrize(("exercise", "answer", "name"), OTHER_ERRORS)
def test_other_wrong_answers_are_refused(exercise: str, answer: Any, name: str) -> None:
    verdict = judged(exercise, answer)
    assert verdict.points < verdict.max_points
    assert verdict.misconception == name or not name


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


# --- right answers in other styles ------------------------------------------------------------------------


def causal_by_loops(n: int) -> Any:
    return torch.tensor([[key <= query for key in range(n)] for query in range(n)])


def causal_in_numpy(n: int) -> Any:
    return np.tri(n, dtype=bool)


def causal_by_negation(n: int) -> Any:
    return ~torch.ones(n, n).triu(diagonal=1).bool()


def causal_by_comparison(n: int) -> Any:
    positions = torch.arange(n)
    return positions[:, None] >= positions


def padding_by_loops(seq: Any, pad_token: int = 0) -> Any:
    return torch.tensor([[[int(token) != pad_token for token in row]] for row in seq])


def padding_in_numpy(seq: Any, pad_token: int = 0) -> Any:
    return np.expand_dims(np.asarray(seq) != pad_token, 1)


def padding_by_equality(seq: Any, pad_token: int = 0) -> Any:
    seq = seq if isinstance(seq, torch.Tensor) else torch.tensor(np.array(seq))
    return torch.logical_not(seq.eq(pad_token)).view(seq.size(0), 1, seq.size(1))


def additive_by_where(mask: Any) -> Any:
    return torch.where(mask, 0.0, float("-inf"))


def additive_by_log(mask: Any) -> Any:
    return mask.double().log()


def additive_in_place(mask: Any) -> Any:
    result = torch.zeros_like(mask, dtype=torch.float32)
    result[~mask] = -torch.inf
    return result


def additive_in_numpy(mask: Any) -> Any:
    return np.where(mask.numpy(), 0.0, -np.inf)


def split_by_chunks(X: Any, num_heads: int) -> Any:
    return torch.stack(X.chunk(num_heads, dim=-1), dim=1)


def split_by_permute(X: Any, num_heads: int) -> Any:
    return X.reshape(*X.shape[:2], num_heads, -1).permute(0, 2, 1, 3).contiguous()


def split_by_unflatten(X: Any, num_heads: int) -> Any:
    return X.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def split_by_loops(X: Any, num_heads: int) -> Any:
    width = X.shape[2] // num_heads
    return torch.stack([X[:, :, j * width : (j + 1) * width] for j in range(num_heads)], dim=1)


def merge_by_concatenation(X: Any) -> Any:
    return torch.cat([X[:, j] for j in range(X.shape[1])], dim=-1)


def merge_by_view(X: Any) -> Any:
    batch, heads, n, width = X.shape
    return X.transpose(1, 2).contiguous().view(batch, n, heads * width)


def merge_by_einsum(X: Any) -> Any:
    return torch.einsum("bhnd->bnhd", X).reshape(X.shape[0], X.shape[2], -1)


def weights_by_nan_to_num(scores: Any, mask: Any = None) -> Any:
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, -1).nan_to_num(0.0)


def weights_by_addition(scores: Any, mask: Any = None) -> Any:
    if mask is None:
        return scores.softmax(-1)
    weights = (scores + torch.where(mask, 0.0, -torch.inf)).softmax(-1)
    return torch.where(mask, weights, torch.zeros_like(weights))


def weights_by_hand(scores: Any, mask: Any = None) -> Any:
    mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    highest = torch.where(mask, scores, -1e30).amax(-1, keepdim=True)
    kernel = torch.where(mask, torch.exp(torch.where(mask, scores - highest, 0.0)), 0.0)
    return kernel / kernel.sum(-1, keepdim=True).clamp_min(1e-30)


def weights_by_minus_1e9(scores: Any, mask: Any = None) -> Any:
    if mask is None:
        return torch.softmax(scores, -1)
    return torch.softmax(scores.masked_fill(mask == 0, -1e9), -1) * mask


class Layers(nn.Module):
    def __init__(self, d_model: int, num_heads: int) -> None:
        if d_model % num_heads != 0:
            raise ValueError("no")
        super().__init__()
        self.h, self.d_model, self.d_k = num_heads, d_model, d_model / num_heads
        for name in ("W_o", "W_v", "W_k", "W_q"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))


class HeadByHead(Layers):
    """Slices and a list of heads, a detached copy of the weights."""

    def forward(self, queries: Any, keys: Any, values: Any, mask: Any = None) -> Any:
        width, results, kept = self.d_model // self.h, [], []
        Q, K, V = self.W_q(queries), self.W_k(keys), self.W_v(values)
        for j in range(self.h):
            own = slice(j * width, (j + 1) * width)
            m = mask[:, j if mask.shape[1] > 1 else 0] if mask is not None and mask.dim() == 4 else mask
            weights = weights_by_nan_to_num(torch.bmm(Q[..., own], K[..., own].mT) / width**0.5, m)
            results.append(weights @ V[..., own])
            kept.append(weights.detach())
        self.attention_weights = torch.stack(kept, dim=1)
        return self.W_o(torch.cat(results, dim=-1))


class Einsum(Layers):
    def forward(self, queries: Any, keys: Any, values: Any, mask: Any = None) -> Any:
        parts = zip((queries, keys, values), (self.W_q, self.W_k, self.W_v), strict=True)
        q, k, v = (torch.einsum("bnd,hed->bhne", x, W.weight.unflatten(0, (self.h, -1))) for x, W in parts)
        scores = torch.einsum("bhqd,bhkd->bhqk", q * self.d_k**-0.5, k)
        if mask is not None:
            mask = mask[:, None] if mask.ndim == 3 else mask
        self.attention_weights = weights_by_addition(scores, mask)
        W_o = self.W_o.weight.unflatten(1, (self.h, -1))
        return torch.einsum("bhqk,bhkd,ohd->bqo", self.attention_weights, v, W_o)


class Folded(Layers):
    """Heads folded into the batch, the mask repeated in the right order."""

    def forward(self, queries: Any, keys: Any, values: Any, mask: Any = None) -> Any:
        batch, n_q, n_k = len(queries), queries.shape[1], keys.shape[1]
        Q, K, V = (
            split_by_chunks(X, self.h).flatten(0, 1)
            for X in (self.W_q(queries), self.W_k(keys), self.W_v(values))
        )
        if mask is not None:
            mask = mask.unsqueeze(1) if mask.dim() == 3 else mask
            mask = mask.expand(batch, self.h, n_q, n_k).reshape(-1, n_q, n_k)
        weights = weights_by_minus_1e9(torch.bmm(Q, K.mT) / math.sqrt(self.d_k), mask)
        self.attention_weights = weights.view(batch, self.h, n_q, n_k)
        return self.W_o(merge_by_concatenation((weights @ V).view(batch, self.h, n_q, -1)))


class Library(Layers):
    """PyTorch's SDPA for the output; d_k^-1/4 on both sides for the weights."""

    def forward(self, queries: Any, keys: Any, values: Any, mask: Any = None) -> Any:
        fused = torch.cat([self.W_k.weight, self.W_v.weight])
        Q, K = split_by_permute(self.W_q(queries), self.h), split_by_permute(self.W_k(keys), self.h)
        assert functional.linear(keys, fused).shape[-1] == 2 * self.d_model
        V = split_by_permute(self.W_v(values), self.h)
        while mask is not None and mask.dim() < 4:
            mask = mask.unsqueeze(-3)
        quarter = self.d_k**-0.25
        self.attention_weights = weights_by_hand((Q * quarter) @ (K * quarter).mT, mask)
        output = functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
        return self.W_o(merge_by_view(output.nan_to_num()))


RIGHT: list[tuple[str, Any]] = [
    ("create_causal_mask", causal_by_loops),
    ("create_causal_mask", causal_in_numpy),
    ("create_causal_mask", causal_by_negation),
    ("create_causal_mask", causal_by_comparison),
    ("create_padding_mask", padding_by_loops),
    ("create_padding_mask", padding_in_numpy),
    ("create_padding_mask", padding_by_equality),
    ("additive_mask", additive_by_where),
    ("additive_mask", additive_by_log),
    ("additive_mask", additive_in_place),
    ("additive_mask", additive_in_numpy),
    ("split_heads", split_by_chunks),
    ("split_heads", split_by_permute),
    ("split_heads", split_by_unflatten),
    ("split_heads", split_by_loops),
    ("merge_heads", merge_by_concatenation),
    ("merge_heads", merge_by_view),
    ("merge_heads", merge_by_einsum),
    ("masked_weights", weights_by_nan_to_num),
    ("masked_weights", weights_by_addition),
    ("masked_weights", weights_by_hand),
    ("masked_weights", weights_by_minus_1e9),
    ("MultiHeadAttention", Heads),
    ("MultiHeadAttention", HeadByHead),
    ("MultiHeadAttention", Einsum),
    ("MultiHeadAttention", Folded),
    ("MultiHeadAttention", Library),
    *VALUES.items(),
    ("guess_covered_key", (np.array([[0.4, 0.2, 0.4]]), [1])),
    ("guess_covered_key", (torch.tensor([0.401, 0.198, 0.401]), np.int64(1))),
    ("predict_who_sees_whom", ((2, 1, 0), np.array([0, 1, 3]), torch.tensor([1, 0]))),
    ("predict_who_sees_whom", ([0.0, 1.0, 2.0], [[0, 1, 3]], [1, 0])),
    ("predict_head_zero", tuple(np.array(rows)[None] for rows in VALUES["predict_head_zero"])),
]


@pytest.mark.parametrize(("exercise", "answer"), RIGHT)
def test_a_right_answer_is_right_however_it_is_written(exercise: str, answer: Any) -> None:
    for visible in (True, False):
        verdict = judged(exercise, answer, visible)
        assert verdict.points == verdict.max_points, verdict


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.id)
def test_the_reference_is_right_for_every_student(exercise: Exercise) -> None:
    for student in ("ben", "cleo") if exercise.id != "MultiHeadAttention" else ("ada",):
        key = judge.hidden_key(LESSON.id, exercise.id, student)
        question = probe.Question(key.exercise, key.values, key.cases)
        verdict = ladder.climb(key, probe.ask(question, reference.namespace(LESSON.id)))
        assert verdict.points == verdict.max_points, verdict


def test_two_right_answers_agree_whatever_is_drawn() -> None:
    """No drawn input is so close to a tie that rounding would make a right answer look wrong."""
    exercise = EXERCISES["MultiHeadAttention"]
    for seed in range(8):
        question = probe.Question(exercise.id, (), exercise.draw(np.random.default_rng(seed)))
        one, other = (probe.ask(question, {exercise.id: answer}).observations for answer in (Heads, Einsum))
        for case, seen, expected in zip(question.cases, one, other, strict=True):
            if case.tag not in ("build", "refuse"):
                assert values.close(seen.value, expected.value, case.tolerance / 10), case.label

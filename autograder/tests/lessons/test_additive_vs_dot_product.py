"""Lesson 05: the reference is right, the prose is right, right answers pass and wrong ones are named."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.special
import torch
from torch import nn
from torch.nn import functional

from autograder import figures, helpers, judge, ladder, probe, reference, source
from autograder.exercise import Exercise, Key, Verdict
from autograder.lessons import additive_vs_dot_product as lesson
from autograder.lessons import find_exercise
from autograder.lessons.additive_vs_dot_product import LESSON

torch.set_num_threads(1)

GRADED = ("masked_softmax", "AdditiveAttention", "DotProductAttention", "scoring_cost")
LENGTHS = (None, torch.tensor([3, 0]), torch.tensor([[4, 1, 0], [2, 3, 1]]))


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return reference.namespace(LESSON.id)


@functools.cache
def keys_of(exercise: str) -> tuple[Key, Key]:
    """What the student sees, and what one student is graded by."""
    return (
        judge.visible_key(LESSON.id, find_exercise(LESSON.id, exercise)),
        judge.hidden_key(LESSON.id, exercise, "some student"),
    )


def verdicts(exercise: str, namespace: dict[str, Any]) -> Iterator[Verdict]:
    for key in keys_of(exercise):
        question = probe.Question(exercise, key.values, key.cases)
        yield ladder.best(key, probe.ask_all(question, namespace))


def run(text: str, **more: Any) -> dict[str, Any]:
    """The names that an answer's text defines."""
    namespace: dict[str, Any] = {"math": math, "np": np, "torch": torch, "nn": nn, "F": functional, **more}
    exec(text, namespace)
    return namespace


# --- the reference ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("valid_lens", LENGTHS)
def test_masked_softmax_is_scipys_on_every_slice(names: dict[str, Any], valid_lens: Any) -> None:
    X = torch.randn(2, 3, 4, dtype=torch.float64) * 5
    weights = names["masked_softmax"](X, valid_lens)
    lengths = torch.full((2, 3), 4) if valid_lens is None else valid_lens.reshape(2, -1).expand(2, 3)
    for b in range(2):
        for i in range(3):
            n = int(lengths[b, i])
            wanted = scipy.special.softmax(X[b, i, :n].numpy()) if n else np.zeros(0)
            np.testing.assert_allclose(weights[b, i, :n], wanted, atol=1e-12)
            assert not weights[b, i, n:].any()


@pytest.mark.parametrize("valid_lens", LENGTHS)
def test_masked_softmax_agrees_with_its_stand_in(names: dict[str, Any], valid_lens: Any) -> None:
    X = torch.randn(2, 3, 4, requires_grad=True)
    one, other = names["masked_softmax"](X, valid_lens), helpers.masked_softmax(X, valid_lens)
    torch.testing.assert_close(one, other)
    for weights in (one, other):
        gradient = torch.autograd.grad((weights**2).sum(), X, retain_graph=True)[0]
        assert gradient.isfinite().all()


def test_masked_softmax_has_the_right_gradient_past_an_empty_row(names: dict[str, Any]) -> None:
    X = torch.randn(2, 3, 4, dtype=torch.float64, requires_grad=True)
    for valid_lens in LENGTHS:
        assert torch.autograd.gradcheck(lambda X, lens=valid_lens: names["masked_softmax"](X, lens), (X,))


@pytest.mark.parametrize("valid_lens", LENGTHS)
def test_dot_product_attention_is_pytorchs(names: dict[str, Any], valid_lens: Any) -> None:
    queries, keys, values = torch.randn(2, 3, 5), torch.randn(2, 4, 5), torch.randn(2, 4, 6)
    attention = names["DotProductAttention"](dropout=0.5).eval()
    mask = None if valid_lens is None else torch.arange(4) < valid_lens.reshape(2, -1, 1)
    output, weights = helpers.attention(queries, keys, values, mask)
    torch.testing.assert_close(attention(queries, keys, values, valid_lens), output)
    torch.testing.assert_close(attention.attention_weights, weights)


def test_additive_attention_is_its_formula(names: dict[str, Any]) -> None:
    queries, keys, values = torch.randn(2, 3, 5), torch.randn(2, 4, 2), torch.randn(2, 4, 6)
    attention = names["AdditiveAttention"](key_size=2, query_size=5, num_hiddens=8, dropout=0.5).eval()
    output = attention(queries, keys, values)
    W_q, W_k, w_v = (layer.weight.detach().numpy() for layer in (attention.W_q, attention.W_k, attention.w_v))
    for b in range(2):
        for i in range(3):
            one, pairs = W_q @ queries[b, i].numpy(), keys[b].numpy() @ W_k.T
            weights = scipy.special.softmax(np.tanh(one + pairs) @ w_v[0])
            np.testing.assert_allclose(attention.attention_weights[b, i].detach(), weights, atol=1e-6)
            np.testing.assert_allclose(output[b, i].detach(), weights @ values[b].numpy(), atol=1e-5)


def test_scoring_cost_counts_what_the_modules_have(names: dict[str, Any]) -> None:
    cost = names["scoring_cost"](2, 3, 4, 5)
    attention = names["AdditiveAttention"](key_size=4, query_size=4, num_hiddens=5, dropout=0.0)
    assert cost["additive"]["parameters"] == sum(p.numel() for p in attention.parameters())
    assert cost == {
        "additive": {"multiply_adds": 130, "parameters": 45},
        "dot_product": {"multiply_adds": 24, "parameters": 0},
    }
    counted = sum(1 for _ in range(2) for _ in range(4 * 5)) + sum(1 for _ in range(3) for _ in range(4 * 5))
    assert counted + 2 * 3 * 5 == cost["additive"]["multiply_adds"]


# --- the prose --------------------------------------------------------------------------------------------


def test_the_table_of_one_row(names: dict[str, Any]) -> None:
    X = torch.tensor([[[1.0, 2, 3, 4]]]).log()
    for length, wanted in ((4, [0.1, 0.2, 0.3, 0.4]), (2, [1 / 3, 2 / 3, 0, 0]), (0, [0, 0, 0, 0])):
        weights = names["masked_softmax"](X, torch.tensor([length]))
        np.testing.assert_allclose(weights[0, 0], wanted, atol=1e-6)
    weights = names["masked_softmax"](X, torch.tensor([3]))
    np.testing.assert_allclose(weights[0, 0], names["weights_of_length_3"], atol=1e-6)


def test_the_table_of_the_additive_score() -> None:
    sums = np.array([[0, 3], [1, 2], [2, 1]])
    assert (sums == np.array([1, 2]) + np.array([[-1], [0], [1]]) * [1, -1]).all()
    scores = np.tanh(sums) @ [1, -1]
    np.testing.assert_allclose(np.tanh([0, 3, 1, 2]), [0, 0.995, 0.762, 0.964], atol=5e-4)
    np.testing.assert_allclose(scores, [-0.995, -0.202, 0.202], atol=5e-4)
    np.testing.assert_allclose(np.exp(scores), [0.370, 0.817, 1.224], atol=5e-4)
    np.testing.assert_allclose(scipy.special.softmax(scores), [0.153, 0.339, 0.508], atol=5e-4)


def test_squeeze_does_what_the_prediction_says(names: dict[str, Any]) -> None:
    assert tuple(torch.zeros(2, 1, 4).squeeze(1).shape) == names["squeezed_one_query"]
    assert tuple(torch.zeros(2, 3, 4).squeeze(1).shape) == names["squeezed_three_queries"]
    assert tuple(torch.rand(2, 2, 4).shape) == (names["batches"], names["rows"], names["columns"])
    assert torch.rand(2, 2, 4).dim() == names["axes_in_all"]


@pytest.fixture(scope="module")
def whole_lesson() -> dict[str, Any]:
    """What is defined when the whole lesson has been run, its checks aside."""
    os.environ.setdefault("MPLBACKEND", "agg")
    namespace: dict[str, Any] = {"__name__": "lesson"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "show", lambda figure, alt: None)
        for cell in source.read(LESSON.id):
            if cell.kind == "code" and cell.marker != "test":
                exec(cell.text, namespace)
    return namespace


def test_the_slips_fail_as_the_lesson_says(whole_lesson: dict[str, Any]) -> None:
    slipping, row = whole_lesson["hand_me_down"], torch.tensor([[[0.0, 1.0, 2.0, 3.0]]])
    mine = row.clone()
    slipping(mine, torch.tensor([2]))
    assert mine.tolist() == [[[0.0, 1.0, -1e6, -1e6]]]
    assert slipping(row - 3e6, torch.tensor([2])).tolist() == [[[0.0, 0.0, 0.5, 0.5]]]
    assert slipping(row.clone(), torch.tensor([0])).tolist() == [[[0.25, 0.25, 0.25, 0.25]]]


def test_equal_keys_show_the_lengths_alone(whole_lesson: dict[str, Any]) -> None:
    weights = whole_lesson["weights_of_same_keys"].detach()[:, 0]
    assert weights[:, 0].tolist() == pytest.approx([1 / 2, 1 / 6])
    assert whole_lesson["first_weight_batch_0"] == 1 / 2
    assert whole_lesson["first_weight_batch_1"] == 1 / 6


def test_the_training_goes_as_the_prose_and_the_alt_texts_say(whole_lesson: dict[str, Any]) -> None:
    trained = whole_lesson["trained"]
    bare, additive, mapped = (
        torch.tensor(trained[name][1]).unfold(0, 10, 1).mean(-1) for name in whole_lesson["CONTESTANTS"]
    )
    assert bare.min() > 0.55
    assert bare.max() < 0.95
    assert additive[0] == pytest.approx(0.65, abs=0.1)
    assert additive[60:].max() < 0.02
    assert 0.05 < mapped[60] < 0.3
    assert mapped[-1] < 0.05
    learns = [curve[-1] < 0.1 * curve[0] for curve in (bare, additive, mapped)]
    said = [whole_lesson[f"{name}_learns"] for name in ("bare_dot_product", "additive", "mapped_dot_product")]
    assert learns == said
    parameters = [sum(p.numel() for p in model.parameters()) for model, _ in trained.values()]
    assert parameters == [0, 272, 64]


def test_the_dictionary_is_on_the_diagonal(whole_lesson: dict[str, Any]) -> None:
    for name, (model, _) in whole_lesson["trained"].items():
        with torch.no_grad():
            queries, keys = whole_lesson["english_vectors"], whole_lesson["french_vectors"]
            model(queries[None], keys[None], torch.eye(10)[None])
        found = (model.attention_weights[0].argmax(-1) == torch.arange(10)).all()
        assert found == (name != "bare dot product")


# --- right answers ----------------------------------------------------------------------------------------

SOFTMAX_RIGHT = {
    "loops": """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, -1)
    batch, n_q, n_k = X.shape
    out = torch.zeros_like(X)
    for b in range(batch):
        for i in range(n_q):
            n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b, i])
            if n:
                out[b, i, :n] = torch.softmax(X[b, i, :n], dim=0)
    return out
""",
    "where and nan_to_num": """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return F.softmax(X, dim=-1)
    if valid_lens.dim() == 1:
        valid_lens = valid_lens[:, None].expand(X.shape[:2])
    seen = torch.arange(X.size(-1))[None, None, :] < valid_lens[:, :, None]
    return torch.nan_to_num(F.softmax(torch.where(seen, X, torch.tensor(float("-inf"))), dim=-1))
""",
    "flat rows, repeat_interleave": """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return F.softmax(X, dim=-1)
    shape = X.shape
    lens = valid_lens.repeat_interleave(shape[1]) if valid_lens.dim() == 1 else valid_lens.reshape(-1)
    rows = X.reshape(-1, shape[-1]).clone()
    mask = torch.arange(shape[-1])[None] < lens[:, None]
    rows = rows.masked_fill(~mask, float("-inf"))
    out = F.softmax(rows, dim=-1)
    return torch.where(mask, out, torch.zeros_like(out)).reshape(shape)
""",
    "logsumexp": """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.exp(X - X.logsumexp(-1, keepdim=True))
    mask = torch.arange(X.shape[-1]) < valid_lens.view(X.shape[0], -1, 1)
    Y = X.masked_fill(~mask, -torch.inf)
    return torch.exp(Y - Y.logsumexp(-1, keepdim=True)).masked_fill(~mask, 0)
""",
    "-1e9 and then times the mask": """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    mask = (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)).to(X.dtype)
    return X.masked_fill(mask == 0, -1e9).softmax(-1) * mask
""",
    "least float, then times the mask": """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    mask = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    return torch.where(mask, X, torch.finfo(X.dtype).min).softmax(-1) * mask
""",
    "exp by hand, float64": """
def masked_softmax(X, valid_lens):
    X = X.double()
    if valid_lens is None:
        mask = torch.ones_like(X, dtype=torch.bool)
    else:
        mask = (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)).expand_as(X)
    top = X.masked_fill(~mask, -torch.inf).amax(-1, keepdim=True).clamp(min=-1e300).detach()
    e = torch.exp(torch.where(mask, X - top, -torch.inf))
    return e / e.sum(-1, keepdim=True).clamp_min(1e-30)
""",
    "additive -inf only in rows that have a key": """
def masked_softmax(X, valid_lens=None):
    if valid_lens is None:
        return X.softmax(-1)
    lens = valid_lens.unsqueeze(1) if valid_lens.dim() == 1 else valid_lens
    mask = torch.arange(X.shape[2]) < lens.unsqueeze(-1)
    some = mask.any(-1, keepdim=True)
    bias = torch.zeros(mask.shape).masked_fill(~mask & some, -torch.inf)
    return (X + bias).softmax(-1) * some
""",
}

ADDITIVE = """
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        {init}
    def forward(self, queries, keys, values, valid_lens=None):
        {forward}
"""
LAYERS = """
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.p = dropout
        self.dropout = nn.Dropout(dropout)"""
REST = """
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)"""


def additive(forward: str, init: str = LAYERS) -> str:
    return ADDITIVE.format(init=init.strip(), forward=forward.strip())


ADDITIVE_RIGHT = {
    "new axes with None": additive(
        """
        features = torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None, :])
        scores = self.w_v(features)[..., 0]"""
        + REST
    ),
    "concat and one product": additive(
        """
        n_q, n_k = queries.shape[1], keys.shape[1]
        pairs = torch.cat([queries[:, :, None].expand(-1, -1, n_k, -1),
                           keys[:, None].expand(-1, n_q, -1, -1)], dim=-1)
        weight = torch.cat([self.W_q.weight, self.W_k.weight], dim=1)
        scores = self.w_v(torch.tanh(F.linear(pairs, weight))).squeeze(-1)"""
        + REST
    ),
    "einsum": additive(
        """
        q, k = self.W_q(queries), self.W_k(keys)
        bent = torch.tanh(q.unsqueeze(-2) + k.unsqueeze(-3))
        scores = torch.einsum("bijh,h->bij", bent, self.w_v.weight[0])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.einsum("bij,bjd->bid", self.dropout(self.attention_weights), values)"""
    ),
    "loop over queries": additive(
        """
        k = self.W_k(keys)
        rows = [self.w_v(torch.tanh(self.W_q(queries[:, i:i + 1]) + k)).squeeze(-1)
                for i in range(queries.shape[1])]
        scores = torch.stack(rows, dim=1)"""
        + REST
    ),
    "functional dropout, weights kept detached": additive(
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(3)
        weights = masked_softmax(scores, valid_lens=valid_lens)
        self.attention_weights = weights.detach()
        return F.dropout(weights, self.p, training=self.training) @ values"""
    ),
    "dropout by hand, own mask": additive(
        """
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        scores = self.w_v(features.tanh()).squeeze(-1)
        if valid_lens is not None:
            hidden = torch.arange(keys.shape[1]) >= valid_lens.reshape(len(keys), -1, 1)
            scores = scores.masked_fill(hidden, -torch.inf)
        self.attention_weights = weights = scores.softmax(-1).nan_to_num()
        if self.training:
            weights = weights * (torch.rand_like(weights) >= self.p) / (1 - self.p)
        return weights @ values"""
    ),
}

DOT = """
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p, self.dropout = dropout, nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        {forward}
"""


def dot(forward: str) -> str:
    return DOT.format(forward=forward.strip())


DOT_RIGHT = {
    "bmm": dot("scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(queries.shape[-1])" + REST),
    "einsum, scaled queries": dot(
        "scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)" + REST
    ),
    "a quarter power on both sides": dot(
        "d = keys.shape[-1]\n        scores = (queries * d ** -0.25) @ (keys * d ** -0.25).mT" + REST
    ),
    "baddbmm": dot(
        """scores = torch.baddbmm(torch.zeros(1), queries, keys.permute(0, 2, 1), beta=0,
                               alpha=keys.shape[-1] ** -0.5)"""
        + REST
    ),
    "sum of products": dot(
        "scores = (queries[:, :, None] * keys[:, None]).sum(-1).div(keys.shape[2] ** (1 / 2))" + REST
    ),
    "the library's": dot(
        """mask = None
        if valid_lens is not None:
            mask = torch.arange(keys.shape[1]) < valid_lens.reshape(len(keys), -1, 1)
        one = torch.eye(keys.shape[1]).expand(len(keys), -1, -1)
        self.attention_weights = F.scaled_dot_product_attention(queries, keys, one, mask).nan_to_num()
        return self.dropout(self.attention_weights) @ values"""
    ),
}

COST_RIGHT = {
    "one by one": """
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"dot_product": {"parameters": 0, "multiply_adds": n_q * n_k * d},
            "additive": {"parameters": h * (2 * d + 1), "multiply_adds": h * (n_q * d + n_k * d + n_q * n_k)}}
""",
    "numpy and floats": """
def scoring_cost(n_q, n_k, d, num_hiddens):
    cost = dict(additive={}, dot_product={})
    cost["additive"]["multiply_adds"] = np.float64(num_hiddens * ((n_q + n_k) * d + n_q * n_k))
    cost["additive"]["parameters"] = np.int64(2 * d * num_hiddens + num_hiddens)
    cost["dot_product"]["multiply_adds"] = torch.tensor(n_q * n_k * d)
    cost["dot_product"]["parameters"] = 0.0
    return cost
""",
}

RIGHT = [
    *(("masked_softmax", style, text) for style, text in SOFTMAX_RIGHT.items()),
    *(("AdditiveAttention", style, text) for style, text in ADDITIVE_RIGHT.items()),
    *(("DotProductAttention", style, text) for style, text in DOT_RIGHT.items()),
    *(("scoring_cost", style, text) for style, text in COST_RIGHT.items()),
]


@pytest.mark.parametrize(("exercise", "style", "text"), RIGHT, ids=[f"{e}: {s}" for e, s, _ in RIGHT])
def test_a_right_answer_gets_all_points(exercise: str, style: str, text: str, names: dict[str, Any]) -> None:
    namespace = (
        run(text) if exercise == "masked_softmax" else run(text, masked_softmax=names["masked_softmax"])
    )
    for verdict in verdicts(exercise, namespace):
        assert verdict.state == "right", verdict


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.id)
def test_the_reference_gets_all_points(exercise: Exercise, names: dict[str, Any]) -> None:
    for verdict in verdicts(exercise.id, names):
        assert verdict.state == "right", verdict
        assert verdict.points == exercise.points


# --- wrong answers ----------------------------------------------------------------------------------------

VARIANTS = [
    (exercise, mistake.name, i)
    for exercise in LESSON.exercises
    for mistake in exercise.misconceptions
    for i in range(len(mistake.wrong))
]


@pytest.mark.parametrize(
    ("exercise", "name", "i"), VARIANTS, ids=[f"{e.id}: {name} {i}" for e, name, i in VARIANTS]
)
def test_a_listed_mistake_is_refused_and_named(exercise: Exercise, name: str, i: int) -> None:
    mistake = next(m for m in exercise.misconceptions if m.name == name)
    assert name in mistake.looks_like
    wrong = mistake.wrong[i]
    namespace = dict(zip(exercise.values, wrong(), strict=True)) if exercise.values else {exercise.id: wrong}
    visible, hidden = keys_of(exercise.id)
    for key in (visible, hidden) if i == 0 else (hidden,):
        verdict = ladder.climb(key, probe.ask(probe.Question(exercise.id, key.values, key.cases), namespace))
        assert verdict.state == "wrong"
        assert verdict.misconception == name
        assert verdict.points < exercise.points


SUM = "self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)"
SCORES = f"scores = self.w_v(torch.tanh({SUM})).squeeze(-1)"
DOTS = "scores = queries @ keys.transpose(1, 2) / math.sqrt(keys.shape[-1])"
WEIGHTS = """
        self.attention_weights = w = masked_softmax(scores, valid_lens)
        """
SEED = """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return F.softmax(X, dim=-1)
    shape = X.shape
    lens = {lens} if valid_lens.dim() == 1 else valid_lens.reshape(-1)
    X = X.reshape(-1, shape[-1]){copy}
    X[~(torch.arange(shape[-1])[None, :] {than} lens[:, None])] = {fill}
    return F.softmax(X.reshape(shape), dim=-1){after}
"""


def seed(
    lens: str = "torch.repeat_interleave(valid_lens, shape[1])",
    copy: str = ".clone()",
    than: str = "<",
    fill: str = "-float('inf')",
    after: str = ".nan_to_num()",
) -> str:
    return SEED.format(lens=lens, copy=copy, than=than, fill=fill, after=after)


WRONG = [
    ("masked_softmax", "fill too weak", seed(copy="", fill="-1e6", after="")),
    ("masked_softmax", "fill too weak", seed(fill="-1e6", after="")),
    ("masked_softmax", "fill too weak", seed(fill="-1e4")),
    ("masked_softmax", "fill too weak", seed(fill="0")),
    ("masked_softmax", "length 0", seed(fill="-1e9", after="")),
    ("masked_softmax", "length 0", seed(after="")),
    ("masked_softmax", "length 0", seed(after=".nan_to_num(0.25)")),
    ("masked_softmax", "length 0", seed(copy="", after="")),
    ("masked_softmax", "writes into its input", seed(copy="")),
    ("masked_softmax", "lengths repeated in the wrong order", seed(lens="valid_lens.repeat(shape[1])")),
    (
        "masked_softmax",
        "lengths repeated in the wrong order",
        seed(lens="valid_lens.repeat(shape[1])", copy="", fill="-1e6", after=""),
    ),
    ("masked_softmax", "off by one", seed(than="<=")),
    ("masked_softmax", "off by one", seed(than="<=", copy="", fill="-1e6", after="")),
    ("masked_softmax", "off by one", seed(than="<=", fill="-1e9", after="")),
    ("masked_softmax", "off by one", seed(than="+ 1 <")),
    ("masked_softmax", "mask inverted", seed(than=">=")),
    ("masked_softmax", "lengths per row ignored", seed(lens="valid_lens")),
    ("masked_softmax", "gradient cut", seed().replace("X.reshape(-1", "X.data.reshape(-1")),
    ("AdditiveAttention", "squeezed too much", additive(SCORES + REST + ".squeeze(1)")),
    ("AdditiveAttention", "squeezed too much", additive(SCORES.replace("(-1)", "()") + REST)),
    (
        "AdditiveAttention",
        "extra scale, bias, swapped sizes",
        additive(SCORES + REST, LAYERS.replace("False", "True")),
    ),
    (
        "AdditiveAttention",
        "extra scale, bias, swapped sizes",
        additive(
            SCORES + REST, LAYERS.replace("Linear(num_hiddens, 1, bias=False)", "Linear(num_hiddens, 1)")
        ),
    ),
    (
        "AdditiveAttention",
        "extra scale, bias, swapped sizes",
        additive(
            SCORES + REST, LAYERS.replace("key_", "x_").replace("query_", "key_").replace("x_", "query_")
        ),
    ),
    (
        "AdditiveAttention",
        "projected values",
        additive(
            SCORES + REST.replace("values)", "self.W_v(values))"),
            LAYERS + "\n        self.W_v = nn.LazyLinear(num_hiddens)",
        ),
    ),
    (
        "AdditiveAttention",
        "dropout in evaluation",
        additive(SCORES + WEIGHTS + "return F.dropout(w, self.p) @ values"),
    ),
    (
        "AdditiveAttention",
        "dropout in evaluation",
        additive(SCORES + WEIGHTS + "return nn.Dropout(self.p)(w) @ values"),
    ),
    (
        "AdditiveAttention",
        "dropout elsewhere",
        additive(SCORES + WEIGHTS + "return self.dropout(w @ values)"),
    ),
    (
        "AdditiveAttention",
        "dropout elsewhere",
        additive(SCORES + "\n        scores = self.dropout(scores)" + WEIGHTS + "return w @ values"),
    ),
    (
        "AdditiveAttention",
        "dropout elsewhere",
        additive(SCORES + WEIGHTS + "return w @ self.dropout(values)"),
    ),
    (
        "AdditiveAttention",
        "renormalised after dropout",
        additive(
            SCORES
            + WEIGHTS
            + "u = self.dropout(w)\n        return u / u.sum(-1, keepdim=True).clamp_min(1e-9) @ values"
        ),
    ),
    (
        "AdditiveAttention",
        "softmax over queries",
        additive(
            (SCORES + WEIGHTS).replace("masked_softmax(scores, valid_lens)", "scores.softmax(1)")
            + "return self.dropout(w) @ values"
        ),
    ),
    ("DotProductAttention", "no scale", dot("scores = torch.bmm(queries, keys.mT)" + REST)),
    ("DotProductAttention", "wrong power", dot(DOTS.replace("math.sqrt", "") + REST)),
    ("DotProductAttention", "wrong length", dot(DOTS.replace("keys.shape[-1]", "values.shape[-1]") + REST)),
    ("DotProductAttention", "squeezed too much", dot(DOTS + REST + ".squeeze()")),
    (
        "DotProductAttention",
        "dropout in evaluation",
        dot(DOTS + WEIGHTS + "return F.dropout(w, self.p) @ values"),
    ),
    (
        "DotProductAttention",
        "dropout elsewhere",
        dot(DOTS + "\n        scores = self.dropout(scores)" + WEIGHTS + "return w @ values"),
    ),
    (
        "DotProductAttention",
        "dropout elsewhere",
        dot(DOTS + WEIGHTS + "return masked_softmax(self.dropout(scores), valid_lens) @ values"),
    ),
    (
        "DotProductAttention",
        "writes into its input",
        dot("queries /= math.sqrt(keys.shape[-1])\n        scores = queries @ keys.mT" + REST),
    ),
    ("DotProductAttention", "gradient cut", dot(DOTS + WEIGHTS + "return torch.tensor(w.tolist()) @ values")),
    (
        "DotProductAttention",
        "transposed the batch",
        dot("scores = queries @ keys.T / math.sqrt(keys.shape[-1])" + REST),
    ),
]


@pytest.mark.parametrize(
    ("exercise", "name", "text"), WRONG, ids=[f"{i} {e}: {n}" for i, (e, n, _) in enumerate(WRONG)]
)
def test_a_wrong_answer_written_by_someone_else_is_named(
    exercise: str, name: str, text: str, names: dict[str, Any]
) -> None:
    namespace = (
        run(text) if exercise == "masked_softmax" else run(text, masked_softmax=names["masked_softmax"])
    )
    for verdict in verdicts(exercise, namespace):
        assert verdict.state == "wrong"
        assert verdict.misconception == name, verdict


UNNAMED = {
    "nothing dropped": dot(DOTS + WEIGHTS + "return w @ values"),
    "weights kept too late": dot(
        DOTS
        + "\n        self.attention_weights = self.dropout(masked_softmax(scores, valid_lens))"
        + "\n        return self.attention_weights @ values"
    ),
    "weights not kept": dot(
        DOTS + "\n        return self.dropout(masked_softmax(scores, valid_lens)) @ values"
    ),
    "dropped without the factor": dot(
        DOTS + WEIGHTS + "return (w * (self.dropout(torch.ones_like(scores)) > 0)) @ values"
    ),
    "keeps with probability p": dot(
        DOTS + WEIGHTS + "return F.dropout(w, 1 - self.p, self.training) @ values"
    ),
    "returns both": dot(DOTS + WEIGHTS + "return w @ values, self.attention_weights"),
    "returns nothing": dot(DOTS + WEIGHTS + "pass"),
    "is no module": "def DotProductAttention(dropout):\n    return 1\n",
}


@pytest.mark.parametrize("text", UNNAMED.values(), ids=UNNAMED)
def test_other_wrong_answers_are_refused(text: str, names: dict[str, Any]) -> None:
    namespace = run(text, masked_softmax=names["masked_softmax"])
    for key in keys_of("DotProductAttention"):
        question = probe.Question("DotProductAttention", (), key.cases)
        assert ladder.climb(key, probe.ask(question, namespace)).state == "wrong"


@pytest.mark.parametrize("before", ["raise NotImplementedError", "return X.softmax(dim=-2)", "return None"])
@pytest.mark.parametrize(
    ("exercise", "text"),
    [("AdditiveAttention", additive(SCORES + REST)), ("DotProductAttention", dot(DOTS + REST))],
)
def test_a_wrong_masked_softmax_costs_the_modules_nothing(before: str, exercise: str, text: str) -> None:
    namespace = run(f"def masked_softmax(X, valid_lens):\n    {before}\n" + text)
    for verdict in verdicts(exercise, namespace):
        assert verdict.state == "right", verdict


@pytest.mark.parametrize(
    "text",
    [
        "def scoring_cost(*sizes): return None",
        "def scoring_cost(*sizes): return {'additive': 3, 'dot_product': {}}",
        "def scoring_cost(*sizes): return [1, 2]",
        "def scoring_cost(*sizes): raise ValueError",
    ],
)
def test_no_rule_stumbles_over_a_strange_cost(text: str) -> None:
    for verdict in verdicts("scoring_cost", run(text)):
        assert verdict.state == "wrong"
        assert verdict.points == 0


@pytest.mark.parametrize(
    "returned", ["None", "X * float('nan')", "X[0]", "'weights'", "X.softmax(-1).tolist()", "[X]"]
)
def test_no_rule_stumbles_over_strange_weights(returned: str) -> None:
    for verdict in verdicts("masked_softmax", run(f"def masked_softmax(X, valid_lens): return {returned}")):
        assert verdict.state == "wrong"


@pytest.mark.parametrize("exercise", [e for e in LESSON.exercises if not e.graded], ids=lambda e: e.id)
def test_a_prediction_is_not_given_away(exercise: Exercise, names: dict[str, Any]) -> None:
    wrong = dict.fromkeys(exercise.values, "no idea")
    for verdict in verdicts(exercise.id, wrong):
        assert verdict.state == "wrong"
        details = " ".join(verdict.lines[0].details)
        assert "no idea" in details
        assert str(names[exercise.values[0]]) not in details.replace(exercise.values[0], "")


def test_predictions_may_be_written_in_several_ways() -> None:
    letters = {"experiment_1": "C", "experiment_2": " d", "experiment_3": "a"}
    weights = {"weights_of_length_3": torch.tensor([0.167, 0.333, 0.5, 0])}
    shapes = {
        "squeezed_one_query": [2, 4],
        "squeezed_three_queries": torch.Size([2, 3, 4]),
        "promised_one_query": (2, 1, 4),
    }
    for exercise, said in (
        ("find_the_slips", letters),
        ("guess_weights", weights),
        ("guess_squeezed", shapes),
    ):
        for verdict in verdicts(exercise, said):
            assert verdict.state == "right"


def test_every_row_of_the_table_can_be_named() -> None:
    named = {m.name for e in LESSON.exercises if e.graded for m in e.misconceptions}
    assert named >= {
        "lengths repeated in the wrong order",
        "off by one",
        "length 0",
        "fill too weak",
        "writes into its input",
        "lengths per row ignored",
        "masks the queries",
        "no tanh, tanh misplaced, relu",
        "axes missing or swapped",
        "squeezed too much",
        "softmax over queries",
        "projected values",
        "extra scale, bias, swapped sizes",
        "dropout in evaluation",
        "dropout elsewhere",
        "renormalised after dropout",
    }
    assert [e.id for e in LESSON.exercises if e.graded] == list(GRADED)
    assert lesson.LESSON.title == "Two ways to score"

"""Lesson 05: its reference, what its text says, and how answers are judged."""

from __future__ import annotations

import importlib
import math
import os
import re
from collections.abc import Iterator
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
import scipy.special
import torch
from torch import nn
from torch.nn import functional

from autograder.exercises import public_course
from autograder.exercises.exercise import Exercise
from autograder.exercises.verdict import Verdict
from autograder.judging import judge, reference
from autograder.tests.this_course import COURSE, find_lesson, nameless_key, verdict_by
from autograder.views import figures, verdict_view
import attention as helpers
from attention import french_shop

torch.set_num_threads(1)

LESSON = find_lesson("05_additive_vs_dot_product")
WHOLE = importlib.import_module(f"{COURSE.visible.package}.{LESSON.id}.judging.DotProductAttention").WHOLE
"""A right `DotProductAttention` with a `forward` of its own."""
LENGTHS = (None, torch.tensor([3, 0]), torch.tensor([[4, 1, 0], [2, 3, 1]]))


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return reference.load_namespace(LESSON)


def verdicts(exercise: str, namespace: dict[str, Any]) -> Iterator[Verdict]:
    """On what the student sees, and on what one student is graded by."""
    for key in (judge.visible_key(LESSON, exercise), judge.hidden_key(LESSON, exercise, "some student")):
        yield verdict_by(LESSON, key, namespace)


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
    stand_in = LESSON.exercise("masked_softmax").reference_stub
    one, other = names["masked_softmax"](X, valid_lens), stand_in(X, valid_lens)
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


@pytest.fixture(scope="module")
def whole_lesson() -> dict[str, Any]:
    """What is defined when the whole lesson has been run, its checks aside."""
    os.environ.setdefault("MPLBACKEND", "agg")
    namespace: dict[str, Any] = {"__name__": "lesson", "turns": []}
    with pytest.MonkeyPatch.context() as patch, public_course.use_course(COURSE.visible):
        patch.setattr(figures, "show", lambda figure, alt: None)
        patch.setattr(figures, "explore", lambda *given, **more: namespace["turns"].append((given, more)))
        for cell in LESSON.cells:
            if cell.kind == "code" and cell.marker != "test":
                exec(cell.text, namespace)
    return namespace


def test_the_slips_fail_as_the_lesson_says(whole_lesson: dict[str, Any]) -> None:
    slipping, row = whole_lesson["first_draft_softmax"], torch.arange(4.0)
    assert whole_lesson["mine"].tolist() == [0.0, 1.0, -1e6, -1e6]
    assert slipping(row - 3e6, 2).tolist() == [0.0, 0.0, 0.5, 0.5]
    assert slipping(row.clone(), 0).tolist() == [0.25, 0.25, 0.25, 0.25]


def test_equal_keys_show_the_lengths_alone(whole_lesson: dict[str, Any]) -> None:
    weights = whole_lesson["attention"].attention_weights
    assert weights[:, 0, 0].tolist() == pytest.approx([1 / 2, 1 / 6])
    assert whole_lesson["first_weight_batch_0"] == 1 / 2
    assert whole_lesson["first_weight_batch_1"] == 1 / 6


def test_the_training_goes_as_the_prose_and_the_alt_texts_say(whole_lesson: dict[str, Any]) -> None:
    trained = whole_lesson["trained"]
    bare, additive, mapped = (
        torch.tensor(trained[name].errors).unfold(0, 10, 1).mean(-1) for name in french_shop.TONES
    )
    assert bare.min() > 0.55
    assert bare.max() < 0.95
    assert additive[0] == pytest.approx(0.65, abs=0.1)
    assert additive[60:].max() < 0.02
    assert 0.05 < mapped[60] < 0.3
    assert mapped[-1] < 0.05
    assert (additive[:20] > mapped[:20]).sum() > 15
    assert additive[:20].mean() > mapped[:20].mean() + 0.02
    assert (additive[60:] < mapped[60:]).all()
    assert french_shop.even_error() == pytest.approx(0.71)
    assert bare.mean() == pytest.approx(french_shop.even_error(), abs=0.05)
    learns = [curve[-1] < 0.1 * curve[0] for curve in (bare, additive, mapped)]
    said = [whole_lesson[f"{name}_learns"] for name in ("bare_dot_product", "additive", "mapped_dot_product")]
    assert learns == said
    parameters = [sum(p.numel() for p in one.model.parameters()) for one in trained.values()]
    assert parameters == [0, 272, 64]
    assert list(french_shop.TONES) == list(trained)


def test_who_has_learned_finds_the_bread(whole_lesson: dict[str, Any]) -> None:
    *shop, place = french_shop.first_visit()
    models = {name: training.model for name, training in whole_lesson["trained"].items()}
    for model in models.values():
        model(*shop)
    weights = {name: model.attention_weights[0, 0] for name, model in models.items()}
    for name, row in weights.items():
        assert (row.argmax() == place[0]) == (name != "bare dot product")
    assert min(weights[name][place[0]] for name in list(weights)[1:]) > 0.85


def test_even_weights_miss_by_what_the_level_line_says(whole_lesson: dict[str, Any]) -> None:
    _, keys, prices, valid_lens, place = french_shop.visit(50_000, torch.Generator().manual_seed(3))
    guess = (whole_lesson["masked_softmax"](torch.zeros(len(keys), 1, 6), valid_lens) @ prices)[:, 0]
    error = (guess - prices[torch.arange(len(keys)), place]).square().mean().item()
    assert error == pytest.approx(french_shop.even_error(), abs=0.02)


def test_a_picture_that_turns_has_its_stills_among_many_stops(whole_lesson: dict[str, Any]) -> None:
    assert len(whole_lesson["turns"]) == 2
    for (draw, stills, *_), more in whole_lesson["turns"]:
        figure, panels = plt.subplots(1, more.get("panels", 1), squeeze=False)
        for value in more["turn"]:
            draw(value, *panels[0])
        plt.close(figure)
        assert set(stills) <= set(more["turn"])
        assert len(more["turn"]) > 20


def test_without_tanh_every_query_gets_the_same_weights() -> None:
    queries, keys = torch.randn(3, 1, 4), torch.randn(1, 5, 4)
    weights = ((queries + keys) @ torch.randn(4)).softmax(-1)
    torch.testing.assert_close(weights, weights[:1].expand(3, -1))


def test_the_dictionary_is_on_the_diagonal(whole_lesson: dict[str, Any]) -> None:
    for name, one in whole_lesson["trained"].items():
        with torch.no_grad():
            queries, keys = french_shop.english_vectors, french_shop.french_vectors
            one.model(queries[None], keys[None], torch.eye(10)[None])
        found = (one.model.attention_weights[0].diagonal() > 0.5).all()
        assert found == (name != "bare dot product")


def test_the_first_shop_goes_as_the_text_says(names: dict[str, Any]) -> None:
    shop = french_shop.first_visit()
    assert [word for word, _ in french_shop.shelf_of(shop)] == ["fromage", "pain", "poisson"]
    assert (
        french_shop.word_of(shop.queries[0, 0], french_shop.ENGLISH, french_shop.english_vectors) == "bread"
    )
    answers, weights = names["scaled_dot_product_attention"](shop.queries, shop.keys, shop.prices)
    assert weights[0, 0, 3:].sum() == pytest.approx(0.39, abs=0.005)
    fromage, pain, poisson = weights[0, 0, :3]
    assert fromage > pain > poisson
    price = shop.prices[0, shop.place[0], 0].item()
    assert abs(answers.item() - price) > 0.5
    scores = shop.queries @ shop.keys.transpose(1, 2) / math.sqrt(french_shop.WIDTH)
    masked = names["masked_softmax"](scores, shop.valid_lens)
    assert not masked[0, 0, 3:].any()
    assert masked[0, 0, 0] > masked[0, 0, 1] + 0.03
    assert abs((masked @ shop.prices).item() - price) > abs(answers.item() - price) + 0.1
    turned, _ = names["scaled_dot_product_attention"](french_shop.turned(shop, 1), shop.keys, shop.prices)
    assert turned.item() == pytest.approx(price, abs=0.05)


def test_the_lesson_runs_on_with_a_class_of_the_learner_s_own(names: dict[str, Any]) -> None:
    """The mapped contestant is made from any `DotProductAttention` that fits the contract."""
    own = run(WHOLE, masked_softmax=names["masked_softmax"])["DotProductAttention"]
    (mapped,) = (cell.text for cell in LESSON.cells if "class MappedDotProduct" in cell.text)
    made = run(mapped, Tensor=torch.Tensor, DotProductAttention=own)
    trained = french_shop.train(lambda: made["MappedDotProduct"](8))
    assert sum(trained.errors[-10:]) / 10 < 0.05


def test_a_class_of_the_lesson_says_how_what_is_made_from_it_is_called() -> None:
    signatures = {
        name: LESSON.exercise(name).signature for name in ("AdditiveAttention", "DotProductAttention")
    }
    called = "forward(queries, keys, values, valid_lens=None)"
    assert signatures == {
        "AdditiveAttention": f"{called} of AdditiveAttention(key_size, query_size, num_hiddens, dropout)",
        "DotProductAttention": f"{called} of DotProductAttention(dropout)",
    }


def test_the_additive_score_is_cheaper_from_where_the_puzzle_says(names: dict[str, Any]) -> None:
    cheaper = [
        cost["additive"]["multiply_adds"] < cost["dot_product"]["multiply_adds"]
        for cost in (names["scoring_cost"](n, n, 64, 16) for n in range(1, 300))
    ]
    assert cheaper.index(True) + 1 == names["cheaper_from"]
    assert all(cheaper[names["cheaper_from"] - 1 :])


def test_the_scores_of_a_long_text_cost_an_eighth_more_and_hold_64_times_as_many_numbers(
    names: dict[str, Any],
) -> None:
    cost = names["scoring_cost"](1000, 1000, 64, 64)
    ratio = cost["additive"]["multiply_adds"] / cost["dot_product"]["multiply_adds"]
    assert ratio == pytest.approx(1 + 1 / 8, abs=0.005)
    maps = 2 * 1000 * 64 * 64
    assert cost["dot_product"]["multiply_adds"] + maps == cost["additive"]["multiply_adds"] == 72_192_000
    held: list[int] = []
    layer, words = names["AdditiveAttention"](64, 64, 64, 0.0), torch.randn(1, 20, 64)
    layer.w_v.register_forward_pre_hook(lambda _, given: held.append(given[0].numel()))
    assert layer.score(words, words).numel() == 20 * 20
    assert held == [20 * 20 * 64]


def test_the_shop_has_too_many_words_for_10_and_0_and_training_reached_neither(
    whole_lesson: dict[str, Any],
) -> None:
    english, french = french_shop.english_vectors, french_shop.french_vectors
    assert min(english.shape) == torch.linalg.matrix_rank(english) == 8 < len(english)
    W = whole_lesson["trained"]["dot product, query mapped"].model.map.weight.detach()
    scores = english @ W.T @ french.T
    assert (scores.argmax(-1) == torch.arange(10)).all()
    assert (scores - 10 * torch.eye(10)).abs().max() > 1


def test_a_dictionary_written_down_is_one(names: dict[str, Any]) -> None:
    english, french = torch.randn(2, 4, 8)
    W = names["write_dictionary"](english, french)
    torch.testing.assert_close(english @ W.T @ french.T, 10 * torch.eye(4), atol=1e-3, rtol=0)


def test_additive_scores_are_those_of_the_module(names: dict[str, Any]) -> None:
    attention = names["AdditiveAttention"](key_size=2, query_size=5, num_hiddens=8, dropout=0.0)
    queries, keys = torch.randn(3, 5), torch.randn(4, 2)
    attention(queries[None], keys[None], torch.eye(4)[None])
    scores = names["additive_scores"](
        queries, keys, attention.W_q.weight, attention.W_k.weight, attention.w_v.weight[0]
    )
    torch.testing.assert_close(scores.softmax(-1), attention.attention_weights[0])


@pytest.mark.parametrize("returned", ["None", "english", "english * float('nan')", "[[1]]", "'W'"])
def test_what_is_no_map_is_not_called_a_wrong_one(returned: str) -> None:
    for verdict in verdicts(
        "write_dictionary", run(f"def write_dictionary(english, french): return {returned}")
    ):
        assert verdict.state == "wrong"
        assert not verdict.misconception


# --- answers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", ["raise NotImplementedError", "return X.softmax(dim=-2)", "return None"])
@pytest.mark.parametrize("exercise", ["AdditiveAttention", "DotProductAttention"])
def test_a_wrong_masked_softmax_costs_the_modules_nothing(before: str, exercise: str) -> None:
    (given,) = (cell.text for cell in LESSON.cells if cell.grade_id == "setup_attention")
    texts = f"def masked_softmax(X, valid_lens):\n    {before}", given, LESSON.solution(exercise)
    namespace = run("\n\n".join(texts), Tensor=torch.Tensor)
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
def test_a_strange_cost_earns_nothing(text: str) -> None:
    for verdict in verdicts("scoring_cost", run(text)):
        assert verdict.state == "wrong"
        assert verdict.points == 0


@pytest.mark.parametrize("returned", ["X * float('nan')", "X[0]", "X.softmax(-1).tolist()", "[X]"])
def test_strange_weights_are_refused(returned: str) -> None:
    for verdict in verdicts("masked_softmax", run(f"def masked_softmax(X, valid_lens): return {returned}")):
        assert verdict.state == "wrong"


@pytest.mark.parametrize(
    "exercise", [e for e in LESSON.exercises if not e.graded and e.values], ids=lambda e: e.id
)
def test_a_prediction_is_not_given_away(exercise: Exercise, names: dict[str, Any]) -> None:
    wrong = dict.fromkeys(exercise.values, "no idea")
    for verdict in verdicts(exercise.id, wrong):
        assert verdict.state == "wrong"
        details = " ".join(verdict.lines[0].details)
        assert "no idea" in details
        details = re.sub("give (one of these words: [^:]*|True or False)", "", details)
        assert str(names[exercise.values[0]]) not in details.replace(exercise.values[0], "")


def sights(verdict: Verdict) -> str:
    """What was seen of each line, in a letter each: h for held, f for failed, n for not reached."""
    return "".join(line.sight.value[0] for line in verdict.lines)


def said(verdict: Verdict) -> str:
    return verdict_view.as_text(verdict)


LAYERS = """class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
"""
TODO = 'raise NotImplementedError("this is still a TODO")'


@pytest.mark.parametrize(
    ("name", "text"),
    [("foward", "there is `foward`, no `forward`"), ("forward", "`forward` is still a TODO")],
)
def test_finished_layers_are_judged_by_themselves(name: str, text: str) -> None:
    answer = f"{LAYERS}    def {name}(self, queries, keys, values, valid_lens=None):\n        {TODO}"
    for verdict in verdicts("AdditiveAttention", run(answer)):
        assert verdict.state == "wrong"
        assert sights(verdict) == "hnnnnnnnn"
        assert text in said(verdict)


def test_a_bias_is_called_a_bias_whatever_forward_does() -> None:
    answer = f"{LAYERS}    def forward(self, *given): {TODO}".replace(", bias=False", "")
    for verdict in verdicts("AdditiveAttention", run(answer)):
        assert verdict.misconception == "bias added"
        assert sights(verdict) == "fnnnnnnnn"


@pytest.mark.parametrize(
    "body", ["raise NotImplementedError", "return torch.bmm(X, X, X)", "return None", "X.x"]
)
def test_what_could_not_be_looked_at_is_neither_right_nor_wrong(body: str) -> None:
    for verdict in verdicts("masked_softmax", run(f"def masked_softmax(X, valid_lens): {body}")):
        assert sights(verdict) == "nnnnnnnn"
        assert not verdict.misconception


def test_a_branch_that_is_still_to_do_does_not_hide_the_others() -> None:
    body = "if valid_lens is None:\n        return X.softmax(-1)\n    raise NotImplementedError('lengths come later')"
    for verdict in verdicts("masked_softmax", run(f"def masked_softmax(X, valid_lens):\n    {body}")):
        assert verdict.state == "wrong"
        assert sights(verdict) == "hnnnnnnn"


def test_a_length_of_0_is_judged_apart_from_the_other_numbers() -> None:
    text = "def masked_softmax(X, valid_lens):\n    return (X.softmax(-1) * 0)"
    for verdict in verdicts("masked_softmax", run(text)):
        assert dict(zip(ASKED_OF_SOFTMAX, sights(verdict), strict=True))["empty"] == "n"


def test_a_row_of_length_0_is_shown_as_it_came() -> None:
    text = (
        "def masked_softmax(X, valid_lens):\n"
        "    if valid_lens is None:\n"
        "        return X.softmax(-1)\n"
        "    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)\n"
        "    return X.masked_fill(hidden, -math.inf).softmax(-1)"
    )
    for verdict in verdicts("masked_softmax", run(text)):
        assert "nan nan" in said(verdict)


ASKED_OF_SOFTMAX = ("none", "batch", "query", "far", "empty", "hidden", "unchanged", "gradient")


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("math.sqrt(keys.shape[-1])", "1", ""),
        ("masked_softmax(scores, valid_lens)", "scores.softmax(-1)", ""),
        ("self.dropout(self.attention_weights)", "self.attention_weights", "no weight is dropped"),
        ("nn.Dropout(dropout)", "nn.Dropout()", "with probability 0.5"),
        ("nn.Dropout(dropout)", "nn.Dropout1d(dropout)", "the same weights are dropped for every key"),
        (
            "self.dropout(self.attention_weights) @ values",
            "self.dropout(self.attention_weights @ values)",
            "something other",
        ),
        (
            "self.dropout(",
            "nn.functional.dropout(p=self.dropout.p, input=",
            "after eval() something is still dropped",
        ),
    ],
)
def test_dropout_is_judged_apart_from_the_numbers(old: str, new: str, text: str) -> None:
    assert old in (answer := WHOLE)
    for verdict in verdicts(
        "DotProductAttention", run(answer.replace(old, new), **of_lesson("masked_softmax"))
    ):
        training, evaluated = verdict.lines[4:6]
        about, other = (evaluated, training) if "eval()" in text else (training, evaluated)
        assert about.sight == ("failed" if text else "held")
        assert other.sight == "held"
        assert text in " ".join(about.details)


def test_dropout_that_evaluating_switches_off_for_good_is_seen() -> None:
    for text in (
        "if not self.training: self.dropout.p = 0.0",
        "self.dropout = self.dropout if self.training else nn.Identity()",
    ):
        answer = WHOLE.replace("return self", f"{text}\n        return self")
        for verdict in verdicts("DotProductAttention", run(answer, **of_lesson("masked_softmax"))):
            assert verdict.misconception == "dropout lost after eval()"
            assert sights(verdict) == "hhhhfhhh"


def of_lesson(*names: str) -> dict[str, Any]:
    """What the lesson itself has under these names, and what its solutions have."""
    return {name: reference.load_namespace(LESSON)[name] for name in names}


def test_layers_without_a_shape_are_the_checkers_finding() -> None:
    answer = LAYERS.replace("Linear(query_size, ", "LazyLinear(") + "    def forward(self, *given): pass"
    for verdict in verdicts("AdditiveAttention", run(answer)):
        assert "W_q.weight has no shape before the first call" in said(verdict)
        assert "raised" not in said(verdict)


def test_an_output_that_comes_with_its_weights_is_called_two_results() -> None:
    forward = (
        "    def forward(self, queries, keys, values, valid_lens=None):\n"
        "        features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))\n"
        "        self.attention_weights = masked_softmax(self.w_v(features).squeeze(-1), valid_lens)\n"
        "        return self.attention_weights @ values, self.attention_weights"
    )
    shown = next(verdicts("AdditiveAttention", run(LAYERS + forward)))
    assert "2 results" in said(shown)


@pytest.mark.parametrize("exercise", [e for e in LESSON.exercises if len(e.values) > 1], ids=lambda e: e.id)
def test_a_prediction_that_is_half_filled_in_is_not_wrong(exercise: Exercise, names: dict[str, Any]) -> None:
    half = {name: names[name] for name in exercise.values} | {exercise.values[-1]: ...}
    for verdict in verdicts(exercise.id, half):
        assert sights(verdict) == "n"
        assert f"not filled in yet: {exercise.values[-1]}" in said(verdict)
        assert "what is filled in is right" in said(verdict)


def test_a_text_is_said_to_have_quotes() -> None:
    texts = dict.fromkeys(LESSON.exercise("guess_learners").values, "False")
    for verdict in verdicts("guess_learners", texts):
        assert "you say a text; leave the quotes away" in said(verdict)


@pytest.mark.parametrize(
    ("exercise", "old", "new"),
    [
        ("masked_softmax", "-math.inf", "-1e30"),
        ("masked_softmax", ">= lengths", "> lengths"),
        ("DotProductAttention", "keys.shape[-1]", "values.shape[-1]"),
        ("DotProductAttention", "self.dropout(self.attention_weights)", "self.attention_weights"),
        ("AdditiveAttention", "torch.tanh", "torch.nn.functional.hardtanh"),
    ],
)
def test_every_student_loses_the_same(exercise: str, old: str, new: str) -> None:
    text = WHOLE if exercise == "DotProductAttention" else LESSON.solution(exercise)
    answer = run(text.replace(old, new), **of_lesson("masked_softmax", "Attention"))
    seen = set()
    for student in range(5):
        key = nameless_key(LESSON, exercise, f"student {student}")
        seen.add(sights(verdict_by(LESSON, key, answer)))
    assert len(seen) == 1


def test_every_row_of_the_table_can_be_named() -> None:
    listed = importlib.import_module(f"{COURSE.visible.package}.misconceptions").SECTIONS
    rows = next(section.rows for section in listed if section.lessons == (LESSON.id,))
    assert {m.name for e in LESSON.exercises if e.graded for m in e.misconceptions} >= {*rows}

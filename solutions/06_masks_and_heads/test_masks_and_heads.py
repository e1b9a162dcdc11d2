"""Lesson 06: the reference against PyTorch, the prose's numbers, what verdicts say."""

from __future__ import annotations

import math
import re
from typing import Any, cast

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from autograder.answers import corpus, trials
from autograder.calls import runner
from autograder.courses import lesson_source
from autograder.exercises import values
from autograder.exercises.exercise import STUB
from autograder.judging import judge, reference
from autograder.tests.this_course import find_lesson, verdict_by
from autograder.views import figures, verdict_view
from attention import attention, mask_pictures, run_writer, two_back

torch.set_num_threads(1)

LESSON = find_lesson("06_masks_and_heads")


def taught(name: str) -> Any:
    return reference.load_namespace(LESSON)[name]


def run(text: str) -> dict[str, Any]:
    """What a cell below the lesson's imports, and what it gives, defines."""
    names: dict[str, Any] = {"__name__": "student", "masked_weights": taught("masked_weights")}
    exec(f"import math, torch\nfrom torch import nn\n{text}", names)
    return names


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


def test_what_is_filled_in_keeps_nan_from_the_gradients_and_what_is_added_does_not() -> None:
    mask = torch.tensor([[True, False, True], [False, False, False]])
    for hide, is_clean in (
        (lambda scores: scores.masked_fill(~mask, -torch.inf), True),
        (lambda scores: scores + taught("additive_mask")(mask), False),
    ):
        scores = torch.randn(2, 3, requires_grad=True)
        hide(scores).softmax(-1).masked_fill(~mask, 0.0).square().sum().backward()
        assert scores.grad is not None
        assert bool(torch.isfinite(scores.grad).all()) == is_clean


def test_a_mask_without_an_axis_for_the_heads_is_mixed_up_in_silence_only_where_two_sizes_are_equal() -> None:
    padding = taught("create_padding_mask")([[1, 2, 0], [3, 0, 0], [4, 5, 6]])
    for batch, heads in ((2, 2), (3, 3)):
        scores, mask = torch.zeros(batch, heads, 3, 3), padding[:batch]
        mixed, right = (taught("masked_weights")(scores, one) for one in (mask, mask[:, None]))
        assert mixed.shape == right.shape
        assert not torch.equal(mixed, right)
        assert all(
            torch.equal(mixed[:, head], right[head, :1].expand_as(mixed[:, head])) for head in range(heads)
        )
    with pytest.raises(RuntimeError):
        taught("masked_weights")(torch.zeros(2, 3, 3, 3), padding[:2])
    alone = torch.zeros(1, 2, 3, 3)
    assert torch.equal(*(taught("masked_weights")(alone, one) for one in (padding[:1], padding[:1, None])))


def test_split_and_merge_are_inverse_and_split_keeps_columns_together() -> None:
    X = torch.randn(2, 3, 12)
    parts = taught("split_heads")(X, 4)
    assert torch.equal(taught("merge_heads")(parts), X)
    for head in range(4):
        assert torch.equal(parts[:, head], X[:, :, 3 * head : 3 * head + 3])


def test_views_survive_the_round_trip_but_not_the_shuffle() -> None:
    X, order = torch.randn(1, 3, 4), [2, 0, 1]
    views = (lambda X: X.reshape(1, 2, 3, 2)), (lambda X: X.reshape(1, 3, 4))
    right = (lambda X: taught("split_heads")(X, 2)), taught("merge_heads")
    for (split, merge), is_right in ((views, False), (right, True)):
        assert torch.equal(merge(split(X)), X)
        plain, shuffled = (merge(attention(*(split(rows),) * 3)[0]) for rows in (X, X[:, order]))
        assert torch.allclose(shuffled, plain[:, order], atol=1e-6) == is_right


# --- the numbers in the prose -----------------------------------------------------------------------------


def softmax(*scores: float) -> np.ndarray:
    kernel = np.exp(np.array(scores))
    return kernel / kernel.sum()


def test_the_notes_first_example() -> None:
    assert 1 / math.sqrt(2) == pytest.approx(0.707, abs=0.0005)
    assert math.exp(1 / math.sqrt(2)) == pytest.approx(2.03, abs=0.005)


def test_two_answers_get_a_half_each_from_one_head_and_nearly_all_from_two() -> None:
    for factor in (0, 1, 6, 100):
        assert softmax(*[factor / math.sqrt(2)] * 2, 0, 0, 0)[0] <= 0.5
    assert softmax(12, 0, 0, 0, 0)[0] > 0.99


def test_a_mean_of_two_words_forgets_their_order_and_two_heads_keep_it() -> None:
    causal = taught("create_causal_mask")(8)
    one, two = (two_back.train(taught("MultiHeadAttention")(16, heads), causal) for heads in (1, 2))
    assert {sum(parameter.numel() for parameter in module.parameters()) for module in (one, two)} == {1024}
    assert len(two_back.VOCABULARY) == 786
    assert two_back.right_of_100(one, causal) < 20
    assert two_back.right_of_100(two, causal) == 100
    assert two_back.CASES == 900
    back = [[float(head.diagonal(-step)[2 - step :].mean()) for step in (1, 2)] for head in weights_of(two)]
    assert sorted(np.argmax(back, axis=1)) == [0, 1]
    assert np.max(back, axis=1).min() > 0.75
    ((near, far),) = [
        [float(head.diagonal(-step)[2 - step :].mean()) for step in (1, 2)] for head in weights_of(one)
    ]
    assert min(near, far) > 0.25


def weights_of(module: nn.Module) -> torch.Tensor:
    """Return the weights (heads, 8, 8) of a module trained for `two_back` on the sentence that the lesson shows."""
    two_back.read(module, taught("create_causal_mask")(8), two_back.tokens_of([two_back.SHOWN]))
    return cast(torch.Tensor, module.attention_weights)[0]


def test_what_is_reported_is_told_in_words_and_in_a_picture(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    alts: list[str] = []
    monkeypatch.setattr(figures, "show", lambda figure, alt: (plt.close(figure), alts.append(alt)))
    causal = taught("create_causal_mask")(8)
    two_back.compare({"two heads": two_back.train(taught("MultiHeadAttention")(16, 2), causal)}, causal)
    printed = capsys.readouterr().out
    assert printed.count(" ✓") == 2 * len(two_back.SHOWN[2:])
    lines = [line.split() for line in printed.replace(" ✓", "").splitlines() if line]
    assert lines[0] == ["the", "word", *two_back.SHOWN[2:]]
    assert lines[2:] == [["one", "back", *two_back.SHOWN[1:-1]], ["two", "back", *two_back.SHOWN[:-2]]]
    assert alts[0].count("two heads: head ") == 2


def test_the_predictions_worked_out_by_hand() -> None:
    assert taught("real_weights") == pytest.approx(softmax(1 / math.sqrt(2), 0, 1 / math.sqrt(2)), abs=0.005)
    assert taught("covered_key") == 1
    assert [taught(f"sees_{mask}") for mask in ("causal", "padding", "both")] == [
        [0, 1, 2],
        [0, 1, 3],
        [0, 1],
    ]
    assert taught("head_0") == [[0, 1], [4, 5], [8, 9]]
    assert taught("head_0_by_view") == [[0, 1], [2, 3], [4, 5]]


STORY = [".", "the", "animal", "did", "not", "cross", "the", "street", "because", "it", "was", "tired"]


def trained(text: str, layer: int) -> torch.Tensor:
    """Return the weights of a layer of the bundled writer, (heads, n, n), by the lesson's own module."""
    words = [".", *text.split()]
    return run_writer(taught("MultiHeadAttention"), words, taught("create_causal_mask")(len(words)))[
        f"layer {layer}"
    ]


def test_the_writer_asks_both_questions_with_different_heads(capsys: pytest.CaptureFixture[str]) -> None:
    counts = two_back.steps_back(taught("MultiHeadAttention"), taught("create_causal_mask"))
    head_0, head_1, head_2, _, chance = counts.values()
    prose = " ".join(" ".join(cell.text for cell in LESSON.cells if cell.kind == "markdown").split())
    assert f"mostly one step back, in {head_0[0]} and {head_1[0]} of 100 cases" in prose
    assert f"two steps in {head_2[1]} cases, three in {head_2[2]}." in prose
    assert f"would hit each of these steps in {chance[0]} cases." in prose
    two_back.count_steps_back(taught("MultiHeadAttention"), taught("create_causal_mask"))
    assert capsys.readouterr().out.splitlines()[1].split() == ["layer", "0,", "head", "0", *map(str, head_0)]


def test_every_head_of_the_writer_has_a_heatmap_and_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[Any, str]] = []
    monkeypatch.setattr(figures, "show", lambda figure, alt: shown.append((figure, alt)))
    layers = {f"layer {layer}": trained(" ".join(STORY[1:]), layer) for layer in (0, 1)}
    mask_pictures.show_heads(layers, STORY)
    ((figure, alt),) = shown
    drawn = [np.asarray(axes.images[0].get_array()) for axes in figure.axes if axes.images]
    np.testing.assert_array_equal(drawn, torch.cat([*layers.values()]))
    assert alt.count("one step back") == alt.count("two steps back") == 8
    plt.close(figure)


def test_a_chosen_head_copies_a_real_sentence_and_a_trained_one_does_much_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    alts: list[str] = []
    monkeypatch.setattr(figures, "show", lambda figure, alt: (plt.close(figure), alts.append(alt)))
    mask_pictures.show_copying(taught("copy_before"), attention, STORY)
    printed = [line.split()[1:] for line in capsys.readouterr().out.splitlines()]
    assert printed == [STORY, [".", *STORY[:-1]]]
    chosen, learned = map(float, re.findall(r"(\d\.\d\d)", alts[0]))
    assert chosen > 0.99
    assert 0.6 < learned < chosen
    assert trained(" ".join(STORY[1:]), 0)[0].diagonal(-1).mean() == pytest.approx(learned, abs=0.005)


# --- pictures that can be turned ---------------------------------------------------------------------------


def test_sliders_still_turn_when_the_whole_notebook_has_run(monkeypatch: pytest.MonkeyPatch) -> None:
    sliders: list[tuple[Any, ...]] = []
    monkeypatch.setattr(figures, "show", lambda figure, alt: plt.close(figure))
    monkeypatch.setattr(
        figures,
        "explore",
        lambda draw, stills, name, alt, turn=(), panels=1, opens_at=None: sliders.append(
            (draw, name, turn, panels, opens_at)
        ),
    )
    names: dict[str, Any] = {"__name__": "student"}
    for cell in LESSON.cells:
        if cell.kind == "code":
            exec(cell.text, names)
    assert [name for _, name, *_ in sliders] == ["factor"]
    for draw, _, turn, panels, opens_at in sliders:
        assert opens_at in turn[1:]
        assert 24 <= len(turn) <= 26
        for stop in (turn[0], turn[-1]):
            figure, axes = plt.subplots(1, panels)
            draw(stop, *axes)
            plt.close(figure)


# --- judging ----------------------------------------------------------------------------------------------


def test_unfinished_or_wrong_pieces_cost_nothing_here() -> None:
    key = judge.hidden_key(LESSON, "MultiHeadAttention", "ada")
    for pieces in (
        "def split_heads(X, num_heads): raise NotImplementedError",
        "split_heads = lambda X, h: X.reshape(len(X), h, X.shape[1], -1)\n"
        "merge_heads = lambda X: X.reshape(len(X), X.shape[2], -1)",
    ):
        names = run(f"{pieces}\n{LESSON.solution('MultiHeadAttention')}")
        verdict = verdict_by(LESSON, key, names)
        assert verdict.points == verdict.max_points, verdict


def test_two_right_answers_agree_whatever_is_drawn() -> None:
    """No drawn input is so close to a tie that rounding would make a right answer look wrong."""
    exercise = LESSON.exercise("MultiHeadAttention")
    (folded,) = (answer for answer in corpus.answers(LESSON) if answer.style == "heads folded into the batch")
    other_names = run(folded.code)
    for seed in range(8):
        question = runner.Question(exercise.id, (), exercise.draw(np.random.default_rng(seed)))
        one, other = (
            runner.ask(question, names).observations
            for names in (reference.load_namespace(LESSON), other_names)
        )
        for case, seen, expected in zip(question.cases, one, other, strict=True):
            if case.tag not in ("build", "refuse"):
                assert values.are_close(seen.value, expected.value, case.tolerance / 10), case.label


# --- a verdict says only what was seen --------------------------------------------------------------------


def told(exercise: str, code: str) -> str:
    """The verdict of `check` on a student's cell, everything else in the notebook being right."""
    names = trials.make_namespace(LESSON, LESSON.exercise(exercise))
    exec(code, names)
    key = judge.visible_key(LESSON, exercise)
    return verdict_view.as_text(verdict_by(LESSON, key, names))


def signs(text: str) -> str:
    """The lines' marks in their order."""
    return "".join(line[2] for line in text.splitlines()[1:] if line[:2] == "  " and line[2] in "✓✗–")


def module(*changes: str) -> str:
    """The reference module with each old text replaced by the new one that follows it."""
    text = "from torch.nn import functional as F\n" + lesson_source.strip_solution_marks(
        LESSON.solution("MultiHeadAttention")
    )
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    return text


FORWARD = module().split("scores = ")[1]
"""The reference module's code from the scores on."""


def test_a_module_is_judged_as_far_as_it_goes() -> None:
    misspelt = told("MultiHeadAttention", module("def forward", "def foward"))
    assert signs(misspelt) == "✓✓–––––––––✓"
    assert "there is `foward`, no `forward`" in misspelt
    todo = told("MultiHeadAttention", module(f"scores = {FORWARD}", f'raise NotImplementedError("{STUB}")\n'))
    assert signs(todo) == "✓✓–––––––––✓"
    assert "`forward` is still a TODO" in todo
    own = told("MultiHeadAttention", module("mask = mask.unsqueeze(1)", "raise NotImplementedError('3-D')"))
    assert signs(own) == "✓✓✓✓✓–✓✓✓–✓✓"
    assert "not started" not in own


def test_an_early_error_fails_no_line() -> None:
    assert signs(told("MultiHeadAttention", module("super().__init__()", "pass"))) == "––––––––––––"
    assert signs(told("split_heads", "def split_heads(X, num_heads): return x")) == "––––"
    assert (
        signs(told("create_padding_mask", "def create_padding_mask(seq, pad_token=0): return s")) == "––––––"
    )


def test_nothing_returned_earns_nothing() -> None:
    for name in ("create_causal_mask", "create_padding_mask", "additive_mask"):
        assert "✓" not in signs(told(name, f"def {name}(x, y=None): return None")), name
    for name in ("split_heads", "merge_heads"):
        assert "✓" not in signs(told(name, f"def {name}(X, num_heads=2): return None")), name
    assert signs(told("MultiHeadAttention", module("return self.W_o", "self.W_o"))) == "✓✓✗––––––––✓"


def test_half_a_prediction_is_judged_by_half() -> None:
    half = told("predict_who_sees_whom", "sees_causal, sees_padding, sees_both = [0, 1, 2], [0, 1, 3], ...")
    assert signs(half) == "✓✓–"
    assert "sees_both is not filled in yet" in half


def test_tokens_are_not_taken_for_positions() -> None:
    tokens = told(
        "predict_who_sees_whom", "sees_causal, sees_padding, sees_both = [5, 8, 0], [5, 8, 2], [5, 8]"
    )
    assert "token values instead of positions" in tokens
    assert "may it see itself" not in tokens


def test_a_count_is_not_taken_for_positions() -> None:
    counts = told("predict_who_sees_whom", "sees_causal, sees_padding, sees_both = 3, 3, 2")
    assert "sees_causal should be a list of positions" in counts


def test_a_view_without_its_transpose_is_told_from_a_view_in_its_place() -> None:
    code = "def split_heads(X, num_heads): return X.view({})"
    missing = told("split_heads", code.format("*X.shape[:2], num_heads, -1"))
    assert "Looks like: transpose missing" in missing
    in_place = told("split_heads", code.format("len(X), num_heads, X.shape[1], -1"))
    assert "Looks like: view instead of transpose" in in_place


def test_parameters_are_called_what_they_are() -> None:
    assert "Looks like: bias added" in told("MultiHeadAttention", module(", bias=False", ""))
    own = "self.W_q = nn.Linear(d_model, d_model, bias=False)"
    theirs = "self.mha = nn.MultiheadAttention(d_model, num_heads)"
    assert "the library's own module" in told("MultiHeadAttention", module(own, theirs))
    fused = told(
        "MultiHeadAttention", module(own, "self.W_qkv = nn.Linear(d_model, 3 * d_model, bias=False)")
    )
    assert "Looks like" not in fused
    smaller = told("MultiHeadAttention", module(own, "self.W_q = nn.Linear(d_model, 2, bias=False)"))
    assert "raised" not in smaller


def test_a_mask_a_sentence_needs_its_axis_in_front_of_the_queries() -> None:
    text = told("MultiHeadAttention", module("mask.unsqueeze(1)", "mask.unsqueeze(2)"))
    assert signs(text) == "✓✓✓✓✓✗✓✓✓–✓✓"


@pytest.mark.parametrize(
    ("kind", "sign"),
    [("AssertionError", "✗"), ("RuntimeError", "✗"), ("NameError", "–"), ("ValueError", "✓")],
)
def test_only_a_refusal_of_another_kind_is_no_value_error(kind: str, sign: str) -> None:
    text = told("MultiHeadAttention", module("raise ValueError", f"raise {kind}"))
    assert signs(text) == "✓✓✓✓✓✓✓✓✓✓✓" + sign


def test_a_module_that_refuses_everything_refuses_nothing_in_particular() -> None:
    text = told("MultiHeadAttention", module("if d_model % num_heads:", "if True:"))
    assert signs(text) == "––––––––––––"


def test_a_mask_of_zeros_and_infinities_is_not_read_as_true_and_false() -> None:
    code = "def create_causal_mask(n): return torch.full((n, n), -math.inf).triu(1)"
    assert signs(told("create_causal_mask", code)) == "✗–––"
    assert (
        signs(told("create_causal_mask", "def create_causal_mask(n): return torch.ones(n, n).tril()"))
        == "✗✓✓✓"
    )

"""How `masked_weights` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exercises import (
    Case,
    Criterion,
    Exercise,
    Misconception,
    Tensor,
    Variant,
    common,
    common_mistakes,
)

from .cases import HIDDEN, masked, tensor, weighing_mistakes
from .shown import rules

if TYPE_CHECKING:
    import torch


def examples() -> tuple[Case, ...]:
    notes = tensor([[1.0, 2.0, 0.5]])
    last_hidden = Tensor(np.array([[True, True, False]]))
    scores = tensor([[0.5, -1.0, 2.0], [1.5, 0.0, -0.5], [0.3, 0.8, -2.0]])
    two_heads = [[[0.2, 1.0, -0.5], [0.7, -1.2, 0.1]], [[-0.3, 0.9, 1.1], [2.0, 0.4, -0.8]]]
    heads = tensor([two_heads])
    low = tensor([[-4e6, -3e6, 5.0], [1000.0, 998.0, 3.0], [2.0, 1.0, 87.0]])
    empty = Tensor(np.array([[True, False, True], [False, False, False], [True, True, False]]))
    lasts_hidden = Tensor(np.array([[True, True, False]] * 3))
    return (
        Case("mask", (notes, last_hidden), label="the notes' second example"),
        Case("plain", (scores,), label="no mask"),
        Case("plain", (heads,), label="two heads, no mask"),
        Case("mask", (scores, Tensor(np.tri(3, dtype=bool))), label="causal"),
        Case("mask", (heads, Tensor(np.tri(2, 3, dtype=bool))), label="two heads, one mask for both"),
        Case("far", (low, lasts_hidden), label="very low and very high scores"),
        Case("empty", (scores, empty), label="query 1 may look nowhere"),
        Case("gradient", (scores, empty), label="with gradients, query 1 may look nowhere", gradient_of=(0,)),
        Case("gradient", (heads, Tensor(np.tri(2, 3, dtype=bool))), label="with gradients", gradient_of=(0,)),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    def scores(*shape: int) -> Tensor:
        return tensor(np.round(1.5 * rng.normal(size=shape), 2))

    some = rng.random((4, 5)) < 0.6
    some[:, 0] = True
    nowhere = some & (np.arange(4) != rng.integers(4))[:, None]
    low = 20 * rng.normal(size=(2, 3)).argsort(axis=-1) + np.array([[-3e6, 5, -3e6], [1000, 2000, 1000]])
    return (
        Case("plain", (scores(2, 3, 4, 5),), label="two sequences, three heads, no mask"),
        Case("mask", (scores(4, 5), Tensor(some)), label="any keys hidden"),
        Case("mask", (scores(2, 3, 4, 5), Tensor(some)), label="one mask for all heads"),
        Case("far", (tensor(low), Tensor(np.array([[True, False, True]] * 2))), label="very low and high scores"),
        Case("mask", (scores(1, 2, 4, 5), Tensor(some)), label="one sequence"),
        Case("empty", (scores(4, 5), Tensor(nowhere)), label="one query may look nowhere"),
        Case("empty", (scores(2, 1, 4, 1), Tensor(nowhere[:, :1])), label="one head, one key"),
        Case("gradient", (scores(2, 3, 4, 5), Tensor(nowhere)), label="with gradients", gradient_of=(0,)),
    )


def masked_weights(scores: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """The softmax of the scores in view; a query that may look nowhere gets zeros."""
    from torch import inf, where

    in_view = scores if mask is None else where(mask, scores, -inf)
    return in_view.softmax(dim=-1).nan_to_num()


EXERCISE = Exercise(
    graded=False,
    examples=examples,
    draw=draw,
    results=("weights",),
    reference_stub=masked_weights,
    variant=Variant(
        "The mask says who may *not* be looked at: True hides a key.",
        ("~mask, lowest).softmax(dim=-1) * mask", "mask, lowest).softmax(dim=-1) * ~mask"),
        ("plain", "mask", "far", "empty"),
    ),
    criteria=(
        Criterion("without a mask, plain softmax", common.agrees, ("plain",)),
        Criterion("a hidden key's share goes to the others", common.agrees, ("mask",), plain=("plain",)),
        Criterion("right however high or low the scores are", common.agrees, ("far",), plain=("plain", "mask")),
        Criterion("a query with nothing to look at gets zeros", rules.empty_rows_are_zero, ("empty",)),
        Criterion("its neighbours keep their shares", rules.neighbours, ("empty",), plain=("plain", "mask")),
        Criterion("scores and mask stay as they were", common.unchanged, ("plain", "mask", "far", "empty")),
        Criterion("gradients flow back to the scores, past an empty row too", rules.gradients_of_weights,
            ("gradient",)),
    ),
    misconceptions=(
        *weighing_mistakes(lambda weights: f"return {weights}"),
        Misconception("works for one rank only", "the axis of the keys is the last, wherever that is",
            "How many axes do the scores have with heads? From which side do you count?",
            *(f"return {masked(HIDDEN, f'.softmax(dim={axis}).nan_to_num()')}" for axis in (1, 2))),
        Misconception("gradient cut", "nothing, or NaN, gets back to the scores",
            "Where does the path from scores to weights leave the graph, or meet 0/0?",
            f"return {masked('(scores + additive_mask(mask))', '.softmax(dim=-1).nan_to_num()')}",
            f"return {masked('(scores + additive_mask(mask))', '.softmax(dim=-1)')}"
            ".where(True if mask is None else mask.any(dim=-1, keepdim=True), 0.0)",
            f"return {masked(HIDDEN, '.softmax(dim=-1).nan_to_num().detach()')}"),
        common_mistakes.writes_into_its_input(
            "return (scores if mask is None else scores.masked_fill_(~mask, -torch.inf)).softmax(dim=-1).nan_to_num()"),
    ),
)

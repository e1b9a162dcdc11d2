"""How `masked_weights` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.model import Case, Exercise, Part, Tensor

from .cases import weighing_mistakes
from .shown import rules

if TYPE_CHECKING:
    import torch


def examples() -> tuple[Case, ...]:
    notes = Tensor(np.array([[1.0, 2.0, 0.5]]))
    last_hidden = Tensor(np.array([[True, True, False]]))
    scores = Tensor(np.array([[0.5, -1.0, 2.0], [1.5, 0.0, -0.5], [0.3, 0.8, -2.0]]))
    two_heads = [[[0.2, 1.0, -0.5], [0.7, -1.2, 0.1]], [[-0.3, 0.9, 1.1], [2.0, 0.4, -0.8]]]
    heads = Tensor(np.array([two_heads]))
    low = Tensor(np.array([[-4e6, -3e6, 5.0], [1.0, 2.0, 3.0]]))
    empty = Tensor(np.array([[True, False, True], [False, False, False], [True, True, False]]))
    return (
        Case("mask", (notes, last_hidden), label="the notes' second example"),
        Case("plain", (scores,), label="no mask"),
        Case("plain", (heads,), label="two heads, no mask"),
        Case("mask", (scores, Tensor(np.tri(3, dtype=bool))), label="causal"),
        Case("mask", (heads, Tensor(np.tri(2, 3, dtype=bool))), label="two heads, one mask for both"),
        Case("mask", (low, last_hidden), label="very low scores"),
        Case("empty", (scores, empty), label="query 1 may look nowhere"),
    )


def masked_weights(scores: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """PyTorch's attention weights for these scores; a query that may look nowhere gets zeros."""
    from torch import eye
    from torch.nn.functional import scaled_dot_product_attention

    every_key = eye(scores.shape[-1], dtype=scores.dtype).expand(*scores.shape[:-2], -1, -1)
    weights = scaled_dot_product_attention(scores, every_key, every_key, attn_mask=mask, scale=1.0)
    return weights.nan_to_num()


EXERCISE = Exercise(
    graded=False,
    examples=examples,
    stand_in=masked_weights,
    parts=(
        Part("without a mask, plain softmax", rules.right_and_untouched, ("plain",)),
        Part("a hidden key's share goes to the others", rules.right_and_untouched, ("mask",)),
        Part("a query with nothing to look at gets zeros", rules.empty_rows_are_zero, ("empty",)),
        Part("and its neighbours are as before", rules.right_and_untouched, ("empty",)),
    ),
    misconceptions=weighing_mistakes(lambda weights: f"return {weights}"),
)

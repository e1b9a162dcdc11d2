"""How `scaled_dot_product_attention` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.model import Case, Exercise, Part, common

from ..shown import shares
from ..shown.library import ATTENTION
from .cases import all_large, far_apart, on_tensors, qkv
from .mistakes import MISTAKES, ON_TENSORS, made_in
from .shown import rules

if TYPE_CHECKING:
    import torch

GRADIENT = {"gradient_of": (0, 1, 2)}


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(5)
    keys = [[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]]
    values = [[1, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]]
    toy = [[0, 10, 0], [0, 0.3, 0.1]], keys, values
    return (
        on_tensors("example", toy, "the toy keys, asked strongly and gently"),
        on_tensors("sizes", qkv(rng, 2, 3, 5, 4), "five features, four columns of values"),
        on_tensors("sizes", qkv(rng, 3, 3, 3, 3), "as many queries as keys"),
        on_tensors("batch", qkv(rng, 2, 3, 5, 2, 2), "a batch of two"),
        on_tensors("batch", qkv(rng, 2, 2, 2, 2, 2), "a batch of two, as many queries as keys"),
        on_tensors("large", far_apart(rng), "rows of scores thousands apart", tolerance=1e-3),
        on_tensors("gradient", qkv(rng, 3, 3, 3, 3), "with gradients", **GRADIENT),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        on_tensors("sizes", qkv(rng, 3, 4, 5, 6), "distinct sizes"),
        on_tensors("sizes", qkv(rng, 5, 5, 5, 5), "square"),
        on_tensors("sizes", qkv(rng, 1, 6, 7, 7), "one query"),
        on_tensors("sizes", qkv(rng, 4, 4, 9, 4), "as many queries as keys"),
        on_tensors("batch", qkv(rng, 3, 4, 5, 6, 2), "a batch, distinct sizes"),
        on_tensors("batch", qkv(rng, 3, 3, 3, 3, 3), "a batch of three square matrices"),
        on_tensors("batch", qkv(rng, 2, 5, 6, 3, 1), "a batch of one"),
        on_tensors("batch", qkv(rng, 3, 4, 7, 2, 2, 5), "two batch axes"),
        on_tensors("batch", qkv(rng, 2, 2, 2, 2, 2, 2), "two batch axes, all sizes alike"),
        on_tensors("large", far_apart(rng), "rows of scores thousands apart", tolerance=1e-3),
        on_tensors("large", all_large(rng), "all scores above 1000", tolerance=1e-3),
        on_tensors("gradient", qkv(rng, 3, 4, 5, 6), "with gradients", **GRADIENT),
        on_tensors("gradient", qkv(rng, 4, 4, 2, 4), "as many queries as keys, with gradients", **GRADIENT),
    )


def scaled_dot_product_attention(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """PyTorch's, with its weights."""
    from autograder import attention

    return attention(Q, K, V)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    stand_in=scaled_dot_product_attention,
    library=ATTENTION,
    parts=(
        Part("returns output and weights, of the right shapes", common.shape, ("example", "sizes")),
        Part("every query's weights sum to 1", shares.rows_sum_to_one, ("example", "sizes")),
        Part("the numbers are right, whatever the sizes", common.agrees, ("example", "sizes")),
        Part("a batch is answered matrix by matrix", common.agrees, ("batch",)),
        Part("large scores do no harm", common.agrees, ("large",)),
        Part("leaves its inputs as they were", common.unchanged, ("example", "sizes")),
        Part("gradients reach Q, K and V", rules.gradient_flows, ("gradient",)),
    ),
    misconceptions=made_in(
        ON_TENSORS,
        MISTAKES
        | {
            "wrong length": (*MISTAKES["wrong length"], ("K.shape[-1]", "K.shape[1]")),
            "softmax over queries": (
                *MISTAKES["softmax over queries"],
                ("softmax(scores, -1)", "softmax(scores, 1)"),
                ("softmax(scores, -1)", "torch.nn.functional.softmax(scores)"),
            ),
            "transposed the batch": (
                "with three axes, more (or others) than the last two have changed places",
                "K has shape (batch, n_k, d_k): which two axes should swap, and which stay where they are?",
                *(("K.mT", turned) for turned in ("K.T", "K.transpose(0, 1)", "K.transpose(1, 2)", "K.t()")),
            ),
            "gradient cut": (
                "somewhere the result leaves PyTorch's graph",
                "Print requires_grad after each line: at which one does it turn False?",
                ("scores =", "Q, K, V = Q.detach(), K.detach(), V.detach(); scores ="),
                ("softmax(scores, -1)", "softmax(scores, -1).detach()"),
                ("Q @", "torch.tensor(Q.numpy()) @"),
            ),
        },
    ),
)

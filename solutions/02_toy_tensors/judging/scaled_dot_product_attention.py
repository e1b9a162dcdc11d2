"""How `scaled_dot_product_attention` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common
from attention import modules, shares
from attention.library import ATTENTION

from .cases import all_large, far_apart, mistake, on_tensors, qkv

if TYPE_CHECKING:
    import torch

MATRICES = ("example", "sizes", "alike")
"""Tags of the cases without a batch; where output and weights are of one shape, it is "alike"."""

GRADIENT = {"gradient_of": (0, 1, 2)}
K_TURNED = "K.transpose(-2, -1)"
SCORES = f"Q @ {K_TURNED}"
SOFTMAX = "torch.softmax(scores, dim=-1)"


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(5)
    keys = [[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]]
    values = [[1, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]]
    toy = [[0, 10, 0], [0, 0.3, 0.1]], keys, values
    return (
        on_tensors("example", toy, "the toy keys, asked strongly and gently"),
        on_tensors("sizes", qkv(rng, 2, 3, 5, 4), "five features, four columns of values"),
        on_tensors("alike", qkv(rng, 3, 3, 3, 3), "as many queries as keys"),
        on_tensors("batch", qkv(rng, 2, 3, 5, 2, 3), "a batch of three"),
        on_tensors("batch", qkv(rng, 2, 2, 2, 2, 2), "a batch of two, as many queries as keys"),
        on_tensors("batch", qkv(rng, 2, 3, 5, 1, 2, 2), "two batch axes"),
        on_tensors("batch", qkv(rng, 2, 2, 2, 2, 2, 2), "two batch axes, two of everything"),
        on_tensors("batch", qkv(rng, 1, 4, 3, 2, 1), "a batch of one, with one query"),
        on_tensors("large", far_apart(rng), "rows of scores thousands apart", tolerance=1e-3),
        on_tensors("gradient", qkv(rng, 3, 3, 3, 3), "with gradients", **GRADIENT),
        on_tensors("alike", qkv(rng, 2, 2, 2, 2), "two of everything"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        on_tensors("sizes", qkv(rng, 3, 4, 5, 6), "distinct sizes"),
        on_tensors("alike", qkv(rng, 5, 5, 5, 5), "square"),
        on_tensors("sizes", qkv(rng, 1, 6, 7, 7), "one query"),
        on_tensors("alike", qkv(rng, 4, 4, 9, 4), "as many queries as keys"),
        on_tensors("sizes", qkv(rng, 3, 1, 4, 2), "one key"),
        on_tensors("sizes", qkv(rng, 3, 4, 1, 1), "one feature, one column of values"),
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
    from attention import attention

    return attention(Q, K, V)


WITH_MATRICES = (
    mistake("not divided by √d_k",
        (" / K.shape[-1] ** 0.5", "")),
    mistake("divided by the wrong power of d_k",
        *(("** 0.5", power) for power in ("** 1", "** -0.5", "/ 2", "* 2", "** 0.25", "** 2"))),
    mistake("root of d_k cut to a whole number",
        ("K.shape[-1] ** 0.5", "int(K.shape[-1] ** 0.5)")),
    mistake("scaled after the softmax",
        (" / K.shape[-1] ** 0.5", "", SOFTMAX, f"{SOFTMAX} / K.shape[-1] ** 0.5")),
    mistake("softmax over the whole matrix",
        (SOFTMAX, "torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)"),
        (SOFTMAX, "torch.softmax(scores.flatten(-2), dim=-1).reshape(scores.shape)")),
    mistake("weights transposed",
        ("weights @ V", "weights.mT @ V"),
        (SOFTMAX, f"{SOFTMAX}.mT"),
        ("weights @ V", 'torch.einsum("...ij,...ik->...jk", weights, V)')),
    mistake("no shift by the maximum",
        (SOFTMAX, "scores.exp() / scores.exp().sum(-1, keepdim=True)"),
        (SOFTMAX, "torch.nan_to_num(scores.exp() / scores.exp().sum(-1, keepdim=True))")),
    mistake("large scores cut to a limit",
        *((SOFTMAX, SOFTMAX.replace("scores", f"scores.clamp(-{most}, {most})")) for most in (80, 50))),
    mistake("one maximum for all rows",
        (SOFTMAX, "torch.exp(scores - scores.max())\n    weights = weights / weights.sum(-1, keepdim=True)")),
    mistake("broadcast along the wrong axis",
        (SOFTMAX, "torch.exp(scores - scores.amax(-1, keepdim=True))\n    weights = weights / weights.sum(-1)"),
        (SOFTMAX, "torch.exp(scores - scores.amax(-1))\n    weights = weights / weights.sum(-1)")),
    mistake("keys not transposed",
        (K_TURNED, "K")),
    mistake("exponential missing",
        (SOFTMAX, "scores / scores.sum(-1, keepdim=True)")),
    mistake("only the best key counts",
        (SOFTMAX, "torch.nn.functional.one_hot(scores.argmax(-1), K.shape[-2]).to(V.dtype)"),
        ("weights @ V", "torch.nn.functional.one_hot(scores.argmax(-1), K.shape[-2]).to(V.dtype) @ V")),
    mistake("weights returned without the values",
        ("return weights @ V, weights", "return weights")),
    mistake("axis of length 1 lost",
        ("return weights @ V, weights", "return (weights @ V).squeeze(), weights.squeeze()"),
        ("return weights @ V, weights", "return (weights @ V).squeeze(0), weights.squeeze(0)"),
        ("return weights @ V, weights", "return (weights @ V).squeeze(-2), weights.squeeze(-2)")),
    mistake("results in the wrong order",
        ("return weights @ V, weights", "return weights, weights @ V")),
)
"""Mistakes that show without a batch, in whatever gives output and weights."""

WRONG_PLACES = (
    ("weights @ V", "weights @ K"),
    ("scores =", "K, V = V, K\n    scores ="),
    *(("Q @ K", f"{one} @ {other}") for one, other in ("QV", "QQ", "KQ", "KK", "VK")),
)
WRONG_LENGTHS = tuple(
    ("K.shape[-1]", length)
    for length in ("K.shape[-2]", "Q.shape[-2]", "V.shape[-1]", "K.shape[0]")
)
CONSTANTS = tuple(("K.shape[-1]", number) for number in ("2", "3", "4", "16", "64"))

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    results=("output", "weights"),
    reference_stub=scaled_dot_product_attention,
    library=ATTENTION,
    steps=("scores",),
    variant=Variant(
        "Each key shares itself out among the queries: the columns of the weights sum to 1.",
        ("dim=-1", "dim=-2"),
    ),
    by_error=("works for one rank only",),
    criteria=(
        Criterion("returns output and weights, of the right shapes", common.shape, MATRICES),
        Criterion("every query's weights sum to 1", shares.rows_sum_to_one, ("example", "sizes")),
        Criterion("the numbers are right, whatever the sizes", common.agrees, MATRICES),
        Criterion("the numbers are right for batches", common.agrees, ("batch",), plain=MATRICES),
        Criterion("the numbers are right for large scores", common.agrees, ("large",), plain=MATRICES),
        Criterion("leaves its inputs as they were", common.unchanged, MATRICES),
        Criterion("gradients reach Q, K and V", modules.gradients, ("gradient",)),
    ),
    misconceptions=(
        *WITH_MATRICES,
        mistake("Q, K or V in the wrong place", *WRONG_PLACES),
        mistake("divided by the root of the wrong length", *WRONG_LENGTHS, ("K.shape[-1]", "K.shape[1]")),
        mistake("a constant instead of the input's size", *CONSTANTS),
        mistake("softmax over the queries",
            ("dim=-1", "dim=-2"),
            ("dim=-1", "dim=0"),
            ("dim=-1", "dim=1")),
        mistake("softmax over the wrong axis", (SOFTMAX, "torch.nn.functional.softmax(scores)"),
            detail="without a dim, PyTorch picks one by the number of axes",
            question="Which axis does your softmax run along when there is a batch, and where does it say so?"),
        mistake("batch axis transposed", (K_TURNED, "K.T"), (K_TURNED, "K.transpose(0, 1)"),
            detail="with a batch, other axes than the last two change places",
            question="K has shape (batch, n_k, d_k): which two axes should swap, and which stay where they are?"),
        mistake("works for one rank only", (K_TURNED, "K.t()"),
            ("scores =", "batch, n_q, d_k = Q.shape\n    scores ="),
            ("scores =", "n_k, d_k = K.shape\n    scores ="), (SCORES, f"torch.mm(Q, {K_TURNED})"),
            (SCORES, 'torch.einsum("qd,kd->qk", Q, K)'), (SCORES, f"torch.bmm(Q, {K_TURNED})"),
            (SCORES, f"torch.bmm(Q, {K_TURNED})", "dim=-1", "dim=2"),
            (SCORES, 'torch.einsum("bqd,bkd->bqk", Q, K)'),
            (SCORES, 'torch.einsum("bqd,bkd->bqk", Q, K)', "dim=-1", "dim=2"),
            (K_TURNED, "K.transpose(1, 2)"), (K_TURNED, "K.transpose(1, 2)", "dim=-1", "dim=2"),
            (K_TURNED, "K.permute(0, 2, 1)"), (SCORES, "torch.bmm(Q, K.transpose(1, 2))"),
            (SCORES, "torch.bmm(Q, K.permute(0, 2, 1))"), ("dim=-1", "dim=2")),
        mistake("works for one batch axis at most",
            (K_TURNED, "(K.t() if K.dim() == 2 else K.transpose(1, 2))")),
        mistake("writes into its input",
            (" / K.shape[-1] ** 0.5", "", "scores =", "Q /= K.shape[-1] ** 0.5\n    scores ="),
            (" / K.shape[-1] ** 0.5", "", "scores =", "K /= K.shape[-1] ** 0.5\n    scores ="), detail="",
            question="Print Q, K and V before the call and after it. Which of your lines assigns in place?"),
        mistake("gradient cut", ("scores =", "Q, K, V = Q.detach(), K.detach(), V.detach()\n    scores ="),
            (SOFTMAX, f"{SOFTMAX}.detach()")),
    ),
)

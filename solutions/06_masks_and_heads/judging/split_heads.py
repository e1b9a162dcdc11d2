"""How `split_heads` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common

from ...judging.mistakes import mistake
from .cases import numbered

if TYPE_CHECKING:
    import torch


def examples() -> tuple[Case, ...]:
    return (
        Case("example", (numbered(1, 3, 4), 2), label="3 words, 2 heads of width 2"),
        Case("sizes", (numbered(2, 3, 2), 2)),
        Case("sizes", (numbered(2, 2, 6), 2), label="as many words as heads"),
        Case("sizes", (numbered(1, 2, 3), 1), label="one head"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        Case("sizes", (numbered(2, 4, 15, start=int(rng.integers(100))), 3)),
        Case("sizes", (numbered(3, 3, 9, start=int(rng.integers(100))), 3), label="all sizes alike"),
        Case("sizes", (numbered(2, 1, 8), 4), label="one word"),
        Case("sizes", (numbered(2, 3, 1), 1), label="one column"),
        Case("sizes", (Tensor(rng.normal(size=(2, 5, 6))), 3), label="double precision"),
        Case("sizes", (Tensor(rng.permutation(48).reshape(2, 3, 8)), 2), label="integers"),
    )


def split_heads(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    """PyTorch's chunks, stacked: (batch, num_heads, n, d_head)."""
    from torch import stack

    return stack(X.chunk(num_heads, dim=-1), dim=1)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    reference_stub=split_heads,
    variant=Variant(
        "The columns are dealt out like cards: head j gets every `num_heads`-th one, beginning with column j.",
        (
            "X.view(batch, n, num_heads, d_model // num_heads).transpose(1, 2)",
            "X.view(batch, n, d_model // num_heads, num_heads).permute(0, 3, 1, 2)",
        ),
    ),
    criteria=(
        Criterion("(batch, num_heads, n, d_head)", common.shape),
        Criterion("three words, two heads", common.agrees, ("example",)),
        Criterion("head j owns its columns at any sizes", common.agrees, ("sizes",), plain=("example",)),
        Criterion("X stays as it was", common.unchanged),
    ),
    misconceptions=(
        mistake("view instead of transpose",
            ("batch, n, num_heads,", "batch, num_heads, n,", ".transpose(1, 2)", ""),
            detail="a head gets a stretch of the sentence, not a part of every "
            "word (with a merge to match, both mistakes pass every round trip)"),
        mistake("transpose missing", (".transpose(1, 2)", ""),
            detail="words and heads have not changed places",
            question="Write down what each of your four axes counts, and what each should count."),
        mistake("columns dealt to the heads in turn",
            "return X.unflatten(2, (-1, num_heads)).permute(0, 3, 1, 2)",
            detail="a head's columns should be neighbours",
            question="Head 0 owns columns 0 … d_head − 1. Which columns does yours hold?"),
        mistake("writes into its input"),
    ),
)

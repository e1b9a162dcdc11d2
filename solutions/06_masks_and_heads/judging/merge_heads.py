"""How `merge_heads` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common

from ...judging.mistakes import mistake
from .cases import numbered

if TYPE_CHECKING:
    import torch


def examples() -> tuple[Case, ...]:
    heads = np.array([[[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]], dtype=np.float32)
    return (
        Case("example", (Tensor(heads),), label="the three words of split_heads"),
        Case("sizes", (numbered(2, 2, 3, 1),)),
        Case("sizes", (numbered(2, 2, 2, 3),), label="as many words as heads"),
        Case("sizes", (numbered(1, 1, 2, 3),), label="one head"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        Case("sizes", (numbered(2, 3, 4, 5, start=int(rng.integers(100))),)),
        Case("sizes", (numbered(3, 3, 3, 3, start=int(rng.integers(100))),), label="all sizes alike"),
        Case("sizes", (numbered(2, 4, 1, 2),), label="one word"),
        Case("sizes", (Tensor(rng.normal(size=(2, 3, 5, 2))),), label="double precision"),
        Case("sizes", (Tensor(rng.integers(0, 50, size=(2, 4, 3, 2))),), label="integers"),
    )


def merge_heads(X: torch.Tensor) -> torch.Tensor:
    """The way back: (batch, n, d_model)."""
    return X.movedim(1, 2).flatten(2)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    reference_stub=merge_heads,
    variant=Variant(
        "The columns were dealt out like cards: column i of head j goes to column i · num_heads + j.",
        ("X.transpose(1, 2)", "X.permute(0, 2, 3, 1)"),
    ),
    criteria=(
        Criterion("(batch, n, d_model)", common.shape),
        Criterion("three words, two heads", common.agrees, ("example",)),
        Criterion("a word's parts side by side at any sizes", common.agrees, ("sizes",), plain=("example",)),
        Criterion("X stays as it was", common.unchanged),
    ),
    misconceptions=(
        mistake("merged without a transpose",
            "return X.reshape(X.shape[0], X.shape[2], X.shape[1] * X.shape[3])", (".transpose(1, 2)", ""),
            detail="the rows mix words (with a split to match, both mistakes pass every round trip)",
            question="Follow word 0. Which rows of which heads end up in its vector?"),
        mistake("heads stacked below each other", "return X.flatten(1, 2)",
            "return X.transpose(1, 2).flatten(1, 2)"),
        mistake("columns dealt to the heads in turn", (".transpose(1, 2)", ".permute(0, 2, 3, 1)")),
        mistake("writes into its input"),
    ),
)

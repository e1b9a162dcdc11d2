"""A model as an argument: next-word scores from a table, which tell what was read."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds

FADES = 0.8
"""How much less each word counts than the one behind it."""


@dataclass(frozen=True)
class NextWordScores:
    """An argument that the answer meets as an `nn.Module` with a parameter: (1, m) token ids to (1, m, vocabulary).

    table: (vocabulary, vocabulary), a row a word: what it adds to the logits at its own position, and ever less to
        those behind it.
    context: so many words are read; more are refused.
    """

    table: np.ndarray
    context: int

    def at_the_end(self, words: Sequence[int]) -> np.ndarray:
        """The logits at the last position."""
        fading = FADES ** np.arange(len(words))[::-1]
        return np.asarray(fading @ self.table[list(words)])


@functools.cache
def _module() -> Any:
    """The class, made where torch is wanted."""
    import torch
    from torch import nn

    class Model(nn.Module):
        def __init__(self, declared: NextWordScores) -> None:
            super().__init__()
            self.table, self.context = nn.Parameter(torch.tensor(declared.table)), declared.context

        def forward(self, tokens: Any) -> Any:
            if tokens.dim() != 2 or len(tokens) != 1 or not tokens.numel():
                raise ValueError(f"this model reads words as (1, m), not as {tuple(tokens.shape)}")
            words = tokens.shape[1]
            if words > self.context:
                raise IndexError(f"{words} words were handed in; this model knows {self.context} positions")
            ago = torch.arange(words)[:, None] - torch.arange(words)
            fading = torch.where(ago >= 0, FADES ** ago.clamp(min=0), 0.0)
            return (fading @ nn.functional.embedding(tokens[0], self.table))[None]

    return Model


def _in_short(declared: NextWordScores, hidden: bool) -> str:
    return f"(knows {len(declared.table)} words, reads {declared.context} at most)"


argument_kinds.register(
    argument_kinds.Kind(NextWordScores, make=lambda declared: _module()(declared), in_short=_in_short)
)

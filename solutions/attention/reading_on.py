"""What lesson 08 builds, for those who bring nothing of their own along: turned positions, and the new words alone."""

from __future__ import annotations

import torch
from torch.nn import functional


def rotate(X: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return X (..., n, d) with each pair of columns turned as its position says. Raises `ValueError` for odd d.

    A pair is one complex number here: to turn it is to multiply it by a number of length 1.
    """
    if X.shape[-1] % 2:
        raise ValueError(f"{X.shape[-1]} columns cannot be split into pairs")
    pairs = torch.complex(X[..., 0::2], X[..., 1::2])
    slower = base ** (torch.arange(pairs.shape[-1]) / pairs.shape[-1])
    turns = positions.unsqueeze(-1) / slower
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(turns), turns)).flatten(start_dim=-2)


def attend_new(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, kept: tuple[torch.Tensor, torch.Tensor] | None = None
) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
    """Return the output (heads, m, d_v) of m new words, and all keys and values, those of the words before first."""
    if kept is not None:
        K, V = (torch.cat(both, dim=1) for both in zip(kept, (K, V), strict=True))
    new, words = Q.shape[1], K.shape[1]
    seen = torch.ones(new, words, dtype=torch.bool).tril(diagonal=words - new)
    return functional.scaled_dot_product_attention(Q, K, V, attn_mask=seen), (K, V)

"""What lesson 08 builds, for those who bring nothing of their own along: turned positions, and the new words alone."""

from __future__ import annotations

import math

import torch


def rotate(X: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return X (..., n, d) with each pair of columns turned as its position says. Raises `ValueError` for odd d."""
    d = X.shape[-1]
    if d % 2:
        raise ValueError(f"{d} columns do not go in pairs")
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    x, y = X.unflatten(-1, (-1, 2)).unbind(-1)
    turned = x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()
    return torch.stack(turned, dim=-1).flatten(-2)


def attend_new(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, kept: tuple[torch.Tensor, torch.Tensor] | None = None
) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
    """Return the output (heads, m, d_v) of m new words, and all keys and values, those of the words before first."""
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    m, n = Q.shape[1], K.shape[1]
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    later = torch.arange(n) > torch.arange(n - m, n)[:, None]
    return scores.masked_fill(later, -torch.inf).softmax(dim=-1) @ V, (K, V)

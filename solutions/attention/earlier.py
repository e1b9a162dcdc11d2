"""Functions of earlier lessons for those who have none of their own yet: SciPy's and PyTorch's, under those names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .helpers import attention, softmax

if TYPE_CHECKING:
    import torch


def simple_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """As lesson 02 asks for it: Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v) -> (n_q, d_v)."""
    return softmax(Q @ K.T / np.sqrt(K.shape[-1])) @ V


def scaled_dot_product_attention(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """As lesson 02 asks for it: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v) -> output and weights."""
    return attention(Q, K, V)


def masked_softmax(X: torch.Tensor, valid_lens: torch.Tensor | None) -> torch.Tensor:
    """As lesson 05 asks for it: X (batch, n_q, n_k), valid_lens None, (batch,) or (batch, n_q)."""
    from torch import arange

    if valid_lens is None:
        return X.softmax(dim=-1)
    hidden = arange(X.shape[-1]) >= valid_lens.reshape(X.shape[0], -1, 1)
    return X.masked_fill(hidden, float("-inf")).softmax(dim=-1).masked_fill(hidden, 0.0)

"""Working versions of what earlier lessons build, so that a student may start with any lesson.

They call well-known libraries; how it is done by hand is what the lessons are about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch


def pad_rows(vectors: Sequence[Sequence[float]]) -> np.ndarray:
    """PyTorch's padding: the vectors as the rows of a matrix, (n, longest), zeros on the right."""
    from torch import float64, tensor
    from torch.nn.utils.rnn import pad_sequence

    rows = [tensor(np.asarray(vector), dtype=float64) for vector in vectors]
    return pad_sequence(rows, batch_first=True).numpy()


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """SciPy's softmax: positive numbers of the shape of `x` that sum to 1 along `axis`."""
    import scipy.special

    return scipy.special.softmax(np.asarray(x), axis=axis)


def attention(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """PyTorch's scaled dot-product attention, with its weights.

    Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v); `mask` is boolean, True = this query may look here,
    broadcastable to (..., n_q, n_k). Returns output (..., n_q, d_v) and weights (..., n_q, n_k); a query that may
    look nowhere gets zeros.
    """
    from torch import eye
    from torch.nn.functional import scaled_dot_product_attention

    one_per_key = eye(K.shape[-2], dtype=K.dtype).expand(*K.shape[:-2], -1, -1)
    output = scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    weights = scaled_dot_product_attention(Q, K, one_per_key, attn_mask=mask)
    return output.nan_to_num(), weights.nan_to_num()


def masked_weights(scores: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """PyTorch's attention as a softmax over the keys that a boolean mask allows, True = this query may look here.

    scores (..., n_q, n_k). Returns weights of the same shape; a query that may look nowhere gets zeros.
    """
    from torch import eye
    from torch.nn.functional import scaled_dot_product_attention

    one_per_key = eye(scores.shape[-1], dtype=scores.dtype).expand(*scores.shape[:-2], -1, -1)
    weights = scaled_dot_product_attention(scores, one_per_key, one_per_key, attn_mask=mask, scale=1.0)
    return weights.nan_to_num()


def split_heads(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    """PyTorch's chunks, stacked: X (batch, n, d_model) to (batch, num_heads, n, d_head)."""
    from torch import stack

    return stack(X.chunk(num_heads, dim=-1), dim=1)


def merge_heads(X: torch.Tensor) -> torch.Tensor:
    """The way back: X (batch, num_heads, n, d_head) to (batch, n, d_model)."""
    from torch import cat

    return cat(X.unbind(dim=1), dim=-1)


def masked_softmax(X: torch.Tensor, valid_lens: torch.Tensor | None = None) -> torch.Tensor:
    """PyTorch's attention weights for scores X (batch, n_q, n_k) of which only the first `valid_lens` count.

    `valid_lens` is None, (batch,) or (batch, n_q). A row of length 0 gets zeros; differentiable.
    """
    from torch import arange, as_tensor, eye
    from torch.nn.functional import scaled_dot_product_attention

    one_per_key = eye(X.shape[-1], dtype=X.dtype).expand(len(X), -1, -1)
    mask = None
    if valid_lens is not None:
        lengths = as_tensor(valid_lens).reshape(len(X), -1, 1)
        mask = (arange(X.shape[-1]) < lengths).expand(X.shape)
    return scaled_dot_product_attention(X, one_per_key, one_per_key, attn_mask=mask, scale=1.0)


def kernel_regression(
    queries: np.ndarray, keys: np.ndarray, values: np.ndarray, bandwidth: float = 1.0
) -> np.ndarray:
    """Regression with a Gaussian kernel as PyTorch's attention: a bias of -|k|^2 / (2 h^2), a scale of 1 / h^2.

    queries (n_q,) or (n_q, d), keys and values (n,) or (n, d); returns (n_q,) for values of one axis, else
    (n_q, d_v).
    """
    from torch import from_numpy
    from torch.nn.functional import scaled_dot_product_attention

    centre = np.mean(keys, axis=0)
    tall = [np.reshape(x, (len(x), -1)).astype(float) for x in (queries - centre, keys - centre, values)]
    Q, K, V = (from_numpy(x) for x in tall)
    bias = -(K**2).sum(-1) / (2 * bandwidth**2)
    fetched = scaled_dot_product_attention(Q, K, V, attn_mask=bias.expand(len(Q), -1), scale=bandwidth**-2)
    return fetched.numpy().reshape(len(Q), *np.shape(values)[1:])

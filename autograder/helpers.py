"""Working versions of what earlier lessons build, so that a student may start with any lesson.

They call well-known libraries; how it is done by hand is what the lessons are about.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch
    from gensim.models import KeyedVectors


def pad_rows(vectors: Sequence[Sequence[float]]) -> np.ndarray:
    """PyTorch's padding: the vectors as the rows of a matrix, (n, longest), zeros on the right."""
    from torch import float64, tensor
    from torch.nn.utils.rnn import pad_sequence

    rows = [tensor(np.asarray(vector), dtype=float64) for vector in vectors]
    return pad_sequence(rows, batch_first=True).numpy()


def word_embedding(word: str, vectors: KeyedVectors) -> np.ndarray:
    """A known word's own vector, (vectors.vector_size,); an unknown word's numbers are thrown with dice of its own."""
    if word in vectors:
        return np.array(vectors[word])
    dice = random.Random(word)
    return np.array([dice.gauss(0, vectors.vectors.std()) for _ in range(vectors.vector_size)])


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
    from torch.nn.functional import scaled_dot_product_attention, softmax

    if valid_lens is None:
        return softmax(X, dim=-1)

    one_per_key = eye(X.shape[-1], dtype=X.dtype).expand(len(X), -1, -1)
    lengths = as_tensor(valid_lens).reshape(len(X), -1, 1)
    mask = (arange(X.shape[-1]) < lengths).expand(X.shape)
    return scaled_dot_product_attention(X, one_per_key, one_per_key, attn_mask=mask, scale=1.0)


def gaussian_weights(queries: np.ndarray, keys: np.ndarray, bandwidth: float = 1.0) -> np.ndarray:
    """Kernel regression of one value a key: (n_q, n_k), every row summing to 1.

    queries (n_q,) or (n_q, d), keys (n_k,) or (n_k, d).
    """
    return kernel_regression(queries, keys, np.eye(len(keys)), bandwidth)


def kernel_regression(
    queries: np.ndarray, keys: np.ndarray, values: np.ndarray, bandwidth: float = 1.0
) -> np.ndarray:
    """Regression with a Gaussian kernel as PyTorch's attention: a bias of -|k|^2 / (2 h^2), a scale of 1 / h^2.

    queries (n_q,) or (n_q, d), keys and values (n,) or (n, d); returns (n_q,) for values of one axis, else
    (n_q, d_v).
    """
    return _smoothed(queries, keys, values, bandwidth)


def leave_one_out_error(keys: np.ndarray, values: np.ndarray, bandwidth: float) -> float:
    """The mean squared error of kernel regression at the keys, where no key may look at itself.

    keys and values (n,) or (n, d), n at least 2.
    """
    hidden = np.where(np.eye(len(keys)), -np.inf, 0.0)
    return float(np.square(_smoothed(keys, keys, values, bandwidth, hidden) - values).mean())


def _smoothed(
    queries: np.ndarray,
    keys: np.ndarray,
    values: np.ndarray,
    bandwidth: float,
    bias: np.ndarray | float = 0.0,
) -> np.ndarray:
    """Kernel regression by PyTorch's attention; `bias` (n_q, n_k) is added to the scores."""
    from torch import from_numpy
    from torch.nn.functional import scaled_dot_product_attention

    centre = np.mean(keys, axis=0)
    tall = [np.reshape(x, (len(x), -1)).astype(float) for x in (queries - centre, keys - centre, values)]
    lengths = -(tall[1] ** 2).sum(axis=-1) / (2 * bandwidth**2)
    scores = np.broadcast_to(lengths + bias, (len(queries), len(keys))).copy()
    Q, K, V, mask = (from_numpy(x) for x in (*tall, scores))
    fetched = scaled_dot_product_attention(Q, K, V, attn_mask=mask, scale=bandwidth**-2)
    return fetched.numpy().reshape(len(Q), *np.shape(values)[1:])

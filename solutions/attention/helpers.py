"""What the lessons' notebooks call without having built it there.

They call well-known libraries; how it is done by hand is what the lessons are about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch


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

"""The layer of lesson 06 for those who have none of their own yet: PyTorch's, under the lesson's names."""

import torch
from torch import nn
from torch.nn import functional


class MultiHeadAttention(nn.Module):
    """As lesson 06 asks for it; a query that may look nowhere gets zeros."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model {d_model} is not divisible by num_heads {num_heads}")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(
        self,
        queries: torch.Tensor,
        keys: torch.Tensor,
        values: torch.Tensor,
        mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """queries (batch, n_q, d_model), keys and values (batch, n_k, d_model) -> (batch, n_q, d_model)."""
        Q, K, V = (rows.transpose(0, 1) for rows in (queries, keys, values))
        forbidden, blind = self._forbidden(mask, len(queries), len(Q), len(K))
        output, weights = functional.multi_head_attention_forward(
            Q,
            K,
            V,
            queries.shape[-1],
            self.num_heads,
            in_proj_weight=None,
            in_proj_bias=None,
            bias_k=None,
            bias_v=None,
            add_zero_attn=False,
            dropout_p=0.0,
            out_proj_weight=self.W_o.weight,
            out_proj_bias=None,
            training=False,
            use_separate_proj_weight=True,
            q_proj_weight=self.W_q.weight,
            k_proj_weight=self.W_k.weight,
            v_proj_weight=self.W_v.weight,
            attn_mask=forbidden,
            average_attn_weights=False,
        )
        assert weights is not None, "weights were asked for"
        output = output.transpose(0, 1)
        if blind is not None:
            weights, output = weights.masked_fill(blind, 0.0), output.masked_fill(blind.any(1), 0.0)
        self.attention_weights = weights
        return output

    def _forbidden(
        self, mask: torch.Tensor | None, *sizes: int
    ) -> tuple[torch.Tensor | None, torch.Tensor | None]:
        """The mask as PyTorch wants it here, (batch * heads, n_q, n_k), and which queries see nothing.

        True = may not look. A query that sees nothing looks everywhere here, and what it finds is thrown away:
        the softmax of no score at all is NaN, and so is its gradient, whatever becomes of it afterwards.
        """
        if mask is None:
            return None, None
        batch, n_q, n_k = sizes
        of_heads = mask[:, None] if mask.dim() == 3 else mask
        allowed = of_heads.expand(batch, self.num_heads, n_q, n_k)
        blind = ~allowed.any(-1, keepdim=True)
        return ~(allowed | blind).flatten(0, 1), blind

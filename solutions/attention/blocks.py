"""What stands in for parts of lesson 07's model where the learner's own are not right yet: PyTorch's, in a row."""

from __future__ import annotations

from collections import OrderedDict
from operator import attrgetter
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from .heads import MultiHeadAttention

NAMES = {"norm1": "norm_1", "norm2": "norm_2", "linear1": "feed_1", "linear2": "feed_2", "self_attn": "attention"}


class TransformerBlock(nn.TransformerEncoderLayer):
    """PyTorch's layer, its parts under lesson 07's names, with the attention of lesson 06."""

    norm1, norm2, linear1, linear2, self_attn = (property(attrgetter(name)) for name in NAMES.values())

    def __init__(self, d_model: int, num_heads: int, d_ff: int) -> None:
        super().__init__(d_model, num_heads, d_ff, dropout=0.0, norm_first=True)
        layers: Any = self._modules
        layers["self_attn"] = MultiHeadAttention(d_model, num_heads)
        layers["self_attn"].batch_first = False  # else PyTorch takes a shorter way, past lesson 06's attention
        layers |= {new: layers.pop(old) for old, new in NAMES.items()}

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:  # type: ignore[override]
        """x (batch, n, d_model) -> (batch, n, d_model); mask: booleans, True = may look."""
        return super().forward(x, None if mask is None else ~mask)

    def _sa_block(self, x: torch.Tensor, attn_mask: torch.Tensor | None, *_: Any, **__: Any) -> torch.Tensor:
        mixed: torch.Tensor = self.self_attn(x, x, x, mask=None if attn_mask is None else attn_mask == 0)
        return mixed


class _Positions(nn.Module):
    """Adds to n rows the waves of the first n positions."""

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        n, width = rows.shape[-2:]
        waves = torch.outer(torch.arange(n), 1e4 ** -(torch.arange(0, width, 2) / width))
        return rows + torch.view_as_real(torch.polar(torch.ones(()), waves)).flip(-1).flatten(1)


class _Causal(nn.Sequential):
    """Blocks one behind the other, in which no row looks at later ones."""

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        n = rows.shape[-2]
        for block in self:
            rows = block(rows, torch.ones(n, n).tril() > 0)
        return rows


class TinyWriter(nn.Sequential):
    """Tokens (batch, n) to logits (batch, n, vocabulary), with the parameters that lesson 07 asks for.

    It is no answer: it takes texts of any length.
    """

    def __init__(
        self, vocabulary: int, d_model: int, num_heads: int, d_ff: int, n_blocks: int, context: int
    ) -> None:
        layers: dict[str, nn.Module] = {
            "embed": nn.Embedding(vocabulary, d_model),
            "positions": _Positions(),
            "blocks": _Causal(*(TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks))),
            "norm": nn.LayerNorm(d_model),
            "unembed": nn.Linear(d_model, vocabulary),
        }
        super().__init__(OrderedDict(layers))


def training_step(model: nn.Module, optimizer: torch.optim.Optimizer, tokens: torch.Tensor) -> float:
    """One step, and the loss before it. It is no answer: it knows of no padding."""
    parameters = list(model.parameters())
    loss = functional.cross_entropy(model(tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
    for parameter, slope in zip(parameters, torch.autograd.grad(loss, parameters)):
        parameter.grad = slope
    optimizer.step()
    return loss.item()

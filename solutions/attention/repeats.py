"""Lesson 07's reader of letters that come twice, with rotary positions in place of learned ones."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

from .two_writers import within

LETTERS, WIDTH, HEADS = 26, 64, 4


class Layer(nn.Module):
    """Attention with four heads."""

    def __init__(self) -> None:
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(
        self, h: torch.Tensor, turn: Callable[[torch.Tensor], torch.Tensor], mask: torch.Tensor
    ) -> torch.Tensor:
        """h (batch, n, WIDTH) -> the same; turn: what becomes of queries and keys, each (batch, HEADS, n, 16)."""
        Q, K, V = (W(h).unflatten(-1, (HEADS, -1)).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        mixed = functional.scaled_dot_product_attention(turn(Q), turn(K), V, attn_mask=mask)
        return self.W_o(mixed.transpose(1, 2).flatten(2))


class Repeater(nn.Module):
    """Two layers of attention, no feed-forward. rotate: `rotate(X, positions)` turns queries and keys."""

    def __init__(self, rotate: Callable[..., torch.Tensor]) -> None:
        super().__init__()
        self.rotate = rotate
        self.embedding, self.scores = nn.Embedding(LETTERS, WIDTH), nn.Linear(WIDTH, LETTERS)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(3))
        self.layers = nn.ModuleList(Layer() for _ in range(2))

    def forward(self, tokens: torch.Tensor, window: int | None = None) -> torch.Tensor:
        """tokens (batch, n) -> logits (batch, n, letters); each letter sees the last `window` ones, itself one."""
        places = torch.arange(tokens.shape[1])
        mask = within(len(places), window)

        def turn(rows: torch.Tensor) -> torch.Tensor:
            return self.rotate(rows, places).to(rows.dtype)

        x = self.embedding(tokens)
        for norm, layer in zip(self.norms, self.layers):
            x = x + layer(norm(x), turn, mask)
        return self.scores(self.norms[-1](x))


def second_round(model: Repeater, period: int, draws: torch.Generator, window: int | None = None) -> torch.Tensor:
    """Nats a letter in the second round of 64 strings of random letters, each twice in a row."""
    tokens = torch.randint(LETTERS, (64, period), generator=draws).repeat(1, 2)
    logits = model(tokens, window)[:, period:-1]
    return functional.cross_entropy(logits.flatten(0, 1), tokens[:, period + 1 :].flatten())


def learn_to_repeat(rotate: Callable[..., torch.Tensor], steps: int = 200) -> Repeater:
    """A reader that has learned to find the place where a letter stood before, some seconds."""
    torch.manual_seed(0)
    model, draws = Repeater(rotate), torch.Generator().manual_seed(1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for _ in range(steps):
        loss = second_round(model, int(torch.randint(6, 16, (1,), generator=draws)), draws)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.requires_grad_(False)

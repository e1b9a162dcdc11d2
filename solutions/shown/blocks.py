"""What stands in for parts of lesson 07's model where the learner's own are not right yet."""

import torch
from torch import nn
from torch.nn import functional

from .heads import MultiHeadAttention


class TransformerBlock(nn.Module):
    """As lesson 07 asks for it."""

    def __init__(self, d_model: int, num_heads: int, d_ff: int) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_1, self.norm_2 = (nn.LayerNorm(d_model) for _ in range(2))
        self.feed_1, self.feed_2 = (nn.Linear(*sizes) for sizes in ((d_model, d_ff), (d_ff, d_model)))

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """x (batch, n, d_model) -> (batch, n, d_model); mask: booleans, True = may look."""
        for norm, step in ((self.norm_1, self._mix), (self.norm_2, self._work)):
            x = torch.add(x, step(norm(x), mask))
        return x

    def _mix(self, rows: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        mixed: torch.Tensor = self.attention(*[rows] * 3, mask=mask)
        return mixed

    def _work(self, rows: torch.Tensor, _: torch.Tensor | None) -> torch.Tensor:
        worked: torch.Tensor = self.feed_2(self.feed_1(rows).clamp(min=0))
        return worked


class TinyWriter(nn.Module):
    """As lesson 07 asks for it."""

    positions: torch.Tensor
    earlier: torch.Tensor

    def __init__(
        self, vocabulary: int, d_model: int, num_heads: int, d_ff: int, n_blocks: int, context: int
    ) -> None:
        super().__init__()
        self.embed, self.unembed = nn.Embedding(vocabulary, d_model), nn.Linear(d_model, vocabulary)
        self.blocks = nn.ModuleList([TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks)])
        self.norm = nn.LayerNorm(d_model)
        waves = torch.outer(torch.arange(context), 1e4 ** -(torch.arange(0, d_model, 2) / d_model))
        self.register_buffer("positions", torch.view_as_real(torch.polar(torch.ones(()), waves)).flip(-1).flatten(1))
        self.register_buffer("earlier", torch.ones(context, context).tril() > 0)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """tokens (batch, n) -> (batch, n, vocabulary). Raises ValueError where n is larger than the context."""
        n = tokens.size(-1)
        if n > len(self.positions):
            raise ValueError(f"{n} words do not fit into a context of {len(self.positions)}")
        x = torch.add(self.embed(tokens), self.positions[:n])
        for block in self.blocks:
            x = block(x, mask=self.earlier[:n, :n])
        scores: torch.Tensor = self.unembed(self.norm(x))
        return scores


def training_step(
    model: nn.Module, optimizer: torch.optim.Optimizer, tokens: torch.Tensor, pad_token: int | None = None
) -> float:
    """As lesson 07 asks for it."""

    def closure() -> float:
        optimizer.zero_grad()
        scores, targets = model(tokens)[:, :-1], tokens[:, 1:]
        chances = functional.log_softmax(scores, -1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
        counted = torch.ones_like(chances) if pad_token is None else targets.ne(pad_token).to(chances)
        loss = -(chances * counted).sum() / max(float(counted.sum()), 1.0)
        loss.backward()
        return float(loss)

    return optimizer.step(closure)

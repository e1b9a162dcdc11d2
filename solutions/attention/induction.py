"""Models of attention alone that learn to repeat: random letters come twice, and the second round can be known."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import torch
from torch import nn

from .writing_pictures import two_heads

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WIDTH, HEADS = 64, 4
Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


class Reader(nn.Module):
    """Attention layers on top of each other, with residuals, norms and learned positions.

    attention: made with (width, heads), called with queries, keys, values and a mask, as lesson 06 asks for it.
    """

    def __init__(self, attention: Callable[[int, int], nn.Module], layers: int) -> None:
        super().__init__()
        self.embedding, self.positions = nn.Embedding(len(LETTERS), WIDTH), nn.Embedding(32, WIDTH)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(layers + 1))
        self.layers = nn.ModuleList(attention(WIDTH, HEADS) for _ in range(layers))
        self.scores = nn.Linear(WIDTH, len(LETTERS))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Tokens (batch, n) -> logits (batch, n, letters)."""
        n = tokens.shape[1]
        x = self.embedding(tokens) + self.positions.weight[:n]
        earlier = torch.ones(n, n, dtype=torch.bool).tril()
        for norm, layer in zip(self.norms, self.layers):
            h = norm(x)
            x = x + layer(h, h, h, earlier)
        logits: torch.Tensor = self.scores(self.norms[-1](x))
        return logits


def learn_to_repeat(
    attention: Callable[[int, int], nn.Module], loss: Loss, layers: int, steps: int = 200
) -> tuple[Reader, list[float]]:
    """A reader trained on letters that come twice, and its loss in each second round; loss: (logits, tokens)."""
    torch.manual_seed(0)
    model, draws, losses = Reader(attention, layers), torch.Generator().manual_seed(1), []
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for _ in range(steps):
        period = int(torch.randint(6, 16, (1,), generator=draws))
        tokens = torch.randint(len(LETTERS), (64, period), generator=draws).repeat(1, 2)
        second_round = loss(model(tokens)[:, period:], tokens[:, period:])
        losses.append(second_round.item())
        optimizer.zero_grad()
        second_round.backward()
        optimizer.step()
    return model, losses


def without_order(draws: int = 200) -> dict[str, float]:
    """The loss in the second round of one who knows the first round's letters, but not their order.

    Once what was said again is not struck off, once it is. Over the lengths that readers are trained on.
    """
    rng = random.Random(0)
    in_play, left = [], []
    for period in range(6, 16):
        for _ in range(draws):
            letters = [rng.randrange(len(LETTERS)) for _ in range(period)]
            for i, letter in enumerate(letters[1:], 1):
                in_play.append(-math.log(letters.count(letter) / period) / (period - 1))
                left.append(-math.log(letters[i:].count(letter) / (period - i)) / (period - 1))
    return {"letters in play": sum(in_play) / (10 * draws), "letters left": sum(left) / (10 * draws)}


def show_heads(tokens: torch.Tensor, to_previous: torch.Tensor, to_answer: torch.Tensor, *layers: torch.Tensor) -> None:
    """Of two layers' maps (heads, n, n) those of the heads with the largest shares, (heads,) each."""
    previous, induction = int(to_previous.argmax()), int(to_answer.argmax())
    shares = float(to_previous.max()), float(to_answer.max())
    two_heads(
        [LETTERS[token] for token in tokens],
        {
            f"layer 0, head {previous}": (layers[0][previous], shares[0], "looks at the previous letter"),
            f"layer 1, head {induction}": (layers[1][induction], shares[1], "looks at what followed last time"),
        },
    )

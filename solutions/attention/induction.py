"""Models of attention alone that learn to repeat: random letters come twice, and the second round can be known."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

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


def compare_layers(attention: Callable[[int, int], nn.Module], loss: Loss) -> Reader:
    """Train a reader of one layer and one of two, print their losses in the second round, and return the deeper one.

    Args:
        attention: As for `Reader`.
        loss: From (logits, tokens) to the mean loss of the next token.
    """
    for layers in (1, 2):
        reader, losses = learn_to_repeat(attention, loss, layers)
        print(f"loss {sum(losses[-10:]) / 10:.1f} in the second round   with {layers} layer{'s' * (layers > 1)}")
    known = "a rule that knows only the letters of the first round"
    print(f"loss {loss_without_order():.1f} in the second round   {known}")
    return reader


def learn_to_repeat(
    attention: Callable[[int, int], nn.Module], loss: Loss, layers: int, steps: int = 200
) -> tuple[Reader, list[float]]:
    """Return a reader trained on letters that come twice, and its loss in each second round."""
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


def loss_without_order(draws: int = 200) -> float:
    """Return the loss in the second round of a rule that knows the first round's letters, but not their order.

    It is a mean over the lengths that readers are trained on.
    """
    rng = random.Random(0)
    total = 0.0
    for period in range(6, 16):
        for _ in range(draws):
            letters = [rng.randrange(len(LETTERS)) for _ in range(period)]
            total -= sum(math.log(letters.count(letter) / period) for letter in letters[1:]) / (period - 1)
    return total / (10 * draws)


@torch.no_grad()
def show_heads(reader: Reader) -> None:
    """Show two maps of weights on letters that come twice.

    They are the first layer's head that looks most at the previous letter, and the second layer's head that looks most
    at the letter that followed last time.
    """
    tokens = torch.randperm(26, generator=torch.Generator().manual_seed(5))[:8].repeat(1, 2)
    reader(tokens)
    layers: Any = reader.layers
    first, second = (layer.attention_weights[0] for layer in layers)
    to_previous = first.diagonal(-1, 1, 2).mean(1)
    to_answer = second[:, range(8, 16), range(1, 9)].mean(1)
    previous, induction = int(to_previous.argmax()), int(to_answer.argmax())
    two_heads(
        [LETTERS[token] for token in tokens[0]],
        {
            f"layer 0, head {previous}": (first[previous], float(to_previous.max()), "looks at the previous letter"),
            f"layer 1, head {induction}": (
                second[induction], float(to_answer.max()), "looks at what followed last time",
            ),
        },
    )

"""A reader of signs that come twice, with rotary positions. It comes trained: see data/README.md."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import nn
from torch.nn import functional

from autograder.exercises import public_course

from .two_writers import turned, within
from .writer import arrays_of

BUNDLED = public_course.find_course(__name__).data / "repeats_reader.npz"
SIGNS, WIDTH, HEADS = 100, 64, 4
SHORTEST, LONGEST = 6, 15
"""Periods that it was trained on: how many signs there are before they come again."""
FREQUENCIES = 10000 ** (-torch.arange(0, WIDTH // HEADS, 2) / (WIDTH // HEADS))
"""The radians by which each pair of columns turns from sign to sign."""
Window = int | None | Sequence[int | None]


class Layer(nn.Module):
    """Attention with four heads."""

    def __init__(self) -> None:
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(
        self, h: torch.Tensor, turn: Callable[[torch.Tensor], torch.Tensor], mask: torch.Tensor
    ) -> torch.Tensor:
        """h (batch, n, WIDTH) -> the same; turn: what becomes of queries and keys, each (batch, HEADS, n, 16)."""
        Q, K, V = self.split(h)
        mixed = functional.scaled_dot_product_attention(turn(Q), turn(K), V, attn_mask=mask)
        return self.W_o(mixed.transpose(1, 2).flatten(2))

    def split(self, h: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return queries, keys and values, each (batch, HEADS, n, 16), of h (batch, n, WIDTH)."""
        Q, K, V = (W(h).unflatten(-1, (HEADS, -1)).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        return Q, K, V


class Repeater(nn.Module):
    """Two layers of attention, no feed-forward. rotate: `rotate(X, positions)` turns queries and keys."""

    def __init__(self, rotate: Callable[..., torch.Tensor]) -> None:
        super().__init__()
        self.rotate = rotate
        self.embedding, self.scores = nn.Embedding(SIGNS, WIDTH), nn.Linear(WIDTH, SIGNS)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(3))
        self.layers = nn.ModuleList(Layer() for _ in range(2))

    def forward(
        self, tokens: torch.Tensor, window: Window = None, rotate: Callable[..., torch.Tensor] | None = None
    ) -> torch.Tensor:
        """Return logits (batch, n, SIGNS) for tokens (batch, n); each sign sees the last `window` ones, itself one.

        window: one for both layers, or one for each. rotate: another way to turn queries and keys, for this reading.
        """
        places = torch.arange(tokens.shape[1])
        windows = window if isinstance(window, Sequence) else [window] * len(self.layers)

        def turn(rows: torch.Tensor) -> torch.Tensor:
            return (rotate or self.rotate)(rows, places).to(rows.dtype)

        x = self.embedding(tokens)
        for norm, layer, width in zip(self.norms, self.layers, windows):
            x = x + layer(norm(x), turn, within(len(places), width))
        return self.scores(self.norms[-1](x))


def twice(period: int, draws: torch.Generator, batch: int = 64) -> torch.Tensor:
    """(batch, 2 · period) signs: so many different ones in any order, and once more in the same order."""
    return torch.rand(batch, SIGNS, generator=draws).argsort(dim=1)[:, :period].repeat(1, 2)


def load_reader(rotate: Callable[..., torch.Tensor] = turned) -> Repeater:
    """The trained reader of signs. rotate: your own.

    Raises `CourseError` when the file is missing or is not the one that the course was written with.
    """
    model = Repeater(rotate)
    found = {name: torch.from_numpy(array).float() for name, array in arrays_of(BUNDLED).items()}
    model.load_state_dict({name: found[name] for name in model.state_dict()})
    return model.requires_grad_(False)


@torch.no_grad()
def found_again(
    model: Repeater, period: int, window: Window = None, rotate: Callable[..., torch.Tensor] | None = None
) -> float:
    """Return the share of signs that the reader predicts rightly in the second round of 64 rows."""
    tokens = twice(period, torch.Generator().manual_seed(2))
    guesses = model(tokens, window, rotate)[:, period:-1].argmax(-1)
    return (guesses == tokens[:, period + 1 :]).double().mean().item()


def found_by_round(
    model: Repeater,
    rounds: Sequence[int],
    window: Window = None,
    rotate: Callable[..., torch.Tensor] | None = None,
) -> dict[int, float]:
    """Return the share of signs that are predicted rightly in the second round, by how many signs a round has."""
    return {period: found_again(model, period, window, rotate) for period in rounds}


def print_found(
    name: str,
    model: Repeater,
    rounds: Sequence[int],
    window: Window = None,
    rotate: Callable[..., torch.Tensor] | None = None,
) -> None:
    """Print in a line the share of signs that are predicted rightly, by how many signs a round has."""
    shares = found_by_round(model, rounds, window, rotate).items()
    print(f"{name:34} found:", ",  ".join(f"{share:4.0%} of {signs}" for signs, share in shares))


def compare_on_signs(
    model: Repeater, scaled: Callable[..., torch.Tensor], window: int
) -> dict[str, dict[int, float]]:
    """Return the shares of signs that are found with a window and with scaled frequencies, by the signs in a round."""
    rounds = (6, 10, 15, 16, 17, 20, 30, 45, 60)
    return {
        "window": found_by_round(model, rounds, window),
        "scaled": found_by_round(model, rounds, rotate=scaled),
    }


def print_distances(model: Repeater, period: int, rotate: Callable[..., torch.Tensor]) -> None:
    """Print the two distances to which each head of the first block gives most weight.

    The last line says how often the two fast pairs of columns turn between distance 1 and distance 20.
    """
    for head, row in enumerate(weight_by_distance(model, period, rotate)):
        most = zip(*map(torch.Tensor.tolist, row.topk(2)))
        print(f"head {head}:", ", ".join(f"distance {at}: {part:.2f}" for part, at in most))
    first, second = 19 * FREQUENCIES[:2] / (2 * math.pi)
    print(f"19 words turn the two fast pairs by {first:.2f} and {second:.2f} turns")


@torch.no_grad()
def weight_by_distance(model: Repeater, period: int, rotate: Callable[..., torch.Tensor]) -> torch.Tensor:
    """Return how much weight each head of the first layer gives to each distance, (HEADS, period - 10).

    It is the mean over the last ten signs of the first round, in 64 rows.
    """
    places = torch.arange(period)
    tokens = twice(period, torch.Generator().manual_seed(2))[:, :period]
    first = model.layers[0]
    assert isinstance(first, Layer)
    Q, K, _ = first.split(model.norms[0](model.embedding(tokens)))
    scores = rotate(Q, places) @ rotate(K, places).mT / Q.shape[-1] ** 0.5
    weights = scores.masked_fill(~within(period, None), -torch.inf).softmax(-1).mean(0)
    return torch.stack([weights[:, i, : i + 1].flip(-1)[:, : period - 10] for i in places[-10:]]).mean(0)

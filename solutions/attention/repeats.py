"""A reader of signs that come twice, with rotary positions. It comes trained: see data/README.md."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import torch
from torch import nn
from torch.nn import functional

from autograder.exercises import public_course

from .reading import rotate_with
from .two_writers import for_each, turned, within
from .writer import arrays_of

BUNDLED = public_course.find_course(__name__).data / "repeats_reader.npz"
SIGNS, WIDTH, HEADS = 100, 64, 4
SHORTEST, LONGEST = 6, 15
"""Periods that it was trained on: how many signs there are before they come again."""
FREQUENCIES = 10000 ** (-torch.arange(0, WIDTH // HEADS, 2) / (WIDTH // HEADS))
"""The radians by which each pair of columns turns from sign to sign."""
PACES = {
    "as trained": FREQUENCIES,
    "scaled": FREQUENCIES / torch.where((2 * LONGEST * FREQUENCIES).lt(2 * math.pi), 4, 1),
}
"""The same, and with those pairs slowed down that make no whole turn within two rounds of the longest period."""
PRINTED = (15, 16, 17, 30, 45, 60)
ROUNDS = (15, 16, 17, 20, 30, 45, 60)
Pair = tuple[torch.Tensor, torch.Tensor]
Rotate = Callable[..., torch.Tensor]
Window = int | None | Sequence[int | None]
Turning = Rotate | Sequence[Rotate] | None
"""One for both layers, or one for each. No window: each sign sees all before it. None: as the reader turns anyway."""


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
    """Two layers of attention, no feed-forward. rotate: `rotate(X, positions)` turns queries and keys.

    attend_new, roll: with the learner's own it reads sign by sign, and a window drops what it kept.
    """

    attend_new: Callable[..., tuple[torch.Tensor, Pair]] | None = None
    roll: Callable[[Pair, int], Pair] | None = None

    def __init__(self, rotate: Rotate) -> None:
        super().__init__()
        self.rotate = rotate
        self.embedding, self.scores = nn.Embedding(SIGNS, WIDTH), nn.Linear(WIDTH, SIGNS)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(3))
        self.layers = nn.ModuleList(Layer() for _ in range(2))

    def forward(self, tokens: torch.Tensor, window: Window = None, rotate: Turning = None) -> torch.Tensor:
        """Return logits (batch, n, SIGNS) for tokens (batch, n); each sign sees the last `window` ones, itself one.

        window, rotate: for this reading, one for both layers, or one for each.
        """
        places = torch.arange(tokens.shape[1])
        windows, turns = for_each(self.layers, window), for_each(self.layers, rotate or self.rotate)
        x = self.embedding(tokens)
        for norm, layer, width, own in zip(self.norms, self.layers, windows, turns):

            def turn(rows: torch.Tensor, own: Rotate = own) -> torch.Tensor:
                return own(rows, places).to(rows.dtype)

            x = x + layer(norm(x), turn, within(len(places), width))
        return self.scores(self.norms[-1](x))

    def sign_by_sign(self, tokens: torch.Tensor, window: Window = None, rotate: Turning = None) -> torch.Tensor:
        """As `forward`, but by `attend_new`, with a cache that `roll` shortens where a layer has a window."""
        assert self.attend_new
        assert self.roll
        windows, turns = for_each(self.layers, window), for_each(self.layers, rotate or self.rotate)
        kept: list[Pair | None] = [None] * len(self.layers)
        rows = []
        for place in range(tokens.shape[1]):
            x = self.embedding(tokens[:, [place]])
            for i, layer in enumerate(self.layers):
                assert isinstance(layer, Layer)
                Q, K, V = layer.split(self.norms[i](x))
                Q, K = (turns[i](each, torch.tensor([place])).to(each.dtype) for each in (Q, K))
                output, pair = self.attend_new(*(each.flatten(0, 1) for each in (Q, K, V)), kept[i])
                kept[i] = self.roll(pair, windows[i] - 1) if windows[i] else pair
                x = x + layer.W_o(output.view(len(x), HEADS, 1, -1).transpose(1, 2).flatten(2))
            rows.append(self.scores(self.norms[-1](x)))
        return torch.cat(rows, dim=1)


def twice(period: int, draws: torch.Generator, batch: int = 64) -> torch.Tensor:
    """(batch, 2 · period) signs: so many different ones in any order, and once more in the same order."""
    return torch.rand(batch, SIGNS, generator=draws).argsort(dim=1)[:, :period].repeat(1, 2)


def load_reader(
    rotate: Rotate = turned,
    attend_new: Callable[..., tuple[torch.Tensor, Pair]] | None = None,
    roll: Callable[[Pair, int], Pair] | None = None,
) -> Repeater:
    """The trained reader of signs. rotate, attend_new, roll: your own.

    Raises `CourseError` when the file is missing or is not the one that the course was written with.
    """
    model = Repeater(rotate)
    model.attend_new, model.roll = attend_new, roll
    found = {name: torch.from_numpy(array).float() for name, array in arrays_of(BUNDLED).items()}
    model.load_state_dict({name: found[name] for name in model.state_dict()})
    return model.requires_grad_(False)


@torch.no_grad()
def found_again(model: Repeater, period: int, window: Window = None, rotate: Turning = None) -> float:
    """Return the share of signs that the reader predicts rightly in the second round of 64 rows."""
    tokens = twice(period, torch.Generator().manual_seed(2))
    read = model.sign_by_sign if model.attend_new else model
    guesses = read(tokens, window, rotate)[:, period:-1].argmax(-1)
    return (guesses == tokens[:, period + 1 :]).double().mean().item()


def found_by_round(
    model: Repeater, rounds: Sequence[int], window: Window = None, rotate: Turning = None
) -> dict[int, float]:
    """Return the share of signs that are predicted rightly in the second round, by how many signs a round has."""
    return {period: found_again(model, period, window, rotate) for period in rounds}


def print_found(
    name: str, model: Repeater, window: Window = None, frequencies: torch.Tensor | None = None
) -> None:
    """Print in a line the share of signs that are predicted rightly, by how many signs a round has."""
    rotate = None if frequencies is None else rotate_with(model.rotate, frequencies)
    shares = found_by_round(model, PRINTED, window, rotate).items()
    print(f"{name:15} found in rounds of", ",  ".join(f"{signs}: {share:4.0%}" for signs, share in shares))


def found_by_way(
    model: Repeater, ways: Mapping[str, tuple[Window, Turning]]
) -> dict[str, dict[int, float]]:
    """Return the shares of signs that are found, by way of reading and by the signs in a round."""
    return {name: found_by_round(model, ROUNDS, *way) for name, way in ways.items()}


def print_distances(model: Repeater, period: int, frequencies: torch.Tensor) -> None:
    """Print the two distances to which each head of the first block gives most weight.

    The last line says how often the two fast pairs of columns turn between distance 1 and distance 20.
    """
    for head, row in enumerate(weight_by_distance(model, period, rotate_with(model.rotate, frequencies))):
        most = zip(*map(torch.Tensor.tolist, row.topk(2)))
        print(f"head {head}:", ", ".join(f"distance {at}: {part:.2f}" for part, at in most))
    first, second = 19 * FREQUENCIES[:2] / (2 * math.pi)
    print(f"19 signs turn the two fast pairs by {first:.2f} and {second:.2f} turns")


@torch.no_grad()
def weight_by_distance(model: Repeater, period: int, rotate: Rotate) -> torch.Tensor:
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

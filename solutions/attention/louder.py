"""A query that grows longer, and what its keys get of it under several scores: for lesson 05."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from autograder.views import figures

from .drawing import GREY, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LENGTHS = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 70, 80, 100]


def ask_louder(scores: Mapping[str, nn.Module], length: float) -> dict[str, Tensor]:
    """What six fixed keys (6,) get of a query of that length, which always points the same way, under each score."""
    draws = torch.Generator().manual_seed(6)
    direction = nn.functional.normalize(torch.randn(1, 1, 2, generator=draws), dim=-1)
    keys = torch.randn(1, 6, 2, generator=draws)
    with torch.no_grad():
        return {
            name: score(length * direction, keys, torch.eye(6)[None])[0, 0] for name, score in scores.items()
        }


def show_louder(scores: Mapping[str, nn.Module]) -> None:
    """The weights of six keys under each score, with a slider for the length of the query."""
    stills = [1, 10, 100]

    def draw(length: float, *panels: Axes) -> None:
        for axes, (name, weights) in zip(panels, ask_louder(scores, length).items()):
            axes.bar(range(6), weights.tolist(), color=INK)
            axes.axhline(1 / 6, color=GREY, linestyle="--", linewidth=1, label="all alike: 1/6")
            axes.set(xticks=range(6), yticks=(0, 0.5, 1), ylim=(0, 1.05), xlabel="key", ylabel=f"weight, {name}")
            axes.legend(loc="upper right")

    def tops(length: float) -> Iterator[str]:
        return (f"{name} {weights.max():.2f}" for name, weights in ask_louder(scores, length).items())

    figures.explore(
        draw,
        stills,
        name="length of the query",
        alt="The weights of six keys as bars, by dot product and by additive score. The largest weight: "
        + "; ".join(f"length {length}, {', '.join(tops(length))}" for length in stills)
        + ".",
        turn=LENGTHS,
        panels=len(scores),
    )


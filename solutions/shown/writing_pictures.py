"""Figures of lesson 07; what their alt texts say of results is made from these."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from autograder.student import figures

from .drawing import GREY, INK, SIGNED, subplots

if TYPE_CHECKING:
    import torch
    from matplotlib.axes import Axes

"""Colours around 0: red below, blue above."""
TEMPERATURES = [i / 10 for i in range(25)]


def positions(table: torch.Tensor) -> None:
    """How alike the rows of any two positions are: their dot products, positive or negative."""
    import seaborn as sns

    figure, axes = subplots(figsize=(5.2, 4.2))
    alike = table @ table.T
    most = float(alike.abs().max())
    sns.heatmap(alike.numpy(), ax=axes, cmap=SIGNED, vmin=-most, vmax=most, square=True)
    axes.set(xlabel="position", ylabel="position", title="P @ Pᵀ: what is near is alike")
    axes.tick_params(axis="y", rotation=0)
    apart = [float(alike.diagonal(d).mean()) for d in (0, 1, 8)]
    spread = max(float(alike.diagonal(d).max() - alike.diagonal(d).min()) for d in range(len(table)))
    figures.show(
        figure,
        alt=f"The dot products of the rows of {len(table)} positions: {apart[0]:.0f} of each with itself, "
        f"{apart[1]:.1f} one position apart, {apart[2]:.1f} eight apart; "
        f"pairs equally far apart differ by {spread:.1f}.",
    )


def temperatures(
    share_out: Callable[[torch.Tensor, float], torch.Tensor], logits: torch.Tensor, words: Sequence[str], behind: str
) -> None:
    """The likeliest words' probabilities, with a slider for the temperature."""
    likeliest = logits.topk(8).indices
    names = [words[token] for token in likeliest]

    def draw(temperature: float, axes: Axes) -> None:
        axes.barh(names, share_out(logits, temperature)[likeliest].numpy(), color=INK)
        axes.invert_yaxis()
        axes.set(xlim=(0, 1), xlabel="probability")

    stills = [0.1, 0.5, 1, 2]
    shares = {T: share_out(logits, T)[likeliest] for T in stills}
    told = (f"{shares[T][0]:.0%} and {shares[T].sum():.0%} at {T}" for T in stills)
    figures.explore(
        draw,
        stills,
        "temperature",
        alt=f"The probabilities of the eight likeliest words after: {behind}. The first, {names[0]}, and all eight "
        f"together get, by temperature: {'; '.join(told)}.",
        turn=TEMPERATURES,
    )


def second_rounds(losses: Mapping[int, Sequence[float]], letters: int) -> None:
    """The loss in the second round against training steps, for models by their number of layers."""
    figure, axes = subplots(figsize=(7, 3))
    told = []
    for (layers, course), style in zip(losses.items(), (":", "-")):
        smooth = [sum(course[i : i + 10]) / 10 for i in range(len(course) - 9)]
        name = f"{layers} layer{'s' * (layers > 1)}"
        axes.plot(range(10, len(course) + 1), smooth, style, color=INK, label=name)
        told.append(f"with {name} from {smooth[0]:.1f} to {smooth[-1]:.1f}, lowest {min(smooth):.1f}")
    axes.axhline(math.log(letters), color=GREY, linestyle="--", linewidth=1, label=f"chance, ln {letters}")
    axes.set(xlabel="training step", ylabel="nats a letter, second round", ylim=(0, None))
    axes.legend()
    figures.show(figure, alt=f"The loss in the second round against training steps: {'; '.join(told)}.")


def two_heads(letters: Sequence[str], heads: Mapping[str, tuple[torch.Tensor, float, str]]) -> None:
    """Attention maps side by side: by layer, a head's weights, its share of what it is chosen for, and what that is."""
    import seaborn as sns

    figure, row = subplots(1, len(heads), figsize=(10, 4.8))
    told = []
    for axes, (layer, (weights, share, what)) in zip(row, heads.items()):
        sns.heatmap(
            weights.numpy(), ax=axes, cmap=figures.CMAP, vmin=0, vmax=1, xticklabels=letters, yticklabels=letters
        )
        axes.set(title=f"{layer} {what}: {share:.1f}", xlabel="key", ylabel="query")
        axes.tick_params(axis="y", rotation=0)
        told.append(f"{layer} {what}, with {share:.1f} of the weight")
    figures.show(
        figure,
        alt=f"Two attention maps of {len(letters) // 2} random letters that come twice: {'; '.join(told)}.",
    )

"""Figures of lesson 07; what their alt texts say of results is made from these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from autograder.views import figures

from .drawing import GREY, INK, PALE, SIGNED, subplots

if TYPE_CHECKING:
    import torch



def positions(table: torch.Tensor) -> None:
    """Show the positional encoding."""
    import seaborn as sns

    figure, axes = subplots(figsize=(figures.WIDTH, 3.4))
    sns.heatmap(table.numpy(), ax=axes, cmap=SIGNED, vmin=-1, vmax=1)
    axes.set(xlabel="column", ylabel="position", title="fast waves on the left, slow waves on the right")
    axes.tick_params(axis="y", rotation=0)
    changes = [int((column[1:] * column[:-1] < 0).sum()) for column in table.T[[0, 4, -2]]]
    nearest = float((table[:, None] - table[None]).norm(dim=-1).fill_diagonal_(float("inf")).min())
    figures.show(
        figure,
        alt=f"The waves: in {len(table)} positions column 0 changes its sign {changes[0]} times, column 4 "
        f"{changes[1]} times, the last sines {changes[2]} times. The rows of two positions lie at least {nearest:.2f} "
        "apart.",
    )


def block() -> None:
    """Show a Transformer block: the residual stream runs straight on, and two steps add to it."""
    from matplotlib.patches import Rectangle

    figure, axes = subplots(figsize=(figures.WIDTH, 2.9))
    arrow = {"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (20.6, 0), (0.6, 0), arrowprops=arrow | {"lw": 4, "color": PALE})
    norm = "normalises\neach row"
    roads = (
        (1.5, (("norm_1", norm, 2.8), ("attention", "mixes words,\nunder the mask", 2.8))),
        (11, (("norm_2", norm, 2.8), ("feed_1, ReLU,\nfeed_2", "feed-forward network,\neach word by itself", 4))),
    )
    for start, steps in roads:
        left = start + 0.7
        axes.plot([start, start], [0, 2], color=INK, linewidth=1)
        tail = start
        for name, what, wide in steps:
            axes.annotate("", (left, 2), (tail, 2), arrowprops=arrow)
            axes.add_patch(Rectangle((left, 1.3), wide, 1.4, facecolor="white", edgecolor=INK))
            axes.text(left + wide / 2, 2, name, ha="center", va="center", color=INK, weight="bold", fontsize=9)
            axes.text(left + wide / 2, 2.85, what, ha="center", va="bottom", color=GREY)
            tail, left = left + wide, left + wide + 0.7
        axes.plot([tail, left], [2, 2], color=INK, linewidth=1)
        axes.annotate("", (left, 0.35), (left, 2), arrowprops=arrow)
        axes.text(left, 0, "+", ha="center", va="center", color=INK, weight="bold",
                  bbox={"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": INK})
    for place, height, name in ((0.2, 0, "x"), (10, 0.4, "y"), (21, 0, "out")):
        axes.text(place, height, name, ha="center", va="center", color=INK)
    axes.text(20.6, -0.3, "residual stream", ha="right", va="top", color=GREY)
    axes.set(xlim=(-0.2, 21.6), ylim=(-0.9, 4.2))
    axes.axis("off")
    figures.show(
        figure,
        alt="A block: x runs straight on, as the residual stream. Beside it stands a first step, norm_1 and attention, "
        "whose result is added; then a second, norm_2 and feed_1, ReLU, feed_2, whose result is added to that sum.",
    )


def two_heads(letters: Sequence[str], heads: Mapping[str, tuple[torch.Tensor, float, str]]) -> None:
    """Show attention maps side by side: by head its weights, its share of what it is chosen for, and what that is."""
    import seaborn as sns

    figure, row = subplots(1, len(heads), figsize=(figures.WIDTH, 4.2))
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

"""Figures of lesson 07; what their alt texts say of results is made from these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from autograder.views import figures

from .drawing import GREY, INK, PALE, SIGNED, subplots

if TYPE_CHECKING:
    import torch


def positions(table: torch.Tensor) -> None:
    """Show the positional encoding: each position's row, and beside it the sines of the first four waves."""
    import seaborn as sns

    figure, axes = subplots(figsize=(figures.WIDTH, 3.8))
    figure.clear()
    grid = figure.add_gridspec(4, 2, width_ratios=(5, 4))
    rows = figure.add_subplot(grid[:, 0])
    sns.heatmap(table.numpy(), ax=rows, cmap=SIGNED, vmin=-1, vmax=1, cbar_kws={"ticks": (-1, 0, 1)})
    rows.set(xlabel="column", ylabel="position", title="one row for each position")
    rows.tick_params(axis="y", rotation=0)
    waves = [figure.add_subplot(grid[i, 1]) for i in range(4)]
    for i, axes in enumerate(waves):
        axes.axhline(0, color=PALE, linewidth=0.8)
        axes.plot(table[:, 2 * i].tolist(), "o-", color=INK, markersize=3, linewidth=1)
        axes.set(ylim=(-1.2, 1.2), yticks=(-1, 1), xticks=range(0, len(table), 8), ylabel=f"column {2 * i}")
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelbottom=i == 3)
    waves[0].set_title("the sines of the first four waves")
    waves[-1].set_xlabel("position")
    changes = [int((column[1:] * column[:-1] < 0).sum()) for column in table.T[[0, 2, 6]]]
    nearest = float((table[:, None] - table[None]).norm(dim=-1).fill_diagonal_(float("inf")).min())
    figures.show(
        figure,
        alt=f"The rows as a map of colours, and four of its columns as waves: in {len(table)} positions column 0 "
        f"changes its sign {changes[0]} times, column 2 {changes[1]} times, column 6 {changes[2]} times. The rows "
        f"of two positions lie at least {nearest:.2f} apart.",
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


def model() -> None:
    """Show the whole model, from token ids to logits, with the shape of what flows from part to part."""
    from matplotlib.patches import Rectangle

    figure, axes = subplots(figsize=(figures.WIDTH, 2.3))
    arrow = {"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0}
    axes.plot([6.7, 16.1], [0, 0], color=PALE, linewidth=4, solid_capstyle="butt")
    for tail, head in ((2.3, 3), (5.2, 6.3), (18.3, 19), (21.6, 22.3)):
        axes.annotate("", (head, 0), (tail, 0), arrowprops=arrow)
    axes.annotate("", (6.7, 0.45), (6.7, 1.3), arrowprops=arrow)
    boxes = (
        (3, 2.2, "embed", "one row for\neach token"), (8.3, 2.6, "block", "under the\ncausal mask"),
        (12.2, 2.6, "block", "under the\ncausal mask"), (16.1, 2.2, "norm", "normalises\neach row"),
        (19, 2.6, "unembed", "a score for\neach token"),
    )
    for left, wide, name, what in boxes:
        axes.add_patch(Rectangle((left, -0.7), wide, 1.4, facecolor="white", edgecolor=INK, zorder=3))
        axes.text(left + wide / 2, 0, name, ha="center", va="center", color=INK, weight="bold", zorder=4)
        axes.text(left + wide / 2, 0.9, what, ha="center", va="bottom", color=GREY)
    axes.text(6.7, 0, "+", ha="center", va="center", color=INK, weight="bold",
              bbox={"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": INK})
    axes.text(6.7, 1.4, "positional\nencoding", ha="center", va="bottom", color=INK, weight="bold")
    for place, height, text, color in (
        (1.1, 0, "token ids", INK), (1.1, -0.4, "(batch, n)", GREY),
        (23.7, 0, "logits", INK), (23.7, -0.4, "(batch, n,\nvocabulary)", GREY),
        (11.5, -0.95, "residual stream\n(batch, n, d_model)", GREY),
    ):
        axes.text(place, height, text, ha="center", va="top" if height else "center", color=color)
    axes.set(xlim=(-0.2, 25.2), ylim=(-2.3, 2.9))
    axes.axis("off")
    figures.show(
        figure,
        alt="The model: token ids, (batch, n), go through embed. The positional encoding is added, which begins the "
        "residual stream, (batch, n, d_model). It runs through one block after another, each under the causal mask, "
        "then through norm. unembed makes the logits, (batch, n, vocabulary).",
    )


def temperatures(probabilities: Callable[[torch.Tensor, float], torch.Tensor]) -> None:
    """Show as bars what `probabilities` makes of the logits 3, 2, 1 and 0 at four temperatures."""
    import torch

    logits = torch.tensor([3.0, 2.0, 1.0, 0.0])
    figure, row = subplots(1, 4, figsize=(figures.WIDTH, 2.3), sharey=True)
    rows = []
    for axes, T in zip(row, (2, 1, 0.5, 0)):
        shares = probabilities(logits, T).tolist()
        names = [f"{share:.2f}" for share in shares]
        axes.bar_label(axes.bar(range(4), shares, color=INK), names, padding=2)
        axes.set(title=f"temperature {T}", xlabel="logit", ylim=(0, 1.15), yticks=(0, 0.5, 1))
        axes.set_xticks(range(4), [f"{logit:g}" for logit in logits.tolist()])
        axes.spines[["top", "right"]].set_visible(False)
        rows.append(f"{', '.join(names)} at temperature {T}")
    row[0].set_ylabel("probability")
    figures.show(figure, alt=f"The probabilities for the logits 3, 2, 1, 0: {'; '.join(rows)}.")


def two_heads(letters: Sequence[str], heads: Mapping[str, tuple[torch.Tensor, float, str]]) -> None:
    """Show attention maps side by side: by head its weights, its share of what it is chosen for, and what that is."""
    import seaborn as sns

    figure, row = subplots(1, len(heads), figsize=(figures.WIDTH, 4.2))
    maps = []
    for axes, (layer, (weights, share, what)) in zip(row, heads.items()):
        sns.heatmap(
            weights.numpy(), ax=axes, cmap=figures.CMAP, vmin=0, vmax=1, xticklabels=letters, yticklabels=letters
        )
        axes.set(title=f"{layer} {what}: {share:.1f}", xlabel="key", ylabel="query")
        axes.tick_params(axis="y", rotation=0)
        maps.append(f"{layer} {what}, with {share:.1f} of the weight")
    figures.show(
        figure,
        alt=f"Two attention maps of {len(letters) // 2} random letters that come twice: {'; '.join(maps)}.",
    )

"""Pictures of who may look, who looks at whom, and what a head is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from autograder.student import figures

from .drawing import INK, PALE, RED, subplots

if TYPE_CHECKING:
    import torch
    from matplotlib.axes import Axes



def show_masks(
    masks: Mapping[str, torch.Tensor], words: Sequence[str], looks: Sequence[str] = (), framed: int | None = None
) -> None:
    """Masks (n_q, n_k) by their titles, side by side: dark with a tick = may look; the row of `framed` stands out.

    looks: what the queries are called, where they are not the words.
    """
    from matplotlib.patches import Rectangle

    queries = list(looks or words)
    height = 1.2 + 0.5 * len(queries)
    figure, row = subplots(1, len(masks), figsize=(3.4 * len(masks), height), squeeze=False)
    for axes, (title, mask) in zip(row[0], masks.items(), strict=True):
        axes.imshow(np.asarray(mask), cmap=figures.CMAP, vmin=0, vmax=1)
        for query, key in np.argwhere(np.asarray(mask)):
            axes.text(key, query, "✓", ha="center", va="center", color="white", fontsize=12)
        axes.set_xticks(range(len(words)), words)
        axes.set_yticks(range(len(queries)), queries)
        axes.set(title=title, xlabel="key: looked at")
        if framed is not None:
            frame = Rectangle((-0.45, framed - 0.45), len(words) - 0.1, 0.9, fill=False, ec=RED, lw=2.5)
            axes.add_patch(frame)
    if not looks:
        row[0][0].set_ylabel("query: looks")
    told = range(len(queries)) if framed is None else [framed]
    lines = [
        f"{title}: {'; '.join(f'{queries[query]} may look at {_seen(mask[query], words)}' for query in told)}"
        for title, mask in masks.items()
    ]
    figures.show(figure, alt=f"Masks with ticks where a query may look. {'. '.join(lines)}.")


def _seen(row: torch.Tensor, words: Sequence[str]) -> str:
    return ", ".join(word for word, allowed in zip(words, row, strict=True) if allowed) or "nothing"


def draw_row(
    query: int, mask: torch.Tensor, weights: torch.Tensor, words: Sequence[str], left: Axes, right: Axes
) -> None:
    """One query's row of a mask (n, n), framed, and beside it the weights that it has for the words."""
    from matplotlib.patches import Rectangle

    n = len(words)
    left.imshow(np.asarray(mask), cmap=figures.CMAP, vmin=0, vmax=1)
    left.add_patch(Rectangle((-0.5, query - 0.5), n, 1, fill=False, ec=RED, lw=2))
    left.set(xlabel="key: position", ylabel="query: position")
    right.barh(range(n), weights[query].tolist(), color=INK)
    right.set(xlim=(-0.28, 1), ylim=(n - 0.4, -0.6), xlabel=f"weights of “{words[query]}”")
    right.set(xticks=np.linspace(0, 1, 6), yticks=[])
    for key, word in enumerate(words):
        color = "black" if mask[query, key] else PALE
        weight = "bold" if key == query else "normal"
        right.text(-0.02, key, word, ha="right", va="center", fontsize=7, color=color, weight=weight)


def draw_shares(shares: torch.Tensor, names: Sequence[str], what: str, axes: Axes) -> None:
    """Weights as bars from 0 to 1, with their numbers."""
    bars = axes.bar(range(len(names)), shares.tolist(), color=INK)
    axes.bar_label(bars, fmt="%.2f")
    axes.set(ylim=(0, 1.1), xlabel=f"{what}: sum {shares.sum():.2f}")
    axes.set_xticks(range(len(names)), names)


def draw_heads(weights: torch.Tensor, words: Sequence[str], axes: Axes) -> None:
    """A map of one query's weights (heads, words) with its numbers."""
    axes.imshow(weights.numpy(), cmap=figures.CMAP, vmin=0, vmax=1, aspect="auto")
    for (row, key), weight in np.ndenumerate(np.asarray(weights)):
        color = "white" if weight > 0.5 else "black"
        text = f"{weight:.2f}".removeprefix("0")
        axes.text(key, row, text, ha="center", va="center", color=color, fontsize=8)
    axes.set_xticks(range(len(words)), words, rotation=45, ha="right")
    axes.set_yticks(range(len(weights)), [f"head {head}" for head in range(len(weights))])
    axes.set_xlabel("1 head" if len(weights) == 1 else f"{len(weights)} heads")


def show_features(blocks: Mapping[str, torch.Tensor]) -> None:
    """Numbered features (words, 4 or 2) by their titles, each word of the first block in its own shade."""
    first, *parts = blocks.values()
    widths = [block.shape[1] for block in blocks.values()]
    figure, columns = subplots(1, len(blocks), figsize=(9.5, 2.4), width_ratios=widths)
    owner = {int(feature): word for word, row in enumerate(first) for feature in row}
    for axes, (title, block) in zip(columns, blocks.items(), strict=True):
        shades = [[owner[int(feature)] for feature in row] for row in block]
        axes.imshow(shades, cmap="Greys", vmin=-0.6, vmax=2.6)
        for (row, column), feature in np.ndenumerate(np.asarray(block, dtype=int)):
            color = "white" if owner[int(feature)] == len(first) - 1 else "black"
            axes.text(column, row, str(feature), ha="center", va="center", color=color)
        axes.set_title(title, fontsize=9)
        axes.set(xticks=[], yticks=[], xlabel="features")
    columns[0].set_yticks(range(len(first)), [f"word {word}" for word in range(len(first))])
    rows = [np.asarray(block, dtype=int).tolist() for block in parts]
    held = "; ".join(f"{title} holds {numbers}" for title, numbers in zip(list(blocks)[1:], rows))
    figures.show(figure, alt=f"Numbered features, each word in its own shade: {held}.")


def show_way() -> None:
    """The data's way through multi-head attention, from three inputs to the output, here with two heads."""
    from .flow import Box, flow

    of_heads = [[[0.0]], [[1.0]]]
    boxes = []
    inputs = ("queries", "Q", "n_q", 3, 18), ("keys", "K", "n_k", 4, 9), ("values", "V", "n_k", 4, 0)
    for name, letter, n, rows, y in inputs:
        boxes.append(Box(name, 0, y, rows, 4, f"(batch, {n}, d_model)", shades=0.4))
        boxes.append(Box(letter, 14, y, rows, 2, f"(batch, num_heads, {n}, d_k)", 2, of_heads))
    boxes += [
        Box("weights", 31, 13.5, 3, 4, "(batch, num_heads, n_q, n_k)", 2, of_heads),
        Box("heads' outputs", 31, 1.5, 3, 2, "(batch, num_heads, n_q, d_k)", 2, of_heads),
        Box("output", 45, 1.5, 3, 4, "(batch, n_q, d_model)", shades=0.4),
    ]
    arrows = [
        ("queries", "Q", "W_q,\nsplit_heads"),
        ("keys", "K", "W_k,\nsplit_heads"),
        ("values", "V", "W_v,\nsplit_heads"),
        ("Q", "weights", "scores,\nscaled"),
        ("K", "weights", "then\nmasked_weights"),
        ("weights", "heads' outputs", "times V"),
        ("V", "heads' outputs", ""),
        ("heads' outputs", "output", "merge_heads,\nW_o"),
    ]
    shapes = "; ".join(f"{box.name} {box.shape}" for box in boxes)
    ways = "; ".join(f"{start} to {end}{label and f' by {label}'}".replace("\n", " ") for start, end, label in arrows)
    figures.show(flow(boxes, arrows), alt=f"The way through multi-head attention. Shapes: {shapes}. Arrows: {ways}.")

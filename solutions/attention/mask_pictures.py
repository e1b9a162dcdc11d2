"""Pictures of who may look, who looks at whom, and what a head is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from autograder.views import figures

from .drawing import QUERY, subplots

if TYPE_CHECKING:
    import torch
    from matplotlib.axes import Axes

    Attend = Callable[..., tuple[torch.Tensor, torch.Tensor]]

STEPS = ("one step back", "two steps back")


def show_masks(masks: Mapping[str, torch.Tensor], tokens: Sequence[int], framed: int) -> None:
    """Masks (n, n) by their titles, side by side: coloured with a tick = may look; the row of `framed` stands out.

    tokens: token ids, 0 = pad.
    """
    names = [f"{position} ({f'id {token}' if token else 'pad'})" for position, token in enumerate(tokens)]
    n = len(names)
    figure, row = subplots(1, len(masks), figsize=(figures.WIDTH, 1.2 + 0.5 * n))
    for axes, (title, mask) in zip(row, masks.items(), strict=True):
        axes.imshow(np.asarray(mask), cmap=figures.CMAP, vmin=0, vmax=1)
        for query, key in np.argwhere(np.asarray(mask)):
            axes.text(key, query, "✓", ha="center", va="center", color="white")
        axes.set_xticks(range(n), [name.replace(" (", "\n(") for name in names])
        axes.set_yticks(range(n), names)
        axes.label_outer()
        axes.set(title=title, xlabel="key: looked at, by its position")
        frame(axes, framed, n)
    row[0].set_ylabel("query: looks")
    lines = [f"{title}: {names[framed]} may look at {_seen(mask[framed], names)}" for title, mask in masks.items()]
    figures.show(figure, alt=f"Masks with ticks where a query may look. {'. '.join(lines)}.")


def frame(axes: Axes, query: int, n: int) -> None:
    """A frame around one query's row of n keys, which stands out on dark and on light."""
    from matplotlib.patches import Rectangle

    for color, width in (("white", 4), (QUERY, 2.2)):
        axes.add_patch(Rectangle((-0.5, query - 0.5), n, 1, fill=False, ec=color, lw=width, clip_on=False, zorder=3))


def _seen(row: torch.Tensor, words: Sequence[str]) -> str:
    return ", ".join(word for word, allowed in zip(words, row, strict=True) if allowed) or "nothing"


def show_questions(attend: Attend) -> None:
    """Where *cheese* looks when it asks two questions with 1 and 2 heads, with a slider for how loud it asks."""
    import torch

    words, counts = ["we", "ate", "bread", "and", "cheese"], (1, 2)
    offers = torch.zeros(len(words), 2)
    offers[words.index("and"), 0] = offers[words.index("bread"), 1] = 1.0
    asks = torch.ones(1, 2)

    def weights(heads: int, factor: float) -> torch.Tensor:
        parts = zip((factor * asks).chunk(heads, dim=-1), offers.chunk(heads, dim=-1), strict=True)
        return torch.cat([attend(q, k, k)[1] for q, k in parts])

    def draw(factor: float, *panels: Axes) -> None:
        for heads, axes in zip(counts, panels, strict=True):
            draw_heads(weights(heads, factor), words, axes)

    def best(factor: float) -> Iterable[str]:
        return (f"{weights(heads, factor).max():.2f}" for heads in counts)

    figures.explore(
        draw,
        [1, 6],
        "factor",
        alt=f"Where the last word of “{' '.join(words)}” looks. One head spreads itself evenly over two words; of two "
        "heads each holds one of these words. The largest weight with 1 and 2 heads is "
        + "; ".join(f"{', '.join(best(factor))} at factor {factor}" for factor in (1, 6))
        + ".",
        turn=np.linspace(0, 12, 25).tolist(),
        panels=2,
        opens_at=6,
    )


def show_copying(choose: Callable[[int, int], Sequence[torch.Tensor]], attend: Attend, words: Sequence[str]) -> None:
    """What a sentence fetches behind matrices that one has chosen, and beside it a trained head that does the like.

    choose: (d, n) -> W_q, W_k, W_v for rows of d numbers for the word and n for its place, one-hot; attend: as
    `attention`, with a mask.
    """
    import torch

    from .weights import draw_weights
    from .writer import load_writer

    writer, n = load_writer(), len(words)
    known = torch.tensor(writer.embedding)
    mask = torch.ones(n, n, dtype=torch.bool).tril()
    rows = torch.cat([known[[writer.words.index(word) for word in words]], torch.eye(n)], dim=-1)
    Q, K, V = (rows @ torch.as_tensor(W, dtype=rows.dtype) for W in choose(known.shape[1], n))
    output, chosen = attend(Q, K, V, mask)
    fetched = [writer.words[int(i)] for i in torch.cdist(output, known).argmin(dim=-1)]
    learned = attend(*map(torch.tensor, writer.head(words, layer=0, head=0)), mask)[1]
    figure, (left, right) = subplots(1, 2, figsize=(figures.WIDTH, 4.4))
    draw_weights(left, chosen, "chosen by you", words, words)
    draw_weights(right, learned, "learned: layer 0, head 0", words, words)
    right.set(yticks=[], ylabel="")
    figure.colorbar(right.images[0], ax=[left, right], label="weight")
    means = [float(one.diagonal(-1).mean()) for one in (chosen, learned)]
    print("words    ", *words)
    print("fetched  ", *fetched)
    figures.show(
        figure,
        alt="Two heatmaps of a sentence's words as queries and as keys. The weight on the word before is on average "
        f"{means[0]:.2f} with the chosen matrices, {means[1]:.2f} in the learned head.",
    )


def show_heads(layers: Mapping[str, torch.Tensor], words: Sequence[str]) -> None:
    """Weights (heads, n, n) by their layers' titles: a row of small heatmaps for each layer."""
    from .weights import draw_weights

    most, told = max(map(len, layers.values())), []
    size = min(2.4 * most, figures.WIDTH), 3.1 * len(layers)
    figure, grid = subplots(len(layers), most, figsize=size, squeeze=False)
    for row, (layer, heads) in zip(grid, layers.items(), strict=True):
        for axes, (head, weights) in zip(row, enumerate(heads)):
            draw_weights(axes, weights, f"{layer}, head {head}", words, words)
            axes.label_outer()
            steps = (f"{float(weights.diagonal(-back).mean()):.2f} {name}" for back, name in enumerate(STEPS, 1))
            told.append(f"{layer}, head {head}: {', '.join(steps)}")
    figure.colorbar(grid[0, 0].images[0], ax=grid, label="weight")
    figures.show(figure, alt=f"Heatmaps of a sentence's weights, one a head. Mean weights: {'; '.join(told)}.")


def draw_heads(weights: torch.Tensor, words: Sequence[str], axes: Axes) -> None:
    """A map of one query's weights (heads, words) with its numbers."""
    axes.imshow(weights.numpy(), cmap=figures.CMAP, vmin=0, vmax=1, aspect="auto")
    for (row, key), weight in np.ndenumerate(np.asarray(weights)):
        color = "white" if weight > 0.5 else "black"
        text = f"{weight:.2f}".removeprefix("0")
        axes.text(key, row, text, ha="center", va="center", color=color, in_layout=False)
    axes.set_xticks(range(len(words)), words, rotation=45, ha="right")
    axes.set_yticks(range(len(weights)), [f"head {head}" for head in range(len(weights))])
    axes.set_xlabel("1 head" if len(weights) == 1 else f"{len(weights)} heads")


def show_way() -> None:
    """Show the way of the data through multi-head attention in seven steps, here with two heads."""
    from .flow import Box, flow

    of_heads = [[[0.5]], [[1.0]]]
    boxes = []
    inputs = ("queries", "Q", "n_q", 3, 26), ("keys", "K", "n_k", 4, 13), ("values", "V", "n_k", 4, 0)
    seen = [[[1, 1, 1, 0]]]  # the last key is padding
    for name, letter, n, rows, y in inputs:
        boxes.append(Box(name, 0, y, rows, 4, f"(batch, {n},\nd_model)", shades=0.4))
        boxes.append(Box(letter, 12.5, y, rows, 2, f"(batch, num_heads,\n{n}, d_k)", 2, of_heads))
    boxes += [
        Box("mask", 47, 33, 3, 4, "(batch, 1, n_q, n_k),\nTrue = may look", shades=seen),
        Box("scores", 29.5, 19, 3, 4, "(batch, num_heads,\nn_q, n_k)", 2, of_heads),
        Box("weights", 47, 19, 3, 4, "(batch, num_heads,\nn_q, n_k)", 2, np.multiply(of_heads, seen)),
        Box("heads' outputs", 47, 1.5, 3, 2, "(batch, num_heads,\nn_q, d_k)", 2, of_heads),
        Box("output", 60.5, 1.5, 3, 4, "(batch, n_q,\nd_model)", shades=0.4),
    ]
    arrows = [
        ("queries", "Q", "1 W_q\n2 split_heads"),
        ("keys", "K", "1 W_k\n2 split_heads"),
        ("values", "V", "1 W_v\n2 split_heads"),
        ("Q", "scores", "3 Q Kᵀ\n/ √d_k"),
        ("K", "scores", ""),
        ("mask", "weights", ""),
        ("scores", "weights", "4 masked_weights"),
        ("weights", "heads' outputs", "5 times V"),
        ("V", "heads' outputs", ""),
        ("heads' outputs", "output", "6 merge_heads\n7 W_o"),
    ]
    shapes = "; ".join(f"{box.name} {box.shape}".replace("\n", " ") for box in boxes)
    ways = "; ".join(f"{start} to {end}{label and f' by {label}'}".replace("\n", " ") for start, end, label in arrows)
    figures.show(flow(boxes, arrows), alt=f"The way through multi-head attention. Shapes: {shapes}. Arrows: {ways}.")

"""The figures of lesson 01: weights, rows of numbers, and what becomes of them when they are added up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.views import figures

from .drawing import GREY, INK, PALE, VALUE, VALUES, subplots, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = Sequence[Sequence[float]] | np.ndarray


def bars_side_by_side(sides: Mapping[str, tuple[Sequence[str], Sequence[float]]]) -> None:
    """Show words and their weights, once for each name; words that some side has twice stand out."""
    twice = {word for words, _ in sides.values() for word in words if list(words).count(word) > 1}
    figure, grid = subplots(1, len(sides), figsize=(figures.WIDTH, 2.5), sharey=True)
    told = []
    for axes, (name, (words, weights)) in zip(grid, sides.items(), strict=True):
        shares = np.array(weights, dtype=float)
        colors = [INK if word in twice else PALE for word in words]
        bars = axes.bar(range(len(shares)), shares, color=colors, edgecolor=GREY)  # an edge shows in dark themes
        axes.bar_label(bars, fmt="%.3f")
        axes.set_xticks(range(len(words)), words)
        axes.set(title=f"{name}: {len(shares)} bars, sum {shares.sum():.2f}", ylim=(0, 1.25 * shares.max()))
        axes.spines[["top", "right"]].set_visible(False)
        numbers = ", ".join(f"{word} {share:.3f}" for word, share in zip(words, shares, strict=True))
        told.append(f"{name}: {numbers}; sum {shares.sum():.2f}.")
    grid[0].set_ylabel("weight")
    figures.show(figure, alt=f"Bars of weights. {' '.join(told)}")


def rows_of_numbers(words: Sequence[str], matrix: Rows) -> None:
    """Show a matrix with a row for each word."""
    rows = np.array(matrix, dtype=float)
    figure, axes = subplots(figsize=(7.5, 3.6))
    axes.imshow(rows, cmap=VALUES, vmin=0, vmax=52, aspect="auto")
    write(axes, rows, "{:.0f}", 27)
    for text in axes.texts:
        if text.get_text() == "0":
            text.set(color=GREY)
    axes.set_xticks(range(rows.shape[1]), map(str, range(1, rows.shape[1] + 1)))
    axes.set_yticks(range(len(words)), words)
    axes.set(xlabel="place in the word", title="One row for each word")
    told = "; ".join(f"{word} {' '.join(f'{n:.0f}' for n in row)}" for word, row in zip(words, rows, strict=True))
    figures.show(figure, alt=f"A matrix with a row for each word: {told}.")


def stacked(words: Sequence[str], weights: Sequence[float], matrix: Rows, stopped: int) -> None:
    """Show a weighted sum, each number built of what the words put in; a line where an attempt `stopped`."""
    from matplotlib.colors import LinearSegmentedColormap

    blocks = np.array(weights)[:, None] * np.array(matrix, dtype=float)
    bottoms, whole, places = blocks.cumsum(axis=0) - blocks, blocks.sum(axis=0), np.arange(1, blocks.shape[1] + 1)
    figure, axes = subplots(figsize=(8, 4))
    shades = LinearSegmentedColormap.from_list("values", ["white", VALUE, "black"])
    colors = shades(np.linspace(0.7, 0.12, len(words)))
    for word, block, bottom, color in zip(words, blocks, bottoms, colors, strict=True):
        axes.bar(places, block, bottom=bottom, color=color, edgecolor="white", label=word)
    for place, number in zip(places, whole, strict=True):
        axes.text(place, number + 0.2, f"{number:.2f}", ha="center")
    axes.axvline(stopped + 0.5, color="black", linestyle="--")
    axes.text(stopped + 0.6, 1.13 * whole.max(), "the first attempt stopped here", va="center")
    axes.set_xticks(places)
    axes.set(xlabel="place in the vector", ylabel="weighted sum", title=f"{len(words)} words, one vector")
    axes.set_ylim(0, 1.2 * whole.max())
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(reverse=True, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    numbers = ", ".join(f"{number:.2f}" for number in whole)
    figures.show(
        figure,
        alt=f"Stacked bars, one for each number of the sentence's vector: {numbers}. Each is built of what the words "
        f"put in. A dashed line behind bar {stopped} marks where the first attempt stopped.",
    )


def two_maps(words: Sequence[str], maps: Mapping[str, Rows], note: str) -> None:
    """Show weights of queries (rows) for keys (columns), with the rows' sums; `note` stands above them."""
    figure, grid = subplots(1, len(maps), figsize=(figures.WIDTH, 4), sharey=True)
    picture: Any = None
    told = []
    for axes, (name, rows) in zip(grid, maps.items(), strict=True):
        weights = np.array(rows, dtype=float)
        picture = axes.imshow(weights, cmap=figures.CMAP, vmin=0, vmax=1)
        write(axes, weights)
        for text in axes.texts:
            text.set_visible(text.get_text() != "0.00")
        sums = weights.sum(axis=1)
        for row, row_sum in enumerate(sums):
            axes.text(len(words) - 0.3, row, f"= {row_sum:.2f}", va="center")
        axes.set_xticks(range(len(words)), words, rotation=45, ha="right")
        axes.set_yticks(range(len(words)), words)
        axes.set(xlabel="the word that is looked at", title=name)
        told.append(f"{name}: its rows sum to {', '.join(f'{one:.2f}' for one in sums)}.")
    grid[0].set_ylabel("the word that asks")
    figure.suptitle(note)
    figure.colorbar(picture, ax=grid, label="weight", shrink=0.8, pad=0.06)
    alt = f"{note}: heatmaps, a row for each word that asks, a column for each word that is looked at. {' '.join(told)}"
    figures.show(figure, alt=alt)


def move_score(
    softmax: Callable[[list[float]], Sequence[float]], words: Sequence[str], scores: np.ndarray, values: np.ndarray
) -> None:
    """The weights of all words and the sum of their values, (n, 2), while the score of the first word is moved."""

    def weights_at(score: float) -> np.ndarray:
        return np.array(softmax([score, *scores[1:]]))

    def draw(score: float, left: Axes, right: Axes) -> None:
        weights = weights_at(score)
        bars(left, words, weights)
        places(right, words, values, weights)

    stills = [0, 3]
    told = [f"{weights_at(score)[0]:.2f} where its score is {score}" for score in stills]
    figures.explore(
        draw,
        stills=stills,
        name=f"score of {words[0]}",
        alt=f"{len(words)} weights as bars, and their weighted sum as a star among the words. The weight of "
        f"{words[0]} is {' and '.join(told)}, with the star nearer to {words[0]}. A line leads from the star to each "
        "word, the thicker the larger its weight; the star stays in the pale area between the words.",
        turn=np.arange(-6, 6.5, 0.5).tolist(),
        panels=2,
    )


def bars(axes: Axes, words: Sequence[str], weights: Sequence[float] | np.ndarray) -> None:
    """Weights as lying bars, from 0 to 1, with the numbers."""
    axes.spines[["top", "right"]].set_visible(False)
    drawn = axes.barh(range(len(words)), weights, color=INK)
    axes.bar_label(drawn, fmt=" %.2f")
    axes.set_yticks(range(len(words)), words)
    axes.set(xlim=(0, 1.2), xticks=(0, 0.5, 1), xlabel="weight")
    axes.invert_yaxis()


def places(axes: Axes, words: Sequence[str], values: Rows, weights: np.ndarray) -> None:
    """Values of two numbers as points with their words; in the area between them a star, their weighted sum."""
    from scipy.spatial import ConvexHull

    axes.spines[["top", "right"]].set_visible(False)
    points = np.array(values, dtype=float)
    total = weights @ points
    axes.fill(*points[ConvexHull(points).vertices].T, color=VALUE, alpha=0.12, linewidth=0, zorder=0)
    for (x, y), weight in zip(points, weights, strict=True):
        axes.plot([total[0], x], [total[1], y], color=VALUE, linewidth=0.3 + 10 * weight, alpha=0.5, zorder=0)
    axes.scatter(*points.T, color=VALUE)
    for word, (x, y) in zip(words, points, strict=True):
        axes.annotate(word, (x, y), xytext=(4, 5), textcoords="offset points", color=INK)
    axes.plot(*total, marker="*", markersize=17, color=INK, linestyle="none")
    low, high = points.min(axis=0), points.max(axis=0)
    edge = 0.2 * (high - low)
    axes.set(xlim=(low[0] - edge[0], high[0] + 2 * edge[0]), ylim=(low[1] - edge[1], high[1] + 1.5 * edge[1]))
    axes.set(xlabel="first number of the value", ylabel="second number", title="star: their weighted sum")

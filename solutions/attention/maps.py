"""Maps of words: where their vectors lie, and who looks at whom; and what these show, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, cast

import numpy as np

from autograder.views import figures

from .drawing import GREY, INK, PALE, VALUE, subplots

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

LIGHTNESS = np.array([0.2126, 0.7152, 0.0722])
"""Of red, green and blue: what each adds to how light a colour looks (ITU-R BT.709)."""

GROUND = tuple(1 - (1 - np.array([int(PALE[i : i + 2], 16) for i in (1, 3, 5)]) / 255) / 2)
"""Behind words of one group: half as dark as what stands back."""

SIZE = np.array([8.0, 5.2])
"""Of a map, in inches."""

MANY = 8
"""Columns: a heatmap with more has no room for numbers that would read 0.00."""

GRID = np.array(np.meshgrid(np.arange(-3, 3.2, 0.2), np.arange(-4, 4.2, 0.2))).reshape(2, -1).T
STEPS = sorted(GRID[abs(GRID).max(axis=1) > 0.99], key=lambda step: (abs(step[0]) + abs(step[1]), -step[0]))
"""Where a name is tried, seen from its point, in halves of its size: the nearest first, right before left."""


def of_words(
    vectors: KeyedVectors, words: str, title: str, moved: Mapping[str, np.ndarray] | None = None
) -> Figure:
    """Words in the plane in which they lie farthest apart: the first two principal components of their unit vectors.

    words: parted by `|` into groups, each on a ground of its own, or one group without.
    moved: for some words a vector each, of any length, to which an arrow leads; these words are written dark.
    """
    groups = [group.split() for group in words.split("|")]
    names = [name for group in groups for name in group]
    places, middle, plane = _flat(vectors, names)
    figure, axes = subplots(figsize=SIZE)
    low, high = places.min(axis=0), places.max(axis=0)
    low, high = low - 0.12 * (high - low), high + 0.12 * (high - low)
    axes.set_title(title, color=INK)
    for group in groups if len(groups) > 1 else ():
        spots = places[[names.index(name) for name in group]]
        for color, width in (("white", 39), (GROUND, 34)):
            for x, y in (np.transpose(three) for three in combinations_with_replacement(spots, 3)):
                axes.plot(x, y, color=color, linewidth=width, solid_capstyle="round", zorder=0)
                axes.fill(x, y, color=color, zorder=0)
    heads = {word: (_unit(vector) - middle) @ plane.T for word, vector in (moved or {}).items()}
    _name(axes, names, places, heads, low, high, SIZE)
    return figure


def _flat(vectors: KeyedVectors, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where words lie in the plane in which they are farthest apart; its middle, and its two directions."""
    rows = _unit(vectors[names])
    middle = rows.mean(axis=0)
    plane = np.linalg.svd(rows - middle, full_matrices=False)[2][:2]
    plane *= np.sign(plane.sum(axis=1, keepdims=True))
    return (rows - middle) @ plane.T, middle, plane


def _name(
    axes: Axes,
    names: Sequence[str],
    places: np.ndarray,
    heads: Mapping[str, np.ndarray],
    low: np.ndarray,
    high: np.ndarray,
    size: np.ndarray,
    fontsize: int = 9,
) -> None:
    """Draw words as points with their names, and arrows from some to their heads, between two corners.

    size: of the picture, in inches.
    """
    axes.scatter(places[:, 0], places[:, 1], s=14, color=GREY if heads else VALUE)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xticks=[], yticks=[])
    axes.set_frame_on(False)
    scale = size / (high - low)
    points, ends = list((places - low) * scale), []
    for word, head in heads.items():
        tail = places[names.index(word)]
        arrow = {"arrowstyle": "-|>", "color": VALUE, "linewidth": 2, "shrinkA": 4, "shrinkB": 0}
        axes.annotate("", (head[0], head[1]), (tail[0], tail[1]), arrowprops=arrow)
        axes.plot(*head, "o", color=VALUE, markersize=7)
        ends.append((head - low) * scale)
        points += [(tail + share * (head - tail) - low) * scale for share in np.linspace(0.1, 1, 10)]
    outputs = [f"output of {word}" for word in heads]
    for name, spot in zip([*outputs, *names], _spots([*outputs, *names], ends + points, fontsize / 9)):
        x, y = spot / scale + low
        color, weight = (GREY, "normal") if heads else (INK, "normal")
        if name in heads:
            color, weight = INK, "bold"
        if name in outputs:
            color = VALUE
        axes.text(x, y, name, fontsize=fontsize, va="center", ha="center", color=color, weight=weight)


def _spots(names: Sequence[str], points: Sequence[np.ndarray], size: float = 1) -> list[np.ndarray]:
    """Where to write each name, in inches: as near to its point as it goes without lying on a name or a point.

    points: those of the names, and then others to be kept clear of; size: of the letters, where 1 is 9 pt.
    """
    taken = [(point, np.full(2, 0.04)) for point in points]
    spots = []
    for name, point in zip(names, points):
        half = size * np.array([0.04 * len(name) + 0.02, 0.075])
        tries = (point + step * (half + 0.05) for step in STEPS)
        free = (one for one in tries if all((abs(one - other) > half + its).any() for other, its in taken))
        spots.append(next(free, point + STEPS[0] * half))
        taken.append((spots[-1], half))
    return spots


def of_words_in_words(
    vectors: KeyedVectors, words: str, moved: Mapping[str, np.ndarray] | None = None
) -> str:
    """What such a map shows: which other word has the most similar vector, and to which one each arrow leads."""
    names = words.replace("|", " ").split()
    rows = _unit(vectors[names])
    alike = rows @ rows.T - 2 * np.eye(len(names))
    pairs = [f"{name} {names[i]}" for name, i in zip(names, alike.argmax(axis=1))]
    led = [f"{word} to {names[(rows @ vector).argmax()]}" for word, vector in (moved or {}).items()]
    arrows = f" Arrows lead from {', from '.join(led)}." if led else ""
    near = f"Each word and the one with the most similar vector: {', '.join(pairs)}."
    return f"A map of {len(names)} words as points. {near}{arrows}"


def show_words(vectors: KeyedVectors, words: str, title: str, moved: Mapping[str, np.ndarray] | None = None) -> None:
    """Show such a map, with what it shows in words."""
    figures.show(of_words(vectors, words, title, moved), alt=of_words_in_words(vectors, words, moved))


def heatmap(
    axes: Axes, shares: np.ndarray, rows: str, columns: str, title: str = "", digits: int = 2
) -> None:
    """Draw weights as colours, a row for each word of one sentence, a column for each of the other."""
    # seaborn draws the whole figure for each of its maps, which takes seconds where there are several
    axes.pcolormesh(shares, cmap=figures.CMAP, vmin=0, vmax=1)
    high, wide = shares.shape
    axes.set(xlim=(0, wide), ylim=(high, 0), xticks=np.arange(wide) + 0.5, yticks=np.arange(high) + 0.5)
    axes.set(xticklabels=columns.split(), yticklabels=rows.split())
    axes.spines[:].set_visible(False)
    for (row, column), share in np.ndenumerate(np.round(shares, digits) + 0.0):
        if wide > MANY and not share:
            continue
        color = "white" if abs(share) > 0.62 else "black"
        text = axes.text(column + 0.5, row + 0.5, f"{share:.{digits}f}", size=10, color=color, in_layout=False)
        text.set(ha="center", va="center")
    axes.tick_params("x", rotation=60, length=0)
    axes.tick_params("y", rotation=0, length=0)  # a tick before a number would look like a minus sign
    axes.set_title(title)


def in_words(axes: Axes) -> str:
    """What a heatmap shows, as it is drawn: the largest number of each row, and what its colour is in that row."""
    pictures = [(one, np.asarray(one.get_array())) for one in (*axes.collections, *axes.images)]
    drawn, table = next(((one, numbers) for one, numbers in pictures if numbers.ndim == 2), (None, np.zeros((0, 0))))
    if drawn is None:
        return "No heatmap."
    rows = _named(axes.get_yticklabels(), len(table), "row")
    columns = _named(axes.get_xticklabels(), table.shape[1], "column")
    title = f"{axes.get_title()}. " if axes.get_title() else ""
    largest = [f"{row}: {columns[numbers.argmax()]} {numbers.max():.2f}" for row, numbers in zip(rows, table)]
    which = f"The {_look(table, drawn.to_rgba(table))} of each row: {', '.join(largest)}."
    return f"{title}Heatmap, rows: {' '.join(rows)}; columns: {' '.join(columns)}. {which}"


def show(axes: Axes) -> None:
    """Show a heatmap, whoever has drawn it, with what it shows in words; many columns get slanted words."""
    if len(axes.get_xticks()) > MANY:
        axes.tick_params("x", rotation=60)
    figures.show(cast("Figure", axes.figure), alt=in_words(axes))


def _named(labels: Sequence[Text], number: int, what: str) -> list[str]:
    """The words along a side of a picture, or positions where there is not one for each."""
    words = [text for label in labels if (text := label.get_text().strip())]
    return words if len(words) == number else [f"{what} {i}" for i in range(number)]


def _look(table: np.ndarray, colours: np.ndarray) -> str:
    """What the largest number of each row is by its colour, of (rows, columns, 4): darkest, lightest, or neither."""
    light = colours[..., :3] @ LIGHTNESS
    of_largest = light[np.arange(len(table)), table.argmax(axis=1)]
    if (of_largest == light.min(axis=1)).all():
        return "darkest cell"
    return "lightest cell" if (of_largest == light.max(axis=1)).all() else "largest number"


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)

"""The way of data as a drawing: matrices as boxes of cells with their shapes, and arrows from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.views import figures

from .drawing import INK, subplots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROLES = {
    **dict.fromkeys(("Q", "queries"), "Blues"),
    **dict.fromkeys(("K", "keys"), "Oranges"),
    **dict.fromkeys(("V", "values", "output", "heads' outputs"), "Greens"),
    **dict.fromkeys(("mask", "weights"), figures.CMAP),
}
"""The colour maps of boxes by their names."""
PALEST, DARKEST = 0.15, 0.6
"""Where on the colour map shades 0 and 1 lie."""

CELL, LINE = 0.2, 0.15
"""Inches to a cell, or fewer where the drawing would be wider than a page; inches to a line of type."""

BEHIND = 0.7
"""How many cells each layer is shifted to the right and up."""


@dataclass(frozen=True)
class Box:
    """A matrix of `rows` × `columns` cells; its middle is at (x, y), in cells, y upwards.

    name stands above it, shape below it. layers: so many of them lie one behind the other, as heads do. shades: how
    dark its cells are, from 0 to 1, broadcastable to (layers, rows, columns).
    """

    name: str
    x: float
    y: float
    rows: int
    columns: int
    shape: str = ""
    layers: int = 1
    shades: Any = 0.0

    @property
    def sides(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top, all layers together."""
        behind = BEHIND * (self.layers - 1)
        wide, high = (self.columns + behind) / 2, (self.rows + behind) / 2
        return self.x - wide, self.x + wide, self.y - high, self.y + high


def flow(boxes: Sequence[Box], arrows: Sequence[tuple[str, str, str]]) -> Figure:
    """These boxes and, for each (from, to, label), an arrow between the boxes of these names; a label may be empty.

    An arrow leaves on the right and arrives on the left; where one box stands below the other, it goes up or down.
    """
    left, right, bottom, top = zip(*(box.sides for box in boxes))
    wide = max(right) - min(left) + 4
    cell = min(CELL, figures.WIDTH / wide)
    line = LINE / cell
    limits = min(left) - 2, max(right) + 2, min(bottom) - 2.5 * line, max(top) + 1.5 * line
    figure, axes = subplots(figsize=(cell * wide, cell * (limits[3] - limits[2])))
    axes.set(xlim=limits[:2], ylim=limits[2:], aspect="equal")
    axes.set_axis_off()
    for box in boxes:
        _draw(axes, box)
    named = {box.name: box for box in boxes}
    for start, end, label in arrows:
        _connect(axes, named[start], named[end], label, line)
    return figure


def _draw(axes: Axes, box: Box) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    left, _, bottom, top = box.sides
    shades = np.broadcast_to(box.shades, (box.layers, box.rows, box.columns))
    for layer in reversed(range(box.layers)):
        for (row, column), shade in np.ndenumerate(shades[layer]):
            x, y = left + BEHIND * layer + column, bottom + BEHIND * layer + box.rows - 1 - row
            colour = colormaps[ROLES.get(box.name, "Greys")](PALEST + (DARKEST - PALEST) * shade)
            axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white"))
    axes.text(box.x, top + 0.4, box.name, ha="center", va="bottom", color=INK, weight="bold")
    axes.text(box.x, bottom - 0.4, box.shape, ha="center", va="top", color=INK)


def _connect(axes: Axes, start: Box, end: Box, label: str, line: float) -> None:
    """Draw an arrow, with its label at its middle, clear of the type above and below boxes."""
    _, right, bottom, top = start.sides
    far_left, _, far_bottom, far_top = end.sides
    if right < far_left:
        tail, head = (right + 0.4, start.y), (far_left - 0.4, end.y)
    elif far_top < bottom:
        tail, head = (start.x, bottom - 0.6 - _below(start, line)), (end.x, far_top + 0.6 + line)
    else:
        tail, head = (start.x, top + 0.6 + line), (end.x, far_bottom - 0.6 - _below(end, line))
    axes.annotate("", head, tail, arrowprops={"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0})
    middle = (tail[0] + head[0]) / 2, (tail[1] + head[1]) / 2
    if label and tail[1] == head[1]:  # a level arrow runs below its label, or between its two lines
        above, _, below = label.partition("\n")
        axes.text(middle[0], middle[1] + 0.2, above, ha="center", va="bottom", color=INK, fontsize=9)
        axes.text(middle[0], middle[1] - 0.3, below, ha="center", va="top", color=INK, fontsize=9)
    elif label:
        white = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        axes.text(*middle, label, ha="center", va="center", color=INK, fontsize=9, bbox=white)


def _below(box: Box, line: float) -> float:
    """Return how high the shape below a box is, in cells."""
    return line * len(box.shape.splitlines())

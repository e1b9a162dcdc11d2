"""What the course's pictures have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

QUERY, KEY, VALUE = "#2f6ea8", "#d9822b", "#3a8f5c"
"""Blue asks, orange is compared with, green is mixed: in every picture."""
INK, GREY, PALE, RED = "#1f3a56", "#666666", "#b8c2cc", "#b4442c"
"""What is computed; what it is compared with; what stands back; what is wrong, or a limit."""
PLUM = "#9a5fc0"
"""What is computed in another way, beside INK; as light in the dark as on paper."""
VALUES = "Greens"
"""The colour map of values that are not below 0; its darker half is too dark for black numbers."""
SIGNED = "RdBu"
"""The colour map of numbers on both sides of 0, which is white; that of weights is `figures.CMAP`."""


def subplots(*shape: int, **look: Any) -> tuple[Figure, Any]:
    """A new figure and its axes, as of matplotlib, which is slow to import and so imported where something is drawn."""
    import matplotlib.pyplot as plt

    return plt.subplots(*shape, layout="constrained", **look)


def write(
    axes: Axes, table: np.ndarray, form: str = "{:.2f}", dark: float = 0.5, least: float = -np.inf, **style: Any
) -> None:
    """Each number of a table, if not below `least`, in its cell, white where it is more than `dark`."""
    for (row, column), number in np.ndenumerate(table):
        if number < least:
            continue
        color = "white" if number > dark else "black"
        text = axes.text(column, row, form.format(number), ha="center", va="center", color=color, **style)
        text.set_in_layout(False)  # it lies within its cell, and to lay out many of them takes long

"""What the course's pictures have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def subplots(*shape: int, **look: Any) -> tuple[Figure, Any]:
    """A new figure and its axes, as of matplotlib, which is slow to import and so imported where something is drawn."""
    import matplotlib.pyplot as plt

    return plt.subplots(*shape, layout="constrained", **look)


def write(axes: Axes, table: np.ndarray, form: str = "{:.2f}", dark: float = 0.5, **style: Any) -> None:
    """Each number of a table in its cell, white where it is more than `dark`, as the ground is there."""
    for (row, column), number in np.ndenumerate(table):
        color = "white" if number > dark else "black"
        axes.text(column, row, form.format(number), ha="center", va="center", color=color, **style)

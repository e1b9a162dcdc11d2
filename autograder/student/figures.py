"""Showing figures: with a text for those who cannot see them, and some with a slider."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CMAP = "Blues"
"""The colour map of all heatmaps: one hue, light to dark, so it survives grey printing and colour-blindness."""

STATIC = "ATTENTION_COURSE_STATIC"
"""Set in the environment where no one is there to move a slider: builds, tests and grading."""


def show(figure: Figure, alt: str) -> None:
    """Display a figure as a PNG that carries `alt`, the text read out in its place, and close it."""
    import matplotlib.pyplot as plt
    from IPython.display import Image, display

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)
    display(Image(data=buffer.getvalue(), format="png", alt=alt))


def explore(draw: Callable[[float, Axes], None], values: Sequence[float], name: str, alt: str) -> None:
    """Show `draw(value, axes)` for all `values` side by side and, in a live notebook, one at a time with a slider.

    name: what the value is, for the titles and the slider; alt: describes the row of pictures.
    """
    import matplotlib.pyplot as plt

    figure, row = plt.subplots(
        1, len(values), figsize=(3.4 * len(values), 3.4), squeeze=False, layout="constrained"
    )
    for value, axes in zip(values, row[0]):
        draw(value, axes)
        axes.set_title(f"{name} = {value:g}")
    show(figure, alt)
    if not os.environ.get(STATIC):
        _show_slider(draw, values, name, alt)


def _show_slider(draw: Callable[[float, Axes], None], values: Sequence[float], name: str, alt: str) -> None:
    import ipywidgets
    import matplotlib.pyplot as plt
    from IPython.display import display

    def redraw(value: float) -> None:
        figure, axes = plt.subplots(figsize=(5.5, 5), layout="constrained")
        draw(value, axes)
        axes.set_title(f"{name} = {value:g}")
        show(figure, f"{alt} Here {name} = {value:g}.")

    options = [(f"{value:g}", value) for value in values]
    slider = ipywidgets.SelectionSlider(options=options, description=name, continuous_update=False)
    display(slider, ipywidgets.interactive_output(redraw, {"value": slider}))

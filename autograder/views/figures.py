"""Figures in notebooks, each with an alternative text, and figures with a slider."""

from __future__ import annotations

import base64
import gc
import html
import io
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CMAP = "Purples"
"""The colour map of weights, from 0, like the page's ground, to 1, far from it: one hue, so it survives grey printing
and colour-blindness. On a page with a dark theme it is turned round with the rest of a figure: little is dark there."""

SIZE, LARGE = 9, 14
"""In points: the type of all figures, which is as large as a notebook's own; and from where on type is left as it is,
since there words are what the figure shows."""

WIDTH = 8.2
"""In inches: so wide a notebook's column is; what is wider is made smaller there, and its type with it."""

STATIC = "ATTENTION_COURSE_STATIC"
"""An environment variable, set where nobody moves a slider: in builds, tests and grading."""


def show(figure: Figure, alt: str) -> None:
    """Display a figure and close it.

    A live notebook gets it as HTML, because JupyterLab gives a plain PNG no alternative text.

    Args:
        figure: The figure.
        alt: The text that a screen reader reads in the figure's place.
    """
    from IPython.display import Image, display

    if os.environ.get(STATIC):
        display(Image(data=png(figure), format="png", alt=alt))
    else:
        display(live(figure, alt), raw=True)


def png(figure: Figure, tight: bool = True, ground: bool = True) -> bytes:
    """Return a figure as the bytes of a PNG, its type in one size, and close it.

    tight: without its empty margins, which takes longer; ground: whether it has one of its own.
    """
    import matplotlib.pyplot as plt
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        if float(text.get_fontsize()) < LARGE:
            text.set_fontsize(SIZE)
    buffer, box, metadata = io.BytesIO(), "tight" if tight else None, {"Software": None}
    figure.savefig(buffer, format="png", dpi=110, bbox_inches=box, metadata=metadata, transparent=not ground)
    plt.close(figure)
    return buffer.getvalue()


def live(figure: Figure, alt: str) -> dict[str, str]:
    """Return a figure's representations in a live notebook, by MIME type, and close it."""
    return {"text/html": _as_html(figure, alt), "text/plain": alt}


IN_THE_DARK = """<style>
img.drawing { max-width: 100%; }
:is([data-jp-theme-light="false"], .vscode-dark) img.drawing.turned { filter: invert(0.93) hue-rotate(180deg); }
:is([data-jp-theme-light="false"], .vscode-dark) img.drawing.kept { border-radius: 4px; filter: brightness(0.85); }
</style>"""
"""Of a page with a dark theme: a figure lies on the page's own ground, and light and dark are turned round in it, so
that what is faint on paper is faint there as well. A picture whose colours mean themselves keeps them."""


def _as_html(figure: Figure, alt: str, tight: bool = True) -> str:
    """Return a figure as an image of a page, which follows the page's theme, and close it."""
    arrays = [artist.get_array() for axes in figure.axes for artist in axes.images]
    keeps = any(numbers is not None and numbers.ndim == 3 for numbers in arrays)
    kind = "kept" if keeps else "turned"
    source = f"data:image/png;base64,{base64.b64encode(png(figure, tight, ground=keeps)).decode()}"
    return f'{IN_THE_DARK}<img class="drawing {kind}" src="{source}" alt="{html.escape(alt)}">'


def explore(
    draw: Callable[..., None],
    stills: Sequence[float],
    name: str,
    alt: str,
    turn: Sequence[float] = (),
    panels: int = 1,
    opens_at: float | None = None,
) -> None:
    """Show `draw(value, *axes)` with a slider, and where nothing is live for all `stills` beside each other.

    Args:
        draw: Draws the figure for one value.
        stills: The values that are drawn where there is no slider.
        name: The value's name, for titles and slider.
        alt: The alternative text of the stills.
        turn: The slider's stops; the stills where it is empty.
        panels: The number of axes that `draw` gets. With several, each still has a row of its own.
        opens_at: The slider's first value; the first still where it is None.
    """
    import matplotlib.pyplot as plt
    from IPython.display import display

    rows, columns = (1, len(stills)) if panels == 1 else (len(stills), panels)
    side = min(3.4, WIDTH / columns)
    size = side * columns, side * rows
    figure, grid = plt.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
    for value, axes in zip(stills, grid.reshape(len(stills), panels)):
        draw(value, *axes)
        axes[0].set_title(f"{name} = {value:g}")
    if os.environ.get(STATIC):
        show(figure, alt)
        return
    picture = base64.b64encode(png(figure, tight=False)).decode()
    first = stills[0] if opens_at is None else opens_at
    slider = _slider(draw, tuple(turn if len(turn) else stills), first, name, alt, panels)
    live = slider._repr_mimebundle_()
    display({**live, "image/png": picture}, metadata={"image/png": {"alt": alt}}, raw=True)


def _slider(
    draw: Callable[..., None], stops: tuple[float, ...], first: float, name: str, alt: str, panels: int
) -> Any:
    """Return a slider above the picture for its value."""
    import ipywidgets
    import matplotlib.pyplot as plt

    def picture(value: float) -> str:
        size = (6.6, 4.6) if panels == 1 else (min(3.4 * panels, WIDTH), 3.4)
        figure, row = plt.subplots(1, panels, figsize=size, squeeze=False, layout="constrained")
        draw(value, *row[0])
        return _as_html(figure, f"{alt} Here {name} = {value:g}.", tight=False)

    gc.collect()
    gc.freeze()  # else Python looks through all that PyTorch has loaded, in the midst of every tenth picture
    options = [(f"{value:g}", value) for value in stops]
    nearest = min(stops, key=lambda stop: abs(stop - first))
    slider = ipywidgets.SelectionSlider(options=options, value=nearest, description=name)
    slider.style.description_width = "initial"
    slider.layout.width = "90%"
    # An HTML widget, because nbclient has to answer an Output widget while it waits for the kernel's reply. On a busy
    # machine it then overlooks the reply: nbconvert waits for ever, and nbgrader's Validate for half a minute.
    drawn = ipywidgets.HTML()
    ipywidgets.dlink((slider, "value"), (drawn, "value"), picture)
    return ipywidgets.VBox([slider, drawn])

"""Showing figures: with a text for those who cannot see them, and some with a slider."""

from __future__ import annotations

import base64
import html
import io
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CMAP = "Purples"
"""The colour map of weights, from 0, light, to 1, dark: one hue, so it survives grey printing and colour-blindness."""

STATIC = "ATTENTION_COURSE_STATIC"
"""Set in the environment where no one is there to move a slider: builds, tests and grading."""


def show(figure: Figure, alt: str) -> None:
    """Display a figure as a PNG that carries `alt`, the text read out in its place, and close it.

    Where a notebook is live it is in HTML: JupyterLab reads no text out for a PNG of its own.
    """
    from IPython.display import Image, display

    if os.environ.get(STATIC):
        display(Image(data=png(figure), format="png", alt=alt))
    else:
        display(live(figure, alt), raw=True)


def png(figure: Figure, tight: bool = True) -> bytes:
    """A figure as the bytes of a PNG; it is closed. tight: without its empty margins, which takes longer."""
    import matplotlib.pyplot as plt

    buffer, box = io.BytesIO(), "tight" if tight else None
    figure.savefig(buffer, format="png", dpi=110, bbox_inches=box, metadata={"Software": None})
    plt.close(figure)
    return buffer.getvalue()


def live(figure: Figure, alt: str) -> dict[str, str]:
    """What a live notebook displays of a figure, by kind; it is closed."""
    return {"text/html": _as_html(figure, alt), "text/plain": alt}


IN_THE_DARK = """<style>
img.drawing { max-width: 100%; }
:is([data-jp-theme-light="false"], .vscode-dark) img.drawing { border-radius: 4px; filter: brightness(0.85); }
:is([data-jp-theme-light="false"], .vscode-dark) img.drawing.lines { filter: invert(0.93) hue-rotate(180deg); }
</style>"""
"""Of a page with a dark theme: lines are drawn light on dark. A map keeps its colours, for dark means much in it."""


def _as_html(figure: Figure, alt: str, tight: bool = True) -> str:
    """A figure as an image of a page, which follows the page's theme; it is closed."""
    drawn = [artist for axes in figure.axes for artist in (*axes.images, *axes.collections)]
    kind = "map" if any(artist.get_array() is not None for artist in drawn) else "lines"
    source = f"data:image/png;base64,{base64.b64encode(png(figure, tight)).decode()}"
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
    """Show `draw(value, axes)` with a slider, or for all `stills` side by side where nothing is live, as on paper.

    name: what the value is, for the titles and the slider; alt: describes the stills; turn: the slider's stops, the
    stills where there are none; panels: how many axes `draw` is given after the value, side by side, with a row for
    each still where there are several; opens_at: where the slider stands at first, the first still where none is said.
    """
    import matplotlib.pyplot as plt
    from IPython.display import display

    rows, columns = (1, len(stills)) if panels == 1 else (len(stills), panels)
    figure, grid = plt.subplots(
        rows, columns, figsize=(3.4 * columns, 3.4 * rows), squeeze=False, layout="constrained"
    )
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
    """The pictures go into an HTML widget: an Output widget would have nbclient answer while it waits for a reply.

    On a busy machine the reply is then overlooked: nbconvert waits for ever, and Validate half a minute.
    """
    import ipywidgets
    import matplotlib.pyplot as plt

    def picture(value: float) -> str:
        size = (5.5, 5) if panels == 1 else (3.4 * panels, 3.4)
        figure, row = plt.subplots(1, panels, figsize=size, squeeze=False, layout="constrained")
        draw(value, *row[0])
        return _as_html(figure, f"{alt} Here {name} = {value:g}.", tight=False)

    options = [(f"{value:g}", value) for value in stops]
    nearest = min(stops, key=lambda stop: abs(stop - first))
    slider = ipywidgets.SelectionSlider(options=options, value=nearest, description=name)
    slider.style.description_width = "initial"
    slider.layout.width = "90%"
    drawn = ipywidgets.HTML()
    ipywidgets.dlink((slider, "value"), (drawn, "value"), picture)
    return ipywidgets.VBox([slider, drawn])

"""Figures as a live notebook shows them, with a slider."""

from __future__ import annotations

import re

import ipywidgets
import matplotlib.pyplot as plt
import pytest

from autograder.views import figures


@pytest.fixture
def shown(monkeypatch):
    """What is displayed where someone is there to look: the data, and what came with it."""
    displayed = []
    monkeypatch.delenv(figures.STATIC)
    monkeypatch.setattr("IPython.display.display", lambda data, **more: displayed.append((data, more)))
    return displayed


def test_a_slider_draws_and_where_nothing_is_live_its_stills_stand_in_the_same_place(shown, monkeypatch):
    boxes, init = [], ipywidgets.VBox.__init__
    monkeypatch.setattr(
        ipywidgets.VBox, "__init__", lambda box, *a, **k: (boxes.append(box), init(box, *a, **k))[1]
    )
    stops = [0.5, 1, 1.5, 2, 2.5, 3]
    figures.explore(
        lambda value, axes: axes.plot([0, value]), [1, 2, 3], name="slope", alt='A "line".', turn=stops
    )
    [(data, more)], [box] = shown, boxes
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["image/png"]
    assert more["metadata"]["image/png"]["alt"] == 'A "line".'
    slider, drawn = box.children
    assert slider.value == 1
    pictures = {}
    for value in (1, 2.5, 3, 1):
        slider.value = value
        data, alt = re.search('src="data:image/png;base64,(.+?)" alt="(.+?)">', drawn.value).groups()
        assert alt == f"A &quot;line&quot;. Here slope = {value:g}."
        assert pictures.setdefault(value, data) == data
    assert len(set(pictures.values())) == 3


@pytest.mark.parametrize(
    ("draw", "what", "kind"),
    [
        ("plot", [[0, 1]], "turned"),
        ("imshow", [[0, 1]], "turned"),
        ("pcolormesh", [[0, 1]], "turned"),
        ("imshow", [[[1.0, 0.5, 0.0]]], "kept"),
    ],
)
def test_a_live_figure_has_a_text_in_its_place_and_a_picture_keeps_its_colours_in_the_dark(
    shown, draw, what, kind
):
    figure, axes = plt.subplots()
    getattr(axes, draw)(what)
    figures.show(figure, alt='A "frame".')
    [(data, _)] = shown
    picture = f'<img class="drawing {kind}" src="data:image/png;base64,.+" alt="A &quot;frame&quot;.">'
    assert re.search(picture, data["text/html"])
    assert data["text/plain"] == 'A "frame".'


def test_type_has_one_size_but_for_words_that_are_the_picture(shown):
    figure, axes = plt.subplots()
    small, large = axes.text(0, 0, "small", fontsize=6), axes.text(0, 0, "large", fontsize=figures.LARGE)
    axes.set(title="title", xlabel="label")
    figures.show(figure, alt="type")
    sizes = {text.get_fontsize() for text in (small, axes.title, axes.xaxis.label, *axes.get_xticklabels())}
    assert sizes == {figures.SIZE}
    assert large.get_fontsize() == figures.LARGE

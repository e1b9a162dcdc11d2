"""Figures as a live notebook shows them, with a slider."""

from __future__ import annotations

import re

import ipywidgets
import matplotlib.pyplot as plt
import pytest

from autograder.student import figures


@pytest.fixture
def shown(monkeypatch):
    """What a figure with a slider displays where someone is there to move it: its forms, and the slider's box."""
    displayed, boxes = [], []
    made = ipywidgets.VBox.__init__
    monkeypatch.setattr(
        ipywidgets.VBox, "__init__", lambda box, *a, **k: (boxes.append(box), made(box, *a, **k))[1]
    )
    monkeypatch.delenv(figures.STATIC)
    monkeypatch.setattr("IPython.display.display", lambda data, **more: displayed.append((data, more)))
    figures.explore(
        lambda value, axes: axes.plot([0, value]),
        [1, 2, 3],
        name="slope",
        alt='A "line".',
        turn=[0.5, 1, 1.5, 2, 2.5, 3],
    )
    return displayed, boxes[0]


def test_a_slider_draws_and_where_nothing_is_live_its_stills_stand_in_the_same_place(shown):
    [(data, more)], box = shown
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


def test_a_live_figure_has_the_text_that_is_read_out_in_its_place(monkeypatch):
    monkeypatch.delenv(figures.STATIC)
    displayed = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: displayed.append(data))
    figure, axes = plt.subplots()
    figures.show(figure, alt='A "frame".')
    (shown,) = displayed
    picture = '<img class="drawing lines" src="data:image/png;base64,.+" alt="A &quot;frame&quot;.">'
    assert re.search(picture, shown["text/html"])
    assert shown["text/plain"] == 'A "frame".'


@pytest.mark.parametrize("draw", ["imshow", "pcolormesh"])
def test_a_map_keeps_its_colours_in_the_dark(draw):
    figure, axes = plt.subplots()
    getattr(axes, draw)([[0, 1]])
    assert 'class="drawing map"' in figures.live(figure, "A map.")["text/html"]

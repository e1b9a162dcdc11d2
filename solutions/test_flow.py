"""Drawings of the way of data: boxes of cells, and arrows between them."""

from __future__ import annotations

import importlib

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

drawings = importlib.import_module("attention.flow")
Box = drawings.Box


def test_every_cell_of_every_layer_is_drawn_and_layers_show_behind_each_other() -> None:
    heads = Box("heads", 0, 0, rows=3, columns=2, layers=4, shades=np.arange(4)[:, None, None] / 3)
    figure = drawings.flow([heads], [])
    cells = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]
    assert len(cells) == 4 * 3 * 2
    assert len({cell.get_facecolor() for cell in cells}) == 4
    left, right, bottom, top = heads.sides
    assert min(cell.get_x() for cell in cells) == left
    assert max(cell.get_x() for cell in cells) + 1 == right
    assert (min(cell.get_y() for cell in cells), max(cell.get_y() for cell in cells) + 1) == (bottom, top)
    plt.close(figure)


def test_arrows_run_between_boxes_from_side_to_side() -> None:
    boxes = [Box("X", 0, 0, 2, 4, "2 × 4"), Box("Q", 9, 3, 2, 2, "2 × 2"), Box("K", 9, -6, 2, 2, "2 × 2")]
    figure = drawings.flow(boxes, [("X", "Q", "· W"), ("Q", "K", ""), ("K", "Q", "")])
    texts = [text for text in figure.axes[0].texts if text.get_text()]
    assert [text.get_text() for text in texts] == ["X", "2 × 4", "Q", "2 × 2", "K", "2 × 2", "· W"]
    ends = [(text.xyann, text.xy) for text in figure.axes[0].texts if getattr(text, "arrow_patch", None)]
    (tail, head), down, up = ends
    assert 2 < tail[0] < head[0] < 8
    assert (tail[1], head[1]) == (0, 3)
    assert down == up[::-1]
    assert down[0][1] > down[1][1]
    plt.close(figure)

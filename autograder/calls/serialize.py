"""Live values as plain data, as they arrive on the other side of the wire."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds, wire
from autograder.exercises.argument_kinds import map_nested
from autograder.exercises.limits import MAX_ENTRIES, MAX_INTEGER_BITS
from autograder.exercises.values import Opaque, as_numbers


def to_plain_data(value: Any) -> Any:
    """Return a copy of `value` as plain data."""
    return map_nested(_plain, value)


def _plain(value: Any) -> Any:
    recognised = argument_kinds.describe_argument(value)
    if recognised is not None:
        return recognised
    if hasattr(value, "get_xlabel") and hasattr(value, "collections"):
        return {"axes": describe_axes(value)}
    if isinstance(value, (set, frozenset, range)) and len(value) <= MAX_ENTRIES:
        with contextlib.suppress(TypeError):  # of a set whose items have no order, only its type is told
            return sorted(to_plain_data(item) for item in value)
    array = wire.as_array(value)
    if array is not None:
        return array.copy()
    if isinstance(value, np.ndarray):
        items = to_plain_data(value.tolist())
        if value.dtype.kind == "U":
            return items
        numbers = as_numbers(items)
        return Opaque(f"array of dtype {value.dtype}") if numbers is None else numbers
    if isinstance(value, (Fraction, Decimal)):
        with contextlib.suppress(OverflowError, ValueError):
            return float(value)
    if isinstance(value, int) and value.bit_length() > MAX_INTEGER_BITS:
        return Opaque("number of thousands of digits")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return Opaque(type(value).__name__)


def describe_axes(axes: Any) -> dict[str, Any]:
    """Return what a matplotlib Axes shows, as plain data.

    data: (rows, columns), the numbers of its heatmap or image; x_labels, y_labels: the tick labels of columns
    and rows in the same order; texts: what is written into the picture; places: where each text of a heatmap
    stands, as "x y" in the units of its columns and rows; none where that is not known of all; limits: the numbers
    of the first colour and of the last.

    Where there are such: lines, with x and y; bars, also of a histogram, with x (their middles), width, bottom and
    height; points, with x and y; each with its label, in the order in which they were drawn.
    """
    from matplotlib.collections import PathCollection

    points = [item for item in axes.collections if isinstance(item, PathCollection)]
    coloured = (item for item in axes.collections if item not in points and item.get_array() is not None)
    drawn = [*coloured, *axes.images]
    series = {
        "lines": [{"label": _label(line), **_xy(line.get_xydata())} for line in axes.lines],
        "bars": [*_bars(axes)],
        "points": [{"label": _label(item), **_xy(item.get_offsets())} for item in points],
    }
    data = np.ma.getdata(drawn[0].get_array()) if drawn else None
    return {
        "data": None if data is None else np.array(data, dtype=float),
        "limits": np.array(drawn[0].get_clim(), dtype=float) if drawn else None,
        "x_labels": [label.get_text() for label in axes.get_xticklabels()],
        "y_labels": [label.get_text() for label in axes.get_yticklabels()],
        "x_name": axes.get_xlabel(),
        "y_name": axes.get_ylabel(),
        "title": _title(axes),
        "texts": [text.get_text() for text in axes.texts],
        "places": _places(axes) if axes.collections else [],
        **{name: items for name, items in series.items() if items},
    }


def _xy(points: Any) -> dict[str, Any]:
    numbers: Any = np.ma.filled(np.ma.asarray(points, dtype=float), np.nan)
    return {"x": numbers[:, 0], "y": numbers[:, 1]}


def _bars(axes: Any) -> Iterator[dict[str, Any]]:
    """Yield the bars of each call that drew some, those of a histogram without gaps among them."""
    from matplotlib.container import BarContainer
    from matplotlib.patches import StepPatch

    for bars in (item for item in axes.containers if isinstance(item, BarContainer)):
        boxes = np.array([(*bar.get_xy(), bar.get_width(), bar.get_height()) for bar in bars], dtype=float)
        left, bottom, width, height = boxes.reshape(-1, 4).T
        yield _bar_data(bars, left, bottom, width, height)
    for steps in (patch for patch in axes.patches if isinstance(patch, StepPatch)):
        heights, edges, baseline = steps.get_data()
        bottom = np.broadcast_to(0.0 if baseline is None else baseline, np.shape(heights))
        yield _bar_data(steps, edges[:-1], bottom, np.diff(edges), heights - bottom)


def _bar_data(artist: Any, left: Any, bottom: Any, width: Any, height: Any) -> dict[str, Any]:
    numbers = {"x": left + width / 2, "width": width, "bottom": bottom, "height": height}
    return {
        "label": _label(artist),
        **{name: np.array(value, dtype=float) for name, value in numbers.items()},
    }


def _label(artist: Any) -> str:
    """Return the label that an artist has in a legend; empty where matplotlib has made one up."""
    label = str(artist.get_label())
    return "" if label.startswith("_") else label


def _places(axes: Any) -> list[str]:
    in_data_units = (
        text.xycoords == "data" if hasattr(text, "xycoords") else text.get_transform() == axes.transData
        for text in axes.texts
    )
    points = [getattr(text, "xy", text.get_unitless_position()) for text in axes.texts]
    return [f"{x} {y}" for x, y in points] if all(in_data_units) else []


def _title(axes: Any) -> str:
    """Return the title over the axes, wherever it stands, or else the whole figure's."""
    titles = [axes.get_title(loc=place) for place in ("center", "left", "right")]
    return str(next(filter(None, titles), axes.figure.get_suptitle()))


def mutate_result(value: Any) -> None:
    """Write into all arrays that came back, and into a list."""
    for item in value if isinstance(value, (list, tuple)) else [value]:
        if isinstance(item, np.ndarray) and item.dtype.kind in "iuf":
            with contextlib.suppress(ValueError):
                item.flags.writeable = True  # a library may lock what it hands out
                item += 1
    if isinstance(value, list):
        value.append(None)

"""What counts as changed when something derived is made again, perhaps on another processor.

Processors differ in the last bits of what they compute. So a number is what is stored where it is within
`LAST_DIGITS` of it, and a picture where no pixel is more than `SHADES` away; what is stored then stays as it is,
to the bit. All else has changed as soon as it is not equal, and what a notebook prints is among that: print
no more digits than all processors agree on. In a long training the last bits grow into the first; a cell that shows
what came of one is tagged by the build, and keeps its output as long as no code cell of its notebook changes.
"""

from __future__ import annotations

import base64
import dataclasses
import io
from typing import Any

import numpy as np
from matplotlib.image import imread
from nbformat import NotebookNode

from autograder.exercises import values

LAST_DIGITS = 5e-5
"""Relative to an array's largest entry, and absolute below 1; gradients were seen to differ by 2e-5. Half of what
a case tolerates."""
SHADES = 4
"""Of 255; one was seen."""

VARIES = "nbval-ignore-output"
"""nbval's tag for a cell whose output may be another one on another processor: a training's. Margins hold it instead,
see `autograder.tests.fresh`."""


def data(new: Any, stored: Any) -> Any:
    """Return `new` with what is `stored` in place of every number and array that has not changed."""
    if type(new) is not type(stored):
        return new
    if dataclasses.is_dataclass(new) and not isinstance(new, type):
        return dataclasses.replace(new, **data(vars(new), vars(stored)))
    if isinstance(new, dict):
        return {key: data(value, stored[key]) if key in stored else value for key, value in new.items()}
    if isinstance(new, (list, tuple)):
        return type(new)([*map(data, new, stored), *new[len(stored) :]])
    if isinstance(new, np.ndarray):
        inexact = new.dtype.kind == "f" and new.dtype == stored.dtype
    else:
        inexact = isinstance(new, float)
    return stored if inexact and values.are_close(new, stored, LAST_DIGITS) else new


def notebook(new: NotebookNode, stored: NotebookNode) -> NotebookNode:
    """Return `new` with the `stored` pictures that have not changed, and the stored outputs that may vary."""
    outputs = {cell.id: cell.get("outputs", []) for cell in stored.cells}
    same_code = _code(new) == _code(stored)
    for cell in new.cells:
        if same_code and VARIES in cell.metadata.get("tags", ()):
            cell.outputs = outputs[cell.id]
        for output, old_output in zip(cell.get("outputs", []), outputs.get(cell.id, [])):
            png, old_png = (each.get("data", {}).get("image/png") for each in (output, old_output))
            if png and old_png and _look_alike(png, old_png):
                output.data["image/png"] = old_png
    return new


def _code(notebook: NotebookNode) -> list[tuple[str, str]]:
    return [(cell.id, cell.source) for cell in notebook.cells if cell.cell_type == "code"]


def _look_alike(*pngs: str) -> bool:
    first, second = (imread(io.BytesIO(base64.b64decode(png)), format="png") for png in pngs)
    return first.shape == second.shape and bool(np.abs(first - second).max(initial=0) <= SHADES / 255)

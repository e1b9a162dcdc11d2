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


def data(made: Any, stored: Any) -> Any:
    """`made`, with what is `stored` in place of every number and array that has not changed."""
    if type(made) is not type(stored):
        return made
    if dataclasses.is_dataclass(made) and not isinstance(made, type):
        return dataclasses.replace(made, **data(vars(made), vars(stored)))
    if isinstance(made, dict):
        return {key: data(value, stored[key]) if key in stored else value for key, value in made.items()}
    if isinstance(made, (list, tuple)):
        return type(made)([*map(data, made, stored), *made[len(stored) :]])
    if isinstance(made, np.ndarray):
        inexact = made.dtype.kind == "f" and made.dtype == stored.dtype
    else:
        inexact = isinstance(made, float)
    return stored if inexact and values.are_close(made, stored, LAST_DIGITS) else made


def notebook(made: NotebookNode, stored: NotebookNode) -> NotebookNode:
    """`made`, with what is `stored` in place of every picture that has not changed, and of outputs that may vary."""
    outputs = {cell.id: cell.get("outputs", []) for cell in stored.cells}
    same_code = _code(made) == _code(stored)
    for cell in made.cells:
        if same_code and VARIES in cell.metadata.get("tags", ()):
            cell.outputs = outputs[cell.id]
        for new, old in zip(cell.get("outputs", []), outputs.get(cell.id, [])):
            png, before = (output.get("data", {}).get("image/png") for output in (new, old))
            if png and before and _look_alike(png, before):
                new.data["image/png"] = before
    return made


def _code(notebook: NotebookNode) -> list[tuple[str, str]]:
    return [(cell.id, cell.source) for cell in notebook.cells if cell.cell_type == "code"]


def _look_alike(one: str, other: str) -> bool:
    first, second = (imread(io.BytesIO(base64.b64decode(png)), format="png") for png in (one, other))
    return first.shape == second.shape and bool(np.abs(first - second).max(initial=0) <= SHADES / 255)

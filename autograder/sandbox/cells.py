"""Cells and outputs of notebooks, made without nbformat's makers.

Those validate each piece, two milliseconds a time; a notebook is validated as a whole when it is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import nbformat
from nbformat import NotebookNode


def new_cell(kind: str, source: str, name: str = "") -> NotebookNode:
    """A code cell, or for any other `kind` a text cell, with the id `name`."""
    if kind == "code":
        code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}
        return nbformat.from_dict({**code, "id": name, "metadata": {}, "source": source})
    return nbformat.from_dict({"cell_type": "markdown", "id": name, "metadata": {}, "source": source})


def printed(text: str) -> NotebookNode:
    """The output of a cell that printed `text`."""
    return nbformat.from_dict({"output_type": "stream", "name": "stdout", "text": text})


def result(data: Mapping[str, str]) -> NotebookNode:
    """The output of a cell whose value is shown as `data`, by kind."""
    shown: dict[str, Any] = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
    return nbformat.from_dict({**shown, "data": dict(data)})

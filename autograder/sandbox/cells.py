"""Cells and outputs of notebooks, made without nbformat's makers, and by what id nbgrader knows a cell.

Those makers validate each piece, two milliseconds a time; a notebook is validated as a whole when it is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import nbformat
from nbformat import NotebookNode


def new_cell(kind: str, source: str, name: str = "") -> NotebookNode:
    """A code cell, or for any other `kind` a text cell, with the id `name`."""
    made = nbformat.from_dict({"cell_type": "markdown", "id": name, "metadata": {}, "source": source})
    if kind == "code":
        made.update(cell_type="code", execution_count=None, outputs=[])
    return made


def grade_id_of(cell: Mapping[str, Any]) -> str:
    """The id by which nbgrader knows a cell; empty when it knows none."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def printed(text: str) -> NotebookNode:
    """The output of a cell that printed `text`."""
    return NotebookNode(output_type="stream", name="stdout", text=text)


def error(name: str, text: str) -> NotebookNode:
    """The output of a cell that raised an error."""
    return NotebookNode(output_type="error", ename=name, evalue=text, traceback=[f"{name}: {text}"])


def picture(data: str, alt: str) -> NotebookNode:
    """The output of a cell that showed a PNG: its base64, and its text for those who do not see it."""
    shown = {"data": {"image/png": data}, "metadata": {"image/png": {"alt": alt}}}
    return nbformat.from_dict({"output_type": "display_data", **shown})


def result(data: Mapping[str, str]) -> NotebookNode:
    """The output of a cell whose value is shown as `data`, by kind."""
    shown = {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": dict(data)}
    return nbformat.from_dict(shown)

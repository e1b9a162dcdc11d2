"""Cells and outputs of notebooks, made without nbformat's makers, and by what id nbgrader knows a cell.

Those makers validate each piece, two milliseconds a time; a notebook is validated as a whole when it is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

import nbformat
from nbformat import NotebookNode

_ATTACHED = re.compile(r"attachment:([^\s\"'()<>]+)")


def new_cell(kind: str, source: str, name: str = "") -> NotebookNode:
    """A code cell, or for any other `kind` a text cell, with the id `name`."""
    made = nbformat.from_dict({"cell_type": "markdown", "id": name, "metadata": {}, "source": source})
    if kind == "code":
        made.update(cell_type="code", execution_count=None, outputs=[])
    return made


def grade_id_of(cell: Mapping[str, Any]) -> str:
    """The id by which nbgrader knows a cell; empty when it knows none."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def with_attachments(cell: Mapping[str, Any]) -> str:
    """Return a cell's text with the pictures pasted into it in place of their names, as data URLs."""
    pasted = cell.get("attachments") or {}

    def data(match: re.Match[str]) -> str:
        for kind, base64 in pasted.get(unquote(match[1]), pasted.get(match[1], {})).items():
            return f"data:{kind};base64,{base64}"
        return match[0]

    return _ATTACHED.sub(data, cell["source"]) if pasted else str(cell["source"])


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

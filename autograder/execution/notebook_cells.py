"""Makes cells and outputs of notebooks without nbformat's makers, and reads the id by which nbgrader knows a cell.

Those makers validate each piece, which takes two milliseconds; a notebook is validated as a whole when it is written.
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
    """Return a code cell, or for any other `kind` a text cell, with the id `name`."""
    cell = nbformat.from_dict({"cell_type": "markdown", "id": name, "metadata": {}, "source": source})
    if kind == "code":
        cell.update(cell_type="code", execution_count=None, outputs=[])
    return cell


def grade_id_of(cell: Mapping[str, Any]) -> str:
    """Return the id by which nbgrader knows a cell; empty for a cell of none."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def with_attachments(cell: Mapping[str, Any]) -> str:
    """Return a cell's text, in which data URLs stand for the pictures pasted into it."""
    attachments = cell.get("attachments") or {}

    def data(match: re.Match[str]) -> str:
        for kind, base64 in attachments.get(unquote(match[1]), attachments.get(match[1], {})).items():
            return f"data:{kind};base64,{base64}"
        return match[0]

    return _ATTACHED.sub(data, cell["source"]) if attachments else str(cell["source"])


def stream_output(text: str) -> NotebookNode:
    """Return the output of a cell that printed `text`."""
    return NotebookNode(output_type="stream", name="stdout", text=text)


def error_output(name: str, text: str) -> NotebookNode:
    """Return the output of a cell that raised an error."""
    return NotebookNode(output_type="error", ename=name, evalue=text, traceback=[f"{name}: {text}"])


def result_output(data: Mapping[str, str]) -> NotebookNode:
    """Return the output of a cell whose value is shown as `data`, by MIME type."""
    output = {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": dict(data)}
    return nbformat.from_dict(output)

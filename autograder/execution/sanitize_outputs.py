"""Removes from a cell's outputs all that is malformed, and all that does more than show text or a picture.

Student code may forge the messages that outputs are made of, so outputs can have any form.
"""

from __future__ import annotations

import base64
import re
from typing import Any

from nbformat import NotebookNode

from autograder.exercises.limits import MAX_PICTURE_PIXELS, MAX_PICTURE_SIDE

PASSIVE = ("text/plain", "image/png", "image/jpeg")
"""The MIME types that only show something."""

PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8"
START_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""The markers of a JPEG file that its size follows."""

BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")


def sanitize_outputs(cell: NotebookNode) -> None:
    """Sanitize the outputs of a cell that was run."""
    cell.outputs = [sanitize_output(output) for output in cell.outputs if _well_formed(output)]
    cell.execution_count = _count(cell.get("execution_count"))


def sanitize_output(output: NotebookNode) -> NotebookNode:
    """Return the output with its passive MIME types alone; pictures keep their alternative texts."""
    if "data" in output:
        passive = {kind: data for kind, data in output["data"].items() if _passive(kind, data)}
        output["data"] = {kind: _writable(data) for kind, data in passive.items()}
        alt = _inside(_inside(output.get("metadata"), "image/png"), "alt")
        output["metadata"] = {"image/png": {"alt": _writable(alt)}} if isinstance(alt, str) else {}
    for name in ("text", "ename", "evalue"):
        if name in output:
            output[name] = _writable(output[name])
    if "traceback" in output:
        output["traceback"] = [_writable(line) for line in output["traceback"]]
    if "execution_count" in output:
        output["execution_count"] = _count(output["execution_count"])
    return output


def _well_formed(output: NotebookNode) -> bool:
    """Return whether the output has the fields of its kind."""
    kind = output.get("output_type")
    if kind == "stream":
        return output.get("name") in ("stdout", "stderr") and isinstance(output.get("text"), str)
    if kind == "error":
        lines = output.get("traceback")
        texts = [output.get("ename"), output.get("evalue")]
        return isinstance(lines, list) and all(isinstance(text, str) for text in [*texts, *lines])
    return kind in ("display_data", "execute_result") and isinstance(output.get("data"), dict)


def _passive(kind: str, data: Any) -> bool:
    return kind in PASSIVE and isinstance(data, str) and (kind == "text/plain" or is_picture(data))


def is_picture(data: str) -> bool:
    """Return whether it is base64 of a PNG or JPEG file whose header names no more pixels than a browser can show."""
    if not BASE64.fullmatch(data):
        return False
    try:
        width, height = picture_size(base64.b64decode(data))
    except ValueError:
        return False
    return 0 < max(width, height) <= MAX_PICTURE_SIDE and width * height <= MAX_PICTURE_PIXELS


def picture_size(data: bytes) -> tuple[int, int]:
    """Return a picture's width and height as its header has them. Raises ValueError where it is no PNG or JPEG."""
    if data.startswith(PNG) and data[12:16] == b"IHDR" and len(data) >= 24:
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    place = len(JPEG)
    while data.startswith(JPEG) and data[place : place + 1] == b"\xff" and place + 9 <= len(data):
        marker, length = data[place + 1], int.from_bytes(data[place + 2 : place + 4])
        if marker in START_OF_FRAME:
            return int.from_bytes(data[place + 7 : place + 9]), int.from_bytes(data[place + 5 : place + 7])
        place += 1 if marker == 0xFF else 2 + length
    raise ValueError("no header of a PNG or JPEG file")


def _inside(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _writable(text: str) -> str:
    """Return the text without lone surrogates, which no file can hold."""
    return text.encode("utf-8", "replace").decode()


def _count(number: Any) -> int | None:
    return number if type(number) is int and 0 <= number < 2**31 else None

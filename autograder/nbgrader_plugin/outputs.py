"""What of a cell's outputs a page shows: little enough to read, and nothing of the grader's machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nbconvert.filters import strip_ansi

from autograder.sandbox.passive import BASE64

MAX_TEXT = 4_000
"""Characters of one output that are shown."""

MAX_PICTURE = 2_000_000
"""Characters of a picture's base64; a larger one is left out."""

MAX_OUTPUTS = 6
PICTURES = ("image/png", "image/jpeg")
PATH = re.compile(r"(?<![\w:/.)\]~])~?(?:/[\w.+@-]+)+/([\w.+@-]+)")


@dataclass(frozen=True)
class Shown:
    """An output: a text, or a picture as a data URL with its alternative text; `cut` says what was left out."""

    text: str = ""
    picture: str = ""
    alt: str = ""
    cut: str = ""


def shown(outputs: Sequence[dict[str, Any]]) -> tuple[Shown, ...]:
    """The first few outputs, each as its picture or its text, cut to a readable size."""
    found = [_shown(output) for output in outputs[:MAX_OUTPUTS]]
    if len(outputs) > MAX_OUTPUTS:
        found.append(Shown(cut=f"{len(outputs) - MAX_OUTPUTS} more outputs were left out"))
    return tuple(output for output in found if output != Shown())


def _shown(output: dict[str, Any]) -> Shown:
    data = output.get("data", {})
    for kind in PICTURES:
        if kind in data:
            alt = output.get("metadata", {}).get(kind, {}).get("alt", "a picture that the cell drew")
            return _picture(kind, data[kind], alt)
    kept, left_out = cut(_text(output, data), MAX_TEXT)
    return Shown(text=without_paths(strip_ansi(kept)).rstrip(), cut=left_out)


def _text(output: dict[str, Any], data: dict[str, Any]) -> str:
    if output.get("output_type") == "error":
        return _error(output)
    return str(output.get("text", data.get("text/plain", "")))


def _picture(kind: str, data: str, alt: str) -> Shown:
    if len(data) > MAX_PICTURE or not BASE64.fullmatch(data):
        return Shown(cut="a picture was left out")
    return Shown(picture=f"data:{kind};base64,{''.join(data.split())}", alt=alt)


def _error(output: dict[str, Any]) -> str:
    """The frames of a traceback that lie in the notebook, and what was raised."""
    frames = (strip_ansi(frame[:MAX_TEXT]) for frame in output.get("traceback", [])[:MAX_OUTPUTS])
    own = [frame for frame in frames if frame.lstrip().startswith("Cell In")]
    kind, message = output.get("ename", "error"), output.get("evalue", "")
    told = any(f"{kind}:" in frame for frame in own)  # a syntax error's own frame ends with it
    return "\n".join(own if told else [*own, f"{kind}: {message}"])


def cut(text: str, limit: int) -> tuple[str, str]:
    """At most `limit` characters of a text, and a note on the rest; empty where nothing was cut."""
    if len(text) <= limit:
        return text, ""
    return text[:limit], f"{len(text) - limit:,} more characters were cut"


def without_paths(text: str) -> str:
    """The text with only the last name of each absolute path: where things lie is the grader's business."""
    return PATH.sub(r"…/\1", text)

"""Takes what could act in a reader's browser out of a submission, before anyone opens it."""

from __future__ import annotations

import re
from html import escape, unescape
from html.parser import HTMLParser
from typing import Any

import bleach
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.runner import grade_id_of

PASSIVE = ("text/plain", "image/png", "image/jpeg")
"""The kinds of output that only show something."""

SCRIPT_LINK = re.compile(r"(?i)script:")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
TAGS = {
    *(
        "a",
        "b",
        "blockquote",
        "br",
        "code",
        "details",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "kbd",
    ),
    *(
        "li",
        "ol",
        "p",
        "pre",
        "span",
        "strong",
        "sub",
        "summary",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
    ),
    "ul",
}
ATTRIBUTES = {"a": ["href", "title"]}
SUSPICIOUS = re.compile(r"(?i)script\s*:|data\s*:|<\s*(script|iframe|img|svg|style|[!?])")


class DefuseContent(NbGraderPreprocessor):
    """Keeps of outputs only text and pictures, and of HTML in text cells only what formats text."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        if cell.cell_type == "code" and not grade_id_of(cell).startswith("test_"):
            cell.outputs = [defused(output) for output in cell.outputs if _well_formed(output)]
            cell.execution_count = _count(cell.get("execution_count"))
        elif cell.cell_type != "code":
            cell.source = defused_text(cell.source)
        return cell, resources


def defused(output: NotebookNode) -> NotebookNode:
    """The output with its passive kinds alone; pictures' alternative texts stay."""
    if "data" in output:
        output["data"] = {
            kind: _writable(data) for kind, data in output["data"].items() if _passive(kind, data)
        }
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
    """Whether the output has the fields of its kind: messages may be forged."""
    kind = output.get("output_type")
    if kind == "stream":
        return output.get("name") in ("stdout", "stderr") and isinstance(output.get("text"), str)
    if kind == "error":
        texts = [output.get("ename"), output.get("evalue"), *_listed(output.get("traceback"))]
        return all(isinstance(text, str) for text in texts)
    return kind in ("display_data", "execute_result") and isinstance(output.get("data"), dict)


def _passive(kind: str, data: Any) -> bool:
    return (
        kind in PASSIVE and isinstance(data, str) and (kind == "text/plain" or bool(BASE64.fullmatch(data)))
    )


def _inside(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _writable(text: str) -> str:
    """The text without halves of characters, which no file can hold."""
    return text.encode("utf-8", "replace").decode()


def _count(number: Any) -> int | None:
    return number if type(number) is int and 0 <= number < 2**31 else None


def defused_text(source: str) -> str:
    """Markdown whose HTML only formats; unchanged when that is so already."""
    if SCRIPT_LINK.search("".join(unescape(source).split())):
        return f"<pre>{escape(source)}</pre>"  # Markdown writes links in too many ways to find the bad one
    if _harmless(source):
        return source
    return str(bleach.clean(source, tags=TAGS, attributes=ATTRIBUTES))


class _Reader(HTMLParser):
    harmless = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        allowed = ATTRIBUTES.get(tag, [])
        if tag not in TAGS or any(name not in allowed or _runs(value) for name, value in attrs):
            self.harmless = False


def _runs(link: str | None) -> bool:
    return bool(SUSPICIOUS.search("".join((link or "").split())))


def _harmless(source: str) -> bool:
    if SUSPICIOUS.search(source):
        return False
    reader = _Reader(convert_charrefs=False)
    reader.feed(source)
    return reader.harmless and "<" not in reader.rawdata

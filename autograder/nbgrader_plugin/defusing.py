"""Takes what could act in a reader's browser out of a submission, before anyone opens it."""

from __future__ import annotations

import re
from html import escape, unescape
from html.parser import HTMLParser
from typing import Any

import bleach
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

SCRIPT_LINK = re.compile(r"(?i)script:")
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
    """Keeps of HTML in text cells only what formats text; what code left behind is passive already."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        if cell.cell_type != "code":
            cell.source = defused_text(cell.source)
        return cell, resources


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

"""Takes what could act in a reader's browser out of a submission, before anyone opens it.

A text cell is judged by the page that Markdown makes of it, as formgrader shows it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape, unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

from bleach.sanitizer import ALLOWED_PROTOCOLS, Cleaner
from mistune import HTMLRenderer
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.sandbox.passive import BASE64

TAGS = {
    *("a", "b", "blockquote", "br", "code", "dd", "del", "details", "dl", "dt", "em"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "kbd", "li", "ol", "p", "pre", "span", "strong"),
    *("sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {"a": ["href", "title"]}
PICTURE_ATTRIBUTES = ["src", "alt", "title", "width", "height"]

RASTER = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""The kinds of picture that a text cell may bring along."""

BESIDE = re.compile(r"(?:\w[\w.%-]*/)*\w[\w.%-]*")
"""The address of a file that was handed in with the notebook."""

SUSPICIOUS = re.compile(r"(?i)<[a-z/!?]|!\[|script|&[#a-z]")
"""Where none of these stands, Markdown makes no picture, no link to a script, and no tags but its own."""

TAG = re.compile(r"<[a-zA-Z/!?]")
PICTURE_DATA = re.compile(r"[A-Za-z0-9+/=]{200,}")
MAX_TEXT = 30_000
"""Suspicious characters of a notebook that are judged, beside pictures' data: the time grows with their square."""

Pasted = Mapping[str, str]
"""Pictures pasted into a text: their data, as a URL, by the address under which the text shows them."""


class DefuseContent(NbGraderPreprocessor):
    """Keeps text cells that only format; of others, what formats. What code left behind is passive already."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        room = MAX_TEXT
        for cell in nb.cells:
            if cell.cell_type != "code" and SUSPICIOUS.search(cell.source):
                room -= len(PICTURE_DATA.sub("", cell.source))
                cell.source = _defused(cell) if room >= 0 else _as_written(cell.source)
        return nb, resources


def _defused(cell: NotebookNode) -> str:
    known = cell.get("attachments")
    return defused_text(cell.source, known) if known else _defused_alone(cell.source)


@functools.lru_cache(maxsize=1024)
def _defused_alone(source: str) -> str:
    """The same for a text without pasted pictures: most are the lesson's own, in every submission."""
    return defused_text(source, {})


def defused_text(source: str, attachments: Mapping[str, Mapping[str, str]]) -> str:
    """Markdown that only formats and fetches nothing; unchanged when that is so already.

    attachments: pasted pictures by name: their data by kind.
    """
    try:
        firsts = {name: next(iter(kinds.items())) for name, kinds in attachments.items() if kinds}
        pasted = {f"attachment:{name}": f"data:{kind};base64,{data}" for name, (kind, data) in firsts.items()}
        page = MarkdownWithMath(renderer=_Renderer(pasted)).render(source)
        reader = _Reader()
        reader.feed(page)
        if reader.passive == len(TAG.findall(page)):
            return source
        lines = _cleaned(page, pasted).splitlines()
    except Exception:  # a student may have written anything; both libraries can be brought to fail
        return _as_written(source)
    return f"<div>{'&#10;'.join(lines)}</div>"  # on one line Markdown leaves all of it alone


def _as_written(source: str) -> str:
    return f"<pre>{escape(source)}</pre>"


class _Renderer(IPythonRenderer):
    """Makes what formgrader makes, in `TAGS` alone where the student wrote no others."""

    def __init__(self, pasted: Pasted) -> None:
        super().__init__(escape=False, exclude_anchor_links=True)
        self.pasted = pasted

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return HTMLRenderer.image(self, text, self.pasted.get(url, url), title)

    def block_code(self, code: str, info: str | None = None) -> str:
        kind = ' class="mermaid"' if (info or "").startswith("mermaid") else ""  # that is not escaped there
        return f"<pre{kind}><code>{escape(code)}</code></pre>\n"

    def table_cell(self, text: str, align: str | None = None, head: bool = False) -> str:
        return f"<th>{text}</th>" if head else f"<td>{text}</td>"

    def task_list_item(self, text: str, checked: bool = False) -> str:
        return f"<li>{'☑' if checked else '☐'} {text}</li>\n"


def _own(address: str) -> bool:
    """Whether a picture came with the submission."""
    start, _, data = address.partition(",")
    if start in {f"data:{kind};base64" for kind in RASTER}:
        return bool(BASE64.fullmatch(data))
    return bool(BESIDE.fullmatch(address))


def _leads(address: str) -> bool:
    """Whether a link leads to a page, or to a place on this one."""
    try:  # browsers pass over control characters in an address
        return urlsplit("".join(sign for sign in address if sign > " ")).scheme in {"", *ALLOWED_PROTOCOLS}
    except ValueError:
        return False


class _Reader(HTMLParser):
    """Counts the tags that only format, or show a picture of the submission's own."""

    passive = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        passive = all(_passive(tag, name, value or "") for name, value in attrs)
        self.passive += passive and (tag in TAGS or tag == "img")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.passive += tag in TAGS


def _passive(tag: str, name: str, value: str) -> bool:
    if tag == "img":
        return name in PICTURE_ATTRIBUTES and (name != "src" or _own(value))
    return _formats(tag, name, value)


def _formats(tag: str, name: str, value: str) -> bool:
    return name in ATTRIBUTES.get(tag, []) and (name != "href" or _leads(unescape(value)))


def _cleaned(page: str, pasted: Pasted) -> str:
    """The page with tags that do more as text, and pictures from elsewhere likewise."""
    cleaner = Cleaner(
        tags=TAGS | {"img"},
        attributes={"a": _formats, "img": PICTURE_ATTRIBUTES},
        protocols={*ALLOWED_PROTOCOLS, "data", "attachment"},  # of pictures: the filter judges them
        filters=[functools.partial(_own_pictures, pasted=pasted)],
    )
    return str(cleaner.clean(page))


def _own_pictures(source: Iterable[dict[str, Any]], pasted: Pasted) -> Iterator[dict[str, Any]]:
    """bleach's tokens, with a text in place of every picture that does not come with the submission."""
    for token in source:
        if token.get("name") == "img":
            attributes = token["data"]
            address, alt = (unescape(attributes.get((None, name), "")) for name in ("src", "alt"))
            if _own(pasted.get(address, address)):
                attributes[None, "src"] = pasted.get(address, address)
            else:
                token = {"type": "Characters", "data": f"![{alt}]({address})"}
        yield token

"""Takes what could act in a reader's browser out of a submission, before anyone opens it.

A text cell is judged by the page that Markdown makes of it, as formgrader shows it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from html import escape, unescape
from html.parser import HTMLParser
from urllib.parse import urlsplit

import nh3
from mistune import HTMLRenderer
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode

from autograder.execution.sanitize_outputs import is_picture
from autograder.exercises.limits import MAX_SUSPICIOUS_CHARACTERS
from autograder.sandbox import limited_process
from autograder.submissions.read_submission import RASTER

TAGS = {
    *("a", "b", "blockquote", "br", "code", "dd", "del", "details", "dl", "dt", "em"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "kbd", "li", "ol", "p", "pre", "span", "strong"),
    *("sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {
    "details": {"data-part"},
    "a": {"href", "title"},
    "img": {"src", "alt", "title", "width", "height"},
}
ALLOWED_PROTOCOLS = {"http", "https", "mailto"}

BESIDE = re.compile(r"(?:\w[\w.%-]*/)*\w[\w.%-]*")
"""The address of a file that was handed in with the notebook."""

SUSPICIOUS = re.compile(r"(?i)<[a-z/!?]|!\[|script|&[#a-z]")
"""Where none of these stands, Markdown makes no picture, no link to a script, and no tags but its own."""

TAG = re.compile(r"<[a-zA-Z/!?]")
PICTURE_DATA = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{200,}+")

Pasted = Mapping[str, str]
"""Pictures pasted into a text: their data, as a URL, by the address under which the text shows them."""


def sanitize_cells(cells: Sequence[NotebookNode]) -> None:
    """Remove from text cells all that does more than format; cells for which there is no time become plain text.

    So does a long text even if it is harmless, since formgrader formats it in its own process.
    """
    remaining, done = MAX_SUSPICIOUS_CHARACTERS, 0
    with contextlib.suppress(limited_process.LimitExceeded, MemoryError):
        for cell in cells:
            source = cell.source
            length, is_suspicious = len(PICTURE_DATA.sub("", source)), bool(SUSPICIOUS.search(source))
            remaining -= length * is_suspicious
            if length > MAX_SUSPICIOUS_CHARACTERS or is_suspicious and remaining < 0:
                source = _as_written(source)
            elif is_suspicious:
                source = sanitize_text(source, cell.get("attachments", {}))
            cell.source, done = source, done + 1
    show_unformatted(cells[done:])


def show_unformatted(cells: Sequence[NotebookNode]) -> None:
    """Make text cells show their source as plain text."""
    for cell in cells:
        cell.source = _as_written(cell.source)


def clean_html(
    html: str,
    tags: set[str],
    attributes: dict[str, set[str]] = ATTRIBUTES,
    schemes: set[str] = ALLOWED_PROTOCOLS,
) -> str:
    """Return HTML with these elements, attributes and kinds of addresses alone."""
    return nh3.clean(html, tags, attributes=attributes, url_schemes=schemes, link_rel=None)


def sanitize_text(source: str, attachments: Mapping[str, Mapping[str, str]]) -> str:
    """Return Markdown that only formats and fetches nothing; the same text where it is so already.

    Args:
        source: The Markdown.
        attachments: Pasted pictures by name: their data by MIME type.
    """
    try:
        firsts = {name: next(iter(kinds.items())) for name, kinds in attachments.items() if kinds}
        pasted = {f"attachment:{name}": f"data:{kind};base64,{data}" for name, (kind, data) in firsts.items()}
        page = MarkdownWithMath(renderer=_Renderer(pasted)).render(source)
        writer = _Writer(pasted)
        writer.feed(page)
        if writer.passive == len(TAG.findall(page)):
            return source
        writer.close()
        # data: of pictures, those that the writer let pass
        clean = clean_html("".join(writer.written), TAGS | {"img"}, schemes=ALLOWED_PROTOCOLS | {"data"})
    except Exception:  # some texts make both libraries fail
        return _as_written(source)
    return f"<div>{'&#10;'.join(clean.splitlines())}</div>"  # Markdown does not change HTML on one line


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


def _is_beside(address: str) -> bool:
    """Return whether a picture came with the submission."""
    start, _, data = address.partition(",")
    is_data = start in {f"data:{kind};base64" for kind in RASTER}
    return is_picture(data) if is_data else bool(BESIDE.fullmatch(address))


def _formats(tag: str, name: str, value: str) -> bool:
    """Return whether an attribute only formats, leads to a page, or names a picture that came with the submission."""
    if name == "src":
        return tag == "img" and _is_beside(value)
    if name == "href":
        try:  # browsers pass over control characters in an address
            scheme = urlsplit("".join(sign for sign in unescape(value) if sign > " ")).scheme
        except ValueError:
            return False
        if scheme not in {"", *ALLOWED_PROTOCOLS}:
            return False
    return name in ATTRIBUTES.get(tag, ())


class _Writer(HTMLParser):
    """Writes a page again, with a text in place of what does more than format and of pictures from elsewhere.

    What is left is for nh3, which would leave such tags out, with what a student wrote after a `<`.
    passive: how many tags only format, or show a picture of the submission's own.
    """

    def __init__(self, pasted: Pasted) -> None:
        super().__init__()
        self._pasted = pasted
        self.written: list[str] = []
        self.passive = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = [(name, value or "") for name, value in attrs]
        allowed = [(name, value) for name, value in attributes if _formats(tag, name, value)]
        self.passive += allowed == attributes and (tag in TAGS or tag == "img")
        if tag == "img":
            self.written.append(self._picture(dict(attributes)))
        elif tag in TAGS:
            self.written.append(_tag(tag, allowed))
        else:
            self.written.append(escape(self.get_starttag_text() or "", quote=False))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.passive += tag in TAGS
        self.written.append(f"</{tag}>" if tag in TAGS else f"&lt;/{escape(tag)}&gt;")

    def handle_data(self, data: str) -> None:
        self.written.append(escape(data, quote=False))

    def _picture(self, attributes: Mapping[str, str]) -> str:
        address = attributes.get("src", "")
        source = self._pasted.get(address, address)
        if not _is_beside(source):
            return escape(f"![{attributes.get('alt', '')}]({address})", quote=False)
        allowed = {name: value for name, value in attributes.items() if name in ATTRIBUTES["img"]}
        return _tag("img", [*{**allowed, "src": source}.items()])


def _tag(name: str, attributes: Sequence[tuple[str, str]]) -> str:
    return "".join([f"<{name}", *(f' {key}="{escape(value)}"' for key, value in attributes), ">"])

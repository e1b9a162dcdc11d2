"""Texts as pages show them: Markdown and code as HTML that only formats, whoever wrote them.

A student's are formatted in a limited process, or, where that takes too much, shown as written.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape, unescape
from typing import Any, NamedTuple
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element
from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from autograder.exercises.limits import (
    MAX_FORMATTING_SECONDS,
    MAX_HTML_CHARACTERS,
    MAX_PICTURE_CHARACTERS,
    MAX_SHOWN_SOURCE,
)
from autograder.sandbox import limited_process
from autograder.submissions.sanitize_text import ALLOWED_PROTOCOLS, ATTRIBUTES, TAGS, clean_html

AS_WRITTEN = "shown as it was written: formatting it takes too much time or room"
PYTHON = PythonLexer(stripnl=False)

PICTURE = re.compile(r"data:image/[a-z]+;base64,[A-Za-z0-9+/=]*+")
"""A picture in a text, as a data URL."""

SHOWN_PICTURES = ("data:image/png;base64,iVBORw0KGgo", "data:image/jpeg;base64,/9j/")
"""How the pictures begin that are shown: PNG and JPEG, by their first bytes."""

_IMAGE = re.compile(r'<img((?:\s+[a-z]+="[^"]*")*)\s*/?>')
_NAME_OF_FILE = re.compile(r"[\w .()-]*\.\w{3,4}")

HEADINGS = {f"h{level}" for level in range(1, 7)}
_FORMULA = re.compile(r'<code class="(inline|block)">(.*?)</code>', re.DOTALL)
MATHML = {
    *("math", "mrow", "mstyle", "mpadded", "mphantom", "mspace"),
    *("mi", "mn", "mo", "mtext"),
    *("mfrac", "msqrt", "mroot"),
    *("msub", "msup", "msubsup", "munder", "mover", "munderover"),
    *("mtable", "mtr", "mtd"),
}
"""The elements of MathML Core that show something: https://www.w3.org/TR/mathml-core/"""

MATHML_ATTRIBUTES = {
    *("xmlns", "display", "displaystyle", "scriptlevel", "mathvariant", "columnalign", "linethickness"),
    *("form", "fence", "stretchy", "largeop", "movablelimits", "accent", "minsize", "maxsize"),
    *("lspace", "rspace", "width", "height", "depth"),
}


class Text(NamedTuple):
    """What stands in a cell of this kind: code is coloured, everything else is Markdown."""

    kind: str
    source: str


@dataclass(frozen=True)
class Formatted:
    """A text as HTML, of which code belongs into a `pre`; remarks: what a page has to say of how it is shown."""

    html: Markup
    remarks: tuple[str, ...]


def format_texts(texts: Sequence[Text]) -> list[Formatted]:
    """Return each of these texts as HTML that only formats."""
    cut = [truncate(_without_pictures(*text), MAX_SHOWN_SOURCE) for text in texts]
    starts = [(text.kind, start) for text, (start, _) in zip(texts, cut)]
    pages = limited_process.call_each(html_of, starts, MAX_FORMATTING_SECONDS)
    results = []
    for (kind, source), (start, left_out), html in zip(texts, cut, pages):
        remarks = tuple(filter(None, [left_out, AS_WRITTEN if html is None else ""]))
        if html is None:
            html = escape(start) if kind == "code" else f"<pre>{escape(start)}</pre>"
        elif kind != "code":
            html = _with_pictures(html, PICTURE.findall(source))
        results.append(Formatted(Markup(html), remarks))
    return results


def _without_pictures(kind: str, source: str) -> str:
    """Return a text with `picture:` and a number in place of each picture."""
    number = itertools.count()
    return source if kind == "code" else PICTURE.sub(lambda _: f"picture:{next(number)}", source)


def _with_pictures(html: str, pictures: Sequence[str]) -> str:
    """Return the page of a text with its pictures in it again, as many as there is room for."""
    room = MAX_PICTURE_CHARACTERS

    def show(match: re.Match[str]) -> str:
        nonlocal room
        place, alt = _picture_of(match)
        if not 0 <= place < len(pictures):
            return alt
        name = f": {alt}" if alt and not _NAME_OF_FILE.fullmatch(unescape(alt)) else ""
        alt = f"Picture {place + 1} of this answer{name}"
        if not pictures[place].startswith(SHOWN_PICTURES) or len(pictures[place]) > room:
            return f"[{alt}, left out]"
        room -= len(pictures[place])
        return f'<img src="{pictures[place]}" alt="{alt}">'

    return _IMAGE.sub(show, html)


def _picture_of(match: re.Match[str]) -> tuple[int, str]:
    """Return the number of a text's picture, -1 for any other, and its alternative text, escaped."""
    attributes = dict(re.findall(r'([a-z]+)="([^"]*)"', match[1]))
    number = re.fullmatch(r"picture:(\d{1,6})", attributes.get("src", ""))
    return int(number[1]) if number else -1, attributes.get("alt", "")


def html_of(text: tuple[str, str]) -> str:
    """Return a text, given with its kind, as HTML. Raises `ValueError` if it is longer than `MAX_HTML_CHARACTERS`."""
    kind, source = text
    is_code = kind == "code"
    html = highlight(source, PYTHON, HtmlFormatter(nowrap=True)) if is_code else _html(source, headings=True)
    if len(html) > MAX_HTML_CHARACTERS:
        raise ValueError(f"becomes {len(html):,} characters of HTML")
    return html


def truncate(text: str, limit: int) -> tuple[str, str]:
    """Return at most `limit` characters of a text, and a remark on the rest; empty where nothing was cut."""
    if len(text) <= limit:
        return text, ""
    return text[:limit], f"{len(text) - limit:,} more characters were cut"


def render_markdown(markdown: str, headings: bool = True) -> Markup:
    """Return Markdown as HTML: formulas become MathML, and what is neither text nor format is left out.

    Headings all become `h3`, so that they fit below an exercise's; without `headings` they are left out. Of pictures
    their alternative texts stay.
    """
    return Markup(_IMAGE.sub(lambda match: _picture_of(match)[1], _html(markdown, headings)))


def _html(markdown: str, headings: bool) -> str:
    """Return the same with pictures, each an `img` with an address of any kind."""
    tags = TAGS - HEADINGS | {"h3", "img"}
    attributes = {**ATTRIBUTES, "code": {"class"}, "img": {"src", "alt"}}
    try:
        html = MarkdownWithMath(renderer=_Renderer(headings)).render(markdown)
        clean = clean_html(html, tags, attributes, ALLOWED_PROTOCOLS | {"picture"})
    except Exception:  # a student may have written anything; both libraries can be brought to fail
        return f"<pre>{escape(markdown)}</pre>"
    return _FORMULA.sub(lambda match: render_formula(unescape(match[2]), match[1]), clean)


def render_formula(tex: str, display: str = "inline") -> str:
    """Return a TeX formula as MathML that neither links nor styles, and as TeX where it is not understood."""
    try:
        math = convert_to_element(tex, display=display)
        if all(part.tag in MATHML for part in math.iter()):
            for part in math.iter():
                part.text = unescape(part.text or "")
                part.attrib = {key: value for key, value in part.items() if key in MATHML_ATTRIBUTES}
            return ElementTree.tostring(math, encoding="unicode")
    except Exception:  # the converter raises many kinds of errors, and recurses
        pass
    return f"<code>{escape(tex)}</code>"


class _Renderer(IPythonRenderer):
    """Leaves formulas in `code` elements that the cleaning lets pass."""

    def __init__(self, headings: bool) -> None:
        super().__init__(escape=False)
        self.headings = headings

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        return f"<h3>{text}</h3>\n" if self.headings else ""

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return f'<img src="{escape(url)}" alt="{escape(text)}">'

    def inline_math(self, body: str) -> str:
        return f'<code class="inline">{escape(body)}</code>'

    def block_math(self, body: str) -> str:
        return f'<code class="block">{escape(body)}</code>'

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")

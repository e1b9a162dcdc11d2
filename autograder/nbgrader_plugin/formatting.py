"""Texts as pages show them: Markdown and code as HTML that only formats, whoever wrote them.

A student's are formatted in a limited process, or, where that takes too much, shown as written.
"""

from __future__ import annotations

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

from autograder.nbgrader_plugin.defusing import ATTRIBUTES, TAGS, clean_html
from autograder.nbgrader_plugin.limits import MAX_FORMATTING_SECONDS, MAX_HTML, MAX_SOURCE
from autograder.sandbox import limited

AS_WRITTEN = "shown as it was written: formatting it takes too much time or room"
PYTHON = PythonLexer(stripnl=False)

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


def formatted(texts: Sequence[Text]) -> list[Formatted]:
    """Each of these texts as HTML that only formats."""
    shown = [(text.kind, *cut(text.source, MAX_SOURCE)) for text in texts]
    made = limited.each(html_of, [(kind, start) for kind, start, _ in shown], MAX_FORMATTING_SECONDS)
    return [_formatted(*one, html) for one, html in zip(shown, made)]


def _formatted(kind: str, source: str, left_out: str, html: str | None) -> Formatted:
    if html is not None:
        return Formatted(Markup(html), (left_out,) if left_out else ())
    plain = escape(source) if kind == "code" else f"<pre>{escape(source)}</pre>"
    return Formatted(Markup(plain), (left_out, AS_WRITTEN) if left_out else (AS_WRITTEN,))


def html_of(text: tuple[str, str]) -> str:
    """A text, given with its kind, as HTML. Raises `ValueError` where that has more than `MAX_HTML` characters."""
    kind, source = text
    html = highlight(source, PYTHON, HtmlFormatter(nowrap=True)) if kind == "code" else prose(source)
    if len(html) > MAX_HTML:
        raise ValueError(f"becomes {len(html):,} characters of HTML")
    return html


def cut(text: str, limit: int) -> tuple[str, str]:
    """At most `limit` characters of a text, and a remark on the rest; empty where nothing was cut."""
    if len(text) <= limit:
        return text, ""
    return text[:limit], f"{len(text) - limit:,} more characters were cut"


def prose(markdown: str, headings: bool = True) -> Markup:
    """Markdown as HTML: formulas become MathML, and what is neither text nor format is left out.

    Headings all become `h3`, so that they fit below an exercise's; without `headings` they are left out.
    """
    tags = TAGS - HEADINGS | {"h3"}
    attributes = {**ATTRIBUTES, "code": {"class"}}
    try:
        html = MarkdownWithMath(renderer=_Renderer(headings)).render(markdown)
        clean = clean_html(html, tags, attributes)
    except Exception:  # a student may have written anything; both libraries can be brought to fail
        return Markup(f"<pre>{escape(markdown)}</pre>")
    return Markup(_FORMULA.sub(lambda found: formula(unescape(found[2]), found[1]), clean))


def formula(tex: str, display: str = "inline") -> str:
    """A TeX formula as MathML that neither links nor styles, and as TeX where it is not understood."""
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
        return text

    def inline_math(self, body: str) -> str:
        return f'<code class="inline">{escape(body)}</code>'

    def block_math(self, body: str) -> str:
        return f'<code class="block">{escape(body)}</code>'

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")

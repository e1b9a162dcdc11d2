"""A student's texts as pages show them: formatted in a limited process, or, where that takes too much, as written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from autograder.nbgrader_plugin.prose import prose
from autograder.sandbox import limited

MAX_SOURCE = 20_000
"""Characters of a cell that are shown."""

MAX_HTML = 50 * MAX_SOURCE
"""Characters that one of them may have become: a link's address may be written once, and used in a thousand places."""

FORMATTING = 2
"""Of processor time for some texts together, and for one of them alone where that was not enough."""

AS_WRITTEN = "shown as it was written: formatting it takes too much time or room"
PYTHON = PythonLexer(stripnl=False)


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
    made = limited.each(html_of, [(kind, start) for kind, start, _ in shown], FORMATTING)
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

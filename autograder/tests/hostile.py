"""Texts that would have a page run or fetch something, a picture that does not, and what holds of each page."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<IMG SRC=http://example.org/track.png>",
    "<svg/onload=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href="&#1;javascript:alert(1)">x</a>',
    r"[x](javascript\:alert(1))",
    "[x](JavaScript&colon;alert(1))",
    "[x](java&amp;#115;cript:alert(1))",
    "[x]\n\n[x]: vbscript:alert(1)",
    "<javascript:alert(1)>",
    "<details open ontoggle=alert(1)>",
    "</a <p onclick=alert(1)>",
    "</section></main></div></div>",
    "<p style='background:url(http://example.org)'>x",
    "<math><mtext></p><style><img src=x onerror=alert(1)></style>",
    "<a title='\n\n<img src=http://example.org/track.png>\n'>x</a>",
    "<!--><script>alert(1)</script>-->",
    "<?php ?><script>alert(1)</script>",
    "text <script",
    "<form action=http://example.org><input></form>",
    "<base href=http://example.org>",
    "<meta http-equiv=refresh content='0;url=http://example.org'>",
    "<video poster=http://example.org/track.png>",
    "<picture><source srcset=http://example.org/track.png></picture>",
    "<p/onclick=alert(1)>x",
    "<p\fonclick=alert(1)>x",
    """<a href=x'onclick='alert(1)'>x""",
    '<a title="x"onclick=alert(1)>x',
    '<a title=">" onclick=alert(1)>x',
    "# <p onclick=alert(1)>x",
    "```mermaid\n</pre><img src=x onerror=alert(1)>\n```",
    "!<!-- -->[x](http://example.org/track.png)",
]


DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

REACHES_OUT = ("script", "iframe", "object", "embed", "form", "link", "base", "svg", "video", "audio")
"""Tags that fetch something, run something, or lead away."""


def find_active(page: BeautifulSoup) -> list[str]:
    """Find the tags of a page that run something, fetch something, or lead away without a click."""
    return [str(tag)[:80] for tag in page.find_all(True) if _is_active(tag)]


def _is_active(tag: Tag) -> bool:
    runs = tag.name in REACHES_OUT or any(name.startswith("on") for name in tag.attrs)
    leads_away = re.match(r"(?i)\s*data:", str(tag.get("href", ""))) or any(
        re.match(r"(?i)\s*(javascript|vbscript):", str(value)) for value in tag.attrs.values()
    )
    fetches = tag.name == "img" and not (str(tag.get("src", "")).startswith("data:image/") and tag.get("alt"))
    return runs or fetches or bool(leads_away) or tag.get("http-equiv") == "refresh"


def assert_in_order(page: BeautifulSoup) -> None:
    """Headings are nested, and ids are different."""
    levels = [int(heading.name[1]) for heading in page.find_all(re.compile("^h[1-6]$"))]
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in zip(levels, levels[1:]))
    ids = [tag["id"] for tag in page.find_all(id=True)]
    assert len(ids) == len(set(ids))

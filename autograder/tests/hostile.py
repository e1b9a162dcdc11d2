"""Texts that would have a page run or fetch something, a picture that does not, and what holds of each page."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup

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


def assert_quiet(page: BeautifulSoup) -> None:
    """Nothing on a page runs, or fetches anything."""
    assert page.find_all(REACHES_OUT) == []
    for tag in page.find_all(True):
        assert not [name for name in tag.attrs if name.startswith("on")]
        assert not re.match(r"(?i)\s*(javascript|data|vbscript):", tag.get("href", ""))
    assert all(image["src"].startswith("data:image/") and image["alt"] for image in page.find_all("img"))


def assert_in_order(page: BeautifulSoup) -> None:
    """Headings are nested, and ids are different."""
    levels = [int(heading.name[1]) for heading in page.find_all(re.compile("^h[1-6]$"))]
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in zip(levels, levels[1:]))
    ids = [tag["id"] for tag in page.find_all(id=True)]
    assert len(ids) == len(set(ids))

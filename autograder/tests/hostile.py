"""Texts that would have a page run or fetch something, and a picture that does not."""

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

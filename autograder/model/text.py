"""Texts of students', cleaned for wherever they are shown: a log, a note, a table, a page."""

from __future__ import annotations

MOST = 300
"""Characters of a name, or of a line."""

FORMULA = ("=", "+", "-", "@")
"""Beginnings that a spreadsheet takes for a formula's."""


def cleaned(text: str, most: int = MOST, kept: str = "") -> str:
    """At most so many characters; what would not show as itself is escaped, but for those `kept`."""
    signs = (sign if sign.isprintable() or sign in kept else _escaped(sign) for sign in text[:most])
    return "".join(signs) + ("…" if len(text) > most else "")


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def in_table(text: str) -> str:
    """The same for a field of a table, which no spreadsheet is to compute."""
    return ("'" if text.startswith(FORMULA) else "") + cleaned(text)

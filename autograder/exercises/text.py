"""Texts from students, cleaned for wherever they are shown: a log, a note, a table, a page. Paths, shortened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.exercises.limits import MAX_LINE_CHARACTERS

FORMULA = ("=", "+", "-", "@")
"""Beginnings that a spreadsheet takes for a formula: https://owasp.org/www-community/attacks/CSV_Injection"""


_JOINERS = "\u200c\u200d"
"""Signs without a form of their own that words of Persian and of languages of India are written with."""


def clean_text(text: str, limit: int = MAX_LINE_CHARACTERS, allowed: str = "") -> str:
    """Return at most `limit` characters of a text; those that would not show are escaped, but for those `allowed`."""
    shown = text[:limit]
    if not shown.isprintable():
        shown = "".join(
            sign if sign.isprintable() or sign in allowed else sign.encode("unicode_escape").decode()
            for sign in shown
        )
    return shown + ("…" if len(text) > limit else "")


def clean_name(text: str) -> str:
    """Return a person's name, or another entry of a table, in one line."""
    return clean_text(" ".join(text.split()), allowed=_JOINERS)


def shorten_path(path: Path) -> str:
    """Return a path as one would type it: relative to the working folder, where it lies below that."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def list_first(names: Sequence[str], limit: int) -> str:
    """Return the first of these names, and how many more there are."""
    return ", ".join([*names[:limit], *([f"{len(names) - limit} more"] if len(names) > limit else [])])


def clean_table_field(text: str) -> str:
    """Return a text, cleaned, for a field of a table; an apostrophe stands before what a spreadsheet would compute."""
    return ("'" if text.startswith(FORMULA) else "") + clean_text(text, allowed=_JOINERS)

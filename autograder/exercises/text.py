"""Texts of students', cleaned for wherever they are shown: a log, a note, a table, a page. And paths, shortened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.exercises.limits import MAX_LINE_CHARACTERS

FORMULA = ("=", "+", "-", "@")
"""Beginnings that a spreadsheet takes for a formula's: https://owasp.org/www-community/attacks/CSV_Injection"""


_JOINERS = "\u200c\u200d"
"""Signs without a form of their own that words of Persian and of languages of India are written with."""


def clean_text(text: str, most: int = MAX_LINE_CHARACTERS, kept: str = "") -> str:
    """At most so many characters; what would not show as itself is escaped, but for those `kept`."""
    shown = text[:most]
    if not shown.isprintable():
        shown = "".join(sign if sign.isprintable() or sign in kept else _escaped(sign) for sign in shown)
    return shown + ("…" if len(text) > most else "")


def clean_name(text: str) -> str:
    """Return a person's name, or another entry of a table, in one line."""
    return clean_text(" ".join(text.split()), kept=_JOINERS)


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def shorten_path(path: Path) -> str:
    """A path as one would type it: from the folder one is in, where it lies below that."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def list_first(names: Sequence[str], most: int) -> str:
    """The first of these names, and how many more there are."""
    return ", ".join([*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])])


def clean_table_field(text: str) -> str:
    """Return a text, cleaned, for a field of a table; an apostrophe stands before what a spreadsheet would compute."""
    return ("'" if text.startswith(FORMULA) else "") + clean_text(text, kept=_JOINERS)

"""The course's terms: what its lessons set in bold, each with the sentence that says what it means.

A lesson sets a term in bold once, where it is first needed. So the list is read from the notebooks that lie beside the
start page, and nobody keeps it. Bold is for nothing else that is as short and is part of a sentence: stress is in
italics, and what is bold elsewhere ends with a full stop, a colon or a question mark, or stands in a table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from autograder.exercises import public_course

START_PAGE = "start_here.ipynb"

TERM = re.compile(r"\*\*([A-Za-z][\w’'–/ ()-]{2,})\*\*")
MOST_WORDS = 5
NOT_PROSE = re.compile(
    r"^```.*?^```|^\$\$.*?\$\$|^\s*[|>#].*?$|<details[^>]*>\s*<summary>.*?</summary>|</details>", re.M | re.S
)
BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )")
ENDS = re.compile(r"(?<=[.?!])\s+|(?<=[.?!]\))\s+|(?<=[.?!:]\*\*)\s+")
LOOKS_BACK = re.compile(r"(?:\*\*)?(?:This|It|Its|Their|They|These|Such|The two|All of this|The result|So|With it)\b")
"""How a sentence begins that is not understood without the one before."""

SHORT = 7
"""Words: with fewer a sentence says too little by itself."""


class Term(NamedTuple):
    """name: as it is written in the lesson; cell: the id of the cell in which it is explained."""

    name: str
    meaning: str
    lesson: str
    cell: str

    @property
    def link(self) -> str:
        """The address of that cell, seen from the start page."""
        return f"{self.lesson}/{self.lesson.split('_', 1)[1]}.ipynb#cell-id={self.cell}"


def terms_of(lesson: str, notebook: str) -> Iterator[Term]:
    """The terms of one lesson, in order, from the text of its notebook's file."""
    for cell in json.loads(notebook)["cells"]:
        if cell["cell_type"] == "markdown":
            text = NOT_PROSE.sub("\n\n", "".join(cell["source"]))
            for block in BLOCK.split(text):
                yield from (Term(*found, lesson, cell["id"]) for found in _in_block(block))


def _in_block(block: str) -> Iterator[tuple[str, str]]:
    """The terms of a paragraph or of a point of a list, each with its meaning."""
    sentences = ENDS.split(re.sub(r"^(?:[-*]|\d+\.) ", "", " ".join(block.split())))
    for place, sentence in enumerate(sentences):
        for name in TERM.findall(sentence):
            if len(name.split()) > MOST_WORDS:
                continue
            alone = len(sentence.split()) >= SHORT and not LOOKS_BACK.match(sentence)
            yield name, _plain(" ".join(sentences[place - 1 + (alone or not place) : place + 1]))


def _plain(text: str) -> str:
    """A sentence as it can stand elsewhere: nothing bold, no links, a full stop at its end."""
    text = re.sub(r"\[([^]]+)\](?:\([^)]*\)|\[[^]]*\])", r"\1", text.replace("**", ""))
    text = text.rstrip(" ;:,.") + ("" if text.endswith(("?", "!")) else ".")
    return text[:1].upper() + text[1:]


def all_terms(folder: Path, lessons: list[str]) -> list[Term]:
    """All terms from A to Z; what has no notebook in the folder, or one that cannot be read, has none."""
    found: list[Term] = []
    for lesson in lessons:
        path = folder / lesson / f"{lesson.split('_', 1)[1]}.ipynb"
        try:
            found += terms_of(lesson, path.read_text(encoding="utf-8"))
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            continue
    return sorted(found, key=lambda term: term.name.casefold())


def glossary() -> None:
    """Show the terms, folded, each with a link to its passage."""
    from IPython.display import Markdown, display

    folders = (Path.cwd(), *Path.cwd().parents)
    folder = next((one for one in folders if (one / START_PAGE).is_file()), Path.cwd())
    display(Markdown(text_of(all_terms(folder, public_course.find_course(__name__).lessons))))


def text_of(terms: list[Term]) -> str:
    """The list as Markdown."""
    rows = [
        f"- [**{term.name[0].upper()}{term.name[1:]}**]({term.link}) (lesson {int(term.lesson[:2])}): {term.meaning}"
        for term in terms
    ]
    return "\n".join([f"<details><summary>{len(rows)} terms, from A to Z</summary>", "", *rows, "", "</details>"])

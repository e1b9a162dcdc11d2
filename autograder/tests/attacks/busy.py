"""Attacks that keep the grader itself busy: with a text that it looks at, or with answers that it judges."""

from __future__ import annotations

import json

import nbformat

from autograder.tests.attacks import Attack, Hand

MAGICS = "x=1;" * 2500 + "\n" + "a = %b\n" * 499
"""IPython reads all of a cell again for each line that has a magic."""

TEXTS = {
    "brackets": (r"\[" * 200_000, "400 kB of unclosed formulas in a text"),
    "emphasis": ("*a_" * 100_000, "300 kB of emphasis that never ends in a text"),
    "links": ("![a](" * 60_000, "300 kB of unclosed pictures in a text"),
    "quotes": (">" * 100_000, "a quotation of a quotation, 100,000 deep"),
    "tables": ("|" * 50_000 + "\n" + "|-" * 50_000, "a table of 50,000 columns"),
    "tags": ("<b" * 150_000, "150,000 tags begun in a text"),
}
CODES = {
    "form_feeds": ("\f\n" * 100_000 + "pass", "200 kB of form feeds in a cell"),
    "functions": ("\n".join(f"def f{n}(): pass" for n in range(8000)), "8,000 functions in a cell"),
    "magics": (MAGICS, "a cell that IPython reads 499 times"),
    "one_line": ("x=1;" * 100_000, "a line of 100,000 statements"),
}


def deep(hand: Hand) -> None:
    """Metadata nested more deeply than a parser may follow."""
    data = json.loads(nbformat.writes(hand.notebook))
    data["metadata"]["deep"] = 0
    hand.raw = json.dumps(data).replace('"deep": 0', f'"deep": {"[" * 90_000}{"]" * 90_000}').encode()


ATTACKS = (
    *(
        Attack(f"busy_text_{name}", does, lambda hand, text=text: hand.write(text))
        for name, (text, does) in TEXTS.items()
    ),
    *(
        Attack(f"busy_code_{name}", does, lambda hand, text=text: hand.run_last(text))
        for name, (text, does) in CODES.items()
    ),
    Attack(
        "busy_deep",
        "metadata nested 90,000 deep",
        deep,
        right=False,
        told="not graded; ask for the file again",
    ),
)

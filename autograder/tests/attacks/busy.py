"""Attacks that keep the grader itself busy: with a text that it looks at, or with answers that it judges."""

from __future__ import annotations

from autograder.tests.attacks import Attack

MAGICS = "x=1;" * 2500 + "\n" + "a = %b\n" * 499
"""IPython reads all of a cell again for each line that has a magic."""

TEXTS = {
    "brackets": (r"\[" * 200_000, "400 kB of unclosed formulas in a text"),
    "links": ("![a](" * 60_000, "300 kB of unclosed pictures in a text"),
}
CODES = {
    "magics": (MAGICS, "a cell that IPython reads 499 times"),
    "percent": ("%a\n" * 18_000, "53 kB of lines that begin with %"),
    "one_line": ("x=1;" * 100_000, "a line of 100,000 statements"),
}


ATTACKS = (
    *(
        Attack(f"busy_text_{name}", does, lambda hand, text=text: hand.write(text))
        for name, (text, does) in TEXTS.items()
    ),
    *(
        Attack(f"busy_code_{name}", does, lambda hand, text=text: hand.run_last(text))
        for name, (text, does) in CODES.items()
    ),
)

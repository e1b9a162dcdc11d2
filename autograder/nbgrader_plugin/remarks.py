"""The instructor's notes that help the student too, said to the student."""

from __future__ import annotations

import re
from collections.abc import Sequence

AGAIN = "Ask your instructor whether you may hand it in again."
GOES_ON = "the rest was graded all the same"

REMARKS = (
    (r"(\S.*) is missing: (.+) was graded in its place", r"\2 was graded. It should be called \1."),
    (r"no notebook was handed in: .+ is missing", f"There was no notebook in what you handed in. {AGAIN}"),
    (r"(.+): graded as untouched; ask for the file.*", rf"\1, so nothing of it could be graded. {AGAIN}"),
    (r"cell (\S+) is missing; it was put back", r"Cell \1 was missing; it was put back."),
    (r"cells (.+) are missing; they were put back", r"Cells \1 were missing; they were put back."),
    (r"cell (\S+) is there twice; the last one counts", r"Cell \1 is there twice; the last one counted."),
    (r"cells (.+) are there twice; the last ones count", r"Cells \1 are there twice; the last ones counted."),
    (r"cell (number \d+|\S+): timed out", rf"Cell \1 took too long and was stopped; {GOES_ON}."),
    (r"cell (number \d+|\S+): kernel died", rf"Cell \1 ended the whole program; {GOES_ON}."),
    (r"the answer of test_(\S+): timed out", rf"\1 took too long to answer; {GOES_ON}."),
    (r"the answer of test_(\S+): kernel died", rf"\1 ended the whole program when it was called; {GOES_ON}."),
    (
        r"the notebook took more than (\d+) seconds; the rest was not run",
        r"The notebook took more than \1 seconds; what was left then was not run.",
    ),
)
"""A note's form, and what the student is told. Other notes are for the instructor alone."""


def for_student(notes: Sequence[str]) -> tuple[str, ...]:
    """What of the instructor's notes the student is told, each once."""
    told = (_remark(note) for note in notes)
    return tuple(dict.fromkeys(remark for remark in told if remark))


def _remark(note: str) -> str:
    for form, remark in REMARKS:
        found = re.fullmatch(form, note)
        if found:
            return found.expand(remark)
    return ""

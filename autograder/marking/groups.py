"""Answers that are alike, so that they are marked once: those with the same words, then those with nearly the same.

Only answers of one mark are put together, and none with other numbers. Code has to be the same, and so have texts with
pictures, and those of more than `LONGEST_COMPARED` characters, so that nobody chooses what comparing them costs. Nearly
the same is at least 90 % by rapidfuzz's `fuzz.ratio`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rapidfuzz import fuzz, process
from rapidfuzz.distance import LCSseq

from autograder.marking.answers import parted
from autograder.nbgrader_plugin.formatting import PICTURE
from autograder.nbgrader_plugin.marks import Marked

NEAR = 90
"""Percent."""

LONGEST_COMPARED = 2_000


def grouped(answers: Sequence[Marked], released: str) -> dict[str, str]:
    """By the id of an answer that of the first one that it is alike; only answers that are alike an earlier one.

    released: what stood in their cells when they were handed out, which is not compared.
    """
    by_mark: dict[Any, list[Marked]] = {}
    for one in answers:
        if one.text is not None and one.before is None:
            by_mark.setdefault((one.points, one.comment, one.items, one.waits, one.given), []).append(one)
    found: dict[str, str] = {}
    for those in by_mark.values():
        first: dict[str, Marked] = {}
        for one in those:
            leader = first.setdefault(_plain(one, released), one)
            if leader is not one:
                found[one.id] = leader.id
        near = _near([words for words in first if not _as_written(first[words], words)])
        leads = {first[words].id: first[leader].id for words, leader in near.items()}
        found = {id: leads.get(leader, leader) for id, leader in found.items()} | leads
    return found


def differing(text: str, leader: str) -> list[tuple[str, bool]]:
    """A text in pieces, and which of them are not in the leader's: by words, where it is short enough to compare."""
    if max(len(text), len(leader)) > LONGEST_COMPARED:
        return [(text, False)]
    words, others = re.split(r"(\s+)", text), re.split(r"(\s+)", leader)
    steps = LCSseq.opcodes(others, words)
    pieces = [("".join(words[one.dest_start : one.dest_end]), one.tag != "equal") for one in steps]
    return [piece for piece in pieces if piece[0]]


def _near(texts: Sequence[str]) -> dict[str, str]:
    """By text the earlier one that it is nearly the same as, and that is itself near to none before it."""
    if len(texts) < 2:
        return {}
    alike = process.cdist(texts, texts, scorer=fuzz.ratio, score_cutoff=NEAR, workers=1)
    numbers = [re.findall(r"\d+", text) for text in texts]
    found: dict[str, str] = {}
    for later, text in enumerate(texts):
        for earlier in range(later):
            if alike[earlier, later] and texts[earlier] not in found and numbers[earlier] == numbers[later]:
                found[text] = texts[earlier]
                break
    return found


def _plain(answer: Marked, released: str) -> str:
    text = parted(answer.text or "", released)[0]
    return text if _as_written(answer, text) else " ".join(text.casefold().split())


def _as_written(answer: Marked, text: str) -> bool:
    """Return whether a text is compared letter by letter: code, long texts, and pictures."""
    return answer.is_code or len(text) > LONGEST_COMPARED or bool(PICTURE.search(text))

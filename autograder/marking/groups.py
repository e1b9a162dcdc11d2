"""Answers that are alike, so that they are marked once: those with the same words, then those with nearly the same.

Only answers of one mark are put together, and none with other numbers; code has to be the same, and so have texts of
more than `LONGEST_COMPARED` characters, so that nobody chooses what comparing them costs. Nearly the same is at least
90 % by rapidfuzz's `fuzz.ratio`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from rapidfuzz import fuzz, process
from rapidfuzz.distance import LCSseq

from autograder.nbgrader_plugin.marks import Marked

NEAR = 90
"""Percent."""

LONGEST_COMPARED = 2_000


def grouped(answers: Sequence[Marked], apart: Collection[str]) -> dict[str, str]:
    """By the id of an answer that of the first one that it is alike; only answers that are alike an earlier one.

    apart: the ids of answers that were taken out.
    """
    by_mark: dict[Any, list[Marked]] = {}
    for one in answers:
        if one.text is not None and one.before is None and one.id not in apart:
            by_mark.setdefault((one.points, one.comment, one.items, one.waits, one.given), []).append(one)
    found: dict[str, str] = {}
    for those in by_mark.values():
        first: dict[str, Marked] = {}
        for one in those:
            leader = first.setdefault(_plain(one), one)
            if leader is not one:
                found[one.id] = leader.id
        near = _near([words for words in first if len(words) <= LONGEST_COMPARED and not those[0].is_code])
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


def _plain(answer: Marked) -> str:
    text = answer.text or ""
    as_written = answer.is_code or len(text) > LONGEST_COMPARED
    return text if as_written else " ".join(text.casefold().split())

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

from autograder.pages.formatting import PICTURE
from autograder.records.manual_grades import MarkedAnswer

NEAR = 90
"""Percent."""

LONGEST_COMPARED = 2_000


def find_leaders(answers: Sequence[MarkedAnswer], released: str) -> dict[str, str]:
    """Return the first answer that an answer is like, by ids, for each answer that is like an earlier one.

    released: what stood in their cells when they were handed out, which is not compared.
    """
    by_mark: dict[Any, list[MarkedAnswer]] = {}
    for answer in answers:
        if answer.text is not None and answer.before is None:
            mark = (answer.points, answer.comment, answer.items, answer.waits, answer.given)
            by_mark.setdefault(mark, []).append(answer)
    leaders: dict[str, str] = {}
    for same_mark in by_mark.values():
        first: dict[str, str] = {}
        words, compared = {}, []
        for answer in same_mark:
            text = split_paragraphs(answer.text or "", released)[0]
            as_written = answer.kind == "code" or len(text) > LONGEST_COMPARED or PICTURE.search(text)
            words[answer.id] = text = text if as_written else " ".join(text.casefold().split())
            if text not in first and not as_written:
                compared.append(text)
            first.setdefault(text, answer.id)
        leaders_by_text = _near(compared)
        for id, text in words.items():
            leader = first[leaders_by_text.get(text, text)]
            if leader != id:
                leaders[id] = leader
    return leaders


def find_differences(text: str, leader: str) -> list[tuple[str, bool]]:
    """Return a text in pieces, and which of them are not in the leader's: by words, where it is short enough."""
    if max(len(text), len(leader)) > LONGEST_COMPARED:
        return [(text, False)]
    words, leader_words = re.split(r"(\s+)", text), re.split(r"(\s+)", leader)
    steps = LCSseq.opcodes(leader_words, words)
    pieces = [("".join(words[step.dest_start : step.dest_end]), step.tag != "equal") for step in steps]
    return [piece for piece in pieces if piece[0]]


def _near(texts: Sequence[str]) -> dict[str, str]:
    """Return, by text, the earlier one that it is nearly the same as, and that is itself near to none before it."""
    if len(texts) < 2:
        return {}
    alike = process.cdist(texts, texts, scorer=fuzz.ratio, score_cutoff=NEAR, workers=1)
    numbers = [re.findall(r"\d+", text) for text in texts]
    leaders: dict[str, str] = {}
    for later, text in enumerate(texts):
        for earlier in range(later):
            if alike[earlier, later] and texts[earlier] not in leaders and numbers[earlier] == numbers[later]:
                leaders[text] = texts[earlier]
                break
    return leaders


def split_paragraphs(text: str, released: str) -> tuple[str, str]:
    """Return the student's own paragraphs of an answer, and those that stood in the cell when it was handed out."""
    released_paragraphs = {" ".join(paragraph.split()) for paragraph in _paragraphs(released)}
    students_own, handed_out = list[str](), list[str]()
    for paragraph in _paragraphs(text):
        (handed_out if " ".join(paragraph.split()) in released_paragraphs else students_own).append(paragraph)
    return ("\n\n".join(students_own), "\n\n".join(handed_out)) if handed_out else (text, "")


def _paragraphs(text: str) -> list[str]:
    return re.split(r"\n[ \t]*\n", text.strip())

"""Submissions whose code is nearly the same, for the eye: alike is no proof, and is never a score.

Code is compared by the fingerprints of copydetect, which pass over names, comments and layout: S. Schleimer et al.,
"Winnowing: local algorithms for document fingerprinting", SIGMOD 2003. They are taken in limited processes.
"""

from __future__ import annotations

import hashlib
import importlib
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import combinations
from statistics import median

import sqlalchemy as sa
from nbgrader.coursedir import CourseDirectory

from autograder.classroom import record_store
from autograder.sandbox import limited_process
from autograder.submissions.limits import MAX_CODE, MAX_COMPARING_SECONDS

TOKENS, WINDOW = 10, 4
"""So many tokens make a fingerprint; the smallest of so many neighbours is kept."""

LIBRARY = (importlib.import_module, "copydetect")
"""What a limited process does first: it takes half a second."""

SAME_FROM = 0.8
"""The share of fingerprints that two must have in common, of the one with fewer."""

RARE_FROM, RARE_SHARE = 6, 0.1
"""So many of them must be held by no more than this share of the class, or by these two alone."""


@dataclass(frozen=True)
class Alike:
    """Students whose code is alike. share: the least that two neighbours have in common, 0 to 1; rare: the fewest of
    their common fingerprints that are rare; usual: the share that two of the class have in common, the median."""

    students: tuple[str, ...]
    share: float
    rare: int
    usual: float


@dataclass(frozen=True)
class Comparison:
    """Who is alike; left_out: whose code was too long to be compared, or took too long."""

    groups: Sequence[Alike]
    left_out: Sequence[str]


FINGERPRINTS = sa.Table(
    "attention_course_fingerprints",
    record_store.TABLES,
    sa.Column("lesson", sa.String, primary_key=True),
    sa.Column("text", sa.String, primary_key=True),
    sa.Column("numbers", sa.JSON, nullable=False),
)
"""In the class's database: the fingerprints of each text of code, by its digest, so that they are taken once."""


def compare(texts: Mapping[str, str], directory: CourseDirectory, lesson: str) -> Comparison:
    """Find those whose code is nearly the same though few others wrote so. texts: each student's code."""
    within = {student: text for student, text in sorted(texts.items()) if len(text) <= MAX_CODE}
    prints = _read_fingerprints(within.values(), directory, lesson)
    compared = {student: found for student, text in within.items() if (found := prints[text]) is not None}
    return Comparison(_find_groups(compared), sorted(texts.keys() - compared.keys()))


def _read_fingerprints(
    texts: Iterable[str], directory: CourseDirectory, lesson: str
) -> dict[str, list[int] | None]:
    """Return each text's fingerprints; None where they take too long."""
    how = f"copydetect {version('copydetect')} {TOKENS} {WINDOW}"
    digests = {text: hashlib.sha256(f"{how}\0{text}".encode(errors="replace")).hexdigest() for text in texts}
    of_lesson = FINGERPRINTS.c.lesson == lesson
    with record_store.transaction(directory) as db:
        query = sa.select(FINGERPRINTS.c.text, FINGERPRINTS.c.numbers).where(of_lesson)
        stored = {digest: numbers for digest, numbers in db.execute(query)}
    if new := [text for text, digest in digests.items() if digest not in stored]:
        taken = limited_process.each(fingerprints, new, MAX_COMPARING_SECONDS, LIBRARY)
        stored |= {digests[text]: numbers for text, numbers in zip(new, taken)}
        rows = [
            {"lesson": lesson, "text": digest, "numbers": stored[digest]} for digest in {*digests.values()}
        ]
        with record_store.transaction(directory) as db:
            db.execute(sa.delete(FINGERPRINTS).where(of_lesson))
            db.execute(sa.insert(FINGERPRINTS), rows)
    return {text: stored[digest] for text, digest in digests.items()}


def fingerprints(text: str) -> list[int]:
    """Return what stands for a text of code when it is compared; the same in all processes with one seed of hashes."""
    from copydetect import CodeFingerprint

    code = CodeFingerprint("answers.py", TOKENS, WINDOW, fp=io.StringIO(text))
    return sorted({int(number) for number in code.hashes})


def _find_groups(prints: Mapping[str, Sequence[int]]) -> list[Alike]:
    """Return the groups of students in which a chain of alike pairs leads from each to each."""
    holders = Counter(number for numbers in prints.values() for number in numbers)
    bits = {number: 1 << place for place, number in enumerate(holders)}
    held = {student: sum(map(bits.__getitem__, numbers)) for student, numbers in prints.items()}
    few = max(2, RARE_SHARE * len(prints))
    rare_bits = sum(bits[number] for number, count in holders.items() if count <= few)
    shares, groups = list[float](), dict[str, set[str]]()
    pairs = dict[tuple[str, str], tuple[float, int]]()
    for first, second in combinations(held, 2):
        common = held[first] & held[second]
        rare = (common & rare_bits).bit_count()
        shares.append(common.bit_count() / max(1, min(len(prints[first]), len(prints[second]))))
        if shares[-1] >= SAME_FROM and rare >= RARE_FROM:
            pairs[first, second] = shares[-1], rare
            joined = groups.get(first, {first}) | groups.get(second, {second})
            groups |= dict.fromkeys(joined, joined)
    alike = []
    for students in sorted({tuple(sorted(group)) for group in groups.values()}):
        linked = [values for (first, _), values in pairs.items() if first in students]
        share, rare = map(min, zip(*linked))
        alike.append(Alike(students, share, rare, median(shares)))
    return alike

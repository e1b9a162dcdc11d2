"""Submissions whose code is nearly the same, for the eye: alike is no proof, and is never a score.

Code is compared by the fingerprints of copydetect, which pass over names, comments and layout: S. Schleimer et al.,
"Winnowing: local algorithms for document fingerprinting", SIGMOD 2003. They are taken in limited processes.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from statistics import median

import msgspec

from autograder.classroom.atomic_files import remembered, write_whole
from autograder.exercises.limits import MAX_COMPARED_CHARACTERS, MAX_COMPARING_SECONDS
from autograder.sandbox import limited_process

TOKENS, WINDOW = 10, 4
"""Tokens of a fingerprint; neighbours of which the smallest fingerprint is kept."""

PREPARATION = (importlib.import_module, "copydetect")
"""A worker's preparation: the import takes half a second."""

SAME_FROM = 0.8
"""Share of the fingerprints of the shorter code that two students must have in common."""

RARE_FROM, RARE_SHARE = 6, 0.1
"""Common fingerprints that must be rare: held by at most this share of the class, or by these two alone."""


@dataclass(frozen=True)
class SimilarGroup:
    """Students whose code is nearly the same.

    Attributes:
        students: Their ids.
        share: The smallest share of fingerprints that a linked pair has in common, 0 to 1.
        rare: The smallest number of rare fingerprints that a linked pair has in common.
        usual: The median share over all pairs of the class.
    """

    students: tuple[str, ...]
    share: float
    rare: int
    usual: float


@dataclass(frozen=True)
class Comparison:
    """Groups of similar students, and those whose code was too long to be compared, or took too long."""

    groups: Sequence[SimilarGroup]
    left_out: Sequence[str]


def compare_code(texts: Mapping[str, str], memory: Path) -> Comparison:
    """Find students whose code is nearly the same, and unlike that of most others.

    Args:
        texts: Each student's code.
        memory: The file in which fingerprints are stored, so that they are computed once for each text.
    """
    within = {
        student: text for student, text in sorted(texts.items()) if len(text) <= MAX_COMPARED_CHARACTERS
    }
    prints = _read_fingerprints(within.values(), memory)
    compared = {
        student: fingerprints_found
        for student, text in within.items()
        if (fingerprints_found := prints[text]) is not None
    }
    return Comparison(_find_groups(compared), sorted(texts.keys() - compared.keys()))


def _read_fingerprints(texts: Iterable[str], memory: Path) -> dict[str, list[int] | None]:
    """Return each text's fingerprints; None where they take too long."""
    how = f"copydetect {version('copydetect')} {TOKENS} {WINDOW}"
    digests = {text: hashlib.sha256(f"{how}\0{text}".encode(errors="replace")).hexdigest() for text in texts}
    known_fingerprints = remembered(memory, dict[str, list[int] | None])
    if new := [text for text, digest in digests.items() if digest not in known_fingerprints]:
        computed = limited_process.call_each(fingerprints, new, MAX_COMPARING_SECONDS, PREPARATION)
        known_fingerprints |= {digests[text]: numbers for text, numbers in zip(new, computed)}
        with contextlib.suppress(OSError):  # they are computed again the next time
            used = {digest: known_fingerprints[digest] for digest in digests.values()}
            write_whole(memory, msgspec.json.encode(used), 0o600)
    return {text: known_fingerprints[digest] for text, digest in digests.items()}


def fingerprints(text: str) -> list[int]:
    """Return the fingerprints of code; they are the same in all processes with the same PYTHONHASHSEED."""
    from copydetect import CodeFingerprint

    code = CodeFingerprint("answers.py", TOKENS, WINDOW, fp=io.StringIO(text))
    return sorted({int(number) for number in code.hashes})


def _find_groups(prints: Mapping[str, Sequence[int]]) -> list[SimilarGroup]:
    """Return the groups of students that chains of similar pairs link."""
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
    similar = []
    for students in sorted({tuple(sorted(group)) for group in groups.values()}):
        linked = [values for (first, _), values in pairs.items() if first in students]
        share, rare = map(min, zip(*linked))
        similar.append(SimilarGroup(students, share, rare, median(shares)))
    return similar

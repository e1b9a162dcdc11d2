"""Submissions whose code is nearly the same, for the eye: alike is no proof, and is never a score.

Code is compared by the fingerprints of copydetect, which pass over names, comments and layout: S. Schleimer et al.,
"Winnowing: local algorithms for document fingerprinting", SIGMOD 2003. They are taken in limited processes.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from autograder.exercises.limits import MAX_COMPARED_CHARACTERS, MAX_COMPARING_SECONDS
from autograder.sandbox import limited_process

TOKENS, WINDOW = 10, 4
"""Tokens of a fingerprint; neighbours of which the smallest fingerprint is kept."""

VERSIONS = f"{platform.python_version()} {version('copydetect')} {TOKENS} {WINDOW}"

PREPARATION = (importlib.import_module, "copydetect")
"""A worker's preparation: the import takes half a second."""

SAME_FROM = 0.8
"""Share of the fingerprints of the shorter code that two students must have in common."""

RARE_FROM, RARE_SHARE = 6, 0.1
"""Common fingerprints that must be rare: held by at most this share of the class, or by these two alone."""

BLOCK = 256
"""Students who are compared with all others at a time."""


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


def compare(texts: Mapping[str, str], stored: dict[str, list[int]]) -> Comparison:
    """Find those whose code is nearly the same though few others wrote so.

    Args:
        texts: Each student's code.
        stored: Fingerprints by `digest_code`. Those of new code come in, and those of code that nobody has now go.
    """
    codes = {digest_code(text): text for text in texts.values() if len(text) <= MAX_COMPARED_CHARACTERS}
    new = sorted(codes.keys() - stored.keys())
    results = limited_process.call_each(
        fingerprints, [codes[digest] for digest in new], MAX_COMPARING_SECONDS, PREPARATION
    )
    stored |= {digest: numbers for digest, numbers in zip(new, results) if numbers is not None}
    for digest in stored.keys() - codes.keys():
        del stored[digest]
    digests = {student: digest_code(text) for student, text in sorted(texts.items())}
    prints = {student: stored[digest] for student, digest in digests.items() if digest in stored}
    return Comparison(_find_groups(prints), sorted(texts.keys() - prints.keys()))


def digest_code(text: str) -> str:
    """Return the digest of code and of all that its fingerprints depend on."""
    return hashlib.sha256(f"{VERSIONS} {text}".encode(errors="surrogatepass")).hexdigest()[:32]


def fingerprints(text: str) -> list[int]:
    """Return the fingerprints of code; they are the same in all processes with the same PYTHONHASHSEED."""
    from copydetect import CodeFingerprint

    code = CodeFingerprint("answers.py", TOKENS, WINDOW, fp=io.StringIO(text))
    return sorted({int(number) for number in code.hashes})


def _find_groups(prints: Mapping[str, Sequence[int]]) -> list[SimilarGroup]:
    """Return the groups of students that chains of similar pairs link."""
    holders = Counter(number for numbers in prints.values() for number in numbers)
    columns = {number: place for place, number in enumerate(holders)}
    held = np.zeros((len(prints), len(columns)), np.float32)
    for row, numbers in zip(held, prints.values()):
        row[[columns[number] for number in numbers]] = 1
    few = max(2, RARE_SHARE * len(prints))
    rare = held[:, [count <= few for count in holders.values()]]
    sizes, students = np.maximum(1, held.sum(axis=1)), [*prints]
    shares, groups = list[np.ndarray](), dict[str, set[str]]()
    pairs = dict[tuple[str, str], tuple[float, int]]()
    for start in range(0, len(prints), BLOCK):
        block = slice(start, start + BLOCK)
        share = held[block] @ held[start:].T / np.minimum.outer(sizes[block], sizes[start:])
        common = rare[block] @ rare[start:].T
        later = np.triu(np.ones_like(share, bool), 1)
        shares.append(share[later])
        for i, j in np.argwhere(later & (share >= SAME_FROM) & (common >= RARE_FROM)):
            first, second = students[start + i], students[start + j]
            pairs[first, second] = float(share[i, j]), int(common[i, j])
            joined = groups.get(first, {first}) | groups.get(second, {second})
            groups |= dict.fromkeys(joined, joined)
    usual = float(np.median(np.concatenate(shares))) if pairs else 0.0
    similar = []
    for names in sorted({tuple(sorted(group)) for group in groups.values()}):
        linked = [values for (first, _), values in pairs.items() if first in names]
        smallest, fewest = map(min, zip(*linked))
        similar.append(SimilarGroup(names, smallest, fewest, usual))
    return similar

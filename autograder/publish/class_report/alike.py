"""Submissions whose code is nearly the same, for the eye: alike is no proof, and is never a score.

Code is compared by the fingerprints of copydetect, which pass over names, comments and layout: S. Schleimer et al.,
"Winnowing: local algorithms for document fingerprinting", SIGMOD 2003. They are taken in limited processes.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import compress
from pathlib import Path

import msgspec
import numpy as np

from autograder.nbgrader_plugin.limits import MAX_CODE, MAX_COMPARING_SECONDS
from autograder.nbgrader_plugin.whole import remembered, write_whole
from autograder.sandbox import limited

TOKENS, WINDOW = 10, 4
"""So many tokens make a fingerprint; the smallest of so many neighbours is kept."""

LIBRARY = (importlib.import_module, "copydetect")
"""What a limited process does first: it takes half a second."""

SAME_FROM = 0.8
"""The share of fingerprints that two must have in common, of the one with fewer."""

RARE_FROM, RARE_SHARE = 6, 0.1
"""So many of them must be held by no more than this share of the class, or by these two alone."""

_AT_A_TIME = 1000
"""So many of what they hold are counted at a time: 80 MB in a class of 10,000."""


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


def compared(texts: Mapping[str, str], memory: Path) -> Comparison:
    """Find those whose code is nearly the same though few others wrote so.

    texts: each student's code; memory: the file in which fingerprints are kept, so that each text's are taken once.
    """
    within = {student: text for student, text in sorted(texts.items()) if len(text) <= MAX_CODE}
    prints = _fingerprints_of(within.values(), memory)
    held = {student: set(found) for student, text in within.items() if (found := prints[text]) is not None}
    return Comparison(_groups(held), sorted(texts.keys() - held.keys()))


def _fingerprints_of(texts: Iterable[str], memory: Path) -> dict[str, list[int] | None]:
    """Each text's fingerprints; None where they take too long."""
    how = f"copydetect {version('copydetect')} {TOKENS} {WINDOW}"
    digests = {text: hashlib.sha256(f"{how}\0{text}".encode(errors="replace")).hexdigest() for text in texts}
    known = remembered(memory, dict[str, list[int] | None])
    new = [text for text, digest in digests.items() if digest not in known]
    if new:
        known |= zip(
            map(digests.__getitem__, new), limited.each(fingerprints, new, MAX_COMPARING_SECONDS, LIBRARY)
        )
        with contextlib.suppress(OSError):  # they are taken again then
            write_whole(memory, msgspec.json.encode({one: known[one] for one in digests.values()}), 0o600)
    return {text: known[digest] for text, digest in digests.items()}


def fingerprints(text: str) -> list[int]:
    """What stands for a text of code when it is compared; the same in all processes with the same seed of hashes."""
    from copydetect import CodeFingerprint

    found = CodeFingerprint("answers.py", TOKENS, WINDOW, fp=io.StringIO(text))
    return sorted({int(one) for one in found.hashes})


def _groups(prints: Mapping[str, set[int]]) -> list[Alike]:
    students, common, rare = list(prints), *_shared(list(prints.values()))
    sizes, alone = common.diagonal(), np.eye(len(students), dtype=bool)
    shares = common / np.maximum(1, np.minimum.outer(sizes, sizes))
    near = (shares >= SAME_FROM) & (rare >= RARE_FROM) & ~alone
    pairs = np.triu_indices(len(students), k=1)
    usual = float(np.median(shares[pairs])) if len(pairs[0]) else 0.0
    labels = _connected(near | alone)
    found = []
    for label in np.flatnonzero(np.bincount(labels) > 1):
        member = labels == label
        linked = near & member[:, None]
        names = tuple(compress(students, member))
        found.append(Alike(names, float(shares[linked].min()), int(rare[linked].min()), usual))
    return found


def _shared(held: Sequence[set[int]]) -> tuple[np.ndarray, np.ndarray]:
    """How many fingerprints each two of a class hold in common, and how many of these are rare: two arrays (n, n)."""
    holders = defaultdict[int, list[int]](list)
    for student, found in enumerate(held):
        for one in found:
            holders[one].append(student)
    groups = [*Counter(map(tuple, holders.values())).items()]
    common, rare = np.zeros((2, len(held), len(held)))
    for start in range(0, len(groups), _AT_A_TIME):
        some = groups[start : start + _AT_A_TIME]
        hold, times = np.zeros((len(some), len(held))), np.array([times for _, times in some])
        for row, (who, _) in zip(hold, some):
            row[[*who]] = 1
        few = hold.sum(axis=1) <= max(2, RARE_SHARE * len(held))
        common += hold.T * times @ hold
        rare += hold.T * (times * few) @ hold
    return common, rare


def _connected(linked: np.ndarray) -> np.ndarray:
    """For each the first that a chain of links leads to. linked: (n, n) of bool, each with itself, too."""
    labels = np.arange(len(linked))
    while True:
        nearer = np.where(linked, labels, len(labels)).min(axis=1, initial=len(labels))
        if (nearer == labels).all():
            return labels
        labels = nearer

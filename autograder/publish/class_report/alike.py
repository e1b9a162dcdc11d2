"""Submissions whose code is nearly the same, for the eye: alike is no proof, and is never a score.

Code is compared by the fingerprints of copydetect, which pass over names, comments and layout: S. Schleimer et al.,
"Winnowing: local algorithms for document fingerprinting", SIGMOD 2003.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

TOKENS, WINDOW = 10, 4
"""So many tokens make a fingerprint; the smallest of so many neighbours is kept."""

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


def groups(texts: Mapping[str, str]) -> list[Alike]:
    """Those whose code is nearly the same though few others wrote so; texts: each student's code."""
    students = sorted(texts)
    held = [_fingerprints(texts[student]) for student in students]
    known = {one: number for number, one in enumerate(sorted(set().union(*held)))}
    if not known:
        return []
    places = [(row, known[one]) for row, found in enumerate(held) for one in found]
    table = csr_array((np.ones(len(places)), tuple(zip(*places))), shape=(len(students), len(known)))
    holders = np.asarray(table.sum(axis=0)).ravel()
    few = holders <= max(2, RARE_SHARE * len(students))
    sizes = np.asarray(table.sum(axis=1)).ravel()
    smaller = np.maximum(1, np.minimum.outer(sizes, sizes))
    shares = (table @ table.T).toarray() / smaller
    rare = (table[:, few] @ table[:, few].T).toarray()
    near = (shares >= SAME_FROM) & (rare >= RARE_FROM) & ~np.eye(len(students), dtype=bool)
    pairs = np.triu_indices(len(students), k=1)
    usual = float(np.median(shares[pairs])) if len(pairs[0]) else 0.0
    _, labels = connected_components(csr_array(near), directed=False)
    found = []
    for label in np.flatnonzero(np.bincount(labels) > 1):
        member = labels == label
        linked = near & member[:, None]
        names = tuple(compress(students, member))
        found.append(Alike(names, float(shares[linked].min()), int(rare[linked].min()), usual))
    return found


def _fingerprints(text: str) -> set[int]:
    from copydetect import CodeFingerprint  # takes seconds

    found = CodeFingerprint("answers.py", TOKENS, WINDOW, fp=io.StringIO(text))
    return {int(one) for one in found.hashes}

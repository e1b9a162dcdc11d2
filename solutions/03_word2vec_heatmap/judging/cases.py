"""What several exercises of this lesson are made from."""

from functools import partial

import numpy as np

from attention.kinds import WordVectors

from ...judging import cases

QUERIES = "the cat sat on the mat"
KEYS = "dogs are playing in the park"


def lesson_vectors() -> WordVectors:
    """The bundled vectors of the two sentences' words, to two decimals."""
    from attention.vectors import load_vectors

    words = tuple(dict.fromkeys(f"{QUERIES} {KEYS}".split()))
    return WordVectors(words, np.round(load_vectors()[list(words)].astype(float), 2))


def drawn_vectors(rng: np.random.Generator, words: str, d: int, norm: float) -> WordVectors:
    """Random vectors of about the given norm, to four figures."""
    names = tuple(words.split())
    rows = rng.normal(size=(len(names), d)) * norm / np.sqrt(d)
    return WordVectors(names, np.array([[float(f"{x:.4g}") for x in row] for row in rows]))


def ordinary_norm(vectors: WordVectors) -> float:
    return float(np.median(np.linalg.norm(vectors.matrix, axis=1)))


prediction = partial(cases.prediction, unordered=("nan_rows",))

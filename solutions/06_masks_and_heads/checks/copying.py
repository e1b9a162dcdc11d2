"""Rules about chosen matrices with which every word fetches the word before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.exercises import values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem
from attention.helpers import softmax
from attention.numbers import real

ENOUGH = 0.99
Attended = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Of a sentence: its words (n, d), everyone's weights (n, n), and what came of them (n, d)."""


def three_matrices(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """W_q, W_k and W_v fit the rows, queries and keys are equally wide, and a word is handed over."""
    try:
        _matrices(case, seen.value)
    except NotReached as reason:
        return reason.problem
    return None


def looks_back(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Whatever the words are, each but the first has its largest weight on the one before it.

    In single precision, as in the notebook.
    """
    if _overflows(case, seen.value):
        what = "the scores are too large for single precision: they become infinite, and the weights NaN"
        return Problem(what, misconception="scores so large that they overflow")
    for best in who_looks_back(case, seen.value):
        wrong = np.flatnonzero(best != before(len(best)))
        if wrong.size:
            where = "looks at several alike" if best[wrong[0]] < 0 else f"looks most at word {best[wrong[0]]}"
            name = _named(case, seen.value)
            return Problem(f"of {len(best)} words, word {wrong[0]} {where}", misconception=name)
    return None


def looks_hard(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """That weight is 0.99 or more; not reached where it lies on another word."""
    if looks_back(case, seen, expected):
        raise NotReached("some words do not look at the one before")
    for _, weights, _ in _sentences(case, seen.value):
        largest = weights.max(axis=1)
        if (largest < ENOUGH).any():
            what = f"of {len(largest)} words, word {largest.argmin()} has a weight of only {largest.min():.2f} there"
            return Problem(what, misconception="scores too close together")
    return None


def hands_over_words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """What is mixed are the words as they stand in X; not reached where there are no weights to mix them by."""
    if _overflows(case, seen.value):
        raise NotReached("the weights are no numbers")
    for words, weights, output in _sentences(case, seen.value):
        wanted = weights @ words
        if not np.allclose(output, wanted, atol=1e-2 * np.abs(words).max()):
            shown = values.format_difference(output, wanted)
            name = "places handed over with the words" if _hands_over_places(case, seen.value) else ""
            return Problem("an output is not the words, mixed by their weights", *shown, misconception=name)
    return None


def who_looks_back(case: Case, value: Any) -> np.ndarray:
    """At whom each word looks most, whichever of the right matrices were chosen."""
    return np.array([_most_looked_at(weights) for _, weights, _ in _sentences(case, value)])


def same_looks(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Everyone looks where those do who were expected."""
    found = values.describe_difference(
        who_looks_back(case, seen.value), who_looks_back(case, expected.value), case.tolerance
    )
    return Problem(*found) if found else None


def before(n: int) -> np.ndarray:
    """For each of n words the one before it; for the first one itself."""
    return np.maximum(np.arange(n) - 1, 0)


def _overflows(case: Case, value: Any) -> bool:
    """Whether scores are too large for single precision, so that weights are no numbers."""
    return not all(np.isfinite(weights).all() for _, weights, _ in _sentences(case, value))


def _named(case: Case, value: Any) -> str:
    """The mistake of those who look as these matrices have them look, where it is known."""
    looks = who_looks_back(case, value)
    _, n = case.args
    if n > 1 and (looks == np.arange(n)).all():
        return "every word looks at itself"
    unmasked = np.array([_most_looked_at(weights) for _, weights, _ in _sentences(case, value, masked=False)])
    if n > 1 and (unmasked[:, :-1] == np.arange(1, n)).all():
        return "shifted the wrong way"
    return "words asked as well as places" if (looks != looks[0]).any() else ""


def _hands_over_places(case: Case, value: Any) -> bool:
    """Whether W_v hands over the words as they are, and something of their places."""
    d, _ = case.args
    W_v = _matrices(case, value)[2]
    return bool(np.allclose(W_v[:d], np.eye(d)) and W_v[d:].any())


def _most_looked_at(weights: np.ndarray) -> np.ndarray:
    """For each word the one with its largest weight; -1 where two share it."""
    shared = (weights > weights.max(axis=1, keepdims=True) - 1e-6).sum(axis=1) > 1
    return np.where(shared, -1, weights.argmax(axis=1))


def _sentences(case: Case, value: Any, masked: bool = True) -> Iterator[Attended]:
    """What these matrices make of three sentences, with the causal mask or without.

    Raises `NotReached` where they fit none.
    """
    W_q, W_k, W_v = _matrices(case, value)
    d, n = case.args
    rng = np.random.default_rng(100 * d + n)
    for loudness in (0.5, 1, 3):
        words = (loudness * rng.normal(size=(n, d))).astype(np.float32)
        rows = np.hstack([words, np.eye(n, dtype=np.float32)])
        with np.errstate(all="ignore"):  # what overflows is told by the weights
            scores = (rows @ W_q) @ (rows @ W_k).T / np.float32(np.sqrt(W_k.shape[1]))
            weights = softmax(np.where(np.tri(n, dtype=bool), scores, -np.inf) if masked else scores)
        yield words, weights, weights @ (rows @ W_v)


def _matrices(case: Case, value: Any) -> list[np.ndarray]:
    d, n = case.args
    if not isinstance(value, (tuple, list)) or len(value) != 3:
        raise NotReached("expected three matrices, W_q, W_k and W_v", values.describe_kind(value))
    found = [real(one) for one in value]
    for name, one in zip(("W_q", "W_k", "W_v"), found):
        if one is None or one.ndim != 2 or len(one) != d + n or not np.isfinite(one).all():
            raise NotReached(
                f"{name} needs a row for each column of X, {d} + {n}, of finite numbers", _shape(one)
            )
    W_q, W_k, W_v = (np.asarray(one, dtype=np.float32) for one in found)
    if W_q.shape != W_k.shape or not W_q.shape[1]:
        raise NotReached("W_q and W_k need the same width", f"{W_q.shape} and {W_k.shape}")
    if W_v.shape[1] != d:
        raise NotReached("W_v hands over a word", _shape(W_v), f"({d + n}, {d})")
    return [W_q, W_k, W_v]


def _shape(one: np.ndarray | None) -> str:
    return "no numbers" if one is None else str(one.shape)

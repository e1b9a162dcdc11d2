"""Rules about words that are drawn at random: how often each came, against how often it should.

Limits are Chernoff's: of n draws, each a hit with probability r, a share of a or more (or of a or less, on the other
side) has a probability of exp(−n·KL(a‖r)) at most. `LIMIT` leaves a right answer one chance in 10⁹ to be refused in
one grading, whatever random numbers it uses, as long as no more than `LOOKS` counts are looked at.
"""

import math
from typing import Any

import numpy as np

from autograder.exercises import values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem

LOOKS = 2000
LIMIT = math.log(2 * LOOKS * 1e9)


def unlikely(count: np.ndarray, n: np.ndarray, share: np.ndarray) -> np.ndarray:
    """n·KL(count/n ‖ share): where it is above `LIMIT`, such a count is not believed. Nothing is where n is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        hits = np.where(count > 0, count * np.log(count / (n * share)), 0.0)
        misses = np.where(count < n, (n - count) * np.log((n - count) / (n * (1 - share))), 0.0)
    return np.where(n > 0, hits + misses, 0.0)


def one_word(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A word of the vocabulary came back each time."""
    if _is_table(seen, expected):
        return None
    got = values.describe_kind(seen.value, show=True)
    return Problem("what came back is no word of the vocabulary", got, f"an int from 0 to {len(expected.value) - 1}")


def kept_as_often(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each guess comes back with probability min(1, p/q): kept, or drawn again."""
    counts, right = _counts(seen, expected), law(*_model_and_draft(case))
    asked = counts.sum(axis=1)
    return _told(case, counts, np.diag(counts), asked, np.diag(right), "guess {} came back, kept or redrawn")


def redrawn(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Where a guess was not kept, words come as (p − q)⁺ says; not reached where none was replaced.

    A guess that is drawn again looks kept. So whoever refuses a guess of which p is larger gives the other words alone
    in its place, and each guess has a share of its own for them.
    """
    counts, (p, q) = _counts(seen, expected), _model_and_draft(case)
    others = counts * (1 - np.eye(len(p), dtype=int))
    if not others.sum():
        raise NotReached("no guess was replaced by another word")
    share = others.sum(axis=1) @ _without_the_guess(_missing(p, q)) / others.sum()
    return _told(case, counts, others.sum(axis=0), others.sum(), share, "word {} drawn in place of a guess")


def as_the_model(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Where guesses come as q says, the words come as p says."""
    counts, (p, _) = _counts(seen, expected), _model_and_draft(case)
    return _told(case, counts, counts.sum(axis=0), counts.sum(), p, "word {}")


def _told(case: Case, counts: np.ndarray, count: np.ndarray, n: Any, share: np.ndarray, what: str) -> Problem | None:
    n = np.broadcast_to(n, count.shape)
    found = unlikely(count, n, share)
    if not (found > LIMIT).any():
        return None
    worst = int(found.argmax())
    own, wanted = count[worst] / n[worst], share[worst]
    shares = values.format_difference(np.round(own, 3), np.round(wanted, 3))
    text = f"{what.format(worst)}: its share of {n[worst]:,} draws"
    return Problem(text, *shares, misconception=_mistake(case, counts))


def law(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Of each guess, a row: how likely each word is to come back."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return _replaced(np.where(q > 0, np.minimum(1, p / q), 1.0), _missing(p, q))


def _missing(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """(p − q)⁺, normalised; where both are the same, p."""
    more = np.maximum(p - q, 0)
    return more / more.sum() if more.any() else p


def _replaced(kept: np.ndarray, instead: np.ndarray) -> np.ndarray:
    return np.diag(kept) + (1 - kept)[:, None] * instead


def _without_the_guess(shares: np.ndarray) -> np.ndarray:
    """In each row the shares of all words but the guess, normalised; zeros where no other word has one."""
    others = shares * (1 - np.eye(len(shares)))
    return others / others.sum(axis=1, keepdims=True).clip(1e-12)


def mistakes(p: np.ndarray, q: np.ndarray) -> dict[str, list[np.ndarray]]:
    """By the name of a mistake, the laws that it may follow, each in the form of `law`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(q > 0, np.minimum(1, p / q), 1.0)
        other = np.where(p > 0, np.minimum(1, q / p), 1.0)
    gap, missing, size = np.abs(p - q), _missing(p, q), len(p)
    even = np.full(size, 1 / size)
    soft = [one / one.sum() for one in (np.exp(p - q), np.exp(np.maximum(p - q, 0)))]
    missed, likely = np.eye(size)[[(p - q).argmax(), p.argmax()]]
    return {
        "redrawn from p instead of p − q": [_replaced(ratio, p)],
        "redrawn from p without the guess": [_replaced(ratio, _without_the_guess(p))],
        "kept where it should be redrawn": [_replaced(1 - ratio, missing), _replaced(1 - ratio, p)],
        "redrawn from q": [_replaced(ratio, q)],
        "redrawn evenly": [_replaced(ratio, even)],
        "softmax of the differences": [_replaced(ratio, one) for one in soft],
        "redrawn from all differences": [_replaced(ratio, gap / (gap.sum() or 1))],
        "the likeliest word taken, none drawn": [_replaced(ratio, missed), _replaced(ratio, likely)],
        "p and q exchanged": [
            _replaced(other, missing), _replaced(other, _missing(q, p)), _replaced(ratio, _missing(q, p)),
            _replaced(other, p),
        ],
        "every guess kept": [np.eye(size)],
        "no guess kept": [_replaced(np.zeros(size), p), _replaced(np.zeros(size), missing)],
        "kept with probability p, not p / q": [_replaced(p, missing)],
        "kept only where p is larger": [_replaced((p >= q) * 1.0, missing)],
    }


def _mistake(case: Case, counts: np.ndarray) -> str:
    """The only mistake that explains all counts; empty where none does, or several."""
    asked = np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape)
    known = mistakes(*_model_and_draft(case))
    fits = [name for name, laws in known.items() if any((unlikely(counts, asked, one) < LIMIT).all() for one in laws)]
    return fits[0] if len(fits) == 1 else ""


def _model_and_draft(case: Case) -> tuple[np.ndarray, np.ndarray]:
    _, p, q, _ = case.args
    return p, q


def _counts(seen: Observation, expected: Observation) -> np.ndarray:
    if not _is_table(seen, expected):
        raise NotReached("what came back is no word of the vocabulary", values.describe_kind(seen.value, show=True))
    return np.asarray(seen.value)


def _is_table(seen: Observation, expected: Observation) -> bool:
    """Whether counts came back, as many as were expected and as many in all."""
    own, wanted = seen.value, np.asarray(expected.value)
    if not isinstance(own, np.ndarray) or own.dtype.kind not in "iu" or own.shape != wanted.shape:
        return False
    return bool((own >= 0).all() and (own.sum(axis=-1) == wanted.sum(axis=-1)).all())

"""Rules of lesson 01 for who finds whom, by queries and keys that a student has chosen."""

from typing import Any

import numpy as np

from autograder.exercises import values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem
from attention.helpers import softmax
from attention.numbers import real
from attention.people import MEN

ENOUGH = 0.9
OTHER_MEN = tuple(man for man in MEN if man not in ("Ming", "Omar"))
"""Names that only hidden sentences have."""


def of_one_length(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Two rows of finite numbers for each word, all as long as each other."""
    if not isinstance(seen.value, list) or len(seen.value) != len(case.args[0]):
        raise NotReached("not one answer for each word", values.describe_kind(seen.value))
    for word, value in zip(case.args[0], seen.value):
        wanted = "a query and a key, a list of numbers each"
        if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != 2:
            return Problem(f"for {word}", values.describe_kind(value), wanted)
        rows = [row for row in map(real, value) if row is not None]
        if len(rows) != 2 or any(row.ndim != 1 or not row.size for row in rows):
            return Problem(f"for {word}", values.describe_kind(value, show=True), wanted)
        if not all(np.isfinite(row).all() for row in rows):
            return Problem(f"for {word}: not finite", values.format_numbers(np.concatenate(rows)), "numbers")
    sizes = {len(row) for value in seen.value for row in value}
    if len(sizes) == 1:
        return None
    return Problem("queries and keys of different lengths", " and ".join(map(str, sorted(sizes))), "one length")


def most(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Expect the largest weight of *he* at the man's name."""
    words, shares = _weights(case, seen)
    place = _man(words)
    best = np.delete(shares, place).max()
    if shares[place] > best + 1e-9:
        return None
    return Problem(
        "the weights of he", _told(words, shares), f"most for {words[place]}", _name(case, seen, words, shares)
    )


def another_man(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Expect nine tenths at the name of a man whom the lesson does not show."""
    words, shares = _weights(case, seen)
    place = _man(words)
    if shares[place] >= ENOUGH - 1e-6:
        return None
    ordinary = [share for word, share in zip(words, shares) if word.islower() and word != "he"]
    unknown = abs(shares[place] - np.array(ordinary)).min() < 1e-9
    name = "only Ming's own name is known" if unknown else ""
    return Problem(
        "the weights of he", _told(words, shares), f"{ENOUGH} or more for {words[place]}", name
    )


def nearly_all(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Expect at least nine tenths at the man's name; not reached where another word has more."""
    problem = most(case, seen, expected)
    if problem:
        raise NotReached(problem.message, problem.observed, problem.expected)
    words, shares = _weights(case, seen)
    place = _man(words)
    if shares[place] >= ENOUGH - 1e-6:
        return None
    return Problem(
        "the weights of he",
        _told(words, shares),
        f"{ENOUGH} or more for {words[place]}",
        "scores too close together",
    )


def whom(case: Case, value: Any) -> list[Any]:
    """Whom *he* looks at most, and whether with nine tenths of his weight: what all right answers have in common."""
    words, shares = _weights(case, Observation(value))
    return [words[int(shares.argmax())], bool(shares.max() >= ENOUGH - 1e-6)]


def _weights(case: Case, seen: Observation, asking: int = 0) -> tuple[list[str], np.ndarray]:
    """The sentence, and what *he* gives each word. asking: which of the two that came back is the query."""
    problem = of_one_length(case, seen, seen)
    if problem:
        raise NotReached(problem.message, problem.observed, problem.expected)
    words = list(case.args[0])
    rows = np.array([[real(one) for one in value] for value in seen.value], dtype=float)
    with np.errstate(all="ignore"):
        scores = rows[:, 1 - asking] @ rows[words.index("he"), asking]
    if not np.isfinite(scores).all():
        raise NotReached("the scores of he", values.format_numbers(scores), "finite numbers")
    return words, softmax(scores)


def _man(words: list[str]) -> int:
    """Return the place of the man's name in a sentence."""
    return next(place for place, word in enumerate(words) if word in MEN)


def _told(words: list[str], shares: np.ndarray) -> str:
    return ", ".join(f"{word} {share:.2f}" for word, share in zip(words, shares))


def _name(case: Case, seen: Observation, words: list[str], shares: np.ndarray) -> str:
    """The misconception that these weights prove."""
    place = _man(words)
    exchanged = _weights(case, seen, asking=1)[1]
    if exchanged[place] >= ENOUGH:
        return "query and key exchanged"
    if np.ptp(shares) < 1e-6:
        return "all scores alike"
    if shares[place] < np.delete(shares, place).min() - 1e-9:
        return "least where it should be most"
    rivals = {word for word, share in zip(words, shares) if share > shares.max() - 1e-6} - {words[place]}
    names = {"he": "he finds himself", "Anna": "any name will do"}
    return names.get(next(iter(rivals)), "") if len(rivals) == 1 else ""

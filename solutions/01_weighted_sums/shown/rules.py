"""Rules of lesson 01: weights that add up, rows that are padded, and predictions that are not given away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from autograder.model import common, values
from autograder.model.exercise import Case, Observation, Problem

NEAR = 0.006
"""A predicted number may be off by this much: rounded to two decimals, whichever way."""


def one_number_per_letter(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many numbers as letters, all of them finite."""
    numbers, wanted = _numbers(seen.value), f"{len(case.args[0])} numbers, one for each letter"
    if numbers is None or numbers.ndim != 1:
        return Problem("returned the wrong kind of thing", values.kind_of(seen.value), wanted)
    if len(numbers) != len(case.args[0]):
        return Problem("numbers", str(len(numbers)), wanted)
    return None if np.isfinite(numbers).all() else Problem("not finite", values.show(numbers), wanted)


def right_numbers(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected number for each letter; one error throughout, or errors at capitals alone, are telling."""
    problem = common.agrees(case, seen, expected)
    numbers, wanted = _numbers(seen.value), _numbers(expected.value)
    if problem is None or numbers is None or wanted is None or numbers.shape != wanted.shape:
        return problem
    off = numbers - wanted
    capitals = np.array([letter.isupper() for letter in case.args[0]])
    shifted = np.isfinite(off).all() and (off == off[0]).all()
    only_capitals = capitals.any() and (off[~capitals] == 0).all()
    return replace(problem, misconception="case, off by one") if shifted or only_capitals else problem


def one_weight_per_occurrence(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many weights as words; fewer than words betray that repeated words were merged."""
    wanted = f"{len(case.args[0])} weights, one for each word"
    if isinstance(seen.value, dict):
        text = "a dictionary came back: it keeps one entry a word"
        return Problem(text, f"{len(seen.value)} entries", wanted, misconception="repeated word lost")
    weights = _numbers(seen.value)
    if weights is None or weights.ndim != 1:
        return Problem("returned the wrong kind of thing", values.kind_of(seen.value), wanted)
    if len(weights) == len(case.args[0]):
        return None
    name = "repeated word lost" if len(weights) < len(case.args[0]) else ""
    return Problem("weights", str(len(weights)), wanted, misconception=name)


def weights_sum_to_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """All the weights of one sentence together make 1."""
    weights = _numbers(seen.value)
    if weights is None or weights.ndim != 1:
        return common.shape(case, seen, expected) or Problem("no weights came back")
    total = weights.sum()
    return None if abs(total - 1) <= 1e-3 else Problem("sum of the weights", f"{total:.3f}", "1")


def starts_its_row(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Row i begins with vector i, entry by entry."""
    rows, vectors = _numbers(seen.value), case.args[0]
    if rows is None or rows.ndim != 2 or len(rows) != len(vectors):
        return common.shape(case, seen, expected) or Problem("no matrix came back")
    for i, (row, vector) in enumerate(zip(rows, vectors, strict=True)):
        if not values.close(row[: len(vector)], vector, case.tolerance):
            return Problem(f"the start of row {i}", values.show(row[: len(vector)]), values.show(vector))
    return None


def zeros_on_the_right(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Behind the end of a vector its row holds zeros, up to the length of the longest."""
    rows, vectors = _numbers(seen.value), case.args[0]
    problem = common.shape(case, seen, expected)
    if problem or rows is None:
        return problem
    for i, (row, vector) in enumerate(zip(rows, vectors, strict=True)):
        if not (row[len(vector) :] == 0).all():
            return Problem(f"the end of row {i}", values.show(row[len(vector) :]), "zeros")
    return None


def slices_sum_to_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The shape of the input, finite numbers, and sums of 1 along the axis that was asked for."""
    shares, problem = _numbers(seen.value), common.shape(case, seen, expected)
    if problem or shares is None:
        return problem
    sums = shares.sum(axis=case.kwargs.get("axis", -1))
    if np.allclose(sums, 1, atol=1e-3):
        return None
    return Problem("sums along the axis", values.show(sums), values.show(np.ones_like(sums)))


def reconsider(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every predicted number is right to two decimals. What was predicted is shown, what is right is not."""
    given = seen.value if isinstance(seen.value, dict) else {}
    for name, wanted in expected.value.items():
        own, right = _numbers(given.get(name)), np.ravel(wanted).astype(float)
        if own is None or own.size != right.size:
            kind = "one number" if right.size == 1 else f"{right.size} numbers"
            return Problem(f"{name} should hold {kind}", f"you have  {values.kind_of(given.get(name))}")
        if not _near(own, right):
            said = f"{own.item():g}" if own.size == 1 else values.show(own)
            named = next((label for label, guess in case.facts.get("mistaken", ()) if _near(own, guess)), "")
            return Problem(f"{name} comes out differently", f"you say   {said}", misconception=named)
    return None


def _near(own: np.ndarray, guess: Any) -> bool:
    other = np.ravel(guess).astype(float)
    return own.size == other.size and bool((np.abs(own.ravel() - other) <= NEAR).all())


def _numbers(value: Any) -> np.ndarray | None:
    numbers = values.as_numbers(value)
    return numbers.astype(float) if numbers is not None and numbers.dtype.kind in "biuf" else None

"""Rules of lesson 01: weights that add up, rows that are padded, and predictions that are not given away."""

from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem
from attention.numbers import like, real


def one_number_per_letter(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many numbers as letters, all of them finite."""
    numbers, wanted = real(seen.value), f"{len(case.args[0])} numbers, one for each letter"
    if numbers is None or numbers.ndim != 1:
        return Problem("returned the wrong kind of thing", values.describe_kind(seen.value), wanted)
    if len(numbers) != len(case.args[0]):
        return Problem("numbers", str(len(numbers)), wanted)
    return None if np.isfinite(numbers).all() else Problem("not finite", values.format_numbers(numbers), wanted)


def counted_from_a(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected number for each small letter; different letters that are off by the same are telling."""
    return _named(case, seen, expected, "letters counted from the wrong number", _all_off_alike)


def capitals_too(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected number for each letter; where capitals alone are off, it is for being capitals."""
    return _named(case, seen, expected, "capitals not counted like small letters", _capitals_alone_off)


def _named(case: Case, seen: Observation, expected: Observation, name: str, is_so: Any) -> Problem | None:
    problem = common.agrees(case, seen, expected)
    numbers, wanted = real(seen.value), real(expected.value)
    if problem is None or numbers is None or wanted is None:
        return problem
    return replace(problem, misconception=name) if is_so(case.args[0], numbers - wanted) else problem


def _all_off_alike(word: str, off: np.ndarray) -> bool:
    return len(set(word)) > 1 and bool(np.isfinite(off[0]) and off[0] and (off == off[0]).all())


def _capitals_alone_off(word: str, off: np.ndarray) -> bool:
    small = np.array([letter.islower() for letter in word])
    return bool(small.any() and (off[small] == 0).all() and off[~small].all())


def one_weight_per_occurrence(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many weights as words; one for each distinct word betrays that repeated words were merged."""
    words, lost = case.args[0], "repeated word lost"
    wanted = f"{len(words)} weights, one for each word"
    if isinstance(seen.value, dict):
        text, by_word = "a dictionary came back", set(seen.value) == set(words)
        return Problem(text, f"{len(seen.value)} entries", wanted, misconception=lost if by_word else "")
    weights = real(seen.value)
    if weights is None or weights.ndim != 1:
        return Problem("returned the wrong kind of thing", values.describe_kind(seen.value), wanted)
    if len(weights) == len(words):
        return None
    merged = len(weights) == len(set(words)) < len(words)
    return Problem("weights", str(len(weights)), wanted, misconception=lost if merged else "")


def weights_sum_to_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """All the weights of one sentence together make 1."""
    total = like(seen, expected).sum()
    return None if abs(total - 1) <= 1e-3 else Problem("sum of the weights", f"{total:.3f}", "1")


def starts_its_row(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Row i begins with vector i, entry by entry."""
    for i, (row, vector) in enumerate(zip(like(seen, expected), case.args[0], strict=True)):
        if not values.are_close(row[: len(vector)], vector, case.tolerance):
            return Problem(f"the start of row {i}", *values.format_difference(row[: len(vector)], vector))
    return None


def zeros_on_the_right(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Behind the end of a vector its row holds zeros, up to the length of the longest."""
    for i, (row, vector) in enumerate(zip(like(seen, expected), case.args[0], strict=True)):
        if not (row[len(vector) :] == 0).all():
            end = row[len(vector) :]
            name = "padded with something else than zeros" if _all_start(case, seen, expected) else ""
            got = values.format_difference(end, np.zeros_like(end))[0]
            return Problem(f"the end of row {i}", got, "zeros", misconception=name)
    return None


def _all_start(case: Case, seen: Observation, expected: Observation) -> bool:
    """Whether each vector stands at the start of its row."""
    rows = zip(like(seen, expected), case.args[0], strict=True)
    return all(values.are_close(row[: len(vector)], vector, case.tolerance) for row, vector in rows)


def numbers_unharmed(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each row holds its vector's numbers as they were; not reached where they stand in other places."""
    problem = common.agrees(case, seen, expected)
    if problem is None:
        return None
    if _all_start(case, seen, expected):
        return None if zeros_on_the_right(case, seen, expected) else problem
    own, wanted = (np.sort(one, axis=None) for one in (like(seen, expected), expected.value))
    if values.are_close(own, wanted, case.tolerance):
        raise NotReached("the numbers do not stand in their places yet")
    return problem


def undisturbed(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The right shares in every row; not reached where the row of the largest score is wrong as well."""
    problem = common.agrees(case, seen, expected)
    if problem is None:
        return None
    axis = case.kwargs.get("axis", -1)
    shares, wanted, scores = (
        np.moveaxis(one, axis, -1) for one in (like(seen, expected), expected.value, case.args[0])
    )
    top = np.unravel_index(np.argmax(scores), scores.shape)[:-1]
    if not values.are_close(shares[top], wanted[top], case.tolerance):
        raise NotReached("the row of the largest score is wrong as well")
    return problem


@common.judges_inputs
def left_alone(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The arguments are what they were before; a list is also where it was not taken."""
    if case.tag == "lists":
        return common.find_changed_argument(case, seen)
    return common.unchanged(case, seen, expected)


def slices_sum_to_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Sums of 1 along the axis that was asked for."""
    sums = like(seen, expected).sum(axis=case.kwargs.get("axis", -1))
    if np.allclose(sums, 1, atol=1e-3):
        return None
    return Problem("sums along the axis", *values.format_difference(sums, np.ones_like(sums)))


def reconsider(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every predicted number is right to two decimals. What was predicted is shown, what is right is not."""
    for name in expected.value:
        problem = _named_number(name, case, seen, expected)
        if problem:
            return problem
    return None


def both_shuffled(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """What comes of shuffling weights and vectors alike, by the student's word."""
    return _named_number("both_shuffled", case, seen, expected)


def vectors_shuffled(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """What comes of shuffling the vectors alone, by the student's word."""
    return _named_number("vectors_shuffled", case, seen, expected)


def _named_number(name: str, case: Case, seen: Observation, expected: Observation) -> Problem | None:
    given, right = common.read_prediction(seen, name), expected.value[name]
    own = real(given)
    if own is None or own.size != right.size:
        kind = "one number" if right.size == 1 else f"{right.size} numbers"
        raise NotReached(f"{name} should hold {kind}", f"you have  {values.describe_kind(given)}")
    if right.matches(own.reshape(right.shape)):
        return None
    return Problem(f"{name} comes out differently", f"you say   {values.format_value(given)}")

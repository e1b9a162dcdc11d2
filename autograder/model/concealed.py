"""What predictions are compared with, and what later tries open: nobody who opens their files reads it by accident.

It is base64, and hides nothing from who decodes it. Nor could anything: what is asked for can be computed by whoever
can program.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.model import values
from autograder.model.exercise import Case, Observation

TEXT, TRUTH, NUMBERS, COLLECTION = "text", "truth", "numbers", "collection"

SLACK = 1e-9
"""Beyond a tolerance, for what a float's last bits make of a number on its border."""


@dataclass(frozen=True)
class Concealed:
    """A value that says of others whether they are it.

    form: "text", "truth", "numbers", or "collection" for numbers in any order, here an ascending one.
    value: a text, a number, or a nesting of lists of numbers; within: how far each number may be off.
    """

    form: str
    value: Any
    within: float = 0.0

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the numbers that are asked for; of a collection nobody is told how many these are."""
        return np.shape(self.value) if self.form in (NUMBERS, TRUTH) else ()

    @property
    def size(self) -> int:
        """How many numbers are asked for."""
        return math.prod(self.shape)

    def matches(self, given: Any) -> bool:
        """Whether this is the value: a text in small or capital letters, numbers with or without axes of length 1."""
        if self.form == TEXT:
            return isinstance(given, str) and given.strip().lower() == self.value
        numbers = values.as_numbers(given)
        if numbers is None or numbers.dtype.kind not in "biuf":
            return False
        if self.form == COLLECTION:
            return numbers.ndim == 1 and np.array_equal(np.sort(numbers), self.value)
        own, wanted = numbers.astype(float).squeeze(), np.asarray(self.value, dtype=float).squeeze()
        return own.shape == wanted.shape and np.allclose(own, wanted, 0, self.within + SLACK, equal_nan=True)

    def remark(self, given: Any, listed: Collection[Any]) -> str:
        """Return what to say of the form in which a wrong value was given; empty where nothing is to be said.

        listed: all values that the exercise knows, right or wrong: a wrong one of these is in the right form.
        """
        if self.form == TEXT:
            words = ", ".join(sorted({one for one in listed if isinstance(one, str)}))
            wrong_form = not isinstance(given, str) or given.strip().lower() not in words.split(", ")
            return f"give one of these words: {words}" if wrong_form else ""
        if isinstance(given, str):
            return "give True or False" if self.form == TRUTH else "give a number, without quotes"
        numbers = values.as_numbers(given)
        if self.form != NUMBERS or numbers is None or numbers.dtype.kind not in "iuf":
            return ""
        own, wanted = numbers.astype(float).squeeze(), np.asarray(self.value, dtype=float).squeeze()
        if own.shape != wanted.shape or any(np.array_equal(own, one) for one in listed):
            return ""
        if wanted.any() and np.allclose(own / 100, wanted, 0.02, 0):
            return "give a share, not percent"
        if self._rounds_to(own, wanted):
            decimals = max(1, round(-math.log10(2 * self.within)))
            return f"right so far: give {('one decimal', 'two decimals', 'three decimals')[min(decimals, 3) - 1]}"
        return ""

    def _rounds_to(self, own: np.ndarray, wanted: np.ndarray) -> bool:
        """Return whether numbers are the right ones, rounded to one decimal, or to none where they are large."""
        near = np.isclose(own, wanted, 0, self.within + SLACK)
        one_decimal = np.isclose(own, np.round(wanted, 1), 0, SLACK) & (own % 1 != 0)
        none = np.isclose(own, np.round(wanted), 0, SLACK) & (np.abs(wanted) >= 10)
        return bool(self.within) and bool((near | one_decimal | none).all())


def remarks(given: Any, expected: Any, listed: Collection[Any]) -> list[str]:
    """Return what to say of the form of the values given for one name, see `Concealed.remark`."""
    if isinstance(expected, list):
        several = given if isinstance(given, (list, tuple)) and len(given) == len(expected) else []
        found = [said for one, other in zip(several, expected) for said in remarks(one, other, listed)]
        return list(dict.fromkeys(found))
    said = "" if expected.matches(given) else expected.remark(given, listed)
    return [said] if said else []


def listed_values(concealed: Any) -> list[Any]:
    """Return the values in what `conceal` made."""
    if isinstance(concealed, list):
        return [one for item in concealed for one in listed_values(item)]
    return [concealed.value if concealed.form == TEXT else np.squeeze(concealed.value)]


def conceal(value: Any, within: float, unordered: bool = False) -> Any:
    """A value as what recognises it; of a list of texts, or of other things than numbers, one for each.

    within: how far each number may be off. unordered: whether a list is a collection, in any order, of any length.
    """
    if isinstance(value, str):
        return Concealed(TEXT, value.strip().lower())
    numbers = values.as_numbers(value)
    if numbers is None or unordered and numbers.ndim > 1:
        return [conceal(item, within, unordered) for item in value]
    if unordered:
        return Concealed(COLLECTION, sorted(numbers.tolist()))
    rounded = np.vectorize(lambda number: float(f"{number:.7g}"), otypes=[float])(numbers.astype(float))
    return Concealed(TRUTH if numbers.dtype.kind == "b" else NUMBERS, rounded.tolist(), within)


def concealed_values(case: Case, seen: Observation) -> dict[str, Any]:
    """What was given for each value that a case asks for, as what recognises it."""
    return {
        name: conceal(value, case.tolerance, name in case.unordered) for name, value in seen.value.items()
    }


def as_data(value: Any) -> Any:
    """What `conceal` made, as JSON data."""
    if isinstance(value, list):
        return [as_data(one) for one in value]
    return packed(vars(value))


def from_data(data: Any) -> Any:
    """What `as_data` wrote."""
    if isinstance(data, list):
        return [from_data(one) for one in data]
    return Concealed(**unpacked(data))


def packed(data: Any) -> str:
    """JSON data as a text of which no line can be read."""
    return base64.b64encode(json.dumps(data).encode()).decode()


def unpacked(text: str) -> Any:
    """What `packed` was given."""
    return json.loads(base64.b64decode(text))

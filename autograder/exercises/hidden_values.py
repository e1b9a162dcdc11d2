"""The values that predictions are compared with, and remarks on the form of another value."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.exercises import values
from autograder.exercises.exercise import Case, Observation

TEXT, TRUTH, NUMBERS, COLLECTION = "text", "truth", "numbers", "collection"

SLACK = 1e-9
"""Beyond a tolerance, for what a float's last bits make of a number on its border."""


@dataclass(frozen=True)
class Concealed:
    """A value that says whether another one matches it.

    form: "text", "truth", "numbers", or "collection" for numbers in any order, here an ascending one.
    value: a text, a number, or a nesting of lists of numbers; within: how far each number may be off.
    """

    form: str
    value: Any
    within: float = 0.0

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the numbers that are asked for; nobody is told how many a collection holds."""
        return np.shape(self.value) if self.form in (NUMBERS, TRUTH) else ()

    @property
    def size(self) -> int:
        """The number of numbers that are asked for."""
        return math.prod(self.shape)

    def matches(self, answer: Any) -> bool:
        """Return whether this is the value: a text in any case, numbers with or without axes of length 1."""
        if self.form == TEXT:
            return isinstance(answer, str) and answer.strip().lower() == self.value
        numbers = values.as_numbers(answer)
        if numbers is None or numbers.dtype.kind not in "biuf":
            return False
        if self.form == COLLECTION:
            return numbers.ndim == 1 and np.array_equal(np.sort(numbers), self.value)
        pair = self._of_one_shape(numbers)
        return pair is not None and np.allclose(*pair, 0, self.within + SLACK, equal_nan=True)

    def remark(self, answer: Any, listed: Collection[Any]) -> str:
        """Return what to say of the form in which a wrong value was given; empty where nothing is to be said.

        listed: all values that the exercise lists, right or wrong: a wrong one of these is in the right form.
        """
        if self.form == TEXT:
            words = sorted({value for value in listed if isinstance(value, str)})
            wrong_form = not isinstance(answer, str) or answer.strip().lower() not in words
            return f"give one of these words: {', '.join(words)}" if wrong_form else ""
        if isinstance(answer, str):
            return "give True or False" if self.form == TRUTH else "give a number, without quotes"
        numbers = values.as_numbers(answer)
        if self.form != NUMBERS or numbers is None or numbers.dtype.kind not in "iuf":
            return ""
        pair = self._of_one_shape(numbers)
        if pair is None or any(np.array_equal(pair[0], value) for value in listed):
            return ""
        if pair[1].any() and np.allclose(pair[0] / 100, pair[1], 0.02, 0):
            return "give a share, not percent"
        if self.within and self._is_rounded(*pair):
            decimals = max(1, round(-math.log10(2 * self.within)))
            return f"right so far: give {('one decimal', 'two decimals', 'three decimals')[min(decimals, 3) - 1]}"
        return ""

    def _of_one_shape(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Return given numbers and the right ones, without axes of length 1; None where their shapes differ."""
        answer, wanted = numbers.astype(float).squeeze(), np.asarray(self.value, dtype=float).squeeze()
        return (answer, wanted) if answer.shape == wanted.shape else None

    def _is_rounded(self, answer: np.ndarray, wanted: np.ndarray) -> bool:
        """Return whether numbers are the right ones, rounded to one decimal, or to none where they are large."""
        within = np.isclose(answer, wanted, 0, self.within + SLACK)
        one_decimal = np.isclose(answer, np.round(wanted, 1), 0, SLACK) & (answer % 1 != 0)
        no_decimal = np.isclose(answer, np.round(wanted), 0, SLACK) & (np.abs(wanted) >= 10)
        return bool((within | one_decimal | no_decimal).all())


def remarks(answer: Any, expected: Any, listed: Collection[Any]) -> list[str]:
    """Return what to say of the form of the values given for one name, see `Concealed.remark`."""
    if isinstance(expected, list):
        items = answer if isinstance(answer, (list, tuple)) and len(answer) == len(expected) else []
        texts = [text for pair in zip(items, expected) for text in remarks(*pair, listed)]
        return list(dict.fromkeys(texts))
    text = "" if expected.matches(answer) else expected.remark(answer, listed)
    return [text] if text else []


def listed_values(concealed: Any) -> list[Any]:
    """Return the values in what `conceal` made."""
    if isinstance(concealed, list):
        return [value for item in concealed for value in listed_values(item)]
    return [concealed.value if concealed.form == TEXT else np.squeeze(concealed.value)]


def conceal(value: Any, within: float, unordered: bool = False) -> Any:
    """Return what recognises a value; of a list of texts, or of other things than numbers, one for each.

    within: how far each number may be off. unordered: whether a list is a collection, in any order, of any length.
    """
    if isinstance(value, str):
        return Concealed(TEXT, value.strip().lower())
    numbers = values.as_numbers(value)
    if numbers is None or unordered and numbers.ndim > 1:
        return [conceal(item, within, unordered) for item in value]
    if unordered:
        return Concealed(COLLECTION, sorted(numbers.tolist()))
    rounded = values.round_array(numbers.astype(float)).tolist()
    return Concealed(TRUTH if numbers.dtype.kind == "b" else NUMBERS, rounded, within)


def concealed_values(case: Case, observation: Observation) -> dict[str, Any]:
    """Return, for each value that a case asks for, what recognises the one that was given."""
    return {
        name: conceal(value, case.tolerance, name in case.unordered)
        for name, value in observation.value.items()
    }


def packed(data: Any) -> str:
    """Return JSON data as a text of which no line can be read: a self-study kit's answers are not read by chance."""
    return base64.b64encode(json.dumps(data).encode()).decode()


def unpacked(text: str) -> Any:
    """Return what `packed` was given."""
    return json.loads(base64.b64decode(text))

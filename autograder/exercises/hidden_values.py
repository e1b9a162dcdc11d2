"""The values that predictions are compared with."""

from __future__ import annotations

import base64
import json
import math
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
        pair = numbers.astype(float).squeeze(), np.asarray(self.value, dtype=float).squeeze()
        return pair[0].shape == pair[1].shape and np.allclose(*pair, 0, self.within + SLACK, equal_nan=True)


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

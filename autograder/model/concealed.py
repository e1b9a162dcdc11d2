"""What predictions are compared with, and what later tries open: nobody who opens their files reads it by accident.

It is base64, and hides nothing from who decodes it. Nor could anything: what is asked for can be computed by whoever
can program.
"""

from __future__ import annotations

import base64
import json
import math
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

"""Values that can be recognised and not read: what predictions are compared with, wherever students could look.

A value is stored as a salted, slow hash (scrypt, RFC 7914) of how it would be written. What is asked for within a
tolerance is written as the number of its step on a grid: `offsets` says where in a step each number lies, and so which
numbers are accepted, but not in which step. Steps go evenly into 1 wherever the tolerance lets them, so that of whole
numbers nothing shows.

Whoever has the hash can try values one by one, as with a check; a few words, or True and False, are soon through.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np

from autograder.model import values

TEXT, TRUTH, NUMBERS, COLLECTION = "text", "truth", "numbers", "collection"

SLACK = 1e-9
"""Beyond a tolerance, for what a float's last bits make of a number on its border."""

COST = 2**11
MOST_WRITTEN = 1000
MOST_TRIES = 16


@dataclass(frozen=True)
class Concealed:
    """A value that can be recognised and not read.

    form: "text", "truth", "numbers", or "collection" for numbers in any order, of which nobody is told how many.
    shape: of numbers.
    within: how far each number may be off; offsets: where in a step of the grid each lies.
    """

    form: str
    salt: str
    digest: str
    shape: tuple[int, ...] = ()
    within: float = 0.0
    offsets: tuple[float, ...] = ()

    @property
    def size(self) -> int:
        """How many numbers are asked for."""
        return math.prod(self.shape)

    def matches(self, given: Any) -> bool:
        """Whether this is the value: a text in small or capital letters, numbers with or without axes of length 1."""
        return any(_digest(self.salt, text) == self.digest for text in islice(self._ways(given), MOST_TRIES))

    def _ways(self, given: Any) -> Iterator[str]:
        """How it may be written; more than one way where a number lies on the border of two steps."""
        if self.form == TEXT:
            return _short([given] if isinstance(given, str) else [])
        numbers = values.as_numbers(given)
        if numbers is None or numbers.dtype.kind not in "biuf":
            return iter(())
        if self.form == COLLECTION:
            return _short([_in_order(numbers)] if numbers.ndim == 1 and numbers.size <= MOST_WRITTEN else [])
        if numbers.squeeze().shape != np.empty(self.shape).squeeze().shape:
            return iter(())
        steps = [_steps(x, self.within, offset) for x, offset in zip(numbers.ravel().tolist(), self.offsets)]
        return _short(_together(one) for one in product(*steps))


def conceal(value: Any, salt: str, within: float, unordered: bool = False) -> Any:
    """A value as what recognises it; of a list of texts, or of other things than numbers, one for each.

    within: how far each number may be off. unordered: whether a list is a collection, in any order, of any length.
    """
    if isinstance(value, str):
        return Concealed(TEXT, salt, _digest(salt, value.strip().lower()))
    numbers = values.as_numbers(value)
    if numbers is None or unordered and numbers.ndim > 1:
        return [conceal(item, f"{salt}/{place}", within, unordered) for place, item in enumerate(value)]
    if unordered:
        return Concealed(COLLECTION, salt, _digest(salt, _in_order(numbers)))
    step = _step(within)
    exact = [Fraction(f"{number:.7g}") for number in numbers.ravel().astype(float)]
    return Concealed(
        TRUTH if numbers.dtype.kind == "b" else NUMBERS,
        salt,
        _digest(salt, _together(number // step for number in exact)),
        numbers.shape,
        within,
        tuple(float(number % step) for number in exact),
    )


def as_data(value: Any) -> Any:
    """What `conceal` made, as JSON data."""
    return [as_data(one) for one in value] if isinstance(value, list) else dataclasses.asdict(value)


def from_data(data: Any) -> Any:
    """What `as_data` wrote."""
    if isinstance(data, list):
        return [from_data(one) for one in data]
    return Concealed(**{**data, "shape": tuple(data["shape"]), "offsets": tuple(data["offsets"])})


@functools.lru_cache(maxsize=4096)
def _digest(salt: str, text: str) -> str:
    return hashlib.scrypt(text.encode(errors="replace"), salt=salt.encode(), n=COST, r=8, p=1, dklen=16).hex()


def _short(texts: Iterable[str]) -> Iterator[str]:
    """These texts as they are hashed, without those that are too long to be what is asked for."""
    return (text.strip().lower() for text in texts if len(text) <= MOST_WRITTEN)


def _in_order(numbers: np.ndarray) -> str:
    return _together(sorted((numbers + 0.0).tolist()))


def _together(parts: Iterable[Any]) -> str:
    return ",".join(map(str, parts))


@functools.cache
def _step(within: float) -> Fraction:
    """The shortest step that holds what is accepted and goes evenly into 1; from 1 on, into nothing."""
    width = 2 * Fraction(str(within))
    return Fraction(1, math.floor(1 / width)) if width <= 1 else Fraction(math.ceil(width))


def _steps(number: float, within: float, offset: float) -> list[int]:
    """The steps in which a number would be accepted."""
    step = float(_step(within))
    place = (number - offset) / step
    if not math.isfinite(place):
        return []
    below = math.floor(place)
    return [one for one in (below, below + 1) if abs(number - offset - one * step) <= within + SLACK]

"""What several exercises of this lesson are made from."""

from collections.abc import Iterable
from string import ascii_lowercase
from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception

from ...judging import cases
from ..checks import rules

SENTENCE = ["The", "weather", "is", "beautiful", "today", "in", "Melbourne"]
CAT = ["the", "cat", "sat", "on", "the", "mat"]


def letter_numbers(words: list[str]) -> list[list[int]]:
    """The vectors of these words: a is 1, z is 26."""
    return [[ord(letter) - 96 for letter in word.lower()] for word in words]


def letters(rng: np.random.Generator, length: int, among: str = ascii_lowercase) -> str:
    """A word of random letters."""
    return "".join(rng.choice(list(among), size=int(length)).tolist())


def ragged(rng: np.random.Generator, lengths: Iterable[int]) -> list[list[int]]:
    """Vectors of these lengths, of whole numbers from 1 to 26."""
    return [rng.integers(1, 27, size=int(length)).tolist() for length in lengths]


def fractions(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Numbers with two decimals, about half of them below zero."""
    return rng.normal(scale=2, size=shape).round(2)


def guess() -> tuple[Case, ...]:
    """The one case of a question on the spot: a number may be off by this much, rounded to two decimals either way."""
    return (Case("values", tolerance=0.006),)


def prediction(title: str, *misconceptions: Misconception, **settings: Any) -> Exercise:
    """A question answered on the spot, with values."""
    return cases.prediction((Criterion(title, rules.reconsider),), *misconceptions, tolerance=0.006, **settings)

"""The kinds of argument that this course adds to the grader's own."""

from __future__ import annotations

import copy
import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercises import argument_kinds

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


@dataclass(frozen=True)
class WordVectors:
    """An argument that the answer meets as gensim `KeyedVectors`: the bundled set when `words` is empty.

    matrix: (len(words), d), one row per word.
    """

    words: tuple[str, ...] = ()
    matrix: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))


def _made(declared: WordVectors) -> KeyedVectors:
    from .vectors import make_vectors

    if declared.words:
        return make_vectors(declared.words, declared.matrix)
    whole = _bundled()
    flat = {id(one): one.copy() for one in (whole.key_to_index, whole.index_to_key)}
    return copy.deepcopy(whole, flat)


@functools.cache
def _bundled() -> KeyedVectors:
    """The bundled set, read once: to copy it takes a hundredth of the time."""
    from .vectors import load_vectors

    return load_vectors()


def _seen(value: Any) -> WordVectors | None:
    if not hasattr(value, "key_to_index"):
        return None
    return WordVectors(tuple(value.index_to_key), np.array(value.vectors))


def as_met(declared: WordVectors) -> WordVectors:
    """The words and rows that an answer meets, those of the bundled set where none are given."""
    return declared if declared.words else WordVectors(tuple(_bundled().index_to_key), _bundled().vectors)


def _in_short(declared: WordVectors, hidden: bool) -> str:
    return f"of {len(declared.words)} words" if declared.words else "(the bundled set)"


@dataclass(frozen=True)
class Drawn:
    """An argument that the answer meets as standard normal numbers, drawn there: large ones need not cross."""

    shape: tuple[int, ...]
    seed: int


argument_kinds.register(
    argument_kinds.Kind(
        Drawn,
        make=lambda declared: np.random.default_rng(declared.seed).standard_normal(declared.shape),
        in_short=lambda declared, hidden: str(declared.shape),
    )
)
argument_kinds.register(argument_kinds.Kind(WordVectors, make=_made, recognise=_seen, in_short=_in_short))

"""Kinds of argument that are more than plain data: how a case declares one, and how an answer meets it.

An argument is declared by a small frozen dataclass of plain fields, which is what crosses the wire, under the class's
name. `register` says the rest. Two kinds that any course may want are here; the helpers of a course add its own, which
are that course's alone: in a process that deals with several, `of_course` says whose are meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Kind:
    """How to deal with arguments of one kind.

    declared: the class by which cases declare them.
    make: from the declaration, the argument as the answer meets it; made anew for each call.
    after: from the declaration, what is seen of an argument that was left alone; None where nothing can be compared.
    recognise: from a live value, the plain data that is seen of it; None when it is not of this kind.
    in_short: a few words for a verdict, from the declaration and whether its values are to be hidden.
    """

    declared: type
    make: Callable[[Any], Any]
    after: Callable[[Any], Any] = lambda declared: None
    recognise: Callable[[Any], Any] = lambda value: None
    in_short: Callable[[Any, bool], str] = lambda declared, hidden: type(declared).__name__


_KINDS: dict[tuple[str, str], Kind] = {}
"""By the package that declares them, a course's or the grader's, and by name."""

_meant: ContextVar[tuple[str, ...]] = ContextVar(
    "the packages of the course whose kinds are meant", default=()
)


def _package(declared: type) -> str:
    return declared.__module__.partition(".")[0]


def register(kind: Kind) -> None:
    """Make a kind of a course known; a later one of the same name takes its place in the same course."""
    _KINDS[_package(kind.declared), kind.declared.__name__] = kind
    _known.cache_clear()


@contextmanager
def of_course(packages: tuple[str, ...]) -> Iterator[None]:
    """In here, the kinds of the course with these packages are meant, and the grader's own."""
    before = _meant.set(packages)
    try:
        yield
    finally:
        _meant.reset(before)


@cache
def _known(packages: tuple[str, ...]) -> tuple[Kind, ...]:
    """The kinds of these packages and the grader's own, the last registered first; all kinds where none is named."""
    meant = {*packages, _package(Kind)}
    return tuple(kind for (of, _), kind in reversed(_KINDS.items()) if not packages or of in meant)


def declared(name: str) -> type | None:
    """The class that declares the kind of that name; None where there is none."""
    return next((kind.declared for kind in _known(_meant.get()) if kind.declared.__name__ == name), None)


def declared_kind(argument: Any) -> Kind | None:
    """The kind of a declared argument; None for plain data."""
    kind = _KINDS.get((_package(type(argument)), type(argument).__name__))
    return kind if kind is not None and type(argument) is kind.declared else None


def recognised(value: Any) -> Any:
    """The plain data that is seen of a live value of a known kind; None for anything else."""
    return next((seen for kind in _known(_meant.get()) if (seen := kind.recognise(value)) is not None), None)


def after(argument: Any) -> Any:
    """What is seen of a declared argument that was left alone."""
    if isinstance(argument, (list, tuple)):
        return type(argument)(map(after, argument))
    kind = declared_kind(argument)
    return argument if kind is None else kind.after(argument)


@dataclass(frozen=True)
class Tensor:
    """An argument that the answer meets as a `torch.Tensor`."""

    array: np.ndarray


@dataclass(frozen=True)
class RandomSource:
    """An argument that the answer meets as `numpy.random.default_rng(seed)`, made anew for each call."""

    seed: int


def _tensor(declared: Tensor) -> Any:
    import torch

    return torch.tensor(declared.array)


def _next_number(value: Any) -> float | None:
    """The number that a generator would have drawn next, which tells whether it was used."""
    return float(value.random()) if isinstance(value, np.random.Generator) else None


register(
    Kind(
        Tensor,
        make=_tensor,
        after=lambda declared: declared.array,
        in_short=lambda declared, hidden: str(declared.array.shape),
    )
)
register(
    Kind(
        RandomSource,
        make=lambda declared: np.random.default_rng(declared.seed),
        recognise=_next_number,
        in_short=lambda declared, hidden: "(hidden)" if hidden else f"= default_rng({declared.seed})",
    )
)

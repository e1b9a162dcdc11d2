"""Kinds of argument that are more than plain data: how a case declares one, and what the answer is called with.

An argument is declared by a small frozen dataclass of plain fields, which crosses the wire under the class's name.
`register` tells how to deal with it. Two kinds that any course may need are here. The helpers of a course register its
own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Kind:
    """Functions that deal with arguments of one kind.

    declared: the class by which cases declare them.
    make: gives, for the declaration, the argument that the answer is called with; made anew for each call.
    after: gives, for the declaration, the plain data of an argument that was left alone; None if it cannot be compared.
    recognise: gives, for a live value, its plain data; None when it is not of this kind.
    in_short: gives a few words for a verdict, for the declaration and whether its values are to be hidden.
    declare: gives, for a live value that a case holds, its declaration; None where cases hold declarations alone.
    """

    declared: type
    make: Callable[[Any], Any]
    after: Callable[[Any], Any] = lambda declared: None
    recognise: Callable[[Any], Any] = lambda value: None
    in_short: Callable[[Any, bool], str] = lambda declared, hidden: type(declared).__name__
    declare: Callable[[Any], Any] | None = None


_KINDS: dict[str, Kind] = {}
"""All kinds by name."""


def register(kind: Kind) -> None:
    """Make a kind of a course known; it takes the place of an earlier one of the same name."""
    _KINDS[kind.declared.__name__] = kind


def find_declaration(name: str) -> type | None:
    """Return the class that declares the kind of this name; None where there is none."""
    return _KINDS[name].declared if name in _KINDS else None


def find_kind(argument: Any) -> Kind | None:
    """Return the kind of a declared argument; None for plain data."""
    kind = _KINDS.get(type(argument).__name__)
    return kind if kind is not None and type(argument) is kind.declared else None


def describe_argument(value: Any) -> Any:
    """Return the plain data of a live value of a registered kind; None for anything else."""
    descriptions = (kind.recognise(value) for kind in reversed(_KINDS.values()))
    return next((description for description in descriptions if description is not None), None)


def describe_unchanged(argument: Any) -> Any:
    """Return the plain data of a declared argument that was left alone."""

    def describe(item: Any) -> Any:
        kind = find_kind(item)
        return item if kind is None else kind.after(item)

    return map_nested(describe, argument)


def declare(argument: Any) -> Any:
    """Return an argument with the declarations of live values in it, of kinds that can be declared by one."""

    def declare_item(item: Any) -> Any:
        declarations = (kind.declare(item) for kind in _KINDS.values() if kind.declare)
        return next((declaration for declaration in declarations if declaration is not None), item)

    return map_nested(declare_item, argument)


@dataclass(frozen=True)
class Tensor:
    """An argument that becomes a `torch.Tensor`."""

    array: np.ndarray


@dataclass(frozen=True)
class RandomSource:
    """An argument that becomes `numpy.random.default_rng(seed)`, made anew for each call."""

    seed: int


def _tensor(declared: Tensor) -> Any:
    import torch

    return torch.tensor(declared.array)


def _next_number(value: Any) -> float | None:
    """Return the number that a generator would draw next, which tells whether it was used; None for anything else."""
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


def map_nested(change: Callable[[Any], Any], value: Any) -> Any:
    """Return a list, tuple or dictionary with everything in it changed; anything else changed itself."""
    if isinstance(value, (list, tuple)):
        items = [map_nested(change, item) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return {key: map_nested(change, item) for key, item in value.items()}
    return change(value)

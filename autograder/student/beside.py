"""What came back beside what was expected, with the first wrong entry marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.model import values

MOST_ROWS, MOST_COLUMNS = 8, 8
"""Of what is shown of an array, round the marked entry."""


@dataclass(frozen=True)
class Grid:
    """Numbers as texts in rows, and the row and column of the one that is marked."""

    rows: tuple[tuple[str, ...], ...]
    marked: tuple[int, int]


@dataclass(frozen=True)
class Beside:
    """where: which of the results, and which place in it; the two sides, as grids, or else as texts."""

    where: str
    got: Grid | str
    expected: Grid | str


def first_difference(got: Any, expected: Any, tolerance: float) -> Beside | None:
    """The first place, in whatever is nested, in which two values differ; None where there is none."""
    for where, one, other in _pairs(got, expected):
        if values.close(one, other, tolerance):
            continue
        numbers, wanted = values.as_numbers(one), values.as_numbers(other)
        if numbers is None or wanted is None or numbers.shape != wanted.shape or not wanted.size:
            what, *sides = values.difference(one, other, tolerance) or ("", "", "")
            return Beside(f"{where}{what}", sides[0], sides[1])
        place = _first_wrong(numbers, wanted, tolerance)
        told = f"first wrong at {list(place)}" if place else "the number"
        return Beside(f"{where}{told}", *_grids(numbers, wanted, place))
    return None


def _pairs(got: Any, expected: Any) -> Iterator[tuple[str, Any, Any]]:
    """What stands at the same place in both, with the name of the place; whole where their forms differ."""
    if isinstance(expected, dict) and isinstance(got, dict) and set(got) == set(expected):
        for key, other in expected.items():
            yield from ((f"{key}, {where}", *pair) for where, *pair in _pairs(got[key], other))
    elif _is_several(expected) and isinstance(got, (list, tuple)) and len(got) == len(expected):
        for position, (one, other) in enumerate(zip(got, expected)):
            name = f"{values.ordinal(position)} result, "
            yield from ((f"{name}{where}", *pair) for where, *pair in _pairs(one, other))
    else:
        yield "", got, expected


def _is_several(value: Any) -> bool:
    return isinstance(value, tuple) or (isinstance(value, list) and values.as_numbers(value) is None)


def _first_wrong(got: np.ndarray, expected: np.ndarray, tolerance: float) -> tuple[int, ...]:
    """The first place at which two arrays of one shape differ by more than their tolerance."""
    wrong = np.argwhere(~values.agreeing_entries(got, expected, tolerance))
    return tuple(int(i) for i in wrong[0]) if len(wrong) else (0,) * expected.ndim


def _grids(got: np.ndarray, expected: np.ndarray, place: tuple[int, ...]) -> tuple[Grid, Grid]:
    """The matrix, or the part of it, in which the place lies."""
    one, other = (np.atleast_2d(array[place[:-2]]) for array in (got, expected))
    row, column = ((0, 0, *place) if len(place) < 2 else place)[-2:]
    top, left = (max(0, place - most + 1) for place, most in ((row, MOST_ROWS), (column, MOST_COLUMNS)))
    shown = np.s_[top : top + MOST_ROWS, left : left + MOST_COLUMNS]
    marked = row - top, column - left
    for figures in range(values.FIGURES, values.MOST_FIGURES):
        sides = [_texts(side[shown], figures) for side in (one, other)]
        if sides[0][marked[0]][marked[1]] != sides[1][marked[0]][marked[1]]:
            break
    return Grid(sides[0], marked), Grid(sides[1], marked)


def _texts(matrix: np.ndarray, figures: int) -> tuple[tuple[str, ...], ...]:
    whole = matrix.dtype.kind == "f" and bool(
        (matrix == np.round(matrix)).all() and (np.abs(matrix) < 1e6).all()
    )

    def one(number: Any) -> str:
        if matrix.dtype.kind != "f" or whole:
            return str(number).removesuffix(".0")
        return f"{number:.{figures}e}" if abs(number) >= 1e6 else f"{number + 0:.{figures}f}"

    return tuple(tuple(one(number) for number in row.tolist()) for row in matrix)

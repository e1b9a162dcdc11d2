"""Plain values compared, with a few words on what differs and where."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np

from autograder.exercises.argument_kinds import map_nested


@dataclass(frozen=True)
class Opaque:
    """A value that is no plain data; only its type's name crossed the wire."""

    kind: str


Column = tuple[Any, str, Any]
"""A label, the name of a dtype, and an array of numbers or truth values, or else a list of plain values."""


@dataclass(frozen=True)
class Table:
    """A table of pandas as plain data: its columns, and the levels of its index. Dates are texts in ISO form."""

    columns: tuple[Column, ...]
    index: tuple[Column, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.columns, tuple) or not isinstance(self.index, tuple):
            raise TypeError("not a table")
        if len({_length(column) for part in (self.columns, self.index) for column in part}) > 1:
            raise TypeError("columns of different lengths")

    @property
    def labels(self) -> list[Any]:
        """Return the labels of the columns."""
        return [label for label, _, _ in self.columns]

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return len(self.index[0][2]) if self.index else 0

    def __str__(self) -> str:
        return f"{type(self).__name__} of {self.n_rows} row{'s' * (self.n_rows != 1)}"

    def sizes(self) -> dict[str, Any]:
        """Return the numbers of rows and of levels of the index."""
        return {"number of rows": self.n_rows, "levels of the index": len(self.index)}

    def as_dict(self) -> dict[str, Any]:
        """Return the levels of the index and the columns by name."""
        index = {f"index {i}": column for i, (_, _, column) in enumerate(self.index)}
        return index | {f"column {label!r}": column for label, _, column in self.columns}

    def map_values(self, change: Callable[[Any], Any]) -> Table:
        """Return the table with its arrays and lists changed."""
        columns, index = (
            tuple((label, dtype, map_nested(change, column)) for label, dtype, column in part)
            for part in (self.columns, self.index)
        )
        return replace(self, columns=columns, index=index)


@dataclass(frozen=True)
class DataFrame(Table):
    """A pandas DataFrame."""

    def __str__(self) -> str:
        return f"{super().__str__()} and columns {', '.join(map(str, self.labels)) or 'none'}"

    def sizes(self) -> dict[str, Any]:
        """Return the names of the columns, whose order does not count, and the numbers of rows and levels."""
        return {"columns": ", ".join(sorted(map(str, self.labels))) or "none", **super().sizes()}


@dataclass(frozen=True)
class Series(Table):
    """A pandas Series: a table of one column, whose name does not count."""

    def as_dict(self) -> dict[str, Any]:
        """Return the levels of the index and the values by name."""
        parts = super().as_dict().items()
        return {"values" if name.startswith("column") else name: part for name, part in parts}


def _length(column: Any) -> int:
    """Return the number of values in a column. Raises `TypeError` for what is no column: it may come from anywhere."""
    if isinstance(column, tuple) and len(column) == 3 and isinstance(column[1], str):
        cells = column[2]
        if isinstance(cells, list) or (isinstance(cells, np.ndarray) and cells.ndim == 1):
            return len(cells)
    raise TypeError("not a column")


SMALL = 24
"""Arrays with at most this many entries are shown whole."""

WRONG_KIND = "returned the wrong kind of thing"


def as_numbers(value: Any) -> np.ndarray | None:
    """Return an array, a number or a regular nesting of numbers as an array; None for anything else."""
    if isinstance(value, np.ndarray):
        return value
    if not isinstance(value, (bool, int, float, list, tuple)):
        return None
    try:
        array = np.array(value)
    except ValueError:  # not all of one shape
        return None
    return array if array.dtype.kind in "biuf" else None


def _one_array(expected: Any) -> np.ndarray | None:
    """Return what is expected as one array; None where it is several arrays, or no numbers."""
    return None if _is_collection_of_arrays(expected) else as_numbers(expected)


def _is_collection_of_arrays(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(
        isinstance(item, np.ndarray) and item.ndim for item in value
    )


def are_close(observed: Any, expected: Any, tolerance: float) -> bool:
    """Return whether two values agree: numbers within `tolerance` of the largest expected entry (of 1 at least)."""
    return _find_difference(observed, expected, tolerance) is None


def compare_rows(observed: Any, expected: Any, tolerance: float) -> list[bool]:
    """Return whether two values agree, row by row of all arrays in them; empty where they are not of one shape."""
    pairs = None
    if isinstance(expected, dict):
        if not isinstance(observed, dict) or set(observed) != set(expected):
            return []
        pairs = [(observed[key], expected_item) for key, expected_item in expected.items()]
    elif _is_collection_of_arrays(expected) and isinstance(observed, (tuple, list)):
        pairs = [*zip(observed, expected)] if len(observed) == len(expected) else []
    if pairs is not None:
        rows = [compare_rows(*pair, tolerance) for pair in pairs]
        return [row for several in rows for row in several] if all(rows) else []
    numbers, wanted = as_numbers(observed), as_numbers(expected)
    if numbers is None or wanted is None or not wanted.ndim:
        return [are_close(observed, expected, tolerance)]
    if numbers.shape != wanted.shape:
        return []
    return compare_entries(numbers, wanted, tolerance).all(axis=-1).ravel().tolist()


def describe_difference(observed: Any, expected: Any, tolerance: float) -> tuple[str, str, str] | None:
    """Return what is different (`what`, `got`, `expected`, each a short text), or None when the values agree.

    A number, a NumPy scalar, a list of numbers and an array of the same shape are the same thing here, and so
    are a list and a tuple.
    """
    apart = _find_difference(observed, expected, tolerance)
    if apart is None:
        return None
    where, inner, wanted = apart
    message, observed_text, expected_text = _in_words(inner, wanted, tolerance)
    return "".join(f"{name}: " for name in where) + message, observed_text, expected_text


def _find_difference(
    observed: Any, expected: Any, tolerance: float, where: tuple[str, ...] = ()
) -> tuple[tuple[str, ...], Any, Any] | None:
    """Return the first place, however nested, where two values do not agree, and what both hold there."""
    wanted = _one_array(expected)
    inner: Iterable[tuple[str, Any, Any]] = ()
    if wanted is not None:
        numbers = as_numbers(observed)
        agree = (
            numbers is not None
            and numbers.shape == wanted.shape
            and bool(compare_entries(numbers, wanted, tolerance).all())
        )
    elif isinstance(expected, dict):
        agree = isinstance(observed, dict) and set(observed) == set(expected)
        inner = ((str(key), observed[key], expected_item) for key, expected_item in expected.items())
    elif isinstance(expected, (list, tuple)):
        items = observed if isinstance(observed, (list, tuple)) else ()
        if isinstance(observed, np.ndarray) and observed.ndim:
            items = observed.tolist() if observed.ndim == 1 else [*observed]
        agree = len(items) == len(expected)
        inner = ((f"{ordinal(i)} result", *pair) for i, pair in enumerate(zip(items, expected)))
    elif isinstance(expected, Table):
        agree = type(observed) is type(expected)
        parts = [table.sizes() | table.as_dict() for table in (observed, expected) if agree]
        inner = ((name, parts[0].get(name), part) for name, part in parts[-1].items()) if agree else ()
    elif hasattr(expected, "matches"):  # it is `Concealed`
        agree = expected.matches(observed)
    elif is_dataclass(expected) and type(observed) is type(expected):
        names = [field.name for field in fields(expected)]
        agree, inner = True, ((name, getattr(observed, name), getattr(expected, name)) for name in names)
    else:
        agree = type(observed) is type(expected) and observed == expected
    if not agree:
        return where, observed, expected
    apart = (
        _find_difference(item, expected_item, tolerance, (*where, name))
        for name, item, expected_item in inner
    )
    return next((place for place in apart if place is not None), None)


def _in_words(observed: Any, expected: Any, tolerance: float) -> tuple[str, str, str]:
    """Return what is different between two values that do not agree in themselves."""
    wanted = _one_array(expected)
    if wanted is not None:
        numbers = as_numbers(observed)
        if numbers is None:
            return (WRONG_KIND, describe_kind(observed), describe_kind(wanted))
        if numbers.shape != wanted.shape:
            return ("shape", str(numbers.shape), str(wanted.shape))
        if wanted.size <= SMALL:
            return ("values differ", *format_difference(numbers, wanted))
        wrong = ~compare_entries(numbers, wanted, tolerance)
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f"values differ in {int(wrong.sum())} of {wrong.size} places, first at {list(place)}"
        return (where, *format_difference(numbers[place], wanted[place]))
    if isinstance(expected, dict) and isinstance(observed, dict):
        return ("the keys differ", ", ".join(map(str, observed)) or "none", ", ".join(map(str, expected)))
    if isinstance(expected, (dict, list, tuple, Table)):
        return (WRONG_KIND, describe_kind(observed), describe_kind(expected))
    if hasattr(expected, "matches"):
        return ("another value is asked for", describe_kind(observed, show=True), "")
    return ("returned something else", describe_kind(observed, show=True), describe_kind(expected, show=True))


def compare_entries(observed: np.ndarray, expected: np.ndarray, tolerance: float) -> np.ndarray:
    """Return, for each entry of two arrays of one shape, whether it agrees as in `are_close`."""
    observed, expected = observed.astype(float), expected.astype(float)
    size = np.abs(expected)
    scale = max(1.0, float(size.max(initial=0.0, where=np.isfinite(size))))
    with np.errstate(invalid="ignore"):
        is_near = np.abs(observed - expected) <= tolerance * scale
    return is_near | (observed == expected) | (np.isnan(observed) & np.isnan(expected))


def ordinal(position: int) -> str:
    """Return the position as a word, counted from 0: 0 is "first", 4 is "5th"."""
    words = ("first", "second", "third", "fourth")
    return words[position] if position < len(words) else f"{position + 1}th"


def round_array(value: Any) -> Any:
    """Return an array of floats with seven figures each, also those of a table; anything else as it is."""
    if isinstance(value, Table):
        return value.map_values(round_array)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.array([float(f"{number:.7g}") for number in value.ravel()]).reshape(value.shape)
    return value


FIGURES, MOST_FIGURES = 3, 17
"""Behind the point: of numbers that are shown, and where fewer do not tell two floats apart."""


def format_difference(first: Any, second: Any) -> tuple[str, str]:
    """Return two arrays of numbers as `format_numbers` does it, with as many figures as tell them apart."""
    for figures in range(FIGURES, MOST_FIGURES):
        texts = format_numbers(first, figures), format_numbers(second, figures)
        if texts[0] != texts[1]:
            return texts
    return format_numbers(first, MOST_FIGURES, small=True), format_numbers(second, MOST_FIGURES, small=True)


def format_numbers(value: Any, figures: int = FIGURES, small: bool = False) -> str:
    """Return numbers in a line or a few, with so many figures behind the point; with `small`, tiny ones as well."""
    numbers = np.asarray(value)
    if not small and numbers.dtype.kind == "f":
        numbers = np.where(np.abs(numbers) < 0.5 * 10.0**-figures, 0.0, numbers)  # never "-0."
    style: dict[str, Any] = {"suppress_small": not small, "threshold": 2 * SMALL, "max_line_width": 70}
    text = np.array2string(numbers, precision=figures, **style)
    return " ".join(text.split()) if np.ndim(value) < 2 else text


def format_value(value: Any) -> str:
    """Return the numbers that a value is, in as few lines as `format_numbers` takes; of anything else, what it is."""
    numbers = as_numbers(value)
    if numbers is None:
        return describe_kind(value, show=True)
    if numbers.ndim:
        return format_numbers(numbers)
    return f"{numbers.item():.7g}" if numbers.dtype.kind == "f" else str(numbers.item())


def is_finite(value: Any) -> bool:
    """Return whether all numbers in a value, however deep, are finite."""
    if isinstance(value, dict):
        return all(map(is_finite, value.values()))
    numbers = as_numbers(value)
    if numbers is None and isinstance(value, (list, tuple)):
        return all(map(is_finite, value))
    return numbers is None or numbers.dtype.kind not in "fc" or bool(np.isfinite(numbers).all())


def describe_kind(value: Any, show: bool = False) -> str:
    """Return what a value is, in words, such as "an array of shape (2, 3)" or "two arrays"."""
    if value is None:
        return "nothing (None): is there a return?"
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of shape {value.shape}"
    if isinstance(value, (list, tuple)):
        return _kind_of_collection(value)
    if isinstance(value, (bool, int, float)) and (show or isinstance(value, bool)):
        return str(value)
    if isinstance(value, (int, float, np.ndarray)):
        return "a number"
    if isinstance(value, str):
        return repr(value[:60])
    if isinstance(value, Opaque):
        return f"{'an' if value.kind.startswith(tuple('aeiou')) else 'a'} {value.kind}"
    if isinstance(value, dict):
        return "an Axes" if set(value) == {"axes"} else "a dictionary"
    if isinstance(value, Table):
        return f"a {value}"
    return f"a {type(value).__name__}"


def _kind_of_collection(value: list[Any] | tuple[Any, ...]) -> str:
    if not value:
        return "an empty list"
    if all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in value):
        return f"{'a list of ' if isinstance(value, list) else ''}{len(value)} number{'s' * (len(value) > 1)}"
    kinds = [_kind_of_item(item) for item in value[:4]] + ["…"] * (len(value) > 4)
    return f"{len(value)} result{'s' * (len(value) > 1)}: {', '.join(kinds)}"


def _kind_of_item(item: Any) -> str:
    text = describe_kind(item)
    return f"({text})" if isinstance(item, (list, tuple)) and ":" in text else text

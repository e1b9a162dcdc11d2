"""Compares plain values, and says in few words what differs and where."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from autograder.model.wire import Opaque


@runtime_checkable
class Recognised(Protocol):
    """An expected value that says itself whether another one is it, and nothing else of itself."""

    def matches(self, given: Any) -> bool: ...


SMALL = 24
"""Arrays with at most this many entries are shown whole."""


def mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """A list, tuple or dictionary with everything in it changed; anything else changed itself."""
    if isinstance(value, (list, tuple)):
        items = [mapped(change, item) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return {key: mapped(change, item) for key, item in value.items()}
    return change(value)


def as_numbers(value: Any) -> np.ndarray | None:
    """`value` as a numeric array: an array, a number or a regular nesting of numbers. None if it is none."""
    if isinstance(value, np.ndarray):
        return value
    if not isinstance(value, (bool, int, float, list, tuple)):
        return None
    try:
        array = np.array(value)
    except ValueError:  # not all of one shape
        return None
    return array if array.dtype.kind in "biuf" else None


def close(seen: Any, expected: Any, tolerance: float) -> bool:
    """Whether two values agree: numbers within `tolerance` of the largest expected entry (of 1 at least)."""
    return first_apart(seen, expected, tolerance) is None


def rows_close(seen: Any, expected: Any, tolerance: float) -> list[bool]:
    """Whether two values agree, row by row of all arrays in them; empty where they are not of one shape."""
    if isinstance(expected, dict):
        if not isinstance(seen, dict) or set(seen) != set(expected):
            return []
        return _rows_of_all([(seen[key], other) for key, other in expected.items()], tolerance)
    if _is_collection_of_arrays(expected) and isinstance(seen, (tuple, list)):
        return _rows_of_all([*zip(seen, expected)], tolerance) if len(seen) == len(expected) else []
    numbers, wanted = as_numbers(seen), as_numbers(expected)
    if numbers is None or wanted is None or not wanted.ndim:
        return [close(seen, expected, tolerance)]
    if numbers.shape != wanted.shape:
        return []
    return agreeing_entries(numbers, wanted, tolerance).all(axis=-1).ravel().tolist()


def _rows_of_all(pairs: list[tuple[Any, Any]], tolerance: float) -> list[bool]:
    found = [rows_close(one, other, tolerance) for one, other in pairs]
    return [row for rows in found for row in rows] if all(found) else []


def difference(seen: Any, expected: Any, tolerance: float) -> tuple[str, str, str] | None:
    """What is different (`what`, `got`, `expected`, each a short text), or None when the values agree.

    A number, a NumPy scalar, a list of numbers and an array of the same shape are the same thing here, and so
    are a list and a tuple.
    """
    found = first_apart(seen, expected, tolerance)
    if found is None:
        return None
    where, one, other = found
    what, got, wanted = _in_words(one, other, tolerance)
    return "".join(f"{name}: " for name in where) + what, got, wanted


def first_apart(
    seen: Any, expected: Any, tolerance: float, where: tuple[str, ...] = ()
) -> tuple[tuple[str, ...], Any, Any] | None:
    """The first place, in whatever is nested, where two values do not agree, and what stands there in both."""
    numbers = None if _is_collection_of_arrays(expected) else as_numbers(expected)
    inner: Iterable[tuple[str, Any, Any]] = ()
    if numbers is not None:
        own = as_numbers(seen)
        agree = own is not None and own.shape == numbers.shape and _all_agree(own, numbers, tolerance)
    elif isinstance(expected, dict):
        agree = isinstance(seen, dict) and set(seen) == set(expected)
        inner = ((str(key), seen[key], other) for key, other in expected.items())
    elif isinstance(expected, (list, tuple)):
        items = _items(seen)
        agree = len(items) == len(expected)
        inner = ((f"{ordinal(i)} result", *pair) for i, pair in enumerate(zip(items, expected)))
    elif isinstance(expected, Recognised):
        agree = expected.matches(seen)
    else:
        agree = type(seen) is type(expected) and seen == expected
    if not agree:
        return where, seen, expected
    found = (first_apart(one, other, tolerance, (*where, name)) for name, one, other in inner)
    return next((one for one in found if one is not None), None)


def _in_words(seen: Any, expected: Any, tolerance: float) -> tuple[str, str, str]:
    """What is different between two values that do not agree in themselves."""
    numbers = None if _is_collection_of_arrays(expected) else as_numbers(expected)
    if numbers is not None:
        return _numbers_differ(seen, numbers, tolerance)
    if isinstance(expected, dict) and isinstance(seen, dict):
        return ("the keys differ", ", ".join(map(str, seen)) or "none", ", ".join(map(str, expected)))
    if isinstance(expected, (dict, list, tuple)):
        return ("returned the wrong kind of thing", kind_of(seen), kind_of(expected))
    if isinstance(expected, Recognised):
        return ("another value is asked for", kind_of(seen, show=True), "")
    return ("returned something else", kind_of(seen, show=True), kind_of(expected, show=True))


def _is_collection_of_arrays(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(
        isinstance(item, np.ndarray) and item.ndim for item in value
    )


def _items(value: Any) -> list[Any] | tuple[Any, ...]:
    """What stands in a value one behind the other; nothing where it is no such value."""
    items = list(value) if isinstance(value, np.ndarray) and value.ndim else value
    return items if isinstance(items, (list, tuple)) else ()


def _numbers_differ(seen: Any, expected: np.ndarray, tolerance: float) -> tuple[str, str, str]:
    numbers = as_numbers(seen)
    if numbers is None:
        return ("returned the wrong kind of thing", kind_of(seen), kind_of(expected))
    if numbers.shape != expected.shape:
        return ("shape", str(numbers.shape), str(expected.shape))
    if expected.size <= SMALL:
        return ("values differ", *show_apart(numbers, expected))
    wrong = ~agreeing_entries(numbers, expected, tolerance)
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    where = f"values differ in {int(wrong.sum())} of {wrong.size} places, first at {list(place)}"
    return (where, *show_apart(numbers[place], expected[place]))


def _all_agree(seen: np.ndarray, expected: np.ndarray, tolerance: float) -> bool:
    """As `agreeing_entries(...).all()`, by the shortest way."""
    if seen.dtype == expected.dtype and seen.tobytes() == expected.tobytes():
        return True
    with np.errstate(invalid="ignore"):
        gap = float(np.abs(seen.astype(float) - expected).max(initial=0.0))
    if not math.isfinite(gap):
        return bool(agreeing_entries(seen, expected, tolerance).all())
    return gap <= tolerance * max(1.0, float(np.abs(expected).max(initial=0.0)))


def agreeing_entries(seen: np.ndarray, expected: np.ndarray, tolerance: float) -> np.ndarray:
    """For each entry of two arrays of one shape, whether it agrees as in `close`."""
    seen, expected = seen.astype(float), expected.astype(float)
    size = np.abs(expected)
    scale = max(1.0, float(size.max(initial=0.0, where=np.isfinite(size))))
    with np.errstate(invalid="ignore"):
        near = np.abs(seen - expected) <= tolerance * scale
    return near | (seen == expected) | (np.isnan(seen) & np.isnan(expected))


def ordinal(position: int) -> str:
    """The position as a word, counted from 0: first, second, third …"""
    words = ("first", "second", "third", "fourth")
    return words[position] if position < len(words) else f"{position + 1}th"


FIGURES, MOST_FIGURES = 3, 17
"""Behind the point: of numbers that are shown, and where fewer do not tell two floats apart."""


def show_apart(one: Any, other: Any) -> tuple[str, str]:
    """Two arrays of numbers as `show_numbers` does it, with as many figures as tell them apart."""
    for figures in range(FIGURES, MOST_FIGURES):
        texts = show_numbers(one, figures), show_numbers(other, figures)
        if texts[0] != texts[1]:
            return texts
    return show_numbers(one, MOST_FIGURES, small=True), show_numbers(other, MOST_FIGURES, small=True)


def show_numbers(value: Any, figures: int = FIGURES, small: bool = False) -> str:
    """Numbers in a line or a few, rounded to so many figures behind the point, be they so `small` that none shows."""
    numbers = np.asarray(value)
    if not small and numbers.dtype.kind == "f":
        numbers = np.where(np.abs(numbers) < 0.5 * 10.0**-figures, 0.0, numbers)  # never "-0."
    text = np.array2string(
        numbers,
        precision=figures,
        suppress_small=not small,
        threshold=2 * SMALL,
        max_line_width=70,
    )
    return " ".join(text.split()) if np.ndim(value) < 2 else text


def shown(value: Any) -> str:
    """The numbers that a value is, in as few lines as `show_numbers` takes; of anything else, what it is."""
    numbers = as_numbers(value)
    if numbers is None:
        return kind_of(value, show=True)
    if numbers.ndim:
        return show_numbers(numbers)
    return f"{numbers.item():.7g}" if numbers.dtype.kind == "f" else str(numbers.item())


def finite(value: Any) -> bool:
    """Whether no number in a value, however deep, is infinite or NaN."""
    if isinstance(value, dict):
        return all(map(finite, value.values()))
    numbers = as_numbers(value)
    if numbers is None and isinstance(value, (list, tuple)):
        return all(map(finite, value))
    return numbers is None or numbers.dtype.kind not in "fc" or bool(np.isfinite(numbers).all())


def kind_of(value: Any, show: bool = False) -> str:
    """What a value is, in words: "an array of shape (2, 3)", "nothing (None)", "two arrays" …"""
    if value is None:
        return "nothing (None): is there a return?"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}" if value.ndim else "a number"
    if isinstance(value, (list, tuple)):
        return _kind_of_collection(value)
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, (int, float)):
        return str(value) if show else "a number"
    if isinstance(value, str):
        return repr(value[:60])
    if isinstance(value, Opaque):
        return f"{'an' if value.kind.startswith(tuple('aeiou')) else 'a'} {value.kind}"
    if isinstance(value, dict):
        return "an Axes" if set(value) == {"axes"} else "a dictionary"
    return f"a {type(value).__name__}"


def _kind_of_collection(value: list[Any] | tuple[Any, ...]) -> str:
    if not value:
        return "an empty list"
    if all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in value):
        return f"{'a list of ' if isinstance(value, list) else ''}{len(value)} number{'s' * (len(value) > 1)}"
    kinds = [_kind_of_item(item) for item in value[:4]] + ["…"] * (len(value) > 4)
    return f"{len(value)} result{'s' * (len(value) > 1)}: {', '.join(kinds)}"


def _kind_of_item(item: Any) -> str:
    told = kind_of(item)
    return f"({told})" if isinstance(item, (list, tuple)) and ":" in told else told

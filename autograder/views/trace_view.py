"""A trace of an answer as text and as HTML, and its result beside the expected one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

import numpy as np

from autograder.calls.trace import Step, TracedCall, fold_loops
from autograder.exercises import values
from autograder.views.verdict_view import Section

MAX_VALUE_LENGTH, LINE_WIDTH = 60, 44
"""Characters of a value, and of the column with lines of code."""

MAX_ROWS, MAX_COLUMNS = 8, 8
"""The size of the part of an array that is shown around the marked entry."""

MARK = "◀"


@dataclass(frozen=True)
class Grid:
    """Numbers as texts in rows, and the row and column of the marked one."""

    rows: tuple[tuple[str, ...], ...]
    marked: tuple[int, int]


@dataclass(frozen=True)
class Comparison:
    """A result beside the expected one, as grids or as texts; where: the first place in which they differ."""

    where: str
    actual: Grid | str
    expected: Grid | str


# --- steps ---------------------------------------------------------------------------------------------------


def trace_section(
    title: str,
    call: TracedCall,
    differs: Comparison | None = None,
    notes: Mapping[Step, str] = MappingProxyType({}),
) -> Section:
    """Return the section with a call's steps, its end, and the first difference from the expected result.

    Args:
        title: The section's title.
        call: The call with its steps.
        differs: The first difference; None where there is none or nothing to compare with.
        notes: Remarks by step; such a step is outlined.
    """
    end = "It was ended here: it did not come to its end in time."
    if call.error:
        end = f"It raised {call.error}"
    elif call.returned:
        end = f"It returned {format_with_shape(call.value)}"
    lines, rows = [], ""
    for step in fold_loops(call):
        note = notes.get(step, "")
        results = [(name, *format_value(value)) for name, value in step.values.items()]
        remarks = [f"this changes the argument {name} itself" for name in step.changed] + [note] * bool(note)
        lines += _step_lines(step.text, results, remarks)
        rows += _step_rows(step, results, remarks, outlined=bool(note))
    head = "<thead><tr><th>line</th><th>made</th><th>shape</th></tr></thead>"
    html = f'<table class="steps">{head}{rows}</table><p>{escape(end)}</p>'
    lines.append(end)
    if differs is not None:
        lines += [differs.where, *_side_by_side(differs)]
        sides = {"got": _grid_html(differs.actual), "expected": _grid_html(differs.expected)}
        tables = "".join(f"<div><b>{name}</b>{side}</div>" for name, side in sides.items())
        html += f'<p>{escape(differs.where)}</p><div class="beside">{tables}</div>'
    return Section(title, "\n".join(lines), f'<div class="scrolled">{html}</div>')


def format_value(value: Any) -> tuple[str, str]:
    """Return a value in a few characters, and its shape, empty where it has none."""
    numbers = None if isinstance(value, (list, tuple)) else values.as_numbers(value)
    shape = str(numbers.shape) if numbers is not None and numbers.ndim else ""
    if isinstance(value, str):
        text = repr(value)
    elif numbers is not None:
        text = " ".join(values.format_value(value).split())
    elif isinstance(value, (list, tuple)):
        inner = ", ".join(format_value(item)[0] for item in value[:6]) + ", …" * (len(value) > 6)
        text = f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
        shape = f"list of {len(value)}" if isinstance(value, list) else ""
    else:
        text = "None" if value is None else values.describe_kind(value)
    return (text if len(text) <= MAX_VALUE_LENGTH else f"{text[: MAX_VALUE_LENGTH - 1]}…"), shape


def format_with_shape(value: Any) -> str:
    """Return a value in a few characters, followed by its shape."""
    return "   ".join(filter(None, format_value(value)))


def _step_lines(code: str, results: list[tuple[str, str, str]], remarks: list[str]) -> list[str]:
    comments = [f"{name} = " + "   ".join(filter(None, shown)) for name, *shown in results]
    comments += [f"{MARK} {remark}" for remark in remarks]
    rows = zip_longest([code], comments, fillvalue="")
    return [f"{code_line:<{LINE_WIDTH}}  {comment}".rstrip() for code_line, comment in rows]


def _step_rows(step: Step, results: list[tuple[str, str, str]], remarks: list[str], outlined: bool) -> str:
    if not step.line:
        return f'<tbody><tr><td colspan="3">{escape(step.text)}</td></tr></tbody>'
    cells = [(f"<b>{escape(name)}</b> = {escape(text)}", shape) for name, text, shape in results]
    cells += [(f"{MARK} {escape(remark)}", "") for remark in remarks]
    rows = [f'<td>{text}</td><td class="shape">{shape}</td>' for text, shape in cells or [("", "")]]
    code = f'<td rowspan="{len(rows)}"><code>{escape(step.text)}</code></td>'
    kind = ' class="differs"' * outlined
    return f"<tbody{kind}><tr>{code}{'</tr><tr>'.join(rows)}</tr></tbody>"


# --- what came back beside what was expected -----------------------------------------------------------------


def first_difference(actual: Any, expected: Any, tolerance: float) -> Comparison | None:
    """Return the first difference between two nested values; None where they agree."""
    place = values.find_difference(actual, expected, tolerance)
    if place is None:
        return None
    names, actual_part, expected_part = place
    array, right = values.as_numbers(actual_part), values.as_numbers(expected_part)
    if array is None or right is None or array.shape != right.shape or not right.size:
        return Comparison(*values.describe_difference(actual, expected, tolerance) or ("", "", ""))
    first = tuple(np.argwhere(~values.compare_entries(array, right, tolerance))[0].tolist())
    position = f"first wrong at {list(first)}" if first else "the number"
    return Comparison("".join(f"{name}, " for name in names) + position, *_grids(array, right, first))


def _grids(actual: np.ndarray, expected: np.ndarray, place: tuple[int, ...]) -> tuple[Grid, Grid]:
    """Return the part of both matrices around a place, with enough figures to tell the two apart."""
    row, column = (0, 0, *place)[-2:]
    first_row, first_column = max(0, row - MAX_ROWS + 1), max(0, column - MAX_COLUMNS + 1)
    part = np.s_[first_row : first_row + MAX_ROWS, first_column : first_column + MAX_COLUMNS]
    sides = [np.atleast_2d(array[place[:-2]])[part] for array in (actual, expected)]
    for figures in range(values.FIGURES, values.MOST_FIGURES):
        grids = [Grid(_texts(side, figures), (row - first_row, column - first_column)) for side in sides]
        first, second = (grid.rows[row - first_row][column - first_column] for grid in grids)
        if first != second:
            break
    return grids[0], grids[1]


def _texts(matrix: np.ndarray, figures: int) -> tuple[tuple[str, ...], ...]:
    are_integers = (matrix == np.round(matrix)).all()

    def text(number: Any) -> str:
        if not isinstance(number, float):
            return str(number)
        if abs(number) >= 1e6:
            return f"{number:.{figures}e}"
        return f"{number + 0:.{0 if are_integers else figures}f}"

    return tuple(tuple(map(text, row)) for row in matrix.tolist())


def _side_by_side(differs: Comparison) -> list[str]:
    left_lines = ["got", *_grid_lines(differs.actual)]
    right_lines = ["expected", *_grid_lines(differs.expected)]
    width = max(map(len, left_lines)) + 4
    rows = zip_longest(left_lines, right_lines, fillvalue="")
    return [f"{actual:<{width}}{expected}".rstrip() for actual, expected in rows]


def _grid_lines(side: Grid | str) -> list[str]:
    if isinstance(side, str):
        return side.split("\n")
    width = max(len(text) for row in side.rows for text in row)
    cells = [[f" {text:>{width}} " for text in row] for row in side.rows]
    row, column = side.marked
    cells[row][column] = f"[{side.rows[row][column]:>{width}}]"
    return ["".join(row) for row in cells]


def _grid_html(side: Grid | str) -> str:
    if isinstance(side, str):
        return f"<pre>{escape(side)}</pre>"
    cells = [[f"<td>{escape(text)}</td>" for text in row] for row in side.rows]
    row, column = side.marked
    text = escape(side.rows[row][column])
    cells[row][column] = f'<td class="differs" aria-label="first wrong entry: {text}">{text}</td>'
    return f"<table><tr>{'</tr><tr>'.join(map(''.join, cells))}</tr></table>"

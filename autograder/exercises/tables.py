"""Tables of pandas as plain data: how cases declare them, how they come back, and how two of them are compared."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from autograder.exercises import argument_kinds, values

MAX_SHOWN_CELLS = 12
"""Cells of a table that a verdict shows in full."""

Column = tuple[Any, str, Any]
"""A label, the name of a dtype, and an array of numbers or truth values, or else a list of plain values."""


@dataclass(frozen=True)
class Table(values.Composite):
    """A table as plain data: its columns, and the levels of its index. Dates are texts in ISO form."""

    columns: tuple[Column, ...]
    index: tuple[Column, ...]

    kind: ClassVar[str] = "Table"

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
        return f"{self.kind} of {self.n_rows} row{'s' * (self.n_rows != 1)}"

    def map_values(self, change: Callable[[Any], Any]) -> Table:
        """Return the table with its arrays and lists changed."""
        columns, index = (
            tuple((label, dtype, values.map_nested(change, column)) for label, dtype, column in part)
            for part in (self.columns, self.index)
        )
        return replace(self, columns=columns, index=index)

    def as_dict(self) -> dict[str, Any]:
        """Return the index and the columns by their labels."""
        index = {f"index {i}": column for i, (_, _, column) in enumerate(self.index)}
        return index | {repr(label): column for label, _, column in self.columns}

    def pair_parts(self, observed: Any, tolerance: float) -> list[tuple[str, Any, Any]] | None:
        """Return what differs from an observed table, by columns and the first row of each; None for another kind."""
        sizes = self.pair_sizes(observed)
        if sizes is None or sizes:
            return sizes
        pairs = [("index", *pair) for pair in zip(observed.index, self.index)]
        pairs += self._pair_columns(observed)
        return [
            (f"{name}, row {self._row_label(i)}", observed_cell, cell)
            for name, (_, _, observed_column), (_, _, column) in pairs
            for i, observed_cell, cell in _first_difference(observed_column, column, tolerance)
        ]

    def pair_sizes(self, observed: Any) -> list[tuple[str, Any, Any]] | None:
        """Return the names of columns or the sizes that differ; None for another kind."""
        if type(observed) is not type(self):
            return None
        if isinstance(self, DataFrame) and sorted(map(repr, observed.labels)) != sorted(
            map(repr, self.labels)
        ):
            first, second = (", ".join(map(str, table.labels)) or "none" for table in (observed, self))
            return [("columns", first, second)]
        sizes = [
            ("number of rows", observed.n_rows, self.n_rows),
            ("levels of the index", len(observed.index), len(self.index)),
        ]
        return [size for size in sizes if size[1] != size[2]]

    def _pair_columns(self, observed: Table) -> list[tuple[str, Any, Any]]:
        by_label = {repr(column[0]): column for column in observed.columns}
        return [(f"column {column[0]!r}", by_label[repr(column[0])], column) for column in self.columns]

    def _row_label(self, row: int) -> str:
        labels = [values.format_value(_cell(column[row])) for _, _, column in self.index]
        return labels[0] if len(labels) == 1 else f"({', '.join(labels)})"


@dataclass(frozen=True)
class DataFrame(Table):
    """A pandas DataFrame."""

    kind: ClassVar[str] = "DataFrame"

    def __str__(self) -> str:
        return f"{super().__str__()} and columns {', '.join(map(str, self.labels)) or 'none'}"


@dataclass(frozen=True)
class Series(Table):
    """A pandas Series: a table of one column."""

    kind: ClassVar[str] = "Series"

    def _pair_columns(self, observed: Table) -> list[tuple[str, Any, Any]]:
        return [("values", observed.columns[0], self.columns[0])]


def _length(column: Any) -> int:
    """Return the number of values in a column. Raises `TypeError` for what is no column: it may come from anywhere."""
    if isinstance(column, tuple) and len(column) == 3 and isinstance(column[1], str):
        cells = column[2]
        if isinstance(cells, list) or (isinstance(cells, np.ndarray) and cells.ndim == 1):
            return len(cells)
    raise TypeError("not a column")


def _first_difference(observed: Any, expected: Any, tolerance: float) -> list[tuple[int, Any, Any]]:
    """Return the first row in which two columns of one length differ, and what both hold there."""
    numbers, wanted = values.as_numbers(observed), values.as_numbers(expected)
    if numbers is not None and wanted is not None and numbers.shape == wanted.shape:
        differing = np.flatnonzero(~values.compare_entries(numbers, wanted, tolerance))
    else:
        pairs = zip(observed, expected)
        differing = np.flatnonzero([not values.are_close(*pair, tolerance) for pair in pairs])
    return [(int(i), _cell(observed[i]), _cell(expected[i])) for i in differing[:1]]


def _cell(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


# --- pandas, which is imported only where there is a table ------------------------------------------------------


def _make(table: Table) -> Any:
    import pandas

    index: Any = [pandas.Index(_make_column(column), name=column[0]) for column in table.index]
    index = index[0] if len(index) == 1 else pandas.MultiIndex.from_arrays(index)
    if index.dtype == "int64" and np.array_equal(index, np.arange(table.n_rows)):
        index = pandas.RangeIndex(table.n_rows, name=index.name)
    columns = [_make_column(column).set_axis(index) for column in table.columns]
    if isinstance(table, Series):
        return columns[0].rename(table.labels[0])
    frame = pandas.DataFrame(dict(enumerate(columns)), index=index)
    frame.columns = pandas.Index(table.labels, dtype=None if table.labels else "object")
    return frame


def _make_column(column: Column) -> Any:
    import pandas

    _, dtype, cells = column
    return pandas.Series(cells, dtype="object" if isinstance(cells, list) else None).astype(dtype)


def _recognise(value: Any) -> Table | None:
    pandas: Any = sys.modules.get("pandas")
    if pandas is None:
        return None
    if isinstance(value, pandas.DataFrame):
        columns = [_describe_column(value.columns[i], value.iloc[:, i]) for i in range(value.shape[1])]
        return DataFrame(tuple(columns), _describe_index(value.index))
    if isinstance(value, pandas.Series):
        return Series((_describe_column(value.name, value),), _describe_index(value.index))
    return None


def _describe_index(index: Any) -> tuple[Column, ...]:
    levels = [index.get_level_values(i).to_series() for i in range(index.nlevels)]
    return tuple(_describe_column(name, level) for name, level in zip(index.names, levels))


def _describe_column(label: Any, series: Any) -> Column:
    label, dtype, cells = values.map_nested(_describe_cell, label), str(series.dtype), series.infer_objects()
    if getattr(cells.dtype, "kind", "O") not in "biuf":
        return label, dtype, [_describe_cell(cell) for cell in cells]
    if isinstance(cells.dtype, np.dtype):
        return label, dtype, cells.to_numpy().copy()
    return label, dtype, cells.to_numpy(dtype=float, na_value=np.nan)  # truth values and integers with gaps


def _describe_cell(cell: Any) -> Any:
    import pandas

    if isinstance(cell, (bool, int, float, str, np.generic)) and not pandas.isna(cell):
        return _cell(cell)
    if cell is None or cell is pandas.NA or cell is pandas.NaT or cell != cell:
        return None
    return cell.isoformat() if hasattr(cell, "isoformat") else values.Opaque(type(cell).__name__)


def _declare(value: Any) -> Table | None:
    """Return the declaration of a live table; None where another one would be made of it."""
    table = _recognise(value)
    if table is None:
        return None
    try:
        is_same = _make(table).equals(value)
    except (TypeError, ValueError):
        return None
    return table if is_same else None


def _in_short(table: Table, hidden: bool) -> str:
    if hidden or table.n_rows * len(table.columns) > MAX_SHOWN_CELLS:
        return f"(a {table})"
    columns = {
        label: column if isinstance(column, list) else column.tolist() for label, _, column in table.columns
    }
    return f"= {columns if isinstance(table, DataFrame) else [*columns.values()][0]}"


for _declared in (DataFrame, Series):
    argument_kinds.register(
        argument_kinds.Kind(
            _declared,
            make=_make,
            after=lambda declared: declared,
            recognise=_recognise,
            in_short=_in_short,
            declare=_declare,
        )
    )

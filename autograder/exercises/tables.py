"""Tables of pandas as arguments and results. pandas is imported only where there is a table."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds
from autograder.exercises.values import Column, DataFrame, Opaque, Series, Table

MAX_SHOWN_CELLS = 12
"""Cells of a table that a verdict shows in full."""


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
    label, dtype = argument_kinds.map_nested(_describe_cell, label), str(series.dtype)
    cells = series.infer_objects()
    if getattr(cells.dtype, "kind", "O") not in "biuf":
        return label, dtype, [_describe_cell(cell) for cell in cells]
    if isinstance(cells.dtype, np.dtype):
        return label, dtype, cells.to_numpy().copy()
    return label, dtype, cells.to_numpy(dtype=float, na_value=np.nan)  # truth values and integers with gaps


def _describe_cell(cell: Any) -> Any:
    import pandas

    if isinstance(cell, (bool, int, float, str, np.generic)) and not pandas.isna(cell):
        return cell.item() if isinstance(cell, np.generic) else cell
    if cell is None or cell is pandas.NA or cell is pandas.NaT or cell != cell:
        return None
    return cell.isoformat() if hasattr(cell, "isoformat") else Opaque(type(cell).__name__)


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

"""Some cells of a notebook, and those before them that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from symtable import SymbolTable, symtable

from nbformat import NotebookNode


def needed(cells: Sequence[NotebookNode], wanted: Callable[[NotebookNode], bool]) -> list[NotebookNode]:
    """The cells that are wanted, those that bind a name which they read, and the texts right above them."""
    kept: list[NotebookNode] = []
    names: set[str] = set()
    keeps = False
    for cell in reversed(cells):
        if cell.cell_type == "code":
            table = symtable(cell.source, cell.id, "exec")
            bound = {one.get_name() for one in table.get_symbols() if one.is_assigned() or one.is_imported()}
            keeps = wanted(cell) or bool(bound & names)
            if keeps:
                names = (names | set(_read(table))) - bound
        if keeps:
            kept.insert(0, cell)
    return kept


def _read(table: SymbolTable) -> Iterator[str]:
    """The names of its notebook that a cell reads, at once or in a function."""
    yield from (one.get_name() for one in table.get_symbols() if one.is_global() and one.is_referenced())
    for inner in table.get_children():
        yield from _read(inner)

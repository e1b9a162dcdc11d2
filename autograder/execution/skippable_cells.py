"""Finds the lesson's own cells that grading need not run: those that only show something.

A lesson's unmarked code cells draw and print. No answer can depend on such a cell if the student left it unchanged and
no cell that runs reads a name from it. A cell reads names from cells before it, its functions from any cell. The
lessons' own cells bind their names before they read them.
"""

from __future__ import annotations

import functools
import symtable
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from autograder.sandbox.inside.cell_syntax import CellTransformer

LOOKS_ANYWHERE = {"eval", "exec", "globals", "locals", "vars", "get_ipython", "__import__"}
"""Names through which code can refer to any variable without naming it."""


def find_skippable(cells: Sequence[tuple[int, str]], illustrations: Collection[str]) -> list[int]:
    """Return the positions of the code cells that need not run.

    Args:
        cells: The positions and texts of the notebook's code cells.
        illustrations: The texts of the lesson's unmarked cells.
    """
    code = {i: text.strip() for i, text in cells}
    unchanged = {i for i, text in code.items() if text in illustrations}
    names = {i: parse_names(text) for i, text in code.items()}
    skipped, running = set(unchanged), [i for i in code if i not in unchanged]
    while running:
        reader = running.pop()
        bound = names[reader].bound if reader in unchanged else set()
        if names[reader].read & LOOKS_ANYWHERE:
            return []
        later, now = names[reader].later - bound, names[reader].now - bound
        needed = {i for i in skipped if names[i].bound & (later | now if i < reader else later)}
        skipped -= needed
        running += needed
    return sorted(skipped)


@dataclass(frozen=True)
class Names:
    """The global names that a cell binds, that it reads when it runs, and that its functions read later."""

    bound: frozenset[str] = frozenset()
    now: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()

    @property
    def read(self) -> frozenset[str]:
        """Return all names that it reads."""
        return self.now | self.later


@functools.lru_cache(maxsize=1024)
def parse_names(text: str) -> Names:
    """Return a cell's names; none for a cell that cannot be compiled."""
    try:
        table = symtable.symtable(CellTransformer().transform_cell(text), "cell", "exec")
    except (SyntaxError, ValueError, RuntimeError, MemoryError):
        return Names()
    top = table.get_symbols()
    inner = [symbol for child in table.get_children() for symbol in _global_symbols(child)]
    return Names(
        bound=_named(symbol for symbol in (*top, *inner) if symbol.is_assigned() or symbol.is_imported()),
        now=_named(symbol for symbol in top if symbol.is_referenced()),
        later=_named(symbol for symbol in inner if symbol.is_referenced()),
    )


def _global_symbols(table: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    yield from (symbol for symbol in table.get_symbols() if symbol.is_global())
    for child in table.get_children():
        yield from _global_symbols(child)


def _named(symbols: Iterable[symtable.Symbol]) -> frozenset[str]:
    return frozenset(symbol.get_name() for symbol in symbols)

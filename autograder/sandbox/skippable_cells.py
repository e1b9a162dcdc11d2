"""Which of the course's own cells a grading need not run: those that only show something.

A lesson's unmarked code cells draw and print. When a student has left one as it came, and nothing that does run
reads a name from it, no answer can depend on it. A cell reads from those before it, its functions from any; the
lessons' own cells bind their names before they read them.
"""

from __future__ import annotations

import functools
import symtable
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from autograder.sandbox.inside.cell_syntax import CellTransformer

LOOKS_ANYWHERE = {"eval", "exec", "globals", "locals", "vars", "get_ipython", "__import__"}
"""Names through which code can refer to any other without naming it."""


def find_skippable(cells: Sequence[tuple[int, str]], illustrations: Collection[str]) -> list[int]:
    """The positions of the code cells that need not run, of those with these positions and texts.

    illustrations: the texts of the lesson's unmarked cells.
    """
    code = {i: text.strip() for i, text in cells}
    shown = {i for i, text in code.items() if text in illustrations}
    names = {i: parse_names(text) for i, text in code.items()}
    left_out, running = set(shown), [i for i in code if i not in shown]
    while running:
        reader = running.pop()
        own = names[reader].bound if reader in shown else set()
        if names[reader].read & LOOKS_ANYWHERE:
            return []
        later, now = names[reader].later - own, names[reader].now - own
        needed = {i for i in left_out if names[i].bound & (later | now if i < reader else later)}
        left_out -= needed
        running += needed
    return sorted(left_out)


@dataclass(frozen=True)
class Names:
    """The notebook-wide names that a cell binds, reads at once, and reads when a function of its is called."""

    bound: frozenset[str] = frozenset()
    now: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()

    @property
    def read(self) -> frozenset[str]:
        """Those read sooner or later."""
        return self.now | self.later


@functools.lru_cache(maxsize=1024)
def parse_names(text: str) -> Names:
    """A cell's names. A cell that cannot be compiled has none."""
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

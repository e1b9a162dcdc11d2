"""Which of the course's own cells a grading need not run: those that only show something.

A lesson's unmarked code cells draw and print. When a student has left one as it came, and nothing that does run
refers to a name it binds, no answer can depend on it.
"""

from __future__ import annotations

import functools
import symtable
from collections.abc import Collection, Sequence

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

LOOKS_ANYWHERE = {"eval", "exec", "globals", "locals", "vars", "get_ipython", "__import__"}
"""Names through which code can refer to any other without naming it."""


def unneeded(cells: Sequence[NotebookNode], illustrations: Collection[str]) -> set[int]:
    """The positions of the cells that need not run. illustrations: the texts of the lesson's unmarked cells."""
    code = {i: cell.source.strip() for i, cell in enumerate(cells) if cell.cell_type == "code"}
    left_out = {i for i, text in code.items() if text in illustrations}
    names = {i: _names(text) for i, text in code.items()}
    while True:
        read = set().union(*(names[i].read for i in code if i not in left_out))
        needed = {i for i in left_out if names[i].bound & read or read & LOOKS_ANYWHERE}
        if not needed:
            return left_out
        left_out -= needed


@functools.lru_cache(maxsize=1024)
def _names(text: str) -> _Names:
    return _Names(text)


class _Names:
    """The notebook-wide names that a cell binds and reads. A cell that cannot be compiled does neither."""

    def __init__(self, text: str) -> None:
        self.bound: set[str] = set()
        self.read: set[str] = set()
        try:
            table = symtable.symtable(TransformerManager().transform_cell(text), "cell", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        self._collect(table)

    def _collect(self, table: symtable.SymbolTable) -> None:
        top = table.get_type() == "module"
        for symbol in table.get_symbols():
            if top or symbol.is_global():
                self.read |= {symbol.get_name()} if symbol.is_referenced() else set()
                self.bound |= {symbol.get_name()} if symbol.is_assigned() or symbol.is_imported() else set()
        for child in table.get_children():
            self._collect(child)

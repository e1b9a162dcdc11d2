"""The student's half of a solution cell."""

from __future__ import annotations

import ast

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions

from autograder.author.source import BEGIN, END


class TodoStubs(ClearSolutions):
    """nbgrader's `ClearSolutions`, but a solution at the top level of a cell leaves its names behind.

    `weights = [0.4, 0.2, 0.4]` becomes `weights = ...  # TODO`, so that the cell still runs; inside a function
    the configured stub is used.
    """

    def _replace_solution_region(self, cell: NotebookNode, language: str) -> bool:
        if cell.cell_type == "code" and f"\n{BEGIN}\n" in f"\n{cell.source}\n":
            cell.source = with_names_left(cell.source)
            return True
        return bool(super()._replace_solution_region(cell, language))


def with_names_left(text: str) -> str:
    """`text` with each top-level solution region replaced by `name = ...` for the names it assigns."""
    lines: list[str] = []
    region: list[str] | None = None
    for line in text.split("\n"):
        if line == BEGIN:
            region = []
        elif line == END and region is not None:
            lines += [f"{name} = ...  # TODO" for name in _assigned("\n".join(region))]
            region = None
        else:
            (lines if region is None else region).append(line)
    return "\n".join(lines)


def _assigned(text: str) -> list[str]:
    """The names that assignments at the top level bind, in order, each once."""
    names: dict[str, None] = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names.update(
                (node.id, None) for t in targets for node in ast.walk(t) if isinstance(node, ast.Name)
            )
    return list(names)

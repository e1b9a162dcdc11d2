"""Find names that a notebook has overwritten and that an answer needs: `sum = 0`, `np = 5`."""

from __future__ import annotations

import ast
import builtins
import dis
from collections.abc import Mapping
from contextlib import suppress
from types import CodeType, FunctionType, ModuleType
from typing import Any

from autograder.calls.call import find_code


def describe_overwritten(answer: Any, namespace: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each function or module that an answer needs and the notebook has overwritten.

    The imports of the cells that ran say what a name was. A name that is another function now counts as intended.
    """
    sentences = []
    imports = _imports(namespace.get("In", ()))
    for name in sorted(_names(answer, namespace)):
        value = namespace.get(name)
        if name not in namespace or callable(value) or isinstance(value, ModuleType):
            continue
        repair = imports.get(name) or (f"del {name}" if callable(getattr(builtins, name, None)) else "")
        if repair:
            current = "..." if value is ... else type(value).__name__
            sentences.append(
                f"The notebook has overwritten `{name}` (now {current}). To bring it back, run `{repair}`."
            )
    return sentences


def _names(answer: Any, namespace: Mapping[str, Any]) -> set[str]:
    """Return the global names that an answer and the notebook's functions it may call look up."""
    waiting, codes, names = find_code(answer), set[CodeType](), set[str]()
    while waiting:
        code = waiting.pop()
        if code in codes:
            continue
        codes.add(code)
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for instruction in dis.get_instructions(code):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                names.add(instruction.argval)
                value = namespace.get(instruction.argval)
                if isinstance(value, FunctionType) and value.__globals__ is namespace:
                    waiting.append(value.__code__)
    return names


def _imports(cells: Any) -> dict[str, str]:
    """Return the import statement of each imported name."""
    statements: dict[str, str] = {}
    for cell in cells:
        with suppress(SyntaxError, ValueError):
            for node in ast.parse(cell).body:
                for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
                    first = alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name
                    alone = type(node)(**{**vars(node), "names": [alias]})
                    statements[alias.asname or first] = ast.unparse(alone)
    return statements

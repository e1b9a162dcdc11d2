"""Other forms of answers, as learners write them: with the body in a helper, or with a branch of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.exercises.exercise import Exercise

SPECIAL = (
    "{} is None",
    "{}.ndim == 1",
    "{}.ndim == 2",
    "{}.ndim == 3",
    "len({}) == 1",
    "{}.shape[-1] == 1",
    "{}.shape[-2] == 1",
    "{} == 0",
    "{} == 1",
)
"""What learners give a branch of its own, of an argument."""

GUARDED = """
{wrong}
_slip = {name}
{right}
_right = {name}

def _holds(test):
    try:
        return bool(test())
    except Exception:
        return False

def {name}({arguments}):
    if _holds(lambda: {test}):
        return _right({passed})
    return _slip({passed})
"""


def guarded(exercise: Exercise, wrong: str, right: str) -> Iterator[str]:
    """Yield a wrong function with a branch that is right, for each of what looks special."""
    (function,) = ast.parse(f"def {exercise.signature}:\n    pass").body
    assert isinstance(function, ast.FunctionDef)
    names = [argument.arg for argument in function.args.args]
    texts = {"wrong": wrong, "right": right, "name": exercise.id, "passed": ", ".join(names)}
    for name in names:
        for special in SPECIAL:
            test = special.format(name)
            yield GUARDED.format(**texts, test=test, arguments=ast.unparse(function.args))


def helped(exercise: Exercise, code: str, right: str) -> Iterator[str]:
    """Yield an answer with its body in a helper, where it is a function."""
    tree = ast.parse(code)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == exercise.id:
            passed = ", ".join(argument.arg for argument in node.args.args)
            outer = ast.parse(f"def {node.name}({ast.unparse(node.args)}):\n    return _work_out({passed})")
            node.name = "_work_out"
            yield f"{ast.unparse(tree)}\n{ast.unparse(outer)}\n"

"""A word on a right answer where there is one worth saying: one at most, on what was seen, and none on style.

A loop that takes an array's entries one at a time is told where the course's own answer, whose box this answer has
opened, has no loop. Anything else is told only where the plainer form was asked the visible cases, and is right there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from html import escape
from textwrap import fill
from typing import Any

import numpy as np

from autograder.model import common, kinds
from autograder.model.exercise import Key
from autograder.student import ladder
from autograder.student.probe import Question
from autograder.student.report import Section
from autograder.student.slips import ask_instead, defined_by, tree_of

TITLE = "A word on your answer"
AT_ONCE = (
    "Right as it stands. Your loop goes through ",
    "; in the course's answer, below, one line takes all of it at once: ",
)
PLAINER = ("Right as it stands. ", " can be ", ": so written it is right on all visible cases as well.")

WIDTH = 84
LOOPS = (ast.For, ast.While, ast.comprehension)
MEASURES = ("shape", "ndim", "dtype")
COPIES = ("copy", "clone", "deepcopy")
WRITING = ("sort", "fill", "append", "extend", "insert", "pop", "put", "resize", "shuffle")
"""Methods that change what they are called on; so do those of tensors whose names end in _."""


def word_on(key: Key, namespace: Mapping[str, Any], own: str) -> list[Section]:
    """At most one word on a right answer; own: the course's, as it stands in the box."""
    with suppress(Exception):  # what stands in a cell may be anything
        tree = tree_of(namespace[key.exercise])
        mine, course = (_called(one, key.exercise) for one in (tree, ast.parse(own)))
        for words, codes in (*_taken_at_once(key, mine, course), *_plainer(key, namespace, tree, mine)):
            parts = [*zip(words, (*codes, ""))]
            text = "".join(word + f"`{code}`" * bool(code) for word, code in parts)
            html = "".join(escape(word) + f"<code>{escape(code)}</code>" * bool(code) for word, code in parts)
            return [Section(TITLE, fill(text, WIDTH, break_on_hyphens=False), f"<p>{html}</p>")]
    return []


def _called(tree: ast.AST, exercise: str) -> ast.FunctionDef:
    """The function that is called, of a class its `forward`."""
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    return next(one for one in functions if one.name in (exercise, "forward"))


def _arguments(function: ast.FunctionDef) -> list[str]:
    return [one.arg for one in function.args.args if one.arg != "self"]


# --- a loop -----------------------------------------------------------------------------------------------------


def _taken_at_once(
    key: Key, mine: ast.FunctionDef, course: ast.FunctionDef
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """An array among the arguments through which a loop goes, and the course's first line that takes it whole."""
    if any(isinstance(one, LOOPS) for one in ast.walk(course)):
        return
    for position, (name, theirs) in enumerate(zip(_arguments(mine), _arguments(course))):
        if _is_array(key, position) and any(_goes_along(loop, name) for loop in ast.walk(mine)):
            lines = (one for one in course.body if isinstance(one, (ast.Assign, ast.Return)))
            yield from ((AT_ONCE, (name, ast.unparse(one))) for one in lines if _computes_with(one, theirs))


def _is_array(key: Key, position: int) -> bool:
    given = [kinds.after(case.args[position]) for case in key.cases if len(case.args) > position]
    return bool(given) and all(isinstance(one, np.ndarray) and one.ndim for one in given)


def _goes_along(loop: ast.AST, name: str) -> bool:
    """Whether a loop goes through an argument itself, or asks for its entries by the number that it counts."""
    turns: list[Any] = [loop] if isinstance(loop, ast.For) else getattr(loop, "generators", [])
    for turn in turns:
        through = turn.iter.args if _calls(turn.iter, "zip", "enumerate") else [turn.iter]
        asked = (one for one in ast.walk(loop) if isinstance(one, ast.Subscript) and _is(one.value, name))
        firsts = (one.slice.elts[0] if isinstance(one.slice, ast.Tuple) else one.slice for one in asked)
        counted = isinstance(turn.target, ast.Name) and any(_is(one, turn.target.id) for one in firsts)
        if counted or any(_is(one, name) for one in through):
            return True
    return False


def _is(node: Any, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _calls(node: Any, *names: str) -> bool:
    return isinstance(node, ast.Call) and any(_is(node.func, name) for name in names)


def _computes_with(line: ast.Assign | ast.Return, name: str) -> bool:
    """Whether a line reads an argument, and neither asks for its lengths alone nor only brings it into shape."""
    parts: list[Any] = [*ast.walk(line)]
    measured = [one.value for one in parts if isinstance(one, ast.Attribute) and one.attr in MEASURES]
    measured += [one.args[0] for one in parts if isinstance(one, ast.Call) and _calls(one, "len")]
    read = any(_is(one, name) and isinstance(one.ctx, ast.Load) and one not in measured for one in parts)
    return read and not any(_is(one, name) for one in getattr(line, "targets", []))


# --- what is not needed -----------------------------------------------------------------------------------------


def _plainer(
    key: Key, namespace: Mapping[str, Any], tree: ast.AST, mine: ast.FunctionDef
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """What can be written plainer, and how. A copy is left alone where something is written into, or it is returned."""
    returns = (node for node in ast.walk(mine) if isinstance(node, ast.Return))
    returned = [one for node in returns for one in _parts_of(node.value)]
    kept = [] if _writes(mine) else _arguments(mine)
    for node in ast.walk(mine):
        named = [one.id for one in getattr(node, "targets", []) if isinstance(one, ast.Name)]
        for put, old in _expressions(node):
            goes_out = old in returned or any(_is(one, name) for one in returned for name in named)
            new = _simpler(old, [] if goes_out else kept)
            if new is None:
                continue
            put(new)
            if _is_right(key, namespace, tree):
                yield PLAINER, (ast.unparse(old), ast.unparse(new))
            put(old)


def _parts_of(value: ast.expr | None) -> Sequence[ast.expr | None]:
    return value.elts if isinstance(value, ast.Tuple) else [value]


def _expressions(node: ast.AST) -> Iterator[tuple[Any, ast.expr]]:
    """What stands in a node, each behind what puts another in its place."""
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.expr):
            yield partial(setattr, node, field), value
        elif isinstance(value, list):
            inner = ((i, one) for i, one in enumerate(value) if isinstance(one, ast.expr))
            yield from ((partial(value.__setitem__, i), one) for i, one in inner)


def _simpler(node: ast.expr, kept: Sequence[str]) -> ast.expr | None:
    """An expression without a copy of an argument, without turning what could stand turned, or without an inverse."""
    match node:
        case ast.Call(ast.Attribute(ast.Name(name) as copied, attr), [], []) | ast.Call(
            ast.Attribute(_, attr), [ast.Name(name) as copied], []
        ) if attr in COPIES and name in kept:
            return copied
        case ast.Attribute(ast.Attribute(inner, "T"), "T"):
            return inner
        case ast.Attribute(ast.BinOp(left, ast.MatMult(), ast.Attribute(right, "T")), "T"):
            return ast.BinOp(right, ast.MatMult(), ast.Attribute(left, "T", ast.Load()))
        case ast.Attribute(
            ast.Call(ast.Attribute(_, "einsum") as einsum, [ast.Constant(str(said)), *given]), "T"
        ) if "->" in said:
            before, arrow, behind = said.partition("->")
            return ast.Call(einsum, [ast.Constant(before + arrow + behind[::-1]), *given], [])
        case ast.BinOp(ast.Call(ast.Attribute(module, "inv"), [matrix]), ast.MatMult(), right):
            return ast.Call(ast.Attribute(module, "solve", ast.Load()), [matrix, right], [])
    return None


def _writes(function: ast.FunctionDef) -> bool:
    """Whether it may write into something."""

    def does(node: ast.AST) -> bool:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called = node.func.attr
            return called in WRITING or (called.endswith("_") and not called.endswith("__"))
        if isinstance(node, ast.Subscript):
            return isinstance(node.ctx, ast.Store)
        return isinstance(node, ast.AugAssign) or isinstance(node, ast.keyword) and node.arg == "out"

    return any(map(does, ast.walk(function)))


def _is_right(key: Key, namespace: Mapping[str, Any], tree: ast.AST) -> bool:
    """Whether a definition is right on the visible cases, and writing into what it gives changes no argument."""
    cases = tuple(replace(case, scribble=True) for case in key.cases)
    seen = ask_instead(Question(key.exercise, (), cases), defined_by(tree, namespace), namespace)
    kept = all(common.written_into(case, one) is None for case, one in zip(cases, seen.observations))
    return kept and ladder.all_right(replace(key, cases=cases), seen)

"""Every reference solution, wrong in one small place at a time: whatever behaves otherwise must be refused."""

from __future__ import annotations

import ast
import copy
import difflib
import functools
import os
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from autograder.answers.trials import make_namespace, question_to
from autograder.calls.timeout import interrupt_after
from autograder.courses import lesson_source
from autograder.exercises.exercise import AnswerKey, Exercise
from autograder.judging import judge
from autograder.tests.this_course import (
    COURSE,
    find_exercise,
    find_lesson,
    lessons,
    nameless_key,
)

STUDENT = "amy"
CONTEXT = 12
"""How many characters of an unchanged line are shown before and behind what changes."""

SECONDS = 10
"""A mutant that computes longer than this on one exercise's cases is counted as refused."""

EQUIVALENT: Mapping[str, Sequence[str]] = tomllib.loads(
    (COURSE.solutions / "equivalent_mutants.toml").read_text(encoding="utf-8")
)
"""Mutants that get full points, under the reason why no legal input can tell them from the reference."""

SURVIVORS: Mapping[str, str] = {name: reason for reason, names in EQUIVALENT.items() for name in names}
"""The same, mutant by mutant."""


@functools.cache
def survived(lesson: str, exercise: str) -> Mapping[str, bool]:
    """All mutants of an exercise's reference, and whether each gets full points of one student's hidden cases."""
    asked = find_exercise(lesson, exercise)
    return {name: _survives(lesson, asked, name, code) for name, code in mutants_of(lesson, exercise).items()}


def complaints() -> list[str]:
    """Unexplained survivors and stale explanations, each in a line."""
    tried = [survived(lesson.id, exercise.id) for lesson in lessons() for exercise in lesson.exercises]
    survivors = {name for mutants in tried for name, survives in mutants.items() if survives}
    return [
        *(f"gets full points, without an explanation: {name}" for name in sorted(survivors - set(SURVIVORS))),
        *(f"explained, but refused or gone: {name}" for name in sorted(set(SURVIVORS) - survivors)),
    ]


def _survives(lesson: str, exercise: Exercise, name: str, code: str) -> bool:
    """What is refused on some cases is refused on all; so is what is refused when it is asked once.

    One is asked first, then the visible ones that cost little, and a student's only where that tells nothing.
    """
    whole = nameless_key(lesson, exercise.id, STUDENT)
    cheap = [i for i, case in enumerate(whole.cases) if not (case.hidden or case.once)] or [0]
    keys = [*(_key_of(whole, places) for places in (cheap[:1], cheap)), whole]
    return all(_passes(lesson, exercise, name, code, key) for key in keys)


def _key_of(key: AnswerKey, places: Sequence[int]) -> AnswerKey:
    """The key of the cases in these places, which are asked once."""
    cases = tuple(replace(key.cases[i], once=True) for i in places)
    return replace(key, cases=cases, expected=tuple(key.expected[i] for i in places))


def _passes(lesson: str, exercise: Exercise, name: str, code: str, key: AnswerKey) -> bool:
    of = find_lesson(lesson)
    names = make_namespace(of, exercise)
    question = question_to(code, of, key)
    try:
        with interrupt_after(SECONDS) as limit:
            try:
                exec(compile(code, name, "exec"), names)
            except Exception:
                return False
            asked = judge.ask_in_process(of, question, names, lambda own: False)
    except KeyboardInterrupt:
        if not limit.passed:
            raise
        return False
    return judge.judge(key, asked).state == "right"


# --- changing a tree ------------------------------------------------------------------------------------------


def mutants_of(lesson: str, exercise: str) -> dict[str, str]:
    """The reference's code with one change each, without repeats, by the lines that differ."""
    tree = _without_annotations(
        ast.parse(lesson_source.strip_solution_marks(find_lesson(lesson).solution(exercise)))
    )
    before = ast.unparse(tree)
    names, mutants = Counter[str](), dict[str, str]()
    for code in dict.fromkeys(_changed(tree)):
        if code != before:
            name = f"{lesson} {exercise}: {_difference(before, code)}"
            names[name] += 1
            mutants[name if names[name] == 1 else f"{name} ({names[name]})"] = code
    return mutants


def _difference(before: str, after: str) -> str:
    lines = [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]
    old = "; ".join(line[2:].strip() for line in lines if line[0] == "-")
    new = "; ".join(line[2:].strip() for line in lines if line[0] == "+")
    start = max(0, len(os.path.commonprefix([old, new])) - CONTEXT)
    end = max(0, len(os.path.commonprefix([old[start:][::-1], new[start:][::-1]])) - CONTEXT)
    return f"{old[start : len(old) - end].strip()} -> {new[start : len(new) - end].strip()}"


def _without_annotations(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return tree


def _changed(tree: ast.Module) -> Iterator[str]:
    """The code of the tree with one node replaced, of each."""
    taste = {id(node) for keyword in ast.walk(tree) if _is_taste(keyword) for node in ast.walk(keyword)}
    for node in [one for one in ast.walk(tree) if id(one) not in taste]:
        for field, index, child in [*_children(node)]:
            for replacement in _replacements(child):
                _put(node, field, index, replacement)
                code = ast.unparse(ast.fix_missing_locations(tree))
                _put(node, field, index, child)
                yield code


def _put(node: ast.AST, field: str, index: int | None, child: ast.AST) -> None:
    if index is None:
        setattr(node, field, child)
    else:
        getattr(node, field)[index] = child


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for field, value in ast.iter_fields(node):
        for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(child, ast.AST) and not _is_docstring(child):
                yield field, index, child


def _is_taste(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword) and node.arg in LOOKS


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


SWAPS = """
Add:Sub,Mult Sub:Add Mult:Div,Add Div:Mult,FloorDiv FloorDiv:Mult Mod:Mult Pow:Mult MatMult:Mult
BitAnd:BitOr BitOr:BitAnd And:Or Or:And Lt:LtE,Gt LtE:Lt,GtE Gt:GtE,Lt GtE:Gt,LtE
Eq:NotEq NotEq:Eq Is:IsNot IsNot:Is In:NotIn NotIn:In
"""
OPERATORS = {
    getattr(ast, old): [getattr(ast, name) for name in new.split(",")]
    for old, new in (pair.split(":") for pair in SWAPS.split())
}
"""What each operator is swapped for."""

TURNS = ("T", "mT")
LOOKS = ("figsize", "layout", "cmap", "vmin", "vmax", "rotation")
"""Arguments that change how a picture looks and not what it says: a matter of taste, left alone."""

STATEMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.If, ast.For, ast.Raise)


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in a node's place."""
    yield from (other() for other in OPERATORS.get(type(node), []))
    if isinstance(node, STATEMENTS):
        yield ast.Pass()
    if isinstance(node, ast.Constant):
        yield from _other_constants(node)
    elif isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
        if not isinstance(node.op, (ast.Add, ast.Mult)):
            yield ast.BinOp(node.right, node.op, node.left)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Attribute) and node.attr in TURNS:
        yield node.value
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield _with(node, ifs=[])
    elif isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        yield _with(node, elts=[node.elts[1], node.elts[0], *node.elts[2:]])
    elif isinstance(node, ast.Call):
        yield from _other_calls(node)


def _other_constants(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, (int, float)):
        yield from (ast.Constant(node.value + 1), ast.Constant(node.value - 1))


def _other_calls(node: ast.Call) -> Iterator[ast.AST]:
    """Without the call around its argument or behind its object, and with arguments dropped or swapped."""
    if node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]
    if isinstance(node.func, ast.Attribute):
        yield node.func.value
    for i, keyword in enumerate(node.keywords):
        if keyword.arg not in LOOKS:
            yield _with(node, keywords=node.keywords[:i] + node.keywords[i + 1 :])
    for i in range(len(node.args)):
        yield _with(node, args=node.args[:i] + node.args[i + 1 :])
    for i in range(len(node.args) - 1):
        swapped = [*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]]
        yield _with(node, args=swapped)


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed

"""Slips in how a function is written, whatever it is about: a return inside the loop, `=` for `+=`.

None is told by the code alone. Each place of a function that looks like one is mended in a copy, and the copy is asked
the visible cases: where it does right what fails, the slip has its name.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import re
import tomllib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.checks.call import find_code
from autograder.checks.runner import ASKED, MISSING, STATES, Answers, Question, ask
from autograder.checks.timeout import interrupt_after
from autograder.exercises.limits import MAX_MENDED_SECONDS, MAX_SLIP_PLACES

WITHOUT = "without "
"""Before the name of a slip, where a question wants the line taken out and not mended."""

IN_TORCH = {"max": "amax", "min": "amin", "array": "tensor", "transpose": "permute"}
"""PyTorch's names of NumPy's functions, where they differ."""

CHANGE_AND_GIVE_NOTHING = frozenset(
    ("add", "append", "clear", "discard", "extend", "insert", "remove", "seed", "shuffle", "update")
)
"""Methods that are called for what they change."""

HOLDS_STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)

Block = list[ast.stmt]
Edit = Callable[[], None]

Places = Iterator[Sequence[Edit]]
"""For each place of a tree where a slip may be, what mends it there, and perhaps what leaves it out."""

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class CodeSlip:
    """places: where in a tree, a function's or a class's, it may be, in a notebook's namespace.

    left_out: whether what is mended is left out, too: where that does right as well, the line is not needed, and
        nothing is wrong with how it is written.
    vague: whether a listed misconception that explains the same is the better name.
    raising: whether it is told as well where every call ends in an error, and with the slip mended none does.
    """

    name: str
    places: Callable[[ast.AST, Mapping[str, Any]], Places]
    left_out: bool = False
    vague: bool = False
    raising: bool = False

    @property
    def looks_like(self) -> str:
        """The phrase after "Looks like:"."""
        return f"{self.name}: {_WORDS[self.name]['detail']}"

    @property
    def question(self) -> str:
        """What leads to it."""
        return str(_WORDS[self.name]["question"])


def find_code_slip(
    answers: Answers,
    question: Question,
    put: Callable[[Question], Answers],
    right: Callable[[Answers], bool],
) -> Answers:
    """What an answer gave, with the name of the slip that explains what is wrong with it, if one does.

    put: puts a question with a `mend` where the answer is; right: whether what came for the first of the visible cases,
    or for all of them, is right. A mended answer is asked all only where it is right up to the first that fails. Where
    that is a costly one, which is asked once, no slip is looked for: each place would cost as much again. Nor is one
    where nothing is wrong but that another call gives something else: what is mended is asked once.
    """
    shown = replace(question, cases=tuple(case for case in question.cases if not case.hidden), library={})
    seen = _first(answers, len(shown.cases))
    if answers.state != ASKED or question.values or right(seen) or right(_steady(seen)):
        return answers
    failing = next(n for n in range(1, len(shown.cases) + 1) if not right(_first(seen, n)))
    if shown.cases[failing - 1].once:
        return answers

    def explains(slip: CodeSlip, mended: Answers) -> bool:
        if mended.state != ASKED:
            return False
        before = _first(seen, len(mended.observations)).observations
        fails_no_more = not any(answer.error for answer in mended.observations)
        return right(mended) or slip.raising and fails_no_more and all(answer.error for answer in before)

    for name, slip in CODE_SLIPS.items():
        for place in range(MAX_SLIP_PLACES):
            mend = replace(shown, mended_slip=(name, place))
            mended = put(replace(mend, cases=shown.cases[:failing]))
            if explains(slip, mended):
                mended = put(mend)
                without = replace(shown, mended_slip=(WITHOUT + name, place))
                if explains(slip, mended) and not (slip.left_out and right(put(without))):
                    return replace(answers, code_slip=name)
            if mended.state not in STATES:
                return answers
            if mended.state != ASKED:
                break
    return answers


def _first(answers: Answers, number: int) -> Answers:
    """What was answered to the first cases."""
    return replace(answers, observations=answers.observations[:number])


def ask_mended(question: Question, namespace: dict[str, Any]) -> Answers:
    """Ask an answer with a slip mended in the place that the question names, once and in `MAX_MENDED_SECONDS`.

    It is missing where there is no such place, or that is too short.
    """
    slip, place = question.mended_slip or ("", 0)
    answer = _mended(namespace.get(question.name), slip, place, namespace)
    if answer is not None:
        with suppress(KeyboardInterrupt), interrupt_after(MAX_MENDED_SECONDS):
            return _steady(ask(question, {**namespace, question.name: answer}))
    return Answers(MISSING)


def _steady(answers: Answers) -> Answers:
    """What would have come had each call given the same again."""
    steady = (replace(one, again=one.value, elsewhere=one.value) for one in answers.observations)
    return replace(answers, observations=tuple(steady))


def _mended(answer: Any, slip: str, place: int, namespace: Mapping[str, Any]) -> Any:
    """The answer with a slip mended in one place; None where there is no such place."""
    with suppress(Exception):  # a text that no longer fits what ran may be anything
        tree, name = parse_definition(answer), slip.removeprefix(WITHOUT)
        found = next(islice(CODE_SLIPS[name].places(tree, namespace), place, None), None)
        if found is not None:
            edit = found[0] if name == slip else found[1]
            edit()
            return run_definition(tree, namespace)
    return None


def parse_definition(answer: Any) -> Any:
    """The definition of a function or a class in its cell; an error of some kind where there is none to be read."""
    lines = linecache.getlines(find_code(answer)[0].co_filename)
    return ast.parse(_definition("".join(lines), answer.__name__)).body[0]


@lru_cache(maxsize=1)
def _definition(cell: str, name: str) -> str:
    """The lines of a cell that define what is called so in the end, or nothing: each mend wants a tree of its own."""
    for one in reversed(ast.parse(cell).body):
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and one.name == name:
            begins = min(part.lineno for part in (one, *one.decorator_list))
            return "\n".join(re.split("\r\n|\r|\n", cell)[begins - 1 : one.end_lineno])
    return ""


def run_definition(tree: Any, namespace: Mapping[str, Any]) -> Any:
    """What a definition defines, where these names are known."""
    names = dict(namespace)
    exec(compile(ast.fix_missing_locations(ast.Module([tree], [])), "<mended>", "exec"), names)
    return names[tree.name]


# --- what stands in the wrong place ---------------------------------------------------------------------------


def _blocks(tree: ast.AST) -> Iterator[Block]:
    """Each run of statements, those outside first; what is in expressions holds none, and is not looked through."""
    nodes = deque([tree])
    while nodes:
        node = nodes.popleft()
        nodes.extend(one for one in ast.iter_child_nodes(node) if isinstance(one, HOLDS_STATEMENTS))
        for name in ("body", "orelse"):
            if isinstance(block := getattr(node, name, None), list):
                yield block


def _statements(blocks: Iterable[Block]) -> Iterator[tuple[Block, int, ast.stmt]]:
    """Each statement, behind the block in which it stands and its place there."""
    yield from ((block, i, one) for block in blocks for i, one in enumerate(block))


def _loops(tree: ast.AST) -> Iterator[tuple[Block, int, Block]]:
    """The statements among which a loop stands, its place there, and its own statements."""
    for block, i, one in _statements(_blocks(tree)):
        if isinstance(one, (ast.For, ast.While)):
            yield block, i, one.body


def _nested(tree: ast.AST) -> Iterator[tuple[Block, int, Block]]:
    """Likewise, with the statements of each loop inside it as well."""
    for block, i, body in _loops(tree):
        yield block, i, body
        yield from ((block, i, inner) for _, _, inner in _loops(ast.Module(body, [])))


def _moved(source: Block, first: int, end: int, target: Block, place: int) -> tuple[Edit, Edit]:
    """What moves statements to another place, and what leaves them out."""

    def move() -> None:
        moved = source[first:end]
        del source[first:end]
        target[place:place] = moved

    return move, partial(source.__delitem__, slice(first, end))


def _end_below(returns: bool, tree: ast.AST, _: Mapping[str, Any]) -> Places:
    """returns: whether loops are meant whose turn ends in a return, or all others."""
    for block, i, body in _nested(tree):
        if isinstance(body[-1], ast.Return) == returns:
            for first in range(len(body) - 1, max(0, len(body) - 4), -1):
                yield _moved(body, first, len(body), block, i + 1)


def _beginning_before(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    for block, i, body in _nested(tree):
        for first, end in ((0, 1), (0, 2), (1, 2), (2, 3)):
            moved = [one for one in body[first:end] if isinstance(one, ast.Assign)]
            if len(body) > end and len(moved) == end - first and not _goes_on(moved):
                yield _moved(body, first, end, block, i)


def _goes_on(assignments: Iterable[ast.Assign]) -> bool:
    """Whether one of them reads what they wrote in the turn before."""
    kept, fresh = set[str](), set[str]()
    for one in assignments:
        kept |= _names(one.value, ast.Load) - fresh
        fresh |= {name for target in one.targets for name in _names(target, ast.Store)}
    return bool(kept & fresh)


def _names(part: ast.expr, context: type[ast.expr_context]) -> set[str]:
    """The names that are read, or bound, in an expression."""
    return {one.id for one in ast.walk(part) if isinstance(one, ast.Name) and isinstance(one.ctx, context)}


def _line_before_into(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    for block, i, body in _loops(tree):
        for j in range(i - 1, max(-1, i - 4), -1):
            if isinstance(block[j], ast.Assign):
                yield _moved(block, j, j + 1, body, 0)


def _line_below_into(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    for block, i, body in _loops(tree):
        if len(block) > i + 1 and not isinstance(block[i + 1], ast.Return):
            yield _moved(block, i + 1, i + 2, body, len(body))


# --- what is the wrong thing ----------------------------------------------------------------------------------


def _in_place(block: Block, i: int, new: ast.stmt) -> tuple[Edit, Edit]:
    """What puts another statement in the place of one, and what leaves that out."""
    return partial(block.__setitem__, i, new), partial(block.__setitem__, i, ast.Pass())


def _adds(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    inside = (block for *_, body in _loops(tree) for block in _blocks(ast.Module(body, [])))
    for block, i, one in _statements(inside):
        if isinstance(one, ast.Assign) and isinstance(target := one.targets[0], (ast.Name, ast.Subscript)):
            add, leave_out = _in_place(block, i, ast.AugAssign(target, ast.Add(), one.value))
            yield partial(_begun_at_zero, tree, target, add), leave_out


def _begun_at_zero(tree: ast.AST, target: ast.expr, edit: Edit) -> None:
    """Edit, and let a name be 0 before that stands nowhere but there and where it is read."""
    names = [one.id for one in ast.walk(tree) if isinstance(one, ast.Name)]
    if isinstance(tree, ast.FunctionDef) and isinstance(target, ast.Name) and names.count(target.id) == 2:
        tree.body.insert(0, ast.Assign([target], ast.Constant(0)))
    edit()


def _keeps(tree: ast.AST, namespace: Mapping[str, Any]) -> Places:
    for block, i, one in _statements(_blocks(tree)):
        if isinstance(one, ast.Expr) and _gives_something(one.value, namespace):
            for name in dict.fromkeys(part.id for part in ast.walk(one.value) if isinstance(part, ast.Name)):
                yield _in_place(block, i, ast.Assign([ast.Name(name, ast.Store())], one.value))


def _gives_something(value: ast.expr, namespace: Mapping[str, Any]) -> bool:
    """Whether it makes something new: a module's function of the same name as a method does."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if isinstance(
            namespace.get(name), ModuleType
        ):
            return True
        case ast.Call(func=ast.Attribute(attr=method)):
            return method not in CHANGE_AND_GIVE_NOTHING
    return isinstance(value, (ast.BinOp, ast.Call))


def _raises(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    for block, i, one in _statements(_blocks(tree)):
        if isinstance(one, ast.Assert):
            error = ast.Raise(ast.Name("ValueError", ast.Load()))
            yield _in_place(block, i, ast.If(ast.UnaryOp(ast.Not(), one.test), [error], []))


def _torch_instead(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and _is_numpy(one.value)]
    for kept in ({"sqrt"}, set[str]()):
        yield [partial(_rename_calls, [one for one in calls if one.attr not in kept])]


def _is_numpy(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in ("np", "numpy")


def _rename_calls(calls: list[ast.Attribute]) -> None:
    for one in calls:
        one.value, one.attr = ast.Name("torch", ast.Load()), IN_TORCH.get(one.attr, one.attr)


def _argument_instead(tree: ast.AST, namespace: Mapping[str, Any]) -> Places:
    arguments = [one.arg for one in ast.walk(tree) if isinstance(one, ast.arg) and one.arg != "self"]
    names = [one for one in ast.walk(tree) if isinstance(one, ast.Name)]
    known = {"self", *arguments, *vars(builtins)}
    known |= {one.id for one in names if isinstance(one.ctx, ast.Store)}
    for name in dict.fromkeys(one.id for one in names if one.id not in known):
        if not callable(namespace.get(name)) and not isinstance(namespace.get(name), ModuleType):
            for argument in arguments:
                yield [partial(_rename, [one for one in names if one.id == name], argument)]


def _rename(names: list[ast.Name], new: str) -> None:
    for one in names:
        one.id = new


def _longest_instead(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    """Where the length of the largest of several is taken."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("len"), [ast.Call(ast.Name("max"), [_], []) as largest]):
                by_length = ast.keyword("key", ast.Name("len", ast.Load()))
                yield [partial(largest.keywords.append, by_length)]


def _rows_apart(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    """Where a list of one list is multiplied, so that the same list stands there several times."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(ast.List([row]), ast.Mult(), number) if not isinstance(row, ast.Constant):
                turns = ast.Call(ast.Name("range", ast.Load()), [number], [])
                copy = ast.List([ast.Starred(row, ast.Load())], ast.Load())
                rows = ast.ListComp(copy, [ast.comprehension(ast.Name("_", ast.Store()), turns, [], 0)])
                yield [partial(vars(node).update, left=rows, right=ast.Constant(1))]


def _compared_with_none(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    """Where an argument that may be left out, and is None then, is asked whether it is true."""
    arguments = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            pairs = [
                *zip(reversed(node.args), reversed(node.defaults)),
                *zip(node.kwonlyargs, node.kw_defaults),
            ]
            arguments |= {argument.arg for argument, default in pairs if _is_none(default)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.IfExp)):
            negated = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
            asked = node.test.operand if isinstance(node.test, ast.UnaryOp) and negated else node.test
            if isinstance(asked, ast.Name) and asked.id in arguments:
                test = ast.Compare(asked, [ast.Is() if negated else ast.IsNot()], [ast.Constant(None)])
                yield [partial(setattr, node, "test", test)]


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


CODE_SLIPS = {
    slip.name: slip
    for slip in (
        CodeSlip("return inside the loop", partial(_end_below, True)),
        CodeSlip("overwritten instead of added up", _adds, left_out=True),
        CodeSlip("total reset inside the loop", _beginning_before, left_out=True),
        CodeSlip("not begun anew", _line_before_into, left_out=True, vague=True),
        CodeSlip(
            "inside the loop instead of below it", partial(_end_below, False), left_out=True, vague=True
        ),
        CodeSlip("below the loop instead of inside it", _line_below_into, left_out=True, vague=True),
        CodeSlip("result thrown away", _keeps),
        CodeSlip("a variable of the notebook instead of the argument", _argument_instead),
        CodeSlip("NumPy's functions on tensors", _torch_instead, raising=True),
        CodeSlip("assert instead of raise", _raises),
        CodeSlip("largest taken for longest", _longest_instead),
        CodeSlip("one row for all", _rows_apart),
        CodeSlip("truth asked instead of None", _compared_with_none),
    )
}
"""By their names, in the order in which they are looked for."""

"""Slips in how a function is written, whatever it is about: a return inside the loop, `=` for `+=`.

None is told by the code alone. Each place of a function that looks like one is mended in a copy, and the copy is asked
the visible cases: where it does right what fails, the slip has its name.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from types import ModuleType
from typing import Any

from autograder.student.calling import codes_of
from autograder.student.probe import ASKED, MISSING, STATES, Answers, Question, ask
from autograder.student.stopping import patience

PLACES = 12
"""Places in one function that are mended, of each slip."""

WITHOUT = "without "
"""Before the name of a slip, where a question wants the line taken out and not mended."""

TIME = 1.0
"""In which a mended function is to answer all that is asked."""

IN_TORCH = {"max": "amax", "min": "amin", "array": "tensor", "transpose": "permute"}
"""PyTorch's names of NumPy's functions, where they differ."""

HOLDS_STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)

Block = list[ast.stmt]
Mends = Iterator[Callable[[], None]]
"""For each place of a tree where a slip may be, what mends it there."""


@dataclass(frozen=True)
class Slip:
    """mends: what mends it in each place of a tree, a function's or a class's, in a notebook's namespace.

    left_out: takes out what `mends` mends in these places: where that does right as well, the line is not needed, and
        nothing is wrong with how it is written.
    vague: whether a listed misconception that explains the same is the better name.
    raising: whether it is told as well where every call ends in an error, and with the slip mended none does.
    """

    name: str
    detail: str
    question: str
    mends: Callable[[ast.AST, Mapping[str, Any]], Mends]
    left_out: Callable[[ast.AST, Mapping[str, Any]], Mends] | None = None
    vague: bool = False
    raising: bool = False

    @property
    def looks_like(self) -> str:
        """The phrase after "Looks like:"."""
        return f"{self.name}: {self.detail}"


def with_slip(
    answers: Answers,
    question: Question,
    put: Callable[[Question], Answers],
    right: Callable[[Answers], bool],
) -> Answers:
    """What an answer gave, with the name of the slip that explains what is wrong with it, if one does.

    put: puts a question with a `mend` where the answer is; right: whether what came for the first of the visible cases,
    or for all of them, is right. A mended answer is asked all only where it is right up to the first that fails. Where
    that is a costly one, which is asked once, no slip is looked for: each place would cost as much again.
    """
    shown = replace(question, cases=tuple(case for case in question.cases if not case.hidden), library={})
    seen = _first(answers, len(shown.cases))
    if answers.state != ASKED or question.values or right(seen):
        return answers
    failing = next(n for n in range(1, len(shown.cases) + 1) if not right(_first(seen, n)))
    if shown.cases[failing - 1].once:
        return answers

    def explains(slip: Slip, other: Answers) -> bool:
        before = _first(seen, len(other.observations))
        return right(other) or slip.raising and _raises_no_more(before, other)

    def needed(name: str, place: int) -> bool:
        left_out = SLIPS[name].left_out and replace(shown, mend=(WITHOUT + name, place))
        return not (left_out and right(put(left_out)))

    for name, slip in SLIPS.items():
        for place in range(PLACES):
            mended = replace(shown, mend=(name, place))
            other = put(replace(mended, cases=shown.cases[:failing]))
            if other.state == ASKED and explains(slip, other):
                other = put(mended)
                if other.state == ASKED and explains(slip, other) and needed(name, place):
                    return replace(answers, slip=name)
            if other.state not in STATES:
                return answers
            if other.state != ASKED:
                break
    return answers


def _first(answers: Answers, number: int) -> Answers:
    """What was answered to the first cases."""
    return replace(answers, observations=answers.observations[:number])


def _raises_no_more(before: Answers, after: Answers) -> bool:
    return all(one.error for one in before.observations) and not any(one.error for one in after.observations)


def ask_mended(question: Question, namespace: dict[str, Any]) -> Answers:
    """What an answer gives with a slip mended in the place that the question names; missing where there is none."""
    slip, place = question.mend or ("", 0)
    answer = _mended(namespace.get(question.name), slip, place, namespace)
    return Answers(MISSING) if answer is None else ask_instead(question, answer, namespace)


def ask_instead(question: Question, answer: Any, namespace: Mapping[str, Any]) -> Answers:
    """What another answer gives in a notebook, asked once and in `TIME`; missing where that is too short."""
    with suppress(KeyboardInterrupt), patience(TIME):
        seen = ask(question, {**namespace, question.name: answer})
        steady = (replace(one, again=one.value, elsewhere=one.value) for one in seen.observations)
        return replace(seen, observations=tuple(steady))
    return Answers(MISSING)


def _mended(answer: Any, slip: str, place: int, namespace: Mapping[str, Any]) -> Any:
    """The answer with a slip mended in one place; None where there is no such place."""
    with suppress(Exception):  # a text that no longer fits what ran may be anything
        tree = tree_of(answer)
        mend = next(islice(_MENDS[slip](tree, namespace), place, None), None)
        if mend is not None:
            mend()
            return defined_by(tree, namespace)
    return None


def tree_of(answer: Any) -> Any:
    """The definition of a function or a class in its cell; an error of some kind where there is none to be read."""
    lines = linecache.getlines(codes_of(answer)[0].co_filename)
    return ast.parse(_definition("".join(lines), answer.__name__)).body[0]


@lru_cache(maxsize=1)
def _definition(cell: str, name: str) -> str:
    """The lines of a cell that define what is called so in the end, or nothing: each mend wants a tree of its own."""
    for one in reversed(ast.parse(cell).body):
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and one.name == name:
            begins = min(part.lineno for part in (one, *one.decorator_list))
            return "\n".join(re.split("\r\n|\r|\n", cell)[begins - 1 : one.end_lineno])
    return ""


def defined_by(tree: Any, namespace: Mapping[str, Any]) -> Any:
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


def _move(source: Block, first: int, end: int, target: Block, place: int) -> None:
    moved = source[first:end]
    del source[first:end]
    target[place:place] = moved


def _leave_out(source: Block, first: int, end: int, *_: Any) -> None:
    del source[first:end]


def _return_below(tree: ast.AST, _: Mapping[str, Any]) -> Mends:
    return (mend for ends, mend in _below(tree, _move) if ends)


def _end_below(tree: ast.AST, _: Mapping[str, Any], move: Callable[..., None] = _move) -> Mends:
    return (mend for ends, mend in _below(tree, move) if not ends)


def _below(tree: ast.AST, move: Callable[..., None]) -> Iterator[tuple[bool, Callable[[], None]]]:
    """Whether a loop's turn ends in a return, and what moves its end below the loop."""
    for block, i, body in _nested(tree):
        for first in range(len(body) - 1, max(0, len(body) - 4), -1):
            yield isinstance(body[-1], ast.Return), partial(move, body, first, len(body), block, i + 1)


def _beginning_before(tree: ast.AST, _: Mapping[str, Any], move: Callable[..., None] = _move) -> Mends:
    for block, i, body in _nested(tree):
        for first, end in ((0, 1), (0, 2), (1, 2), (2, 3)):
            if len(body) > end and all(isinstance(one, ast.Assign) for one in body[first:end]):
                yield partial(move, body, first, end, block, i)


def _line_before_into(tree: ast.AST, _: Mapping[str, Any], move: Callable[..., None] = _move) -> Mends:
    for block, i, body in _loops(tree):
        for j in range(i - 1, max(-1, i - 4), -1):
            if isinstance(block[j], ast.Assign):
                yield partial(move, block, j, j + 1, body, 0)


def _line_below_into(tree: ast.AST, _: Mapping[str, Any], move: Callable[..., None] = _move) -> Mends:
    for block, i, body in _loops(tree):
        if len(block) > i + 1 and not isinstance(block[i + 1], ast.Return):
            yield partial(move, block, i + 1, i + 2, body, len(body))


# --- what is the wrong thing ----------------------------------------------------------------------------------


def _adds(tree: ast.AST, _: Mapping[str, Any]) -> Mends:
    for block, i, target, value in _assigned(tree):
        yield partial(block.__setitem__, i, ast.AugAssign(target, ast.Add(), value))


def _assigns_nothing(tree: ast.AST, _: Mapping[str, Any]) -> Mends:
    return (partial(block.__setitem__, i, ast.Pass()) for block, i, *_ in _assigned(tree))


def _assigned(tree: ast.AST) -> Iterator[tuple[Block, int, ast.Name | ast.Subscript, ast.expr]]:
    """Each assignment inside a loop, with the statements among which it stands, and its place there."""
    inside = (block for *_, body in _loops(tree) for block in _blocks(ast.Module(body, [])))
    for block, i, one in _statements(inside):
        if isinstance(one, ast.Assign) and isinstance(target := one.targets[0], (ast.Name, ast.Subscript)):
            yield block, i, target, one.value


def _keeps(tree: ast.AST, _: Mapping[str, Any]) -> Mends:
    for block, i, one in _statements(_blocks(tree)):
        if isinstance(one, ast.Expr) and isinstance(one.value, (ast.BinOp, ast.Call)):
            for name in dict.fromkeys(part.id for part in ast.walk(one.value) if isinstance(part, ast.Name)):
                yield partial(block.__setitem__, i, ast.Assign([ast.Name(name, ast.Store())], one.value))


def _raises(tree: ast.AST, _: Mapping[str, Any]) -> Mends:
    for block, i, one in _statements(_blocks(tree)):
        if isinstance(one, ast.Assert):
            error = ast.Raise(ast.Name("ValueError", ast.Load()))
            yield partial(block.__setitem__, i, ast.If(ast.UnaryOp(ast.Not(), one.test), [error], []))


def _torch_instead(tree: ast.AST, _: Mapping[str, Any]) -> Mends:
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and _is_numpy(one.value)]
    for kept in ({"sqrt"}, set[str]()):
        yield partial(_rename_calls, [one for one in calls if one.attr not in kept])


def _is_numpy(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in ("np", "numpy")


def _rename_calls(calls: list[ast.Attribute]) -> None:
    for one in calls:
        one.value, one.attr = ast.Name("torch", ast.Load()), IN_TORCH.get(one.attr, one.attr)


def _argument_instead(tree: ast.AST, namespace: Mapping[str, Any]) -> Mends:
    arguments = [one.arg for one in ast.walk(tree) if isinstance(one, ast.arg) and one.arg != "self"]
    names = [one for one in ast.walk(tree) if isinstance(one, ast.Name)]
    known = {*arguments, *vars(builtins), *(one.id for one in names if isinstance(one.ctx, ast.Store))}
    for name in dict.fromkeys(one.id for one in names if one.id not in known):
        if not callable(namespace.get(name)) and not isinstance(namespace.get(name), ModuleType):
            for argument in arguments:
                yield partial(_rename, [one for one in names if one.id == name], argument)


def _rename(names: list[ast.Name], new: str) -> None:
    for one in names:
        one.id = new


_ALL = (
    Slip(
        "return inside the loop",
        "the first turn of the loop ends the function",
        "How many turns has the loop made when the function gives its result?",
        _return_below,
    ),
    Slip(
        "= instead of +=",
        "each turn of a loop overwrites what the turns before it have added up",
        "After the second turn of the loop, what is left of the first?",
        _adds,
        _assigns_nothing,
    ),
    Slip(
        "begun anew in every turn",
        "what the loop collects is set back inside it",
        "Which line runs in every turn of a loop, and should run once, before it?",
        _beginning_before,
        partial(_beginning_before, move=_leave_out),
    ),
    Slip(
        "not begun anew",
        "a turn of the loop goes on with what the turns before it have left",
        "What does each variable hold when the second turn begins?",
        _line_before_into,
        partial(_line_before_into, move=_leave_out),
        vague=True,
    ),
    Slip(
        "inside the loop instead of below it",
        "a line runs in every turn that should run once, when the loop is through",
        "How often does each line run, and how often should it?",
        _end_below,
        partial(_end_below, move=_leave_out),
        vague=True,
    ),
    Slip(
        "below the loop instead of inside it",
        "a line runs once, after the last turn, that should run in every turn",
        "How often does each line run, and how often should it?",
        _line_below_into,
        partial(_line_below_into, move=_leave_out),
        vague=True,
    ),
    Slip(
        "result thrown away",
        "a line makes something new, and no name keeps it",
        "Which line changes nothing, as what it makes is given to no name?",
        _keeps,
    ),
    Slip(
        "a name from outside instead of the argument",
        "the function reads a variable that it is not handed, where one of its arguments belongs",
        "Which name in it is neither an argument nor made by one of its lines?",
        _argument_instead,
    ),
    Slip(
        "NumPy's functions on tensors",
        "they take arrays; with a tensor's gradient they fail, or lose it",
        "Which library do the inputs come from, and which library's functions do you call?",
        _torch_instead,
        raising=True,
    ),
    Slip(
        "assert instead of raise",
        "an `assert` raises an AssertionError, whatever is written behind it",
        "Which error is asked for, and which one comes?",
        _raises,
    ),
)

SLIPS = {slip.name: slip for slip in _ALL}
"""By their names, in the order in which they are looked for."""

_MENDS = {slip.name: slip.mends for slip in _ALL} | {
    WITHOUT + slip.name: slip.left_out for slip in _ALL if slip.left_out
}
"""What a question's `mend` names."""

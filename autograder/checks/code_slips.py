"""Code slips: mistakes in how a function is written, whatever it is about, as a return inside the loop, `=` for `+=`.

The code alone proves none. Each place of a function that looks like one is mended in a copy, and the copy is asked the
visible cases. If it is right where the answer fails, the slip is named.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.calls.call import find_code
from autograder.calls.runner import ASKED, MISSING, STATES, Answers, Question, ask
from autograder.calls.timeout import interrupt_after
from autograder.exercises.limits import MAX_MENDED_SECONDS, MAX_SLIP_PLACES

WITHOUT = "without "
"""Stands before the name of a slip, where the line is to be taken out and not mended."""

IN_TORCH = {"max": "amax", "min": "amin", "array": "tensor", "transpose": "permute"}
"""PyTorch's names of NumPy's functions, where they differ."""

CHANGE_AND_GIVE_NOTHING = frozenset(
    ("add", "append", "clear", "discard", "extend", "insert", "remove", "seed", "shuffle", "update")
)
"""Methods that change their object and give None."""

Block = list[ast.stmt]
Edit = Callable[[], None]

Places = Iterator[Sequence[Edit]]
"""For each place of a tree where a slip may be, the edit that mends it, and perhaps one that leaves the line out."""

FindPlaces = Callable[[ast.AST, Mapping[str, Any]], Places]


@dataclass(frozen=True)
class CodeSlip:
    """A kind of code slip.

    places: gives the places in the tree of a function or class where it may be, in a notebook's namespace.
    detail: says behind its name what goes wrong; question: leads to it.
    left_out: whether the line is left out, too: if that is right as well, the line is not needed, and is no slip.
    vague: whether a listed misconception that explains the same is the better name.
    raising: whether it is named as well where every call ends in an error, and none does once it is mended.
    """

    name: str
    places: FindPlaces
    detail: str
    question: str
    left_out: bool = False
    vague: bool = False
    raising: bool = False

    @property
    def looks_like(self) -> str:
        """Return the phrase after "Looks like:"."""
        return f"{self.name}: {self.detail}"


def find_code_slip(
    answers: Answers,
    question: Question,
    ask_again: Callable[[Question], Answers],
    right: Callable[[Answers], bool],
) -> Answers:
    """Return the answers with the name of the slip that explains what is wrong, if one does.

    A mended answer is asked all cases only if it is right up to the first that fails. If that is a costly case, which
    is asked once, no slip is looked for: each place would cost as much again. None is looked for either where the only
    fault is that a second call gives something else: a mended answer is asked once.

    Args:
        answers: What the answer gave.
        question: What it was asked.
        ask_again: Asks the answer a question with a `mended_slip`.
        right: Whether the answers to the first visible cases, or to all of them, are right.
    """
    visible = replace(question, cases=tuple(case for case in question.cases if not case.hidden), library={})
    visible_answers = _first(answers, len(visible.cases))
    if answers.state != ASKED or question.values or right(visible_answers) or right(_steady(visible_answers)):
        return answers
    failing = next(n for n in range(1, len(visible.cases) + 1) if not right(_first(visible_answers, n)))
    if visible.cases[failing - 1].once:
        return answers

    def explains(slip: CodeSlip, mended: Answers) -> bool:
        if mended.state != ASKED:
            return False
        unmended = _first(visible_answers, len(mended.observations)).observations
        fails_no_more = not any(answer.error for answer in mended.observations)
        return right(mended) or slip.raising and fails_no_more and all(answer.error for answer in unmended)

    for name, slip in CODE_SLIPS.items():
        for place in range(MAX_SLIP_PLACES):
            mend = replace(visible, mended_slip=(name, place))
            mended = ask_again(replace(mend, cases=visible.cases[:failing]))
            if explains(slip, mended):
                mended = ask_again(mend)
                without = replace(visible, mended_slip=(WITHOUT + name, place))
                if explains(slip, mended) and not (slip.left_out and right(ask_again(without))):
                    return replace(answers, code_slip=name)
            if mended.state not in STATES:
                return answers
            if mended.state != ASKED:
                break
    return answers


def _first(answers: Answers, number: int) -> Answers:
    """Return the answers to the first cases alone."""
    return replace(answers, observations=answers.observations[:number])


def ask_mended(question: Question, namespace: dict[str, Any]) -> Answers:
    """Ask an answer with a slip mended in the place that the question names, once and in `MAX_MENDED_SECONDS`.

    The answer is missing where there is no such place, or where the time is too short.
    """
    slip, place = question.mended_slip or ("", 0)
    answer = _mended(namespace.get(question.name), slip, place, namespace)
    if answer is not None:
        with suppress(KeyboardInterrupt), interrupt_after(MAX_MENDED_SECONDS):
            return _steady(ask(question, {**namespace, question.name: answer}))
    return Answers(MISSING)


def _steady(answers: Answers) -> Answers:
    """Return the answers as if each second call had given the same."""
    steady = (
        replace(observation, again=observation.value, elsewhere=observation.value)
        for observation in answers.observations
    )
    return replace(answers, observations=tuple(steady))


def _mended(answer: Any, slip: str, place: int, namespace: Mapping[str, Any]) -> Any:
    """Return the answer with a slip mended in one place; None where there is no such place."""
    with suppress(Exception):  # a text that no longer fits what ran may be anything
        tree, name = _parse_definition(answer), slip.removeprefix(WITHOUT)
        edits = next(islice(CODE_SLIPS[name].places(tree, namespace), place, None), None)
        if edits is not None:
            edit = edits[0] if name == slip else edits[1]
            edit()
            return _run_definition(tree, namespace)
    return None


def _parse_definition(answer: Any) -> Any:
    """Return the tree of a function or class from its cell; raises some error where none can be read."""
    lines = linecache.getlines(find_code(answer)[0].co_filename)
    return ast.parse(_definition("".join(lines), answer.__name__)).body[0]


@lru_cache(maxsize=1)
def _definition(cell: str, name: str) -> str:
    """Return the text of a cell's last definition of a name, and no tree, since each edit changes its tree."""
    kinds = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
    definitions = [node for node in ast.parse(cell).body if isinstance(node, kinds) and node.name == name]
    return ast.unparse(definitions[-1])


def _run_definition(tree: Any, namespace: Mapping[str, Any]) -> Any:
    """Run a definition in a copy of the namespace, and return what it defines."""
    names = dict(namespace)
    exec(compile(ast.fix_missing_locations(ast.Module([tree], [])), "<mended>", "exec"), names)
    return names[tree.name]


# --- a line in the wrong place ---------------------------------------------------------------------------


def _statements(tree: ast.AST) -> Iterator[tuple[Block, int, ast.stmt]]:
    """Yield each statement, behind its block and its position there, outer blocks first."""
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            if isinstance(block := getattr(node, name, None), list):
                yield from ((block, i, statement) for i, statement in enumerate(block))


def _loops(tree: ast.AST) -> Iterator[tuple[Block, int, Block]]:
    """Yield for each loop the block in which it stands, its position there, and its body."""
    for block, i, statement in _statements(tree):
        if isinstance(statement, (ast.For, ast.While)):
            yield block, i, statement.body


def _nested(tree: ast.AST) -> Iterator[tuple[Block, int, Block]]:
    """Yield the same, and for each loop also the bodies of the loops inside it."""
    for block, i, body in _loops(tree):
        yield block, i, body
        yield from ((block, i, inner) for _, _, inner in _loops(ast.Module(body, [])))


def _moved(source: Block, first: int, end: int, target: Block, place: int) -> tuple[Edit, Edit]:
    """Return an edit that moves statements to another place, and one that leaves them out."""

    def move() -> None:
        moved = source[first:end]
        del source[first:end]
        target[place:place] = moved

    return move, partial(source.__delitem__, slice(first, end))


def _end_below(returns: bool, tree: ast.AST, _: Mapping[str, Any]) -> Places:
    """Move the last lines of a loop below it. returns: whether of loops that end in a return, or of all others."""
    for block, i, body in _nested(tree):
        if isinstance(body[-1], ast.Return) == returns:
            for first in range(len(body) - 1, max(0, len(body) - 4), -1):
                yield _moved(body, first, len(body), block, i + 1)


def _beginning_before(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    for block, i, body in _nested(tree):
        for first, end in ((0, 1), (0, 2), (1, 2), (2, 3)):
            moved = [statement for statement in body[first:end] if isinstance(statement, ast.Assign)]
            if len(body) > end and len(moved) == end - first and not _goes_on(moved):
                yield _moved(body, first, end, block, i)


def _goes_on(assignments: Iterable[ast.Assign]) -> bool:
    """Return whether one of the assignments reads what they wrote in the turn before."""
    read_before, written = set[str](), set[str]()
    for assignment in assignments:
        read_before |= _names(assignment.value, ast.Load) - written
        written |= {name for target in assignment.targets for name in _names(target, ast.Store)}
    return bool(read_before & written)


def _names(part: ast.expr, context: type[ast.expr_context]) -> set[str]:
    """Return the names that are read, or bound, in an expression."""
    names = (node for node in ast.walk(part) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, context)}


def _line_before_into(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    for block, i, body in _loops(tree):
        for j in range(i - 1, max(-1, i - 4), -1):
            if isinstance(block[j], ast.Assign):
                yield _moved(block, j, j + 1, body, 0)


def _line_below_into(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    for block, i, body in _loops(tree):
        if len(block) > i + 1 and not isinstance(block[i + 1], ast.Return):
            yield _moved(block, i + 1, i + 2, body, len(body))


# --- a wrong operation ----------------------------------------------------------------------------------


def _in_place(block: Block, i: int, new: ast.stmt) -> tuple[Edit, Edit]:
    """Return an edit that replaces a statement, and one that leaves it out."""
    return partial(block.__setitem__, i, new), partial(block.__setitem__, i, ast.Pass())


def _adds(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    bodies = [body for *_, body in _loops(tree)]
    for block, i, statement in (place for body in bodies for place in _statements(ast.Module(body, []))):
        if isinstance(statement, ast.Assign):
            target = statement.targets[0]
            if isinstance(target, (ast.Name, ast.Subscript)):
                add, leave_out = _in_place(block, i, ast.AugAssign(target, ast.Add(), statement.value))
                yield partial(_begun_at_zero, tree, target, add), leave_out


def _begun_at_zero(tree: ast.AST, target: ast.expr, edit: Edit) -> None:
    """Edit, and set a name to 0 before, if it is used only there and where it is read."""
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    if isinstance(tree, ast.FunctionDef) and isinstance(target, ast.Name) and names.count(target.id) == 2:
        tree.body.insert(0, ast.Assign([target], ast.Constant(0)))
    edit()


def _keeps(tree: ast.AST, namespace: Mapping[str, Any]) -> Places:
    for block, i, statement in _statements(tree):
        if isinstance(statement, ast.Expr) and _gives_something(statement.value, namespace):
            names = (part.id for part in ast.walk(statement.value) if isinstance(part, ast.Name))
            for name in dict.fromkeys(names):
                yield _in_place(block, i, ast.Assign([ast.Name(name, ast.Store())], statement.value))


def _gives_something(value: ast.expr, namespace: Mapping[str, Any]) -> bool:
    """Return whether a call makes something new, as a module's function with a method's name does."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if isinstance(
            namespace.get(name), ModuleType
        ):
            return True
        case ast.Call(func=ast.Attribute(attr=method)):
            return method not in CHANGE_AND_GIVE_NOTHING
    return isinstance(value, (ast.BinOp, ast.Call))


def _raises(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    for block, i, statement in _statements(tree):
        if isinstance(statement, ast.Assert):
            error = ast.Raise(ast.Name("ValueError", ast.Load()))
            yield _in_place(block, i, ast.If(ast.UnaryOp(ast.Not(), statement.test), [error], []))


def _torch_instead(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    calls = [node for node in attributes if ast.unparse(node.value) in ("np", "numpy")]

    def rename(calls: list[ast.Attribute]) -> None:
        for call in calls:
            call.value, call.attr = ast.Name("torch", ast.Load()), IN_TORCH.get(call.attr, call.attr)

    for numpy_names in ({"sqrt"}, set[str]()):
        yield [partial(rename, [node for node in calls if node.attr not in numpy_names])]


def _argument_instead(tree: ast.AST, namespace: Mapping[str, Any]) -> Places:
    arguments = [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg) and node.arg != "self"]
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {"self", *arguments, *vars(builtins)}
    bound |= {node.id for node in names if isinstance(node.ctx, ast.Store)}

    def rename(old: str, new: str) -> None:
        for node in names:
            node.id = new if node.id == old else node.id

    for name in dict.fromkeys(node.id for node in names if node.id not in bound):
        if not callable(namespace.get(name)) and not isinstance(namespace.get(name), ModuleType):
            yield from ([partial(rename, name, argument)] for argument in arguments)


def _longest_instead(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    """Take the length of the longest, where the length of the largest is taken."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("len"), [ast.Call(ast.Name("max"), [_], []) as largest]):
                by_length = ast.keyword("key", ast.Name("len", ast.Load()))
                yield [partial(largest.keywords.append, by_length)]


def _rows_apart(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    """Copy the row, where a list of one row is multiplied and holds the same row several times."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(ast.List([row]), ast.Mult(), number) if not isinstance(row, ast.Constant):
                turns = ast.Call(ast.Name("range", ast.Load()), [number], [])
                copy = ast.List([ast.Starred(row, ast.Load())], ast.Load())
                rows = ast.ListComp(copy, [ast.comprehension(ast.Name("_", ast.Store()), turns, [], 0)])
                yield [partial(vars(node).update, left=rows, right=ast.Constant(1))]


def _compared_with_none(tree: ast.AST, _: Mapping[str, Any]) -> Places:
    """Compare with None, where the truth of an argument is tested that is None by default."""
    pairs = list[tuple[ast.arg, ast.expr | None]]()
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            pairs += [
                *zip(reversed(node.args), reversed(node.defaults)),
                *zip(node.kwonlyargs, node.kw_defaults),
            ]
    arguments = {argument.arg for argument, default in pairs if default and ast.unparse(default) == "None"}
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.IfExp)):
            negated = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
            tested = node.test.operand if isinstance(node.test, ast.UnaryOp) and negated else node.test
            if isinstance(tested, ast.Name) and tested.id in arguments:
                test = ast.Compare(tested, [ast.Is() if negated else ast.IsNot()], [ast.Constant(None)])
                yield [partial(setattr, node, "test", test)]


_PLACES: dict[str, FindPlaces] = {
    "return inside the loop": partial(_end_below, True),
    "overwritten instead of added up": _adds,
    "total reset inside the loop": _beginning_before,
    "not begun anew": _line_before_into,
    "inside the loop instead of below it": partial(_end_below, False),
    "below the loop instead of inside it": _line_below_into,
    "result thrown away": _keeps,
    "a variable of the notebook instead of the argument": _argument_instead,
    "NumPy's functions on tensors": _torch_instead,
    "assert instead of raise": _raises,
    "largest taken for longest": _longest_instead,
    "one row for all": _rows_apart,
    "truth asked instead of None": _compared_with_none,
}
_SETTINGS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

CODE_SLIPS = {name: CodeSlip(name, places, **_SETTINGS[name]) for name, places in _PLACES.items()}
"""All slips by name, in the order in which they are looked for."""

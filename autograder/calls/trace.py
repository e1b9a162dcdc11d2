"""The trace of an answer: the values after each line that ran; of a loop, the first and the last turn.

Only the answer's own lines are traced: those of a function, or of a class's own methods, the outermost call each time.
An answer may be rewritten first, to trace subexpressions too: `model(x)[0].argmax()` in three steps.
"""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

from autograder.calls.call import find_code, shorten_message
from autograder.calls.timeout import interrupt_after
from autograder.exercises import values, wire
from autograder.exercises.limits import MAX_TRACE_LINES, MAX_TRACED_ITEMS, MAX_TRACED_NUMBERS

SEE = "__see__"
"""The name under which a rewritten answer knows what takes its values."""

FEWEST, MOST = 2, 8
"""Expressions inside a line that is unfolded."""

PLACES = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)
OWN_TURNS = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp)
"""Expressions whose parts are run many times, or not at all."""

SIMPLE = (bool, int, float, str, type(None))


class _Ended(BaseException):
    """The end of a trace: nothing in an answer should catch this."""


@dataclass(frozen=True, eq=False)
class Step:
    """A line that ran, and the values that it made, by name or by subexpression.

    changed: the arguments that it changed in place. A line of 0 stands for turns of a loop that are left out.
    """

    line: int
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)
    changed: tuple[str, ...] = ()


@dataclass
class TracedCall:
    """One call of an answer's function: its name and file, its steps, and how it ended, where it did."""

    name: str
    file: str
    steps: list[Step] = field(default_factory=list)
    returned: bool = False
    value: Any = None
    error: str = ""


def trace_subexpressions(
    answer: Any, namespace: Mapping[str, Any], run: Callable[[Any], Any], seconds: float
) -> tuple[list[TracedCall], Any]:
    """Return what `trace_calls` returns, with each line's subexpressions among its values.

    run: is called with the answer to run.
    """
    inside: list[tuple[FrameType, str, Any]] = []

    def see(text: str, value: Any) -> Any:
        if isinstance(value, (*SIMPLE, list, tuple, dict)) or wire.as_array(value) is not None:
            inside.append((sys._getframe(1), text, _copy(value)))
        return value

    rewritten = _unfold(answer, namespace, see)
    return trace_calls(rewritten, lambda: run(rewritten), seconds, inside)


def trace_calls(
    answer: Any,
    run: Callable[[], Any],
    seconds: float,
    inside: list[tuple[FrameType, str, Any]] | None = None,
) -> tuple[list[TracedCall], Any]:
    """Return the calls of an answer's own functions while `run()` runs, and what that gives; None where it is ended.

    inside: the list to which a rewritten answer adds its subexpressions. Raises what `run()` raises.
    """
    traced, tracer = _Tracer(answer, [] if inside is None else inside), sys.gettrace()
    with interrupt_after(seconds) as limit:
        try:
            sys.settrace(traced.enter)
            return traced.calls, run()
        except (_Ended, KeyboardInterrupt) as end:
            if isinstance(end, KeyboardInterrupt) and not limit.passed:
                raise
            traced.calls = [replace(call, error="") for call in traced.calls]
            return traced.calls, None
        finally:
            sys.settrace(tracer)


class _Tracer:
    """The function that `sys.settrace` calls, with its state."""

    def __init__(self, answer: Any, inside: list[tuple[FrameType, str, Any]]) -> None:
        followed = answer if inspect.isroutine(answer) or isinstance(answer, type) else type(answer)
        self.calls: list[TracedCall] = []
        self._inside = inside
        self._sources = {code: _Source(code.co_filename) for code in find_code(followed)}
        self._lines = 0
        self._frame: FrameType | None = None
        self._line = 0
        self._marks: dict[str, Any] = {}
        self._arguments: dict[str, tuple[Any, Any]] = {}

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self._frame is not None or frame.f_code not in self._sources:
            return None
        self._frame, self._line, self._marks = frame, frame.f_lineno, {}
        self.calls.append(TracedCall(frame.f_code.co_name, frame.f_code.co_filename))
        self._arguments = {name: (value, _mark(value)) for name, value in _names_of(frame)}
        self._inside.clear()
        self._record_line(frame)
        return self._trace_line

    def _trace_line(self, frame: FrameType, event: str, argument: Any) -> Any:
        call = self.calls[-1]
        if event == "line":
            self._lines += 1
            if self._lines > MAX_TRACE_LINES:
                raise _Ended
            if self._line:
                self._record_line(frame)
            self._line, call.error = frame.f_lineno, ""
        elif event == "exception":
            call.error = f"{argument[0].__name__}: {_in_words(argument[1])}"
        elif event == "return":
            self._record_line(frame)
            call.returned, call.value = not call.error, _copy(argument)
            self._frame = None
        return self._trace_line

    def _record_line(self, frame: FrameType) -> None:
        """Record what the line that just ran has made."""
        values = dict(_names_of(frame))
        marks = {name: _mark(value) for name, value in values.items()}
        source = self._sources[frame.f_code]
        first, text = source.statement(self._line)
        values_by_name = {text: value for inner, text, value in self._inside if inner is frame}
        for name, mark in marks.items():
            if self._marks.get(name) != mark or name in source.assigned.get(first, ()):
                values_by_name[name] = _copy(values[name])
        changed = []
        for name, (value, mark) in self._arguments.items():
            if (now := _mark(value)) != mark:
                changed.append(name)
                self._arguments[name] = value, now
        steps = self.calls[-1].steps
        if steps and steps[-1].line == first and first not in source.loops:
            last = steps.pop()
            values_by_name, changed = {**last.values, **values_by_name}, [*last.changed, *changed]
        steps.append(Step(first, text, values_by_name, tuple(changed)))
        self._inside.clear()
        self._line, self._marks = 0, marks


def _in_words(error: Any) -> str:
    try:
        return shorten_message(str(error))
    except Exception:  # of an exception of the student's own, anything may fail
        return "(one that cannot be shown)"


def _names_of(frame: FrameType) -> Iterator[tuple[str, Any]]:
    for name, value in dict(frame.f_locals).items():
        if name == "self":
            attributes = vars(value).items() if hasattr(value, "__dict__") else ()
            yield from (
                (f"self.{key}", attribute)
                for key, attribute in attributes
                if key[:1] != "_" and key != "training"
            )
        elif name[:1] not in (".", "_"):
            yield name, value


def _mark(value: Any) -> Any:
    """Return a mark of a value, which differs after the value has changed."""
    array = wire.as_array(value)
    if array is not None:
        return id(value), array.shape, array.tobytes() if array.size <= MAX_TRACED_NUMBERS else b""
    if isinstance(value, (list, tuple, dict)):
        items = list(value.values()) if isinstance(value, dict) else value
        return id(value), len(value), *map(_mark, items[:MAX_TRACED_ITEMS])
    return value if isinstance(value, SIMPLE) else id(value)


def _copy(value: Any, depth: int = 3) -> Any:
    """Return a value as plain data, without changing it: no random generator is asked for its next number."""
    array = wire.as_array(value)
    if array is not None:
        return (
            array.copy()
            if array.size <= MAX_TRACED_NUMBERS
            else values.Opaque(f"array of shape {array.shape}")
        )
    if depth and isinstance(value, (list, tuple)):
        items = [_copy(item, depth - 1) for item in value[:MAX_TRACED_ITEMS]]
        return tuple(items) if isinstance(value, tuple) else items
    if depth and isinstance(value, dict):
        return {key: _copy(item, depth - 1) for key, item in list(value.items())[:MAX_TRACED_ITEMS]}
    return value if isinstance(value, SIMPLE) else values.Opaque(type(value).__name__)


class _Source:
    """The statements of a cell's text.

    loops: the last line of each loop, by its first. assigned: by its first line, the names to which a statement, or the
    head of a loop, assigns.
    """

    def __init__(self, file: str) -> None:
        self._lines = linecache.getlines(file)
        self._heads: dict[int, tuple[int, int]] = {}
        self.loops: dict[int, int] = {}
        self.assigned: dict[int, set[str]] = {}
        tree = ast.Module([], [])
        with suppress(SyntaxError):
            tree = ast.parse("".join(self._lines))
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                self._add(node)

    def _add(self, statement: Any) -> None:
        first, last = statement.lineno, statement.end_lineno
        if isinstance(statement, (ast.For, ast.While)):
            self.loops[first] = last
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            nodes = [node for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
            bound = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
            self.assigned.setdefault(first, set()).update(bound)
        if body := getattr(statement, "body", None):
            last = max(first, body[0].lineno - 1)
        self._heads |= dict.fromkeys(range(first, last + 1), (first, last))

    def statement(self, line: int) -> tuple[int, str]:
        """Return the first line of the statement, or of its head, that a line belongs to, and its text in one line."""
        first, last = self._heads.get(line, (line, line))
        lines = self._lines[first - 1 : last] or [f"line {line}"]
        indent = len(lines[0]) - len(lines[0].lstrip())
        return first, " " * indent + " ".join(text.strip() for text in lines)


# --- loops ---------------------------------------------------------------------------------------------------


def fold_loops(call: TracedCall) -> list[Step]:
    """Return the steps of a call with the first and the last turn of each loop alone."""
    return list(_folded(call.steps, _Source(call.file).loops))


def _folded(steps: Sequence[Step], loops: Mapping[int, int]) -> Iterator[Step]:
    at = 0
    while at < len(steps):
        head = steps[at].line
        if head not in loops:
            yield steps[at]
            at += 1
            continue
        inside = range(head, loops[head] + 1)
        end = next((i for i in range(at, len(steps)) if steps[i].line not in inside), len(steps))
        starts = [i for i in range(at, end) if steps[i].line == head]
        turns = [steps[start:end_of_turn] for start, end_of_turn in zip(starts, [*starts[1:], end])]
        if len(turns) > 1 and len(turns[-1]) == 1 and loops[head] > head:
            turns.pop()  # the loop looks once more, and is through
        for number in {0, len(turns) - 1}:
            if number > 1:
                skipped = number - 1
                yield Step(0, f"… {skipped} more turn{'s' * (skipped > 1)}, then the last one:")
            yield turns[number][0]
            yield from _folded(turns[number][1:], loops)
        at = end


# --- what stands inside a line -------------------------------------------------------------------------------


def _unfold(answer: Any, namespace: Mapping[str, Any], see: Callable[[str, Any], Any]) -> Any:
    """Return a function or class that hands its subexpressions to `see`; the answer itself where that is not possible.

    see: called with an expression's text and its value, which it returns.
    """
    with suppress(Exception):  # a text that no longer fits what ran may be anything
        file = find_code(answer)[0].co_filename
        kinds = (ast.FunctionDef, ast.ClassDef)
        body = ast.parse("".join(linecache.getlines(file))).body
        definition = [node for node in body if isinstance(node, kinds) and node.name == answer.__name__][-1]
        for statement in [node for node in ast.walk(definition) if isinstance(node, PLACES)]:
            _unfold_statement(statement)
        names = {**namespace, SEE: see}
        exec(compile(ast.fix_missing_locations(ast.Module([definition], [])), file, "exec"), names)
        return names[answer.__name__]
    return answer


def _unfold_statement(statement: Any) -> None:
    """Wrap the expressions inside a statement's value, unless there are too few or too many."""
    if statement.value is None or isinstance(statement.value, OWN_TURNS):
        return
    steps = list[ast.expr]()

    def wrap(step: Any) -> ast.expr:
        steps.append(step)
        text = ast.unparse(_replace_steps(step, lambda _: ast.Name("…", ast.Load())))
        wrapped = ast.Call(ast.Name(SEE, ast.Load()), [ast.Constant(text), _replace_steps(step, wrap)], [])
        return ast.copy_location(wrapped, step)

    wrapped = _replace_steps(statement.value, wrap)
    if FEWEST <= len(steps) <= MOST:
        statement.value = wrapped


def _replace_steps(expression: Any, change: Callable[[Any], ast.expr]) -> Any:
    """Return an expression in which `change` has replaced the outermost calls, operations and items inside it."""

    class Replace(ast.NodeTransformer):
        def visit(self, node: Any) -> Any:
            is_item = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
            if is_item or isinstance(node, (ast.Call, ast.BinOp)):
                return change(node)
            return node if isinstance(node, OWN_TURNS) else self.generic_visit(node)

    return Replace().generic_visit(copy.deepcopy(expression))

"""Runs an answer line by line, and keeps what each line made; of a loop, the first and the last turn.

Only the answer's own lines are followed: a function's, or those of a class's own methods, the outermost call each time.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import FrameType
from typing import Any

from autograder.model import values, wire
from autograder.student.calling import codes_of, in_short
from autograder.student.stopping import patience
from autograder.student.unfolding import unfold

MOST_LINES = 5000
"""That are followed; code that runs more is ended."""

MOST_NUMBERS, MOST_ITEMS = 10_000, 50
"""Of an array, and of a list or a dictionary, that are kept."""


class _Ended(BaseException):
    """Enough was seen: nothing in an answer is to catch this."""


@dataclass(frozen=True, eq=False)
class LineRun:
    """A line that ran, and by name, or by an expression inside it, what it made.

    changed: the arguments that it changed in place. A line of 0 stands for turns of a loop that are left out.
    """

    line: int
    text: str
    made: Mapping[str, Any] = field(default_factory=dict)
    changed: tuple[str, ...] = ()


@dataclass
class Call:
    """One call of an answer's function: its name and file, its steps, and how it ended, where it did."""

    name: str
    file: str
    steps: list[LineRun] = field(default_factory=list)
    returned: bool = False
    value: Any = None
    error: str = ""


def unfolded_calls_of(
    answer: Any, namespace: Mapping[str, Any], run: Callable[[Any], Any], seconds: float
) -> tuple[list[Call], Any]:
    """As `calls_of`, with what stands inside a line as steps of its own. run: is handed the answer to run."""
    inside: list[tuple[FrameType, str, Any]] = []

    def see(text: str, value: Any) -> Any:
        if _is_plain(value):
            inside.append((sys._getframe(1), text, _copy(value)))
        return value

    rewritten = unfold(answer, namespace, see)
    return calls_of(rewritten, lambda: run(rewritten), seconds, inside)


def calls_of(
    answer: Any,
    run: Callable[[], Any],
    seconds: float,
    inside: list[tuple[FrameType, str, Any]] | None = None,
) -> tuple[list[Call], Any]:
    """Return the calls of an answer's own functions while `run()` runs, and what that gives; None where it is ended.

    inside: where a rewritten answer puts what stands inside its lines. Raises what `run()` raises.
    """
    follow, before = _Follow(answer, [] if inside is None else inside), sys.gettrace()
    with patience(seconds) as told:
        try:
            sys.settrace(follow.enter)
            return follow.calls, run()
        except (_Ended, KeyboardInterrupt) as end:
            if isinstance(end, KeyboardInterrupt) and not told.over:
                raise
            follow.calls = [replace(call, error="") for call in follow.calls]
            return follow.calls, None
        finally:
            sys.settrace(before)


class _Follow:
    """What `sys.settrace` calls."""

    def __init__(self, answer: Any, inside: list[tuple[FrameType, str, Any]]) -> None:
        self._inside = inside
        self._given: dict[str, tuple[Any, Any]] = {}
        known = answer if inspect.isroutine(answer) or isinstance(answer, type) else type(answer)
        self.calls: list[Call] = []
        self._codes = {code: _Source(code.co_filename) for code in codes_of(known)}
        self._lines = 0
        self._frame: FrameType | None = None
        self._line = 0
        self._seen: dict[str, Any] = {}

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self._frame is not None or frame.f_code not in self._codes:
            return None
        self._frame, self._line, self._seen = frame, frame.f_lineno, {}
        self.calls.append(Call(frame.f_code.co_name, frame.f_code.co_filename))
        self._given = {name: (_mark(value), value) for name, value in _names_of(frame)}
        self._inside.clear()
        self._keep()
        return self._follow

    def _follow(self, frame: FrameType, event: str, argument: Any) -> Any:
        call = self.calls[-1]
        if event == "line":
            self._lines += 1
            if self._lines > MOST_LINES:
                raise _Ended
            if self._line:
                self._keep()
            self._line, call.error = frame.f_lineno, ""
        elif event == "exception":
            call.error = f"{argument[0].__name__}: {_in_words(argument[1])}"
        elif event == "return":
            self._keep()
            call.returned, call.value = not call.error, _copy(argument)
            self._frame = None
        return self._follow

    def _keep(self) -> None:
        """Keep what the line that just ran has made."""
        assert self._frame is not None, "a line ran in no call"
        now = {name: (_mark(value), value) for name, value in _names_of(self._frame)}
        source = self._codes[self._frame.f_code]
        first, text = source.statement(self._line, self._frame.f_code.co_firstlineno)
        made = {text: value for frame, text, value in self._inside if frame is self._frame}
        self._inside.clear()
        made |= {
            name: _copy(value)
            for name, (mark, value) in now.items()
            if name not in self._seen or self._seen[name] != mark or name in source.assigned.get(first, ())
        }
        self._seen = {name: mark for name, (mark, _) in now.items()}
        changed = tuple(name for name, (mark, value) in self._given.items() if _mark(value) != mark)
        self._given |= {name: (_mark(self._given[name][1]), self._given[name][1]) for name in changed}
        steps = self.calls[-1].steps
        if steps and steps[-1].line == first and first not in source.loops:
            changed = (*steps[-1].changed, *changed)
            steps[-1] = LineRun(first, text, {**steps[-1].made, **made}, changed)
        else:
            steps.append(LineRun(first, text, made, changed))
        self._line = 0


def _in_words(error: Any) -> str:
    try:
        return in_short(str(error))
    except Exception:  # of an exception of the student's own, anything may fail
        return "(one that cannot be shown)"


def _names_of(frame: FrameType) -> Iterator[tuple[str, Any]]:
    for name, value in dict(frame.f_locals).items():
        if name == "self":
            own = vars(value).items() if hasattr(value, "__dict__") else ()
            yield from ((f"self.{key}", one) for key, one in own if key[:1] != "_" and key != "training")
        elif name[:1] not in (".", "_"):
            yield name, value


def _is_plain(value: Any) -> bool:
    """Return whether a value is worth a step of its own: numbers, texts, and lists of them."""
    plain = (bool, int, float, str, list, tuple, dict)
    return isinstance(value, plain) or wire.as_array(value) is not None


def _mark(value: Any) -> Any:
    """What tells whether a value has changed since."""
    array = wire.as_array(value)
    if array is not None:
        return id(value), array.shape, array.tobytes() if array.size <= MOST_NUMBERS else b""
    if isinstance(value, (list, tuple)):
        return id(value), len(value), *map(_mark, value[:MOST_ITEMS])
    if isinstance(value, dict):
        return id(value), len(value), *map(_mark, list(value.values())[:MOST_ITEMS])
    return value if isinstance(value, (bool, int, float, str, type(None))) else id(value)


def _copy(value: Any, depth: int = 3) -> Any:
    """A value as plain data; nothing of it is asked that could change it, as a random generator's next number would."""
    array = wire.as_array(value)
    if array is not None:
        return array.copy() if array.size <= MOST_NUMBERS else values.Opaque(f"array of shape {array.shape}")
    if depth and isinstance(value, (list, tuple)):
        items = [_copy(item, depth - 1) for item in value[:MOST_ITEMS]]
        return tuple(items) if isinstance(value, tuple) else items
    if depth and isinstance(value, dict):
        return {key: _copy(item, depth - 1) for key, item in list(value.items())[:MOST_ITEMS]}
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    return values.Opaque(type(value).__name__)


class _Source:
    """The statements and loops of a cell's text."""

    def __init__(self, file: str) -> None:
        self._lines = linecache.getlines(file)

    @cached_property
    def _tree(self) -> list[ast.stmt]:
        try:
            return [one for one in ast.walk(ast.parse("".join(self._lines))) if isinstance(one, ast.stmt)]
        except SyntaxError:
            return []

    @cached_property
    def loops(self) -> dict[int, int]:
        """The last line of each loop, by its first."""
        found = (one for one in self._tree if isinstance(one, (ast.For, ast.While)))
        return {one.lineno: one.end_lineno or one.lineno for one in found}

    @cached_property
    def _heads(self) -> dict[int, tuple[int, int]]:
        """By each line, the first and last of the statement, or of its head, that it belongs to."""
        found: dict[int, tuple[int, int]] = {}
        for one in self._tree:
            body = getattr(one, "body", None)
            last = max(one.lineno, body[0].lineno - 1) if isinstance(body, list) and body else one.end_lineno
            lines = range(one.lineno, (last or 0) + 1)
            found |= dict.fromkeys(lines, (one.lineno, last or one.lineno))
        return found

    @cached_property
    def assigned(self) -> dict[int, set[str]]:
        """The names to which statements, and the heads of loops, assign, by their first lines."""
        found: dict[int, set[str]] = {}
        for one in self._tree:
            if isinstance(one, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For)):
                targets = one.targets if isinstance(one, ast.Assign) else [one.target]
                found.setdefault(one.lineno, set()).update(name for each in targets for name in _bound(each))
        return found

    def statement(self, line: int, function: int) -> tuple[int, str]:
        """The first line of the statement that a line belongs to, and its text in one line, indented as it is in its
        function, whose first line is given."""
        first, last = self._heads.get(line, (line, line))
        inner = _indented(self._lines[first - 1 : first]) - _indented(self._lines[function - 1 : function])
        text = " ".join(one.strip() for one in self._lines[first - 1 : last])
        return first, " " * inner + text if text else f"line {line}"


def _bound(target: ast.expr) -> Iterator[str]:
    """The names that an assignment to a target binds, or into which it writes."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        yield from (name for inner in target.elts for name in _bound(inner))
    elif isinstance(target, (ast.Subscript, ast.Starred)):
        yield from _bound(target.value)


def _indented(lines: Sequence[str]) -> int:
    return sum(len(line) - len(line.lstrip()) for line in lines)


def folded(call: Call) -> list[LineRun]:
    """The steps of a call with the first and the last turn of each loop alone."""
    return list(_folded(call.steps, _Source(call.file).loops))


def _folded(steps: Sequence[LineRun], loops: Mapping[int, int]) -> Iterator[LineRun]:
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
        turns = [steps[one:other] for one, other in zip(starts, [*starts[1:], end])]
        if len(turns) > 1 and len(turns[-1]) == 1 and loops[head] > head:
            turns.pop()  # the loop looks once more, and is through
        for number in {0, len(turns) - 1}:
            if number > 1:
                left = number - 1
                yield LineRun(0, f"… {left} more turn{'s' * (left > 1)}, then the last one:")
            yield turns[number][0]
            yield from _folded(turns[number][1:], loops)
        at = end

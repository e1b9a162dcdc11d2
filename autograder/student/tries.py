"""The checks of a lesson's exercises, as lines of a file that is only ever added to, and the tries among them.

The same file holds what questions were asked on them, see `practice`, and what opens their boxes.

Two notebooks may add at once. What cannot be read there counts as nothing, and what cannot be written, since the disk
is full or may not be written to, is kept in memory until it can.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple, TypeVar

from autograder.model.exercise import Key
from autograder.model.verdict import State
from autograder.student.calling import codes_of
from autograder.student.plain import plain

MOST_READ = 2**20
"""Bytes that are read of a file, from its end."""

Kept = TypeVar("Kept")

_unwritten: dict[Path, list[Any]] = {}


@dataclass(frozen=True)
class Checked:
    """One check: the exercise, its verdict's state, the answer's digest; that is empty where it is not to count."""

    exercise: str
    state: str
    answer: str = ""


class Tried(NamedTuple):
    """How many tries there were with the one just checked, and whether that is the answer of the check before."""

    number: int = 0
    again: bool = False


@dataclass(frozen=True)
class Answered:
    """One question on an exercise: whether the answer was right, "yes" or "no", and when it came, in ISO's form."""

    exercise: str
    right: str
    when: str


@dataclass(frozen=True)
class Unlocked:
    """The key of an exercise's box."""

    exercise: str
    key: str


def all_lines(file: Path, kind: type[Kept]) -> list[Kept]:
    """All lines of a kind that a file holds, the latest last, and those that could not be written to it."""
    waiting = (one for one in _unwritten.get(file, []) if isinstance(one, kind))
    return [*_read_lines(file, kind), *waiting]


def add_checked(file: Path, one: Checked) -> Tried:
    """Add a check to a file, unless it is the same as the exercise's last; the tries with it come back."""
    before = all_lines(file, Checked)
    last = next((other for other in reversed(before) if other.exercise == one.exercise), None)
    if one != last:
        add_line(file, one)
    return Tried(tries_of(one.exercise, [*before, one]), one == last)


def add_line(file: Path, one: Any) -> None:
    """Add a line to a file, with those that could not be written before."""
    waiting = _unwritten.setdefault(file, [])
    waiting.append(one)
    text = "".join(f"\n{json.dumps(asdict(each))}" for each in waiting)  # the last line may be a broken one
    try:
        file.parent.mkdir(exist_ok=True)
        with file.open("ab", buffering=0) as opened:
            if opened.write(text.encode()) == len(text):
                waiting.clear()
    except OSError:
        pass


def tries_of(exercise: str, checks: Sequence[Checked]) -> int:
    """How many different answers were wrong since the exercise was last right, or begun."""
    wrong = set[str]()
    for one in checks:
        if one.exercise == exercise and one.answer:
            wrong = set() if one.state == State.RIGHT else {*wrong, one.answer}
    return len(wrong)


def _read_lines(file: Path, kind: type[Kept]) -> Iterator[Kept]:
    try:
        if not file.is_file():
            return
        with file.open("rb") as opened:
            opened.seek(max(0, file.stat().st_size - MOST_READ))
            lines = opened.read(MOST_READ).splitlines()
    except OSError:
        return
    for line in lines:
        try:
            one = kind(**json.loads(line))
        except (ValueError, TypeError, RecursionError):
            continue
        if all(isinstance(text, str) for text in vars(one).values()):
            yield one


def digest_of(key: Key, namespace: Mapping[str, Any]) -> str:
    """What tells an exercise's answer from others: its code with that of the notebook's functions which it calls, but
    for layout and comments, or the values that were filled in."""
    if key.values:
        said = [repr(plain(namespace.get(name))) for name in key.values]
    else:
        said = [*_codes(key.exercise, namespace, {})]
    return hashlib.sha256("\0".join(said).encode(errors="replace")).hexdigest()[:16]


def _codes(name: str, namespace: Mapping[str, Any], seen: dict[str, None]) -> Iterator[str]:
    """What the code of a notebook's function says, and that of others which it names, each once."""
    seen[name] = None
    answer = namespace.get(name)
    codes = codes_of(answer)
    if not codes:
        yield re.sub(r"0x[0-9a-fA-F]+", "", repr(type(answer) if isinstance(answer, type) else answer)[:2000])
    yield repr([one for one in getattr(answer, "__defaults__", None) or () if type(one) in _CONSTANT])
    for code in codes:
        yield _said(code)
        for other in sorted({*_names(code)} - {*seen}):
            if getattr(namespace.get(other), "__module__", "") == namespace.get("__name__"):
                yield from _codes(other, namespace, seen)


_CONSTANT = (bool, int, float, str, type(None))


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _said(code: CodeType) -> str:
    """What a code does, without where it stands; the order in which a set happens to lie is none of it."""

    def constant(one: Any) -> str:
        if isinstance(one, CodeType):
            return _said(one)
        return repr(sorted(map(repr, one)) if isinstance(one, frozenset) else one)

    constants = [*map(constant, code.co_consts)]
    return repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants))

"""The record of a student's checks, answers to questions and opened solutions, kept beside `start_here.ipynb`.

A lesson has a file, `.progress/<lesson>.jsonl`, to which lines are only ever added, so two notebooks may write at once.
An unreadable line is skipped. An entry that cannot be written, because the disk is full or read-only, stays in memory
until the next one is written. Nothing is recorded for a notebook that lies below no folder with `start_here.ipynb`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple, TypeVar

from autograder.calls.call import find_code
from autograder.calls.serialize import to_plain_data
from autograder.exercises.exercise import AnswerKey
from autograder.exercises.verdict import State, Verdict
from autograder.views.verdict_view import MARKS

START_PAGE = "start_here.ipynb"
PROGRESS = ".progress"
MAX_READ = 2**20
"""Bytes that are read of a file, from its end."""

Entry = TypeVar("Entry")

_unwritten: dict[Path, list[Any]] = {}


@dataclass(frozen=True)
class Checked:
    """One check: the exercise, its verdict's state, and the answer's digest, empty where the check does not count."""

    exercise: str
    state: str
    answer: str = ""


@dataclass(frozen=True)
class Unlocked:
    """The key that opens an exercise's other solutions."""

    exercise: str
    key: str


class Attempts(NamedTuple):
    """How many wrong answers were checked, with the last one, and whether that is the same answer as before."""

    number: int = 0
    repeated: bool = False


def record_check(lesson: str, verdict: Verdict, answer: str = "") -> Attempts:
    """Record a verdict and return the attempts so far.

    Args:
        lesson: The lesson's id.
        verdict: The verdict on the answer.
        answer: The digest of the answer; empty where the check does not count as an attempt.
    """
    repeated = append_entry(lesson, Checked(verdict.exercise, verdict.state, answer))
    return Attempts(count_attempts(lesson, verdict.exercise), repeated)


def count_attempts(lesson: str, exercise: str) -> int:
    """Return how many different answers were wrong since the exercise was last right, or begun."""
    wrong = set[str]()
    for check in read_entries(lesson, Checked):
        if check.exercise == exercise and check.answer:
            wrong = set() if check.state == State.RIGHT else {*wrong, check.answer}
    return len(wrong)


def last_states(lesson: str) -> dict[str, str]:
    """Return the state of each checked exercise's last verdict."""
    return {check.exercise: check.state for check in read_entries(lesson, Checked) if check.state in MARKS}


def read_entries(lesson: str, kind: type[Entry]) -> list[Entry]:
    """Return a lesson's entries of one kind, the latest last."""
    file = _file(lesson)
    if file is None:
        return []
    lines, entries = list[bytes](), list[Entry]()
    with suppress(OSError), file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - MAX_READ))
        lines = opened.read(MAX_READ).splitlines()
    for line in lines:
        with suppress(ValueError, TypeError, RecursionError):
            entry = kind(**json.loads(line))
            if all(isinstance(text, str) for text in vars(entry).values()):
                entries.append(entry)
    return entries + [entry for entry in _unwritten.get(file, []) if isinstance(entry, kind)]


def append_entry(lesson: str, entry: Any) -> bool:
    """Add an entry unless it equals the exercise's last one of its kind; return whether it does."""
    file, entries = _file(lesson), read_entries(lesson, type(entry))
    repeated = [earlier for earlier in entries if earlier.exercise == entry.exercise][-1:] == [entry]
    if file is None or repeated:
        return repeated
    waiting = _unwritten.setdefault(file, [])
    waiting.append(entry)
    text = "".join(f"\n{json.dumps(asdict(each))}" for each in waiting)  # the file's last line may be cut off
    with suppress(OSError):
        file.parent.mkdir(exist_ok=True)
        with file.open("ab", buffering=0) as opened:
            if opened.write(text.encode()) == len(text):
                waiting.clear()
    return False


def _file(lesson: str) -> Path | None:
    """Return the file of a lesson's entries, below the nearest parent folder that holds `start_here.ipynb`."""
    with suppress(OSError):
        folder = Path.cwd()
        for course in (folder, *folder.parents):
            if (course / START_PAGE).is_file():
                return course / PROGRESS / f"{lesson}.jsonl"
    return None


def digest_of(key: AnswerKey, namespace: Mapping[str, Any]) -> str:
    """Return a digest that differs between different answers to an exercise.

    It covers the compiled code of the answer and of the notebook's functions that it calls, so that layout and comments
    do not count, or the values that were filled in.
    """
    if key.values:
        texts = [repr(to_plain_data(namespace.get(name))) for name in key.values]
    else:
        texts = [*_texts_of(key.exercise, namespace, set())]
    return hashlib.sha256("\0".join(texts).encode(errors="replace")).hexdigest()[:16]


def _texts_of(name: str, namespace: Mapping[str, Any], visited: set[str]) -> Iterator[str]:
    """Yield the compiled code of a notebook's function and of the functions that it names, each once."""
    visited.add(name)
    answer = namespace.get(name)
    codes = find_code(answer)
    if not codes:
        yield re.sub(r"0x[0-9a-fA-F]+", "", repr(type(answer) if isinstance(answer, type) else answer)[:2000])
    yield repr(to_plain_data(getattr(answer, "__defaults__", None)))
    for text in (repr(_without_places(code)) for code in codes):
        yield text
        for called in sorted({*re.findall(r"'(\w+)'", text)} - visited):
            if getattr(namespace.get(called), "__module__", "") == namespace.get("__name__"):
                yield from _texts_of(called, namespace, visited)


def _without_places(constant: Any) -> Any:
    """Return a code's instructions and names without line numbers, and the members of a set in order."""
    if isinstance(constant, CodeType):
        constants = [_without_places(inner) for inner in constant.co_consts]
        names = constant.co_names, constant.co_varnames, constant.co_freevars
        return constant.co_code, *names, constants
    return sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant

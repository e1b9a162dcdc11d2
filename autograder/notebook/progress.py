"""Progress of a student: what checks have said so far, kept beside `start_here.ipynb` and shown there at a glance.

A lesson has a file, `.progress/<lesson>.jsonl`, to which lines are only ever added: a line for each check, for each
question that was answered, and for each box that was opened. Two notebooks may add at once. What cannot be read there
counts as nothing, and what cannot be written, since the disk is full or may not be written to, is kept in memory until
it can. Where the notebook lies below no folder with `start_here.ipynb`, nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from string import Template
from types import CodeType
from typing import Any, NamedTuple, TypeVar

from autograder.checks import answer_keys, public_course
from autograder.checks.call import codes_of
from autograder.checks.serialize import plain
from autograder.exercises.exercise import Key
from autograder.exercises.verdict import State, Verdict
from autograder.notebook.verdict_view import MARKS

START_PAGE = "start_here.ipynb"
PROGRESS = ".progress"
MAX_READ = 2**20
"""Bytes that are read of a file, from its end."""

NOTHING = "nothing checked yet: open the first lesson"
LEGEND = "✓ right on the visible checks, ✗ not yet, ○ not started; practice() asks again what is due"

_MAP = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

States = Mapping[str, Mapping[str, str]]
Entry = TypeVar("Entry")

_unwritten: dict[Path, list[Any]] = {}


@dataclass(frozen=True)
class Checked:
    """One check: the exercise, its verdict's state, the answer's digest; that is empty where it is not to count."""

    exercise: str
    state: str
    answer: str = ""


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


class Attempts(NamedTuple):
    """How many tries there were with the one just checked, and whether that is the answer of the check before."""

    number: int = 0
    repeated: bool = False


# --- what is kept --------------------------------------------------------------------------------------------


def record(lesson: str, verdict: Verdict, answer: str = "") -> Attempts:
    """Add a verdict, and return the tries so far.

    answer: its digest; empty where this is not to be counted as a try.
    """
    again = append_entry(lesson, Checked(verdict.exercise, verdict.state, answer))
    return Attempts(count_attempts(lesson, verdict.exercise), again)


def count_attempts(lesson: str, exercise: str) -> int:
    """Return how many different answers were wrong since the exercise was last right, or begun."""
    wrong = set[str]()
    for check in entries(lesson, Checked):
        if check.exercise == exercise and check.answer:
            wrong = set() if check.state == State.RIGHT else {*wrong, check.answer}
    return len(wrong)


def states_of(lesson: str) -> dict[str, str]:
    """Return the last verdict's state by exercise, of those that were checked."""
    return {check.exercise: check.state for check in entries(lesson, Checked) if check.state in MARKS}


def entries(lesson: str, kind: type[Entry]) -> list[Entry]:
    """Return all that is kept of a lesson, of one kind, the latest last."""
    file = _file(lesson)
    if file is None:
        return []
    return [*_read(file, kind), *(entry for entry in _unwritten.get(file, []) if isinstance(entry, kind))]


def append_entry(lesson: str, entry: Checked | Answered | Unlocked) -> bool:
    """Add an entry, unless it is the same as the exercise's last of its kind; return whether it was."""
    file = _file(lesson)
    earlier = [previous for previous in entries(lesson, type(entry)) if previous.exercise == entry.exercise]
    again = earlier[-1:] == [entry]
    if file is None or again:
        return again
    waiting = _unwritten.setdefault(file, [])
    waiting.append(entry)
    text = "".join(f"\n{json.dumps(asdict(each))}" for each in waiting)  # the last line may be a broken one
    try:
        file.parent.mkdir(exist_ok=True)
        with file.open("ab", buffering=0) as opened:
            if opened.write(text.encode()) == len(text):
                waiting.clear()
    except OSError:
        pass
    return False


def _file(lesson: str) -> Path | None:
    """Return where a lesson's entries lie: below the nearest folder, upwards, that holds `start_here.ipynb`."""
    try:
        folder = Path.cwd()
        course = next(
            (parent for parent in (folder, *folder.parents) if (parent / START_PAGE).is_file()), None
        )
    except OSError:
        return None
    return course and course / PROGRESS / f"{lesson}.jsonl"


def _read(file: Path, kind: type[Entry]) -> Iterator[Entry]:
    try:
        with file.open("rb") as opened:
            opened.seek(max(0, file.stat().st_size - MAX_READ))
            lines = opened.read(MAX_READ).splitlines()
    except OSError:
        return
    for line in lines:
        try:
            entry = kind(**json.loads(line))
        except (ValueError, TypeError, RecursionError):
            continue
        if all(isinstance(text, str) for text in vars(entry).values()):
            yield entry


def digest_of(key: Key, namespace: Mapping[str, Any]) -> str:
    """Return what tells an exercise's answer from others.

    It is made of the answer's code with that of the notebook's functions which it calls, but for layout and comments,
    or of the values that were filled in.
    """
    if key.values:
        texts = [repr(plain(namespace.get(name))) for name in key.values]
    else:
        texts = [*_texts_of(key.exercise, namespace, set())]
    return hashlib.sha256("\0".join(texts).encode(errors="replace")).hexdigest()[:16]


def _texts_of(name: str, namespace: Mapping[str, Any], visited: set[str]) -> Iterator[str]:
    """Return what a notebook's function does, and others which it names, each once."""
    visited.add(name)
    answer = namespace.get(name)
    codes = codes_of(answer)
    if not codes:
        yield re.sub(r"0x[0-9a-fA-F]+", "", repr(type(answer) if isinstance(answer, type) else answer)[:2000])
    yield repr(plain(getattr(answer, "__defaults__", None)))
    for text in (repr(_without_places(code)) for code in codes):
        yield text
        for called in sorted({*re.findall(r"'(\w+)'", text)} - visited):
            if getattr(namespace.get(called), "__module__", "") == namespace.get("__name__"):
                yield from _texts_of(called, namespace, visited)


def _without_places(constant: Any) -> Any:
    """Return what a code does, without where it stands; the order in which a set happens to lie is none of it."""
    if isinstance(constant, CodeType):
        constants = [_without_places(inner) for inner in constant.co_consts]
        names = constant.co_names, constant.co_varnames, constant.co_freevars
        return constant.co_code, *names, constants
    return sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant


# --- how it is shown -----------------------------------------------------------------------------------------


def progress_text(states: States, due: Mapping[str, int]) -> str:
    """Return progress in plain lines: each lesson, and below it what is to do there, once it is begun.

    states: by lesson and exercise the last verdict's state; due: by lesson, how many questions.
    """
    lines = []
    for lesson in states:
        title, facts, marks, puzzles = _overview(lesson, states, due)
        lines.append(f"{title} ({'; '.join(facts)})")
        if states[lesson]:
            lines += [f"    {mark} {name}" for name, mark in marks.items()]
            lines += [f"    {mark} {name} (puzzle)" for name, mark in puzzles.items()]
    return "\n".join(lines if any(states.values()) else [*lines, NOTHING])


def progress_html(states: States, due: Mapping[str, int]) -> str:
    """Return progress as a map: a tile for each lesson, with links to it and its exercises, folded until begun."""
    tiles = []
    for number, lesson in enumerate(states, start=1):
        notebook = f"{lesson}/{lesson.split('_', 1)[1]}.ipynb"
        title, facts, marks, puzzles = _overview(lesson, states, due)
        links = _links(notebook, marks)
        if puzzles:
            links += _filled("puzzles", links=_links(notebook, puzzles))
        if not states[lesson]:
            links = _filled("folded", count=len(marks), links=links)
        facts_html = " · ".join(_filled("said", said=fact) for fact in facts)
        share = f"{_right(marks) / max(1, len(marks)):.0%}"
        about = {
            "notebook": notebook,
            "title": escape(title),
            "said": facts_html,
            "share": share,
            "links": links,
        }
        tiles.append(_filled("tile", number=number, **about))
    return _filled("map", tiles="".join(tiles), note=LEGEND if any(states.values()) else NOTHING)


def _overview(
    lesson: str, states: States, due: Mapping[str, int]
) -> tuple[str, list[str], dict[str, str], dict[str, str]]:
    """Return a lesson's title, facts about it, and by name the marks of its exercises and those of its puzzles."""
    stored = answer_keys.load(public_course.here(), lesson)
    marks = {name: MARKS[State(states[lesson].get(name, State.NOT_STARTED))] for name in stored.keys}
    puzzles = {name: marks.pop(name) for name, key in stored.keys.items() if key.puzzle}
    facts = {
        f"{stored.minutes} minutes": stored.minutes,
        f"{_right(marks)} of {len(marks)} right": marks,
        f"puzzles: {_right(puzzles)} of {len(puzzles)}": puzzles,
        f"{due.get(lesson)} to ask again": due.get(lesson),
    }
    return stored.title, [fact for fact, wanted in facts.items() if wanted], marks, puzzles


def _right(marks: Mapping[str, str]) -> int:
    return list(marks.values()).count(MARKS[State.RIGHT])


def _links(notebook: str, marks: Mapping[str, str]) -> str:
    """Return exercises with their marks, each a link to its cell."""
    inks = _MAP["ink"]
    links = (
        _filled("link", notebook=notebook, name=name, mark=mark, ink=inks[mark])
        for name, mark in marks.items()
    )
    return "".join(links)


def _filled(part: str, **words: object) -> str:
    return Template(_MAP[part]).substitute(words)

"""What a student's checks have said so far, kept beside `start_here.ipynb` and shown there at a glance."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from string import Template

from autograder.model.verdict import State, Verdict
from autograder.student import keys, visible
from autograder.student.report import MARKS
from autograder.student.tries import Checked, Kept, Tried, add_checked, add_line, all_lines

START_PAGE = "start_here.ipynb"
PROGRESS = ".progress"
NOTHING = "nothing checked yet: open the first lesson"
LEGEND = "✓ right on the visible checks, ✗ not yet, ○ not started; practice() asks again what is due"

_MAP = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

States = Mapping[str, Mapping[str, str]]


def record(lesson: str, verdict: Verdict, answer: str = "") -> Tried:
    """Remember a verdict, where the notebook lies below a folder with `start_here.ipynb`; the tries so far come back.

    answer: its digest; empty where this is not to be counted as a try. Where nothing is remembered, there are no tries.
    """
    file = _file(lesson)
    return Tried() if file is None else add_checked(file, Checked(verdict.exercise, verdict.state, answer))


def lines_of(lesson: str, kind: type[Kept]) -> list[Kept]:
    """What is kept of a lesson, of one kind; nothing where nothing is remembered."""
    file = _file(lesson)
    return [] if file is None else all_lines(file, kind)


def remember(lesson: str, one: Kept) -> None:
    """Remember a line once, where the notebook lies below a folder with `start_here.ipynb`."""
    file = _file(lesson)
    if file is not None and one not in all_lines(file, type(one)):
        add_line(file, one)


def progress_text(states: States, due: Mapping[str, int]) -> str:
    """Return progress in plain lines: each lesson, and below it what is to do there, once it is begun.

    states: by lesson and exercise the last verdict's state; due: by lesson, how many questions.
    """
    lines = []
    for lesson, known in states.items():
        title, marks, puzzles = _marks(lesson, known)
        lines.append(f"{title} ({'; '.join(_said(lesson, marks, puzzles, due))})")
        if known:
            lines += [f"    {mark} {name}" for name, mark in marks.items()]
            lines += [f"    {mark} {name} (puzzle)" for name, mark in puzzles.items()]
    return "\n".join([*lines, *([] if any(states.values()) else [NOTHING])])


def progress_html(states: States, due: Mapping[str, int]) -> str:
    """Return progress as a map: a tile for each lesson, with links to it and its exercises, folded until begun."""
    tiles = "".join(_tile(number, *one, due) for number, one in enumerate(states.items(), start=1))
    return _filled("map", tiles=tiles, note=LEGEND if any(states.values()) else NOTHING)


def _filled(part: str, **words: object) -> str:
    return Template(_MAP[part]).substitute(words)


def _tile(number: int, lesson: str, known: Mapping[str, str], due: Mapping[str, int]) -> str:
    notebook = f"{lesson}/{lesson.split('_', 1)[1]}.ipynb"
    title, marks, puzzles = _marks(lesson, known)
    said = " · ".join(_filled("said", said=one) for one in _said(lesson, marks, puzzles, due))
    links = _linked(notebook, marks)
    if puzzles:
        links += _filled("puzzles", links=_linked(notebook, puzzles))
    share = f"{_right(marks) / max(1, len(marks)):.0%}"
    links = links if known else _filled("folded", count=len(marks), links=links)
    about = {"notebook": notebook, "title": escape(title), "said": said, "share": share, "links": links}
    return _filled("tile", number=number, **about)


def _linked(notebook: str, marks: Mapping[str, str]) -> str:
    """Exercises with their marks, each a link to its cell."""
    inks = _MAP["ink"]
    return "".join(
        _filled("link", notebook=notebook, name=name, mark=mark, ink=inks[mark])
        for name, mark in marks.items()
    )


def _said(
    lesson: str, marks: Mapping[str, str], puzzles: Mapping[str, str], due: Mapping[str, int]
) -> Iterator[str]:
    """What is said of a lesson in a line."""
    if minutes := keys.load(visible.here(), lesson).minutes:
        yield f"{minutes} minutes"
    if marks:
        yield f"{_right(marks)} of {len(marks)} right"
    if puzzles:
        yield f"puzzles: {_right(puzzles)} of {len(puzzles)}"
    if due.get(lesson):
        yield f"{due[lesson]} to ask again"


def _marks(lesson: str, states: Mapping[str, str]) -> tuple[str, dict[str, str], dict[str, str]]:
    """A lesson's title, and by name the marks of its exercises and those of its puzzles."""
    stored = keys.load(visible.here(), lesson)
    marks = {name: MARKS[State(states.get(name, State.NOT_STARTED))] for name in stored.keys}
    puzzles = {name: marks.pop(name) for name, key in stored.keys.items() if key.puzzle}
    return stored.title, marks, puzzles


def _right(marks: Mapping[str, str]) -> int:
    return list(marks.values()).count(MARKS[State.RIGHT])


def _file(lesson: str) -> Path | None:
    """Where a lesson's checks are remembered: below the nearest folder, upwards, that holds `start_here.ipynb`."""
    try:
        here = Path.cwd()
        course = next((folder for folder in (here, *here.parents) if (folder / START_PAGE).is_file()), None)
    except OSError:
        return None
    return course and course / PROGRESS / f"{lesson}.jsonl"


def states_of(lesson: str) -> dict[str, str]:
    """The last verdict's state by exercise, of those that were checked."""
    file = _file(lesson)
    if file is None:
        return {}
    checked = {one.exercise: one.state for one in all_lines(file, Checked) if one.state in MARKS}
    return {**_kept_before(file), **checked}


def _kept_before(file: Path) -> dict[str, str]:
    """What an earlier version kept: a lesson's states alone."""
    try:
        known = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        return {str(name): state for name, state in known.items() if state in MARKS}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}

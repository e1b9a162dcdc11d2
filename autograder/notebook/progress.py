"""The map of a student's progress, as text and as HTML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from string import Template

from autograder.checks import answer_keys
from autograder.exercises import public_course
from autograder.exercises.verdict import State
from autograder.notebook import attempt_log
from autograder.notebook.optional_quiz import load_quiz
from autograder.views.display import display_as
from autograder.views.verdict_view import MARKS

NOTHING = "nothing checked yet: open the first lesson"
LEGEND = "✓ right on the visible checks, ✗ not yet, ○ not started; practice() asks again what is due"

_TEMPLATES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

States = Mapping[str, Mapping[str, str]]
"""The last verdict's state, by lesson and exercise."""


def show_progress() -> None:
    """Display the lessons as a map with their minutes, the state of each exercise, and the number of due questions."""
    lessons = public_course.current_course().lessons
    states = {lesson: attempt_log.last_states(lesson) for lesson in lessons}
    quiz, now = load_quiz("practice"), datetime.now(UTC)
    due = {lesson: len(quiz.list_due(lesson, now)) for lesson in lessons} if quiz else {}
    display_as(progress_text(states, due), progress_html(states, due))


def progress_text(states: States, due: Mapping[str, int]) -> str:
    """Return progress in plain lines: each lesson and, once it is begun, its exercises.

    Args:
        states: The last verdict's state, by lesson and exercise.
        due: The number of questions that are due, by lesson.
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
    """Return progress as a map: a tile for each lesson, with links to it and its exercises, folded until begun.

    The lessons that are not begun are folded together. Where none is begun, the first one is open.
    """
    tiles, not_begun = list[str](), list[str]()
    opened = {lesson for lesson in states if states[lesson]} or {*list(states)[:1]}
    for number, lesson in enumerate(states, start=1):
        notebook = f"{lesson}/{lesson.split('_', 1)[1]}.ipynb"
        title, facts, marks, puzzles = _overview(lesson, states, due)
        links = _links(notebook, marks)
        if puzzles:
            links += _fill("puzzles", links=_links(notebook, puzzles))
        if not states[lesson]:
            links = _fill("folded", count=len(marks), links=links)
        tile = _fill(
            "tile",
            number=number,
            notebook=notebook,
            title=escape(title),
            facts=" · ".join(_fill("fact", fact=fact) for fact in facts),
            share=f"{_count_right(marks) / max(1, len(marks)):.0%}",
            links=links,
        )
        (tiles if lesson in opened else not_begun).append(tile)
    if not_begun:
        lessons = "1 lesson" if len(not_begun) == 1 else f"{len(not_begun)} lessons"
        tiles.append(_fill("not_begun", lessons=lessons, tiles="".join(not_begun)))
    return _fill("map", tiles="".join(tiles), note=LEGEND if any(states.values()) else NOTHING)


def _overview(
    lesson: str, states: States, due: Mapping[str, int]
) -> tuple[str, list[str], dict[str, str], dict[str, str]]:
    """Return a lesson's title, facts about it, the marks of its exercises by name, and those of its puzzles."""
    stored = answer_keys.load_keys(public_course.current_course(), lesson)
    marks = {name: MARKS[State(states[lesson].get(name, State.NOT_STARTED))] for name in stored.keys}
    puzzles = {name: marks.pop(name) for name, key in stored.keys.items() if key.puzzle}
    facts = {
        f"{stored.minutes} minutes": stored.minutes,
        f"{_count_right(marks)} of {len(marks)} right": marks,
        f"puzzles: {_count_right(puzzles)} of {len(puzzles)}": puzzles,
        f"{due.get(lesson)} to ask again": due.get(lesson),
    }
    return stored.title, [fact for fact, holds in facts.items() if holds], marks, puzzles


def _count_right(marks: Mapping[str, str]) -> int:
    return list(marks.values()).count(MARKS[State.RIGHT])


def _links(notebook: str, marks: Mapping[str, str]) -> str:
    """Return exercises with their marks, each a link to its cell."""
    inks = _TEMPLATES["ink"]
    return "".join(
        _fill("link", notebook=notebook, name=name, mark=mark, ink=inks[mark]) for name, mark in marks.items()
    )


def _fill(part: str, **words: object) -> str:
    return Template(_TEMPLATES[part]).substitute(words)

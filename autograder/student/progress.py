"""What a student's checks have said so far, kept beside `start_here.ipynb` and shown there at a glance."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path

from autograder.model.verdict import State, Verdict
from autograder.student import keys, visible
from autograder.student.report import MARKS
from autograder.student.tries import Checked, add_checked, all_checked, tries_of

START_PAGE = "start_here.ipynb"
PROGRESS = ".progress"
NOTHING = "nothing checked yet: open the first lesson"
LEFT, UNBROKEN = "text-align:left;vertical-align:top", "white-space:nowrap"


def record(lesson: str, verdict: Verdict, answer: str = "") -> int:
    """Remember a verdict, where the notebook lies below a folder with `start_here.ipynb`; the tries so far come back.

    answer: its digest; empty where this is not to be counted as a try. Where nothing is remembered, there are no tries.
    """
    file = _file(lesson)
    if file is None:
        return 0
    return tries_of(verdict.exercise, add_checked(file, Checked(verdict.exercise, verdict.state, answer)))


def show_progress() -> None:
    """Display every lesson with its exercises: right, not yet right, or not started."""
    from IPython.display import display

    states = {lesson: states_of(lesson) for lesson in visible.here().lessons}
    display({"text/plain": progress_text(states), "text/html": progress_html(states)}, raw=True)


def progress_text(states: dict[str, dict[str, str]]) -> str:
    """Progress in plain lines: each lesson, and below it what is to do there, the puzzles last.

    states: by lesson and exercise the last verdict's state.
    """
    lines = []
    for lesson, known in states.items():
        title, marks, puzzles = _marks(lesson, known)
        counted = _count(marks) + (f"; puzzles: {_count(puzzles)}" if puzzles else "")
        lines.append(f"{title} ({counted})")
        lines += [f"    {mark} {name}" for name, mark in marks.items()]
        lines += [f"    {mark} {name} (puzzle)" for name, mark in puzzles.items()]
    return "\n".join([*lines, *([] if any(states.values()) else [NOTHING])])


def progress_html(states: dict[str, dict[str, str]]) -> str:
    """Progress as a table, one lesson a row; puzzles have a column where any lesson has some."""
    puzzling = any(_marks(lesson, known)[2] for lesson, known in states.items())
    rows = [_row(number, *one, puzzling) for number, one in enumerate(states.items(), start=1)]
    titles = ["lesson", "right", *(["puzzles"] if puzzling else []), "exercises"]
    head = "".join(f'<th style="{LEFT}">{title}</th>' for title in titles)
    legend = "✓ right on the visible checks, ✗ not yet, ○ not started"
    note = legend if any(states.values()) else NOTHING
    return f"<table><tr>{head}</tr>{''.join(rows)}</table><p>{note}</p>"


def _row(number: int, lesson: str, known: Mapping[str, str], puzzling: bool) -> str:
    notebook = f"{lesson}/{lesson.split('_', 1)[1]}.ipynb"
    title, marks, puzzles = _marks(lesson, known)
    cells = [f'<a href="{notebook}">{number} · {escape(title)}</a>']
    counted = [marks, puzzles] if puzzling else [marks]
    cells += [f'<span style="{UNBROKEN}">{_count(one)}</span>' for one in counted]
    cells += [_marked(marks) + (f"<br>puzzles:&ensp;{_marked(puzzles)}" if puzzles else "")]
    return "<tr>" + "".join(f'<td style="{LEFT}">{cell}</td>' for cell in cells) + "</tr>"


def _marked(marks: Mapping[str, str]) -> str:
    return " ".join(
        f'<span style="{UNBROKEN};margin-right:1em">{mark}&ensp;{escape(name)}</span>'
        for name, mark in marks.items()
    )


def _marks(lesson: str, states: Mapping[str, str]) -> tuple[str, dict[str, str], dict[str, str]]:
    """A lesson's title, and by name the marks of its exercises and those of its puzzles."""
    stored = keys.load(visible.here(), lesson)
    marks = {name: MARKS[State(states.get(name, State.NOT_STARTED))] for name in stored.keys}
    puzzles = {name: marks.pop(name) for name, key in stored.keys.items() if key.puzzle}
    return stored.title, marks, puzzles


def _count(marks: Mapping[str, str]) -> str:
    """How many are right; nothing where there are none."""
    right = list(marks.values()).count(MARKS[State.RIGHT])
    return f"{right} of {len(marks)}" if marks else ""


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
    return {
        **_kept_before(file),
        **{one.exercise: one.state for one in all_checked(file) if one.state in MARKS},
    }


def _kept_before(file: Path) -> dict[str, str]:
    """What an earlier version kept: a lesson's states alone."""
    try:
        known = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        return {str(name): state for name, state in known.items() if state in MARKS}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}

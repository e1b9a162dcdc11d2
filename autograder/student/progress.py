"""What a student's checks have said so far, kept beside `start_here.ipynb` and shown there at a glance."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from html import escape
from pathlib import Path

from autograder.model.exercise import Key
from autograder.model.verdict import State, Verdict
from autograder.student import keys, visible
from autograder.student.report import MARKS

START = "start_here.ipynb"
FOLDER = ".progress"
NOTHING = "nothing checked yet: open the first lesson"


def record(lesson: str, verdict: Verdict) -> None:
    """Remember a verdict, if the notebook lies below a folder with `start_here.ipynb`; else do nothing."""
    course = _course_folder()
    if course is None:
        return
    states = {**_read(course, lesson), verdict.exercise: verdict.state}
    folder = course / FOLDER
    folder.mkdir(exist_ok=True)
    new = folder / f"{lesson}.{os.getpid()}.new"
    new.write_text(json.dumps(states, indent=1), encoding="utf-8")
    new.replace(folder / f"{lesson}.json")


def show_progress() -> None:
    """Display every lesson with its exercises: right, not yet right, or not started."""
    from IPython.display import display

    course = _course_folder()
    states = {lesson: _read(course, lesson) if course else {} for lesson in visible.here().lessons}
    display({"text/plain": as_text(states), "text/html": as_html(states)}, raw=True)


def as_text(states: dict[str, dict[str, str]]) -> str:
    """Progress in plain lines, one lesson each; `states` maps lesson and exercise to the last verdict's state."""
    lines = []
    for lesson in states:
        marked = [
            f"{MARKS[State(state)]} {exercise}" for exercise, state in _all_states(lesson, states).items()
        ]
        puzzles = _count(lesson, states, puzzles=True)
        counted = _count(lesson, states) + (f"; puzzles: {puzzles}" if puzzles else "")
        lines.append(f"{_title(lesson)} ({counted})\n    " + "\n    ".join(marked))
    return "\n".join([*lines, *([] if any(states.values()) else [NOTHING])])


def as_html(states: dict[str, dict[str, str]]) -> str:
    """Progress as a table, one lesson a row."""
    rows = []
    for lesson in states:
        notebook = f"{lesson}/{lesson.split('_', 1)[1]}.ipynb"
        marked = (
            f'<span style="white-space:nowrap;margin-right:1em">{MARKS[State(state)]}&ensp;{escape(exercise)}</span>'
            for exercise, state in _all_states(lesson, states).items()
        )
        rows.append(
            f'<tr><td style="text-align:left"><a href="{notebook}">{escape(_title(lesson))}</a></td>'
            f"<td>{_count(lesson, states)}</td><td>{_count(lesson, states, puzzles=True)}</td>"
            f'<td style="text-align:left">{" ".join(marked)}</td></tr>'
        )
    titles = "<th>right</th><th>puzzles</th><th style='text-align:left'>exercises</th>"
    head = f"<tr><th style='text-align:left'>lesson</th>{titles}</tr>"
    legend = "✓ right on the visible checks, ✗ not yet, ○ not started"
    note = legend if any(states.values()) else NOTHING
    return f"<table>{head}{''.join(rows)}</table><p>{note}</p>"


def _title(lesson: str) -> str:
    return keys.load(visible.here(), lesson).title


def _keys(lesson: str) -> Mapping[str, Key]:
    return keys.load(visible.here(), lesson).keys


def _all_states(lesson: str, states: dict[str, dict[str, str]]) -> dict[str, str]:
    return {exercise: states[lesson].get(exercise, State.NOT_STARTED) for exercise in _keys(lesson)}


def _count(lesson: str, states: dict[str, dict[str, str]], puzzles: bool = False) -> str:
    """How many are right of a lesson's exercises, or of its puzzles; nothing where it has none."""
    wanted = [name for name, key in _keys(lesson).items() if key.puzzle == puzzles]
    right = sum(states[lesson].get(name) == State.RIGHT for name in wanted)
    return f"{right} of {len(wanted)}" if wanted else ""


def _course_folder() -> Path | None:
    """The nearest folder, from here upwards, that holds `start_here.ipynb`."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / START).is_file()), None)


def _read(course: Path, lesson: str) -> dict[str, str]:
    """What was remembered; a damaged file counts as nothing."""
    try:
        states = json.loads((course / FOLDER / f"{lesson}.json").read_text(encoding="utf-8"))
        return {str(name): state for name, state in states.items() if state in MARKS}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}

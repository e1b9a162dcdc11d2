"""What a student's checks have said so far, kept beside `start_here.ipynb` and shown there at a glance."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from html import escape
from pathlib import Path

from autograder.model.verdict import State, Verdict
from autograder.student import keys, visible
from autograder.student.report import MARKS

START_PAGE = "start_here.ipynb"
PROGRESS = ".progress"
NOTHING = "nothing checked yet: open the first lesson"
LEFT, UNBROKEN = "text-align:left;vertical-align:top", "white-space:nowrap"


def record(lesson: str, verdict: Verdict) -> None:
    """Remember a verdict, where the notebook lies below a folder with `start_here.ipynb` that may be written to."""
    course = _course_folder()
    if course is None:
        return
    states = {**_read(course, lesson), verdict.exercise: verdict.state}
    folder = course / PROGRESS
    with contextlib.suppress(OSError):  # a full disk must not cost the verdict
        folder.mkdir(exist_ok=True)
        new = folder / f"{lesson}.{os.getpid()}.new"
        new.write_text(json.dumps(states, indent=1), encoding="utf-8")
        new.replace(folder / f"{lesson}.json")


def show_progress() -> None:
    """Display every lesson with its exercises: right, not yet right, or not started."""
    from IPython.display import display

    course = _course_folder()
    states = {lesson: _read(course, lesson) if course else {} for lesson in visible.here().lessons}
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


def _course_folder() -> Path | None:
    """The nearest folder, from here upwards, that holds `start_here.ipynb`."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / START_PAGE).is_file()), None)


def _read(course: Path, lesson: str) -> dict[str, str]:
    """What was remembered; a damaged file counts as nothing."""
    try:
        states = json.loads((course / PROGRESS / f"{lesson}.json").read_text(encoding="utf-8"))
        return {str(name): state for name, state in states.items() if state in MARKS}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}

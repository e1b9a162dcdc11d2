"""Steps through an answer as text and as HTML, and the result beside what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Any

from autograder.model import values
from autograder.student.beside import Beside, Grid
from autograder.student.report import Section
from autograder.student.stepping import Call, LineRun, folded

LONGEST_VALUE, WIDEST_LINE = 60, 44
"""Of a value, and of a line of code beside which it still stands, in characters."""

MARK = "◀"


def card_of(
    title: str, call: Call, differs: Beside | None = None, notes: Mapping[LineRun, str] = MappingProxyType({})
) -> Section:
    """One call's steps, its end, and what differs. notes: what is to be said of a step that is outlined."""
    end, steps = _end(call), folded(call)
    text = [line for step in steps for line in _step_text(step, notes.get(step, ""))]
    rows = "".join(_step_html(step, notes.get(step, "")) for step in steps)
    html = (
        f'<table class="steps"><thead><tr><th>line</th><th>made</th><th>shape</th></tr></thead>{rows}</table>'
    )
    text, html = [*text, *end], html + "".join(f"<p>{escape(line)}</p>" for line in end)
    if differs is not None:
        text, html = [*text, *_beside_text(differs)], html + _beside_html(differs)
    return Section(title, "\n".join(text), f'<div class="scrolled">{html}</div>')


def value_in_short(value: Any) -> tuple[str, str]:
    """A value in a few characters, and the shape of what has one."""
    numbers = None if isinstance(value, (list, tuple)) else values.as_numbers(value)
    if isinstance(value, str):
        text = repr(value)
    elif numbers is not None:
        text = " ".join(values.shown(value).split())
    elif isinstance(value, (list, tuple)):
        inner = ", ".join(value_in_short(item)[0] for item in value[:6]) + ", …" * (len(value) > 6)
        text = f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    else:
        text = "None" if value is None else values.kind_of(value)
    shape = str(numbers.shape) if numbers is not None and numbers.ndim else ""
    if isinstance(value, list):
        shape = f"list of {len(value)}"
    return (text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"), shape


def with_shape(value: Any) -> str:
    """A value in a few characters, with its shape behind it."""
    text, shape = value_in_short(value)
    return text + f"   {shape}" * bool(shape)


def _end(call: Call) -> list[str]:
    if call.error:
        return [f"It raised {call.error}"]
    if call.returned:
        return [f"It returned {with_shape(call.value)}"]
    return ["It was ended here: it did not come to its end in time."]


def _step_text(step: LineRun, note: str) -> list[str]:
    told = [f"{name} = {with_shape(value)}" for name, value in step.made.items()]
    told += [f"{MARK} {one}" for one in (*_changes(step), note) if one]
    beside = len(step.text) <= WIDEST_LINE
    first = f"{step.text:<{WIDEST_LINE}}  {told[0]}" if told and beside else step.text
    return [first, *(" " * (WIDEST_LINE + 2) + one for one in told[beside:])]


def _changes(step: LineRun) -> list[str]:
    return [f"this changes the argument {name} itself" for name in step.changed]


def _step_html(step: LineRun, note: str) -> str:
    if not step.line:
        return f'<tbody><tr><td colspan="3">{escape(step.text)}</td></tr></tbody>'
    made = ((name, *value_in_short(value)) for name, value in step.made.items())
    told = [(f"<b>{escape(name)}</b> = {escape(text)}", shape) for name, text, shape in made]
    marked = [(f"{MARK} {escape(one)}", "") for one in (*_changes(step), note) if one]
    first, *others = [*told, *marked] or [("", "")]
    kind = ' class="differs"' * bool(note)
    code = f'<td rowspan="{1 + len(others)}"><code>{escape(step.text)}</code></td>'
    rows = "</tr><tr>".join(
        f'<td>{text}</td><td class="shape">{shape}</td>' for text, shape in (first, *others)
    )
    return f"<tbody{kind}><tr>{code}{rows}</tr></tbody>"


def _beside_text(found: Beside) -> list[str]:
    sides = [_grid_text(side) for side in (found.got, found.expected)]
    rows = ["got", *sides[0]], ["expected", *sides[1]]
    width = max(map(len, rows[0])) + 4
    if width + max(map(len, rows[1])) > 2 * WIDEST_LINE:
        return [found.where, *rows[0], *rows[1]]
    longest = max(map(len, rows))
    left, right = (side + [""] * (longest - len(side)) for side in rows)
    return [found.where, *(f"{one:<{width}}{other}".rstrip() for one, other in zip(left, right))]


def _grid_text(side: Grid | str) -> list[str]:
    if isinstance(side, str):
        return side.split("\n")
    width = max(len(text) for row in side.rows for text in row)

    def one(place: tuple[int, int], text: str) -> str:
        return f"[{text:>{width}}]" if place == side.marked else f" {text:>{width}} "

    return ["".join(one((i, j), text) for j, text in enumerate(row)) for i, row in enumerate(side.rows)]


def _beside_html(found: Beside) -> str:
    sides = zip(("got", "expected"), (found.got, found.expected))
    tables = "".join(f"<div><b>{name}</b>{_grid_html(side)}</div>" for name, side in sides)
    return f'<p>{escape(found.where)}</p><div class="beside">{tables}</div>'


def _grid_html(side: Grid | str) -> str:
    if isinstance(side, str):
        return f"<pre>{escape(side)}</pre>"

    def one(place: tuple[int, int], text: str) -> str:
        marked = ' class="differs" aria-label="first wrong entry: ' + escape(text) + '"'
        return f"<td{marked if place == side.marked else ''}>{escape(text)}</td>"

    rows = (
        "<tr>" + "".join(one((i, j), text) for j, text in enumerate(row)) + "</tr>"
        for i, row in enumerate(side.rows)
    )
    return f"<table>{''.join(rows)}</table>"

"""A trace of an answer as text and as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

from autograder.calls.trace import Step, TracedCall, fold_loops
from autograder.exercises import values
from autograder.views.verdict_view import Section

MAX_VALUE_LENGTH, LINE_WIDTH = 60, 44
"""Characters of a value, and of the column with lines of code."""

MARK = "◀"


def trace_section(
    title: str,
    call: TracedCall,
    differs: tuple[str, str, str] | None = None,
    notes: Mapping[Step, str] = MappingProxyType({}),
) -> Section:
    """Return the section with a call's steps, its end, and the first difference from the expected result.

    Args:
        title: The section's title.
        call: The call with its steps.
        differs: The first difference, what came back and what was expected; None where there is nothing to compare.
        notes: Remarks by step; such a step is outlined.
    """
    end = "It was ended here: it did not come to its end in time."
    if call.error:
        end = f"It raised {call.error}"
    elif call.returned:
        end = f"It returned {format_with_shape(call.value)}"
    lines, rows = [], ""
    for step in fold_loops(call):
        note = notes.get(step, "")
        results = [(name, *format_value(value)) for name, value in step.values.items()]
        remarks = [f"this changes the argument {name} itself" for name in step.changed] + [note] * bool(note)
        lines += _step_lines(step.text, results, remarks)
        rows += _step_rows(step, results, remarks, outlined=bool(note))
    head = "<thead><tr><th>line</th><th>made</th><th>shape</th></tr></thead>"
    html = f'<table class="steps">{head}{rows}</table><p>{escape(end)}</p>'
    lines.append(end)
    if differs is not None:
        difference, actual, expected = differs
        lines += [difference, "got", actual, "expected", expected]
        html += f"<pre>{escape(chr(10).join(lines[-5:]))}</pre>"
    return Section(title, "\n".join(lines), f'<div class="scrolled">{html}</div>')


def format_value(value: Any) -> tuple[str, str]:
    """Return a value in a few characters, and its shape, empty where it has none."""
    numbers = None if isinstance(value, (list, tuple)) else values.as_numbers(value)
    shape = str(numbers.shape) if numbers is not None and numbers.ndim else ""
    if isinstance(value, str):
        text = repr(value)
    elif numbers is not None:
        text = " ".join(values.format_value(value).split())
    elif isinstance(value, (list, tuple)):
        inner = ", ".join(format_value(item)[0] for item in value[:6]) + ", …" * (len(value) > 6)
        text = f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
        shape = f"list of {len(value)}" if isinstance(value, list) else ""
    else:
        text = "None" if value is None else values.describe_kind(value)
    return (text if len(text) <= MAX_VALUE_LENGTH else f"{text[: MAX_VALUE_LENGTH - 1]}…"), shape


def format_with_shape(value: Any) -> str:
    """Return a value in a few characters, followed by its shape."""
    return "   ".join(filter(None, format_value(value)))


def _step_lines(code: str, results: list[tuple[str, str, str]], remarks: list[str]) -> list[str]:
    comments = [f"{name} = " + "   ".join(filter(None, shown)) for name, *shown in results]
    comments += [f"{MARK} {remark}" for remark in remarks]
    rows = zip_longest([code], comments, fillvalue="")
    return [f"{code_line:<{LINE_WIDTH}}  {comment}".rstrip() for code_line, comment in rows]


def _step_rows(step: Step, results: list[tuple[str, str, str]], remarks: list[str], outlined: bool) -> str:
    if not step.line:
        return f'<tbody><tr><td colspan="3">{escape(step.text)}</td></tr></tbody>'
    cells = [(f"<b>{escape(name)}</b> = {escape(text)}", shape) for name, text, shape in results]
    cells += [(f"{MARK} {escape(remark)}", "") for remark in remarks]
    rows = [f'<td>{text}</td><td class="shape">{shape}</td>' for text, shape in cells or [("", "")]]
    code = f'<td rowspan="{len(rows)}"><code>{escape(step.text)}</code></td>'
    kind = ' class="differs"' * outlined
    return f"<tbody{kind}><tr>{code}{'</tr><tr>'.join(rows)}</tr></tbody>"

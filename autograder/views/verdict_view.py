"""Verdicts as text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import indent
from typing import Any

from autograder.exercises.verdict import CriterionResult, Outcome, State, Verdict

MARKS = {State.RIGHT: "✓", State.WRONG: "✗", State.NOT_STARTED: "○"}
_SIGNS = {Outcome.PASSED: "✓", Outcome.FAILED: "✗", Outcome.NOT_REACHED: "–", Outcome.UNASKED: "–"}

_CSS = Path(__file__).with_name("verdict.css").read_text(encoding="utf-8")

STYLE = f"<style>{_CSS.replace(chr(10), '')}</style>"
"""The style of a verdict. It uses JupyterLab's colours, light or dark. A page sets its own as `--verdict-ink`,
`--verdict-paper`, `--verdict-block` and `--verdict-edge`."""


@dataclass(frozen=True)
class Section:
    """A titled section below a verdict, as text and as HTML.

    folded: whether the reader has to open it; question: the card of the quiz that it shows, if any.
    """

    title: str
    text: str
    html: str
    folded: bool = False
    question: Any = None


def paragraph(title: str, text: str) -> Section:
    """Return a section of one paragraph, whose text needs no escaping."""
    return Section(title, text, f"<p>{text}</p>")


def as_text(verdict: Verdict, added: Sequence[Section] = ()) -> str:
    """Return a verdict and the sections below it in plain lines of at most about 90 characters."""
    lines = [f"{MARKS[verdict.state]} {verdict.exercise:<38} {_count(verdict)}"]
    lines += [f"  {text}" for text in _opening(verdict)]
    if not verdict.problem:
        for line in verdict.lines:
            lines.append(f"  {_SIGNS[line.sight]} {line.in_short}")
            lines += [f"      {detail}" for detail in line.details]
    if verdict.looks_like:
        lines += [f"  Looks like: {verdict.looks_like}.", f"  Ask yourself: {verdict.question}"]
    lines += [f"  {text}" for text in _closing(verdict)]
    return "\n".join([*lines, *([sections_as_text(added)] if added else [])])


def sections_as_text(added: Sequence[Section]) -> str:
    """Return sections in plain lines, as they stand below a verdict."""
    return "\n".join(f"\n  {section.title}\n{indent(section.text, ' ' * 6)}" for section in added)


def sections_as_html(added: Sequence[Section]) -> str:
    """Return sections that do not stand below a verdict, as one HTML block with its style."""
    return f'{STYLE}<section class="verdict" aria-label="More on it">{join_sections(added)}</section>'


def join_sections(added: Sequence[Section]) -> str:
    """Return sections as HTML below each other, without a style of their own."""
    return "".join(
        _fold(section) if section.folded else f"<p><b>{escape(section.title)}</b></p>{section.html}"
        for section in added
    )


def as_html(verdict: Verdict, added: Sequence[Section] = ()) -> str:
    """Return a verdict and the sections below it as one HTML block with its style."""
    return STYLE + card(verdict, added)


def card(verdict: Verdict, added: Sequence[Section] = ()) -> str:
    """Return a verdict as HTML for a page that has `STYLE`; all student text is escaped."""
    name = escape(verdict.exercise)
    parts = [f"<header><span>{MARKS[verdict.state]} {name}</span><span>{_count(verdict)}</span></header>"]
    parts += [f"<p>{sentence(text)}</p>" for text in _opening(verdict)]
    if not verdict.problem:
        lines = map(_line_html, verdict.lines)
        parts.append(f'<ul class="lines">{"".join(lines)}</ul>')
    if verdict.looks_like:
        parts.append(f"<p><b>Looks like:</b> {sentence(verdict.looks_like)}.</p>")
        parts.append(f"<p><b>Ask yourself:</b> {sentence(verdict.question)}</p>")
    parts += [f"<p>{escape(text)}</p>" for text in _closing(verdict)]
    parts += [_fold(section) for section in added]
    kind = verdict.state.replace(" ", "-")
    body = "".join(parts)
    return f'<section class="verdict {kind}" aria-label="Verdict on {name}">{body}</section>'


def sentence(text: str) -> str:
    """Return a sentence as HTML, with text between backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _fold(section: Section) -> str:
    opened = "" if section.folded else " open"
    return f"<details{opened}><summary>{escape(section.title)}</summary>{section.html}</details>"


def _line_html(line: CriterionResult) -> str:
    block = f"<pre>{escape(chr(10).join(line.details))}</pre>" if line.details else ""
    return f"<li>{_SIGNS[line.sight]}&ensp;{sentence(line.in_short)}{block}</li>"


def _count(verdict: Verdict) -> str:
    if verdict.state is State.NOT_STARTED:
        return State.NOT_STARTED
    kind = "visible checks" if verdict.graded and not verdict.hidden else "checks"
    number = sum(line.sight is not Outcome.UNASKED for line in verdict.lines)
    return f"{verdict.passed} of {number} {kind}"


def mend_first(verdict: Verdict) -> str:
    """Return the sentence that names the earlier exercise to mend first."""
    return f"{verdict.mend_first}, which this may call, is not right yet: mend it first"


def _opening(verdict: Verdict) -> tuple[str, ...]:
    """Return the sentences above a verdict's lines."""
    note = "" if verdict.problem else " What is judged was there before."
    failed = f"The last run of this cell failed ({verdict.cell_failed}).{note}"
    return (
        *([failed] if verdict.cell_failed else []),
        *verdict.overwritten,
        *([mend_first(verdict)] if verdict.mend_first else []),
        *verdict.problem,
    )


def _closing(verdict: Verdict) -> tuple[str, ...]:
    """Return the sentences below a verdict's lines."""
    if verdict.library:
        names = " and ".join(verdict.library)
        return (
            f"It calls {names}, which does the exercise for you. The point here is to write it yourself.",
        )
    if verdict.state is State.RIGHT and verdict.graded and not verdict.hidden:
        return ("Visible checks pass. Grading tries more inputs.",)
    return ()

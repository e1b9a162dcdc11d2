"""A verdict as text and as HTML. Nothing is decided here."""

from __future__ import annotations

from html import escape

from autograder.model.verdict import Line, Sight, State, Verdict

MARKS = {State.RIGHT: "✓", State.WRONG: "✗", State.NOT_STARTED: "○"}
_SIGNS = {Sight.HELD: "✓", Sight.FAILED: "✗", Sight.NOT_REACHED: "–"}

STYLE = """
<style>
.verdict{--ink:var(--verdict-ink,var(--jp-content-font-color1,#1b1f24));
 --paper:var(--verdict-paper,var(--jp-layout-color1,#fff));--block:var(--verdict-block,var(--jp-layout-color2,#f3f4f6));
 --edge:var(--verdict-edge,var(--jp-border-color1,#c9ced6));
 font-family:var(--jp-ui-font-family,system-ui,sans-serif);font-size:14px;line-height:1.5;
 max-width:740px;color:var(--ink);background:var(--paper);border:1px solid var(--edge);border-left:6px solid #6b7683;
 border-radius:4px;padding:.6em 1em;margin:.3em 0}
.verdict.right{border-left-color:#2a8f5b}.verdict.wrong{border-left-color:#c8553b}
.verdict header{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1em;font-weight:600}
.verdict ul.lines{list-style:none;margin:.3em 0;padding:0}.verdict li{padding-left:1.5em;text-indent:-1.5em}
.verdict pre{margin:.2em 0 .4em;padding:.4em .7em;background:var(--block);color:var(--ink);text-indent:0;
 white-space:pre-wrap;overflow-wrap:anywhere;font-family:var(--jp-code-font-family,ui-monospace,monospace);
 font-size:12.5px;line-height:1.45}
.verdict p{margin:.35em 0}
</style>
""".strip().replace("\n", "")
"""How a verdict looks. It takes JupyterLab's colours, light or dark; a page sets its own as `--verdict-ink`,
`--verdict-paper`, `--verdict-block` and `--verdict-edge`."""


def as_text(verdict: Verdict) -> str:
    """The verdict in plain lines, at most about 90 characters wide."""
    lines = [f"{MARKS[verdict.state]} {verdict.exercise:<38} {_count(verdict)}"]
    lines += [f"  {text}" for text in _opening(verdict)]
    if not verdict.problem:
        for line in verdict.lines:
            lines.append(f"  {_SIGNS[line.sight]} {line.in_short}")
            lines += [f"      {detail}" for detail in line.details]
    if verdict.looks_like:
        lines += [f"  Looks like: {verdict.looks_like}.", f"  Ask yourself: {verdict.question}"]
    return "\n".join([*lines, *(f"  {text}" for text in _closing(verdict))])


def as_html(verdict: Verdict) -> str:
    """The verdict as one self-contained HTML block."""
    return STYLE + card(verdict)


def card(verdict: Verdict) -> str:
    """The verdict as HTML that wants `STYLE` on its page; everything that came from a student is escaped."""
    name = escape(verdict.exercise)
    parts = [f"<header><span>{MARKS[verdict.state]} {name}</span><span>{_count(verdict)}</span></header>"]
    parts += [f"<p>{escape(text)}</p>" for text in _opening(verdict)]
    if not verdict.problem:
        lines = map(_line_html, verdict.lines)
        parts.append(f'<ul class="lines">{"".join(lines)}</ul>')
    if verdict.looks_like:
        parts.append(f"<p><b>Looks like:</b> {escape(verdict.looks_like)}.</p>")
        parts.append(f"<p><b>Ask yourself:</b> {escape(verdict.question)}</p>")
    parts += [f"<p>{escape(text)}</p>" for text in _closing(verdict)]
    kind = verdict.state.replace(" ", "-")
    body = "".join(parts)
    return f'<section class="verdict {kind}" aria-label="Verdict on {name}">{body}</section>'


def _line_html(line: Line) -> str:
    block = f"<pre>{escape(chr(10).join(line.details))}</pre>" if line.details else ""
    return f"<li>{_SIGNS[line.sight]}&ensp;{escape(line.in_short)}{block}</li>"


def _count(verdict: Verdict) -> str:
    if verdict.state is State.NOT_STARTED:
        return State.NOT_STARTED
    kind = "visible checks" if verdict.graded and not verdict.hidden else "checks"
    return f"{verdict.passed} of {len(verdict.lines)} {kind}"


def mend_first(verdict: Verdict) -> str:
    """Which earlier exercise to look at before this one, as a sentence."""
    return f"{verdict.mend_first}, which this may call, is not right yet: mend it first"


def _opening(verdict: Verdict) -> tuple[str, ...]:
    """What is to be said before the lines."""
    before = "" if verdict.problem else " What is judged was there before."
    failed = f"The last run of this cell failed ({verdict.cell_failed}).{before}"
    return (
        *([failed] if verdict.cell_failed else []),
        *([mend_first(verdict)] if verdict.mend_first else []),
        *verdict.problem,
    )


def _closing(verdict: Verdict) -> tuple[str, ...]:
    """What is left to say below the lines."""
    if verdict.library:
        names = " and ".join(verdict.library)
        return (
            f"It calls {names}, which does the exercise for you. The point here is to write it yourself.",
        )
    if verdict.state is State.RIGHT and verdict.graded and not verdict.hidden:
        return ("Visible checks pass. Grading tries more inputs.",)
    return ()

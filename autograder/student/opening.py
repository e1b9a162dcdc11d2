"""What later tries open: the lines of an answer as a puzzle, then the answer itself, with a twin to earn it."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from autograder.model.concealed import unpacked
from autograder.model.errors import CourseError
from autograder.model.exercise import Key
from autograder.student.report import Section, numbered, paragraph
from autograder.student.visible import Visible

CELL = "<lines of the puzzle>"
WRONG = ("", "; one of them is wrong", "; two of them are wrong")
SEE_NEXT = (
    "A guess may be wrong: what teaches is where it parts from the truth. The next cell shows that: run it."
)
EARN = "To make it yours, write its twin: all is as before, but for one thing."
NOT_USED = "─── below this bar: left out ───"


@dataclass(frozen=True)
class LinePuzzle:
    """given: the lines that stand before; lines: those to put in order, `wrong` of which are in no right answer."""

    given: Sequence[str]
    lines: Sequence[str]
    wrong: int

    def code(self, order: Sequence[int]) -> str:
        """The lines in an order, counted from 1. Raises `CourseError` where there is no such line."""
        known = range(1, len(self.lines) + 1)
        for number in order:
            if number not in known:
                raise CourseError(f"the lines have numbers from 1 to {len(self.lines)}; {number!r} is none")
        code = "\n".join([*self.given, *(self.lines[number - 1] for number in order)]) + "\n"
        linecache.cache[CELL] = (len(code), None, code.splitlines(keepends=True), CELL)
        return code


@dataclass(frozen=True)
class PuzzleCard(Section):
    """A puzzle as text, and what may be shown as widgets as well."""

    puzzle: LinePuzzle | None = None


def stored_puzzle(course: Visible, lesson: str, exercise: str) -> LinePuzzle | None:
    """An exercise's puzzle; None where it has none, or the course has puzzles off."""
    found = _stored(course, lesson, "puzzle", exercise)
    try:
        return LinePuzzle(**found)
    except TypeError:
        return None


def _stored(course: Visible, lesson: str, name: str, exercise: str) -> dict[str, Any]:
    if not course.helps[name]:
        return {}
    try:
        return dict(unpacked(course.added(course.opened(lesson, f"{name}s.json"))[exercise]))
    except (KeyError, ValueError, TypeError):
        return {}


def puzzle_card(key: Key, puzzle: LinePuzzle) -> PuzzleCard:
    """The puzzle's lines with their numbers, and what to call with them."""
    title = f"The lines of an answer, shuffled{WRONG[puzzle.wrong]}"
    call = f"check.order_lines({key.exercise}, [1, 2])"
    how = "Which lines, in which order? Say it by their numbers, in a cell of your own, as in "
    given = [("", line) for line in puzzle.given]
    rows = [*given, *((str(i), line) for i, line in enumerate(puzzle.lines, 1))]
    text = [f"{number:>2}  {line}".replace("\n", "\n    ") for number, line in rows]
    html = f"{numbered(rows)}<p>{how}<code>{escape(call)}</code></p>"
    return PuzzleCard(title, "\n".join([*text, f"{how}{call}"]), html, puzzle=puzzle)


def answer_card(course: Visible, lesson: str, key: Key) -> Section | None:
    """An exercise's answer, with its twin's question; None where the course keeps answers back."""
    found = _stored(course, lesson, "answer", key.exercise)
    if not found:
        return None
    if not found["code"]:
        return paragraph("Enough guessed", SEE_NEXT)
    text, html = found["code"], f'<pre class="as-is" tabindex="0">{escape(found["code"])}</pre>'
    if found["twin"]:
        name = f"{key.exercise}_twin"
        how = (f"In a cell of your own, call it {name}, and see: ", f"check.twin({name})")
        text += f"\n\n{EARN} {found['twin']}\n{''.join(how)}"
        html += f"<p><b>{EARN}</b></p>{found['html']}<p>{how[0]}<code>{how[1]}</code></p>"
    return Section("The answer of this course", text, html)


def puzzle_widget(puzzle: LinePuzzle, judged: Callable[[list[int]], str]) -> Any:
    """The lines in a list, put in order with keys or mouse; judged: what to show, as HTML, of an order."""
    import ipywidgets

    order = [*range(1, len(puzzle.lines) + 1), 0]
    labels = [NOT_USED, *(f"{i:>2}  {_in_one_line(line)}" for i, line in enumerate(puzzle.lines, 1))]
    lines = ipywidgets.Select(rows=len(order), layout={"width": "100%", "height": "auto"})
    lines.add_class("puzzle-lines")
    verdict = ipywidgets.HTML()

    def draw(chosen: int) -> None:
        lines.options = [(labels[i].replace(" ", "\N{NO-BREAK SPACE}"), i) for i in order]
        lines.value = chosen

    def move(to: int) -> None:
        chosen = lines.value
        order.remove(chosen)
        order.insert(max(0, min(to, len(order))), chosen)
        draw(chosen)

    def across() -> None:
        here, bar = order.index(lines.value), order.index(0)
        if here != bar:
            move(bar if here > bar else len(order))

    def button(text: str, act: Callable[[], None]) -> Any:
        made = ipywidgets.Button(description=text, layout={"width": "auto"})
        made.on_click(lambda _: act())
        return made

    def see() -> None:
        verdict.value = judged(order[: order.index(0)])

    draw(order[0])
    buttons = [
        button("↑ up", lambda: move(order.index(lines.value) - 1)),
        button("↓ down", lambda: move(order.index(lines.value) + 1)),
        button("leave out, or take in", across),
        button("check the lines above the bar", see),
    ]
    style = "<style>.puzzle-lines select{font-family:var(--jp-code-font-family,monospace);overflow-x:auto}</style>"
    return ipywidgets.VBox([ipywidgets.HTML(style), lines, ipywidgets.HBox(buttons), verdict])


def _in_one_line(line: str) -> str:
    """A line with its indentation, though it may be written over several."""
    first, *others = line.split("\n")
    return " ".join([first, *(one.strip() for one in others)])

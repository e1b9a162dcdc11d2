"""A question with choices: its text, the buttons by which it is answered, and what is said of an answer."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from autograder.student.report import STYLE, Section, numbered

CHOICES = 4


@dataclass(frozen=True)
class Choice:
    """What may be chosen, a name for what it comes of, and what there is to say of it once it is chosen."""

    text: str
    name: str = ""
    why: str = ""


@dataclass(frozen=True)
class QuestionCard:
    """A question with its choices, of which one is right.

    ask: the question; shown: what it is about, as it stands; right: the position of the right one; why: what there is
    to say of each choice once it is chosen.
    """

    ask: str
    shown: str
    choices: Sequence[str]
    right: int
    why: Sequence[str]

    @property
    def numbers(self) -> range:
        """The numbers of the choices."""
        return range(1, len(self.choices) + 1)

    def as_section(self, title: str, how: str) -> QuestionSection:
        """Return the card as text and HTML; how: how to answer, in a sentence."""
        rows = [(f"{i}  ", choice) for i, choice in enumerate(self.choices, 1)]
        text = [self.ask, "", indented(self.shown, "    "), "", *(indented(one, i) for i, one in rows)]
        html = f'<p>{escape(self.ask)}</p><pre class="as-is" tabindex="0">{escape(self.shown)}</pre>'
        html += f"{numbered(rows)}<p>{escape(how)}</p>"
        return QuestionSection(title, "\n".join([*text, "", how]), html, card=self)

    def answer(self, number: Any) -> str:
        """Return what to say of a choice, by its number."""
        if not self.has(number):
            return f"Answer with a number from 1 to {len(self.choices)}: {number!r} is none."
        return self.told(number - 1)

    def has(self, number: Any) -> bool:
        """Return whether this is the number of a choice."""
        return not isinstance(number, bool) and number in self.numbers

    def told(self, chosen: int) -> str:
        """What is said of a choice, by its position."""
        if chosen == self.right:
            return f"✓ {self.why[chosen]}"
        here = self.choices[self.right]
        right = f"\n{here}" if "\n" in here else f" {here}"
        return f"✗ {self.why[chosen]}\nRight is {self.right + 1}:{right}"


@dataclass(frozen=True, kw_only=True)
class QuestionSection(Section):
    """A question below a verdict, which is answered by the number of a choice."""

    card: QuestionCard


def answer_buttons(numbers: Sequence[int], answer: Callable[[int], str]) -> tuple[Any, Any]:
    """Make a button for each number, and the place below them; one press counts, and shows there what `answer` says."""
    import ipywidgets

    said = ipywidgets.HTML()
    buttons = [ipywidgets.Button(description=str(number), layout={"width": "4em"}) for number in numbers]

    def press(button: Any) -> None:
        if not button.disabled:
            for each in buttons:
                each.disabled = True
            said.value = told_as_html(answer(int(button.description)))

    for button in buttons:
        button.on_click(press)
    return ipywidgets.HBox(buttons), said


def told_as_html(text: str) -> str:
    """Return what is said of an answer as HTML: its first line as a sentence, the others as they stand."""
    first, _, others = text.partition("\n")
    block = f'<pre class="as-is" tabindex="0">{escape(others)}</pre>' * bool(others)
    kind = {"✓": " right", "✗": " wrong"}.get(first[0], "")
    return f'{STYLE}<section class="verdict{kind}" role="status"><p>{escape(first)}</p>{block}</section>'


def indented(text: str, before: str) -> str:
    return before + text.replace("\n", f"\n{' ' * len(before)}")


def card_with(ask: str, shown: str, right: Choice, others: Sequence[Choice]) -> QuestionCard:
    """A card with these choices, in an order that is drawn, and the same each time."""
    rows = [right, *others[: CHOICES - 1]]
    random.Random(ask + shown).shuffle(rows)
    named_so = (f"{i}, {one.name}" for i, one in enumerate(rows, 1) if one is not right)
    why = [one.why or f"Right. The others would come of: {'; '.join(named_so)}." for one in rows]
    return QuestionCard(ask, shown, [one.text for one in rows], rows.index(right), why)

"""Question cards: multiple-choice questions about the results of answers, with buttons.

Most are made here from an exercise's key, which students have and which holds no code. A question that shows a line of
a right answer is locked with the other solutions, see `autograder/quiz/authoring/`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import chain, zip_longest
from typing import Any

import numpy as np

from autograder.checks.scoring import name_arguments
from autograder.exercises import argument_kinds, values
from autograder.exercises.exercise import AnswerKey, Case, CasePutBy, MistakenAnswers, Observation
from autograder.views import display
from autograder.views.verdict_view import STYLE, Section

CHOICES = 4

ITEM = '<li style="padding:0;text-indent:0;font-size:12.5px">'
"""A choice in a list; the style of verdicts would put its lines beside each other."""

MAX_INPUT_ITEMS, MAX_FRACTIONS, MAX_PRINTED = 16, 4, 9
"""Limits of what can be read in a minute: numbers and letters of a call, fractions in it, and numbers of a result."""

MIN_DIFFERENCE, MIN_SHADE_DIFFERENCE = 0.15, 0.4
"""Visible differences: between two results, relative to the largest entry, and between two shades, absolute."""

TONES = " ░▒▓█"
MIN_ENTRIES, MAX_ENTRIES = 9, 64
"""The number of entries that a matrix has which is shown as a picture."""


@dataclass(frozen=True)
class Choice:
    """A choice, the name of the mistake behind it, and the explanation once it is chosen."""

    text: str
    name: str = ""
    why: str = ""


@dataclass(frozen=True)
class QuestionCard:
    """A question with its choices, of which one is right.

    ask: the question; shown: the code or picture that it is about; right: the index of the right choice; why: for each
    choice, the explanation once it is chosen.
    """

    ask: str
    shown: str
    choices: Sequence[str]
    right: int
    why: Sequence[str]

    def as_section(self, title: str, name: str) -> Section:
        """Return the card as text and HTML; name: the notebook's name for what takes the answer, as `check`."""
        how = f"Answer with its number n: {name}.answer(n). It is not graded."
        rows = [_indented(choice, f"{number}  ") for number, choice in zip(self.numbers, self.choices)]
        text = [self.ask, "", _indented(self.shown, "    "), "", *rows, "", how]
        html = f'<p>{escape(self.ask)}</p><pre class="as-is" tabindex="0">{escape(self.shown)}</pre>'
        items = "".join(f"{ITEM}<code>{escape(choice)}</code></li>" for choice in self.choices)
        html += f'<ol class="steps as-is scrolled" tabindex="0">{items}</ol><p>{escape(how)}</p>'
        return Section(title, "\n".join(text), html, question=self)

    @property
    def numbers(self) -> range:
        """The numbers of the choices."""
        return range(1, len(self.choices) + 1)

    def has(self, number: Any) -> bool:
        """Return whether this is the number of a choice."""
        return not isinstance(number, bool) and number in self.numbers

    def answer(self, number: Any) -> str:
        """Return the reply to a choice, by its number."""
        if not self.has(number):
            return f"Answer with a number from 1 to {len(self.choices)}: {number!r} is none."
        why = self.why[number - 1]
        if number - 1 == self.right:
            return f"✓ {why}"
        right = self.choices[self.right]
        return f"✗ {why}\nRight is {self.right + 1}:{chr(10) if chr(10) in right else ' '}{right}"

    def show_reply(self, number: Any) -> None:
        """Show the reply to a choice, by its number."""
        show_message(self.answer(number))

    def show_buttons(self) -> None:
        """Show a button for each choice, where widgets work; the card says all without them."""
        if display.running_shell() is not None:
            import ipywidgets

            display.display_as("", "", lambda: ipywidgets.VBox(self.buttons(self.answer)))

    def buttons(self, answer: Callable[[int], str]) -> tuple[Any, Any]:
        """Return a button for each choice and the place for the reply; only the first press counts."""
        import ipywidgets

        reply = ipywidgets.HTML()
        buttons = [ipywidgets.Button(description=f"{i}", layout={"width": "4em"}) for i in self.numbers]

        def press(button: Any) -> None:
            if not button.disabled:
                for each in buttons:
                    each.disabled = True
                reply.value = _message_html(answer(int(button.description)))

        for button in buttons:
            button.on_click(press)
        return ipywidgets.HBox(buttons), reply


def show_message(text: str) -> None:
    """Show a reply, or why there is no question."""
    display.display_as(text, _message_html(text))


def _message_html(text: str) -> str:
    """Return a reply as HTML: its first line as a paragraph, the others preformatted."""
    first, _, details = text.partition("\n")
    block = f'<pre class="as-is" tabindex="0">{escape(details)}</pre>' * bool(details)
    kind = {"✓": " right", "✗": " wrong"}.get(first[0], "")
    return f'{STYLE}<section class="verdict{kind}" role="status"><p>{escape(first)}</p>{block}</section>'


def shuffled_card(ask: str, shown: str, right: Choice, wrong: Sequence[Choice]) -> QuestionCard:
    """Return a card with its choices in a random order, which is the same each time."""
    rows = [right, *wrong[: CHOICES - 1]]
    random.Random(ask + shown).shuffle(rows)
    mistakes = "; ".join(f"{i}, {choice.name}" for i, choice in enumerate(rows, 1) if choice is not right)
    why = [choice.why or f"Right. The others would come of: {mistakes}." for choice in rows]
    return QuestionCard(ask, shown, [choice.text for choice in rows], rows.index(right), why)


def _indented(text: str, start: str) -> str:
    return start + text.replace("\n", f"\n{' ' * len(start)}")


# --- what does this print? -----------------------------------------------------------------------------------


def output_cards(key: AnswerKey) -> Iterator[QuestionCard]:
    """Yield questions about calls on visible cases: which of the results of listed mistakes is the right one?"""
    for i, case in enumerate(key.cases):
        call, right = _call_code(key, case), _result_text(key, key.expected[i])
        if not call or not right:
            continue
        wrong = []
        for mistake, text in _distinct_mistakes(key, i, partial(_result_text, key), MIN_DIFFERENCE):
            why = f"So it would be after a mistake: {mistake.looks_like}. {mistake.question}"
            wrong.append(Choice(text, mistake.name, why))
        if len(wrong) > 1:
            yield shuffled_card("What does this print?", call, Choice(right), wrong)


def _distinct_mistakes(
    key: AnswerKey, i: int, show: Callable[[Observation], str], by: float
) -> Iterator[tuple[MistakenAnswers, str]]:
    """Yield the mistakes whose results on a case differ visibly from the right one and from each other, as `show`n.

    The first variant of every mistake comes before the second variants.
    """
    chosen = [key.expected[i]]
    variants = [[(mistake, results[i]) for results in mistake.observations] for mistake in key.mistakes]
    for mistake, observation in filter(None, chain(*zip_longest(*variants))):
        text = show(observation)
        if text and all(_differ_visibly(observation, earlier, by) for earlier in chosen):
            chosen.append(observation)
            yield mistake, text


def _differ_visibly(first: Observation, second: Observation, by: float) -> bool:
    """Return whether two results differ visibly, without a calculator."""
    for a, b in zip(_result_parts(first), _result_parts(second)):
        x, y = values.as_numbers(a), values.as_numbers(b)
        if x is None or y is None:
            return repr(a) != repr(b)
        if x.shape != y.shape or (x.dtype == bool) != (y.dtype == bool):
            return True
        largest = np.abs(y[np.isfinite(y)]).max(initial=0)
        if not np.allclose(x, y, atol=by * float(largest), rtol=0, equal_nan=True):
            return True
    return False


def _result_parts(observation: Observation) -> Sequence[Any]:
    return observation.value if isinstance(observation.value, tuple) else (observation.value,)


def _call_code(key: AnswerKey, case: Case) -> str:
    """Return a case as code; empty where it is more than a short call."""
    if isinstance(case, CasePutBy) or case.module or case.gradient_of or case.each is not None or case.calls:
        return ""
    arguments = {name: _value_code(value) for name, value in name_arguments(key.signature, case).items()}
    text = " ".join(arguments.values())
    items = re.findall(r"True|False|[\d.]+|[A-Za-z]", text.replace("tensor", ""))
    broken = re.findall(r"\.\d*[1-9]", text)
    if not all(arguments.values()) or len(items) > MAX_INPUT_ITEMS or len(broken) > MAX_FRACTIONS:
        return ""
    lines = [f"{name} = {value}" for name, value in arguments.items()]
    return "\n".join([*lines, f"print({key.exercise}({', '.join(arguments)}))"])


def _value_code(value: Any) -> str:
    """Return a value as code; empty for a dictionary or a declared kind, which are too long."""
    if isinstance(value, argument_kinds.Tensor):
        return f"tensor({_value_code(value.array)})"
    if isinstance(value, np.ndarray):
        return " ".join(_array_text(value, ", ").replace("[ ", "[").split())
    return "" if argument_kinds.find_kind(value) or isinstance(value, dict) else repr(value)


def _result_text(key: AnswerKey, observation: Observation) -> str:
    """Return a result as it prints, several with the lesson's names; empty where it is long or not plain data."""
    if observation.error is not None:
        return ""
    are_integers = isinstance(observation.value, list) and all(type(x) is int for x in observation.value)
    if are_integers or isinstance(observation.value, str):
        return repr(observation.value)
    numbers = [values.as_numbers(part) for part in _result_parts(observation)]
    arrays = [array for array in numbers if array is not None]
    if len(arrays) < len(numbers) or sum(array.size for array in arrays) > MAX_PRINTED:
        return ""
    texts = [_array_text(array, " ") for array in arrays]
    names = key.results if len(key.results) == len(texts) > 1 else [""] * len(texts)
    return "\n".join(_indented(text, f"{name}  " if name else "") for name, text in zip(names, texts))


def _array_text(array: np.ndarray, separator: str) -> str:
    normalized = array if array.dtype == bool else np.asarray(array) + 0.0 * (array.dtype.kind == "f")
    return np.array2string(normalized, precision=3, suppress_small=True, separator=separator)


# --- which name has this picture? ----------------------------------------------------------------------------


def picture_cards(key: AnswerKey) -> Iterator[QuestionCard]:
    """Yield questions about a matrix of weights or of a mask, shown in shades: which mistake made it?"""
    for i, case in enumerate(key.cases):
        right = _picture(key.expected[i])
        if not right or case.gradient_of or case.each is not None:
            continue
        pictures = {"what it should be": (right, "Right: it is as it should be.")}
        for mistake, picture in _distinct_mistakes(key, i, _picture, MIN_SHADE_DIFFERENCE):
            pictures.setdefault(mistake.name, (picture, f"Right: {mistake.looks_like}."))
        if len(pictures) > 2:
            name = random.Random(key.exercise).choice([*pictures][:CHOICES])
            picture, why = pictures.pop(name)
            looks = "That one looks like this:\n"
            wrong = [Choice(other_name, why=looks + text) for other_name, (text, _) in pictures.items()]
            ask = f"{key.exercise} gave this matrix; dark is large. Which name has the picture?"
            yield shuffled_card(ask, picture, Choice(name, why=why), wrong)


def _picture(observation: Observation) -> str:
    """Return the last result in shades where it is a matrix of numbers from 0 to 1, or else an empty text."""
    matrix = None if observation.error is not None else values.as_numbers(_result_parts(observation)[-1])
    if matrix is None or matrix.ndim != 2 or not MIN_ENTRIES <= matrix.size <= MAX_ENTRIES:
        return ""
    matrix = matrix.astype(float)
    if min(matrix.shape) < 2 or not np.isfinite(matrix).all() or matrix.min() < 0 or matrix.max() > 1:
        return ""
    shades = np.minimum((matrix * len(TONES)).astype(int), len(TONES) - 1)
    return "\n".join("│" + "".join(TONES[shade] * 2 for shade in row) + "│" for row in shades)

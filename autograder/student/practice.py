"""What is asked again: `cold_questions()` at the top of a lesson, and `practice()` on the start page.

An exercise that a student's checks have met is due when nothing was asked on it yet, and then when FSRS says, see
https://github.com/open-spaced-repetition/py-fsrs. What it goes by is kept with the checks, a line for each answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from typing import Any

from autograder.model.verdict import State
from autograder.student import checking, keys, progress, report, visible
from autograder.student.cards import cards_of
from autograder.student.question_cards import QuestionCard, QuestionSection, answer_buttons, told_as_html
from autograder.student.tries import Answered, Checked

COLD, EARLIER = 3, 2
"""Questions at the top of a lesson, and how many of them on lessons before the last."""

AGAIN = timedelta(days=1)
"""After a wrong answer."""

MIXED = 6
"""Questions at once on the start page."""

NOTHING_MET = (
    "There is nothing to ask yet: questions come from exercises that you have checked in earlier lessons."
)
NOTHING_DUE = "Nothing is due: you were asked on all of it lately."
NOT_INSTALLED = "To be asked what is due: pip install fsrs"


@dataclass(frozen=True)
class Due:
    """An exercise that is to be asked again, with the question that comes next.

    since: when it was asked last; empty where it never was. wrong: whether it was wrong then, or in a check before.
    """

    lesson: str
    exercise: str
    card: QuestionCard
    since: str
    wrong: bool


@dataclass
class Sitting:
    """Questions one after another; at: the one that is to be answered."""

    asked: Sequence[Due]
    name: str
    at: int = 0

    @property
    def over(self) -> bool:
        return self.at >= len(self.asked)

    def question(self, pressed: bool = False) -> QuestionSection:
        """The question that is to be answered; pressed: by a button, not a call."""
        one = self.asked[self.at]
        title = f"{self.at + 1} of {len(self.asked)} · {keys.load(visible.here(), one.lesson).title}"
        how = "Press its number" if pressed else f"Answer with its number, as {self.name}.answer(2)"
        return one.card.as_section(title, f"{how}; it is not graded.")

    def answer(self, number: int) -> str:
        """What is said of an answer, by its number; the next question is asked then."""
        one = self.asked[self.at]
        if not one.card.has(number):
            return one.card.answer(number)
        right = number - 1 == one.card.right
        when = datetime.now(UTC).isoformat(timespec="seconds")
        progress.remember(one.lesson, Answered(one.exercise, "yes" if right else "no", when))
        self.at += 1
        return one.card.told(number - 1) + ("\nThat was all." if self.over else "")


@dataclass
class Questions:
    """Asks what is due, one question after another, each answered by its number: `practice()`, `practice.answer(2)`."""

    name: str
    choose: Callable[[], tuple[Sequence[Due], str]]
    _sitting: Sitting | None = field(default=None, repr=False)

    def __call__(self) -> None:
        if checking.nobody_learns():
            return
        chosen, why_not = self.choose()
        self._sitting = Sitting(chosen, self.name) if chosen else None
        if self._sitting:
            _show(self._sitting)
        else:
            _say(why_not)

    def answer(self, number: int) -> None:
        """Answer the question that was asked last, by the number of a choice; the next one follows."""
        if checking.nobody_learns():
            return
        if self._sitting is None or self._sitting.over:
            _say(f"No question is open: {self.name}() asks.")
            return
        _say(self._sitting.answer(number))
        if not self._sitting.over:
            _show(self._sitting)


# --- what is due ---------------------------------------------------------------------------------------------


def due_in(lesson: str, now: datetime) -> list[Due]:
    """What is due of a lesson, in its order. Raises ImportError where py-fsrs is missing."""
    checked = progress.lines_of(lesson, Checked)
    asked = progress.lines_of(lesson, Answered)
    return [one for name in _met(lesson) if (one := _due(lesson, name, checked, asked, now))]


def _met(lesson: str) -> list[str]:
    """The exercises whose answers were checked; a TODO that is left is none."""
    states = progress.states_of(lesson)
    return [name for name, state in states.items() if state != State.NOT_STARTED]


def _due(
    lesson: str, exercise: str, checked: Sequence[Checked], asked: Sequence[Answered], now: datetime
) -> Due | None:
    if exercise not in keys.load(visible.here(), lesson).keys:
        return None
    mine = [one for one in asked if one.exercise == exercise and _time(one.when)]
    if next_time(mine, now) > now:
        return None
    cards = cards_of(visible.here(), lesson, exercise)
    if not cards:
        return None
    failed = any(one.exercise == exercise and one.state == State.WRONG for one in checked)
    wrong = mine[-1].right != "yes" if mine else failed
    return Due(lesson, exercise, cards[len(mine) % len(cards)], mine[-1].when if mine else "", wrong)


def next_time(asked: Sequence[Answered], now: datetime) -> datetime:
    """When to ask next, after these answers; at once where there is none.

    What a clock that was wrong has put into the future counts as of now.
    """
    from fsrs import Card, Rating, Scheduler

    scheduler = Scheduler(learning_steps=(AGAIN,), relearning_steps=(AGAIN,), enable_fuzzing=False)
    card, last = Card(card_id=0, due=now), datetime.min.replace(tzinfo=UTC)
    for one in asked:
        last = max(last, min(_time(one.when) or now, now))
        card, _ = scheduler.review_card(card, Rating.Good if one.right == "yes" else Rating.Again, last)
    return card.due


def _time(text: str) -> datetime | None:
    """A time with its zone; None where it is none."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _cold(lesson: str | None) -> tuple[Sequence[Due], str]:
    """What opens a lesson: two from lessons before the last, one from the last; or why there is nothing."""
    known = visible.here().lessons
    earlier = known[: known.index(lesson)] if lesson in known else []

    def choose(now: datetime) -> list[Due]:
        first, last = (_most_urgent(some, now) for some in (earlier[:-1], earlier[-1:]))
        return [*first[:EARLIER], *last[: COLD - EARLIER], *first[EARLIER:], *last[COLD - EARLIER :]][:COLD]

    return _chosen(earlier, choose)


def _mixed() -> tuple[Sequence[Due], str]:
    """What is due across lessons, of each in turn; or why there is nothing."""
    known = visible.here().lessons

    def choose(now: datetime) -> list[Due]:
        rows = zip_longest(*(_most_urgent([name], now) for name in known))
        return [one for row in rows for one in row if one is not None][:MIXED]

    return _chosen(known, choose)


def _most_urgent(lessons: Sequence[str], now: datetime) -> list[Due]:
    """What is due of these lessons: first what was wrong, then what was not met for longest."""
    due = (one for lesson in lessons for one in due_in(lesson, now))
    return sorted(due, key=lambda one: (not one.wrong, one.since))


def _chosen(lessons: Sequence[str], choose: Callable[[datetime], list[Due]]) -> tuple[Sequence[Due], str]:
    if not any(map(_met, lessons)):
        return [], NOTHING_MET
    try:
        return choose(datetime.now(UTC)), NOTHING_DUE
    except ImportError:
        return [], NOT_INSTALLED


def show_progress() -> None:
    """Display the lessons as a map: how long each takes, what is right, not yet or not started, and what is due."""
    states, due = {lesson: progress.states_of(lesson) for lesson in visible.here().lessons}, _counts()
    checking.display_as(progress.progress_text(states, due), progress.progress_html(states, due))


def _counts() -> dict[str, int]:
    """How many questions are due in each lesson; nothing where that cannot be said."""
    now = datetime.now(UTC)
    try:
        return {lesson: len(due_in(lesson, now)) for lesson in visible.here().lessons}
    except ImportError:
        return {}


# --- how it is shown -----------------------------------------------------------------------------------------


def _say(text: str) -> None:
    checking.display_as(text, told_as_html(text))


def _show(sitting: Sitting) -> None:
    """A question as text; in a notebook with a button for each choice, where these work."""
    checking.display_section(sitting.question(), lambda: _widget(sitting))


def _widget(sitting: Sitting) -> Any:
    """The question that is to be answered, and below each answer the next one."""
    import ipywidgets

    whole = ipywidgets.VBox()

    def ask() -> None:
        asked = sitting.question(pressed=True)

        def answer(number: int) -> str:
            said = sitting.answer(number)
            if not sitting.over:
                ask()
            return said

        question, numbers = ipywidgets.HTML(report.added_alone(asked)), asked.card.numbers
        whole.children = (*whole.children, question, *answer_buttons(numbers, answer))

    ask()
    return whole


practice = Questions("practice", _mixed)
cold_questions = Questions("cold_questions", lambda: _cold(checking.check.lesson_id))

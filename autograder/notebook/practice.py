"""Practice: what is asked again, by `cold_questions()` at the top of a lesson, and by `practice()` on the start page.

An exercise that a student's checks have met is due when nothing was asked on it yet, and then when FSRS says, see
https://github.com/open-spaced-repetition/py-fsrs. What it goes by is kept with the checks, a line for each answer.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, islice, zip_longest
from typing import Any

from autograder.checks import answer_keys, public_course
from autograder.checks.public_course import Visible
from autograder.exercises.exercise import Key
from autograder.exercises.verdict import State
from autograder.notebook import checker, progress, quiz, solutions_unlocked, verdict_view
from autograder.notebook.progress import Answered, Checked, Unlocked
from autograder.notebook.quiz import QuestionCard, QuestionSection

MAX_OUTPUT_CARDS, MAX_PICTURE_CARDS = 2, 1
"""Cards of each kind that are made of an exercise."""

LESSON_QUESTIONS, EARLIER_QUESTIONS = 3, 2
"""Questions at the top of a lesson, and how many of them on lessons before the last."""

RETRY_AFTER = timedelta(days=1)
"""After a wrong answer."""

PRACTICE_QUESTIONS = 6
"""Questions at once on the start page."""

NOTHING_CHECKED = (
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

    @property
    def urgency(self) -> tuple[bool, str]:
        """What was wrong comes first, then what was not asked for longest."""
        return not self.wrong, self.since


@dataclass
class Session:
    """Questions one after another; at: the one that is to be answered."""

    due: Sequence[Due]
    name: str
    position: int = 0

    @property
    def is_over(self) -> bool:
        return self.position >= len(self.due)

    def question(self) -> QuestionSection:
        """Return the question that is to be answered."""
        due = self.due[self.position]
        title = f"{self.position + 1} of {len(self.due)} · {answer_keys.load(public_course.here(), due.lesson).title}"
        return due.card.as_section(title, solutions_unlocked.HOW.format(self.name))

    def answer(self, number: int) -> str:
        """Return what is said of an answer, by its number; the next question is asked then."""
        due = self.due[self.position]
        reply = due.card.answer(number)
        if not due.card.has(number):
            return reply
        right = "yes" if number - 1 == due.card.right else "no"
        when = datetime.now(UTC).isoformat(timespec="seconds")
        progress.append_entry(due.lesson, Answered(due.exercise, right, when))
        self.position += 1
        return reply + ("\nThat was all." if self.is_over else "")


class Questions:
    """Asks what is due, one question after another, each answered by its number: `practice()`, `practice.answer(2)`."""

    def __init__(self, name: str, choose: Callable[[], tuple[Sequence[Due], str]]) -> None:
        self._name, self._choose = name, choose
        self._sitting = Session((), name)

    def __call__(self) -> None:
        if checker.is_unattended():
            return
        chosen, why_not = self._choose()
        self._sitting = Session(chosen, self._name)
        if chosen:
            _show(self._sitting)
        else:
            _display_message(why_not)

    def answer(self, number: int) -> None:
        """Answer the question that was asked last, by the number of a choice; the next one follows."""
        if checker.is_unattended():
            return
        if self._sitting.is_over:
            _display_message(f"No question is open: {self._name}() asks.")
            return
        _display_message(self._sitting.answer(number))
        if not self._sitting.is_over:
            _show(self._sitting)


# --- what is due ---------------------------------------------------------------------------------------------


def list_due(lesson: str, now: datetime) -> list[Due]:
    """Return what is due of a lesson, the most urgent first. Raises ImportError where py-fsrs is missing."""
    course, all_due = public_course.here(), list[Due]()
    checked, answered = progress.entries(lesson, Checked), progress.entries(lesson, Answered)
    for exercise in _checked_exercises(lesson):
        answers = [answer for answer in answered if answer.exercise == exercise]
        if exercise not in answer_keys.load(course, lesson).keys or next_review(answers, now) > now:
            continue
        wrong = any(check.exercise == exercise and check.state == State.WRONG for check in checked)
        since = ""
        if answers:
            wrong, since = answers[-1].right != "yes", answers[-1].when
        if cards := available_cards(course, lesson, exercise):
            all_due.append(Due(lesson, exercise, cards[len(answers) % len(cards)], since, wrong))
    return sorted(all_due, key=lambda due: due.urgency)


def _checked_exercises(lesson: str) -> list[str]:
    """Return the exercises whose answers were checked; a TODO that is left is none."""
    states = progress.states_of(lesson)
    return [name for name, state in states.items() if state != State.NOT_STARTED]


def next_review(answers: Sequence[Answered], now: datetime) -> datetime:
    """Return when to ask next, after these answers; at once where there is none.

    What a clock that was wrong has put into the future counts as of now, and what is no time as long ago.
    """
    from fsrs import Card, Rating, Scheduler

    scheduler = Scheduler(
        learning_steps=(RETRY_AFTER,), relearning_steps=(RETRY_AFTER,), enable_fuzzing=False
    )
    card, last = Card(card_id=0, due=now), datetime.min.replace(tzinfo=UTC)
    for answer in answers:
        with suppress(ValueError, OverflowError):
            last = max(last, min(datetime.fromisoformat(answer.when).astimezone(UTC), now))
        rating = Rating.Good if answer.right == "yes" else Rating.Again
        card, _ = scheduler.review_card(card, rating, last)
    return card.due


def available_cards(course: Visible, lesson: str, exercise: str) -> list[QuestionCard]:
    """Return all cards of an exercise that may be asked now: those of its box once a right answer has opened that."""
    key = answer_keys.load(course, lesson).keys[exercise]
    return [*cards_from_key(course, lesson, exercise), *_cards_from_solutions(course, lesson, key)]


@functools.cache
def cards_from_key(course: Visible, lesson: str, exercise: str) -> Sequence[QuestionCard]:
    """Return the cards of an exercise that need no box."""
    key = answer_keys.load(course, lesson).keys[exercise]
    return (
        ()
        if key.values
        else (
            *islice(quiz.output_cards(key), MAX_OUTPUT_CARDS),
            *islice(quiz.picture_cards(key), MAX_PICTURE_CARDS),
        )
    )


def _cards_from_solutions(course: Visible, lesson: str, key: Key) -> Iterator[QuestionCard]:
    opened = [entry.key for entry in progress.entries(lesson, Unlocked) if entry.exercise == key.exercise]
    if not opened or not course.helps["box"]:
        return
    try:
        box = solutions_unlocked.load_solutions(course, lesson, key)
        content = box.open_with_key(opened[-1]) if box else {}
    except Exception:  # another edition's box, a damaged file, no cryptography: its cards wait
        return
    yield from (QuestionCard(**card) for card in content.get("cards", ()))


def _choose_for_lesson(lesson: str | None) -> tuple[Sequence[Due], str]:
    """Return what opens a lesson: two from lessons before the last, one from the last; or why there is nothing."""
    lessons = public_course.here().lessons
    earlier = lessons[: lessons.index(lesson)] if lesson in lessons else []
    due, why_not = _due_by_lesson(earlier)
    last = due.pop(earlier[-1]) if due else []
    first = sorted(chain(*due.values()), key=lambda due_question: due_question.urgency)
    chosen = [
        *first[:EARLIER_QUESTIONS],
        *last[: LESSON_QUESTIONS - EARLIER_QUESTIONS],
        *first[EARLIER_QUESTIONS:],
        *last[LESSON_QUESTIONS - EARLIER_QUESTIONS :],
    ]
    return chosen[:LESSON_QUESTIONS], why_not


def _choose_across_lessons() -> tuple[Sequence[Due], str]:
    """Return what is due across lessons, of each in turn; or why there is nothing."""
    due, why_not = _due_by_lesson(public_course.here().lessons)
    rows = zip_longest(*due.values())
    return [due_question for row in rows for due_question in row if due_question is not None][
        :PRACTICE_QUESTIONS
    ], why_not


def _due_by_lesson(lessons: Sequence[str]) -> tuple[dict[str, list[Due]], str]:
    """Return what is due in each of these lessons, and what to say where that is nothing."""
    if not any(map(_checked_exercises, lessons)):
        return {}, NOTHING_CHECKED
    now = datetime.now(UTC)
    try:
        return {lesson: list_due(lesson, now) for lesson in lessons}, NOTHING_DUE
    except ImportError:
        return {}, NOT_INSTALLED


# --- how it is shown -----------------------------------------------------------------------------------------


def show_progress() -> None:
    """Display the lessons as a map: how long each takes, what is right, not yet or not started, and what is due."""
    lessons = public_course.here().lessons
    states = {lesson: progress.states_of(lesson) for lesson in lessons}
    due = {lesson: len(each) for lesson, each in _due_by_lesson(lessons)[0].items()}
    checker.display_as(progress.progress_text(states, due), progress.progress_html(states, due))


def _display_message(text: str) -> None:
    checker.display_as(text, quiz.reply_html(text))


def _show(sitting: Session) -> None:
    """Display a question as text; in a notebook with a button for each choice, where these work."""
    checker.display_sections([sitting.question()], lambda: _widget(sitting))


def _widget(sitting: Session) -> Any:
    """Return the question that is to be answered, with buttons; below each answer comes the next one."""
    import ipywidgets

    box = ipywidgets.VBox()

    def ask() -> None:
        section = sitting.question()
        question = ipywidgets.HTML(verdict_view.sections_as_html([section]))
        box.children = (
            *box.children,
            question,
            *quiz.answer_buttons(section.card.numbers, answer),
        )

    def answer(number: int) -> str:
        reply = sitting.answer(number)
        if not sitting.is_over:
            ask()
        return reply

    ask()
    return box


practice = Questions("practice", _choose_across_lessons)
cold_questions = Questions("cold_questions", lambda: _choose_for_lesson(checker.check.lesson_id))

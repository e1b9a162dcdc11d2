"""Spaced repetition: `cold_questions()` at the top of a lesson, and `practice()` on the start page.

An exercise that a student has checked is due when no question was asked about it yet, and later when FSRS says so, see
https://github.com/open-spaced-repetition/py-fsrs. The attempt log has a line for each answer.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, islice, zip_longest
from typing import Any

from fsrs import Card, Rating, Scheduler

from autograder.checks import answer_keys
from autograder.exercises import public_course
from autograder.exercises.public_course import PublicCourse
from autograder.exercises.verdict import State
from autograder.notebook import attempt_log, checker, solutions_unlocked
from autograder.notebook.attempt_log import Checked, Unlocked
from autograder.quiz.question_card import QuestionCard, output_cards, picture_cards, show_message
from autograder.views import display, verdict_view

MAX_OUTPUT_CARDS, MAX_PICTURE_CARDS = 2, 1
"""The number of cards of each kind that are made from an exercise."""

LESSON_QUESTIONS, EARLIER_QUESTIONS = 3, 2
"""The number of questions at the top of a lesson, and of those about lessons before the last."""

PRACTICE_QUESTIONS = 6
"""The number of questions in one session on the start page."""

RETRY_AFTER = timedelta(days=1)
"""The time after a wrong answer until the question comes again."""

NOTHING_CHECKED = (
    "There is nothing to ask yet: questions come from exercises that you have checked in earlier lessons."
)
NOTHING_DUE = "Nothing is due: you were asked on all of it lately."


@dataclass(frozen=True)
class Answered:
    """An entry of the attempt log: an answer to a question on an exercise.

    right: "yes" or "no"; when: its time in ISO format.
    """

    exercise: str
    right: str
    when: str


@dataclass(frozen=True)
class Due:
    """An exercise that is due, with its next question.

    urgency: the sort key. Exercises with a wrong answer come first, then those not asked for longest.
    """

    lesson: str
    exercise: str
    card: QuestionCard
    urgency: tuple[bool, str]


@dataclass
class Session:
    """Questions one after another; name: what takes the answers; position: the index of the open question."""

    due: Sequence[Due]
    name: str
    position: int = 0

    @property
    def is_over(self) -> bool:
        """Return whether all questions have been answered."""
        return self.position >= len(self.due)

    def question(self) -> verdict_view.Section:
        """Return the open question."""
        due = self.due[self.position]
        lesson = answer_keys.load_keys(public_course.current_course(), due.lesson)
        return due.card.as_section(f"{self.position + 1} of {len(self.due)} · {lesson.title}", self.name)

    def answer(self, number: int) -> str:
        """Record an answer, move to the next question, and return the reply."""
        due = self.due[self.position]
        reply = due.card.answer(number)
        if not due.card.has(number):
            return reply
        right = "yes" if number - 1 == due.card.right else "no"
        when = datetime.now(UTC).isoformat(timespec="seconds")
        attempt_log.append_entry(due.lesson, Answered(due.exercise, right, when))
        self.position += 1
        return reply + ("\nThat was all." if self.is_over else "")

    def show(self) -> None:
        """Display the open question; in a notebook with a button for each choice."""
        display.display_sections([self.question()], self.widget)

    def widget(self) -> Any:
        """Return the open question with its buttons; the next one follows below its answer."""
        import ipywidgets

        box = ipywidgets.VBox()

        def ask() -> None:
            section = self.question()
            question = ipywidgets.HTML(verdict_view.sections_as_html([section]))
            box.children += (question, *section.question.buttons(answer))

        def answer(number: int) -> str:
            reply = self.answer(number)
            if not self.is_over:
                ask()
            return reply

        ask()
        return box


Mix = Callable[[dict[str, list[Due]]], Sequence[Due]]
"""A function that chooses a session's questions from all due ones by lesson."""


class Questions:
    """The questions that are due, each answered by a number: `practice()`, `practice.answer(2)`."""

    def __init__(self, name: str, lessons: Callable[[], Sequence[str]], mix: Mix) -> None:
        """Take what returns the lessons that questions may come from, and what mixes those that are due."""
        self._name, self._lessons, self._mix = name, lessons, mix
        self._session = Session((), name)

    def choose(self) -> Sequence[Due]:
        """Return the questions to ask now."""
        now = datetime.now(UTC)
        return self._mix({lesson: list_due(lesson, now) for lesson in self._lessons()})

    def __call__(self) -> None:
        """Start to ask the questions that are due, or say why none is."""
        if display.is_unattended():
            return
        self._session = Session(self.choose(), self._name)  # an earlier cell's buttons keep their own session
        if self._session.due:
            self._session.show()
        else:
            show_message(NOTHING_DUE if any(map(_checked_exercises, self._lessons())) else NOTHING_CHECKED)

    def answer(self, number: int) -> None:
        """Answer the open question by the number of a choice, and show the next one."""
        if display.is_unattended():
            return
        if self._session.is_over:
            show_message(f"No question is open: {self._name}() asks.")
            return
        show_message(self._session.answer(number))
        if not self._session.is_over:
            self._session.show()


# --- what is due ---------------------------------------------------------------------------------------------


def list_due(lesson: str, now: datetime) -> list[Due]:
    """Return a lesson's due exercises, the most urgent first."""
    course, all_due = public_course.current_course(), list[Due]()
    checked, answered = attempt_log.read_entries(lesson, Checked), attempt_log.read_entries(lesson, Answered)
    for exercise in _checked_exercises(lesson):
        answers = [answer for answer in answered if answer.exercise == exercise]
        if exercise not in answer_keys.load_keys(course, lesson).keys or next_review(answers, now) > now:
            continue
        if answers:
            urgency = answers[-1].right == "yes", answers[-1].when
        else:
            wrong = (check.exercise for check in checked if check.state == State.WRONG)
            urgency = exercise not in wrong, ""
        if cards := available_cards(course, lesson, exercise):
            all_due.append(Due(lesson, exercise, cards[len(answers) % len(cards)], urgency))
    return sorted(all_due, key=lambda due: due.urgency)


def _checked_exercises(lesson: str) -> list[str]:
    """Return the exercises whose answers were checked; an exercise that is still a TODO does not count."""
    states = attempt_log.last_states(lesson)
    return [name for name, state in states.items() if state != State.NOT_STARTED]


def next_review(answers: Sequence[Answered], now: datetime) -> datetime:
    """Return the time of the next question after these answers; `now` where there are none.

    A recorded time in the future, from a wrong clock, counts as now, and an unreadable one as long ago.
    """
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


def available_cards(course: PublicCourse, lesson: str, exercise: str) -> list[QuestionCard]:
    """Return all cards of an exercise, with those of its other solutions once a right answer has opened them."""
    return [*cards_from_key(course, lesson, exercise), *_cards_from_solutions(course, lesson, exercise)]


@functools.cache
def cards_from_key(course: PublicCourse, lesson: str, exercise: str) -> Sequence[QuestionCard]:
    """Return the cards of an exercise that need no right answer."""
    key = answer_keys.load_keys(course, lesson).keys[exercise]
    if key.values:
        return ()
    return *islice(output_cards(key), MAX_OUTPUT_CARDS), *islice(picture_cards(key), MAX_PICTURE_CARDS)


def _cards_from_solutions(course: PublicCourse, lesson: str, exercise: str) -> Iterator[QuestionCard]:
    entries = attempt_log.read_entries(lesson, Unlocked)
    opened = [entry.key for entry in entries if entry.exercise == exercise]
    if not opened or not course.enabled_help["box"]:
        return
    try:
        key = answer_keys.load_keys(course, lesson).keys[exercise]
        solutions = solutions_unlocked.load_solutions(course, lesson, key)
        content = solutions.open_with_key(opened[-1]) if solutions else {}
    except Exception:  # another edition, a damaged file, no cryptography: these cards wait
        return
    yield from (QuestionCard(**card) for card in content.get("cards", ()))


def earlier_lessons() -> Sequence[str]:
    """Return the lessons before the notebook's own."""
    lessons, lesson = public_course.current_course().lessons, checker.check.lesson_id
    return lessons[: lessons.index(lesson)] if lesson in lessons else []


def mix_for_lesson(due: dict[str, list[Due]]) -> Sequence[Due]:
    """Return the questions at a lesson's top, from all due ones: two on lessons before the last, one on the last."""
    of_last = due.popitem()[1] if due else []
    of_earlier = sorted(chain(*due.values()), key=lambda question: question.urgency)
    split = LESSON_QUESTIONS - EARLIER_QUESTIONS
    preferred = of_earlier[:EARLIER_QUESTIONS] + of_last[:split]
    return [*preferred, *of_earlier[EARLIER_QUESTIONS:], *of_last[split:]][:LESSON_QUESTIONS]


def mix_lessons(due: dict[str, list[Due]]) -> Sequence[Due]:
    """Return due questions of each lesson in turn."""
    return [question for question in chain(*zip_longest(*due.values())) if question][:PRACTICE_QUESTIONS]


practice = Questions("practice", lambda: public_course.current_course().lessons, mix_lessons)
cold_questions = Questions("cold_questions", earlier_lessons, mix_for_lesson)

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

from autograder.checks import answer_keys
from autograder.exercises import public_course
from autograder.exercises.exercise import AnswerKey
from autograder.exercises.public_course import PublicCourse
from autograder.exercises.verdict import State
from autograder.notebook import attempt_log, checker, progress, solutions_unlocked
from autograder.notebook.attempt_log import Answered, Checked, Unlocked
from autograder.views import display, question_card, verdict_view
from autograder.views.question_card import QuestionCard, QuestionSection

MAX_OUTPUT_CARDS, MAX_PICTURE_CARDS = 2, 1
"""The number of cards of each kind that are made from an exercise."""

LESSON_QUESTIONS, EARLIER_QUESTIONS = 3, 2
"""The number of questions at the top of a lesson, and of those about lessons before the last."""

RETRY_AFTER = timedelta(days=1)
"""The time after a wrong answer until the question comes again."""

PRACTICE_QUESTIONS = 6
"""The number of questions in one session on the start page."""

NOTHING_CHECKED = (
    "There is nothing to ask yet: questions come from exercises that you have checked in earlier lessons."
)
NOTHING_DUE = "Nothing is due: you were asked on all of it lately."
NOT_INSTALLED = "To be asked what is due: pip install fsrs"


@dataclass(frozen=True)
class Due:
    """An exercise that is due, with its next question.

    since: the time of its last question in ISO format, empty where there was none; wrong: whether the last answer was
    wrong, or any check where there was no question yet.
    """

    lesson: str
    exercise: str
    card: QuestionCard
    since: str
    wrong: bool

    @property
    def urgency(self) -> tuple[bool, str]:
        """The sort key: exercises with a wrong answer come first, then those not asked for longest."""
        return not self.wrong, self.since


@dataclass
class Session:
    """Questions one after another; position: the index of the open one."""

    due: Sequence[Due]
    name: str
    position: int = 0

    @property
    def is_over(self) -> bool:
        """Return whether all questions have been answered."""
        return self.position >= len(self.due)

    def question(self) -> QuestionSection:
        """Return the open question."""
        due = self.due[self.position]
        lesson = answer_keys.load_keys(public_course.current_course(), due.lesson)
        title = f"{self.position + 1} of {len(self.due)} · {lesson.title}"
        return due.card.as_section(title, solutions_unlocked.HOW.format(self.name))

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


class Questions:
    """The questions that are due, each answered by a number: `practice()`, `practice.answer(2)`."""

    def __init__(self, name: str, choose: Callable[[], tuple[Sequence[Due], str]]) -> None:
        self._name, self._choose = name, choose
        self._session = Session((), name)

    def __call__(self) -> None:
        """Start to ask the questions that are due, or say why none is."""
        if display.is_unattended():
            return
        chosen, why_not = self._choose()
        self._session = Session(chosen, self._name)  # an earlier cell's buttons go on with their own session
        if chosen:
            _show(self._session)
        else:
            _display_message(why_not)

    def answer(self, number: int) -> None:
        """Answer the open question by the number of a choice, and show the next one."""
        if display.is_unattended():
            return
        if self._session.is_over:
            _display_message(f"No question is open: {self._name}() asks.")
            return
        _display_message(self._session.answer(number))
        if not self._session.is_over:
            _show(self._session)


# --- what is due ---------------------------------------------------------------------------------------------


def list_due(lesson: str, now: datetime) -> list[Due]:
    """Return a lesson's due exercises, the most urgent first.

    Raises:
        ImportError: py-fsrs is not installed.
    """
    course, all_due = public_course.current_course(), list[Due]()
    checked, answered = attempt_log.read_entries(lesson, Checked), attempt_log.read_entries(lesson, Answered)
    for exercise in _checked_exercises(lesson):
        answers = [answer for answer in answered if answer.exercise == exercise]
        if exercise not in answer_keys.load_keys(course, lesson).keys or next_review(answers, now) > now:
            continue
        wrong = any(check.exercise == exercise and check.state == State.WRONG for check in checked)
        since = ""
        if answers:
            wrong, since = answers[-1].right != "yes", answers[-1].when
        if cards := available_cards(course, lesson, exercise):
            all_due.append(Due(lesson, exercise, cards[len(answers) % len(cards)], since, wrong))
    return sorted(all_due, key=lambda due: due.urgency)


def _checked_exercises(lesson: str) -> list[str]:
    """Return the exercises whose answers were checked; an exercise that is still a TODO does not count."""
    states = attempt_log.last_states(lesson)
    return [name for name, state in states.items() if state != State.NOT_STARTED]


def next_review(answers: Sequence[Answered], now: datetime) -> datetime:
    """Return the time of the next question after these answers; `now` where there are none.

    A recorded time in the future, from a wrong clock, counts as now, and an unreadable one as long ago.
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


def available_cards(course: PublicCourse, lesson: str, exercise: str) -> list[QuestionCard]:
    """Return all cards of an exercise, with those of its other solutions once a right answer has opened them."""
    key = answer_keys.load_keys(course, lesson).keys[exercise]
    return [*cards_from_key(course, lesson, exercise), *_cards_from_solutions(course, lesson, key)]


@functools.cache
def cards_from_key(course: PublicCourse, lesson: str, exercise: str) -> Sequence[QuestionCard]:
    """Return the cards of an exercise that need no right answer."""
    key = answer_keys.load_keys(course, lesson).keys[exercise]
    return (
        ()
        if key.values
        else (
            *islice(question_card.output_cards(key), MAX_OUTPUT_CARDS),
            *islice(question_card.picture_cards(key), MAX_PICTURE_CARDS),
        )
    )


def _cards_from_solutions(course: PublicCourse, lesson: str, key: AnswerKey) -> Iterator[QuestionCard]:
    opened = [
        entry.key for entry in attempt_log.read_entries(lesson, Unlocked) if entry.exercise == key.exercise
    ]
    if not opened or not course.enabled_help["box"]:
        return
    try:
        solutions = solutions_unlocked.load_solutions(course, lesson, key)
        content = solutions.open_with_key(opened[-1]) if solutions else {}
    except Exception:  # another edition, a damaged file, no cryptography: these cards wait
        return
    yield from (QuestionCard(**card) for card in content.get("cards", ()))


def _choose_for_lesson(lesson: str | None) -> tuple[Sequence[Due], str]:
    """Return the questions at a lesson's top, two of them on lessons before the last, and why there may be none."""
    lessons = public_course.current_course().lessons
    earlier = lessons[: lessons.index(lesson)] if lesson in lessons else []
    due, why_not = _due_by_lesson(earlier)
    of_last = due.pop(earlier[-1]) if due else []
    of_earlier = sorted(chain(*due.values()), key=lambda question: question.urgency)
    split = LESSON_QUESTIONS - EARLIER_QUESTIONS
    chosen = (
        of_earlier[:EARLIER_QUESTIONS] + of_last[:split] + of_earlier[EARLIER_QUESTIONS:] + of_last[split:]
    )
    return chosen[:LESSON_QUESTIONS], why_not


def _choose_across_lessons() -> tuple[Sequence[Due], str]:
    """Return due questions of each lesson in turn, and why there may be none."""
    due, why_not = _due_by_lesson(public_course.current_course().lessons)
    in_turn = chain(*zip_longest(*due.values()))
    return [question for question in in_turn if question is not None][:PRACTICE_QUESTIONS], why_not


def _due_by_lesson(lessons: Sequence[str]) -> tuple[dict[str, list[Due]], str]:
    """Return the due exercises of each lesson, and the message where there are none."""
    if not any(map(_checked_exercises, lessons)):
        return {}, NOTHING_CHECKED
    now = datetime.now(UTC)
    try:
        return {lesson: list_due(lesson, now) for lesson in lessons}, NOTHING_DUE
    except ImportError:
        return {}, NOT_INSTALLED


# --- how it is shown -----------------------------------------------------------------------------------------


def show_progress() -> None:
    """Display the lessons as a map with their minutes, the state of each exercise, and the number of due questions."""
    lessons = public_course.current_course().lessons
    states = {lesson: attempt_log.last_states(lesson) for lesson in lessons}
    due = {lesson: len(each) for lesson, each in _due_by_lesson(lessons)[0].items()}
    display.display_as(progress.progress_text(states, due), progress.progress_html(states, due))


def _display_message(text: str) -> None:
    display.display_as(text, question_card.reply_html(text))


def _show(session: Session) -> None:
    """Display the open question; in a notebook with a button for each choice."""
    display.display_sections([session.question()], lambda: _widget(session))


def _widget(session: Session) -> Any:
    """Return the open question with its buttons; the next one follows below its answer."""
    import ipywidgets

    box = ipywidgets.VBox()

    def ask() -> None:
        section = session.question()
        question = ipywidgets.HTML(verdict_view.sections_as_html([section]))
        box.children += (question, *question_card.answer_buttons(section.card.numbers, answer))

    def answer(number: int) -> str:
        reply = session.answer(number)
        if not session.is_over:
            ask()
        return reply

    ask()
    return box


practice = Questions("practice", _choose_across_lessons)
cold_questions = Questions("cold_questions", lambda: _choose_for_lesson(checker.check.lesson_id))

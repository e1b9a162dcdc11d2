"""Questions: what they ask, when each comes, and what a learner sees of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import autograder
from autograder.checks import answer_keys
from autograder.courses import Lesson
from autograder.exercises.exercise import AnswerKey
from autograder.exercises.verdict import State
from autograder.judging import judge, reference
from autograder.notebook import attempt_log, optional_quiz
from autograder.notebook.attempt_log import Checked, Unlocked, append_entry, read_entries
from autograder.quiz import practice
from autograder.quiz.authoring.locked_questions import locked_questions
from autograder.quiz.practice import Answered
from autograder.quiz.question_card import QuestionCard
from autograder.tests import solution_margins
from autograder.tests.this_course import COURSE, find_lesson, lessons

FIRST, SECOND, THIRD, FOURTH = COURSE.visible.lessons[:4]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NUMPY = [find_lesson(FIRST), find_lesson(FOURTH)]
"""Lessons whose solutions are there at once."""


@pytest.fixture(autouse=True)
def in_no_lesson(home: Path) -> None:
    """A student's folder, in which this process is, and where no lesson is open."""
    autograder.check.lesson_id = None


def check(lesson: str, *exercises: str, state: State = State.RIGHT) -> None:
    for name in exercises:
        append_entry(lesson, Checked(name, state, "a1"))


def names(due: Sequence[practice.Due]) -> list[tuple[str, str]]:
    return [(question.lesson, question.exercise) for question in due]


def cold_questions(lesson: str) -> list[tuple[str, str]]:
    autograder.check.lesson_id = lesson
    return names(practice.cold_questions.choose())


def functions(lesson: Lesson) -> list[tuple[str, AnswerKey]]:
    """A lesson's exercises that ask for no values, with their keys."""
    stored = answer_keys.load_keys(COURSE.visible, lesson.id).keys
    return [(name, key) for name, key in stored.items() if not key.values]


def locked(lesson: Lesson, exercise: str) -> list[QuestionCard]:
    """The cards among an exercise's other solutions as they come with the course."""
    return [QuestionCard(**fields) for fields in solution_margins.content_of(lesson.id, exercise)["cards"]]


# --- the questions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_every_card_has_other_choices_and_something_to_say_of_each(lesson: Lesson) -> None:
    exercises = [name for name, _ in functions(lesson)]
    cards = [card for name in exercises for card in practice.cards_from_key(COURSE.visible, lesson.id, name)]
    cards += [card for name in exercises if lesson in NUMPY for card in locked(lesson, name)]
    assert cards
    for asked in cards:
        assert 3 <= len(asked.choices) == len({*asked.choices}) <= 4, asked
        assert all(asked.why), asked
        replies = [asked.answer(number) for number in asked.numbers]
        assert replies.pop(asked.right).startswith("✓ Right"), asked
        assert all("Right is" in reply for reply in replies), asked
        assert max(map(len, asked.shown.splitlines())) <= 120, asked


@pytest.mark.parametrize("lesson", NUMPY, ids=lambda lesson: lesson.id)
def test_a_slip_is_the_line_that_when_mended_makes_the_answer_right(lesson: Lesson) -> None:
    slips = [(name, key, slip) for name, key in functions(lesson) for slip in locked(lesson, name)]
    assert len(slips) > 3
    for name, key, slip in slips:
        line, mended = slip.choices[slip.right], slip.why[slip.right].partition("the line is\n")[2]
        assert slip.shown.count(line) == 1
        for code, state in ((slip.shown, State.WRONG), (slip.shown.replace(line, mended), State.RIGHT)):
            namespace = reference.change_reference(lesson, lesson.exercise(name), code, "a card")
            assert judge.judge_in_process(lesson, key, namespace).state is state, code


def test_locked_questions_are_the_same_each_time() -> None:
    lesson = NUMPY[0]
    content = solution_margins.content_of(FIRST, "softmax")
    questions = json.loads(json.dumps(locked_questions(lesson, lesson.exercise("softmax"))))
    assert questions == {name: content[name] for name in ("near_miss", "cards")}
    assert questions["cards"]


# --- which come, and when ------------------------------------------------------------------------------------


def test_a_lesson_opens_with_two_from_earlier_lessons_and_one_from_the_last_first_what_was_wrong() -> None:
    check(FIRST, "letter_embedding", "length_weights", "pad_rows", "weighted_sum")
    check(FIRST, "weighted_sum", state=State.WRONG)
    check(SECOND, "simple_attention", "self_attention")
    expected = [(FIRST, "weighted_sum"), (FIRST, "letter_embedding"), (SECOND, "simple_attention")]
    assert cold_questions(THIRD) == expected
    assert [lesson for lesson, _ in cold_questions(SECOND)] == [FIRST] * 3
    append_entry(FIRST, Answered("letter_embedding", "yes", datetime.now(UTC).isoformat()))
    assert cold_questions(THIRD)[1] == (FIRST, "length_weights")
    in_turn = [lesson for lesson, _ in names(practice.practice.choose())]
    assert in_turn == [FIRST, SECOND, FIRST, SECOND, FIRST], "the start page mixes the lessons"


def test_what_is_right_comes_back_later_and_later_and_what_is_wrong_tomorrow() -> None:
    answers, days, now = list[Answered](), [], NOW
    for _ in range(4):
        answers.append(Answered("softmax", "yes", now.isoformat()))
        later = practice.next_review(answers, now)
        days.append((later - now).days)
        now = later
    assert 1 <= days[0] < days[1] < days[2] < days[3]
    answers.append(Answered("softmax", "no", now.isoformat()))
    assert practice.next_review(answers, now) - now == practice.RETRY_AFTER == timedelta(days=1)
    assert practice.next_review(answers[-1:], now) - now == practice.RETRY_AFTER


def test_a_clock_that_was_wrong_delays_nothing_for_long() -> None:
    ahead = [
        Answered("softmax", "yes", when) for when in ("2090-01-01T00:00:00+00:00", "2026-02-28T00:00:00")
    ]
    assert timedelta(0) < practice.next_review(ahead, NOW) - NOW < timedelta(days=30)
    check(FIRST, "pad_rows")
    for when in ("soon", "", "0001-01-01T00:00:00+14:00"):
        append_entry(FIRST, Answered("pad_rows", "yes", when))
    assert names(practice.list_due(FIRST, NOW)) == [(FIRST, "pad_rows")]


def test_a_card_with_a_line_of_a_right_answer_waits_until_that_is_there(card) -> None:
    def available() -> list[QuestionCard]:
        return practice.available_cards(COURSE.visible, FIRST, "softmax")

    check(FIRST, "softmax", state=State.WRONG)
    at_first = available()
    assert not any("slip" in asked.ask for asked in at_first)
    lesson = NUMPY[0]
    card(lesson.solution("softmax"), **reference.load_namespace(lesson))
    assert available() == [*at_first, *locked(lesson, "softmax")] != at_first
    append_entry(FIRST, Unlocked("softmax", "another key"))
    assert available() == at_first


# --- what a learner sees -------------------------------------------------------------------------------------


def test_where_nothing_was_checked_it_says_so(capsys: pytest.CaptureFixture) -> None:
    autograder.check.lesson_id = SECOND
    check(FIRST, "pad_rows", state=State.NOT_STARTED)
    autograder.cold_questions()
    autograder.practice()
    autograder.practice.answer(1)
    said = capsys.readouterr().out.splitlines()
    assert said == [practice.NOTHING_CHECKED] * 2 + ["No question is open: practice() asks."]


def test_questions_are_answered_by_their_numbers(capsys: pytest.CaptureFixture) -> None:
    def reply(number: object) -> str:
        autograder.cold_questions.answer(number)
        return capsys.readouterr().out

    check(FIRST, "letter_embedding", "pad_rows")
    autograder.check.lesson_id = SECOND
    first, second = (due.card for due in practice.cold_questions.choose())
    autograder.cold_questions()
    asked = capsys.readouterr().out
    assert "1 of 2 · " in asked
    assert "Answer with its number n: cold_questions.answer(n)." in asked
    assert all(reply(no).startswith("Answer with a number from 1 to ") for no in (0, 9, True, "2", None, 2.5))
    right = reply(first.right + 1)
    assert right.startswith("✓ Right.")
    assert "2 of 2 · " in right
    wrong = reply(2 if second.right == 0 else 1)
    assert wrong.startswith("✗ So it would be after a mistake: ")
    assert wrong.endswith("That was all.\n")
    assert "No question is open" in reply(1)
    answers = [(entry.exercise, entry.right) for entry in read_entries(FIRST, Answered)]
    assert answers == [("letter_embedding", "yes"), ("pad_rows", "no")]
    autograder.cold_questions()
    assert capsys.readouterr().out == f"{practice.NOTHING_DUE}\n"
    assert attempt_log.last_states(FIRST) == dict.fromkeys(["letter_embedding", "pad_rows"], "right")


def test_in_a_notebook_there_is_a_button_for_each_choice(published: list[dict[str, str]]) -> None:
    check(FIRST, "letter_embedding", "pad_rows")
    practice.practice()
    [data] = published
    assert {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"} == {*data}
    session = practice.Session(practice.practice.choose(), "practice")
    box = session.widget()
    _, row, reply = box.children
    assert [button.description for button in row.children] == ["1", "2", "3", "4"][: len(row.children)]
    row.children[session.due[0].card.right].click()
    assert "✓ Right." in reply.value
    assert all(button.disabled for button in row.children)
    row.children[0].click()
    assert len(read_entries(FIRST, Answered)) == 1
    assert len(box.children) == 6
    box.children[4].children[0].click()
    assert session.is_over
    assert len(box.children) == 6


@pytest.mark.parametrize("missing", ["autograder.quiz", "fsrs"])
def test_without_the_quiz_checks_and_progress_are_shown_and_no_questions(
    missing: str, card, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    for name in [name for name in sys.modules if name.startswith("autograder.quiz.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    lesson = NUMPY[0]
    verdict = card(lesson.solution("softmax"), **reference.load_namespace(lesson))
    assert "The course's own answer" in verdict
    assert ("A near miss" in verdict) == (missing == "fsrs")
    autograder.practice()
    autograder.cold_questions.answer(1)
    assert capsys.readouterr().out == f"{optional_quiz.ABSENT}\n" * 2
    autograder.show_progress()
    progress = capsys.readouterr().out
    assert "✓ softmax" in progress
    assert "to ask again" not in progress

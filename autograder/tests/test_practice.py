"""What is asked again: the questions, when each comes, and what a learner sees of them."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from IPython.core.interactiveshell import InteractiveShell

import autograder
from autograder.answers.slip_questions import slip_questions
from autograder.checks import answer_keys
from autograder.courses import Lesson
from autograder.exercises import public_course
from autograder.exercises.exercise import AnswerKey
from autograder.exercises.verdict import State
from autograder.judging import judge, reference
from autograder.notebook import attempt_log, practice, progress, solutions_unlocked
from autograder.notebook.attempt_log import Answered, Checked, Unlocked, append_entry, read_entries
from autograder.tests.answering import card
from autograder.tests.this_course import COURSE, find_lesson, lessons
from autograder.views.question_card import QuestionCard

FIRST, SECOND, THIRD, FOURTH = COURSE.visible.lessons[:4]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NUMPY = (FIRST, FOURTH)
"""Lessons whose solutions are there at once."""


@pytest.fixture(autouse=True)
def in_no_lesson(home: Path) -> None:
    """A student's folder, in which this process is, and where no lesson is open."""
    autograder.check.lesson_id = None


def met(lesson: str, *exercises: str, state: State = State.RIGHT) -> None:
    for name in exercises:
        append_entry(lesson, Checked(name, state, "a1"))


def due(chosen: list[practice.Due]) -> list[tuple[str, str]]:
    return [(one.lesson, one.exercise) for one in chosen]


def functions(lesson: Lesson) -> list[tuple[str, AnswerKey]]:
    """A lesson's exercises that ask for no values, with their keys."""
    stored = answer_keys.load_keys(COURSE.visible, lesson.id).keys
    return [(name, key) for name, key in stored.items() if not key.values]


def locked(lesson: Lesson, exercise: str) -> list[QuestionCard]:
    """The cards in an exercise's box as it comes with the course."""
    key = answer_keys.load_keys(COURSE.visible, lesson.id).keys[exercise]
    box = solutions_unlocked.load_solutions(COURSE.visible, lesson.id, key)
    if box is None:
        return []
    with public_course.use_course(COURSE.visible):
        seen = solutions_unlocked.answer_key_inputs(box.inputs, exercise, reference.load_namespace(lesson))
    return [QuestionCard(**stored) for stored in box.open_with_results(seen)["cards"]]


# --- the questions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_every_card_has_other_choices_and_something_to_say_of_each(lesson: Lesson) -> None:
    names = [name for name, _ in functions(lesson)]
    made = [card for name in names for card in practice.cards_from_key(COURSE.visible, lesson.id, name)]
    made += [card for name in names if lesson.id in NUMPY for card in locked(lesson, name)]
    assert made
    for asked in made:
        assert 3 <= len(asked.choices) == len({*asked.choices}) <= 4, asked
        assert all(asked.why), asked
        told = [asked.answer(number) for number in asked.numbers]
        assert told.pop(asked.right).startswith("✓ Right"), asked
        assert all("Right is" in other for other in told), asked
        assert max(map(len, asked.shown.splitlines())) <= 120, asked


@pytest.mark.parametrize("lesson", [*map(find_lesson, NUMPY)], ids=NUMPY)
def test_a_slip_is_the_line_that_when_mended_makes_the_answer_right(lesson: Lesson) -> None:
    asked = [(name, key, slip) for name, key in functions(lesson) for slip in locked(lesson, name)]
    assert len(asked) > 3
    for name, key, slip in asked:
        line, mended = slip.choices[slip.right], slip.why[slip.right].partition("the line is\n")[2]
        assert slip.shown.count(line) == 1
        for code, state in ((slip.shown, State.WRONG), (slip.shown.replace(line, mended), State.RIGHT)):
            names = reference.change_reference(lesson, lesson.exercise(name), code, "a card")
            assert judge.judge_in_process(lesson, key, names).state is state, code


def test_the_questions_of_a_box_are_the_same_each_time() -> None:
    of = find_lesson(FIRST)
    made = [vars(one) for one in slip_questions(of, of.exercise("softmax"))]
    assert json.loads(json.dumps(made)) == [vars(one) for one in locked(of, "softmax")] != []


# --- which come, and when ------------------------------------------------------------------------------------


def test_a_lesson_opens_with_two_from_earlier_lessons_and_one_from_the_last_first_what_was_wrong() -> None:
    met(FIRST, "letter_embedding", "length_weights", "pad_rows", "weighted_sum")
    met(FIRST, "weighted_sum", state=State.WRONG)
    met(SECOND, "simple_attention", "self_attention")
    assert due(practice._choose_for_lesson(THIRD)[0]) == [
        (FIRST, "weighted_sum"),
        (FIRST, "letter_embedding"),
        (SECOND, "simple_attention"),
    ]
    assert [lesson for lesson, _ in due(practice._choose_for_lesson(SECOND)[0])] == [FIRST] * 3
    append_entry(FIRST, Answered("letter_embedding", "yes", datetime.now(UTC).isoformat()))
    assert due(practice._choose_for_lesson(THIRD)[0])[1] == (FIRST, "length_weights")


def test_the_start_page_mixes_the_lessons() -> None:
    met(FIRST, "letter_embedding", "length_weights", "pad_rows")
    met(SECOND, "simple_attention", "self_attention")
    assert [lesson for lesson, _ in due(practice._choose_across_lessons()[0])] == [
        FIRST,
        SECOND,
        FIRST,
        SECOND,
        FIRST,
    ]


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
    met(FIRST, "pad_rows")
    for when in ("soon", "", "0001-01-01T00:00:00+14:00"):
        append_entry(FIRST, Answered("pad_rows", "yes", when))
    assert due(practice.list_due(FIRST, NOW)) == [(FIRST, "pad_rows")]


def test_a_card_with_a_line_of_a_right_answer_waits_until_that_is_there(
    capsys: pytest.CaptureFixture,
) -> None:
    met(FIRST, "softmax", state=State.WRONG)
    before = practice.available_cards(COURSE.visible, FIRST, "softmax")
    assert not any("slip" in one.ask for one in before)
    lesson = find_lesson(FIRST)
    card(lesson.solution("softmax"), capsys, **reference.load_namespace(lesson))
    after = practice.available_cards(COURSE.visible, FIRST, "softmax")
    assert after == [*before, *locked(lesson, "softmax")] != before
    assert [one.exercise for one in read_entries(FIRST, Unlocked)] == ["softmax"]
    append_entry(FIRST, Unlocked("softmax", "another key"))
    assert practice.available_cards(COURSE.visible, FIRST, "softmax") == before


# --- what a learner sees -------------------------------------------------------------------------------------


def test_where_nothing_was_checked_it_says_so(capsys: pytest.CaptureFixture) -> None:
    autograder.check.lesson_id = SECOND
    met(FIRST, "pad_rows", state=State.NOT_STARTED)
    autograder.cold_questions()
    autograder.practice()
    autograder.practice.answer(1)
    told = capsys.readouterr().out.splitlines()
    assert told == [practice.NOTHING_CHECKED] * 2 + ["No question is open: practice() asks."]


def test_questions_are_answered_by_their_numbers(capsys: pytest.CaptureFixture) -> None:
    def told(number: object) -> str:
        autograder.cold_questions.answer(number)
        return capsys.readouterr().out

    met(FIRST, "letter_embedding", "pad_rows")
    autograder.check.lesson_id = SECOND
    first, second = (one.card for one in practice._choose_for_lesson(SECOND)[0])
    autograder.cold_questions()
    asked = capsys.readouterr().out
    assert "1 of 2 · " in asked
    assert "Answer with its number, as cold_questions.answer(2)" in asked
    assert all(told(no).startswith("Answer with a number from 1 to ") for no in (0, 9, True, "2", None, 2.5))
    reply = told(first.right + 1)
    assert reply.startswith("✓ Right.")
    assert "2 of 2 · " in reply
    reply = told(2 if second.right == 0 else 1)
    assert reply.startswith("✗ So it would be after a mistake: ")
    assert reply.endswith("That was all.\n")
    assert "No question is open" in told(1)
    answers = [(one.exercise, one.right) for one in read_entries(FIRST, Answered)]
    assert answers == [("letter_embedding", "yes"), ("pad_rows", "no")]
    autograder.cold_questions()
    assert capsys.readouterr().out == f"{practice.NOTHING_DUE}\n"
    assert attempt_log.last_states(FIRST) == dict.fromkeys(["letter_embedding", "pad_rows"], "right")


def test_in_a_notebook_there_is_a_button_for_each_choice() -> None:
    met(FIRST, "letter_embedding", "pad_rows")
    shell, shown = InteractiveShell.instance(), list[dict[str, str]]()
    try:
        shell.display_pub.publish = lambda data, *args, **kwargs: shown.append(data)
        practice.practice()
    finally:
        InteractiveShell.clear_instance()
    [data] = shown
    assert {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"} == {*data}
    sitting = practice.Session(practice._choose_across_lessons()[0], "practice")
    whole = practice._widget(sitting)
    _, buttons, told = whole.children
    assert [one.description for one in buttons.children] == ["1", "2", "3", "4"][: len(buttons.children)]
    buttons.children[sitting.due[0].card.right].click()
    assert "✓ Right." in told.value
    assert all(one.disabled for one in buttons.children)
    buttons.children[0].click()
    assert len(read_entries(FIRST, Answered)) == 1
    assert len(whole.children) == 6
    whole.children[4].children[0].click()
    assert sitting.is_over
    assert len(whole.children) == 6


def test_without_py_fsrs_it_says_what_to_install_and_the_map_comes_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    met(FIRST, "pad_rows")
    monkeypatch.setitem(sys.modules, "fsrs", None)
    autograder.practice()
    assert capsys.readouterr().out == f"{practice.NOT_INSTALLED}\n"
    autograder.show_progress()
    told = capsys.readouterr().out
    assert "✓ pad_rows" in told
    assert "to ask again" not in told


def test_each_exercise_on_the_map_leads_to_its_cell() -> None:
    met(FIRST, "softmax")
    states = {lesson: attempt_log.last_states(lesson) for lesson in COURSE.visible.lessons}
    page = BeautifulSoup(progress.progress_html(states, {FIRST: 1}), "html.parser")
    tiles = page.select("section")
    for lesson, tile in zip(lessons(), tiles, strict=True):
        whole, *links = (one["href"] for one in tile.select("a"))
        assert whole == lesson.released.relative_to(lesson.released.parents[1]).as_posix()
        cells = {cell.id for cell in nbformat.read(lesson.released, as_version=4).cells}
        led = [link.removeprefix(f"{whole}#cell-id=") for link in links]
        assert {*led} == {one.id for one in lesson.exercises} <= cells
        assert f"{lesson.minutes} minutes" in tile.get_text()
    assert "1 to ask again" in tiles[0].get_text()
    assert "to ask again" not in tiles[1].get_text()

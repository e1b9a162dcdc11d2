"""What is asked again: the questions, when each comes, and what a learner sees of them."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from IPython.core.interactiveshell import InteractiveShell

import autograder
from autograder import judge
from autograder.author.questions import questions
from autograder.courses import Lesson
from autograder.judge import reference
from autograder.model import kinds
from autograder.model.exercise import Case, Key, Observation
from autograder.model.verdict import State
from autograder.student import boxes, cards, checking, keys, practice, progress, visible
from autograder.student.cards import QuestionCard
from autograder.student.plain import plain
from autograder.student.tries import Answered, Checked, Unlocked, add_line, all_lines
from autograder.tests.this_course import COURSE, find_lesson, lessons

FIRST, SECOND, THIRD, FOURTH = COURSE.visible.lessons[:4]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NUMPY = (FIRST, FOURTH)
"""Lessons whose solutions are there at once."""

EVERY_LESSON = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
IN_NUMPY = pytest.mark.parametrize("lesson", [*map(find_lesson, NUMPY)], ids=NUMPY)


@pytest.fixture
def home(home: Path) -> Path:
    """A student's folder, in which this process is; its progress."""
    autograder.check.lesson_id = None
    return home / progress.PROGRESS


def met(home: Path, lesson: str, *exercises: str, state: State = State.RIGHT) -> None:
    for name in exercises:
        add_line(home / f"{lesson}.jsonl", Checked(name, state, "a1"))


def answered(home: Path, lesson: str) -> list[Answered]:
    return all_lines(home / f"{lesson}.jsonl", Answered)


def stored(lesson: str, exercise: str) -> Key:
    return keys.load(COURSE.visible, lesson).keys[exercise]


def locked(lesson: Lesson, exercise: str) -> list[QuestionCard]:
    """The cards in an exercise's box as it comes with the course."""
    box = boxes.stored_box(COURSE.visible, lesson.id, stored(lesson.id, exercise))
    if box is None:
        return []
    with visible.using(COURSE.visible):
        seen = boxes.results_on(box.inputs, exercise, reference.namespace(lesson))
    return [QuestionCard(**one) for one in box.opened_by(seen)["cards"]]


# --- the questions -------------------------------------------------------------------------------------------


@EVERY_LESSON
def test_every_card_has_other_choices_and_something_to_say_of_each(lesson: Lesson) -> None:
    asked = [one.id for one in lesson.exercises if not one.values]
    made = [card for one in asked for card in cards._open_cards(COURSE.visible, lesson.id, one)]
    made += [card for one in asked if lesson.id in NUMPY for card in locked(lesson, one)]
    assert made
    for card in made:
        assert 3 <= len(card.choices) == len({*card.choices}) <= 4, card
        assert all(card.why), card
        assert card.told(card.right).startswith("✓ Right"), card
        assert all("Right is" in card.told(i) for i in range(len(card.choices)) if i != card.right)
        assert max(map(len, card.shown.splitlines())) <= 120, card


@IN_NUMPY
def test_the_right_choice_is_what_the_call_prints_where_it_is_run(lesson: Lesson) -> None:
    np.set_printoptions(precision=3, suppress=True)
    for exercise in (one for one in lesson.exercises if not one.values):
        key = stored(lesson.id, exercise.id)
        for card in islice(cards.printing(key), 2):
            case = next(one for one in key.cases if cards._call(key, one) == card.shown)
            with visible.using(COURSE.visible):
                answer = reference.namespace(lesson)[exercise.id]
                value = plain(answer(*map(live, case.args), **{k: live(v) for k, v in case.kwargs.items()}))
            several = value if isinstance(value, tuple) else (value,)
            printed = re.findall(r"[\w.'-]+", " ".join(map(str, several)).replace("-0. ", "0. "))
            chosen = card.choices[card.right]
            for name in key.results if len(several) > 1 else ():
                chosen = chosen.replace(f"{name}  ", "")
            assert numbers(re.findall(r"[\w.'-]+", chosen)) == numbers(printed), card


@pytest.mark.parametrize(("args", "call"), [((), "print(greet())"), (({"amy": 1},), "")])
def test_a_call_may_be_without_arguments_and_is_not_asked_with_a_dictionary(args: tuple, call: str) -> None:
    cases, expected = (Case("any", args),), (Observation("hello"),)
    key = Key(
        exercise="greet",
        signature="greet(names)",
        values=(),
        parts=(),
        cases=cases,
        expected=expected,
        mistakes=(),
    )
    assert cards._call(key, cases[0]) == call
    assert [*cards.printing(key)] == []


def live(value: object) -> object:
    kind = kinds.declared_kind(value)
    return kind.make(value) if kind else value


def numbers(texts: list[str]) -> list[object]:
    """Texts, of which those of numbers as numbers of three digits."""
    try:
        return [pytest.approx(float(one), abs=6e-4) for one in texts]
    except ValueError:
        return [*texts]


@IN_NUMPY
def test_a_slip_is_the_line_that_when_mended_makes_the_answer_right(lesson: Lesson) -> None:
    found = 0
    for exercise in (one for one in lesson.exercises if not one.values):
        key = stored(lesson.id, exercise.id)
        for card in (one for one in locked(lesson, exercise.id) if "slip" in one.ask):
            slip, found = card.choices[card.right], found + 1
            mended = card.why[card.right].partition("the line is\n")[2]
            assert card.shown.count(slip) == 1
            for code, state in ((card.shown, State.WRONG), (card.shown.replace(slip, mended), State.RIGHT)):
                names = reference.changed(lesson, exercise, code, "a card")
                assert judge.verdict(lesson, key, names).state is state, code
    assert found > 3


def test_the_questions_of_a_box_are_the_same_each_time() -> None:
    of = find_lesson(FIRST)
    exercise = of.exercise("softmax")
    made = json.loads(json.dumps([vars(one) for one in questions(of, exercise)]))
    assert made == [vars(one) for one in locked(of, "softmax")]
    assert made


# --- which come, and when ------------------------------------------------------------------------------------


def test_a_lesson_opens_with_two_from_earlier_lessons_and_one_from_the_last_first_what_was_wrong(
    home: Path,
) -> None:
    met(home, FIRST, "letter_embedding", "length_weights", "pad_rows", "weighted_sum")
    met(home, FIRST, "weighted_sum", state=State.WRONG)
    met(home, SECOND, "simple_attention", "self_attention")
    chosen, _ = practice._cold(THIRD)
    assert [(one.lesson, one.exercise) for one in chosen] == [
        (FIRST, "weighted_sum"),
        (FIRST, "letter_embedding"),
        (SECOND, "simple_attention"),
    ]
    chosen, _ = practice._cold(SECOND)
    assert [one.lesson for one in chosen] == [FIRST] * 3
    add_line(home / f"{FIRST}.jsonl", Answered("letter_embedding", "yes", datetime.now(UTC).isoformat()))
    assert practice._cold(THIRD)[0][1].exercise == "length_weights"


def test_the_start_page_mixes_the_lessons(home: Path) -> None:
    met(home, FIRST, "letter_embedding", "length_weights", "pad_rows")
    met(home, SECOND, "simple_attention", "self_attention")
    lessons_asked = [one.lesson for one in practice._mixed()[0]]
    assert lessons_asked == [FIRST, SECOND, FIRST, SECOND, FIRST]


def test_what_is_right_comes_back_later_and_later_and_what_is_wrong_tomorrow() -> None:
    asked: list[Answered] = []
    days, now = [], NOW
    for _ in range(4):
        asked.append(Answered("softmax", "yes", now.isoformat()))
        due = practice.next_time(asked, now)
        days.append((due - now).days)
        now = due
    assert days == sorted({*days})
    assert days[0] >= 1
    asked.append(Answered("softmax", "no", now.isoformat()))
    assert practice.next_time(asked, now) - now == practice.AGAIN == timedelta(days=1)
    assert practice.next_time([asked[-1]], now) - now == practice.AGAIN


def test_a_clock_that_was_wrong_delays_nothing_for_long(home: Path) -> None:
    ahead = [
        Answered("softmax", "yes", when) for when in ("2090-01-01T00:00:00+00:00", "2026-02-28T00:00:00")
    ]
    assert timedelta(0) < practice.next_time(ahead, NOW) - NOW < timedelta(days=30)
    for when in ("soon", "", "0001-01-01T00:00:00+14:00"):
        met(home, FIRST, "pad_rows")
        add_line(home / f"{FIRST}.jsonl", Answered("pad_rows", "yes", when))
    assert [one.exercise for one in practice.due_in(FIRST, NOW)] == ["pad_rows"]


def test_a_card_with_a_line_of_a_right_answer_waits_until_that_is_there(
    home: Path, capsys: pytest.CaptureFixture
) -> None:
    met(home, FIRST, "softmax", state=State.WRONG)
    before = cards.cards_of(COURSE.visible, FIRST, "softmax")
    assert not any("slip" in one.ask for one in before)
    names = {**reference.namespace(find_lesson(FIRST)), "__name__": "__main__"}
    exec(find_lesson(FIRST).solution("softmax"), names)
    checking.Check()(names["softmax"])
    after = cards.cards_of(COURSE.visible, FIRST, "softmax")
    assert after == [*before, *locked(find_lesson(FIRST), "softmax")] != before
    assert [one.exercise for one in all_lines(home / f"{FIRST}.jsonl", Unlocked)] == ["softmax"]
    add_line(home / f"{FIRST}.jsonl", Unlocked("softmax", "another key"))
    assert cards.cards_of(COURSE.visible, FIRST, "softmax") == before


# --- what a learner sees -------------------------------------------------------------------------------------


def test_where_nothing_was_checked_it_says_so(home: Path, capsys: pytest.CaptureFixture) -> None:
    autograder.check.lesson_id = SECOND
    met(home, FIRST, "pad_rows", state=State.NOT_STARTED)
    autograder.cold_questions()
    autograder.practice()
    autograder.practice.answer(1)
    said = capsys.readouterr().out.splitlines()
    assert said == [practice.NOTHING_MET] * 2 + ["No question is open: practice() asks."]


def test_questions_are_answered_by_their_numbers(home: Path, capsys: pytest.CaptureFixture) -> None:
    met(home, FIRST, "letter_embedding", "pad_rows")
    autograder.check.lesson_id = SECOND
    autograder.cold_questions()
    first = practice._cold(SECOND)[0][0].card
    asked = capsys.readouterr().out
    assert asked.startswith("1 of 2 · ")
    assert "Answer with its number, as cold_questions.answer(2)" in asked
    for number in (0, 9, True, "2", None, 2.5):
        autograder.cold_questions.answer(number)
        assert capsys.readouterr().out.startswith("Answer with a number from 1 to ")
    autograder.cold_questions.answer(first.right + 1)
    told = capsys.readouterr().out
    assert told.startswith("✓ Right.")
    assert "2 of 2 · " in told
    second = practice._cold(SECOND)[0][0].card
    autograder.cold_questions.answer(2 if second.right == 0 else 1)
    told = capsys.readouterr().out
    assert told.startswith("✗ So it would be after a mistake: ")
    assert told.endswith("That was all.\n")
    autograder.cold_questions.answer(1)
    assert "No question is open" in capsys.readouterr().out
    assert [(one.exercise, one.right) for one in answered(home, FIRST)] == [
        ("letter_embedding", "yes"),
        ("pad_rows", "no"),
    ]
    autograder.cold_questions()
    assert capsys.readouterr().out == f"{practice.NOTHING_DUE}\n"
    assert progress.states_of(FIRST) == dict.fromkeys(["letter_embedding", "pad_rows"], "right")


def test_where_nobody_learns_nothing_of_it_is_shown(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    met(home, FIRST, "pad_rows")
    monkeypatch.setenv(checking.VALIDATING, "1")
    autograder.practice()
    autograder.practice.answer(1)
    assert capsys.readouterr().out == ""
    assert answered(home, FIRST) == []


def test_in_a_notebook_there_is_a_button_for_each_choice(home: Path) -> None:
    met(home, FIRST, "letter_embedding", "pad_rows")
    shell, shown = InteractiveShell.instance(), list[dict[str, str]]()
    try:
        shell.display_pub.publish = lambda data, *args, **kwargs: shown.append(data)
        practice.practice()
    finally:
        InteractiveShell.clear_instance()
    [data] = shown
    assert {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"} == {*data}
    sitting = practice.Sitting(practice._mixed()[0], "practice")
    whole = practice._widget(sitting)
    _, buttons, told = whole.children
    assert [one.description for one in buttons.children] == ["1", "2", "3", "4"][: len(buttons.children)]
    buttons.children[sitting.asked[0].card.right].click()
    assert "✓ Right." in told.value
    assert all(one.disabled for one in buttons.children)
    buttons.children[0].click()
    assert len(answered(home, FIRST)) == 1
    assert len(whole.children) == 6
    whole.children[4].children[0].click()
    assert sitting.over
    assert len(whole.children) == 6


def test_without_py_fsrs_it_says_what_to_install_and_the_map_comes_all_the_same(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    met(home, FIRST, "pad_rows")
    monkeypatch.setitem(sys.modules, "fsrs", None)
    autograder.practice()
    assert capsys.readouterr().out == f"{practice.NOT_INSTALLED}\n"
    assert practice._counts() == {}
    autograder.show_progress()
    assert "✓ pad_rows" in capsys.readouterr().out


def test_where_nothing_can_be_kept_questions_come_all_the_same(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    met(home, FIRST, "pad_rows")
    real = Path.open

    def full(path: Path, mode: str = "r", *given: Any, **named: Any) -> Any:
        if "a" in mode:
            raise OSError(28, "No space left on device")
        return real(path, mode, *given, **named)

    monkeypatch.setattr(Path, "open", full)
    autograder.practice()
    autograder.practice.answer(1)
    assert "That was all." in capsys.readouterr().out
    assert [one.exercise for one in answered(home, FIRST)] == ["pad_rows"]
    autograder.practice()
    assert capsys.readouterr().out == f"{practice.NOTHING_DUE}\n"


# --- the map -------------------------------------------------------------------------------------------------


def test_each_exercise_on_the_map_leads_to_its_cell(home: Path) -> None:
    met(home, FIRST, "softmax")
    states = {lesson: progress.states_of(lesson) for lesson in COURSE.visible.lessons}
    page = BeautifulSoup(progress.progress_html(states, practice._counts()), "html.parser")
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

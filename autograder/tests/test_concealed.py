"""Predictions can be recognised by what students get, and are not read there by accident."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograder.author import corpus
from autograder.judge import reference
from autograder.model import values
from autograder.model.concealed import Concealed, as_data, conceal, from_data
from autograder.student import checking, keys, ladder, probe
from autograder.tests import outcomes
from autograder.tests.texts import telling
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, lessons

PREDICTIONS = [(lesson.id, one.id) for lesson in lessons() for one in lesson.exercises if one.values]

GRADED = [(lesson, exercise) for lesson, exercise in PREDICTIONS if find_exercise(lesson, exercise).graded]


def shipped(lesson: str, exercise: str) -> dict[str, Any]:
    """An exercise's entry in the file that students get, as it stands there."""
    data = json.loads(COURSE.visible.examples(lesson).read_text(encoding="utf-8"))
    return next(entry for entry in data["exercises"] if entry["exercise"] == exercise)


def answers(lesson: str, exercise: str) -> Iterator[Any]:
    """What is right, and what each misconception would say."""
    asked, names = find_exercise(lesson, exercise), reference.namespace(find_lesson(lesson))
    yield from (names[name] for name in asked.values)
    yield from (value for one in asked.misconceptions for wrong in one.wrong for value in wrong)


def parts(value: Any, whole: type | None = None) -> Iterator[Any]:
    """What a value is made of, down to texts and numbers, or to what is of the type `whole`."""
    if isinstance(value, (dict, list, tuple, np.ndarray)) and (whole is None or not isinstance(value, whole)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from parts(inner, whole)
    else:
        yield value


@pytest.mark.parametrize(("lesson", "exercise"), PREDICTIONS)
def test_nobody_reads_a_prediction_in_what_students_get(lesson: str, exercise: str) -> None:
    entry = shipped(lesson, exercise)
    (case,) = entry["cases"]
    assert case["Case"]["facts"] == {"dict": []}
    answer = json.dumps([entry["cases"], entry["expected"], entry["mistakes"]])
    given = "".join(re.findall(r'"(?:expected|observations)".*', json.dumps(entry)))
    for leaf in parts(list(answers(lesson, exercise))):
        if isinstance(leaf, str):
            assert f'"{leaf}"' not in given, leaf
        elif float(leaf) % 1 and leaf > 2 * case["Case"]["tolerance"]:
            assert f"{float(leaf):.6g}" not in answer, leaf
    seen = [entry["expected"][0], *(one for m in entry["mistakes"] for (one,) in m["observations"])]
    for stored in parts([list(one.values()) for one in seen]):
        assert isinstance(stored, str), stored


@pytest.mark.parametrize(("lesson", "exercise"), GRADED)
def test_what_whoever_can_program_can_compute_gives_one_point(lesson: str, exercise: str) -> None:
    assert find_exercise(lesson, exercise).points == 1


@pytest.mark.parametrize(("lesson", "exercise"), GRADED)
def test_a_graded_prediction_is_told_nowhere_else(lesson: str, exercise: str) -> None:
    """Neither by a text of the student's notebook nor by what is right for a visible case of another exercise."""
    found, asked = find_lesson(lesson), find_exercise(lesson, exercise)
    read = found.released.read_text(encoding="utf-8")
    right = [reference.namespace(found)[name] for name in asked.values]
    for text in (one for value in right for one in telling(value)):
        assert not re.search(rf"(?<![\d.]){re.escape(text)}(?!\d)", read), text
    others = [key for key in keys.load(COURSE.visible, lesson).keys.values() if not key.values]
    given = [part for key in others for seen in key.expected for part in parts(seen.value, np.ndarray)]
    given = [array for array in given if isinstance(array, np.ndarray)]
    for numbers in (np.squeeze(one) for one in map(values.as_numbers, right) if one is not None):
        for array in given:
            same = numbers.size > 1 and numbers.shape == array.squeeze().shape
            assert not (same and np.allclose(numbers, array.squeeze(), atol=0.01)), numbers


@pytest.mark.parametrize(("lesson", "exercise"), PREDICTIONS)
def test_a_check_tells_right_from_wrong_by_what_students_get(lesson: str, exercise: str) -> None:
    key = keys.load(COURSE.visible, lesson).keys[exercise]
    tried = [answer for answer in corpus.answers(find_lesson(lesson)) if answer.exercise == exercise]
    assert tried
    for answer in tried:
        names = outcomes.notebook(lesson, find_exercise(lesson, exercise))
        exec(compile(answer.code, answer.style, "exec"), names)
        found = ladder.best(key, probe.ask_all(probe.Question(exercise, key.values, key.cases), names))
        assert (found.state == "right") == answer.right, answer.style
        assert found.misconception in (answer.misconception, *answer.true), answer.style


ROUNDED = conceal([0.4011121, 16.04448], 0.01)


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ([0.3911121, 16.05448], True),
        ([0.4111121, 16.03448], True),
        ([0.39111, 16.04448], False),
        ([0.4011121, 16.05449], False),
        ([[0.4, 16.04]], True),
        ([0.4], False),
        ([0.4, np.nan], False),
        ([0.4, np.inf], False),
        ([0.4, 1e308], False),
        (["0.4", "16.04"], False),
        (None, False),
        (ROUNDED, False),
    ],
)
def test_a_number_is_accepted_up_to_its_tolerance(given: Any, right: bool) -> None:
    assert ROUNDED.matches(given) is right


@pytest.mark.parametrize("within", [1e-6, 0.01, 2])
@pytest.mark.parametrize("number", [0, -7.25, 1 / 3, 981.0])
def test_what_is_near_is_accepted_and_nothing_else(number: float, within: float) -> None:
    one = conceal(number, within)
    rounded = float(f"{number:.7g}")
    assert all(one.matches(rounded + share * within) for share in (-1, -0.9, 0, 0.9, 1))
    assert not any(one.matches(rounded + share * within) for share in (-3, -2, -1.01, 1.01, 2, 3, 4))


def test_a_collection_is_in_any_order_and_nobody_sees_how_many_there_are() -> None:
    one, other = (conceal(value, 0.01, unordered=True) for value in ([0, 1, 2], [4]))
    assert one.matches([2, 0, 1])
    assert one.matches(np.array([2.0, 1.0, 0.0]))
    assert not one.matches([0, 1])
    assert not one.matches([[0, 1, 2]])
    assert one.shape == other.shape
    assert conceal([], 0.01, unordered=True).matches([])


def test_texts_and_truths() -> None:
    assert conceal("lower", 0.01).matches(" Lower ")
    assert not conceal("lower", 0.01).matches(1)
    assert not conceal("lower", 0.01).matches("\ud800" * 100_000)
    assert conceal(True, 0.01).matches(True)
    assert not conceal(True, 0.01).matches(False)


@pytest.mark.parametrize("value", ["word", 0.25, [1, 2], True, ["a", "b"]])
def test_what_is_written_is_read_again(value: Any) -> None:
    made = conceal(value, 0.01)
    assert from_data(json.loads(json.dumps(as_data(made)))) == made


def test_a_recogniser_handed_in_is_no_answer() -> None:
    """It does not cross as data either: only its type's name would."""
    assert isinstance(ROUNDED, Concealed)
    assert not values.close(ROUNDED, ROUNDED, 0.01)


@pytest.mark.parametrize(
    ("exercise", "given", "said"),
    [
        ("predict_lost_weight", {"weights_left": 0.8}, "right so far: give two decimals"),
        ("predict_lost_weight", {"weights_left": 82.35}, "give a share, not percent"),
        ("predict_lost_weight", {"weights_left": 0.7}, ""),
        ("predict_lost_weight", {"weights_left": 1.0}, ""),
        ("predict_shifted", {"shifted_weights": [0.7, 0.3]}, "right so far: give two decimals"),
        ("self_or_cross", {"kinds": ["crss", "self", "self"]}, "give one of these words: cross, self"),
        ("self_or_cross", {"kinds": ["self", "self", "self"]}, ""),
    ],
)
def test_a_value_in_the_wrong_form_is_told_so_and_the_answer_stays_untold(
    exercise: str,
    given: dict[str, Any],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    monkeypatch.setattr(checking, "_notebook", lambda: given)
    checking.Check()(exercise)
    told = capsys.readouterr().out
    assert told.startswith("✗")
    assert re.findall(r"(?:give|right so far).*", told) == [said] * bool(said)

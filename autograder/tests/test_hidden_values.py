"""Predictions are recognised by what students get."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograder.checks import answer_keys
from autograder.exercises import values, wire
from autograder.exercises.hidden_values import conceal
from autograder.judging import reference
from autograder.tests.texts import telling
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, lessons

GRADED = [(of.id, one.id) for of in lessons() for one in of.exercises if one.values and one.graded]


def arrays(value: Any) -> Iterator[np.ndarray]:
    """Yield the arrays that a value is made of."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from arrays(inner)


@pytest.mark.parametrize(("lesson", "exercise"), GRADED)
def test_a_graded_prediction_gives_one_point_and_is_told_nowhere_else(lesson: str, exercise: str) -> None:
    """Neither by a text of the student's notebook nor by what is right for a visible case of another exercise."""
    of, asked = find_lesson(lesson), find_exercise(lesson, exercise)
    assert asked.points == 1
    notebook = of.released.read_text(encoding="utf-8")
    right = [reference.load_namespace(of)[name] for name in asked.values]
    for text in (text for value in right for text in telling(value)):
        assert not re.search(rf"(?<![\d.]){re.escape(text)}(?!\d)", notebook), text
    others = [key for key in answer_keys.load_keys(COURSE.visible, lesson).keys.values() if not key.values]
    results = [array.squeeze() for key in others for seen in key.expected for array in arrays(seen.value)]
    for numbers in (np.squeeze(value) for value in map(values.as_numbers, right) if value is not None):
        same = [array for array in results if numbers.size > 1 and numbers.shape == array.shape]
        assert not any(np.allclose(numbers, array, atol=0.01) for array in same), numbers


ROUNDED = conceal([0.4011121, 16.04448], 0.01)


@pytest.mark.parametrize(
    ("concealed", "right", "wrong"),
    [
        (
            ROUNDED,
            [[0.3911121, 16.05448], [0.4111121, 16.03448], [[0.4, 16.04]]],
            [[0.39111, 16.04448], [0.4011121, 16.05449], [0.4], [0.4, np.nan], [0.4, 1e308]]
            + [["0.4", "16.04"], None, ROUNDED],
        ),
        (conceal(981.0, 1e-6), [981, 981.0000009], [981.0000011, 980]),
        (conceal(1 / 3, 2), [2.3, -1.6], [2.4, -1.7, 4]),
        (
            conceal([0, 1, 2], 0.01, unordered=True),
            [[2, 0, 1], np.array([2.0, 1.0, 0.0])],
            [[0, 1], [[0, 1, 2]]],
        ),
        (conceal([], 0.01, unordered=True), [[]], [[1]]),
        (conceal("lower", 0.01), [" Lower "], [1, "\ud800" * 100_000]),
        (conceal(True, 0.01), [True], [False]),
    ],
)
def test_what_is_near_is_right_and_nothing_else(concealed: Any, right: list[Any], wrong: list[Any]) -> None:
    read = wire.loads(wire.dumps(concealed))
    assert read == concealed
    assert all(map(read.matches, right))
    assert not any(map(read.matches, wrong))


def test_nobody_sees_how_many_a_collection_holds() -> None:
    assert conceal([0, 1, 2], 0.01, unordered=True).shape == conceal([4], 0.01, unordered=True).shape

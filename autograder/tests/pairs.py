"""Reference solutions that are wrong in two places at once: each place is one of the exercise's own mistakes."""

from __future__ import annotations

import functools
import random
from itertools import combinations, product

from autograder.answers.corpus import Answer
from autograder.answers.trials import JudgedAnswer, judge_answer
from autograder.courses import lesson_source
from autograder.exercises.exercise import Misconception
from autograder.tests.this_course import find_exercise, find_lesson

MOST = 3
"""So many pairs of an exercise are tried, drawn with a fixed seed."""

TOGETHER = {(("Q @ K", "K @ Q"), ("dim=-1", "dim=-2")): "weights transposed"}
"""Pairs of changes that are a third mistake, to the last number."""


def answers(lesson: str, exercise: str) -> list[Answer]:
    """Answers with two mistakes, of each of which the name is true."""
    text = lesson_source.strip_solution_marks(find_lesson(lesson).solution(exercise))
    asked = find_exercise(lesson, exercise)
    changes = [] if asked.values else [(one, wrong) for one in asked.misconceptions for wrong in _places(one)]
    pairs = list(combinations(changes, 2))
    random.Random(7).shuffle(pairs)
    found: list[Answer] = []
    for (one, first), (other, second) in pairs:
        code = _both(text, first, second)
        if code and one.name != other.name and len(found) < MOST:
            names = one.name, other.name, *filter(None, [TOGETHER.get((first, second))])
            style = f"{one.name}: {first[0]} -> {first[1]}; {other.name}: {second[0]} -> {second[1]}"
            found.append(Answer(exercise, style, code, true=names))
    return found


@functools.cache
def judged(lesson: str, exercise: str) -> tuple[JudgedAnswer, ...]:
    """The verdicts on them."""
    return tuple(judge_answer(find_lesson(lesson), answer) for answer in answers(lesson, exercise))


def _places(misconception: Misconception) -> list[tuple[str, ...]]:
    return [wrong for wrong in misconception.wrong if isinstance(wrong, tuple)]


def _both(text: str, first: tuple[str, ...], second: tuple[str, ...]) -> str:
    """The text with both changed, where each finds its own place whichever comes first; else empty."""
    olds = product(first[::2], second[::2])
    if any(old in other or other in old for old, other in olds):
        return ""
    changed = _changed(_changed(text, first), second)
    return changed if changed == _changed(_changed(text, second), first) else ""


def _changed(text: str, wrong: tuple[str, ...]) -> str:
    for old, new in zip(wrong[::2], wrong[1::2], strict=True):
        if old not in text:
            return ""
        text = text.replace(old, new)
    return text

"""Short questions on what an exercise's answers give, made from its key, which students have, and no code.

What shows a line of a right answer lies in the exercise's box, see `autograder/author/questions.py`.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import Any

import numpy as np

from autograder.model import kinds, values
from autograder.model.exercise import Case, CasePutBy, Key, MistakenAnswers, Observation
from autograder.student import boxes, keys
from autograder.student.ladder import named
from autograder.student.progress import lines_of
from autograder.student.question_cards import CHOICES, Choice, QuestionCard, card_with, indented
from autograder.student.tries import Unlocked
from autograder.student.visible import Visible

MOST_GIVEN, MOST_BROKEN, MOST_PRINTED = 16, 4, 9
"""Numbers that are to be read and taken in, in a minute: of a call, of these no whole ones, and of a result."""

APART, TONE = 0.15, 0.4
"""Of the largest entry, by which two results differ so that one sees it; and of a whole, for two pictures."""

PRINTED, PICTURED = 2, 1
"""Cards of each kind that are made of an exercise."""

TONES = " ░▒▓█"
SMALLEST, LARGEST = 9, 64
"""Entries of a matrix that is a picture."""


def cards_of(course: Visible, lesson: str, exercise: str) -> list[QuestionCard]:
    """All cards of an exercise that may be asked now: those of its box once a right answer has opened that."""
    key = keys.load(course, lesson).keys[exercise]
    return [*_open_cards(course, lesson, exercise), *_unlocked(course, lesson, key)]


@functools.cache
def _open_cards(course: Visible, lesson: str, exercise: str) -> Sequence[QuestionCard]:
    key = keys.load(course, lesson).keys[exercise]
    return () if key.values else (*islice(printing(key), PRINTED), *islice(pictured(key), PICTURED))


def _unlocked(course: Visible, lesson: str, key: Key) -> Iterator[QuestionCard]:
    opened = [one.key for one in lines_of(lesson, Unlocked) if one.exercise == key.exercise]
    if not opened or not course.helps["box"]:
        return
    try:
        box = boxes.stored_box(course, lesson, key)
        content = box.opened_with(opened[-1]) if box else {}
    except Exception:  # another edition's box, a damaged file, no cryptography: its cards wait
        return
    yield from (QuestionCard(**one) for one in content.get("cards", ()))


# --- what does this print? -----------------------------------------------------------------------------------


def printing(key: Key) -> Iterator[QuestionCard]:
    """Calls on visible cases: which result is right, among those of listed mistakes?"""
    for i, case in enumerate(key.cases):
        call, right = _call(key, case), _printed(key, key.expected[i])
        if not call or not right:
            continue
        taken, others = [key.expected[i]], list[Choice]()
        for mistake, seen in _of_mistakes(key, i):
            text = _printed(key, seen)
            if text and all(_apart(seen, other) for other in taken):
                taken.append(seen)
                why = f"So it would be after a mistake: {mistake.looks_like}. {mistake.question}"
                others.append(Choice(text, mistake.name, why))
        if len(others) > 1:
            yield card_with("What does this print?", call, Choice(right), others)


def _of_mistakes(key: Key, i: int) -> Iterator[tuple[MistakenAnswers, Observation]]:
    """What listed mistakes give on a case: of each mistake the first way of making it, then of each the second."""
    ways = zip_longest(*([(one, seen[i]) for seen in one.observations] for one in key.mistakes))
    yield from (one for row in ways for one in row if one is not None)


def _apart(one: Observation, other: Observation, by: float = APART) -> bool:
    """Whether two results differ so much that one sees it without a calculator."""
    for a, b in zip(_several(one), _several(other)):
        mine, theirs = values.as_numbers(a), values.as_numbers(b)
        if mine is None or theirs is None:
            return repr(a) != repr(b)
        if mine.shape != theirs.shape or (mine.dtype == bool) != (theirs.dtype == bool):
            return True
        largest = np.abs(theirs[np.isfinite(theirs)]).max(initial=0)
        if not np.allclose(mine, theirs, atol=by * float(largest), rtol=0, equal_nan=True):
            return True
    return False


def _several(seen: Observation) -> Sequence[Any]:
    return seen.value if isinstance(seen.value, tuple) else (seen.value,)


def _call(key: Key, case: Case) -> str:
    """A case as code; empty where it is more than a short call, or one that is to go wrong."""
    given = named(key, case)
    plain = not (isinstance(case, CasePutBy) or case.module or case.gradient_of or case.each is not None)
    sizes, broken = zip((0, 0), *map(_size, given.values()))
    if not plain or sum(sizes) > MOST_GIVEN or sum(broken) > MOST_BROKEN:
        return ""
    lines = [f"{name} = {_in_code(value)}" for name, value in given.items()]
    return "\n".join([*lines, f"print({key.exercise}({', '.join(given)}))"])


def _size(value: Any) -> tuple[int, int]:
    """How many numbers or letters, and how many of them are broken numbers; too many of what cannot be written down."""
    if isinstance(value, kinds.Tensor):
        return _size(value.array)
    if kinds.declared_kind(value) or isinstance(value, dict):
        return MOST_GIVEN + 1, 0
    if isinstance(value, (list, tuple)):
        return sum(_size(one)[0] for one in value), sum(_size(one)[1] for one in value)
    if isinstance(value, (str, type(None))):
        return len(value or ""), 0
    return int(np.size(value)), int(np.sum(np.asarray(value) % 1 != 0))


def _in_code(value: Any) -> str:
    if isinstance(value, kinds.Tensor):
        return f"tensor({_in_code(value.array)})"
    if isinstance(value, np.ndarray):
        return " ".join(_array(value, ", ").replace("[ ", "[").split())
    return repr(value)


def _printed(key: Key, seen: Observation) -> str:
    """A result as it prints, several by the lesson's names; empty where it is long, or no plain one."""
    if seen.error is not None:
        return ""
    whole = isinstance(seen.value, list) and all(type(x) is int for x in seen.value)
    if whole or isinstance(seen.value, str):
        return repr(seen.value)
    found = [values.as_numbers(one) for one in _several(seen)]
    arrays = [one for one in found if one is not None]
    if len(arrays) < len(found) or sum(one.size for one in arrays) > MOST_PRINTED:
        return ""
    texts = [_array(one, " ") for one in arrays]
    names = key.results if len(key.results) == len(texts) > 1 else [""] * len(texts)
    return "\n".join(indented(text, f"{name}  " if name else "") for name, text in zip(names, texts))


def _array(array: np.ndarray, separator: str) -> str:
    whole = array if array.dtype == bool else np.asarray(array) + 0.0 * (array.dtype.kind == "f")
    return np.array2string(whole, precision=3, suppress_small=True, separator=separator)


# --- which name has this picture? ----------------------------------------------------------------------------


def pictured(key: Key) -> Iterator[QuestionCard]:
    """Matrices of weights or of masks, dark where they are large: which mistake, if any, made this one?"""
    for i, case in enumerate(key.cases):
        right = _picture(key.expected[i])
        if not right or case.gradient_of or case.each is not None:
            continue
        choices = [(right, Choice("what it should be", why="Right: it is as it should be."))]
        taken = [key.expected[i]]
        for mistake, seen in _of_mistakes(key, i):
            new = mistake.name not in (choice.text for _, choice in choices)
            if new and (picture := _picture(seen)) and all(_apart(seen, other, TONE) for other in taken):
                taken.append(seen)
                choices.append((picture, Choice(mistake.name, why=f"Right: {mistake.looks_like}.")))
        if len(choices) > 2:
            picture, one = choices.pop(random.Random(key.exercise).randrange(min(len(choices), CHOICES)))
            others = [Choice(other.text, why=f"That one looks like this:\n{look}") for look, other in choices]
            ask = f"{key.exercise} gave this matrix; dark is large. Which name has the picture?"
            yield card_with(ask, picture, one, others)


def _picture(seen: Observation) -> str:
    """The last result in shades, where it is a matrix of numbers from 0 to 1; empty where it is none."""
    matrix = None if seen.error is not None else values.as_numbers(_several(seen)[-1])
    if matrix is None or matrix.ndim != 2 or not SMALLEST <= matrix.size <= LARGEST:
        return ""
    matrix = matrix.astype(float)
    if min(matrix.shape) < 2 or not np.isfinite(matrix).all() or matrix.min() < 0 or matrix.max() > 1:
        return ""
    shades = np.minimum((matrix * len(TONES)).astype(int), len(TONES) - 1)
    return "\n".join("│" + "".join(TONES[shade] * 2 for shade in row) + "│" for row in shades)

"""Each legal value that looks special is among what an exercise asks: 0, -1, one of anything, a full row of a mask.

An answer that takes such a value for a mark, or loses an axis of length 1, must not get through.
"""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograder.checks import scoring
from autograder.exercises import argument_kinds, values
from autograder.exercises.exercise import Case
from autograder.tests.this_course import lessons, nameless_key

STUDENTS = ("amy", "bo")

EXERCISES = [(of.id, one.id) for of in lessons() for one in of.exercises if not one.values]

NOT_ASKED: dict[str, tuple[str, ...]] = {
    "a sentence has words, a word letters, a text a beginning": (
        "* words: empty",
        "* tokens: empty",
        "* sentence_?: empty",
        "* word: empty",
    ),
    "there are scores, vectors, candidates, sequences": (
        "* x: empty",
        "* vectors: empty",
        "* candidates: empty",
        "* seq: empty",
    ),
    "its sentences are given": ("* find_ming word: one element",),
    "what is counted or has a length is 1 or more": tuple(
        f"* {size}: {number}"
        for size in (
            "n",
            "m",
            "block",
            "d_k",
            "n_q",
            "n_k",
            "d",
            "num_hiddens",
            "num_heads",
            "width",
            "d_model",
            "n_samples",
            "trained",
        )
        for number in (0, -1)
    ),
    "no fewer words than none are written, and one at least is read": (
        "* n_new: -1",
        "* context: 0",
        "* context: -1",
    ),
    "a bandwidth is above 0, a temperature not below": (
        "* bandwidth: 0",
        "* bandwidth: -1",
        "* temperature: -1",
    ),
    "left out, a single sample leaves none": tuple(
        f"04_gaussian_kernel {exercise} {argument}: {single}"
        for exercise in ("leave_one_out_error", "best_bandwidth", "bandwidth_slope")
        for argument in ("keys", "values")
        for single in ("a vector, length 1 along axis -1", "a matrix, length 1 along axis -2")
    ),
    "a letter counts 1 or more": ("* letter_embedding the result: 0 among whole numbers",),
    "of one number, the variance is 0": ("* score_variance n_samples: 1",),
    "a sine has its cosine: d_model is even": ("* positional_encoding d_model: 1",),
    "a column turns with its partner: d is even": (
        "* rotate X: a matrix, length 1 along axis -1",
        "* scaled_frequencies d: 1",
    ),
    "in one dimension there are two directions, and all cosines tie": (
        "* nearest_words rows: a matrix, length 1 along axis -1",
    ),
    "a single word has none before it": ("* copy_before n: 1",),
    "a guess is a word": ("* keep_or_redraw guess: -1",),
    "no fewer words are guessed than none": ("* words_a_pass guesses: -1",),
    "one feature alone is always normed to 0": (
        "* TransformerBlock x: a matrix, length 1 along axis -1",
        "* PostNormBlock x: a matrix, length 1 along axis -1",
    ),
    "with one word there is nothing to predict": (
        "* next_token_loss logits: a matrix, length 1 along axis -1",
    ),
    "a pad stands in the vocabulary": ("* next_token_loss pad_token: -1", "* training_step pad_token: -1"),
    "an output of 0 would hide a mistake": ("* scaled_dot_product_attention V: 0 among whole numbers",),
    "random generators and models are no numbers": ("* score_variance rng: *", "* training_step model: *"),
}
"""Lesson, exercise, argument and what is special, by the reason why no case has it."""


ZERO = "0 among whole numbers"


def specials(value: Any) -> Iterator[tuple[str, bool]]:
    """What may be special about an argument of this kind, and whether it is so here."""
    if isinstance(value, bool):
        return
    if isinstance(value, list):
        yield "empty", len(value) == 0
        yield "one element", len(value) == 1
    if isinstance(value, int):
        yield from ((str(number), value == number) for number in (0, 1, -1))
    is_number = isinstance(value, (int, float))
    numbers = None if is_number else values.as_numbers(argument_kinds.describe_unchanged(value))
    if numbers is None:
        return
    among = "a vector" if numbers.ndim == 1 else "a matrix"
    for axis in range(1, min(numbers.ndim, 3) + 1):
        yield f"{among}, length 1 along axis {-axis}", numbers.shape[-axis] == 1
    if numbers.dtype.kind in "iu":
        yield ZERO, bool((numbers == 0).any())
    if numbers.dtype.kind == "b":
        yield "a full row", bool(numbers.all(axis=-1).any())
        yield "an empty row", bool((~numbers.any(axis=-1)).any())


@functools.cache
def missing(lesson: str, exercise: str) -> list[str]:
    """The special values that no case has, visible or drawn, by argument."""
    met: dict[str, bool] = {}
    for student in STUDENTS:
        key = nameless_key(lesson, exercise, student)
        for case, expected in zip(key.cases, key.expected, strict=True):
            given = scoring.name_arguments(key.signature, case) if expected.error is None else {}
            found = [(name, *one) for name, value in given.items() for one in specials(value)]
            if isinstance(expected.value, list) and {*map(type, expected.value)} == {int}:
                found.append(("the result", ZERO, 0 in expected.value))
            for name, special, here in found:
                met[f"{name}: {special}"] = met.get(f"{name}: {special}", False) or here
    return [special for special, found in met.items() if not found]


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_what_looks_special_and_is_legal_is_asked(lesson: str, exercise: str) -> None:
    excused = [pattern for patterns in NOT_ASKED.values() for pattern in patterns]
    found = [f"{lesson} {exercise} {one}" for one in missing(lesson, exercise)]
    assert [one for one in found if not any(fnmatch.fnmatch(one, pattern) for pattern in excused)] == []


def test_nothing_is_excused_that_is_asked() -> None:
    found = [
        f"{lesson} {exercise} {one}" for lesson, exercise in EXERCISES for one in missing(lesson, exercise)
    ]
    stale = [pattern for some in NOT_ASKED.values() for pattern in some if not fnmatch.filter(found, pattern)]
    assert stale == []


# --- one thing at a time ----------------------------------------------------------------------------------


def oddities(case: Case) -> set[str]:
    """What is unlike a plain case: a length of 1 behind the batch, large numbers, a query that may look nowhere …"""
    found = set()
    for argument in (*case.args, *case.kwargs.values()):
        value = argument_kinds.describe_unchanged(argument)
        if isinstance(value, (int, float)) and value in (0, -1):
            found.add(f"{value}")
        numbers = values.as_numbers(value)
        if numbers is None or not numbers.ndim:
            continue
        behind = numbers.shape[1:] if numbers.ndim > 2 or numbers.dtype.kind == "i" else numbers.shape
        found |= {"a length of 1"} if 1 in behind else set()
        found |= {"nothing in it"} if not numbers.size else set()
        if numbers.dtype.kind == "b" and not numbers.any(axis=-1).all():
            found.add("nowhere to look")
        if numbers.dtype.kind == "f" and np.abs(numbers).max(initial=0) > LARGE:
            found.add("large numbers")
    return found


LARGE = 200

WITH_CASES = [
    (lesson.id, exercise.id) for lesson in lessons() for exercise in lesson.exercises if not exercise.values
]


@pytest.mark.parametrize(("lesson", "exercise"), WITH_CASES)
def test_each_property_is_shown_where_nothing_else_is_odd(lesson: str, exercise: str) -> None:
    key = nameless_key(lesson, exercise)
    plainest = {
        part.title: min((oddities(key.cases[i]) for i in scoring.find_cases(key, part)), key=len)
        for part in key.criteria
    }
    assert {title: odd for title, odd in plainest.items() if len(odd) > 1} == {}

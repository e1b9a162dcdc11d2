"""The same wrong answer gives the same points to every student; `same_points` asks it of the whole corpus."""

from __future__ import annotations

import random

import pytest

from autograder.author.corpus import answers
from autograder.tests.same_points import varying
from autograder.tests.this_course import find_lesson

VARIED = [
    ("01_weighted_sums", "softmax", "shares without exp"),
    ("02_toy_tensors", "scaled_dot_product_attention", "number of keys"),
    ("02_toy_tensors", "self_attention", "own softmax"),
    ("02_toy_tensors", "self_attention", "sum without keepdim"),
    ("03_word2vec_heatmap", "scaled_dot_product_attention", "empty rows in the weights only"),
    ("04_gaussian_kernel", "gaussian_weights", "right, and rounded to two decimals"),
    ("04_gaussian_kernel", "gaussian_weights", "a tiny number added to the sum"),
    ("04_gaussian_kernel", "dot_product_lookup", "d ** 1 / 2"),
    (
        "05_additive_vs_dot_product",
        "masked_softmax",
        "scores times mask, softmax, mask again, divided again",
    ),
    ("05_additive_vs_dot_product", "scoring_cost", "floored shares of the work"),
    ("05_additive_vs_dot_product", "masked_softmax", "ten below the smallest score"),
]
"""Answers whose points once depended on the cases drawn."""


SAMPLED = [("01_weighted_sums", "softmax"), ("02_toy_tensors", "self_attention")]


def check(lesson: str, exercise: str, style: str) -> None:
    answer = next(a for a in answers(find_lesson(lesson)) if (a.exercise, a.style) == (exercise, style))
    assert varying(lesson, answer) == ""


@pytest.mark.parametrize(("lesson", "exercise", "style"), VARIED)
def test_what_once_varied_gives_everybody_the_same_points(lesson: str, exercise: str, style: str) -> None:
    check(lesson, exercise, style)


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize(("lesson", "exercise"), SAMPLED)
def test_a_wrong_answer_gives_everybody_the_same_points(lesson: str, exercise: str, number: int) -> None:
    """Drawn from the corpus, the same ones in each run."""
    wrong = [one.style for one in answers(find_lesson(lesson)) if one.exercise == exercise and not one.right]
    check(lesson, exercise, random.Random(1).sample(wrong, 8)[number])

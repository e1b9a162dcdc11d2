"""The same wrong answer gives the same points to every student; `same_points` asks it of the whole corpus."""

from __future__ import annotations

import pytest

from autograder.answers import corpus
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


@pytest.mark.parametrize(("lesson", "exercise", "style"), VARIED)
def test_a_wrong_answer_gives_everybody_the_same_points(lesson: str, exercise: str, style: str) -> None:
    answers = corpus.answers_to(find_lesson(lesson), exercise)
    assert varying(lesson, next(one for one in answers if one.style == style)) == ""

"""An answer earns the same wherever it stands in what is handed in; `moved_answers` looks at the whole corpus."""

from __future__ import annotations

import pytest

from autograder.author import corpus
from autograder.tests import moved_answers
from autograder.tests.this_course import find_lesson


@pytest.mark.parametrize("lesson", ["02_toy_tensors", "06_masks_and_heads"])
def test_the_same_notebook_runs_however_an_answer_is_handed_in(lesson, tmp_path):
    of = find_lesson(lesson)
    for texts in moved_answers.drawn(corpus.answers(of)[::10]):
        assert not [*moved_answers.complaints(of, texts, tmp_path)]


@pytest.mark.slow
@pytest.mark.parametrize("right", [True, False])
def test_points_are_the_same_and_no_zero_is_silent(right, tmp_path):
    lesson = find_lesson("01_weighted_sums")
    answers = [one for one in corpus.answers(lesson) if one.right == right]
    made = moved_answers.graded(lesson, tmp_path, next(moved_answers.drawn(answers)))
    assert made.amiss == []
    assert (sum(made.points["as_copy"].values()) == sum(one.points for one in lesson.graded)) == right

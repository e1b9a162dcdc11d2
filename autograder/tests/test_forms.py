"""A listed mistake keeps its name when it is written with a branch of its own, or in a helper."""

from __future__ import annotations

import random
from typing import Any

import pytest

from autograder.answers import trials
from autograder.answers.corpus import answers_to
from autograder.calls import runner
from autograder.checks import diagnosis
from autograder.courses import lesson_source
from autograder.exercises import values
from autograder.exercises.exercise import AnswerKey
from autograder.judging import judge
from autograder.tests import forms
from autograder.tests.this_course import find_exercise, find_lesson


def asked(lesson: str, code: str, key: AnswerKey) -> runner.Answers:
    names = trials.make_namespace(find_lesson(lesson), find_exercise(lesson, key.exercise))
    exec(compile(code, "an answer", "exec"), names)
    return runner.ask_all(judge.make_question(find_lesson(lesson), key).without_stubs(), names)


def wrong_in(answers: runner.Answers, key: AnswerKey) -> dict[int, Any]:
    """Return what is wrong in an answer, by the places of the cases."""
    triples = enumerate(zip(answers.observations, key.expected, key.cases))
    return {
        i: seen.value
        for i, (seen, right, case) in triples
        if not diagnosis.is_right(seen, right, case.tolerance)
    }


@pytest.mark.parametrize(
    ("lesson", "exercise"),
    [("02_toy_tensors", "simple_attention"), ("06_masks_and_heads", "additive_mask")],
)
def test_other_forms_of_a_mistake_keep_its_name(lesson: str, exercise: str) -> None:
    """A form with a branch counts where the mistake is still most of what is seen on the visible cases."""
    of, asked_for = find_lesson(lesson), find_exercise(lesson, exercise)
    key, right = judge.visible_key(of, exercise), lesson_source.strip_solution_marks(of.solution(exercise))
    names = list[tuple[str, bool]]()
    for answer in [answer for answer in answers_to(of, exercise) if answer.misconception]:
        mistake = wrong_in(asked(lesson, answer.code, key), key)
        guarded = [*forms.guarded(asked_for, answer.code, right)]
        for code in [
            *forms.helped(asked_for, answer.code, right),
            *random.Random(answer.style).sample(guarded, 3),
        ]:
            answers = asked(lesson, code, key)
            wrong = wrong_in(answers, key)
            same = set(wrong) <= set(mistake) and all(
                values.are_close(wrong[i], mistake[i], 1e-3) for i in wrong
            )
            if same and len(wrong) >= max(2, len(mistake) / 2):
                names.append((code, judge.judge(key, (answers,)).misconception in answer.true))
    assert len(names) > 10
    lost = [code for code, named in names if not named]
    assert len(lost) <= 0.02 * len(names), lost

"""A reference that is wrong in one small place is refused, or behaves like the reference on every legal input."""

from __future__ import annotations

import pytest

from autograder.lessons import lessons
from autograder.tests import mutants, validity

EXERCISES = [(lesson.id, exercise.id) for lesson in lessons() for exercise in lesson.exercises]


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_mutants_are_refused(lesson: str, exercise: str) -> None:
    tried = mutants.trials(lesson, exercise)
    assert tried
    unexplained = [trial.mutant.name for trial in tried if trial.survived and not trial.explained]
    assert not unexplained, "refuse it, or say in mutants.SURVIVORS why no legal input can tell"


def test_no_explanation_is_stale() -> None:
    assert mutants.complaints() == []


def test_the_page_is_fresh() -> None:
    assert validity.PAGE.read_text(encoding="utf-8") == validity.page(), "run: make validity"

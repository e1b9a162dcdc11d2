"""The judge, judged: right answers accepted, wrong ones and mutants refused, nearly every listed mistake named."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from autograder.answers import trials
from autograder.answers.corpus import answers
from autograder.checks.code_slips import CODE_SLIPS
from autograder.courses import Lesson
from autograder.tests import mutants, validity
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, lessons

EXERCISES = [(lesson.id, name) for lesson in lessons() for name in lesson.names("test")]
LISTED = importlib.import_module(f"{COURSE.visible.package}.misconceptions")
"""What the corpus has to hold."""


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_right_answers_are_accepted_and_wrong_ones_refused(lesson: str, exercise: str) -> None:
    found = trials.judge_corpus(find_lesson(lesson), exercise)
    refused = [one.complaint for one in found if one.answer.right and one.complaint]
    passed = [one.answer.style for one in found if not one.answer.right and not one.refused]
    assert not refused
    assert not passed


@pytest.mark.parametrize("lesson", [lesson.id for lesson in lessons()])
def test_listed_mistakes_are_named(lesson: str) -> None:
    of = find_lesson(lesson)
    found = [one for exercise in of.names("test") for one in trials.judge_corpus(of, exercise)]
    listed = [one for one in found if one.answer.misconception]
    for named in ("named_visible", "named_hidden"):
        wrongly = [one.complaint for one in listed if not getattr(one, named)]
        assert len(wrongly) <= (1 - validity.NAMED_AT_LEAST) * len(listed), wrongly


@pytest.mark.parametrize("section", LISTED.SECTIONS, ids=lambda section: section.title)
def test_every_row_and_every_accepted_form_is_covered(section: Any) -> None:
    assert not section.missing()


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_every_exercise_has_answers_of_all_kinds(lesson: str, exercise: str) -> None:
    found = [answer for answer in answers(find_lesson(lesson)) if answer.exercise == exercise]
    unlisted = [answer for answer in found if not answer.right and not answer.misconception]
    assert any(answer.right for answer in found)
    assert len(unlisted) >= 2, "add mistakes that no row lists"
    known = {misconception.name for misconception in find_exercise(lesson, exercise).misconceptions}
    assert {answer.misconception for answer in found} <= known | {"", *CODE_SLIPS}


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_the_corpus_speaks_of_what_there_is(lesson: Lesson) -> None:
    files = {path.stem for path in lesson.answers("x").parent.glob("*.py")}
    assert files == set(lesson.names("test"))


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_mutants_are_refused(lesson: str, exercise: str) -> None:
    survived = mutants.survived(lesson, exercise)
    assert survived
    unexplained = [name for name, survives in survived.items() if survives and name not in mutants.SURVIVORS]
    assert not unexplained, (
        "refuse it, or say in solutions/equivalent_mutants.toml why no legal input can tell"
    )


def test_no_explanation_is_stale() -> None:
    assert mutants.complaints() == []


def test_the_page_is_fresh() -> None:
    assert validity.PAGE.read_text(encoding="utf-8") == validity.page(), "run: make validity"

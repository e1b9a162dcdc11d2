"""What holds of every exercise: its listed mistakes are told apart, and no answer, however odd, upsets its rules."""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from autograder.answers import trials
from autograder.calls import runner
from autograder.checks import diagnosis, scoring
from autograder.exercises import public_course, values, wire
from autograder.exercises.exercise import AnswerKey, Case, Criterion, NotReached, Observation, Problem
from autograder.exercises.verdict import Outcome, Verdict
from autograder.judging import judge, reference
from autograder.tests.odd import answered
from autograder.tests.this_course import (
    COURSE,
    find_exercise,
    find_lesson,
    lessons,
    nameless_key,
    stored_key,
)
from autograder.views import verdict_view

torch.set_num_threads(1)

EXERCISES = [(lesson.id, name) for lesson in lessons() for name in lesson.names("test")]
PREDICTIONS = [(lesson, exercise) for lesson, exercise in EXERCISES if find_exercise(lesson, exercise).values]

ODD = (
    None,
    "far",
    "",
    {},
    [],
    (),
    [np.ones(2), 3],
    [1, "b"],
    [[1], [1, 2]],
    {"a": 1},
    np.array(["a"]),
    True,
    1j,
    math.nan,
    math.inf,
    10**400,
    -7.25,
    np.ones((2, 3)),
    np.full((1, 1, 1, 1), math.nan),
)
ARRIVING = wire.loads(wire.dumps(ODD))
"""The same as it comes from a student's process."""


@functools.cache
def key_of(lesson: str, exercise: str) -> AnswerKey:
    """What one student is graded by."""
    return judge.hidden_key(find_lesson(lesson), exercise, "amy")


def nameless_key_of(lesson: str, exercise: str) -> AnswerKey:
    """The same key without mistakes, where only the lines of a verdict are looked at."""
    return nameless_key(lesson, exercise, "amy")


def verdict(
    lesson: str, exercise: str, names: dict[str, Any], of: Callable[[str, str], AnswerKey]
) -> Verdict:
    return judge.judge_in_process(find_lesson(lesson), of(lesson, exercise), names)


def spoilt(right: Any) -> Iterator[Any]:
    """A right value with something odd in its place, and in the place of each value in it."""
    yield from ARRIVING
    yield [right]
    if isinstance(right, dict):
        yield from (dict.fromkeys(right, odd) for odd in ARRIVING)
        yield from ({**right, name: odd} for name, inner in right.items() for odd in spoilt(inner))
    elif isinstance(right, (list, tuple)):
        yield from (type(right)([odd] * len(right)) for odd in ARRIVING)
    elif isinstance(right, np.ndarray):
        yield from (right[None], right[..., None], right.ravel()[:0], right.tolist())
        yield right * math.nan


def meddled_with(case: Case) -> Iterator[tuple[Any, ...]]:
    """Something odd in the place of each argument after the call, or in the place of each value in it."""
    arguments = (*case.args, *case.kwargs.values())
    for odd in ARRIVING:
        yield (odd,) * len(arguments)
        yield tuple(type(one)(*[odd] * len(fields(one))) if is_dataclass(one) else odd for one in arguments)


def something_else(right: Any) -> Any:
    """What recognises values of the same kind and size, and different everywhere."""
    if isinstance(right, dict):
        return {name: something_else(inner) for name, inner in right.items()}
    if isinstance(right, list):
        return [*map(something_else, right)]
    is_text = isinstance(right.value, str)
    return replace(right, value="something else" if is_text else (np.array(right.value) + 1e6).tolist())


def judged_parts(key: AnswerKey) -> Iterator[tuple[Criterion, Case, Observation]]:
    """Each part with each case that it looks at, and what is right there."""
    for part in key.criteria:
        yield from ((part, key.cases[i], key.expected[i]) for i in scoring.find_cases(key, part))


def asked(part: Criterion, case: Case, seen: Observation, right: Observation) -> Problem | None:
    """What a rule sees, or why it cannot look."""
    try:
        return part.rule(case, seen, right)
    except NotReached as reason:
        return reason.problem


def shows_in_a_value(key: AnswerKey, mistake: int, variant: int) -> bool:
    """Whether a listed mistake's wrong answer gives a wrong value, or is made wrongly; else it only raises errors."""
    gave = key.mistakes[mistake].observations[variant]
    triples = zip(gave, key.expected, key.cases)
    wrong = [
        (seen, right) for seen, right, case in triples if not diagnosis.is_right(seen, right, case.tolerance)
    ]
    return any(
        seen.error is None or seen.built is not None and not values.are_close(seen.built, right.built, 0.0)
        for seen, right in wrong
    )


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_an_error_that_a_listed_mistake_raises_too_gives_no_name(lesson: str, exercise: str) -> None:
    """An answer that is right but for the error, for whatever reason, need not make the mistake."""
    key = stored_key(lesson, exercise)
    if key.values:
        return
    for mistake in key.mistakes:
        for j, gave in enumerate(mistake.observations):
            seen = tuple(
                Observation(error=one.error, built=right.built) if one.error else right
                for one, right in zip(gave, key.expected)
            )
            heard = tuple(replace(one, again=one.value, elsewhere=one.value) for one in seen)
            found = judge.judge(key, (runner.Answers(runner.ASKED, heard),))
            named = next((one for one in key.mistakes if one.name == found.misconception), None)
            assert named is None or named.by_error, (mistake.name, j, found.misconception)


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_listed_mistakes_are_refused_and_told_apart(lesson: str, exercise: str) -> None:
    """A rule or another mistake of the list may claim it, and must not.

    What it gave when the key that students have was built stands for what costs much.
    """
    key = stored_key(lesson, exercise)
    question = judge.make_question(find_lesson(lesson), key).without_stubs()
    cheap = tuple(case for case in key.cases if not case.once)
    for i, mistake in enumerate(key.mistakes):
        for j, stored in enumerate(mistake.observations):
            names = dict(reference.load_mistaken(find_lesson(lesson), exercise, i, j))
            with public_course.use_course(COURSE.visible):
                answers = runner.ask_all(replace(question, cases=cheap), names)
            fresh = iter(answers.observations)
            observations = [old if case.once else next(fresh) for case, old in zip(key.cases, stored)]
            found = judge.judge(key, (replace(answers, observations=tuple(observations)),))
            assert trials.is_refused(found), (mistake.name, j)
            shown = shows_in_a_value(key, i, j) or mistake.by_error
            assert found.misconception == mistake.name or not shown and found.misconception == "", j


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_a_student_s_key_begins_with_the_visible_one(lesson: str, exercise: str) -> None:
    """What students check by refuses, no other key accepts."""
    shown, hidden = judge.visible_key(find_lesson(lesson), exercise), key_of(lesson, exercise)
    assert hidden.criteria == shown.criteria
    assert repr(hidden.cases[: len(shown.cases)]) == repr(shown.cases)


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_odd_answers_are_refused(lesson: str, exercise: str) -> None:
    for odd in ODD:
        found = verdict(lesson, exercise, answered(lesson, exercise, odd), stored_key)
        assert found.state == "wrong", odd
        assert found.points < found.max_points, odd
        if odd is not True:  # which is 1, and one position may be that
            assert not (found.passed and find_exercise(lesson, exercise).values), odd
        assert verdict_view.as_text(found)


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_no_rule_stumbles_over_an_odd_answer(lesson: str, exercise: str) -> None:
    key, names = key_of(lesson, exercise), reference.load_namespace(find_lesson(lesson))
    for part, case, right in judged_parts(key):
        for odd in spoilt({name: names[name] for name in key.values} if key.values else right.value):
            seen = Observation(value=odd, again=odd, built=odd if part.built else right.built)
            assert isinstance(asked(part, case, seen, right), Problem | None), (part.title, odd)
        for odd in spoilt(right.built) if part.built else ():
            seen = Observation(right.value, right.value, built=odd)
            assert isinstance(asked(part, case, seen, right), Problem | None), (part.title, odd)
        for after in meddled_with(case):
            seen = Observation(right.value, right.value, after, after, built=right.built)
            assert isinstance(asked(part, case, seen, right), Problem | None), (part.title, after)


@pytest.mark.parametrize(("lesson", "exercise"), PREDICTIONS)
def test_nothing_said_of_a_wrong_prediction_depends_on_what_is_right(lesson: str, exercise: str) -> None:
    key = key_of(lesson, exercise)
    for part, case, right in judged_parts(key):
        other = Observation(value=something_else(right.value))
        for odd in (one for one in (*ARRIVING, 0.123, [0.123, 0.456]) if one is not True):
            seen = Observation(value=dict.fromkeys(key.values, odd))
            assert asked(part, case, seen, right) == asked(part, case, seen, other), (part.title, odd)


FUNCTIONS = [
    (lesson, exercise) for lesson, exercise in EXERCISES if not find_exercise(lesson, exercise).values
]


def by_chance(given: Any) -> bool:
    """Yes for about half of all arguments, and always the same for the same ones."""
    told = [
        f"{np.shape(one)} {np.sum(one):.3f}" for one in given if isinstance(one, (np.ndarray, torch.Tensor))
    ]
    others = [repr(one) for one in given if isinstance(one, (str, int, float, list))]
    return zlib.crc32(" ".join([*told, *others]).encode()) % 2 == 0


def meddled(lesson: str, exercise: str, instead: Callable[[Any], Any]) -> dict[str, Any]:
    """A namespace in which the right answer is spoilt for some arguments: `instead` makes another result of it."""
    names = reference.load_namespace(find_lesson(lesson))
    right = names[exercise]

    def spoil(call: Callable[..., Any], *given: Any, **named: Any) -> Any:
        found = call(*given, **named)
        return instead(found) if by_chance(given[-3:]) else found

    if not isinstance(right, type):
        return {**names, exercise: functools.partial(spoil, right)}
    forward = {"forward": lambda self, *given, **named: spoil(partial(right.forward, self), *given, **named)}
    return {**names, exercise: type(exercise, (right,), forward)}


def raises(found: Any) -> Any:
    raise RuntimeError("out of order")


@pytest.mark.parametrize(("lesson", "exercise"), FUNCTIONS)
def test_where_some_answers_raised_and_the_others_are_right_nothing_is_crossed(
    lesson: str, exercise: str
) -> None:
    found = verdict(lesson, exercise, meddled(lesson, exercise, raises), stored_key)
    assert Outcome.FAILED not in [line.sight for line in found.lines]
    assert not found.misconception


@pytest.mark.parametrize(("lesson", "exercise"), FUNCTIONS)
def test_where_nothing_came_back_one_line_at_most_is_crossed_and_nothing_is_earned(
    lesson: str, exercise: str
) -> None:
    found = verdict(lesson, exercise, answered(lesson, exercise, None), nameless_key_of)
    sights = [line.sight for line in found.lines]
    assert sights.count(Outcome.FAILED) <= 1, sights
    built = [part.built for part in find_exercise(lesson, exercise).criteria]
    refused = [line.title for line, part in zip(found.lines, built, strict=True) if line.passed and not part]
    assert all("Error" in title for title in refused), refused


@pytest.mark.parametrize(("lesson", "exercise"), FUNCTIONS)
def test_what_is_right_but_for_one_more_axis_fails_in_its_shape_alone(lesson: str, exercise: str) -> None:
    def boxed(found: Any) -> Any:
        if isinstance(found, (np.ndarray, torch.Tensor)):
            return found[None]
        return tuple(map(boxed, found)) if isinstance(found, tuple) else [found]

    found = verdict(lesson, exercise, meddled(lesson, exercise, boxed), nameless_key_of)
    failed = [line.title for line in found.lines if line.sight is Outcome.FAILED]
    assert len(failed) <= 1, failed

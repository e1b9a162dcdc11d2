"""Cases that cannot be judged as they are declared; each problem is a sentence that says what to do.

A right answer would fail on them, or a wrong one pass: an argument that does not reach the student's side as it is, a
criterion that no case is about, hidden cases that differ from call to call, a solution that raises by mistake.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autograder.checks.scoring import find_cases, name_arguments
from autograder.courses import Lesson, lesson_source
from autograder.exercises import common, wire
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import AnswerKey, Case, Exercise, Observation
from autograder.judging import judge

SEEDS = range(3)
"""Seeds for which hidden cases are drawn."""


def refuse_problems(lesson: Lesson) -> None:
    """Raise `CourseError` where cases of a lesson's exercises cannot be judged as declared."""
    for exercise in lesson.exercises:
        problems = [*find_case_problems(lesson, exercise)]
        if not problems:
            problems = [*find_reference_problems(lesson, judge.visible_key(lesson, exercise.id))]
        if problems:
            raise CourseError("\n✗ ".join(problems))


def find_case_problems(lesson: Lesson, exercise: Exercise) -> Iterator[str]:
    """Yield problems of an exercise's cases, visible and hidden; its solution is not run."""
    where = str(lesson.judging(exercise.id))
    shown = exercise.examples()
    draws = [() if exercise.values else exercise.draw(np.random.default_rng(seed)) for seed in SEEDS]
    cases = {wire.dumps(case): case for draw in (shown, *draws) for case in draw}
    problems = [problem for case in cases.values() for problem in _find_uncrossable(exercise, case)]
    yield from (f"{where}: {problem}" for problem in dict.fromkeys(problems))
    if draws[0] and wire.dumps(exercise.draw(np.random.default_rng(SEEDS[0]))) != wire.dumps(draws[0]):
        yield f"{where}: draw gives other cases for the same seed: draw only from the generator that it is called with"
    tags = list(dict.fromkeys(case.tag for case in cases.values()))
    for whose, tag in _used_tags(exercise):
        if tag not in tags:
            remedy = lesson_source.suggest(tag, tags) or f": there are {', '.join(map(repr, tags))}"
            yield f"{where}: no case has the tag {tag!r} of {whose}{remedy}"
    for criterion in exercise.criteria:
        used = [
            criterion.tags and {*criterion.tags} & {case.tag for case in (*shown, *draw)} for draw in draws
        ]
        if any(used) and criterion.tags and not all(used):
            yield f"{where}: for some seeds, draw gives no case of {criterion.title!r}: let each draw hold one"


def find_reference_problems(lesson: Lesson, key: AnswerKey) -> Iterator[str]:
    """Yield problems of what the solution gives for the cases of a key."""
    problems: dict[str, Case] = {}
    for i, (case, expected) in enumerate(zip(key.cases, key.expected)):
        problem = _describe_error(case, expected)
        rules = [criterion.rule for criterion in key.criteria if i in find_cases(key, criterion)]
        if not problem and common.agrees in rules and (kind := wire.describe_uncrossable(expected.value)):
            problem = f"gives {kind}, which cannot be compared: return plain data, or register a Kind"
        if problem:
            problems.setdefault(problem, case)
    for problem, case in problems.items():
        yield f"{lesson.source}: on {_name(case)}, the solution of {key.exercise} {problem}"


def _find_uncrossable(exercise: Exercise, case: Case) -> Iterator[str]:
    remedy = "use plain data, or register a Kind, see docs/own-course.md"
    named = [(f"argument {name}", value) for name, value in name_arguments(exercise.signature, case).items()]
    for part, value in (*named, ("facts", case.facts), ("module", case.module), ("calls", case.calls)):
        if kind := wire.describe_uncrossable(value):
            yield f"{_name(case)}, {part}: {kind} does not cross to the students' side as it is; {remedy}"


def _name(case: Case) -> str:
    label = f", {case.label!r}" if case.label else ""
    return f"case {case.tag!r}{label}"


def _used_tags(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """Yield the tags that an exercise names, each with what names it."""
    for criterion in exercise.criteria:
        yield from ((f"criterion {criterion.title!r}", tag) for tag in (*criterion.tags, *criterion.plain))
    yield from (("variant", tag) for tag in (exercise.variant.tags if exercise.variant else ()))
    yield from (("free", tag) for tag in exercise.free)


def _describe_error(case: Case, expected: Observation) -> str:
    error = expected.error
    if error is None:
        return f"raises no {case.raises}, which the case says" if case.raises else ""
    if case.raises and error.kind == case.raises:
        return ""
    line = f" in the line `{error.line}`" if error.line else ""
    text = f"raises {error.kind}: {error.message}" if error.kind else f"gives no answer: {error.message}"
    remedy = f"mend it, or expect that by raises={error.kind!r} in the case" if error.kind else "mend it"
    return f"{text}{line}: {remedy}"

"""Answers and reference to verdict: the trusted side.

The reference solution and each misconception are asked the same cases as the student, by the same probe; the
ladder compares. Nothing of a student's runs here.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.checks import public_course, runner, scoring
from autograder.checks.call import ask_once
from autograder.checks.reference_stub import replace_names
from autograder.checks.runner import Question
from autograder.checks.trace import trace_calls
from autograder.courses import Lesson
from autograder.exercises import common
from autograder.exercises.exercise import AnswerKey, Case, Criterion, Exercise, MistakenAnswers, Observation
from autograder.exercises.hidden_values import concealed_values
from autograder.exercises.limits import MAX_TRACE_ENTRIES, MAX_TRACE_SECONDS
from autograder.exercises.verdict import Verdict
from autograder.judging import reference, reference_stubs


def visible_key(lesson: Lesson, exercise: str) -> AnswerKey:
    """Return the key of what students may see."""
    return _key(lesson, exercise)


@functools.cache
def prepare_lesson(lesson: Lesson) -> None:
    """Get ready to judge a lesson: read the reference, answer the visible examples, and keep all that for good.

    The reference is judged once, too: what rules import when they are called is there then, and not imported again for
    every submission.
    """
    for exercise in lesson.exercises:
        _seen(lesson, exercise.id)
    for exercise in lesson.graded:
        with (
            contextlib.suppress(Exception),
            public_course.use_course(lesson.course.visible),
        ):  # it fails where it counts
            key = hidden_key(lesson, exercise.id, "")
            scoring.is_all_right(key, runner.Answers(runner.ASKED, key.expected))


@functools.cache
def prepare_mistakes(lesson: Lesson, exercise: str) -> None:
    """Answer the visible examples with each way of an exercise's mistakes, and keep that for good."""
    for mistake, listed in enumerate(lesson.exercise(exercise).misconceptions):
        for variant in range(len(listed.wrong)):
            _ = _mistaken_on_examples(lesson, exercise, mistake, variant)[:]


@functools.lru_cache(maxsize=1024)
def hidden_key(lesson: Lesson, exercise: str, student: str, salt: str = "") -> AnswerKey:
    """The key for grading one student: the visible cases and the ones drawn for this student alone.

    The draw depends on lesson, exercise, student and `salt`, and on nothing else, so that grading again
    gives the same grade. In grading, `salt` is a secret and what was handed in.
    """
    asked = lesson.exercise(exercise)
    cases = () if asked.values else asked.draw(_generator(lesson.id, exercise, student, salt))
    return _key(lesson, exercise, tuple(replace(case, hidden=True) for case in cases))


@functools.cache
def _seen(lesson: Lesson, exercise: str) -> tuple[tuple[Case, ...], tuple[Observation, ...]]:
    """Return the visible cases, and the reference's answers to them."""
    asked = lesson.exercise(exercise)
    shown = asked.examples()
    return shown, tuple(map(functools.partial(_concealed, asked), shown, _expected(lesson, asked, shown)))


def _concealed(exercise: Exercise, case: Case, seen: Observation) -> Observation:
    """Return values that are asked for as what recognises them, here as in what students get."""
    return Observation(concealed_values(case, seen)) if exercise.values else seen


def _generator(*seeds: str) -> np.random.Generator:
    digest = hashlib.sha256("\0".join(seeds).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _expected(lesson: Lesson, exercise: Exercise, cases: tuple[Case, ...]) -> tuple[Observation, ...]:
    return _asked(
        lesson, exercise, cases, reference.load_namespace(lesson), f"the reference for {exercise.id}"
    )


def _asked(
    lesson: Lesson, exercise: Exercise, cases: tuple[Case, ...], namespace: dict[str, Any], whose: str
) -> tuple[Observation, ...]:
    with public_course.use_course(lesson.course.visible):
        answers = runner.ask(Question(exercise.id, exercise.values, cases), namespace)
    if answers.state != runner.ASKED:
        raise LookupError(f"{whose} is {answers.state}")
    return answers.observations


def _key(lesson: Lesson, exercise: str, drawn: tuple[Case, ...] = ()) -> AnswerKey:
    """The key of the visible cases, and of those that are drawn."""
    asked = lesson.exercise(exercise)
    shown, seen = _seen(lesson, exercise)
    return AnswerKey(
        exercise=exercise,
        signature=asked.signature,
        values=asked.values,
        criteria=asked.criteria,
        cases=(*shown, *drawn),
        expected=(*seen, *(_expected(lesson, asked, drawn) if drawn else ())),
        mistakes=_mistakes(lesson, asked, drawn),
        graded=asked.graded,
        puzzle=asked.puzzle,
        results=asked.results,
        steps=() if drawn else _steps(lesson, asked, shown),
        free=tuple(dict.fromkeys(case.tag for case in shown)) if asked.canonical else asked.free,
        library=asked.library,
        builds_on=(*asked.builds_on, *(name for name in asked.helpers if name in lesson.names("test"))),
    )


def _steps(lesson: Lesson, exercise: Exercise, cases: tuple[Case, ...]) -> tuple[Mapping[str, Any], ...]:
    """Return what the reference makes on the way, by those of its names that get a value once, and a short one."""
    if not exercise.steps:
        return ()
    names = reference.load_namespace(lesson)
    answer, made = names[exercise.id], list[dict[str, Any]]()
    for case in cases:
        call = functools.partial(ask_once, answer, case, names)
        with public_course.use_course(lesson.course.visible), runner.silence():
            calls, _ = trace_calls(answer, call, MAX_TRACE_SECONDS)
        values: dict[str, list[Any]] = {}
        for step in calls[-1].steps if calls else ():
            for name in exercise.steps:
                if name in step.values:
                    values.setdefault(name, []).append(step.values[name])
        once = {name: some[0] for name, some in values.items() if len(some) == 1}
        made.append({name: value for name, value in once.items() if np.size(value) <= MAX_TRACE_ENTRIES})
    return tuple(made)


def variant_key(lesson: Lesson, exercise: str) -> AnswerKey | None:
    """The key of an exercise's twin, on visible cases; None where it has none."""
    asked, (shown, seen) = lesson.exercise(exercise), _seen(lesson, exercise)
    if asked.variant is None:
        return None
    tags = asked.variant.tags or {case.tag for case in shown}
    chosen = [i for i, case in enumerate(shown) if seen[i].error is None and case.tag in tags]
    cases = tuple(shown[i] for i in chosen)
    names = reference.change_reference(lesson, asked, asked.variant.answer, "its twin")
    as_before = MistakenAnswers(
        f"the answer to {exercise} itself",
        "the answer before the change",
        "What is another now, and in which line does that show?",
        (tuple(seen[i] for i in chosen),),
    )
    return AnswerKey(
        exercise=f"{exercise}_twin",
        signature=asked.signature.replace(f"{exercise}(", f"{exercise}_twin("),
        values=(),
        graded=False,
        criteria=(Criterion("what it gives is right with that change", asked.variant.rule or common.agrees),),
        cases=cases,
        expected=_asked(lesson, asked, cases, names, f"the twin of {exercise}"),
        mistakes=(as_before,),
        builds_on=asked.builds_on,
    )


def make_question(lesson: Lesson, key: AnswerKey) -> Question:
    """What is put to a student's answer that this key judges, with what stands in where it is not right alone."""
    return Question(
        key.exercise,
        key.values,
        key.cases,
        key.library,
        {name: lesson.exercise(name).signature for name in lesson.exercise(key.exercise).builds_on},
        lesson.exercise(key.exercise).helpers,
        tuple(lesson.names("test")),
    )


def ask_in_process(
    lesson: Lesson,
    question: Question,
    namespace: dict[str, Any],
    right: Callable[[runner.Answers], bool],
    key: AnswerKey | None = None,
) -> tuple[runner.Answers, ...]:
    """Return what an answer in this process gives: as it stands, and where that is not right, with stand-ins as well.

    key: where it is wanted, by which slips are told.
    """

    def with_slip(answers: runner.Answers) -> runner.Answers:
        return scoring.add_code_slip(key, question, answers, namespace) if key else answers

    with public_course.use_course(lesson.course.visible):
        own = runner.ask_all(question.without_stubs(), namespace)
        if right(own):
            return (own,)
        own = with_slip(own)
        if not question.has_stubs:
            return (own,)
        working = lesson.course.visible.load_helpers(question.helpers)
        working |= {name: reference_stubs.load_stubs(lesson)[name] for name in question.reference_stubs}
        with replace_names(working, namespace):
            aided = runner.ask_all(question.without_listening(), namespace)
            return own, with_slip(replace(aided, library=own.library))


def judge_in_process(lesson: Lesson, key: AnswerKey, namespace: dict[str, Any]) -> Verdict:
    """Return the verdict on an answer in this process, of which nothing is to be feared."""
    right = functools.partial(scoring.is_all_right, key)
    return judge(key, ask_in_process(lesson, make_question(lesson, key), namespace, right, key))


def judge(key: AnswerKey, attempts: Sequence[runner.Answers]) -> Verdict:
    """Return the verdict on what an answer gave for this key's cases, with or without stand-ins."""
    return scoring.judge_best(key, *attempts)


def _mistakes(lesson: Lesson, exercise: Exercise, drawn: tuple[Case, ...]) -> tuple[MistakenAnswers, ...]:
    """Return what each misconception answers to the visible cases, and to those that are drawn."""

    def answers(mistake: int, variant: int) -> Sequence[Observation]:
        shown = _mistaken_on_examples(lesson, exercise.id, mistake, variant)

        def ask(i: int) -> Observation:
            if i < len(shown):
                return shown[i]
            return _mistaken(lesson, exercise, mistake, variant, drawn[i - len(shown)])

        return _Lazy(len(shown) + len(drawn), ask)

    return tuple(
        MistakenAnswers(
            mistake.name,
            mistake.looks_like,
            mistake.question,
            tuple(answers(number, variant) for variant in range(len(mistake.wrong))),
            mistake.name in exercise.by_error,
        )
        for number, mistake in enumerate(exercise.misconceptions)
    )


class _Lazy(Sequence[Observation]):
    """Answers to so many cases, each of which is asked when it is looked at.

    A mistake is looked at only where an answer is wrong: to ask all of them costs more than the rest.
    """

    def __init__(self, number: int, ask: Callable[[int], Observation]) -> None:
        self._number, self._ask = number, functools.cache(ask)

    def __len__(self) -> int:
        return self._number

    def __getitem__(self, index: Any) -> Any:
        places = range(self._number)[index]
        return self._ask(places) if isinstance(places, int) else tuple(map(self._ask, places))


@functools.cache
def _mistaken_on_examples(lesson: Lesson, exercise: str, mistake: int, variant: int) -> Sequence[Observation]:
    asked, (shown, _) = lesson.exercise(exercise), _seen(lesson, exercise)

    def ask(i: int) -> Observation:
        return _concealed(asked, shown[i], _mistaken(lesson, asked, mistake, variant, shown[i]))

    return _Lazy(len(shown), ask)


def _mistaken(lesson: Lesson, exercise: Exercise, mistake: int, variant: int, case: Case) -> Observation:
    namespace = reference.load_mistaken(lesson, exercise.id, mistake, variant)
    whose = f"{exercise.id}: {exercise.misconceptions[mistake].name!r}, wrong answer {variant + 1},"
    return _asked(lesson, exercise, (case,), namespace, whose)[0]

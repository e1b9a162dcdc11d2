"""The judge, on the trusted side: from what an answer gave and the reference to a verdict.

The reference solution and each misconception are asked the same cases as the student, by the same runner, and scoring
compares them. No code of a student runs here.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.calls import runner
from autograder.calls.call import ask_once
from autograder.calls.reference_stub import replace_names
from autograder.calls.runner import Question
from autograder.calls.trace import trace_calls
from autograder.checks import scoring
from autograder.courses import Lesson
from autograder.exercises import common, public_course
from autograder.exercises.exercise import AnswerKey, Case, Criterion, Exercise, MistakenAnswers, Observation
from autograder.exercises.hidden_values import concealed_values
from autograder.exercises.limits import MAX_TRACE_ENTRIES, MAX_TRACE_SECONDS
from autograder.exercises.verdict import Verdict
from autograder.judging import reference, reference_stubs


def visible_key(lesson: Lesson, exercise: str) -> AnswerKey:
    """Return the key of the visible cases."""
    return _key(lesson, exercise)


@functools.cache
def prepare_lesson(lesson: Lesson) -> None:
    """Prepare to judge a lesson: run the reference on the visible examples, and cache its answers.

    The reference is judged once, too: the libraries that rules import are then loaded, once for all submissions.
    """
    for exercise in lesson.exercises:
        _visible_answers(lesson, exercise.id)
    for exercise in lesson.graded:
        with (
            contextlib.suppress(Exception),
            public_course.use_course(lesson.course.visible),
        ):  # it fails where it counts
            key = hidden_key(lesson, exercise.id, "")
            scoring.is_all_right(key, runner.Answers(runner.ASKED, key.expected))


@functools.cache
def prepare_mistakes(lesson: Lesson, exercise: str) -> None:
    """Run each wrong answer of an exercise on the visible examples, and cache the results."""
    for mistake, listed in enumerate(lesson.exercise(exercise).misconceptions):
        for variant in range(len(listed.wrong)):
            _ = _mistaken_on_examples(lesson, exercise, mistake, variant)[:]


@functools.lru_cache(maxsize=1024)
def hidden_key(lesson: Lesson, exercise: str, student: str, case_seed: str = "") -> AnswerKey:
    """Return the key for grading one student: the visible cases and the ones drawn for this student alone.

    The draw depends on lesson, exercise, student and `case_seed`, and on nothing else, so that grading again gives the
    same grade. In grading, `case_seed` is made of a secret and of the work that was handed in.
    """
    definition = lesson.exercise(exercise)
    digest = hashlib.sha256("\0".join((lesson.id, exercise, student, case_seed)).encode()).digest()
    generator = np.random.default_rng(int.from_bytes(digest[:16], "big"))
    cases = () if definition.values else definition.draw(generator)
    return _key(lesson, exercise, tuple(replace(case, hidden=True) for case in cases))


@functools.cache
def _visible_answers(lesson: Lesson, exercise: str) -> tuple[tuple[Case, ...], tuple[Observation, ...]]:
    """Return the visible cases, and the reference's answers to them."""
    definition = lesson.exercise(exercise)
    shown = definition.examples()
    return shown, tuple(
        map(functools.partial(_concealed, definition), shown, _expected(lesson, definition, shown))
    )


def _concealed(exercise: Exercise, case: Case, observation: Observation) -> Observation:
    """Return an observation in which what recognises them replaces the values that an exercise asks for."""
    return Observation(concealed_values(case, observation)) if exercise.values else observation


def _expected(lesson: Lesson, exercise: Exercise, cases: tuple[Case, ...]) -> tuple[Observation, ...]:
    names = reference.load_namespace(lesson)
    observations = _asked(lesson, exercise, cases, names, f"the reference for {exercise.id}")
    return tuple(
        replace(observation, error=replace(observation.error, kind=case.raises))
        if observation.error and case.raises and observation.error.is_a(case.raises)
        else observation
        for case, observation in zip(cases, observations)
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
    """Return the key of the visible cases, and of those that are drawn."""
    definition = lesson.exercise(exercise)
    shown, visible_expected = _visible_answers(lesson, exercise)
    return AnswerKey(
        exercise=exercise,
        signature=definition.signature,
        values=definition.values,
        criteria=definition.criteria,
        cases=(*shown, *drawn),
        expected=(*visible_expected, *(_expected(lesson, definition, drawn) if drawn else ())),
        mistakes=_mistakes(lesson, definition, drawn),
        graded=definition.graded,
        puzzle=definition.puzzle,
        results=definition.results,
        steps=() if drawn else _steps(lesson, definition, shown),
        free=tuple(dict.fromkeys(case.tag for case in shown)) if definition.canonical else definition.free,
        library=definition.library,
        builds_on=(
            *definition.builds_on,
            *(name for name in definition.helpers if name in lesson.names("test")),
        ),
    )


def _steps(lesson: Lesson, exercise: Exercise, cases: tuple[Case, ...]) -> tuple[Mapping[str, Any], ...]:
    """Return the reference's intermediate values, by names that get a value once, and a short one."""
    if not exercise.steps:
        return ()
    names = reference.load_namespace(lesson)
    answer, steps_by_case = names[exercise.id], list[dict[str, Any]]()
    for case in cases:
        call = functools.partial(ask_once, answer, case, names)
        with public_course.use_course(lesson.course.visible), runner.silence():
            calls, _ = trace_calls(answer, call, MAX_TRACE_SECONDS)
        values: dict[str, list[Any]] = {}
        for step in calls[-1].steps if calls else ():
            for name in exercise.steps:
                if name in step.values:
                    values.setdefault(name, []).append(step.values[name])
        once = {name: seen_values[0] for name, seen_values in values.items() if len(seen_values) == 1}
        steps_by_case.append(
            {name: value for name, value in once.items() if np.size(value) <= MAX_TRACE_ENTRIES}
        )
    return tuple(steps_by_case)


def variant_key(lesson: Lesson, exercise: str) -> AnswerKey | None:
    """Return the key of an exercise's variant, on visible cases; None where it has none."""
    definition, (shown, visible_expected) = lesson.exercise(exercise), _visible_answers(lesson, exercise)
    if definition.variant is None:
        return None
    tags = definition.variant.tags or {case.tag for case in shown}
    chosen = [i for i, case in enumerate(shown) if visible_expected[i].error is None and case.tag in tags]
    cases = tuple(shown[i] for i in chosen)
    names = reference.change_reference(lesson, definition, definition.variant.answer, "its variant")
    as_before = MistakenAnswers(
        f"the answer to {exercise} itself",
        "the answer before the change",
        "What is another now, and in which line does that show?",
        (tuple(visible_expected[i] for i in chosen),),
    )
    return AnswerKey(
        exercise=f"{exercise}_twin",
        signature=definition.signature.replace(f"{exercise}(", f"{exercise}_twin("),
        values=(),
        graded=False,
        criteria=(
            Criterion("what it gives is right with that change", definition.variant.rule or common.agrees),
        ),
        cases=cases,
        expected=_asked(lesson, definition, cases, names, f"the variant of {exercise}"),
        mistakes=(as_before,),
        builds_on=definition.builds_on,
    )


def make_question(lesson: Lesson, key: AnswerKey) -> Question:
    """Return the question to the answer that a key judges, with the stubs for what it builds on."""
    return Question(
        key.exercise,
        key.values,
        key.cases,
        key.library,
        lesson.exercise(key.exercise).builds_on,
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
    """Return what an answer in this process gives: as it stands, and where that is not right, with stubs as well.

    key: the key by which code slips are found, if they are wanted.
    """

    def with_slip(answers: runner.Answers) -> runner.Answers:
        return scoring.add_code_slip(key, question, answers, namespace) if key else answers

    with public_course.use_course(lesson.course.visible):
        answers_alone = runner.ask_all(question.without_stubs(), namespace)
        if right(answers_alone):
            return (answers_alone,)
        answers_alone = with_slip(answers_alone)
        if not question.has_stubs:
            return (answers_alone,)
        working = lesson.course.visible.load_helpers(question.helpers)
        working |= {name: reference_stubs.load_stubs(lesson)[name] for name in question.reference_stubs}
        with replace_names(working, namespace):
            aided = runner.ask_all(question.without_listening(), namespace)
            return answers_alone, with_slip(replace(aided, library=answers_alone.library))


def judge_in_process(lesson: Lesson, key: AnswerKey, namespace: dict[str, Any]) -> Verdict:
    """Return the verdict on an answer that is trusted: it is run in this process."""
    right = functools.partial(scoring.is_all_right, key)
    return judge(key, ask_in_process(lesson, make_question(lesson, key), namespace, right, key))


def judge(key: AnswerKey, attempts: Sequence[runner.Answers]) -> Verdict:
    """Return the verdict on what an answer gave for this key's cases, with or without stubs."""
    return scoring.judge_best(key, *attempts)


def _mistakes(lesson: Lesson, exercise: Exercise, drawn: tuple[Case, ...]) -> tuple[MistakenAnswers, ...]:
    """Return what each misconception answers to the visible cases, and to those that are drawn."""

    def answers(mistake: int, variant: int) -> Sequence[Observation]:
        shown = _mistaken_on_examples(lesson, exercise.id, mistake, variant)

        def ask(i: int) -> Observation:
            if i < len(shown):
                return shown[i]
            return _mistaken(lesson, exercise, mistake, variant, drawn[i - len(shown)])

        return _LazyAnswers(len(shown) + len(drawn), ask)

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


class _LazyAnswers(Sequence[Observation]):
    """Answers to a number of cases, each of which is asked when it is looked at.

    A mistake is needed only where an answer is wrong: to ask all mistakes costs more than the rest.
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
    definition, (shown, _) = lesson.exercise(exercise), _visible_answers(lesson, exercise)

    def ask(i: int) -> Observation:
        return _concealed(definition, shown[i], _mistaken(lesson, definition, mistake, variant, shown[i]))

    return _LazyAnswers(len(shown), ask)


def _mistaken(lesson: Lesson, exercise: Exercise, mistake: int, variant: int, case: Case) -> Observation:
    namespace = reference.load_mistaken(lesson, exercise.id, mistake, variant)
    whose = f"{exercise.id}: {exercise.misconceptions[mistake].name!r}, wrong answer {variant + 1},"
    return _asked(lesson, exercise, (case,), namespace, whose)[0]

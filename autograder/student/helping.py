"""What a check adds below its verdict: where an answer stays wrong, more with each try; of a right one, its box."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from autograder.model import common
from autograder.model.exercise import Case, Key, Observation
from autograder.model.verdict import State, Verdict
from autograder.student import visible
from autograder.student.beside import Beside, first_difference
from autograder.student.boxes import added_by_box
from autograder.student.calling import ask_once
from autograder.student.hints import fitting, stored_hints
from autograder.student.ladder import complexity, explained_case
from autograder.student.opening import answer_card
from autograder.student.probe import ASKED, Answers, quiet
from autograder.student.report import Section, paragraph
from autograder.student.step_cards import card_of, with_shape
from autograder.student.stepping import Call, LineRun, unfolded_calls_of
from autograder.student.tries import Tried

HINT, STEP_THROUGH, ANSWER = 2, 3, 5
"""The tries from which on hints are opened (with each try one more), the code is traced, the course's answer opens."""

_NEXT = "Change something and check again: if it is still wrong, more help opens here."
AS_BEFORE = paragraph("The same answer as before", _NEXT)

SHORT, LONG = 0.15, 2.0
"""Seconds in which an answer is stepped through below a verdict, and where that is asked for."""


def help_after(
    tried: Tried, lesson: str, key: Key, verdict: Verdict, answers: Answers, namespace: Mapping[str, Any]
) -> list[Section]:
    """What is added to a verdict after so many tries, of what is on in the course."""
    course, added, tries = visible.here(), list[Section](), tried.number
    if verdict.state is State.RIGHT:
        return added_by_box(course, lesson, key, namespace) if course.helps["box"] else []
    if tries < HINT:
        return [AS_BEFORE] if tried.again and course.helps["hint"] else []
    if course.helps["hint"]:
        i = explained_case(key, answers)
        error = answers.observations[i].error if i is not None and not key.values else None
        hints = fitting(stored_hints(course, lesson, key.exercise), key, verdict, error)[: tries - HINT + 1]
        added += [Section(one.title, one.text, one.html) for one in hints]
    if tries >= STEP_THROUGH and course.helps["step_through"] and answers.state == ASKED:
        steps = None if key.values else steps_on_smallest(key, answers, namespace, SHORT)
        added += [steps] if steps else []
    if tries >= ANSWER and (opened := answer_card(course, lesson, key)):
        return [*(replace(one, folded=True) for one in added), opened]
    return added


def steps_on_smallest(
    key: Key, answers: Answers, namespace: Mapping[str, Any], seconds: float
) -> Section | None:
    """Return the trace on the case that the verdict explains, else on the simplest; None where no line ran."""
    explained = explained_case(key, answers)
    i = explained
    if i is None:
        i = min(range(len(key.cases)), key=lambda i: complexity(key.cases[i]))
    case, answer = key.cases[i], namespace.get(key.exercise)
    with quiet():
        calls, seen = unfolded_calls_of(
            answer, namespace, lambda answer: ask_once(answer, case, namespace), seconds
        )
    if not calls:
        return None
    call = _telling(calls, case, seen, key.expected[i])
    what = "the case of the verdict" if explained is not None else "the smallest case"
    title = f"Your code line by line, on {what}" + f": {case.label}" * bool(case.label)
    if case.tag in key.free:
        return card_of(title, call)
    expected = key.expected[i]
    right = {**(key.steps[i] if key.steps else {}), **_results(expected.value, key.results)}
    notes = _other_steps(call, right, case.tolerance) if explained is not None else {}
    return card_of(title, call, _differs(seen, expected, case.tolerance), notes)


def steps_on(answer: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Section:
    """Steps of a function, or of a module, on what it is called with."""
    name = getattr(answer, "__name__", type(answer).__name__)
    with quiet():
        names = getattr(answer, "__globals__", {})
        calls, _ = unfolded_calls_of(
            answer, names, lambda answer: _without_its_error(answer, given, named), LONG
        )
    if not calls:
        return without_steps(name)
    call = calls[-1]
    return card_of(f"{name}, line by line", call)


def _without_its_error(answer: Any, given: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Call it. An error that its lines raise is shown with them; one before its first line is its caller's."""
    with contextlib.suppress(Exception):
        answer(*given, **named)


def without_steps(name: str) -> Section:
    why = "no line of it was run: it was called with the wrong arguments, or is not written in Python"
    return paragraph(f"{name}, line by line", why)


def _telling(calls: Sequence[Call], case: Case, seen: Observation | None, expected: Observation) -> Call:
    """The call to show: of several alternatives the first that is wrong, of a module its last call."""
    main = [call for call in calls if call.name != "__init__"] or list(calls)
    if case.each is not None and seen is not None and len(main) == len(expected.value or ()):
        pairs = zip(main, seen.value or [None] * len(main), expected.value)
        wrong = (one for one, got, wanted in pairs if first_difference(got, wanted, case.tolerance))
        return next(wrong, main[-1])
    return main[-1]


def _differs(seen: Observation | None, expected: Observation, tolerance: float) -> Beside | None:
    """What came back beside what was expected; nothing where no value came."""
    if seen is None or seen.error is not None:
        return None
    if expected.error is not None:
        return Beside("no error was raised", "a value", f"{expected.error.kind}")
    return first_difference(seen.value, expected.value, tolerance)


def _results(expected: Any, names: Sequence[str]) -> dict[str, Any]:
    """What is expected, by the names that the lesson has for it; of a module, also what it keeps."""
    value = common.without_gradients(expected)
    if isinstance(value, dict):
        return {**value, **{f"self.{name}": one for name, one in value.items()}}
    several = value if isinstance(value, tuple) and len(names) > 1 else (value,)
    return dict(zip(names, several)) if len(names) == len(several) else {}


def _other_steps(call: Call, results: Mapping[str, Any], tolerance: float) -> dict[LineRun, str]:
    """The first step that gave one of these names its last value where that is another one, and what it is to be."""
    last = {name: step for step in call.steps for name in step.made if name in results}
    for step in call.steps:
        for name in (name for name, one in last.items() if one is step):
            if first_difference(step.made[name], results[name], tolerance) is not None:
                return {step: f"in the lesson {name.removeprefix('self.')} is {with_shape(results[name])}"}
    return {}

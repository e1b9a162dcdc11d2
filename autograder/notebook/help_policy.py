"""The help below the verdict on a wrong answer: more with each attempt, first hints, then a trace, then the answer."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from autograder.calls.call import ask_once
from autograder.calls.runner import ASKED, Answers, silence
from autograder.calls.trace import Step, TracedCall, trace_subexpressions
from autograder.checks.scoring import find_explained_case, measure_complexity
from autograder.exercises import common, public_course, values
from autograder.exercises.exercise import AnswerKey, Case, Observation, StudentError
from autograder.exercises.hidden_values import unpacked
from autograder.exercises.public_course import PublicCourse
from autograder.exercises.verdict import Verdict
from autograder.notebook.attempt_log import Attempts
from autograder.views.trace_view import format_with_shape, trace_section
from autograder.views.verdict_view import Section, paragraph

HINT_FROM, TRACE_FROM, ANSWER_FROM = 2, 3, 5
"""The attempts from which hints open (one more with each attempt), the code is traced, and the answer opens."""

SAME_ANSWER = paragraph(
    "The same answer as before",
    "Change something and check again: if it is still wrong, more help opens here.",
)
RUN_NEXT_CELL = (
    "A guess may be wrong: what teaches is where it parts from the truth. The next cell shows that: run it."
)
TWIN_INVITATION = "To make it yours, write its twin: all is as before, but for one thing."

SECONDS_BELOW_VERDICT, SECONDS_ON_REQUEST = 0.15, 2.0
"""Time limits of a trace: below a verdict, and where `step_through` asks for it."""

SHAPE_ERROR = re.compile(
    r"shape|size|dimension|axis|axes|align|broadcast|subscript|mat1|\b[1-4]-?D\b|matri|inhomogeneous|unpack|Can only",
    re.IGNORECASE,
)
"""Words in NumPy's and PyTorch's errors about shapes."""


@dataclass(frozen=True)
class CheckedAnswer:
    """An answer to an exercise of a lesson, with the notebook's names, what it gave, and the verdict."""

    lesson: str
    key: AnswerKey
    namespace: dict[str, Any]
    answers: Answers
    verdict: Verdict


def choose_help(attempts: Attempts, checked: CheckedAnswer) -> list[Section]:
    """Return the sections that the course's settings allow after so many wrong attempts."""
    course, added = public_course.current_course(), list[Section]()
    helps, lesson, key, answers = course.enabled_help, checked.lesson, checked.key, checked.answers
    if attempts.number < HINT_FROM:
        return [SAME_ANSWER] if attempts.repeated and helps["hint"] else []
    if helps["hint"]:
        i = find_explained_case(key, answers)
        error = answers.observations[i].error if i is not None and not key.values else None
        hints = matching_hints(load_hints(course, lesson, key.exercise), key, checked.verdict, error)
        opened_hints = hints[: attempts.number - HINT_FROM + 1]
        added += [Section(hint.title, hint.text, hint.html) for hint in opened_hints]
    if attempts.number >= TRACE_FROM and helps["step_through"] and answers.state == ASKED and not key.values:
        added += filter(None, [trace_explained_case(checked, SECONDS_BELOW_VERDICT)])
    if attempts.number >= ANSWER_FROM and helps["answer"] and (opened := answer_section(course, lesson, key)):
        return [*(replace(section, folded=True) for section in added), opened]
    return added


# --- hints and the answer ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hint:
    """A hint as Markdown and as HTML; parts: the titles of the criteria that it helps with."""

    title: str
    text: str
    html: str
    parts: Sequence[str] = ()


def load_hints(course: PublicCourse, lesson: str, exercise: str) -> list[Hint]:
    """Return an exercise's hints in order; none where the file cannot be read."""
    try:
        return [Hint(**hint) for hint in course.read_json(course.hints(lesson)).get(exercise, [])]
    except TypeError:
        return []


def matching_hints(
    hints: Sequence[Hint], key: AnswerKey, verdict: Verdict, error: StudentError | None
) -> list[Hint]:
    """Return the hints for the first part that does not hold.

    A hint without parts is for every part except those about special inputs and about unchanged arguments. Where no
    part holds because the code raises an error, hints are given only if the error is about shapes.

    Args:
        hints: The hints of the exercise.
        key: The exercise's answer key.
        verdict: The verdict on the answer.
        error: The error of the case that the verdict explains.
    """
    if verdict.problem:
        return []
    failing = next((part for part, line in zip(key.criteria, verdict.lines) if not line.passed), None)
    if failing is None or error and not verdict.passed and not SHAPE_ERROR.search(error.message):
        return []
    special = failing.plain or failing.rule is common.unchanged
    return [hint for hint in hints if failing.title in hint.parts or not hint.parts and not special]


def answer_section(course: PublicCourse, lesson: str, key: AnswerKey) -> Section | None:
    """Return an exercise's answer with its twin's question; None where they cannot be read."""
    try:
        answer = dict(unpacked(course.read_json(course.help_file(lesson, "answers.json"))[key.exercise]))
    except (KeyError, ValueError, TypeError):
        return None
    text = answer["code"]
    if not text:
        return paragraph("Enough guessed", RUN_NEXT_CELL)
    html = f'<pre class="as-is" tabindex="0">{escape(text)}</pre>'
    if answer["twin"]:
        name = f"{key.exercise}_twin"
        how, call = f"In a cell of your own, call it {name}, and see: ", f"check.twin({name})"
        text += f"\n\n{TWIN_INVITATION} {answer['twin']}\n{how}{call}"
        html += f"<p><b>{TWIN_INVITATION}</b></p>{answer['html']}<p>{how}<code>{call}</code></p>"
    return Section("The answer of this course", text, html)


# --- steps ---------------------------------------------------------------------------------------------------


def trace_explained_case(checked: CheckedAnswer, seconds: float) -> Section | None:
    """Return the trace of the case that the verdict explains, or else of the simplest; None where no line ran."""
    key, namespace = checked.key, checked.namespace
    i = explained = find_explained_case(key, checked.answers)
    if i is None:
        i = min(range(len(key.cases)), key=lambda i: measure_complexity(key.cases[i]))
    case, expected, answer = key.cases[i], key.expected[i], namespace.get(key.exercise)
    with silence():
        calls, observation = trace_subexpressions(
            answer, namespace, lambda answer: ask_once(answer, case, namespace), seconds
        )
    if not calls:
        return None
    call = _call_to_show(calls, case, observation, expected)
    which_case = "the smallest case" if explained is None else "the case of the verdict"
    title = f"Your code line by line, on {which_case}" + f": {case.label}" * bool(case.label)
    if case.tag in key.free:
        return trace_section(title, call)
    results = {**(key.steps[i] if key.steps else {}), **_expected_by_name(expected.value, key.results)}
    notes = {} if explained is None else _note_first_wrong_step(call, results, case.tolerance)
    return trace_section(title, call, _difference(observation, expected, case.tolerance), notes)


def trace_call(answer: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Section:
    """Return the trace of a function or module that is called with these arguments."""

    def run(answer: Any) -> None:
        with contextlib.suppress(Exception):  # one that its lines raise is shown with them
            answer(*args, **kwargs)

    name = getattr(answer, "__name__", type(answer).__name__)
    with silence():
        calls, _ = trace_subexpressions(answer, getattr(answer, "__globals__", {}), run, SECONDS_ON_REQUEST)
    return trace_section(f"{name}, line by line", calls[-1]) if calls else explain_missing_trace(name)


def explain_missing_trace(name: str) -> Section:
    """Return the section that stands in place of a trace where no line ran."""
    why = "no line of it was run: it was called with the wrong arguments, or is not written in Python"
    return paragraph(f"{name}, line by line", why)


def _call_to_show(
    calls: Sequence[TracedCall], case: Case, observation: Observation | None, expected: Observation
) -> TracedCall:
    """Return the call to show: the first wrong one of a case with several calls, or else the last one."""
    main = [call for call in calls if call.name != "__init__"] or list(calls)
    if case.each is not None and observation is not None and len(main) == len(expected.value or ()):
        results = observation.value or [None] * len(main)
        for call, value, expected_value in zip(main, results, expected.value):
            if not values.are_close(value, expected_value, case.tolerance):
                return call
    return main[-1]


def _difference(
    observation: Observation | None, expected: Observation, tolerance: float
) -> tuple[str, str, str] | None:
    """Return the first difference between result and expectation; None where an error was raised."""
    if observation is None or observation.error is not None:
        return None
    if expected.error is not None:
        return "no error was raised", "a value", expected.error.kind
    return values.describe_difference(observation.value, expected.value, tolerance)


def _expected_by_name(expected: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return the expected results by the lesson's names for them; of a module, its attributes as well."""
    value = common.strip_gradients(expected)
    if isinstance(value, dict):
        return {**value, **{f"self.{name}": attribute for name, attribute in value.items()}}
    several = value if isinstance(value, tuple) and len(names) > 1 else (value,)
    return dict(zip(names, several)) if len(names) == len(several) else {}


def _note_first_wrong_step(call: TracedCall, results: Mapping[str, Any], tolerance: float) -> dict[Step, str]:
    """Return the first step that gave a name a wrong final value, with a note on the lesson's value."""
    last = {name: step for step in call.steps for name in step.values if name in results}
    for step in call.steps:
        for name, value in step.values.items():
            if last.get(name) is step and not values.are_close(value, results[name], tolerance):
                own_name = name.removeprefix("self.")
                return {step: f"in the lesson {own_name} is {format_with_shape(results[name])}"}
    return {}

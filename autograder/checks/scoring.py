"""The scoring of an answer: a verdict from an answer key and what the answer gave.

The criteria are ordered from the first thing to get right to the last. All of them are applied, so that each earns its
points by itself; only the first that does not hold is explained.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from textwrap import wrap
from typing import Any

import numpy as np

from autograder.checks import runner
from autograder.checks.code_slips import CODE_SLIPS, CodeSlip, ask_mended, find_code_slip
from autograder.checks.diagnosis import name_mistake
from autograder.exercises import argument_kinds, hidden_values, values, wire
from autograder.exercises.exercise import (
    AnswerKey,
    Case,
    CasePutBy,
    Criterion,
    MistakenAnswers,
    NotReached,
    Observation,
    Problem,
)
from autograder.exercises.verdict import CriterionResult, Outcome, State, Verdict

RAISED = "your code raised"

MAX_SHOWN, MAX_TEXT = 12, 160
"""Entries of an argument that a verdict shows in full, and characters of one that is no array."""

WIDTH = 84
"""Characters of a line of a verdict."""

IN_LINE = "in the line   "
"""What stands before a line of the student's code, which is not broken."""

LARGE = 100
"""A larger number in an input is special, as a score of which `exp` overflows."""


def judge_best(key: AnswerKey, *attempts: runner.Answers) -> Verdict:
    """Return the verdict on the attempt that earns most; of equal ones, on the last, which is the one with stubs."""
    answers = choose_best(key, attempts)
    return _verdict(key, answers, [*_look_at_all(key, answers)])


def is_all_right(key: AnswerKey, answers: runner.Answers) -> bool:
    """Return whether an answer passes all criteria; none behind the first that fails is applied."""
    return all(look.sight is Outcome.PASSED for look in _look_at_all(key, answers))


def add_code_slip(
    key: AnswerKey, question: runner.Question, answers: runner.Answers, namespace: dict[str, Any]
) -> runner.Answers:
    """Return the answers with the code slip that explains what is wrong, if one does; see `find_code_slip`."""

    def right(mended: runner.Answers) -> bool:
        return is_all_right(restrict_to_first(key, len(mended.observations)), mended)

    return find_code_slip(answers, question, partial(ask_mended, namespace=namespace), right)


def choose_best(key: AnswerKey, attempts: Sequence[runner.Answers]) -> runner.Answers:
    """Return the attempt that `judge_best` is about."""

    def points(answers: runner.Answers) -> int:
        looks = zip(key.criteria, _look_at_all(key, answers))
        return sum(part.points for part, look in looks if look.sight is Outcome.PASSED)

    return max(reversed(attempts), key=points) if len(attempts) > 1 else attempts[0]


def explain_unjudged(key: AnswerKey, state: State, *why: str) -> Verdict:
    """Return the verdict on an answer that could not be judged, and why."""
    lines = tuple(CriterionResult(part.title, Outcome.NOT_REACHED, part.points) for part in key.criteria)
    hidden = any(case.hidden for case in key.cases)
    return Verdict(key.exercise, state, lines, why, hidden=hidden, graded=key.graded and not key.values)


@dataclass(frozen=True)
class _Look:
    """The outcome of a criterion, and on which case; without a problem where it held on all."""

    sight: Outcome
    case: Case | None = None
    problem: Problem | None = None


def _verdict(key: AnswerKey, answers: runner.Answers, looks: Sequence[_Look]) -> Verdict:
    if not _can_be_judged(key, answers):
        untouched = answers.state == runner.NOT_STARTED and (key.values or not answers.similar)
        state = State.NOT_STARTED if untouched else State.WRONG
        return explain_unjudged(key, state, _nothing_to_judge(key, answers))
    lines, right = list[CriterionResult](), True
    for part, look in zip(key.criteria, looks):
        first = right and look.sight is not Outcome.PASSED
        details = _explain(key, part, look, answers) if first else ()
        lines.append(CriterionResult(part.title, look.sight, part.points, details))
        right = right and look.sight is Outcome.PASSED
    verdict = Verdict(
        key.exercise,
        State.RIGHT if right else State.WRONG,
        tuple(lines),
        hidden=any(case.hidden for case in key.cases),
        graded=key.graded and not key.values,
        library=tuple(name for name in answers.library if name in key.library.values()),
    )
    slip = CODE_SLIPS.get(answers.code_slip)
    named: MistakenAnswers | CodeSlip | None = slip
    if not right and (slip is None or slip.vague):
        named = _name(key, answers, looks) or slip
    if named is None:
        return verdict
    return replace(verdict, misconception=named.name, looks_like=named.looks_like, question=named.question)


def _name(key: AnswerKey, answers: runner.Answers, looks: Sequence[_Look]) -> MistakenAnswers | None:
    """Return the misconception behind a wrong answer, by the visible cases if it fails on these, as a check does."""
    visible = restrict_to_visible(key)
    if visible is not key:
        visible_answers = replace(answers, observations=answers.observations[: len(visible.cases)])
        visible_looks = [*_look_at_all(visible, visible_answers)]
        if any(look.problem for look in visible_looks):
            key, answers, looks = visible, visible_answers, visible_looks
    for part, look in zip(key.criteria, looks):
        if look.problem is not None:
            return name_mistake(key, answers.observations, find_cases(key, part), look.problem)
    return None


def restrict_to_visible(key: AnswerKey) -> AnswerKey:
    """Return the key of the visible cases, which stand before the hidden ones."""
    return restrict_to_first(key, sum(not case.hidden for case in key.cases))


def restrict_to_first(key: AnswerKey, number: int) -> AnswerKey:
    """Return the key of this many cases, the first ones."""
    if number == len(key.cases):
        return key
    return replace(key, cases=key.cases[:number], expected=key.expected[:number])


def _can_be_judged(key: AnswerKey, answers: runner.Answers) -> bool:
    return answers.state == runner.ASKED and len(answers.observations) == len(key.cases)


def _nothing_to_judge(key: AnswerKey, answers: runner.Answers) -> str:
    names = ", ".join(key.values) or key.exercise
    similar = f"there is a {answers.similar}: is that meant?" if answers.similar else ""
    if answers.state == runner.NOT_STARTED:
        if similar and not key.values:
            return f"{names} is still a TODO: {similar}"
        return f"not started yet: {similar or 'fill in the TODO and run the cell'}"
    if answers.state == runner.MISSING:
        are = "are" if len(key.values) > 1 else "is"
        return f"{names} {are} not defined: {similar or 'run the cell above, or bring it back'}"
    if answers.state == runner.NOT_CALLABLE:
        return f"{names} is not a function or class any more; expected {key.signature}"
    return f"no answer came back ({answers.state})"


def _look_at_all(key: AnswerKey, answers: runner.Answers) -> Iterator[_Look]:
    """Yield the outcome of each criterion, which is applied when it is asked for."""
    if not _can_be_judged(key, answers):
        yield from (_Look(Outcome.NOT_REACHED) for _ in key.criteria)
        return
    wanted = any(expected.error is None for expected in key.expected)
    always_fails = wanted and all(
        observation.error and observation.built is None for observation in answers.observations
    )
    for part in key.criteria:
        look = _look(key, part, answers.observations)
        if always_fails and look.sight is Outcome.PASSED:  # it has raised no error on purpose
            look = _Look(Outcome.NOT_REACHED, key.cases[0], Problem("every call of it ended in an error"))
        yield look


def find_cases(key: AnswerKey, part: Criterion) -> list[int]:
    """Return the positions of the cases that a criterion looks at, visible ones first."""
    chosen = [i for i, case in enumerate(key.cases) if not part.tags or case.tag in part.tags]
    return sorted(chosen, key=lambda i: key.cases[i].hidden)


def _look(key: AnswerKey, part: Criterion, observations: Sequence[Observation]) -> _Look:
    """Apply a criterion: it fails if it was seen to fail, and passes if it held on every case."""
    look = _climb(key, part, observations)
    if look.sight is not Outcome.FAILED or not part.plain:
        return look
    if _climb(key, _plain(part), observations).sight is Outcome.PASSED or overflows(key, part, observations):
        return look
    return replace(look, sight=Outcome.NOT_REACHED)


def overflows(key: AnswerKey, part: Criterion, observations: Sequence[Observation]) -> bool:
    """Return whether numbers that are not finite came back on a criterion's cases, and on none of its plain ones."""
    special, plain = (
        all(values.is_finite(observations[i].value) for i in find_cases(key, of))
        for of in (part, _plain(part))
    )
    return plain and not special


def _plain(part: Criterion) -> Criterion:
    return replace(part, tags=part.plain)


def _climb(
    key: AnswerKey, part: Criterion, observations: Sequence[Observation], cases: Sequence[int] | None = None
) -> _Look:
    unseen: _Look | None = None
    for i in find_cases(key, part) if cases is None else cases:
        try:
            problem = _ask_rule(key, part, key.cases[i], observations[i], key.expected[i])
        except NotReached as reason:
            unseen = unseen or _Look(Outcome.NOT_REACHED, key.cases[i], reason.problem)
        else:
            if problem:
                return _Look(Outcome.FAILED, key.cases[i], problem)
    return unseen or _Look(Outcome.PASSED)


def find_explained_case(key: AnswerKey, answers: runner.Answers) -> int | None:
    """Return the position of the case that the verdict on these answers explains; None where it explains none."""
    judged = zip(key.criteria, _look_at_all(key, answers)) if _can_be_judged(key, answers) else ()
    for part, look in judged:
        if look.sight is not Outcome.PASSED:
            case = _simplest(key, part, look, answers.observations).case
            return next((i for i, other in enumerate(key.cases) if other is case), None)
    return None


def _simplest(key: AnswerKey, part: Criterion, look: _Look, observations: Sequence[Observation]) -> _Look:
    """Return the outcome of a criterion on the simplest case that shows why it does not hold, visible ones first.

    While the rule fails on plain cases, these are the simpler ones.
    """
    for explained in (_plain(part), part) if part.plain and look.sight is Outcome.NOT_REACHED else (part,):
        looks = [_climb(key, explained, observations, [i]) for i in find_cases(key, explained)]
        for sight in (Outcome.FAILED, Outcome.NOT_REACHED):
            alike = [(one.case, one) for one in looks if one.case is not None and one.sight is sight]
            if alike:
                _, simplest = min(alike, key=lambda pair: (pair[0].hidden, *measure_complexity(pair[0])))
                return replace(simplest, sight=look.sight)
    return look


def measure_complexity(case: Case) -> tuple[bool, bool, int, int]:
    """Return by what cases are ordered, the simplest first: calls, special numbers, entries, length when written."""
    arguments = [
        argument_kinds.describe_unchanged(argument) for argument in (*case.args, *case.kwargs.values())
    ]
    numbers = [
        argument.astype(float) for argument in map(values.as_numbers, arguments) if argument is not None
    ]
    special = any(not (np.abs(argument) <= LARGE).all() for argument in numbers)
    parameters = case.module.parameters if case.module else {}
    entries = sum(map(_entries, (*arguments, *parameters.values())))
    return isinstance(case, CasePutBy), special, entries, len(wire.dumps(case))


def _entries(value: Any) -> int:
    """Count the numbers, words and other single things in an argument."""
    if isinstance(value, np.ndarray):
        return int(value.size)
    if isinstance(value, (list, tuple, dict)):
        return sum(map(_entries, value.values() if isinstance(value, dict) else value))
    return 1


def _ask_rule(
    key: AnswerKey, part: Criterion, case: Case, observation: Observation, expected: Observation
) -> Problem | None:
    error = observation.error
    is_observed = observation.built is not None if part.built else error is None
    if is_observed or error is None or expected.error is not None:
        return part.rule(case, observation, expected)
    if not error.kind:
        raise NotReached(error.message)
    where = f"{IN_LINE}{error.line}" if error.line else f"it is called as   {key.signature}"
    raise NotReached(f"{RAISED} {': '.join(filter(None, (error.kind, error.message)))}", where)


def _explain(key: AnswerKey, part: Criterion, look: _Look, answers: runner.Answers) -> tuple[str, ...]:
    look = _simplest(key, part, look, answers.observations)
    case, problem = look.case, look.problem
    if case is None or problem is None:
        return ()
    arguments = name_arguments(key, case) if case.args or case.kwargs else {}
    inputs = [
        f"{name} {_in_short(value, case.hidden)}" for name, value in arguments.items() if value is not None
    ]
    in_one_line = "   ".join(inputs)
    lines = [*filter(None, [case.label, *([in_one_line] if len(in_one_line) <= WIDTH else inputs)])]
    if problem.argument is not None:
        lines.append(f"about {[*arguments][problem.argument]}:")
    if case.hidden:
        lines.append(_without_values(problem))
    elif not problem.expected:
        lines += filter(None, [problem.message, problem.observed])
    elif "\n" in problem.observed + problem.expected:
        lines += [
            problem.message,
            "got",
            *problem.observed.split("\n"),
            "expected",
            *problem.expected.split("\n"),
        ]
    else:
        lines += [problem.message, f"got        {problem.observed}", f"expected   {problem.expected}"]
    if key.values:
        lines.extend(_remarks(key, answers.observations[0].value, problem.compared))
    return tuple(piece for line in lines for piece in _broken(line))


def _remarks(key: AnswerKey, answer: Mapping[str, Any], about: Collection[str]) -> Iterator[str]:
    """Yield remarks on the form of values that are wrong; about: the names that a rule spoke of, if it did."""
    expected = key.expected[0].value
    mistakes = (
        observation.value
        for mistake in key.mistakes
        for variant in mistake.observations
        for observation in variant
    )
    listed: dict[str, list[Any]] = {name: [] for name in expected}
    for value in (expected, *mistakes):
        for name, concealed_value in value.items():
            listed[name] += hidden_values.listed_values(concealed_value)
    words = [text for texts in listed.values() for text in texts]
    for name in about or expected:
        if answer.get(name) is not None:
            is_word = any(isinstance(value, str) for value in listed[name])
            texts = hidden_values.remarks(answer[name], expected[name], words if is_word else listed[name])
            yield from (f"{name}: {text}" for text in texts)


def _broken(line: str) -> list[str]:
    """Break a line that is too wide between its words; the student's own code stays as it is."""
    if len(line) <= WIDTH or line.startswith(IN_LINE):
        return [line]
    label = re.match(r"(got|expected) +", line)
    indented = " " * (label.end() if label else 2)
    return wrap(line, WIDTH, subsequent_indent=indented, break_long_words=False, break_on_hyphens=False)


def _without_values(problem: Problem) -> str:
    """Return what may be said of a hidden case: what is wrong, but no number of its inputs or results."""
    if problem.message.startswith(RAISED):
        return problem.message.split(":")[0]
    if problem.message.startswith(("values differ", "shape")):
        return "your answer differs here; these inputs are hidden, their sizes are above"
    return problem.message


def name_arguments(key: AnswerKey, case: Case) -> dict[str, object]:
    """Return the arguments by their names in the signature."""
    called = f"{key.signature} of ".partition(") of ")[0]
    names = [node.arg for node in ast.walk(ast.parse(f"def {called}): ...")) if isinstance(node, ast.arg)]
    return {**dict(zip(names, case.args)), **case.kwargs}


def _in_short(value: object, hidden: bool) -> str:
    if isinstance(value, argument_kinds.Tensor):
        value = value.array
    kind = argument_kinds.find_kind(value)
    if kind is not None:
        return kind.in_short(value, hidden)
    if isinstance(value, tuple) and any(map(argument_kinds.find_kind, value)):
        return f"({', '.join(_in_short(item, hidden) for item in value)})"
    if isinstance(value, np.ndarray):
        if hidden or value.size > MAX_SHOWN:
            return str(value.shape)
        return f"= {' '.join(values.format_numbers(value, 4).split())}".replace("[ ", "[")
    if hidden:
        return f"of length {len(value)}" if isinstance(value, (str, list, tuple)) else "(hidden)"
    text, limit = repr(value), MAX_TEXT if _entries(value) <= MAX_SHOWN else 60
    return f"= {text}" if len(text) <= limit else f"= {text[: limit - 3]}…"

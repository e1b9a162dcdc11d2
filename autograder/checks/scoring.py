"""The scoring of an answer: a verdict from an answer key and what the answer gave.

The criteria are ordered from the first thing to get right to the last. All of them are applied, so that each earns its
points by itself; only the first that does not hold is explained.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from textwrap import wrap
from typing import Any

import numpy as np

from autograder.calls import runner
from autograder.checks.code_slips import CODE_SLIPS, CodeSlip, ask_mended, find_code_slip
from autograder.checks.diagnosis import name_mistake
from autograder.exercises import argument_kinds, values, wire
from autograder.exercises.exercise import (
    AnswerKey,
    Call,
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


def is_all_right(key: AnswerKey, answers: runner.Answers) -> bool:
    """Return whether an answer passes all criteria with cases; none behind the first that fails is applied."""
    return all(finding.holds for finding in _apply_criteria(key, answers))


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
        findings = zip(key.criteria, _apply_criteria(key, answers))
        return sum(criterion.points for criterion, finding in findings if finding.outcome is Outcome.PASSED)

    return max(reversed(attempts), key=points) if len(attempts) > 1 else attempts[0]


def explain_unjudged(key: AnswerKey, state: State, *why: str) -> Verdict:
    """Return the verdict on an answer that could not be judged, and why."""
    lines = tuple(
        CriterionResult(criterion.title, Outcome.NOT_REACHED, criterion.points) for criterion in key.criteria
    )
    hidden = any(case.hidden for case in key.cases)
    return Verdict(key.exercise, state, lines, why, hidden=hidden, graded=key.graded and not key.values)


@dataclass(frozen=True)
class _Finding:
    """The outcome of a criterion, and on which case; without a problem where it held on all, or no case was asked."""

    outcome: Outcome
    case: Case | None = None
    problem: Problem | None = None

    @property
    def holds(self) -> bool:
        return self.outcome in (Outcome.PASSED, Outcome.UNASKED)


def judge_best(key: AnswerKey, *attempts: runner.Answers) -> Verdict:
    """Return the verdict on the attempt that earns most; of equal ones, on the last, which is the one with stubs."""
    answers = choose_best(key, attempts)
    findings = [*_apply_criteria(key, answers)]
    if not _can_be_judged(key, answers):
        untouched = answers.state == runner.NOT_STARTED and (key.values or not answers.similar)
        state = State.NOT_STARTED if untouched else State.WRONG
        return explain_unjudged(key, state, _nothing_to_judge(key, answers))
    lines, right = list[CriterionResult](), True
    for criterion, finding in zip(key.criteria, findings):
        first = right and not finding.holds
        details = _explain(key, criterion, finding, answers.observations) if first else ()
        lines.append(CriterionResult(criterion.title, finding.outcome, criterion.points, details))
        right = right and finding.holds
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
        named = _name(key, answers, findings) or slip
    if named is None:
        return verdict
    return replace(verdict, misconception=named.name, looks_like=named.looks_like, question=named.question)


def _name(key: AnswerKey, answers: runner.Answers, findings: Sequence[_Finding]) -> MistakenAnswers | None:
    """Return the misconception behind a wrong answer, by the visible cases if it fails on these, as a check does."""
    visible = restrict_to_visible(key)
    if visible is not key:
        visible_answers = replace(answers, observations=answers.observations[: len(visible.cases)])
        visible_findings = [*_apply_criteria(visible, visible_answers)]
        if any(finding.problem for finding in visible_findings):
            key, answers, findings = visible, visible_answers, visible_findings
    for criterion, finding in zip(key.criteria, findings):
        if finding.problem is not None:
            return name_mistake(key, answers.observations, find_cases(key, criterion), finding.problem)
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


def _apply_criteria(key: AnswerKey, answers: runner.Answers) -> Iterator[_Finding]:
    """Yield the outcome of each criterion, which is applied when it is asked for."""
    if not _can_be_judged(key, answers):
        yield from (_Finding(Outcome.NOT_REACHED) for _ in key.criteria)
        return
    wanted = any(expected.error is None for expected in key.expected)
    always_fails = wanted and all(
        observation.error and observation.built is None for observation in answers.observations
    )
    for criterion in key.criteria:
        finding = _apply_criterion(key, criterion, answers.observations)
        if always_fails and finding.outcome is Outcome.PASSED:  # it has raised no error on purpose
            problem = Problem("every call of it ended in an error")
            finding = _Finding(Outcome.NOT_REACHED, key.cases[0], problem)
        yield finding


def find_cases(key: AnswerKey, criterion: Criterion) -> list[int]:
    """Return the positions of the cases that a criterion looks at, visible ones first."""
    chosen = [i for i, case in enumerate(key.cases) if not criterion.tags or case.tag in criterion.tags]
    return sorted(chosen, key=lambda i: key.cases[i].hidden)


def _apply_criterion(key: AnswerKey, criterion: Criterion, observations: Sequence[Observation]) -> _Finding:
    """Apply a criterion: it fails if it was seen to fail, and passes if it held on every case."""
    if not find_cases(key, criterion):
        return _Finding(Outcome.UNASKED)
    finding = _apply_rule(key, criterion, observations)
    if finding.outcome is not Outcome.FAILED or not criterion.plain:
        return finding
    holds_on_plain = _apply_rule(key, _plain(criterion), observations).outcome is Outcome.PASSED
    if holds_on_plain or overflows(key, criterion, observations):
        return finding
    return replace(finding, outcome=Outcome.NOT_REACHED)


def overflows(key: AnswerKey, criterion: Criterion, observations: Sequence[Observation]) -> bool:
    """Return whether numbers that are not finite came back on a criterion's cases, and on none of its plain ones."""

    def is_finite_on(cases: Sequence[int]) -> bool:
        return all(values.is_finite(observations[i].value) for i in cases)

    special_cases, plain_cases = find_cases(key, criterion), find_cases(key, _plain(criterion))
    return is_finite_on(plain_cases) and not is_finite_on(special_cases)


def _plain(criterion: Criterion) -> Criterion:
    return replace(criterion, tags=criterion.plain)


def _apply_rule(
    key: AnswerKey,
    criterion: Criterion,
    observations: Sequence[Observation],
    cases: Sequence[int] | None = None,
) -> _Finding:
    not_reached: _Finding | None = None
    for i in find_cases(key, criterion) if cases is None else cases:
        try:
            problem = _ask_rule(key, criterion, key.cases[i], observations[i], key.expected[i])
        except NotReached as reason:
            not_reached = not_reached or _Finding(Outcome.NOT_REACHED, key.cases[i], reason.problem)
        else:
            if problem:
                return _Finding(Outcome.FAILED, key.cases[i], problem)
    return not_reached or _Finding(Outcome.PASSED)


def find_explained_case(key: AnswerKey, answers: runner.Answers) -> int | None:
    """Return the position of the case that the verdict on these answers explains; None where it explains none."""
    judged = zip(key.criteria, _apply_criteria(key, answers)) if _can_be_judged(key, answers) else ()
    for criterion, finding in judged:
        if not finding.holds:
            case = _simplest(key, criterion, finding, answers.observations).case
            return next((i for i, candidate in enumerate(key.cases) if candidate is case), None)
    return None


def _simplest(
    key: AnswerKey, criterion: Criterion, finding: _Finding, observations: Sequence[Observation]
) -> _Finding:
    """Return the outcome of a criterion on the simplest case that shows why it does not hold, visible ones first.

    While the rule fails on plain cases, these are the simpler ones.
    """
    fails_on_plain = criterion.plain and finding.outcome is Outcome.NOT_REACHED
    for explained in (_plain(criterion), criterion) if fails_on_plain else (criterion,):
        by_case = [
            (key.cases[i], _apply_rule(key, explained, observations, [i])) for i in find_cases(key, explained)
        ]
        for outcome in (Outcome.FAILED, Outcome.NOT_REACHED):
            alike = [pair for pair in by_case if pair[1].outcome is outcome]
            if alike:
                _, simplest = min(alike, key=lambda pair: (pair[0].hidden, *measure_complexity(pair[0])))
                return replace(simplest, outcome=finding.outcome)
    return finding


def measure_complexity(case: Case) -> tuple[bool, bool, int, int]:
    """Return by what cases are ordered, the simplest first: calls, special numbers, entries, length when written."""
    arguments = [*map(argument_kinds.describe_unchanged, case.inputs)]
    arrays = [array for array in map(values.as_numbers, arguments) if array is not None]
    special = any(not (np.abs(array.astype(float)) <= LARGE).all() for array in arrays)
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
    key: AnswerKey, criterion: Criterion, case: Case, observation: Observation, expected: Observation
) -> Problem | None:
    error = observation.error
    is_observed = observation.built is not None if criterion.built else error is None
    if is_observed or error is None or expected.error is not None:
        return criterion.rule(case, observation, expected)
    if not error.kind:
        raise NotReached(error.message)
    where = f"{IN_LINE}{error.line}" if error.line else f"it is called as   {key.signature}"
    raise NotReached(f"{RAISED} {': '.join(filter(None, (error.kind, error.message)))}", where)


def _explain(
    key: AnswerKey, criterion: Criterion, finding: _Finding, observations: Sequence[Observation]
) -> tuple[str, ...]:
    finding = _simplest(key, criterion, finding, observations)
    case, problem = finding.case, finding.problem
    if case is None or problem is None:
        return ()
    arguments = name_arguments(key.signature, case)
    inputs = [
        f"{name} {_in_short(value, case.hidden)}" for name, value in arguments.items() if value is not None
    ]
    in_one_line = "   ".join(inputs)
    lines = [*filter(None, [case.label, *([in_one_line] if len(in_one_line) <= WIDTH else inputs)])]
    if case.calls:
        lines.append(f"then   {', '.join(_call_in_short(call, case.hidden) for call in case.calls)}")
    if problem.argument is not None:
        names = [*arguments, *("what a method was called with" for _ in case.inputs)]
        lines.append(f"about {names[problem.argument]}:")
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
    return tuple(piece for line in lines for piece in _broken(line))


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


def name_arguments(signature: str, case: Case) -> dict[str, object]:
    """Return the arguments by their names in the signature."""
    if not case.args and not case.kwargs:
        return {}
    called = f"{signature} of ".partition(") of ")[0]
    names = [node.arg for node in ast.walk(ast.parse(f"def {called}): ...")) if isinstance(node, ast.arg)]
    return {**dict(zip(names, case.args)), **case.kwargs}


def _call_in_short(call: Call | str, hidden: bool) -> str:
    if isinstance(call, str):
        return call
    if hidden:
        return f"{call.method}(…)"
    arguments = [("", value) for value in call.args] + [*call.kwargs.items()]
    texts = (f"{name} {_in_short(value, hidden)}".removeprefix(" = ") for name, value in arguments)
    return f"{call.method}({', '.join(texts)})"


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

"""From an answer key and what an answer gave, a verdict.

The ladder has one rung a part, from the first thing to get right to the last. All rungs are judged, so that
each part earns its points by itself; only the first that fails is explained.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.model import kinds, values
from autograder.model.exercise import Case, Key, MistakenAnswers, Observation, Part, Problem, StudentError
from autograder.model.verdict import Line, State, Verdict
from autograder.student import probe

RAISED = "your code raised"


def best(key: Key, attempts: Sequence[probe.Answers]) -> Verdict:
    """The verdict on the attempt that earns most; where both do, on the one with stand-ins, the last."""
    judged = [(answers, _judge_parts(key, answers)) for answers in reversed(attempts)]
    answers, found = max(judged, key=lambda one: sum(line.points for line in one[1].lines if line.passed))
    return _explain_all(key, answers, found)


def climb(key: Key, answers: probe.Answers) -> Verdict:
    """Judge `answers` by `key`. The answers' observations stand in the order of the key's cases."""
    return _explain_all(key, answers, _judge_parts(key, answers))


@dataclass(frozen=True)
class _Judged:
    """Whether each part passed, and the first that did not, with its problem."""

    lines: tuple[Line, ...]
    first: tuple[Part, Problem] | None = None


def _explain_all(key: Key, answers: probe.Answers, judged: _Judged) -> Verdict:
    verdict = functools.partial(
        Verdict,
        key.exercise,
        hidden=any(case.hidden for case in key.cases),
        graded=key.graded,
        library=tuple(name for name in answers.library if name in key.library.values()),
    )
    if not _can_be_judged(key, answers):
        state = State.NOT_STARTED if answers.state == probe.NOT_STARTED else State.WRONG
        return verdict(state, judged.lines, _nothing_to_judge(key, answers.state))
    if judged.first is None:
        return verdict(State.RIGHT, judged.lines)
    named = _name_mistake(key, answers.observations, *judged.first)
    if named is None:
        return verdict(State.WRONG, judged.lines)
    return verdict(State.WRONG, judged.lines, (), named.name, named.looks_like, named.question)


def _can_be_judged(key: Key, answers: probe.Answers) -> bool:
    return answers.state == probe.ASKED and len(answers.observations) == len(key.cases)


def _nothing_to_judge(key: Key, state: str) -> tuple[str, ...]:
    names = ", ".join(key.values) or key.exercise
    if state == probe.NOT_STARTED:
        return ("not started yet: fill in the TODO and run the cell",)
    if state == probe.MISSING:
        are = "are" if len(key.values) > 1 else "is"
        return (f"{names} {are} not defined: run the cell above, or bring it back",)
    if state == probe.NOT_CALLABLE:
        return (f"{names} is not a function or class any more; expected {key.signature}",)
    return (f"no answer came back ({state})",)


def _judge_parts(key: Key, answers: probe.Answers) -> _Judged:
    if not _can_be_judged(key, answers):
        return _Judged(tuple(Line(part.title, False, part.points) for part in key.parts))
    lines: list[Line] = []
    first: tuple[Part, Problem] | None = None
    for part in key.parts:
        found = _first_problem(key, part, answers.observations)
        details: tuple[str, ...] = ()
        if found and first is None:
            case, problem = found
            first, details = (part, problem), _explain(key, case, problem)
        lines.append(Line(part.title, found is None, part.points, details))
    return _Judged(tuple(lines), first)


def cases_of(key: Key, part: Part) -> list[int]:
    """The positions of the cases that a part looks at, visible ones first."""
    chosen = [i for i, case in enumerate(key.cases) if not part.tags or case.tag in part.tags]
    return sorted(chosen, key=lambda i: key.cases[i].hidden)


def _first_problem(key: Key, part: Part, seen: Sequence[Observation]) -> tuple[Case, Problem] | None:
    for i in cases_of(key, part):
        case, expected = key.cases[i], key.expected[i]
        problem = _error_problem(key, seen[i], expected) or part.rule(case, seen[i], expected)
        if problem:
            return case, problem
    return None


def _error_problem(key: Key, seen: Observation, expected: Observation) -> Problem | None:
    if seen.error is None or expected.error is not None:
        return None
    where = f"in the line   {seen.error.line}" if seen.error.line else f"it is called as   {key.signature}"
    return Problem(f"{RAISED} {seen.error.kind}: {seen.error.message}", where)


def _explain(key: Key, case: Case, problem: Problem) -> tuple[str, ...]:
    lines = [case.label] if case.label else []
    if case.args or case.kwargs:
        lines.append(_inputs(key, case))
    if case.hidden:
        lines.append(_without_values(problem))
    elif problem.expected:
        lines.extend(_both_sides(problem))
    else:
        lines.extend(text for text in (problem.what, problem.got) if text)
    return tuple(lines)


def _without_values(problem: Problem) -> str:
    """What may be said of a hidden case: what is wrong, but no number of its inputs or results."""
    if problem.what.startswith(RAISED):
        return problem.what.split(":")[0]
    if problem.what.startswith(("values differ", "shape")):
        return "your answer differs here; these inputs are hidden, their sizes are above"
    return problem.what


def _both_sides(problem: Problem) -> list[str]:
    if "\n" in problem.got + problem.expected:
        return [problem.what, "got", *problem.got.split("\n"), "expected", *problem.expected.split("\n")]
    return [problem.what, f"got        {problem.got}", f"expected   {problem.expected}"]


def _inputs(key: Key, case: Case) -> str:
    names = [
        name.split("=")[0].strip(" *") for name in key.signature.split("(", 1)[1].split(")")[0].split(",")
    ]
    named = {**dict(zip(names, case.args)), **case.kwargs}
    shown = (f"{name} {_in_short(value, case.hidden)}" for name, value in named.items() if value is not None)
    return "   ".join(shown)


def _in_short(value: object, hidden: bool) -> str:
    kind = kinds.kind_of(value)
    if kind is not None:
        return kind.in_short(value, hidden)
    if isinstance(value, np.ndarray):
        return str(value.shape)
    if hidden:
        return f"of length {len(value)}" if isinstance(value, (str, list, tuple)) else "(hidden)"
    text = repr(value)
    return f"= {text}" if len(text) <= 60 else f"= {text[:57]}…"


def _name_mistake(
    key: Key, seen: Sequence[Observation], part: Part, problem: Problem
) -> MistakenAnswers | None:
    """The misconception that explains an answer: by what a rule saw, else by the answers it gives.

    Of the cases on which the answer or the misconception is wrong, they must agree on at least half, or on
    all that the first failing part looks at, and on the visible ones by themselves as well; the one that agrees
    on most is named. An answer that raises on every case is explained only by a mistake that does so too: many
    mistakes end in the same error.
    """
    if problem.misconception:
        return next((m for m in key.mistakes if m.name == problem.misconception), None)
    here = set(cases_of(key, part))
    right = [same(seen[i], key.expected[i], case.tolerance) for i, case in enumerate(key.cases)]
    only_raises = all(observation.error for observation in seen)
    best, best_share = None, 0.0
    for mistake in key.mistakes:
        for variant in mistake.observations:
            if only_raises and not all(observation.error for observation in variant):
                continue
            agreed = _agreement(key, variant, seen, right, hidden=False)
            if _share(agreed) < 0.5 and not all(same for i, same in agreed.items() if i in here):
                continue
            agreed |= _agreement(key, variant, seen, right, hidden=True)
            if _explains(agreed, here) and _share(agreed) > best_share:
                best, best_share = mistake, _share(agreed)
    return best


def _agreement(
    key: Key,
    mistaken: Sequence[Observation],
    seen: Sequence[Observation],
    right: Sequence[bool],
    hidden: bool,
) -> dict[int, bool]:
    """Whether an answer does what a misconception does, for each hidden or visible case that tells them from right."""
    agreed = {}
    for i, case in enumerate(key.cases):
        if case.hidden == hidden and not (right[i] and same(mistaken[i], key.expected[i], case.tolerance)):
            agreed[i] = same(seen[i], mistaken[i], case.tolerance)
    return agreed


def _explains(agreed: Mapping[int, bool], here: Collection[int]) -> bool:
    local = [same for i, same in agreed.items() if i in here]
    return _share(agreed) >= 0.5 or (bool(local) and all(local))


def _share(agreed: Mapping[int, bool]) -> float:
    return sum(agreed.values()) / len(agreed) if agreed else 0.0


def same(one: Observation, other: Observation, tolerance: float) -> bool:
    """Whether two answers to one case are the same to the judge."""
    if one.error and other.error:
        return _nature(one.error) == _nature(other.error)
    if one.error or other.error:
        return False
    if not values.close(one.value, other.value, tolerance):
        return False
    arrays = [(a, b) for a, b in zip(one.after, other.after) if isinstance(b, np.ndarray)]
    return all(values.close(a, b, tolerance) for a, b in arrays)


def _nature(error: StudentError) -> tuple[str, bool]:
    """An error's type, and whether it is about shapes that do not fit: a ValueError may be about anything."""
    words = ("shape", "size", "broadcast", "dimension", "align", "axes", "axis")
    return error.kind, any(word in error.message for word in words)

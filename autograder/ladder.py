"""From an answer key and what an answer gave, a verdict.

The ladder has one rung a part, from the first thing to get right to the last. All rungs are judged, so that
each part earns its points by itself; only the first that fails is explained.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder import probe, values
from autograder.exercise import (
    Case,
    Key,
    Line,
    MistakenAnswers,
    Observation,
    Part,
    Problem,
    RandomSource,
    Tensor,
    Verdict,
    WordVectors,
)


def climb(key: Key, answers: probe.Answers) -> Verdict:
    """Judge `answers` by `key`. The answers' observations stand in the order of the key's cases."""
    hidden = any(case.hidden for case in key.cases)
    if answers.state != probe.ASKED or len(answers.observations) != len(key.cases):
        lines = tuple(Line(part.title, False, part.points) for part in key.parts)
        state = "not started" if answers.state == probe.NOT_STARTED else "wrong"
        return Verdict(key.exercise, state, lines, _nothing_to_judge(key, answers.state), hidden=hidden)
    lines, first = _judge_parts(key, answers.observations)
    if first is None:
        return Verdict(key.exercise, "right", lines, hidden=hidden)
    named = _name_mistake(key, answers.observations, *first)
    if named is None:
        return Verdict(key.exercise, "wrong", lines, hidden=hidden)
    return Verdict(
        key.exercise, "wrong", lines, (), named.name, named.looks_like, named.question, hidden=hidden
    )


def _nothing_to_judge(key: Key, state: str) -> tuple[str, ...]:
    names = ", ".join(key.values) or key.exercise
    if state == probe.NOT_STARTED:
        return ("not started yet: fill in the TODO and run the cell",)
    if state == probe.MISSING:
        return (f"{names} is not defined: run the cell above, or bring it back",)
    if state == probe.NOT_CALLABLE:
        return (f"{names} is not a function or class any more; expected {key.signature}",)
    return (f"no answer came back ({state})",)


def _judge_parts(
    key: Key, seen: Sequence[Observation]
) -> tuple[tuple[Line, ...], tuple[Part, Problem] | None]:
    lines: list[Line] = []
    first: tuple[Part, Problem] | None = None
    for part in key.parts:
        found = _first_problem(key, part, seen)
        details: tuple[str, ...] = ()
        if found and first is None:
            case, problem = found
            first, details = (part, problem), _explain(key, case, problem)
        lines.append(Line(part.title, found is None, part.points, details))
    return tuple(lines), first


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
    text = f"your code raised {seen.error.kind}: {seen.error.message}"
    return Problem(text, f"at   {seen.error.line}" if seen.error.line else f"expected   {key.signature}")


def _explain(key: Key, case: Case, problem: Problem) -> tuple[str, ...]:
    lines = [case.label] if case.label else []
    if case.args or case.kwargs:
        lines.append(_inputs(key, case))
    if case.hidden:
        secret = "" if problem.what.startswith(("values differ", "shape")) else problem.what
        lines.append(secret or "your answer differs here; these inputs are hidden, their sizes are above")
    elif problem.expected:
        lines.extend(_both_sides(problem))
    else:
        lines.extend(text for text in (problem.what, problem.got) if text)
    return tuple(lines)


def _both_sides(problem: Problem) -> list[str]:
    if "\n" in problem.got + problem.expected:
        return [problem.what, "got", *problem.got.split("\n"), "expected", *problem.expected.split("\n")]
    return [f"{problem.what}   {problem.got}", f"expected   {problem.expected}"]


def _inputs(key: Key, case: Case) -> str:
    names = [name.split("=")[0].strip(" *") for name in key.signature.split("(", 1)[1].split(")")[0].split(",")]
    named = {**dict(zip(names, case.args)), **case.kwargs}
    return "   ".join(f"{name} {_in_short(value)}" for name, value in named.items() if value is not None)


def _in_short(value: object) -> str:
    if isinstance(value, Tensor):
        value = value.array
    if isinstance(value, np.ndarray):
        return str(value.shape)
    if isinstance(value, RandomSource):
        return f"= default_rng({value.seed})"
    if isinstance(value, WordVectors):
        return f"of {len(value.words)} words" if value.words else "(the bundled set)"
    text = repr(value)
    return f"= {text}" if len(text) <= 60 else f"= {text[:57]}…"


def _name_mistake(
    key: Key, seen: Sequence[Observation], part: Part, problem: Problem
) -> MistakenAnswers | None:
    """The misconception that explains an answer: by what a rule saw, else by the answers it gives.

    Of the cases on which the answer or the misconception is wrong, they must agree on at least half, or on
    all that the first failing part looks at; the one that agrees on most is named.
    """
    if problem.misconception:
        return next((m for m in key.mistakes if m.name == problem.misconception), None)
    everywhere, here = range(len(key.cases)), cases_of(key, part)
    best, best_share = None, 0.0
    for mistake in key.mistakes:
        for variant in mistake.observations:
            overall, local = _agreement(key, variant, seen, everywhere), _agreement(key, variant, seen, here)
            if (overall >= 0.5 or local == 1.0) and overall > best_share:
                best, best_share = mistake, overall
    return best


def _agreement(
    key: Key, mistaken: Sequence[Observation], seen: Sequence[Observation], positions: Sequence[int]
) -> float:
    """The share of the telling cases on which an answer does what a misconception does."""
    agreed = [_same(seen[i], mistaken[i], key.cases[i].tolerance) for i in positions if _telling(key, mistaken, seen, i)]
    return sum(agreed) / len(agreed) if agreed else 0.0


def _telling(key: Key, mistaken: Sequence[Observation], seen: Sequence[Observation], i: int) -> bool:
    expected, tolerance = key.expected[i], key.cases[i].tolerance
    return not (_same(mistaken[i], expected, tolerance) and _same(seen[i], expected, tolerance))


def _same(one: Observation, other: Observation, tolerance: float) -> bool:
    if one.error or other.error:
        return bool(one.error and other.error) and one.error.kind == other.error.kind
    if not values.close(one.value, other.value, tolerance):
        return False
    arrays = [(a, b) for a, b in zip(one.after, other.after) if isinstance(b, np.ndarray)]
    return all(values.close(a, b, tolerance) for a, b in arrays)

"""From an answer key and what an answer gave, a verdict.

The ladder has one rung a part, from the first thing to get right to the last. All rungs are looked at, so that
each part earns its points by itself; only the first that does not hold is explained.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from textwrap import wrap
from typing import Any

import numpy as np

from autograder.model import concealed, kinds, values, wire
from autograder.model.exercise import (
    Case,
    CasePutBy,
    Key,
    MistakenAnswers,
    NotReached,
    Observation,
    Part,
    Problem,
)
from autograder.model.verdict import Line, Sight, State, Verdict
from autograder.student import probe
from autograder.student.naming import name_mistake
from autograder.student.slips import SLIPS, Slip, ask_mended, with_slip

RAISED = "your code raised"

MAX_SHOWN, MAX_TEXT = 12, 160
"""Entries of an argument that is shown in full, and characters of one that is no array."""

WIDTH = 84
"""Characters of a line of a verdict."""

IN_LINE = "in the line   "
"""What stands before a line of the student's code, which is not broken."""

LARGE = 100
"""Beyond which a number in an input is special, as a score of which `exp` overflows."""


def best(key: Key, *attempts: probe.Answers) -> Verdict:
    """The verdict on the attempt that earns most; where both do, on the one with stand-ins, the last."""
    return _verdict(key, *_best(key, attempts))


def all_right(key: Key, answers: probe.Answers) -> bool:
    """Whether an answer is all right, as `best` says it; no part behind the first that is wrong is looked at."""
    return all(look.sight is Sight.HELD for look in _look_at_all(key, answers))


def with_its_slip(
    key: Key, question: probe.Question, answers: probe.Answers, namespace: dict[str, Any]
) -> probe.Answers:
    """What an answer in this process gave, with the slip that explains what is wrong with it, see `with_slip`."""

    def right(given: probe.Answers) -> bool:
        return all_right(first_part(key, len(given.observations)), given)

    return with_slip(answers, question, partial(ask_mended, namespace=namespace), right)


def best_of(key: Key, attempts: Sequence[probe.Answers]) -> probe.Answers:
    """The attempt that `best` is about."""
    return _best(key, attempts)[0]


def _best(key: Key, attempts: Sequence[probe.Answers]) -> tuple[probe.Answers, list[_Look]]:
    def points(one: tuple[probe.Answers, list[_Look]]) -> int:
        return sum(part.points for part, look in zip(key.parts, one[1]) if look.sight is Sight.HELD)

    return max(((answers, [*_look_at_all(key, answers)]) for answers in reversed(attempts)), key=points)


def unjudged(key: Key, state: State, *why: str) -> Verdict:
    """The verdict on an answer that could not be judged, and why."""
    lines = tuple(Line(part.title, Sight.NOT_REACHED, part.points) for part in key.parts)
    hidden = any(case.hidden for case in key.cases)
    return Verdict(key.exercise, state, lines, why, hidden=hidden, graded=key.graded and not key.values)


@dataclass(frozen=True)
class _Look:
    """What was seen of a part, and on which case; without a problem where it held on all."""

    sight: Sight
    case: Case | None = None
    problem: Problem | None = None


def _verdict(key: Key, answers: probe.Answers, looks: Sequence[_Look]) -> Verdict:
    if not _can_be_judged(key, answers):
        untouched = answers.state == probe.NOT_STARTED and (key.values or not answers.similar)
        state = State.NOT_STARTED if untouched else State.WRONG
        return unjudged(key, state, *_nothing_to_judge(key, answers))
    first = next((i for i, look in enumerate(looks) if look.sight is not Sight.HELD), None)
    verdict = Verdict(
        key.exercise,
        State.RIGHT if first is None else State.WRONG,
        tuple(
            Line(
                part.title, look.sight, part.points, _explain(key, part, look, answers) if i == first else ()
            )
            for i, (part, look) in enumerate(zip(key.parts, looks))
        ),
        hidden=any(case.hidden for case in key.cases),
        graded=key.graded and not key.values,
        library=tuple(name for name in answers.library if name in key.library.values()),
    )
    slip = SLIPS.get(answers.slip)
    named: MistakenAnswers | Slip | None = slip
    if first is not None and (slip is None or slip.vague):
        named = _name(key, answers, looks) or slip
    if named is None:
        return verdict
    return replace(verdict, misconception=named.name, looks_like=named.looks_like, question=named.question)


def _name(key: Key, answers: probe.Answers, looks: Sequence[_Look]) -> MistakenAnswers | None:
    """The misconception behind a wrong answer, the same in check and grading: by the visible cases, where it fails."""
    told: list[tuple[Key, probe.Answers, Iterable[_Look]]] = [(key, answers, looks)]
    visible = visible_part(key)
    if visible is not key:
        seen = replace(answers, observations=answers.observations[: len(visible.cases)])
        told.insert(0, (visible, seen, _look_at_all(visible, seen)))
    for some, given, found in told:
        for part, look in zip(key.parts, found):
            if look.problem is not None:
                return name_mistake(some, given.observations, cases_of(some, part), look.problem)
    return None


def visible_part(key: Key) -> Key:
    """The key of the visible cases, which stand before the hidden ones."""
    return first_part(key, sum(not case.hidden for case in key.cases))


def first_part(key: Key, number: int) -> Key:
    """The key of this many cases, the first ones."""
    if number == len(key.cases):
        return key
    return replace(key, cases=key.cases[:number], expected=key.expected[:number])


def _can_be_judged(key: Key, answers: probe.Answers) -> bool:
    return answers.state == probe.ASKED and len(answers.observations) == len(key.cases)


def _nothing_to_judge(key: Key, answers: probe.Answers) -> tuple[str, ...]:
    names = ", ".join(key.values) or key.exercise
    similar = f"there is a {answers.similar}: is that meant?" if answers.similar else ""
    if answers.state == probe.NOT_STARTED:
        if similar and not key.values:
            return (f"{names} is still a TODO: {similar}",)
        return (f"not started yet: {similar or 'fill in the TODO and run the cell'}",)
    if answers.state == probe.MISSING:
        are = "are" if len(key.values) > 1 else "is"
        return (f"{names} {are} not defined: {similar or 'run the cell above, or bring it back'}",)
    if answers.state == probe.NOT_CALLABLE:
        return (f"{names} is not a function or class any more; expected {key.signature}",)
    return (f"no answer came back ({answers.state})",)


def _look_at_all(key: Key, answers: probe.Answers) -> Iterator[_Look]:
    """What was seen of each part, which is looked at when it is asked for."""
    if not _can_be_judged(key, answers):
        yield from (_Look(Sight.NOT_REACHED) for _ in key.parts)
        return
    always = _always_fails(key, answers.observations)
    for part in key.parts:
        look = _look(key, part, answers.observations)
        if always and look.sight is Sight.HELD:
            look = _Look(Sight.NOT_REACHED, key.cases[0], Problem("every call of it ended in an error"))
        yield look


def _always_fails(key: Key, seen: Sequence[Observation]) -> bool:
    """Whether nothing ever came back: such an answer has raised no error on purpose."""
    wanted = any(expected.error is None for expected in key.expected)
    return wanted and all(one.error is not None and one.built is None for one in seen)


def cases_of(key: Key, part: Part) -> list[int]:
    """The positions of the cases that a part looks at, visible ones first."""
    chosen = [i for i, case in enumerate(key.cases) if not part.tags or case.tag in part.tags]
    return sorted(chosen, key=lambda i: key.cases[i].hidden)


def _look(key: Key, part: Part, seen: Sequence[Observation]) -> _Look:
    """A part fails where its property was seen to fail; it holds where it was seen to hold on every case."""
    look = _climb(key, part, seen)
    if look.sight is not Sight.FAILED or not part.plain:
        return look
    without = _climb(key, _plain(part), seen)
    if without.sight is Sight.HELD or overflows(key, part, seen):
        return look
    return replace(look, sight=Sight.NOT_REACHED)


def overflows(key: Key, part: Part, seen: Sequence[Observation]) -> bool:
    """Whether numbers that are not finite came back on a part's cases, and on none of its plain ones."""
    return not _finite(key, part, seen) and _finite(key, _plain(part), seen)


def _finite(key: Key, part: Part, seen: Sequence[Observation]) -> bool:
    return all(values.finite(seen[i].value) for i in cases_of(key, part))


def _plain(part: Part) -> Part:
    return replace(part, tags=part.plain)


def _climb(key: Key, part: Part, seen: Sequence[Observation], cases: Sequence[int] | None = None) -> _Look:
    unseen: _Look | None = None
    for i in cases_of(key, part) if cases is None else cases:
        try:
            problem = _ask_rule(key, part, key.cases[i], seen[i], key.expected[i])
        except NotReached as reason:
            unseen = unseen or _Look(Sight.NOT_REACHED, key.cases[i], reason.problem)
        else:
            if problem:
                return _Look(Sight.FAILED, key.cases[i], problem)
    return unseen or _Look(Sight.HELD)


def explained_case(key: Key, answers: probe.Answers) -> int | None:
    """Return the position of the case that the verdict on these answers explains; None where it explains none."""
    judged = zip(key.parts, _look_at_all(key, answers)) if _can_be_judged(key, answers) else ()
    for part, look in judged:
        if look.sight is not Sight.HELD:
            case = _simplest(key, part, look, answers.observations).case
            return next((i for i, one in enumerate(key.cases) if one is case), None)
    return None


def _simplest(key: Key, part: Part, look: _Look, seen: Sequence[Observation]) -> _Look:
    """Return what was seen of a part on the simplest of the cases that show why it does not hold, visible ones first.

    While the rule fails on plain cases, these are the simpler ones.
    """
    for explained in (_plain(part), part) if part.plain and look.sight is Sight.NOT_REACHED else (part,):
        looks = [_climb(key, explained, seen, [i]) for i in cases_of(key, explained)]
        for sight in (Sight.FAILED, Sight.NOT_REACHED):
            alike = [(one.case, one) for one in looks if one.case is not None and one.sight is sight]
            if alike:
                _, simplest = min(alike, key=lambda pair: (pair[0].hidden, *complexity(pair[0])))
                return replace(simplest, sight=look.sight)
    return look


def complexity(case: Case) -> tuple[bool, bool, int, int]:
    """Return what a simpler case has less of: many calls, numbers that are special, entries, letters when written."""
    arguments = [kinds.after(one) for one in (*case.args, *case.kwargs.values())]
    numbers = [one.astype(float) for one in map(values.as_numbers, arguments) if one is not None]
    special = any(not (np.abs(one) <= LARGE).all() for one in numbers)
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


def _ask_rule(key: Key, part: Part, case: Case, seen: Observation, expected: Observation) -> Problem | None:
    error = seen.error
    there = seen.built is not None if part.built else error is None
    if there or error is None or expected.error is not None:
        return part.rule(case, seen, expected)
    if not error.kind:
        raise NotReached(error.message)
    where = f"{IN_LINE}{error.line}" if error.line else f"it is called as   {key.signature}"
    raise NotReached(f"{RAISED} {': '.join(filter(None, (error.kind, error.message)))}", where)


def _explain(key: Key, part: Part, look: _Look, answers: probe.Answers) -> tuple[str, ...]:
    look = _simplest(key, part, look, answers.observations)
    case, problem = look.case, look.problem
    if case is None or problem is None:
        return ()
    lines = [case.label] if case.label else []
    if case.args or case.kwargs:
        lines.extend(_inputs(key, case))
    if problem.argument is not None:
        lines.append(f"about {[*named(key, case)][problem.argument]}:")
    if case.hidden:
        lines.append(_without_values(problem))
    elif problem.expected:
        lines.extend(_both_sides(problem))
    else:
        lines.extend(text for text in (problem.what, problem.got) if text)
    if key.values:
        lines.extend(_remarks(key, answers.observations[0].value, problem.said))
    return tuple(piece for line in lines for piece in _broken(line))


def _remarks(key: Key, given: Mapping[str, Any], about: Collection[str]) -> Iterator[str]:
    """Return what to say of the form of values that are wrong; about: the names that a rule spoke of, if it did."""
    expected = key.expected[0].value
    known = [
        expected,
        *(one.value for mistake in key.mistakes for seen in mistake.observations for one in seen),
    ]
    for name in about or expected:
        if given.get(name) is not None:
            same_kind = [value for one in known for value in concealed.listed_values(one.get(name, []))]
            texts = [value for one in known for of in one.values() for value in concealed.listed_values(of)]
            listed = texts if any(isinstance(value, str) for value in same_kind) else same_kind
            said = concealed.remarks(given[name], expected[name], listed)
            yield from (f"{name}: {one}" for one in said)


def _broken(line: str) -> list[str]:
    """Break a line that is too wide between its words; the student's own code stays as it is."""
    if len(line) <= WIDTH or line.startswith(IN_LINE):
        return [line]
    label = re.match(r"(got|expected) +", line)
    indented = " " * (label.end() if label else 2)
    return wrap(line, WIDTH, subsequent_indent=indented, break_long_words=False, break_on_hyphens=False)


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


def _inputs(key: Key, case: Case) -> list[str]:
    """Return the arguments in one line where they fit, else each in a line of its own."""
    given = named(key, case).items()
    told = [f"{name} {_in_short(value, case.hidden)}" for name, value in given if value is not None]
    line = "   ".join(told)
    return [line] if len(line) <= WIDTH else told


def named(key: Key, case: Case) -> dict[str, object]:
    """The arguments by their names in the signature."""
    called = f"{key.signature} of ".partition(") of ")[0]
    names = [node.arg for node in ast.walk(ast.parse(f"def {called}): ...")) if isinstance(node, ast.arg)]
    return {**dict(zip(names, case.args)), **case.kwargs}


def _in_short(value: object, hidden: bool) -> str:
    if isinstance(value, kinds.Tensor):
        value = value.array
    kind = kinds.declared_kind(value)
    if kind is not None:
        return kind.in_short(value, hidden)
    if isinstance(value, tuple) and any(map(kinds.declared_kind, value)):
        return f"({', '.join(_in_short(item, hidden) for item in value)})"
    if isinstance(value, np.ndarray):
        return str(value.shape) if hidden or value.size > MAX_SHOWN else f"= {_in_full(value)}"
    if hidden:
        return f"of length {len(value)}" if isinstance(value, (str, list, tuple)) else "(hidden)"
    text, most = repr(value), MAX_TEXT if _entries(value) <= MAX_SHOWN else 60
    return f"= {text}" if len(text) <= most else f"= {text[: most - 3]}…"


def _in_full(numbers: np.ndarray) -> str:
    """Return an array in one line, with four figures behind the point."""
    return " ".join(values.show_numbers(numbers, 4).split()).replace("[ ", "[")

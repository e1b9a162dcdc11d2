"""Which misconception an answer makes, if it is one of those that are known.

A name is given only where nothing that was seen speaks against it:

- a rule saw the mistake itself, and said so; or
- where values are asked for, those that the first broken part is about are what one mistake alone gives; or
- the answer does what the mistake does, on every case that tells the mistake from what is right. Where an answer is
  wrong in yet other places, it must agree with the mistake on all that the first broken part looks at. Where it is
  right in some places in which the mistake is not, these must have something in common, as a branch of its own for
  what looks special: a trait of the case that no case has on which it is wrong, or whole rows of what comes back.

That an answer raises the same error as a mistake proves nothing: one value at least must agree as well. Only a mistake
that says no more than on which inputs an answer fails may be named by errors, see `Exercise.by_error`. Errors agree
when their type does and the sizes they speak of.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds, values
from autograder.exercises.exercise import AnswerKey, Case, MistakenAnswers, Observation, Problem


def name_mistake(
    key: AnswerKey, seen: Sequence[Observation], here: Collection[int], problem: Problem
) -> MistakenAnswers | None:
    """The misconception that explains an answer; None where there is none, or more than one.

    here: the positions of the cases that the first part that does not hold looks at; problem: what was seen there.
    """
    if problem.misconception:
        return next((m for m in key.mistakes if m.name == problem.misconception), None)
    if problem.compared:
        compared = [{**answer.value, **problem.compared} for answer in seen]
        seen = [replace(answer, value=value, again=value) for answer, value in zip(seen, compared)]
    right = [is_right(seen[i], key.expected[i], case.tolerance) for i, case in enumerate(key.cases)]
    cases = enumerate(key.cases)  # costly ones last: a mistake that others speak against is not asked them
    order = [i for *_, i in sorted((case.hidden, case.once, i not in here, i) for i, case in cases)]
    judged = _Judged(key, seen, right, frozenset(here), order)
    told = [
        [(given, _explains(judged, given, mistake.by_error)) for given in mistake.observations]
        for mistake in key.mistakes
    ]
    if not any(how for ways in told for _, how in ways):
        left = ([given for given, how in ways if how is None] for ways in told)
        told = [[(given, _explains_but_for_a_branch(judged, given)) for given in ways] for ways in left]
    best = [min((how for _, how in ways if how), key=HOW.index, default="") for ways in told]
    found = [[mistake for mistake, how in zip(key.mistakes, best) if how == one] for one in HOW]
    saying = [mistake for mistake in key.mistakes if _says(mistake, problem.compared)]
    return next((some[0] for some in (*found, saying) if len(some) == 1), None)


@dataclass(frozen=True)
class _Judged:
    """An answer: what it gave for each case, and whether that is right.

    here: as in `name_mistake`; order: the positions of the cases, as they are to be looked at.
    """

    key: AnswerKey
    seen: Sequence[Observation]
    right: Sequence[bool]
    here: Collection[int]
    order: Sequence[int]


HOW = ("wholly", "partly", "wholly but for a branch", "partly but for a branch")
"""How a mistake may explain an answer: all that is wrong, or what is wrong here, and nothing speaks against it;
or so but for places that have something in common, in which the answer is right and the mistake is not."""


def _says(mistake: MistakenAnswers, said: Mapping[str, Any]) -> bool:
    """Return whether a mistake, written in one of its ways, gives these values."""
    values_of = (seen.value for variant in mistake.observations for seen in variant)
    return bool(said) and any(
        all(values.are_close(said[name], value[name], 0.0) for name in said) for value in values_of
    )


def _explains(judged: _Judged, mistaken: Sequence[Observation], by_error: bool) -> str | None:
    """How a mistake explains an answer, "" where too little speaks for it, None where something speaks against it.

    Unless the mistake may be named by errors alone, these say too little.
    """
    key, seen, here = judged.key, judged.seen, judged.here
    agreed, more = dict[int, bool](), len(here)
    for i in judged.order:
        tolerance, more = key.cases[i].tolerance, more - (i in here)
        if judged.right[i]:
            stands = is_right(mistaken[i], key.expected[i], tolerance)
        else:
            agreed[i] = is_same(seen[i], mistaken[i], tolerance) and is_steady(seen[i], tolerance)
            stands = agreed[i] or bool(_explained(agreed, mistaken, here, more))
        if not stands:
            return None
    shown = any(agreed[i] and _shows_more_than_an_error(mistaken[i], key.expected[i]) for i in agreed)
    return _explained(agreed, mistaken, here) if shown or by_error else ""


def _shows_more_than_an_error(mistaken: Observation, expected: Observation) -> bool:
    """Return whether a mistake shows in a value, or in how a module was made."""
    return mistaken.error is None or (
        mistaken.built is not None and not values.are_close(mistaken.built, expected.built, 0.0)
    )


def _explains_but_for_a_branch(judged: _Judged, mistaken: Sequence[Observation]) -> str:
    """How a mistake explains an answer that does not make it where something special is the case, or "".

    Looked at are the visible cases: what is special in those of one student may be chance.
    """
    key, seen, right = judged.key, judged.seen, judged.right
    visible = [i for i in judged.order if not key.cases[i].hidden]
    failing = [i for i in visible if not right[i]]
    agreed, rows = dict[int, bool](), list[tuple[int, int]]()
    for i in failing:
        tolerance = key.cases[i].tolerance
        told = _row_by_row(seen[i], key.expected[i], mistaken[i], tolerance)
        agreed[i] = told is not None and is_steady(seen[i], tolerance)
        rows += [told] if told and agreed[i] else []
        if 2 * list(agreed.values()).count(False) >= len(failing):
            return ""
    held = [i for i in agreed if agreed[i]]
    shows_mistake, shows_branch = (sum(some) for some in zip(*rows)) if rows else (0, 0)
    alike = sum(mistake > 0 for mistake, _ in rows)
    if alike < 2 or shows_mistake <= shows_branch:
        return ""
    excused = [
        i for i in visible if right[i] and not is_right(mistaken[i], key.expected[i], key.cases[i].tolerance)
    ]
    how = _explained(agreed, mistaken, judged.here) if _have_in_common(key, excused, held) else ""
    return f"{how} but for a branch" if how else ""


def _row_by_row(
    seen: Observation, expected: Observation, mistaken: Observation, tolerance: float
) -> tuple[int, int] | None:
    """In how many rows an answer to one case does what a mistake does, and in how many only what is right.

    None where it does neither in some row. Errors prove nothing, nor do they speak against it where both raise one.
    """
    if seen.error or mistaken.error:
        return (0, 0) if seen.error and mistaken.error else None
    if is_same(seen, mistaken, tolerance):
        return 1, 0
    if expected.error or not _same_after(seen, expected, tolerance):
        return None
    as_right, as_wrong = (
        values.compare_rows(seen.value, one.value, tolerance) for one in (expected, mistaken)
    )
    if not as_wrong or len(as_right) != len(as_wrong):
        return None
    if not all(one or other for one, other in zip(as_right, as_wrong)):
        return None
    return as_right.count(False), as_wrong.count(False)


def _have_in_common(key: AnswerKey, excused: Sequence[int], agreed: Sequence[int]) -> bool:
    """Whether the cases that are excused have a trait that none has of those on which the mistake was seen."""
    if not excused:
        return True
    common = set.intersection(*(_traits(key.cases[i]) for i in excused))
    return bool(common.difference(*(_traits(key.cases[i]) for i in agreed)))


def _traits(case: Case) -> set[tuple[Any, ...]]:
    """What may be special about a case: its tag, which arguments there are, their axes, a length of 1, a number."""
    found: set[tuple[Any, ...]] = {("tag", case.tag), ("arguments", len(case.args), *case.kwargs)}
    for name, argument in (*enumerate(case.args), *case.kwargs.items()):
        value = argument_kinds.describe_unchanged(argument)
        if value is None or isinstance(value, (bool, int, float, str)):
            found.add((name, value))
            continue
        numbers = values.as_numbers(value)
        shape = numbers.shape if numbers is not None else (len(value),) if isinstance(value, list) else ()
        found |= {(name, "axes", len(shape)), (name, "one", shape[:1] == (1,))}
        found |= {(name, "one along", -axis) for axis in range(1, len(shape) + 1) if shape[-axis] == 1}
    return found


def _explained(
    agreed: Mapping[int, bool],
    mistaken: Sequence[Observation],
    here: Collection[int],
    more: int = 0,
) -> str:
    """How far the cases on which answer and mistake agreed, or did not, speak for it.

    more: how many cases here are still to be looked at, which are counted as if they spoke for it.
    """
    if all(agreed.values()):
        return "wholly"
    local = [same for i, same in agreed.items() if i in here]
    proofs = sum(same and mistaken[i].error is None for i, same in agreed.items() if i in here)
    enough = proofs + more >= max(2, (len(local) + more) / 2)
    return "partly" if (proofs + more and all(local)) or enough else ""


def is_steady(seen: Observation, tolerance: float) -> bool:
    """Whether what came back did not waver when it was asked for again: what does proves nothing."""
    return seen.again is None or values.are_close(seen.again, seen.value, tolerance)


def is_right(seen: Observation, expected: Observation, tolerance: float) -> bool:
    """Whether an answer to one case is what is expected; of an error, in whatever words."""
    if expected.error is not None:
        return seen.error is not None and seen.error.kind == expected.error.kind
    return is_same(seen, expected, tolerance)


def is_same(one: Observation, other: Observation, tolerance: float) -> bool:
    """Whether two answers to one case are the same to the judge."""
    if one.error is not None or other.error is not None:
        said = [error and (error.kind, _told_by(error.message)) for error in (one.error, other.error)]
        return said[0] == said[1] and values.are_close(one.built, other.built, 0.0)
    if not values.are_close(one.value, other.value, tolerance) or not values.are_close(
        one.built, other.built, 0.0
    ):
        return False
    return _same_after(one, other, tolerance)


def _same_after(one: Observation, other: Observation, tolerance: float) -> bool:
    """Whether two answers to one case leave its arrays the same."""
    arrays = [(a, b) for a, b in zip(one.after, other.after) if isinstance(b, np.ndarray)]
    return all(values.are_close(a, b, tolerance) for a, b in arrays)


def _told_by(message: str) -> list[str]:
    """What identifies an error's text: the sizes in it, in any order; where it has none, the text itself."""
    return sorted(re.findall(r"\d+", message)) or [message]

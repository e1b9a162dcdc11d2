"""Which misconception an answer makes, if it is one of those that are known.

A name is given only where nothing that was seen speaks against it:

- a rule saw the mistake itself, and said so; or
- where values are asked for, those that the first broken part is about are what one mistake alone gives; or
- the answer does what the mistake does, on every case that tells the mistake from what is right. Where an answer is
  wrong in yet other places, it must agree with the mistake on all that the first broken part looks at.

That an answer raises the same error as a mistake proves little: errors agree when their type does and the sizes they
speak of, and where there is more that is wrong, one value at least must agree as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.model import values
from autograder.model.exercise import Key, MistakenAnswers, Observation, Problem


def name_mistake(
    key: Key, seen: Sequence[Observation], here: Collection[int], problem: Problem
) -> MistakenAnswers | None:
    """The misconception that explains an answer; None where there is none, or more than one.

    here: the positions of the cases that the first part that does not hold looks at; problem: what was seen there.
    """
    if problem.misconception:
        return next((m for m in key.mistakes if m.name == problem.misconception), None)
    if problem.said:
        seen = [_in_compared_form(one, problem.said) for one in seen]
    right = [_is_right(seen[i], key.expected[i], case.tolerance) for i, case in enumerate(key.cases)]
    here = frozenset(here)
    order = sorted(range(len(key.cases)), key=lambda i: (key.cases[i].hidden, i not in here))
    wholly, partly = [], []
    for mistake in key.mistakes:
        found = {_explains(key, variant, seen, right, here, order) for variant in mistake.observations}
        if "wholly" in found:
            wholly.append(mistake)
        elif "partly" in found:
            partly.append(mistake)
    saying = [mistake for mistake in key.mistakes if _says(mistake, problem.said)]
    return next((found[0] for found in (wholly, partly, saying) if len(found) == 1), None)


def _in_compared_form(seen: Observation, said: Mapping[str, Any]) -> Observation:
    value = {**seen.value, **said}
    return replace(seen, value=value, again=value)


def _says(mistake: MistakenAnswers, said: Mapping[str, Any]) -> bool:
    """Whether a mistake, written in one of its ways, gives these values."""
    given = [one.value for variant in mistake.observations for one in variant] if said else []
    return any(all(values.close(said[name], value[name], 0.0) for name in said) for value in given)


def _explains(
    key: Key,
    mistaken: Sequence[Observation],
    seen: Sequence[Observation],
    right: Sequence[bool],
    here: Collection[int],
    order: Sequence[int],
) -> str:
    """Whether a mistake explains an answer "wholly", "partly" (here, and nothing speaks against it), or not, "".

    order: the positions of the cases, as they are to be looked at.
    """
    agreed, more = dict[int, bool](), len(here)
    for i in order:
        tolerance, more = key.cases[i].tolerance, more - (i in here)
        if right[i] and not _is_right(mistaken[i], key.expected[i], tolerance):
            return ""
        if not right[i]:
            agreed[i] = same(seen[i], mistaken[i], tolerance) and _is_steady(seen[i], tolerance)
            if not agreed[i] and not _explained(agreed, mistaken, here, more):
                return ""
    return _explained(agreed, mistaken, here)


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


def _is_steady(seen: Observation, tolerance: float) -> bool:
    """Whether what came back did not waver when it was asked for again: what does proves nothing."""
    return seen.again is None or values.close(seen.again, seen.value, tolerance)


def _is_right(seen: Observation, expected: Observation, tolerance: float) -> bool:
    """Whether an answer to one case is what is expected; of an error, in whatever words."""
    if expected.error is not None:
        return seen.error is not None and seen.error.kind == expected.error.kind
    return same(seen, expected, tolerance)


def same(one: Observation, other: Observation, tolerance: float) -> bool:
    """Whether two answers to one case are the same to the judge."""
    if one.error is not None or other.error is not None:
        said = [error and (error.kind, _told_by(error.message)) for error in (one.error, other.error)]
        return said[0] == said[1] and values.close(one.built, other.built, 0.0)
    if not values.close(one.value, other.value, tolerance) or not values.close(one.built, other.built, 0.0):
        return False
    arrays = [(a, b) for a, b in zip(one.after, other.after) if isinstance(b, np.ndarray)]
    return all(values.close(a, b, tolerance) for a, b in arrays)


def _told_by(message: str) -> list[str]:
    """What identifies an error's text: the sizes in it, in any order; where it has none, the text itself."""
    return sorted(re.findall(r"\d+", message)) or [message]

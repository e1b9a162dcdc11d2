"""How some cases of this lesson are put to an answer: call after call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograder.exercises.exercise import Case

Answer = Callable[..., Any]


def in_turn(answer: Answer, case: Case, arguments: Sequence[Any]) -> Any:
    """The words of Q, K and V in pieces, so many a call as `facts["cut"]` says; what is kept goes from call to call.

    A tuple: the outputs of all calls, and what is kept in the end; or what came back in place of such a pair.
    """
    outputs, kept, start = [], None, 0
    for m in case.facts["cut"]:
        piece = [one[:, start : start + m] for one in arguments]
        found = answer(*piece) if kept is None else answer(*piece, kept)
        if not isinstance(found, (tuple, list)) or len(found) != 2:
            return found
        outputs.append(found[0])
        kept, start = found[1], start + m
    return tuple(outputs), kept

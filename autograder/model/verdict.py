"""The judgement on one answer, and the form in which it is kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class State(StrEnum):
    """How an answer stands."""

    RIGHT = "right"
    WRONG = "wrong"
    NOT_STARTED = "not started"


@dataclass(frozen=True)
class Line:
    """One line of a verdict; `details` explain a failure in short lines of text."""

    title: str
    passed: bool
    points: int
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """The judgement on one answer.

    problem: why nothing could be judged (the name is missing, it is not callable …), else empty.
    misconception, looks_like, question: of the misconception that explains it, else empty.
    hidden: whether hidden cases were among those looked at.
    graded: False where there is nothing to earn.
    library: the library functions that did what the student was to write.
    mend_first: an earlier exercise that this one may call and that is not right yet, else empty.
    """

    exercise: str
    state: State
    lines: tuple[Line, ...]
    problem: tuple[str, ...] = ()
    misconception: str = ""
    looks_like: str = ""
    question: str = ""
    hidden: bool = False
    graded: bool = True
    library: tuple[str, ...] = ()
    mend_first: str = ""

    @property
    def passed(self) -> int:
        return sum(line.passed for line in self.lines)

    @property
    def points(self) -> int:
        return sum(line.points for line in self.lines if line.passed)

    @property
    def max_points(self) -> int:
        return sum(line.points for line in self.lines)


def write(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain data, for `read`."""
    return dataclasses.asdict(verdict)


def read(data: Any) -> Verdict | None:
    """The verdict behind what `write` gave, or what JSON made of that; None for anything else."""
    if not isinstance(data, Mapping):
        return None
    try:
        lines = tuple(Line(**{**line, "details": tuple(line["details"])}) for line in data["lines"])
        texts = {name: tuple(data[name]) for name in ("problem", "library")}
        return Verdict(**{**data, **texts, "lines": lines, "state": State(data["state"])})
    except (KeyError, TypeError, ValueError):
        return None

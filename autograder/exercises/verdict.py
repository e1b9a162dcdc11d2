"""The judgement on one answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from autograder.exercises.limits import MAX_VERDICT_LINE, MAX_VERDICT_LINES
from autograder.exercises.text import clean_text


class State(StrEnum):
    """How an answer stands."""

    RIGHT = "right"
    WRONG = "wrong"
    NOT_STARTED = "not started"


LAYOUT = "\n\t"


class Outcome(StrEnum):
    """The outcome of a criterion.

    It held on every case, it failed on one, nothing that came back could show it, or only hidden cases are about it.
    """

    PASSED = "held"
    FAILED = "failed"
    NOT_REACHED = "not reached"
    UNASKED = "only when graded"


@dataclass(frozen=True)
class CriterionResult:
    """A criterion's line of a verdict; `details` say why it does not hold, or why it was not reached."""

    title: str
    sight: Outcome
    points: int
    details: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        vars(self).update(details=_bounded(self.details))

    @property
    def passed(self) -> bool:
        """Return whether the criterion held on every case."""
        return self.sight is Outcome.PASSED

    @property
    def in_short(self) -> str:
        """Return its title, and why nothing was seen of it."""
        is_open = self.sight in (Outcome.NOT_REACHED, Outcome.UNASKED)
        return f"{self.title} ({self.sight})" if is_open else self.title


@dataclass(frozen=True)
class Verdict:
    """The judgement on one answer.

    problem: why nothing could be judged (the name is missing, it is not callable …), else empty.
    misconception, looks_like, question: of the misconception that explains it, else empty.
    hidden: whether hidden cases were among those that were tried.
    graded: whether grading tries more inputs; False where there is nothing to earn, and where values are asked for.
    library: the library functions that did what the student should have written.
    mend_first: an earlier exercise that this one may call and that is not right yet, else empty.
    overwritten: what to say of names that the notebook has overwritten and that the answer needs.
    cell_failed: the error in which the last run of its cell ended, so that an earlier answer, or none, was judged.
    """

    exercise: str
    state: State
    lines: tuple[CriterionResult, ...]
    problem: tuple[str, ...] = ()
    misconception: str = ""
    looks_like: str = ""
    question: str = ""
    hidden: bool = False
    graded: bool = True
    library: tuple[str, ...] = ()
    mend_first: str = ""
    cell_failed: str = ""
    overwritten: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        vars(self).update(
            problem=_bounded(self.problem), cell_failed=clean_text(self.cell_failed, allowed=LAYOUT)
        )

    @property
    def passed(self) -> int:
        """Return how many criteria passed."""
        return sum(line.passed for line in self.lines)

    @property
    def next_step(self) -> str:
        """Return in a few words what to get right first; empty where all is right."""
        if self.problem:
            return self.problem[0]
        settled = (Outcome.PASSED, Outcome.UNASKED)
        first = next((line for line in self.lines if line.sight not in settled), None)
        return first.in_short if first else ""

    @property
    def points(self) -> int:
        """Return the points of the criteria that passed."""
        return sum(line.points for line in self.lines if line.passed)

    @property
    def max_points(self) -> int:
        """Return the points of all criteria."""
        return sum(line.points for line in self.lines)


def _bounded(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(clean_text(line, MAX_VERDICT_LINE, LAYOUT) for line in lines[:MAX_VERDICT_LINES])

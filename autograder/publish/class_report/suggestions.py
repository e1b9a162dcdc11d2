"""What to speak about in the next lecture, from the counts of a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.model.verdict import State
from autograder.publish.class_report import statistics
from autograder.publish.class_report.records import ClassRecord
from autograder.publish.class_report.statistics import Held

AT_MOST = 3
LEAST_SHARE = 0.05
"""What fewer than this share of those who started have met (and fewer than two) is not for everybody."""


@dataclass(frozen=True)
class Suggestion:
    """what: the difficulty; exercises: where it shows; students: who met it; lost: points; start: how to begin."""

    what: str
    exercises: tuple[str, ...]
    students: tuple[str, ...]
    lost: float
    start: str


def suggest(record: ClassRecord) -> list[Suggestion]:
    """At most three, by the points they cost: misconceptions, lines where many are stuck for reasons that have no
    name, and the exercise that most did not begin."""
    found = [*_misconceptions(record), *_unnamed(record), *_not_begun(record)[:1]]
    met = [one for one in found if len(one.students) >= least(record)]
    return _costliest(met)[:AT_MOST]


def least(record: ClassRecord) -> int:
    """How many must have met a difficulty for it to be suggested."""
    return max(2, round(LEAST_SHARE * len(record.started)))


def _costliest(found: Sequence[Suggestion]) -> list[Suggestion]:
    return sorted(found, key=lambda one: -one.lost)


def _misconceptions(record: ClassRecord) -> list[Suggestion]:
    """One for each name, over all exercises of the lesson; in the words of the one where most hold it."""
    by_name: dict[str, list[Held]] = {}
    for held in statistics.misconceptions(record):
        by_name.setdefault(held.misconception, []).append(held)
    return [_of_one_name(held) for held in by_name.values()]


def _of_one_name(held: Sequence[Held]) -> Suggestion:
    return Suggestion(
        what=held[0].looks_like,
        exercises=tuple(one.exercise for one in held),
        students=tuple(dict.fromkeys(student for one in held for student in one.students)),
        lost=sum(one.lost for one in held),
        start=held[0].question,
    )


def _unnamed(record: ClassRecord) -> list[Suggestion]:
    return [
        Suggestion(
            what=f"stuck at “{rung.line}”, for reasons that no listed mistake explains",
            exercises=(rung.exercise,),
            students=rung.unnamed,
            lost=rung.lost,
            start=f"compare two of their answers, names removed: {' and '.join(rung.unnamed[:2])}.",
        )
        for rung in statistics.rungs(record)
    ]


def _not_begun(record: ClassRecord) -> list[Suggestion]:
    found = []
    for item in record.items:
        results = [(one.student, one.of(item)) for one in record.started]
        left = [(student, result) for student, result in results if result.state == State.NOT_STARTED]
        found.append(
            Suggestion(
                what="left as a TODO",
                exercises=(item,),
                students=tuple(student for student, _ in left),
                lost=sum(result.lost for _, result in left),
                start="begin it together, or give it more time.",
            )
        )
    return _costliest(found)

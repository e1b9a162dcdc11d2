"""The figures of a class, counted from its record. Nothing is shown here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from autograder.model.notes import Note
from autograder.model.verdict import State
from autograder.publish.class_report.records import ClassRecord, Result, Submission

TOO_FEW = 10
"""Below so many students a correlation says next to nothing."""

BINS = 10


@dataclass(frozen=True)
class Overview:
    """The points of those who started, over the items that are marked for all of them.

    median, lower, upper: the quartiles in points. histogram: how many students lie in each tenth of max_points.
    """

    students: int
    max_points: float
    median: float
    lower: float
    upper: float
    histogram: tuple[int, ...]


@dataclass(frozen=True)
class ItemStatistics:
    """How an item went, among those who started the notebook.

    states: how many are in each state.
    share: the mean share of its points, 0 to 1; None while an answer waits to be marked.
    discrimination: its corrected item-total correlation, -1 to 1, or None and `why_not` in a few words.
    """

    name: str
    max_points: float
    states: Mapping[str, int]
    share: float | None
    discrimination: float | None
    why_not: str


@dataclass(frozen=True)
class Held:
    """A misconception and who holds it in an exercise; `lost`: the points that they miss there.

    looks_like, question: in the verdict's words.
    """

    exercise: str
    misconception: str
    looks_like: str
    question: str
    students: tuple[str, ...]
    lost: float


@dataclass(frozen=True)
class Rung:
    """A line of an exercise's verdict, and whose first failing line it is.

    unnamed, lost: those of them whose mistake has no name, and the points that these miss in the exercise.
    """

    exercise: str
    line: str
    students: tuple[str, ...]
    unnamed: tuple[str, ...]
    lost: float


@dataclass(frozen=True)
class Stopped:
    """Who did nothing from an item on, having done something before."""

    item: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class Noted:
    """A note for the instructor, and whom it is about."""

    note: Note
    students: tuple[str, ...]


def overview(record: ClassRecord) -> Overview | None:
    """The class's points; None when nobody has started."""
    points = _points(record)
    if not points.size:
        return None
    totals, highest = points.sum(axis=1), sum(_max_points(record, item) for item in settled(record))
    lower, median, upper = np.quantile(totals, (0.25, 0.5, 0.75))
    histogram, _ = np.histogram(totals, bins=BINS, range=(0, highest))
    return Overview(
        len(totals), highest, float(median), float(lower), float(upper), tuple(map(int, histogram))
    )


def settled(record: ClassRecord) -> list[str]:
    """The items whose points are known for all who started."""
    return [
        item
        for item in record.items
        if all(submission.of(item).points is not None for submission in record.started)
    ]


def items(record: ClassRecord) -> list[ItemStatistics]:
    """Every item's figures, in the lesson's order; none when nobody has started."""
    if not record.started:
        return []
    return [_item(record, item) for item in record.items]


def _item(record: ClassRecord, name: str) -> ItemStatistics:
    highest = _max_points(record, name)
    states = Counter(submission.of(name).state for submission in record.started)
    if name not in settled(record):
        return ItemStatistics(name, highest, states, None, None, "not marked yet")
    points, column = _points(record), settled(record).index(name)
    share = float(points[:, column].mean() / highest)
    found, why_not = discrimination(points, column)
    return ItemStatistics(name, highest, states, share, found, why_not)


def discrimination(points: np.ndarray, column: int) -> tuple[float | None, str]:
    """An item's correlation with the sum of the others, or None and the reason why there is none.

    points: (students, items). The item itself is left out of the sum, which would else correlate with it by
    force: Henrysson, Correction of item-total correlations in item analysis, Psychometrika 28 (1963), 211-218.
    """
    if len(points) < TOO_FEW:
        return None, "too few"
    item, rest = points[:, column], np.delete(points, column, axis=1).sum(axis=1)
    if np.ptp(item) == 0 or np.ptp(rest) == 0:
        return None, "all alike"
    return float(np.corrcoef(item, rest)[0, 1]), ""


def misconceptions(record: ClassRecord) -> list[Held]:
    """Which misconception how many hold in which exercise, the most widespread first."""
    found = _grouped(
        record, lambda result: (result.item, result.misconception) if result.misconception else None
    )
    held = [
        Held(item, name, pairs[0][1].looks_like, pairs[0][1].question, _who(pairs), _lost(pairs))
        for (item, name), pairs in found.items()
    ]
    return sorted(held, key=lambda one: -len(one.students))


def rungs(record: ClassRecord) -> list[Rung]:
    """At which line of which exercise how many are stuck, the most first."""
    found = _grouped(
        record, lambda result: (result.item, result.first_failing) if result.first_failing else None
    )
    stuck = []
    for (item, line), pairs in found.items():
        unnamed = [(submission, result) for submission, result in pairs if not result.misconception]
        stuck.append(Rung(item, line, _who(pairs), _who(unnamed), _lost(unnamed)))
    return sorted(stuck, key=lambda rung: -len(rung.students))


def unreadable(record: ClassRecord) -> list[Noted]:
    """Whose file was damaged or missing, with the note that says how."""
    return [Noted(one.unreadable, (one.student,)) for one in record.submissions if one.unreadable]


def untouched(record: ClassRecord) -> tuple[str, ...]:
    """Who handed in a sound notebook in which nothing was done."""
    return tuple(one.student for one in record.submissions if not one.started and not one.unreadable)


def stopped(record: ClassRecord) -> list[Stopped]:
    """Who stopped on the way, and at what, in the lesson's order."""
    found: dict[str, list[str]] = {item: [] for item in record.items}
    for submission in record.started:
        done = [i for i, result in enumerate(submission.results) if result.state != State.NOT_STARTED]
        if done[-1] + 1 < len(record.items):
            found[record.items[done[-1] + 1]].append(submission.student)
    return [Stopped(item, tuple(students)) for item, students in found.items() if students]


def notes(record: ClassRecord) -> list[Noted]:
    """What grading noted besides, each note once."""
    found: dict[Note, list[str]] = {}
    for submission in record.submissions:
        for note in submission.notes:
            if note != submission.unreadable:
                found.setdefault(note, []).append(submission.student)
    return [Noted(note, tuple(students)) for note, students in found.items()]


def unsealed(record: ClassRecord) -> tuple[str, ...]:
    """Whose notebook ran without a seal."""
    return tuple(submission.student for submission in record.submissions if not submission.sealed)


Pair = tuple[Submission, Result]
Label = TypeVar("Label", bound=Hashable)


def _grouped(record: ClassRecord, label: Callable[[Result], Label | None]) -> dict[Label, list[Pair]]:
    """The results with the same label, in the lesson's order; those labelled None left out."""
    found: dict[Label, list[Pair]] = {}
    for item in record.items:
        for submission in record.started:
            result = submission.of(item)
            name = label(result)
            if name is not None:
                found.setdefault(name, []).append((submission, result))
    return found


def _who(pairs: Sequence[Pair]) -> tuple[str, ...]:
    return tuple(submission.student for submission, _ in pairs)


def _lost(pairs: Sequence[Pair]) -> float:
    return sum(result.lost for _, result in pairs)


def _points(record: ClassRecord) -> np.ndarray:
    """(students who started, settled items)"""
    kept = settled(record)
    return np.array(
        [[submission.of(item).points for item in kept] for submission in record.started], dtype=float
    )


def _max_points(record: ClassRecord, item: str) -> float:
    return record.submissions[0].of(item).max_points

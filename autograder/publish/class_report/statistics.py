"""The figures of a class, counted from its record, and what they suggest. Nothing is shown here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.model.notes import Note
from autograder.model.verdict import State
from autograder.nbgrader_plugin.limits import MAX_SUGGESTIONS
from autograder.nbgrader_plugin.records import ClassRecord, Result, Submission

TOO_FEW = 10
"""Below so many students a correlation says next to nothing."""

BINS = 10
LEAST_SHARE = 0.05
"""What fewer than this share of those who started have met (and fewer than two) is not for everybody."""


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
class Group:
    """Results in one exercise that have something in common; `label` says what."""

    exercise: str
    label: str
    results: Sequence[Result]

    @property
    def students(self) -> list[str]:
        return [result.student for result in self.results]

    @property
    def lost(self) -> float:
        """The points that they miss in the exercise."""
        return sum(one.max_points - one.points for one in self.results if one.points is not None)

    @property
    def unnamed(self) -> Group:
        """Those of them whose mistake has no name."""
        return Group(self.exercise, self.label, [one for one in self.results if not one.misconception])


@dataclass(frozen=True)
class Suggestion:
    """what: the difficulty; exercises: where it shows; students: who met it; lost: points; start: how to begin."""

    what: str
    exercises: Sequence[str]
    students: Sequence[str]
    lost: float
    start: str


def overview(record: ClassRecord) -> dict[str, Any]:
    """The points of those who started, over the items that are marked for all of them; empty where there are none.

    median, lower, upper: the quartiles in points. histogram: how many students lie in each tenth of max_points.
    """
    if not (record.started and _settled(record)):
        return {}
    totals = _points(record).sum(axis=1)
    highest = sum(record.items[item] for item in _settled(record))
    lower, median, upper = np.quantile(totals, (0.25, 0.5, 0.75)).tolist()
    counts = np.histogram(totals, bins=BINS, range=(0, highest))[0].tolist()
    return {"max_points": highest, "median": median, "lower": lower, "upper": upper, "histogram": counts}


def _settled(record: ClassRecord) -> list[str]:
    """The items whose points are known for all who started."""
    return [item for item in record.items if all(one.points is not None for one in record.of(item))]


def _points(record: ClassRecord) -> np.ndarray:
    """(students who started, settled items)"""
    return np.array([[one.points for one in record.of(item)] for item in _settled(record)], dtype=float).T


def items(record: ClassRecord) -> list[ItemStatistics]:
    """Every item's figures, in the lesson's order; none when nobody has started."""
    return [_item(record, item) for item in record.items] if record.started else []


def _item(record: ClassRecord, name: str) -> ItemStatistics:
    highest, states = record.items[name], Counter(result.state for result in record.of(name))
    if name not in _settled(record):
        return ItemStatistics(name, highest, states, None, None, "not marked yet")
    points, column = _points(record), _settled(record).index(name)
    share = float(points[:, column].mean() / highest)
    return ItemStatistics(name, highest, states, share, *discrimination(points, column))


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


def misconceptions(record: ClassRecord) -> list[Group]:
    """Who holds which misconception in which exercise."""
    return _grouped(record, lambda result: result.misconception)


def rungs(record: ClassRecord) -> list[Group]:
    """Who is stuck at which line of which exercise's verdict."""
    return _grouped(record, lambda result: result.first_failing)


def _grouped(record: ClassRecord, label: Callable[[Result], str]) -> list[Group]:
    """The results with the same label, the most first; those with an empty one left out."""
    groups = []
    for item in record.items:
        found: dict[str, list[Result]] = {}
        for result in record.of(item):
            found.setdefault(label(result), []).append(result)
        groups += [Group(item, name, results) for name, results in found.items() if name]
    return sorted(groups, key=lambda group: -len(group.results))


def stopped(record: ClassRecord) -> dict[str, list[str]]:
    """Who did nothing from an item on, having done something before; by that item, in the lesson's order."""
    found: dict[str, list[str]] = {item: [] for item in record.items}
    for submission in record.started:
        done = [i for i, result in enumerate(submission.results) if result.state != State.NOT_STARTED]
        for result in submission.results[done[-1] + 1 :][:1]:
            found[result.item].append(submission.student)
    return {item: students for item, students in found.items() if students}


def notes(record: ClassRecord) -> dict[Note, list[str]]:
    """What grading noted, and of whom."""
    found: dict[Note, list[str]] = {}
    for submission in record.submissions:
        for note in submission.notes:
            found.setdefault(note, []).append(submission.student)
    return found


def labels(records: Sequence[ClassRecord]) -> dict[str, str]:
    """Return each student's name and id over several lessons, by last name."""
    known = {one.student: one for record in records for one in record.standings}
    return {one.student: one.label for one in sorted(known.values(), key=lambda one: one.order)}


def shares(records: Sequence[ClassRecord]) -> dict[str, list[float | None]]:
    """Each student's share of each lesson's points, 0 to 1; None where nothing is graded. What waits counts as 0."""
    students = labels(records)
    found = [{one.student: _share(one) for one in record.submissions} for record in records]
    return {student: [of.get(student) for of in found] for student in students}


def _share(submission: Submission) -> float | None:
    most = sum(one.max_points for one in submission.results)
    return sum(one.points or 0 for one in submission.results) / most if most else None


def least(record: ClassRecord) -> int:
    """How many must have met a difficulty for it to be suggested."""
    return max(2, round(LEAST_SHARE * len(record.started)))


def suggestions(record: ClassRecord) -> list[Suggestion]:
    """What to speak about in the next lecture: at most three, by the points they cost.

    Misconceptions, over all exercises and in the words of the one where most hold them; lines where many are stuck for
    reasons that have no name; and the exercise that cost most by not being begun.
    """
    by_name: dict[str, list[Group]] = {}
    for held in misconceptions(record):
        by_name.setdefault(held.label, []).append(held)
    found = [
        Suggestion(
            what=groups[0].results[0].looks_like,
            exercises=[group.exercise for group in groups],
            students=list(dict.fromkeys(student for group in groups for student in group.students)),
            lost=sum(group.lost for group in groups),
            start=groups[0].results[0].question,
        )
        for groups in by_name.values()
    ]
    for rung in rungs(record):
        what = f"stuck at “{rung.label}”, for reasons that no listed mistake explains"
        start = f"compare two of their answers, names removed: {' and '.join(rung.unnamed.students[:2])}."
        found.append(Suggestion(what, [rung.exercise], rung.unnamed.students, rung.unnamed.lost, start))
    left = _grouped(record, lambda result: "left as a TODO" if result.state == State.NOT_STARTED else "")
    for todo in sorted(left, key=lambda group: -group.lost)[:1]:
        start = "begin it together, or give it more time."
        found.append(Suggestion(todo.label, [todo.exercise], todo.students, todo.lost, start))
    met = [one for one in found if len(one.students) >= least(record)]
    return sorted(met, key=lambda one: -one.lost)[:MAX_SUGGESTIONS]

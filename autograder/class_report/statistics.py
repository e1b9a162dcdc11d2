"""The figures of a class, counted from its record, and what they suggest. Nothing is shown here."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mode
from typing import Any

import numpy as np

from autograder.classroom.records import ClassRecord, Result, Submission
from autograder.exercises.verdict import State
from autograder.sandbox.notes import Note
from autograder.submissions.limits import MAX_SUGGESTIONS

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
    discrimination: its corrected item-total correlation, -1 to 1, or None where there is none.
    """

    name: str
    max_points: float
    states: Mapping[str, int]
    share: float | None = None
    discrimination: float | None = None


@dataclass(frozen=True)
class Group:
    """Results that have something in common; `label` says what, and `start` how to begin speaking about it."""

    label: str
    results: Sequence[Result]
    start: str = ""

    @property
    def exercises(self) -> list[str]:
        return [*dict.fromkeys(result.item for result in self.results)]

    @property
    def students(self) -> list[str]:
        return [*dict.fromkeys(result.student for result in self.results)]

    @property
    def lost(self) -> float:
        """The points that they miss."""
        return sum(one.max_points - one.points for one in self.results if one.points is not None)


def overview(record: ClassRecord) -> dict[str, Any]:
    """Return the points of those who started, over the items that are marked for all of them; empty without any.

    median, lower, upper: the quartiles in points. histogram: how many students lie in each tenth of max_points.
    """
    points = _points(record)
    if not points:
        return {}
    totals, highest = sum(points.values()), sum(record.items[item] for item in points)
    lower, median, upper = np.quantile(totals, (0.25, 0.5, 0.75)).tolist()
    counts = np.histogram(totals, bins=BINS, range=(0, highest))[0].tolist()
    return {"max_points": highest, "median": median, "lower": lower, "upper": upper, "histogram": counts}


def _points(record: ClassRecord) -> dict[str, np.ndarray]:
    """Return the points of those who started, by item, for the items whose points are known for all of them."""
    results = {item: record.of(item) for item in record.items} if record.started else {}
    settled = {item: [one.points for one in of] for item, of in results.items()}
    return {item: np.array(points, dtype=float) for item, points in settled.items() if None not in points}


def items(record: ClassRecord) -> list[ItemStatistics]:
    """Return every item's figures, in the lesson's order; none when nobody has started."""
    points, figures = _points(record), []
    for name, most in record.items.items() if record.started else ():
        share = correlation = None
        if name in points:
            share = float(points[name].mean() / most)
            correlation = discrimination(points[name], sum(points.values()) - points[name])
        states = Counter(result.state for result in record.of(name))
        figures.append(ItemStatistics(name, most, states, share, correlation))
    return figures


def discrimination(item: np.ndarray, rest: np.ndarray) -> float | None:
    """Return an item's correlation with the sum of the others, or None where it says nothing.

    The item itself is left out of the sum, which would else correlate with it by force: Henrysson, Correction of
    item-total correlations in item analysis, Psychometrika 28 (1963), 211-218.
    """
    if len(item) < TOO_FEW or np.ptp(item) == 0 or np.ptp(rest) == 0:
        return None
    return float(np.corrcoef(item, rest)[0, 1])


def misconceptions(record: ClassRecord) -> list[Group]:
    """Return who holds which misconception in which exercise."""
    return _grouped(record, lambda result: (result.item, result.misconception))


def rungs(record: ClassRecord) -> list[Group]:
    """Return who is stuck at which line of which exercise's verdict."""
    return _grouped(record, lambda result: (result.item, result.first_failing))


def _grouped(record: ClassRecord, key: Callable[[Result], tuple[str, ...]]) -> list[Group]:
    """Return the results with the same key, the most first; its last part is their label, which none has empty."""
    groups = defaultdict[tuple[str, ...], list[Result]](list)
    for result in (result for item in record.items for result in record.of(item)):
        if key(result)[-1]:
            groups[key(result)].append(result)
    return sorted((Group(one[-1], of) for one, of in groups.items()), key=lambda group: -len(group.results))


def stopped(record: ClassRecord) -> dict[str, list[str]]:
    """Return who did nothing from an item on, having done something before; by that item, in the lesson's order."""
    students: dict[str, list[str]] = {item: [] for item in record.items}
    for submission in record.started:
        done = [i for i, result in enumerate(submission.results) if result.state != State.NOT_STARTED]
        for result in submission.results[done[-1] + 1 :][:1]:
            students[result.item].append(submission.student)
    return {item: names for item, names in students.items() if names}


def notes(record: ClassRecord) -> dict[Note, list[str]]:
    """Return what grading noted, and of whom."""
    students = defaultdict[Note, list[str]](list)
    for submission in record.submissions:
        for note in submission.notes:
            students[note].append(submission.student)
    return students


def labels(records: Sequence[ClassRecord]) -> dict[str, str]:
    """Return each student's name and id over several lessons, by last name."""
    standings = {one.student: one for record in records for one in record.statuses}
    return {one.student: one.label for one in sorted(standings.values(), key=lambda one: one.order)}


def shares(record: ClassRecord) -> dict[str, float | None]:
    """Return each student's share of a lesson's points, 0 to 1. What waits counts as 0."""
    return {one.student: _share(one) for one in record.submissions}


def _share(submission: Submission) -> float | None:
    most = sum(one.max_points for one in submission.results)
    return sum(one.points or 0 for one in submission.results) / most if most else None


def least(record: ClassRecord) -> int:
    """Return how many must have met a difficulty for it to be suggested."""
    return max(2, round(LEAST_SHARE * len(record.started)))


def suggestions(record: ClassRecord) -> list[Group]:
    """Return what to speak about in the next lecture: at most three difficulties, by the points they cost.

    Misconceptions, over all exercises and in the words of the one where most hold them; lines where many are stuck for
    reasons that have no name; and the exercise that cost most by not being begun.
    """
    groups = []
    for held in _grouped(record, lambda result: (result.misconception,)):
        looks_like, question = mode((one.looks_like, one.question) for one in held.results)
        groups.append(Group(looks_like, held.results, question))
    for stuck in _grouped(record, lambda one: (one.item, "" if one.misconception else one.first_failing)):
        label = f"stuck at “{stuck.label}”, for reasons that no listed mistake explains"
        start = f"compare two of their answers, names removed: {' and '.join(stuck.students[:2])}."
        groups.append(Group(label, stuck.results, start))
    left = _grouped(record, lambda one: (one.item, "left as a TODO" * (one.state == State.NOT_STARTED)))
    for todo in sorted(left, key=lambda group: -group.lost)[:1]:
        groups.append(Group(todo.label, todo.results, "begin it together, or give it more time."))
    shared = [group for group in groups if len(group.students) >= least(record)]
    return sorted(shared, key=lambda group: -group.lost)[:MAX_SUGGESTIONS]

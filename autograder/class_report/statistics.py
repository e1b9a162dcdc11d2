"""The figures of a class, counted from its record, and what they suggest. Nothing is shown here."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mode
from typing import Any

import numpy as np

from autograder.execution.notes import Note
from autograder.exercises.limits import MAX_SUGGESTIONS
from autograder.exercises.verdict import State
from autograder.records.class_record import ClassRecord, Result, Submission

TOO_FEW = 10
"""Below so many students a correlation says next to nothing."""

BINS = 10
LEAST_SHARE = 0.05
"""A difficulty is suggested from this share of those who started, and from two students on."""


@dataclass(frozen=True)
class ItemStatistics:
    """The results of an item, among those who started the notebook.

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
    """Results with a common property: `label` names it, and `start` suggests how to discuss it."""

    label: str
    results: Sequence[Result]
    start: str = ""

    @property
    def exercises(self) -> list[str]:
        """Return the exercises of these results, each once, in their order."""
        return [*dict.fromkeys(result.item for result in self.results)]

    @property
    def students(self) -> list[str]:
        """Return the students of these results, each once, in their order."""
        return [*dict.fromkeys(result.student for result in self.results)]

    @property
    def lost_points(self) -> float:
        """Return the points that these results miss."""
        return sum(result.max_points - result.points for result in self.results if result.points is not None)


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
    settled = {item: [result.points for result in of] for item, of in results.items()}
    return {item: np.array(points, dtype=float) for item, points in settled.items() if None not in points}


def items(record: ClassRecord) -> list[ItemStatistics]:
    """Return every item's figures, in the lesson's order; none when nobody has started."""
    points, figures = _points(record), []
    for name, max_points in record.items.items() if record.started else ():
        share = correlation = None
        if name in points:
            share = float(points[name].mean() / max_points)
            correlation = discrimination(points[name], sum(points.values()) - points[name])
        states = Counter(result.state for result in record.of(name))
        figures.append(ItemStatistics(name, max_points, states, share, correlation))
    return figures


def discrimination(item: np.ndarray, other_items: np.ndarray) -> float | None:
    """Return an item's correlation with the sum of the others, or None where it says nothing.

    The item itself is left out of the sum, which would else correlate with it by force: Henrysson, Correction of
    item-total correlations in item analysis, Psychometrika 28 (1963), 211-218.
    """
    if len(item) < TOO_FEW or np.ptp(item) == 0 or np.ptp(other_items) == 0:
        return None
    return float(np.corrcoef(item, other_items)[0, 1])


def misconceptions(record: ClassRecord) -> list[Group]:
    """Return the results by misconception and exercise."""
    return _grouped(record, lambda result: (result.item, result.misconception))


def failing_checks(record: ClassRecord) -> list[Group]:
    """Return the results by the first failing line of each exercise's verdict."""
    return _grouped(record, lambda result: (result.item, result.first_failing))


def _grouped(record: ClassRecord, key: Callable[[Result], tuple[str, ...]]) -> list[Group]:
    """Return groups of results with the same key, the largest first; the key's last part is the label, never empty."""
    groups = defaultdict[tuple[str, ...], list[Result]](list)
    for result in (result for item in record.items for result in record.of(item)):
        if key(result)[-1]:
            groups[key(result)].append(result)
    labelled = (Group(group_key[-1], results) for group_key, results in groups.items())
    return sorted(labelled, key=lambda group: -len(group.results))


def stopped_at(record: ClassRecord) -> dict[str, list[str]]:
    """Return, by item in the lesson's order, the students who did nothing from it on, and something before it."""
    students: dict[str, list[str]] = {item: [] for item in record.items}
    for submission in record.started:
        done = [i for i, result in enumerate(submission.results) if result.state != State.NOT_STARTED]
        for result in submission.results[done[-1] + 1 :][:1]:
            students[result.item].append(submission.student)
    return {item: names for item, names in students.items() if names}


def notes(record: ClassRecord) -> dict[Note, list[str]]:
    """Return grading's notes, with the students whom each concerns."""
    students = defaultdict[Note, list[str]](list)
    for submission in record.submissions:
        for note in submission.notes:
            students[note].append(submission.student)
    return students


def labels(records: Sequence[ClassRecord]) -> dict[str, str]:
    """Return each student's name and id over several lessons, by last name."""
    standings = {standing.student: standing for record in records for standing in record.statuses}
    ordered = sorted(standings.values(), key=lambda standing: standing.order)
    return {standing.student: standing.label for standing in ordered}


def shares(record: ClassRecord) -> dict[str, float | None]:
    """Return each student's share of a lesson's points, 0 to 1; items that wait to be marked count as 0."""
    return {submission.student: _share(submission) for submission in record.submissions}


def _share(submission: Submission) -> float | None:
    max_points = sum(result.max_points for result in submission.results)
    return sum(result.points or 0 for result in submission.results) / max_points if max_points else None


def min_students(record: ClassRecord) -> int:
    """Return how many students a difficulty must concern to be suggested."""
    return max(2, round(LEAST_SHARE * len(record.started)))


def suggestions(record: ClassRecord) -> list[Group]:
    """Return at most three difficulties to discuss in the next lecture, by the points that they cost.

    These are misconceptions, over all exercises and in the words of the exercise where most hold them; lines at which
    many are stuck without a named mistake; and the exercise that cost most because it was not started.
    """
    groups = []
    for held in _grouped(record, lambda result: (result.misconception,)):
        looks_like, question = mode((result.looks_like, result.question) for result in held.results)
        groups.append(Group(looks_like, held.results, question))
    nameless = _grouped(
        record, lambda result: (result.item, result.first_failing * (not result.misconception))
    )
    for stuck in nameless:
        label = f"stuck at “{stuck.label}”, for reasons that no listed mistake explains"
        start = f"compare two of their answers, names removed: {' and '.join(stuck.students[:2])}."
        groups.append(Group(label, stuck.results, start))
    not_started = _grouped(record, lambda result: (result.item * (result.state == State.NOT_STARTED),))
    for todo in sorted(not_started, key=lambda group: -group.lost_points)[:1]:
        groups.append(Group("left as a TODO", todo.results, "begin it together, or give it more time."))
    shared = [group for group in groups if len(group.students) >= min_students(record)]
    return sorted(shared, key=lambda group: -group.lost_points)[:MAX_SUGGESTIONS]

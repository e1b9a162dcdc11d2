"""Answers that several markers mark, each without the others' marks before them; and how far they agree.

A sample mark counts as the answer's where that has none yet. After that it is kept beside it, with its marker's name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

from nbgrader.api import Gradebook
from sqlalchemy import delete, insert, select

from autograder.courses import Lesson
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.mark_tables import SAMPLE_MARKS, SHARED, items_in, items_text, keep_others_out
from autograder.nbgrader_plugin.marks import Changes, GivenMark, Marked, Stale, answers_of, put_mark, writing


class SampleMark(NamedTuple):
    """What a marker gave to an answer of the sample; change: how often they did."""

    marker: str
    words: str
    rubric: str
    points: float | None
    comment: str
    items: tuple[int, ...]
    change: int


@dataclass(frozen=True)
class Agreement:
    """How far two markers agree on a question. equal: how many answers have the same points from both."""

    question: str
    markers: tuple[str, str]
    answers: int
    equal: int
    kappa: float | None

    def __str__(self) -> str:
        first, second = self.markers
        chance = "–, all points are one value" if self.kappa is None else f"{self.kappa:.2f}"
        return (
            f"{self.question}: {first} and {second} gave {self.equal} of {self.answers} answers the same points "
            f"({100 * self.equal / self.answers:.0f} %); Cohen's kappa {chance}"
        )


def kappa(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Cohen's kappa of two markers' points, weighted by the squares of what they differ by: 1 where all are equal,
    0 for what chance gives. None where all points are one value.

    With two values it is the one without weights. J. Cohen, Weighted kappa, Psychological Bulletin 70 (1968) 213–220.
    """
    seen = sum((first - second) ** 2 for first, second in pairs) / len(pairs)
    chance = sum((first - second) ** 2 for first, _ in pairs for _, second in pairs) / len(pairs) ** 2
    return 1 - seen / chance if chance else None


def drawn(gradebook: Gradebook, ids: Iterable[str], size: int) -> list[str]:
    """So many of these answers, the same ones whoever asks and whenever; of the gradebook nothing else changes."""
    wanted = sorted(ids, key=lambda id: hashlib.sha256(f"sample {id}".encode()).digest())
    keep_others_out(gradebook.db)
    known = select(SHARED.c.grade).where(SHARED.c.grade.in_(wanted)).order_by(SHARED.c.position)
    there = [*gradebook.db.scalars(known)]
    new = [id for id in wanted if id not in there][: max(0, size - len(there))]
    for id in new:
        gradebook.db.execute(insert(SHARED).values(grade=id))
    gradebook.db.commit()
    return [*there, *new][:size]


def sample_marks(gradebook: Gradebook, lesson: Lesson) -> dict[str, list[SampleMark]]:
    """By the answer's id what markers gave to it, for the words that it has now, by markers' names."""
    now = {one.id: (one.words, one.rubric) for one in answers_of(gradebook, lesson)}
    found: dict[str, list[SampleMark]] = {}
    for id, mark in all_sample_marks(gradebook.db, now):
        if now[id] == (mark.words, mark.rubric):
            found.setdefault(id, []).append(mark)
    return found


def as_marked_by(marker: str, answer: Marked, marks: Sequence[SampleMark]) -> Marked:
    """An answer of the sample as a marker may see it: with their own mark, and nobody else's."""
    none = SampleMark(marker, answer.words, answer.rubric, None, "", (), 0)
    own = next((one for one in marks if one.marker == marker), none)
    seen = replace(answer, points=own.points, comment=own.comment, items=own.items, changed=own.change)
    return replace(seen, waits=own.points is None, history=())


def give_sample_marks(url: str, marker: str, lesson: Lesson, given: Sequence[GivenMark]) -> None:
    """Change a marker's own marks of answers, and those that count, where there is none yet, or it is theirs, too: all
    of them or none.

    Raises as `marks.give_marks`.
    """
    with writing(url) as gradebook:
        for one in given:
            _give(gradebook, marker, lesson, one)


def _give(gradebook: Gradebook, marker: str, lesson: Lesson, given: GivenMark) -> None:
    answer = next(iter(answers_of(gradebook, lesson, id=given.id)), None)
    if answer is None:
        raise CourseError("this answer is not in the gradebook any more")
    if answer.words != given.seen.words:
        raise Stale("other words were handed in meanwhile", [given.id])
    marks = [mark for _, mark in all_sample_marks(gradebook.db, [given.id])]
    same = [one for one in marks if (one.words, one.rubric) == (answer.words, answer.rubric)]
    own = as_marked_by(marker, answer, same)
    if own.changed != given.seen.change:
        raise Stale("you have marked it in another window meanwhile", [given.id])
    now: Changes = {"points": own.points, "comment": own.comment, "items": own.items, **given.changes}
    counts = answer.points is None or answer.own and answer.own[-1].marker == marker
    if counts:
        put_mark(gradebook, marker, given.id, now)
    elif now["points"] is not None and not 0 <= now["points"] <= answer.most:
        raise CourseError(f"points go from 0 to {answer.most:g}")
    gradebook.db.execute(
        delete(SAMPLE_MARKS).where(SAMPLE_MARKS.c.grade == given.id, SAMPLE_MARKS.c.marker == marker)
    )
    about = {"grade": given.id, "marker": marker, "words": answer.words, "rubric": answer.rubric}
    values = {**about, **now, "items": items_text(now["items"]), "change": own.changed + 1}
    gradebook.db.execute(insert(SAMPLE_MARKS).values(**values))


def agreements(marks: Mapping[str, Sequence[SampleMark]], question: str) -> list[Agreement]:
    """How far each two markers agree who marked the same answers of a question."""
    pairs: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for given in marks.values():
        scored = [(one.marker, one.points) for one in given if one.points is not None]
        for (marker, points), (other, others) in combinations(scored, 2):
            pairs.setdefault((marker, other), []).append((points, others))
    return [
        Agreement(question, markers, len(both), sum(a == b for a, b in both), kappa(both))
        for markers, both in sorted(pairs.items())
    ]


def all_sample_marks(db: Any, ids: Iterable[str]) -> list[tuple[str, SampleMark]]:
    """What markers gave to these answers, each with the answer's id, whatever words these have now."""
    of = select(SAMPLE_MARKS).where(SAMPLE_MARKS.c.grade.in_([*ids])).order_by(SAMPLE_MARKS.c.marker)
    rows = (dict(row) for row in db.execute(of).mappings())
    return [(row.pop("grade"), SampleMark(**row | {"items": items_in(row["items"])})) for row in rows]

"""Rubric items of a question, which are clicked and add up. Who changes one changes the marks that have it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from nbgrader.api import Gradebook
from sqlalchemy import delete, insert, select, update

from autograder.courses import Lesson
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.mark_tables import HISTORY, ITEMS, add_to_record, items_text
from autograder.nbgrader_plugin.marks import Changes, Marked, PastMark, Stale, answers_of, put_mark, writing

MAX_ITEM = 300
"""Characters of a rubric item."""

_EACH = re.compile(r"(\d+(?:\.\d+)?) points? each")
_POINTS = re.compile(r"(\d+(?:\.\d+)?) points?[:,] *")


class RubricItem(NamedTuple):
    """What it says, a line of the comment of each answer that has it, and what it adds to the points."""

    id: int
    says: str
    points: float


def items_of(gradebook: Gradebook, lesson: str, question: str) -> list[RubricItem]:
    """The rubric items of a question, in the order in which they were made."""
    of = select(ITEMS.c.id, ITEMS.c.says, ITEMS.c.points).where(
        ITEMS.c.lesson == lesson, ITEMS.c.question == question
    )
    return [RubricItem(*row) for row in gradebook.db.execute(of.order_by(ITEMS.c.id))]


def read_rubric(model: str) -> list[tuple[str, float]]:
    """Return what the rubric below a model answer says: the text of each item, and its points.

    Its items stand in a list below a line with the word *rubric*: `- 1 point: …`, or `- …` where that line says how
    many points each has.
    """
    heading, _, listed = model[model.lower().rfind("rubric") :].partition("\n")
    each = _EACH.search(heading)
    found = []
    for item in re.split(r"^- ", listed, flags=re.MULTILINE)[1:]:
        text = " ".join(item.partition("\n\n")[0].replace("**", "").split())
        if points := _POINTS.match(text):
            found.append((text[points.end() :][:MAX_ITEM], float(points[1])))
        elif each:
            found.append((text[:MAX_ITEM], float(each[1])))
    return found


def add_items(
    url: str, marker: str, lesson: Lesson, question: str, items: Sequence[tuple[str, float]]
) -> None:
    """Add rubric items to a question, without those whose text is there already."""
    with writing(url) as gradebook:
        there = {one.says for one in items_of(gradebook, lesson.id, question)}
        for says, points in items:
            if says not in there:
                values = {"lesson": lesson.id, "question": question, "says": says, "points": points}
                gradebook.db.execute(insert(ITEMS).values(**values))
                add_to_record(gradebook.db, marker, lesson.id, question, f"rubric item “{says}”: {points:g}")


def change_item(
    url: str, marker: str, lesson: Lesson, question: str, seen: RubricItem, now: RubricItem
) -> None:
    """Change a rubric item, and with it each mark that has it, also those that were given for earlier words.

    Raises `Stale` where it is not any more as it was seen.
    """
    with writing(url) as gradebook:
        items = expect_seen(gradebook, lesson, question, seen)
        change = _Change(seen, now, items)
        answers = [one for one in answers_of(gradebook, lesson) if one.name == question]
        having = [one for one in answers if seen.id in one.items]
        for one in having:
            put_mark(gradebook, marker, one.id, change.of(one, one.most), change.why)
        for one in answers:
            for past in _earlier(one):
                if seen.id in past.items:
                    _add_past(gradebook.db, marker, one.id, past, change)
        gradebook.db.execute(
            update(ITEMS).where(ITEMS.c.id == seen.id).values(says=now.says, points=now.points)
        )
        what = f"{change.why}; marks that follow: {len(having)}"
        add_to_record(gradebook.db, marker, lesson.id, question, what)


def remove_item(url: str, marker: str, lesson: Lesson, question: str, seen: RubricItem) -> None:
    """Remove a rubric item that no mark has.

    Raises `Stale` where it is not any more as it was seen, and `CourseError` where marks have it.
    """
    with writing(url) as gradebook:
        expect_seen(gradebook, lesson, question, seen)
        answers = [one for one in answers_of(gradebook, lesson) if one.name == question]
        items = ([one.items, *(past.items for past in _earlier(one))] for one in answers)
        having = [one for one in items if any(seen.id in each for each in one)]
        if having:
            raise CourseError(f"marks that have it: {len(having)}. Take it off these, or let it be worth 0")
        gradebook.db.execute(delete(ITEMS).where(ITEMS.c.id == seen.id))
        add_to_record(gradebook.db, marker, lesson.id, question, f"rubric item “{seen.says}” removed")


class _Change:
    """What becomes of a mark when a rubric item changes."""

    def __init__(self, seen: RubricItem, now: RubricItem, items: list[RubricItem]) -> None:
        self._seen, self._now = seen, now
        self._before = {one.id: one.points for one in items}
        self._after = {**self._before, seen.id: now.points}
        parts = [f"reads “{now.says}”"] if now.says != seen.says else []
        parts += [f"{now.points:g}, was {seen.points:g}"] if now.points != seen.points else []
        self.why = f"rubric item “{seen.says}”: {', '.join(parts)}"

    def of(self, mark: Marked | PastMark, most: float) -> Changes:
        """Points that were the sum of their items are it again; from others the items' difference is counted."""
        lines = (self._now.says if line == self._seen.says else line for line in mark.comment.split("\n"))
        said = "\n".join(lines)
        if mark.points is None:
            return {"points": None, "comment": said}
        old, new = (sum(each.get(one, 0) for one in mark.items) for each in (self._before, self._after))
        wanted = new if mark.points == min(max(old, 0), most) else mark.points + new - old
        return {"points": float(min(max(wanted, 0), most)), "comment": said}


def _earlier(answer: Marked) -> list[PastMark]:
    """The marks that an answer had last, for each of its earlier words."""
    last = {(one.words, one.rubric): one for one in answer.history if one not in answer.own}
    return [*last.values()]


def _add_past(db: Any, marker: str, id: str, past: PastMark, change: _Change) -> None:
    of_words = {"grade": id, "words": past.words, "rubric": past.rubric, "most": past.most, "at": past.at}
    mark = {**change.of(past, past.most), "items": items_text(past.items)}
    db.execute(insert(HISTORY).values(**of_words, **mark, marker=marker, why=change.why))


def expect_seen(gradebook: Gradebook, lesson: Lesson, question: str, *seen: RubricItem) -> list[RubricItem]:
    """The question's items. Raises `Stale` where one is not as it was seen."""
    items = items_of(gradebook, lesson.id, question)
    if not set(seen) <= set(items):
        raise Stale("somebody has changed this rubric item meanwhile", [])
    return items

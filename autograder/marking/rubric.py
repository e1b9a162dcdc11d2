"""Rubric items of a question, which are clicked and add up. Who changes one changes the marks that have it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nbgrader.api import Gradebook
from sqlalchemy import func, select

from autograder.courses import Lesson
from autograder.exercises.errors import CourseError
from autograder.records import manual_grades
from autograder.records.manual_grades import LOG, Changes, Mark, MarkedAnswer, RubricItem, Stale

MAX_ITEM = 300
"""Characters of a rubric item."""

_EACH = re.compile(r"(\d+(?:\.\d+)?) points? each")
_POINTS = re.compile(r"(\d+(?:\.\d+)?) points?[:,] *")


def load_items(gradebook: Gradebook, lesson: str, question: str) -> list[RubricItem]:
    """Return the rubric items of a question, in the order in which they were made."""
    where = (LOG.c.lesson == lesson, LOG.c.question == question, LOG.c.item.is_not(None))
    query = select(LOG.c.item, LOG.c.says, LOG.c.points).where(*where)
    rows = gradebook.db.execute(query.order_by(LOG.c.id))
    last = {row.item: RubricItem(*row) for row in rows}
    return [item for item in last.values() if item.says is not None]


def read_rubric(model: str) -> list[tuple[str, float]]:
    """Return what the rubric below a model answer says: the text of each item, and its points.

    Its items stand in a list below a line with the word *rubric*: `- 1 point: …`, or `- …` where that line says how
    many points each has.
    """
    heading, _, listed = model[model.lower().rfind("rubric") :].partition("\n")
    each = _EACH.search(heading)
    items = []
    for item in re.split(r"^- ", listed, flags=re.MULTILINE)[1:]:
        text = " ".join(item.partition("\n\n")[0].replace("**", "").split())
        if points := _POINTS.match(text):
            items.append((text[points.end() :][:MAX_ITEM], float(points[1])))
        elif each:
            items.append((text[:MAX_ITEM], float(each[1])))
    return items


def add_items(
    gradebook: Gradebook, marker: str, lesson: str, question: str, items: Sequence[tuple[str, float]]
) -> None:
    """Add rubric items to a question, without those whose text is there already."""
    existing = {item.says for item in load_items(gradebook, lesson, question)}
    for says, points in items:
        if says not in existing:
            id = (gradebook.db.scalar(select(func.max(LOG.c.item))) or 0) + 1
            item = {"item": id, "says": says, "points": points}
            log_text = f"rubric item “{says}”: {points:g}"
            manual_grades.add_to_log(gradebook.db, marker, lesson, question, log_text, **item)


def change_item(
    gradebook: Gradebook, marker: str, lesson: Lesson, question: str, old: RubricItem, new: RubricItem | None
) -> None:
    """Change a rubric item, and with it each mark that has it, also those that were given for earlier words.

    Args:
        gradebook: The gradebook, open for writing.
        marker: The name of who changes it.
        lesson: The lesson of the question.
        question: The name of the answer's cell.
        old: The item as the page showed it.
        new: The item as it shall be; None to remove it.

    Raises:
        Stale: The item has changed since the page showed it.
        CourseError: It shall be removed, and marks have it.
    """
    db, where = gradebook.db, (lesson.id, question)
    points = {item.id: item.points for item in check_unchanged(gradebook, *where, old)}
    having = []
    for answer in manual_grades.read_answers(gradebook, lesson):
        if answer.name == question and any(old.id in mark.items for mark in (answer, *_earlier(answer))):
            having.append(answer)
    if new is None:
        if having:
            raise CourseError(f"marks that have it: {len(having)}. Take it off these, or let it be worth 0")
        manual_grades.add_to_log(db, marker, *where, f"rubric item “{old.says}” removed", item=old.id)
        return
    parts = [f"reads “{new.says}”"] if new.says != old.says else []
    parts += [f"{new.points:g}, was {old.points:g}"] if new.points != old.points else []
    why = f"rubric item “{old.says}”: {', '.join(parts)}"
    for answer in having:
        line = last = manual_grades.read_marks(db, [answer.id])[answer.id][-1]
        for mark in _earlier(answer):
            if old.id in mark.items:
                base, changes = (replace(mark, change=line.change), _changed(mark, old, new, points))
                line = manual_grades.add_mark(db, base, marker=marker, why=why, **changes)
        if line is not last:  # the last line says what the answer has now
            last = manual_grades.add_mark(db, replace(last, change=line.change), why=manual_grades.HANDED_IN)
        if old.id in answer.items:
            manual_grades.change_mark(gradebook, marker, last, _changed(answer, old, new, points), why)
    log_text = f"{why}; marks that follow: {sum(old.id in answer.items for answer in having)}"
    manual_grades.add_to_log(db, marker, *where, log_text, item=old.id, says=new.says, points=new.points)


def _changed(mark: Mark, old_item: RubricItem, new_item: RubricItem, points: dict[int, float]) -> Changes:
    """Return what becomes of a mark when an item changes. points: of all items before that, by their ids.

    Points that were the sum of their items are it again; from others the items' difference is counted.
    """
    lines = (new_item.says if line == old_item.says else line for line in mark.comment.split("\n"))
    changes: Changes = {"points": mark.points, "comment": "\n".join(lines)}
    if mark.points is not None:
        old, new = (
            sum(each.get(item, 0) for item in mark.items)
            for each in (points, {**points, old_item.id: new_item.points})
        )
        wanted = new if mark.points == min(max(old, 0), mark.most) else mark.points + new - old
        changes["points"] = float(min(max(wanted, 0), mark.most))
    return changes


def _earlier(answer: MarkedAnswer) -> list[Mark]:
    """Return the marks that an answer had last, for each of its earlier words."""
    last = {(mark.words, mark.rubric): mark for mark in answer.history if not mark.is_for(answer)}
    return [*last.values()]


def check_unchanged(gradebook: Gradebook, lesson: str, question: str, *shown: RubricItem) -> list[RubricItem]:
    """Return the question's items. Raises `Stale` where one is not as it was seen."""
    items = load_items(gradebook, lesson, question)
    if not set(shown) <= set(items):
        raise Stale("somebody has changed this rubric item meanwhile", [])
    return items

"""Points and comments given by hand, as a marker reads and gives them; every change of them is kept.

A mark, its words and its line in the history are written together or not at all; `mark_tables` holds them.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

from nbgrader.api import Grade, Gradebook
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import OperationalError

from autograder.courses import Lesson
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.mark_tables import (
    HISTORY,
    NOW,
    OF_LESSON,
    add_to_history,
    items_in,
    items_text,
    keep_others_out,
)


class Seen(NamedTuple):
    """What somebody had before them who gave a mark: the digest of the words, and how often the mark was changed."""

    words: str
    change: int


class Changes(TypedDict, total=False):
    """What they changed; points are None where the answer shall have none by hand. items: ids of rubric items."""

    points: float | None
    comment: str
    items: tuple[int, ...]


class GivenMark(NamedTuple):
    """A mark that is given; id: of the answer."""

    id: str
    seen: Seen
    changes: Changes


@dataclass(frozen=True)
class PastMark:
    """A mark as a change left it, and the words that it was given for, None where nobody kept them; at: in UTC.

    marker: empty where nobody knows; why: empty where they just gave it.
    """

    words: str
    rubric: str
    text: str | None
    points: float | None
    most: float
    comment: str
    at: str
    items: tuple[int, ...]
    marker: str
    why: str


@dataclass(frozen=True)
class Marked:
    """An answer and its mark.

    id: tells neither who wrote it nor when. name: of the cell that carries its points. points: by hand; given: by the
    grader; None for none. items: ids of the rubric items that it has. history: from the first change on; changed: how
    often.
    """

    id: str
    name: str
    student: str
    words: str
    rubric: str
    text: str | None
    points: float | None
    given: float | None
    most: float
    comment: str
    items: tuple[int, ...]
    waits: bool
    history: Sequence[PastMark]
    changed: int

    @property
    def is_code(self) -> bool:
        return not self.rubric

    @property
    def seen(self) -> Seen:
        return Seen(self.words, self.changed)

    @property
    def own(self) -> list[PastMark]:
        """The changes made for the words as they are, marked by the rubric as it is."""
        return [one for one in self.history if (one.words, one.rubric) == (self.words, self.rubric)]

    @property
    def before(self) -> PastMark | None:
        """The mark that is to be looked at again, for it was given for other words, or by another rubric."""
        last = next((one for one in reversed(self.history) if one not in self.own), None)
        return last if self.waits and last and last.points is not None else None

    @property
    def undone(self) -> tuple[float | None, str, tuple[int, ...]]:
        """The points, the comment and the rubric items that these words had before the last change."""
        if len(self.own) < 2:
            return None, "", ()
        last = self.own[-2]
        return last.points, last.comment, last.items


class Stale(CourseError):
    """Marks were given for words, or in place of a mark, that are others by now; ids: of these answers."""

    def __init__(self, message: str, ids: Sequence[str]) -> None:
        super().__init__(message)
        self.ids = ids


def answers_of(gradebook: Gradebook, lesson: Lesson, id: str = "") -> list[Marked]:
    """The answers of a lesson that have been graded, and their marks; of one answer, where named."""
    one = {"lesson": lesson.id, "id": id}
    words = "left join answer_words w on w.grade = a.grade and w.digest ="
    fields = (
        "h.words, h.rubric, w.text, h.points, h.most, coalesce(h.comment, '') comment, h.at, h.items, "
        "coalesce(h.marker, '') marker, coalesce(h.why, '') why, a.grade"
    )
    lines = f"select {fields} from mark_history h join answer_now a on a.grade = h.grade {words} h.words"
    changes = gradebook.db.execute(text(f"{lines} {OF_LESSON} order by a.grade, h.id"), one).mappings()
    history = defaultdict[str, list[PastMark]](list)
    for line in map(dict, changes):
        history[line.pop("grade")].append(PastMark(**line | {"items": items_in(line["items"])}))
    fields = (
        "a.grade id, b.name, s.student_id student, a.words, a.rubric, w.text, g.manual_score points, "
        "g.auto_score given, c.max_score most, coalesce(m.manual_comment, '') comment, a.items, "
        "g.needs_manual_grade waits"
    )
    answers = f"select {fields} from answer_now a left join comment m on m.id = a.comment {words} a.words"
    rows = gradebook.db.execute(text(f"{answers} {OF_LESSON} order by s.student_id"), one).mappings()
    found = []
    for row in map(dict, rows):
        past = history[row["id"]]
        row |= {"waits": bool(row["waits"]), "items": items_in(row["items"]), "history": past}
        found.append(Marked(**row, changed=len(past)))
    return found


def give_marks(url: str, marker: str, given: Sequence[GivenMark]) -> None:
    """Change marks of answers in the gradebook of this database URL, all of them or none.

    Raises `Stale` where words or mark are not those that were seen, and `CourseError` where there is no such answer,
    or the points are none that it can have.
    """
    with writing(url) as gradebook:
        others = [one.id for one in given if one.seen.words != words_now(gradebook.db, one.id)]
        if others:
            raise Stale("other words were handed in meanwhile", others)
        others = [one.id for one in given if one.seen.change != _changes_so_far(gradebook.db, one.id)]
        if others:
            raise Stale("somebody has marked it meanwhile", others)
        for one in given:
            put_mark(gradebook, marker, one.id, one.changes)


@contextlib.contextmanager
def writing(url: str) -> Iterator[Gradebook]:
    """The gradebook of this database URL, to which nobody else writes; what is written there in here holds in the end,
    or nothing of it.

    Raises `CourseError` where it cannot be used.
    """
    try:
        with Gradebook(url) as gradebook:
            keep_others_out(gradebook.db)
            yield gradebook
            gradebook.db.commit()
    except OperationalError as error:
        raise CourseError(f"the gradebook cannot be used ({error.orig}): try again") from None


def put_mark(gradebook: Gradebook, marker: str, id: str, changes: Changes, why: str = "") -> None:
    """Change the mark of an answer, in a transaction that keeps others out.

    Raises `CourseError` where its points are none that it can have.
    """
    db, grade = gradebook.db, gradebook.db.get(Grade, id)
    points = changes.get("points")
    if points is not None and not 0 <= points <= grade.max_score:
        raise CourseError(f"points go from 0 to {grade.max_score:g}")
    seen = words_now(db, id)
    db.execute(update(NOW).where(NOW.c.grade == id).values(words=None))
    db.refresh(grade)
    if "points" in changes:
        grade.manual_score, grade.needs_manual_grade = points, points is None and grade.auto_score is None
    if "comment" in changes:
        own = db.scalar(select(NOW.c.comment).where(NOW.c.grade == id))
        gradebook.find_comment_by_id(own).manual_comment = changes["comment"] or None
    if "items" in changes:
        db.execute(update(NOW).where(NOW.c.grade == id).values(items=items_text(changes["items"])))
    db.flush()
    db.execute(update(NOW).where(NOW.c.grade == id).values(words=seen))
    add_to_history(db, id, marker, why)


def words_now(db: Any, id: str) -> str | None:
    """The digest of an answer's words. Raises `CourseError` where there is no such answer."""
    found = db.scalar(select(NOW.c.words).where(NOW.c.grade == id))
    if found is None:
        raise CourseError("this answer is not in the gradebook any more")
    return str(found)


def _changes_so_far(db: Any, id: str) -> int:
    return int(db.scalar(select(func.count()).select_from(HISTORY).where(HISTORY.c.grade == id)))

"""Points and comments given by hand: their tables in the gradebook, and how a marker reads and gives them.

`marks` is only added to. A line says what an answer's mark is from then on, and for which words and which rubric. The
last line of an answer is repeated in nbgrader's own tables: the database itself adds a line for each change that
formgrader makes there.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypedDict

import sqlalchemy as sa
from nbgrader.api import BaseCell, Comment, Grade, Gradebook
from sqlalchemy.exc import OperationalError

from autograder.classroom.gradebook import query_cells
from autograder.courses import Lesson
from autograder.exercises.errors import CourseError

HANDED_IN = "handed in"
"""Why there is a line that grading added: an answer has other words, or another rubric, than the line before says."""

TABLES = sa.MetaData()
MARKS = sa.Table(
    "marks",
    TABLES,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("change", sa.Integer, primary_key=True),
    sa.Column("words", sa.String(64), nullable=False),
    sa.Column("rubric", sa.String(64), nullable=False),
    sa.Column("text", sa.String),
    sa.Column("points", sa.Float),
    sa.Column("most", sa.Float, nullable=False),
    sa.Column("comment", sa.String, nullable=False),
    sa.Column("items", sa.JSON, nullable=False),
    sa.Column("at", sa.String(19), nullable=False),
    sa.Column("marker", sa.String, nullable=False),
    sa.Column("why", sa.String, nullable=False),
)
LOG = sa.Table(
    "marking_log",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.String(19), nullable=False),
    sa.Column("marker", sa.String, nullable=False),
    sa.Column("lesson", sa.String, nullable=False),
    sa.Column("question", sa.String, nullable=False),
    sa.Column("what", sa.String),
    sa.Column("item", sa.Integer),
    sa.Column("says", sa.String),
    sa.Column("points", sa.Float),
)
"""A class's record of marking, only added to: what was done, and what a rubric item is from then on; without a text it
is removed.
"""

_ADD_LINE = """insert into marks select m.id, m.change + 1, m.words, m.rubric, null, {}, c.max_score, {},
m.items, current_timestamp, '', '' from marks m join grade g on g.id = m.id join grade_cells c on c.id = g.cell_id
where m.change = (select max(change) from marks where id = m.id) and """
_NEW_COMMENT = "coalesce(new.manual_comment, '')"
_TRIGGERS = (
    "create trigger if not exists grade_changed after update of manual_score on grade begin "
    + _ADD_LINE.format("new.manual_score", "m.comment")
    + "g.id = new.id and new.manual_score is not m.points; end",
    "create trigger if not exists comment_changed after update of manual_comment on comment begin "
    + _ADD_LINE.format("m.points", _NEW_COMMENT)
    + f"{_NEW_COMMENT} is not m.comment and g.id in (select g.id from grade g join base_cell b on b.id = g.cell_id "
    "join base_cell s on s.id = new.cell_id and b.name in (s.name, 'test_' || s.name) "
    "where g.notebook_id = new.notebook_id); end",
    "create trigger if not exists grade_removed after delete on grade begin delete from marks where id = old.id; end",
)
"""SQLite's; in another database the history has what the marking page does, and not what formgrader does."""

_OF_BEFORE = ("answer_now", "answer_words", "mark_history", "marking_record", "rubric_item")
"""The tables of the version before."""

_TAKE_OVER = (
    """insert into marks select id, row_number() over (partition by id order by latest, change) - 1, words, rubric,
    text, points, most, coalesce(comment, ''), coalesce(items, '[]'), at, coalesce(marker, ''), coalesce(why, '') from (
    select h.grade id, 0 latest, h.id change, h.words, h.rubric, w.text, h.points, h.most, h.comment, h.items, h.at,
    h.marker, h.why from mark_history h left join answer_words w on w.grade = h.grade and w.digest = h.words
    union all select n.grade, 1, 0, n.words, n.rubric, w.text, g.manual_score, c.max_score, m.manual_comment, n.items,
    '', '', 'handed in' from answer_now n join grade g on g.id = n.grade join grade_cells c on c.id = g.cell_id
    left join comment m on m.id = n.comment left join answer_words w on w.grade = n.grade and w.digest = n.words)""",
    "insert into marking_log (at, marker, lesson, question, what) "
    "select at, marker, lesson, question, what from marking_record order by id",
    "insert into marking_log (at, marker, lesson, question, item, says, points) "
    "select '', '', lesson, question, id, says, points from rubric_item order by id",
    *(f"drop trigger if exists {name}" for name in ("grade_changed", "comment_changed", "grade_removed")),
    *(f"drop table if exists {name}" for name in _OF_BEFORE),
)
"""What takes these over, and removes them."""


@dataclass(frozen=True)
class Mark:
    """A line: the mark of an answer from then on.

    id: of nbgrader's grade, which tells neither who wrote the answer nor when; change: how many lines are before it;
    words, rubric: digests of what it was given for; text: these words, where they are kept; points: None for none;
    items: ids of the rubric items that it has; at: in UTC; marker: empty where nobody knows; why: empty where the
    marker just gave it.
    """

    id: str
    change: int
    words: str
    rubric: str
    text: str | None
    points: float | None
    most: float
    comment: str
    items: tuple[int, ...]
    at: str
    marker: str
    why: str

    def is_for(self, other: Mark) -> bool:
        """Return whether it is for the same words, by the same rubric."""
        return (self.words, self.rubric) == (other.words, other.rubric)


@dataclass(frozen=True)
class MarkedAnswer(Mark):
    """An answer, with its last line.

    name: of the cell that carries its points; given: by the grader, None for none; history: what people changed, from
    the first change on.
    """

    name: str
    student: str
    given: float | None
    waits: bool
    history: Sequence[Mark]

    @property
    def kind(self) -> str:
        """Return "code" or "markdown"."""
        return "markdown" if self.rubric else "code"

    @property
    def own(self) -> list[Mark]:
        """The changes made for the words as they are, marked by the rubric as it is."""
        return [mark for mark in self.history if mark.is_for(self)]

    @property
    def before(self) -> Mark | None:
        """The mark that is to be looked at again, for it was given for other words, or by another rubric."""
        last = next((mark for mark in reversed(self.history) if not mark.is_for(self)), None)
        return last if self.waits and last and last.points is not None else None

    @property
    def undone(self) -> tuple[float | None, str, tuple[int, ...]]:
        """The points, the comment and the rubric items that these words had before the last change."""
        last = self.own[-2:-1]
        return (last[0].points, last[0].comment, last[0].items) if last else (None, "", ())


class Changes(TypedDict, total=False):
    """What a marker changed; points are None where the answer shall have none by hand. items: ids of rubric items."""

    points: float | None
    comment: str
    items: tuple[int, ...]


class RubricItem(NamedTuple):
    """A rubric item: its text, which is a line of the comment of each answer that has it, and its points."""

    id: int
    says: str
    points: float


class GivenMark(NamedTuple):
    """A mark that is given to the answer of this id; seen: the change that the marker had before them."""

    id: str
    seen: int
    changes: Changes


class Stale(CourseError):
    """Marks were given for words, or in place of a mark, that are others by now; ids: of these answers."""

    def __init__(self, message: str, ids: Sequence[str]) -> None:
        super().__init__(message)
        self.ids = ids


def make_tables(gradebook: Gradebook) -> None:
    """Have a gradebook hold these tables. Those of a version before this one are taken over, and removed."""
    if sa.inspect(gradebook.engine).has_table(MARKS.name):
        return
    db, is_sqlite = gradebook.db, gradebook.engine.dialect.name == "sqlite"
    lock_database(db)
    TABLES.create_all(db.connection())
    is_from_before = sa.inspect(db.connection()).has_table("answer_now")
    for statement in (*(_TAKE_OVER if is_from_before else ()), *(_TRIGGERS if is_sqlite else ())):
        db.execute(sa.text(statement))
    db.commit()


def read_marks(db: Any, of: Any) -> dict[str, list[Mark]]:
    """Return the lines of some answers, by their ids. of: the ids, or a query for them."""
    rows = db.execute(
        sa.select(MARKS).where(MARKS.c.id.in_(of)).order_by(MARKS.c.id, MARKS.c.change)
    ).mappings()
    marks = [Mark(**{**row, "items": tuple(row["items"])}) for row in rows]
    return {id: list(lines) for id, lines in itertools.groupby(marks, lambda mark: mark.id)}


def add_marks(db: Any, lines: Sequence[Mark]) -> None:
    """Add lines. They come before nbgrader's own tables are told: a change that no line tells of is formgrader's."""
    if lines:
        db.execute(sa.insert(MARKS), [vars(line) for line in lines])


def add_mark(db: Any, last: Mark, **changes: Any) -> Mark:
    """Add a line behind the last one of an answer; it comes back."""
    line = replace(last, change=last.change + 1, text=None, **changes)
    add_marks(db, [line])
    return line


def read_answers(gradebook: Gradebook, lesson: Lesson) -> list[MarkedAnswer]:
    """Return the answers of a lesson that have been graded, and their marks."""
    grade = (Grade.id, Grade.auto_score, Grade.max_score, Grade.needs_manual_grade)
    rows = query_cells(gradebook, lesson.id, Grade, *grade)
    lines = read_marks(gradebook.db, rows.order_by(None).with_entities(Grade.id))
    answers = []
    for row in rows:
        if row.id in lines:
            texts = {line.words: line.text for line in lines[row.id] if line.text is not None}
            marks = [replace(line, text=texts.get(line.words)) for line in lines[row.id]]
            last = vars(marks[-1]) | {"most": row.max_score}
            history = [mark for mark in marks if mark.why != HANDED_IN]
            of = {"name": row.name, "student": row.student, "given": row.auto_score}
            answers.append(MarkedAnswer(**last, **of, waits=row.needs_manual_grade, history=history))
    return answers


def give_marks(gradebook: Gradebook, marker: str, marks: Sequence[GivenMark]) -> None:
    """Change marks of answers, all of them or none, in a transaction that keeps others out.

    Raises `Stale` where words, rubric or mark are not those that were seen, and `CourseError` where there is no such
    answer, or the points are none that it can have.
    """
    stale: dict[str, list[str]] = {}
    lines = read_marks(gradebook.db, [mark.id for mark in marks])
    for mark in marks:
        if mark.id not in lines:
            raise CourseError("this answer is not in the gradebook any more")
        if problem := _what_has_changed(lines[mark.id], mark.seen):
            stale.setdefault(problem, []).append(mark.id)
    for problem, ids in stale.items():
        raise Stale(problem, ids)
    for mark in marks:
        change_mark(gradebook, marker, lines[mark.id][-1], mark.changes)


def _what_has_changed(lines: Sequence[Mark], shown: int) -> str:
    if not 0 <= shown < len(lines):  # the gradebook was put back to an earlier copy
        return "somebody has marked it meanwhile"
    if lines[shown].words != lines[-1].words:
        return "other words were handed in meanwhile"
    if lines[shown].rubric != lines[-1].rubric:
        return "the rubric has been changed meanwhile"
    is_marked = any(line.why != HANDED_IN for line in lines[shown + 1 :])
    return "somebody has marked it meanwhile" if is_marked else ""


@contextlib.contextmanager
def open_for_writing(url: str) -> Iterator[Gradebook]:
    """Open the gradebook of this database URL, to which nobody else writes meanwhile.

    All that is written in here is stored at the end, or nothing of it where an error is raised.

    Raises `CourseError` where it cannot be used.
    """
    try:
        with Gradebook(url) as gradebook:
            lock_database(gradebook.db)
            yield gradebook
            gradebook.db.commit()
    except OperationalError as error:
        raise CourseError(f"the gradebook cannot be used ({error.orig}): try again") from None


def lock_database(db: Any) -> None:
    """Keep everybody else from writing until the transaction ends; what is read from here on stays so."""
    db.execute(sa.update(Grade.__table__).where(sa.false()).values(manual_score=None))


def change_mark(gradebook: Gradebook, marker: str, last: Mark, changes: Changes, why: str = "") -> None:
    """Change the mark of an answer with this last line, in a transaction that keeps others out.

    Raises `CourseError` where its points are none that it can have.
    """
    db, grade = gradebook.db, gradebook.db.get(Grade, last.id)
    points = changes.get("points")
    if points is not None and not 0 <= points <= grade.max_score:
        raise CourseError(f"points go from 0 to {grade.max_score:g}")
    add_mark(db, last, most=grade.max_score, at=now(), marker=marker, why=why, **changes)
    if "points" in changes:
        grade.manual_score, grade.needs_manual_grade = points, points is None and grade.auto_score is None
    if "comment" in changes:
        name = grade.name.removeprefix("test_")
        comments = db.query(Comment).join(Comment.cell).filter(Comment.notebook_id == grade.notebook_id)
        comments.filter(BaseCell.name == name).one().manual_comment = changes["comment"] or None
    db.flush()


def now() -> str:
    """Return the time, in UTC, as the tables have it."""
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"


def add_to_log(db: Any, marker: str, lesson: str, question: str, what: str, **item: Any) -> None:
    """Add a line to the class's record of marking. item: what a rubric item is from then on."""
    about = {"at": now(), "marker": marker, "lesson": lesson, "question": question, "what": what}
    db.execute(sa.insert(LOG).values(**about, **item))


def read_log(db: Any, lesson: str, question: str) -> Sequence[sa.Row]:
    """Return what the class's record says of a question, from the first line on: at, marker, what."""
    of = sa.select(LOG.c.at, LOG.c.marker, LOG.c.what).where(
        LOG.c.lesson == lesson, LOG.c.question == question
    )
    rows: Sequence[sa.Row] = db.execute(of.where(LOG.c.what.is_not(None)).order_by(LOG.c.id)).all()
    return rows

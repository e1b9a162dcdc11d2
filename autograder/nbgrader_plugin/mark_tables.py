"""The tables that the gradebook has beside nbgrader's, for what is marked by hand.

The words that each answer has now, all words that an answer had, a history of its marks, and rubric items that are
clicked. To the history the database itself adds a line for each change, so what formgrader does is in it as well.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from nbgrader.api import Gradebook
from sqlalchemy import Column, Float, Integer, MetaData, String, Table, false, insert, inspect, select, update
from sqlalchemy import text as sql

TABLES = MetaData()
NOW = Table(
    "answer_now",
    TABLES,
    Column("grade", String(32), primary_key=True),
    Column("comment", String(32), index=True),
    Column("words", String(64)),
    Column("rubric", String(64), nullable=False),
    Column("items", String),
)
"""By the id of nbgrader's grade: that of its comment, digests, the rubric items that it has. While `words` is null,
changes add no lines."""

WORDS = Table(
    "answer_words",
    TABLES,
    Column("grade", String(32), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("text", String, nullable=False),
)
HISTORY = Table(
    "mark_history",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("grade", String(32), index=True, nullable=False),
    Column("words", String(64), nullable=False),
    Column("rubric", String(64), nullable=False),
    Column("points", Float),
    Column("most", Float, nullable=False),
    Column("comment", String),
    Column("at", String(19), nullable=False),
    Column("items", String),
    Column("marker", String),
    Column("why", String),
)
"""Of a line that formgrader made, or a version before this one, nobody knows the marker."""

ITEMS = Table(
    "rubric_item",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("lesson", String, nullable=False),
    Column("question", String, nullable=False),
    Column("says", String, nullable=False),
    Column("points", Float, nullable=False),
)
RECORD = Table(
    "marking_record",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("at", String(19), nullable=False),
    Column("marker", String, nullable=False),
    Column("lesson", String, nullable=False),
    Column("question", String, nullable=False),
    Column("what", String, nullable=False),
)

ADD_LINE = """
insert into mark_history (grade, words, rubric, points, most, comment, at, items, marker, why)
select a.grade, a.words, a.rubric, g.manual_score, c.max_score, m.manual_comment, current_timestamp, a.items,
{marker}, {why} from answer_now a join grade g on g.id = a.grade join grade_cells c on c.id = g.cell_id
left join comment m on m.id = a.comment where a.words is not null and """
OF_LESSON = """
join grade g on g.id = a.grade join base_cell b on b.id = g.cell_id join grade_cells c on c.id = g.cell_id
join submitted_notebook n on n.id = g.notebook_id join submitted_assignment s on s.id = n.assignment_id
join assignment l on l.id = s.assignment_id where l.name = :lesson
and :id in ('', g.id)"""
_BY_NOBODY_KNOWN = ADD_LINE.format(marker="null", why="null")
_OF_GRADES = ("answer_now", "answer_words", "mark_history")
_TRIGGERS = {
    **{
        f"{table}_changed": f"after update of {field} on {table} when old.{field} is not new.{field} "
        f"begin {_BY_NOBODY_KNOWN} a.{table} = new.id; end"
        for table, field in (("grade", "manual_score"), ("comment", "manual_comment"))
    },
    "grade_removed": "after delete on grade begin "
    + " ".join(f"delete from {table} where grade = old.id;" for table in _OF_GRADES)
    + " end",
}
"""SQLite's; in another database the history has what the marking page does, and not what formgrader does."""


class Recorded(NamedTuple):
    """A line of a class's record of marking; at: in UTC."""

    at: str
    marker: str
    what: str


def make_tables(gradebook: Gradebook) -> None:
    """Have a gradebook hold these tables; those of a version before this one get the columns that they lack."""
    TABLES.create_all(gradebook.engine)
    there = inspect(gradebook.engine)
    known = {table.name: {one["name"] for one in there.get_columns(table.name)} for table in (NOW, HISTORY)}
    missing = [one for table in (NOW, HISTORY) for one in table.columns if one.name not in known[table.name]]
    for column in missing:
        gradebook.db.execute(sql(f"alter table {column.table.name} add column {column.name} varchar"))
    if gradebook.engine.dialect.name == "sqlite":
        for name, trigger in _TRIGGERS.items():
            if missing:
                gradebook.db.execute(sql(f"drop trigger if exists {name}"))
            gradebook.db.execute(sql(f"create trigger if not exists {name} {trigger}"))


def add_to_history(db: Any, grade: str, marker: str = "", why: str = "") -> None:
    """Add the mark that this grade has now to the history."""
    line = ADD_LINE.format(marker=":marker", why=":why")
    db.execute(sql(f"{line} a.grade = :grade"), {"grade": grade, "marker": marker, "why": why})


def keep_others_out(db: Any) -> None:
    """Keep everybody else from writing until the transaction ends; what is read from here on stays so."""
    db.execute(update(NOW).where(false()).values(words=None))


def add_to_record(db: Any, marker: str, lesson: str, question: str, what: str) -> None:
    """Add a line to the class's record of marking."""
    line = {"marker": marker, "lesson": lesson, "question": question, "what": what}
    db.execute(insert(RECORD).values(at=f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}", **line))


def recorded(db: Any, lesson: str, question: str) -> list[Recorded]:
    """What the class's record says of a question, from the first line on."""
    of = select(RECORD.c.at, RECORD.c.marker, RECORD.c.what).where(
        RECORD.c.lesson == lesson, RECORD.c.question == question
    )
    return [Recorded(*row) for row in db.execute(of.order_by(RECORD.c.id))]


def items_text(items: Sequence[int]) -> str:
    """Rubric items, by their ids, as a table holds them."""
    return json.dumps(sorted(items))


def items_in(items: str | None) -> tuple[int, ...]:
    """Rubric items as a table held them."""
    return tuple(json.loads(items or "[]"))

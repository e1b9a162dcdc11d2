"""Points and comments given by hand: they belong to the words they were given for, and every change of them is kept.

The gradebook has three tables beside nbgrader's: the words that each answer has now, all words that an answer had, and
a history of its marks. To this the database itself adds a line for each change, so what formgrader does is in it
as well; and a mark, its words and its line are written together or not at all.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from nbformat import NotebookNode
from nbgrader.api import BaseCell, Comment, Grade, Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.utils import compute_checksum, determine_grade, is_grade, is_solution
from sqlalchemy import (
    Column,
    Float,
    Integer,
    MetaData,
    Row,
    String,
    Table,
    delete,
    false,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import OperationalError

from autograder.courses import Lesson
from autograder.courses.source import BEGIN, END, SourceCell
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.intake import Unreadable, read_notebook
from autograder.sandbox.cells import grade_id_of

TABLES = MetaData()
NOW = Table(
    "answer_now",
    TABLES,
    Column("grade", String(32), primary_key=True),
    Column("comment", String(32), index=True),
    Column("words", String(64)),
    Column("rubric", String(64), nullable=False),
)
"""By the id of nbgrader's grade: that of its comment, and digests. While `words` is null, changes add no lines."""

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
)

ADD_LINE = """
insert into mark_history (grade, words, rubric, points, most, comment, at)
select a.grade, a.words, a.rubric, g.manual_score, c.max_score, m.manual_comment, current_timestamp
from answer_now a join grade g on g.id = a.grade join grade_cells c on c.id = g.cell_id
left join comment m on m.id = a.comment where a.words is not null and """
TRIGGERS = (
    *(
        f"create trigger if not exists {table}_changed after update of {field} on {table} "
        f"when old.{field} is not new.{field} begin {ADD_LINE} a.{table} = new.id; end"
        for table, field in (("grade", "manual_score"), ("comment", "manual_comment"))
    ),
    "create trigger if not exists grade_removed after delete on grade begin "
    "delete from answer_now where grade = old.id; delete from answer_words where grade = old.id; "
    "delete from mark_history where grade = old.id; end",
)
"""SQLite's; in another database the history has what the marking page does, and not what formgrader does."""

OF_LESSON = """
join grade g on g.id = a.grade join base_cell b on b.id = g.cell_id join grade_cells c on c.id = g.cell_id
join submitted_notebook n on n.id = g.notebook_id join submitted_assignment s on s.id = n.assignment_id
join assignment l on l.id = s.assignment_id where l.name = :lesson and :student in ('', s.student_id)"""

UNKNOWN = ""
"""The digest of words that nobody kept."""


class Place(NamedTuple):
    """Which answer: `name` is that of the cell that carries its points."""

    name: str
    notebook: str
    lesson: str
    student: str


class Seen(NamedTuple):
    """What somebody had before them who gave a mark: the digest of the words, and the number of the last change."""

    words: str
    change: int


class Changes(TypedDict, total=False):
    """What they changed; points are None where the answer shall have none by hand."""

    points: float | None
    comment: str


class Asked(NamedTuple):
    """An answer that a lesson asks for: the cell that it stands in, the cell that carries its points, and a rubric.

    rubric: the digest of what an answer in writing is marked by, empty for code.
    """

    name: str
    graded: str
    rubric: str


@dataclass(frozen=True)
class PastMark:
    """A mark as a change left it, and the words that it was given for, None where nobody kept them; at: in UTC."""

    id: int
    words: str
    rubric: str
    text: str | None
    points: float | None
    most: float
    comment: str
    at: str


@dataclass(frozen=True)
class Marked:
    """An answer and its mark.

    points: by hand; given: by the grader; None for none. history: from the first change on.
    """

    place: Place
    words: str
    rubric: str
    text: str | None
    points: float | None
    given: float | None
    most: float
    comment: str
    waits: bool
    history: Sequence[PastMark]

    @property
    def is_code(self) -> bool:
        return not self.rubric

    @property
    def seen(self) -> Seen:
        return Seen(self.words, self.history[-1].id if self.history else 0)

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
    def undone(self) -> tuple[float | None, str]:
        """The points and the comment that these words had before the last change."""
        return (self.own[-2].points, self.own[-2].comment) if len(self.own) > 1 else (None, "")


class Stale(CourseError):
    """A mark was given for words, or in place of a mark, that are others by now."""


@dataclass(frozen=True)
class Rows:
    """What the gradebook is told of a graded notebook, by the names of its cells: as plain data.

    scores: None where a person has to give one; words: of each answer; untouched: the answers that are as they were
    handed out.
    """

    scores: Mapping[str, float | None]
    words: Mapping[str, str]
    untouched: Sequence[str]

    @classmethod
    def of(cls, notebook: NotebookNode) -> Rows:
        """Those of a notebook; its scores are what nbgrader makes of the outputs."""
        answers = {grade_id_of(cell): cell for cell in notebook.cells if is_solution(cell)}
        untouched = (
            name
            for name, cell in answers.items()
            if cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)
        )
        return cls(
            {grade_id_of(cell): determine_grade(cell)[0] for cell in notebook.cells if is_grade(cell)},
            {name: cell.source for name, cell in answers.items()},
            [*untouched],
        )


def save(gradebook: Gradebook, lesson: Lesson, student: str, rows: Rows) -> None:
    """Do what nbgrader's `SaveAutoGrades` does, for a submission that was entered; a mark stays with its words."""
    _lock(gradebook.db)
    grades, comments = _of_student(gradebook, lesson, student)
    for name, score in rows.scores.items():
        grades[name].auto_score = score
    for name in rows.words:
        comments[name].auto_comment = "No response." if name in rows.untouched else None
    _settle(gradebook.db, lesson, grades, comments, rows.words)


def asked(lesson: Lesson) -> Iterator[Asked]:
    """What a lesson asks for and gives points for."""
    for cell in lesson.cells:
        if cell.marker == "written":
            yield Asked(cell.name, cell.name, digest_of_words(prompt_and_model(cell)[1]))
    yield from (Asked(one.id, f"test_{one.id}", "") for one in lesson.graded)


def prompt_and_model(cell: SourceCell) -> tuple[str, str]:
    """What a cell asks for in writing, and the model answer with its rubric."""
    prompt, _, model = cell.text.split(END)[0].partition(BEGIN)
    return prompt.strip(), model.strip()


def digest_of_words(words: str) -> str:
    """The same for texts that differ in nothing but white space at the ends of their lines."""
    lines = (line.rstrip() for line in words.splitlines())
    return hashlib.sha256("\n".join(lines).strip("\n").encode()).hexdigest()


def adopt(gradebook: Gradebook, lesson: Lesson, graded: Mapping[str, Path]) -> None:
    """Keep the words of graded notebooks, by student, of whose answers none are kept: an older version did not.

    A mark is taken to be given for these words; where work was graded again since, nobody knows for which.
    """
    TABLES.create_all(gradebook.engine)
    if gradebook.engine.dialect.name == "sqlite":
        for trigger in TRIGGERS:
            gradebook.db.execute(text(trigger))
    if not graded.keys() - _known(gradebook, lesson):
        return
    _lock(gradebook.db)
    for student in sorted(graded.keys() - _known(gradebook, lesson)):
        notebook = _read(graded[student])
        texts = {} if notebook is None else _texts(notebook)
        grades, comments = _of_student(gradebook, lesson, student)
        for one in asked(lesson):
            if grade := grades.get(one.graded):
                doubtful = notebook is None or grade.manual_score is not None and grade.needs_manual_grade
                words = None if doubtful else texts.get(one.name, "")
                _begin(gradebook.db, grade, comments.get(one.name), words, one.rubric)
        if notebook is not None:
            settle_marks(gradebook, lesson, student, notebook)
    gradebook.db.commit()


def settle_marks(gradebook: Gradebook, lesson: Lesson, student: str, graded: NotebookNode) -> None:
    """Let a student's answers have the words of a notebook that was graded just now: marks for others do not count."""
    _lock(gradebook.db)
    _settle(gradebook.db, lesson, *_of_student(gradebook, lesson, student), _texts(graded))


def _settle(
    db: Any,
    lesson: Lesson,
    grades: Mapping[str, Grade],
    comments: Mapping[str, Comment],
    texts: Mapping[str, str],
) -> None:
    answers = [
        (one, grades[one.graded], comments.get(one.name)) for one in asked(lesson) if one.graded in grades
    ]
    ids = [grade.id for _, grade, _ in answers]
    known = {
        row.grade: (row.words, row.rubric) for row in db.execute(select(NOW).where(NOW.c.grade.in_(ids)))
    }
    for one, grade, comment in answers:
        if grade.id not in known:  # and where it was marked nevertheless, nobody knows for which words
            words = None if grade.manual_score is not None else texts.get(one.name, "")
            known[grade.id] = _begin(db, grade, comment, words, one.rubric)
    lines: dict[str, list[Row]] = defaultdict(list)
    for line in db.execute(select(HISTORY).where(HISTORY.c.grade.in_(ids)).order_by(HISTORY.c.id)):
        lines[line.grade].append(line)
    for one, grade, comment in answers:
        words, before = texts.get(one.name, ""), lines[grade.id]
        now = (digest_of_words(words), one.rubric)
        own = [line for line in before if (line.words, line.rubric) == now]
        if known[grade.id] != now:
            _change_words(db, grade, comment, words, one.rubric, own[-1] if own else None)
        look_again = bool(before and not own and before[-1].points is not None)
        grade.needs_manual_grade = grade.manual_score is None and (grade.auto_score is None or look_again)
    db.commit()


def answers_of(gradebook: Gradebook, lesson: Lesson, student: str = "") -> list[Marked]:
    """The answers of a lesson that have been graded, and their marks; of one student alone where one is named."""
    one = {"lesson": lesson.id, "student": student}
    words = "left join answer_words w on w.grade = a.grade and w.digest ="
    fields = (
        "h.id, h.words, h.rubric, w.text, h.points, h.most, coalesce(h.comment, '') comment, h.at, a.grade"
    )
    lines = f"select {fields} from mark_history h join answer_now a on a.grade = h.grade {words} h.words"
    changes = gradebook.db.execute(text(f"{lines} {OF_LESSON} order by a.grade, h.id"), one)
    history = {
        grade: [PastMark(*line[:-1]) for line in found]
        for grade, found in groupby(changes, attrgetter("grade"))
    }
    fields = (
        "a.grade, b.name, s.student_id student, a.words, a.rubric, w.text, g.manual_score points, g.auto_score given, "
        "c.max_score most, coalesce(m.manual_comment, '') comment, g.needs_manual_grade waits"
    )
    answers = f"select {fields} from answer_now a left join comment m on m.id = a.comment {words} a.words"
    rows = gradebook.db.execute(text(f"{answers} {OF_LESSON} order by s.student_id"), one).mappings()
    return [_marked(lesson, dict(row), history) for row in rows]


def _marked(lesson: Lesson, row: dict[str, Any], history: Mapping[str, Sequence[PastMark]]) -> Marked:
    place = Place(row.pop("name"), lesson.notebook, lesson.id, row.pop("student"))
    waits, changes = bool(row.pop("waits")), history.get(row.pop("grade"), [])
    return Marked(place, waits=waits, history=changes, **row)


def give_mark(url: str, place: Place, seen: Seen, changes: Changes) -> None:
    """Change the mark of an answer in the gradebook of this database URL; this is all that a marking page writes.

    Raises `Stale` where words or mark are not those that were seen, and `CourseError` where there is no such answer,
    or the points are none that it can have.
    """
    try:
        with Gradebook(url) as gradebook:
            _give(gradebook, place, seen, changes)
    except OperationalError as error:
        raise CourseError(f"the gradebook cannot be used ({error.orig}): try again") from None


def _give(gradebook: Gradebook, place: Place, seen: Seen, changes: Changes) -> None:
    db = gradebook.db
    try:
        grade = gradebook.find_grade(*place)
    except MissingEntry:
        raise CourseError(f"{place.student} has no answer {place.name} in the gradebook") from None
    points = changes.get("points")
    if points is not None and not 0 <= points <= grade.max_score:
        raise CourseError(f"points go from 0 to {grade.max_score:g}")
    claimed = db.execute(
        update(NOW).where(NOW.c.grade == grade.id, NOW.c.words == seen.words).values(words=None)
    )
    if not claimed.rowcount:
        raise Stale("other words were handed in meanwhile")
    if _last_change(db, grade.id) != seen.change:  # from the update on nobody else writes
        raise Stale("somebody has marked it meanwhile")
    db.refresh(grade)
    if "points" in changes:
        grade.manual_score, grade.needs_manual_grade = points, points is None and grade.auto_score is None
    if "comment" in changes:
        own = db.scalar(select(NOW.c.comment).where(NOW.c.grade == grade.id))
        gradebook.find_comment_by_id(own).manual_comment = changes["comment"] or None
    db.flush()
    db.execute(update(NOW).where(NOW.c.grade == grade.id).values(words=seen.words))
    _add_line(db, grade.id)
    db.commit()


def _lock(db: Any) -> None:
    """Keep everybody else from writing until the transaction ends; what is read from here on stays so."""
    db.execute(update(NOW).where(false()).values(words=None))


def _known(gradebook: Gradebook, lesson: Lesson) -> set[str]:
    """The students of whose answers the words are kept."""
    found = text(f"select distinct s.student_id from answer_now a {OF_LESSON}")
    return set(gradebook.db.scalars(found, {"lesson": lesson.id, "student": ""}))


def _change_words(
    db: Any, grade: Grade, comment: Comment | None, words: str, rubric: str, mark: Row | None
) -> None:
    """Let an answer have other words, and the mark that was given for these, if one was."""
    db.execute(update(NOW).where(NOW.c.grade == grade.id).values(words=None))
    grade.manual_score = mark.points if mark else None
    if comment is not None:
        comment.manual_comment = mark.comment if mark else None
    db.flush()
    _let_have(db, grade, words, digest_of_words(words), rubric)


def _begin(db: Any, grade: Grade, comment: Comment | None, words: str | None, rubric: str) -> tuple[str, str]:
    """Keep an answer's first words, None where nobody knows them, and the mark that it has; their digests come back."""
    now = (UNKNOWN if words is None else digest_of_words(words), rubric)
    db.execute(insert(NOW).values(grade=grade.id, comment=comment and comment.id, rubric=rubric))
    _let_have(db, grade, words, *now)
    if grade.manual_score is not None or comment is not None and comment.manual_comment:
        _add_line(db, grade.id)
    return now


def _let_have(db: Any, grade: Grade, words: str | None, of_words: str, rubric: str) -> None:
    if words is not None:
        db.execute(delete(WORDS).where(WORDS.c.grade == grade.id, WORDS.c.digest == of_words))
        db.execute(insert(WORDS).values(grade=grade.id, digest=of_words, text=words))
    db.execute(update(NOW).where(NOW.c.grade == grade.id).values(words=of_words, rubric=rubric))


def _add_line(db: Any, grade: str) -> None:
    db.execute(text(f"{ADD_LINE} a.grade = :grade"), {"grade": grade})


def _last_change(db: Any, grade: str) -> int:
    return db.scalar(select(func.max(HISTORY.c.id)).where(HISTORY.c.grade == grade)) or 0


def _of_student(
    gradebook: Gradebook, lesson: Lesson, student: str
) -> tuple[dict[str, Grade], dict[str, Comment]]:
    """A student's grades and comments by the names of their cells; none where the gradebook has no such student."""
    try:
        own = gradebook.find_submission_notebook(lesson.notebook, lesson.id, student)
    except MissingEntry:
        return {}, {}
    return _by_cell(gradebook, own, Grade), _by_cell(gradebook, own, Comment)


def _by_cell(gradebook: Gradebook, own: SubmittedNotebook, kind: Any) -> dict[str, Any]:
    found = gradebook.db.query(BaseCell.name, kind).join(kind.cell).filter(kind.notebook_id == own.id)
    return dict(tuple(row) for row in found.populate_existing())


def _read(path: Path) -> NotebookNode | None:
    try:
        return read_notebook(path)
    except (OSError, Unreadable):
        return None


def _texts(notebook: NotebookNode) -> dict[str, str]:
    return {grade_id_of(cell): cell.source for cell in notebook.cells}

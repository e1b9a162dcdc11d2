"""Points and comments given by hand: they belong to the words they were given for, and every change of them is kept.

A mark, its words and its line in the history are written together or not at all; `mark_tables` holds them.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from nbformat import NotebookNode
from nbgrader.api import BaseCell, Comment, Grade, Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.utils import compute_checksum, determine_grade, is_grade, is_solution
from sqlalchemy import Row, delete, func, insert, select, text, update
from sqlalchemy.exc import OperationalError

from autograder.courses import Lesson
from autograder.courses.source import BEGIN, END, SourceCell
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.intake import Unreadable, read_notebook
from autograder.nbgrader_plugin.mark_tables import (
    ADD_LINE,
    HISTORY,
    NOW,
    WORDS,
    items_in,
    items_text,
    keep_others_out,
    make_tables,
)
from autograder.sandbox.cells import grade_id_of

OF_LESSON = """
join grade g on g.id = a.grade join base_cell b on b.id = g.cell_id join grade_cells c on c.id = g.cell_id
join submitted_notebook n on n.id = g.notebook_id join submitted_assignment s on s.id = n.assignment_id
join assignment l on l.id = s.assignment_id where l.name = :lesson
and :student in ('', s.student_id) and :id in ('', g.id)"""

UNKNOWN = ""
"""The digest of words that nobody kept."""


class Place(NamedTuple):
    """Which answer: `name` is that of the cell that carries its points."""

    name: str
    notebook: str
    lesson: str
    student: str


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


class Asked(NamedTuple):
    """An answer that a lesson asks for: the cell that it stands in, the cell that carries its points, and a rubric.

    rubric: the digest of what an answer in writing is marked by, empty for code.
    """

    name: str
    graded: str
    rubric: str


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

    id: tells neither who wrote it nor when. points: by hand; given: by the grader; None for none. items: ids of the
    rubric items that it has. history: from the first change on; changed: how often.
    """

    id: str
    place: Place
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
    keep_others_out(gradebook.db)
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
    lines = map(str.rstrip, words.splitlines())
    return hashlib.sha256("\n".join(lines).strip("\n").encode()).hexdigest()


def adopt(gradebook: Gradebook, lesson: Lesson, graded: Mapping[str, Path]) -> None:
    """Keep the words of graded notebooks, by student, of whose answers none are kept: an older version did not.

    A mark is taken to be given for these words; where work was graded again since, nobody knows for which.
    """
    make_tables(gradebook)
    if not graded.keys() - _known(gradebook, lesson):
        return
    keep_others_out(gradebook.db)
    for student in sorted(graded.keys() - _known(gradebook, lesson)):
        notebook = _read(graded[student])
        grades, comments = _of_student(gradebook, lesson, student)
        if notebook is not None:
            _settle(gradebook.db, lesson, grades, comments, _texts(notebook), _graded_again_since)
            continue
        for one in asked(lesson):
            if grade := grades.get(one.graded):
                _begin(gradebook.db, grade, comments.get(one.name), None, (UNKNOWN, one.rubric))
    gradebook.db.commit()


def _is_marked(grade: Grade) -> bool:
    return grade.manual_score is not None


def _graded_again_since(grade: Grade) -> bool:
    return _is_marked(grade) and grade.needs_manual_grade


def settle_marks(gradebook: Gradebook, lesson: Lesson, student: str, graded: NotebookNode) -> None:
    """Let a student's answers have the words of a notebook that was graded just now: marks for others do not count."""
    keep_others_out(gradebook.db)
    _settle(gradebook.db, lesson, *_of_student(gradebook, lesson, student), _texts(graded))


def _settle(
    db: Any,
    lesson: Lesson,
    grades: Mapping[str, Grade],
    comments: Mapping[str, Comment],
    texts: Mapping[str, str],
    unknown: Callable[[Grade], bool] = _is_marked,
) -> None:
    """unknown: whether nobody knows for which words an answer, of which none are kept, was marked."""
    answers = [
        (one, grades[one.graded], comments.get(one.name)) for one in asked(lesson) if one.graded in grades
    ]
    ids = [grade.id for _, grade, _ in answers]
    known = {
        row.grade: (row.words, row.rubric) for row in db.execute(select(NOW).where(NOW.c.grade.in_(ids)))
    }
    given = {one.name: (digest_of_words(texts.get(one.name, "")), one.rubric) for one, _, _ in answers}
    for one, grade, comment in answers:
        if grade.id not in known:
            first = (
                (None, (UNKNOWN, one.rubric))
                if unknown(grade)
                else (texts.get(one.name, ""), given[one.name])
            )
            known[grade.id] = _begin(db, grade, comment, *first)
    lines: dict[str, list[Row]] = defaultdict(list)
    for line in db.execute(select(HISTORY).where(HISTORY.c.grade.in_(ids)).order_by(HISTORY.c.id)):
        lines[line.grade].append(line)
    for one, grade, comment in answers:
        words, before = texts.get(one.name, ""), lines[grade.id]
        now = given[one.name]
        own = [line for line in before if (line.words, line.rubric) == now]
        if known[grade.id] != now:
            _change_words(db, grade, comment, words, now, own[-1] if own else None)
        look_again = bool(before and not own and before[-1].points is not None)
        grade.needs_manual_grade = grade.manual_score is None and (grade.auto_score is None or look_again)
    db.commit()


def answers_of(gradebook: Gradebook, lesson: Lesson, student: str = "", id: str = "") -> list[Marked]:
    """The answers of a lesson that have been graded, and their marks; of one student, or one answer, where named."""
    one = {"lesson": lesson.id, "student": student, "id": id}
    words = "left join answer_words w on w.grade = a.grade and w.digest ="
    fields = (
        "h.words, h.rubric, w.text, h.points, h.most, coalesce(h.comment, '') comment, h.at, h.items, "
        "coalesce(h.marker, '') marker, coalesce(h.why, '') why, a.grade"
    )
    lines = f"select {fields} from mark_history h join answer_now a on a.grade = h.grade {words} h.words"
    changes = gradebook.db.execute(text(f"{lines} {OF_LESSON} order by a.grade, h.id"), one).mappings()
    history = {
        grade: [_past(dict(line)) for line in found] for grade, found in groupby(changes, itemgetter("grade"))
    }
    fields = (
        "a.grade, b.name, s.student_id student, a.words, a.rubric, w.text, g.manual_score points, g.auto_score given, "
        "c.max_score most, coalesce(m.manual_comment, '') comment, a.items, g.needs_manual_grade waits"
    )
    answers = f"select {fields} from answer_now a left join comment m on m.id = a.comment {words} a.words"
    rows = gradebook.db.execute(text(f"{answers} {OF_LESSON} order by s.student_id"), one).mappings()
    return [_marked(lesson, dict(row), history) for row in rows]


def _past(row: dict[str, Any]) -> PastMark:
    del row["grade"]
    return PastMark(**row | {"items": items_in(row["items"])})


def _marked(lesson: Lesson, row: dict[str, Any], history: Mapping[str, Sequence[PastMark]]) -> Marked:
    place = Place(row.pop("name"), lesson.notebook, lesson.id, row.pop("student"))
    id, waits, items = row.pop("grade"), bool(row.pop("waits")), items_in(row.pop("items"))
    past = history.get(id, [])
    return Marked(id, place, waits=waits, items=items, history=past, changed=len(past), **row)


def give_marks(url: str, marker: str, given: Sequence[GivenMark]) -> None:
    """Change marks of answers in the gradebook of this database URL, all of them or none.

    Raises `Stale` where words or mark are not those that were seen, and `CourseError` where there is no such answer,
    or the points are none that it can have.
    """
    with writing(url) as gradebook:
        keep_others_out(gradebook.db)
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
    """The gradebook of this database URL; what is written there in here holds in the end, or nothing of it.

    Raises `CourseError` where it cannot be used.
    """
    try:
        with Gradebook(url) as gradebook:
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
    _add_line(db, id, marker, why)


def words_now(db: Any, id: str) -> str | None:
    """The digest of an answer's words. Raises `CourseError` where there is no such answer."""
    found = db.scalar(select(NOW.c.words).where(NOW.c.grade == id))
    if found is None:
        raise CourseError("this answer is not in the gradebook any more")
    return str(found)


def _changes_so_far(db: Any, id: str) -> int:
    return int(db.scalar(select(func.count()).select_from(HISTORY).where(HISTORY.c.grade == id)))


def _known(gradebook: Gradebook, lesson: Lesson) -> set[str]:
    """The students of whose answers the words are kept."""
    found = text(f"select distinct s.student_id from answer_now a {OF_LESSON}")
    return set(gradebook.db.scalars(found, {"lesson": lesson.id, "student": "", "id": ""}))


def _change_words(
    db: Any, grade: Grade, comment: Comment | None, words: str, now: tuple[str, str], mark: Row | None
) -> None:
    """Let an answer have other words, and the mark that was given for these, if one was."""
    db.execute(update(NOW).where(NOW.c.grade == grade.id).values(words=None))
    grade.manual_score = mark.points if mark else None
    if comment is not None:
        comment.manual_comment = mark.comment if mark else None
    db.execute(update(NOW).where(NOW.c.grade == grade.id).values(items=mark.items if mark else None))
    db.flush()
    _let_have(db, grade, words, *now)


def _begin(
    db: Any, grade: Grade, comment: Comment | None, words: str | None, now: tuple[str, str]
) -> tuple[str, str]:
    """Keep an answer's first words, None where nobody knows them, and the mark that it has.

    now: the digests of the words and of the rubric, which come back.
    """
    db.execute(insert(NOW).values(grade=grade.id, comment=comment and comment.id, rubric=now[1]))
    _let_have(db, grade, words, *now)
    if grade.manual_score is not None or comment is not None and comment.manual_comment:
        _add_line(db, grade.id)
    return now


def _let_have(db: Any, grade: Grade, words: str | None, of_words: str, rubric: str) -> None:
    if words is not None:
        db.execute(delete(WORDS).where(WORDS.c.grade == grade.id, WORDS.c.digest == of_words))
        db.execute(insert(WORDS).values(grade=grade.id, digest=of_words, text=words))
    db.execute(update(NOW).where(NOW.c.grade == grade.id).values(words=of_words, rubric=rubric))


def _add_line(db: Any, grade: str, marker: str = "", why: str = "") -> None:
    line = ADD_LINE.format(marker=":marker", why=":why")
    db.execute(text(f"{line} a.grade = :grade"), {"grade": grade, "marker": marker, "why": why})


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

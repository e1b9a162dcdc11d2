"""The words that marks belong to, as grading keeps them: a mark that was given for other words does not count."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nbformat import NotebookNode
from nbgrader.api import BaseCell, Comment, Grade, Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.utils import compute_checksum, determine_grade, is_grade, is_solution
from sqlalchemy import Row, delete, insert, select, text, update

from autograder.courses import Lesson
from autograder.courses.source import BEGIN, END, SourceCell
from autograder.nbgrader_plugin.intake import Unreadable, read_notebook
from autograder.nbgrader_plugin.mark_tables import (
    HISTORY,
    NOW,
    OF_LESSON,
    WORDS,
    add_to_history,
    keep_others_out,
    make_tables,
)
from autograder.sandbox.cells import grade_id_of, with_attachments

UNKNOWN = ""
"""The digest of words that nobody kept."""


class Asked(NamedTuple):
    """An answer that a lesson asks for: the cell that it stands in, the cell that carries its points, and a rubric.

    rubric: the digest of what an answer in writing is marked by, empty for code.
    """

    name: str
    graded: str
    rubric: str


@dataclass(frozen=True)
class Rows:
    """What the gradebook is told of a graded notebook, by the names of its cells: as plain data.

    scores: None where a person has to give one; words: of each answer, with its pictures; untouched: the answers that
    are as they were handed out.
    """

    scores: Mapping[str, float | None]
    words: Mapping[str, str]
    untouched: Sequence[str]

    @classmethod
    def of(cls, notebook: NotebookNode) -> Rows:
        """Those of a notebook; its scores are what nbgrader makes of the outputs."""
        answers = {grade_id_of(cell): cell for cell in notebook.cells if is_solution(cell)}
        sums = {name: cell.metadata.nbgrader.get("checksum") for name, cell in answers.items()}
        return cls(
            {grade_id_of(cell): determine_grade(cell)[0] for cell in notebook.cells if is_grade(cell)},
            {name: with_attachments(cell) for name, cell in answers.items()},
            [name for name, cell in answers.items() if sums[name] == compute_checksum(cell)],
        )


def save(gradebook: Gradebook, lesson: Lesson, own: SubmittedNotebook, rows: Rows) -> None:
    """Do what nbgrader's `SaveAutoGrades` does, for a submission that was entered; a mark stays with its words."""
    grades, comments = _by_cell(gradebook, own, Grade), _by_cell(gradebook, own, Comment)
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
        there = [one for one in asked(lesson) if one.graded in grades]
        _begin(gradebook.db, [(one, grades[one.graded], comments.get(one.name), None) for one in there])
    gradebook.db.commit()


def _is_marked(grade: Grade) -> bool:
    return grade.manual_score is not None


def _graded_again_since(grade: Grade) -> bool:
    return _is_marked(grade) and grade.needs_manual_grade


def _settle(
    db: Any,
    lesson: Lesson,
    grades: Mapping[str, Grade],
    comments: Mapping[str, Comment],
    texts: Mapping[str, str],
    unknown: Callable[[Grade], bool] = _is_marked,
) -> None:
    """unknown: whether nobody knows for which words an answer, of which none are kept, was marked."""
    there = [one for one in asked(lesson) if one.graded in grades]
    answers = [(one, grades[one.graded], comments.get(one.name), texts.get(one.name, "")) for one in there]
    ids = [grade.id for _, grade, _, _ in answers]
    rows = db.execute(select(NOW).where(NOW.c.grade.in_(ids)))
    known = {row.grade: (row.words, row.rubric) for row in rows}
    new = [answer for answer in answers if answer[1].id not in known]
    known |= _begin(db, [(*answer, None if unknown(answer[1]) else words) for *answer, words in new])
    lines: dict[str, list[Row]] = defaultdict(list)
    for line in db.execute(select(HISTORY).where(HISTORY.c.grade.in_(ids)).order_by(HISTORY.c.id)):
        lines[line.grade].append(line)
    for one, grade, comment, words in answers:
        now, before = (digest_of_words(words), one.rubric), lines[grade.id]
        own = [line for line in before if (line.words, line.rubric) == now]
        if known[grade.id] != now:
            _change_words(db, grade, comment, words, now, own[-1] if own else None)
        look_again = bool(before and not own and before[-1].points is not None)
        grade.needs_manual_grade = grade.manual_score is None and (grade.auto_score is None or look_again)
    db.commit()


def _known(gradebook: Gradebook, lesson: Lesson) -> set[str]:
    """The students of whose answers the words are kept."""
    found = text(f"select distinct s.student_id from answer_now a {OF_LESSON}")
    return set(gradebook.db.scalars(found, {"lesson": lesson.id, "id": ""}))


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


def _let_have(db: Any, grade: Grade, words: str, of_words: str, rubric: str) -> None:
    db.execute(delete(WORDS).where(WORDS.c.grade == grade.id, WORDS.c.digest == of_words))
    db.execute(insert(WORDS).values(grade=grade.id, digest=of_words, text=words))
    db.execute(update(NOW).where(NOW.c.grade == grade.id).values(words=of_words, rubric=rubric))


def _begin(
    db: Any, answers: Sequence[tuple[Asked, Grade, Comment | None, str | None]]
) -> dict[str, tuple[str, str]]:
    """Keep answers' first words, None where nobody knows them, and the marks that they have; the digests of the words
    and of the rubrics come back, by the grades' ids.
    """
    if not answers:
        return {}
    known, rows, texts = dict[str, tuple[str, str]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for one, grade, comment, words in answers:
        of_words, rubric = known[grade.id] = UNKNOWN if words is None else digest_of_words(words), one.rubric
        rows.append(
            {"grade": grade.id, "comment": comment and comment.id, "words": of_words, "rubric": rubric}
        )
        if words is not None:
            texts.append({"grade": grade.id, "digest": of_words, "text": words})
    db.execute(insert(NOW), rows)
    if texts:
        db.execute(insert(WORDS), texts)
    for _, grade, comment, _ in answers:
        if grade.manual_score is not None or comment is not None and comment.manual_comment:
            add_to_history(db, grade.id)
    return known


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
    return {grade_id_of(cell): with_attachments(cell) for cell in notebook.cells}

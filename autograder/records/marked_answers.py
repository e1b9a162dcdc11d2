"""The words that marks belong to, as grading keeps them: a mark that was given for other words does not count."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from nbformat import NotebookNode
from nbgrader.api import BaseCell, Comment, Grade, Gradebook, SubmittedNotebook
from nbgrader.utils import compute_checksum, determine_grade, is_grade, is_solution

from autograder.courses import Lesson
from autograder.courses.lesson_source import BEGIN, END, SourceCell
from autograder.execution.notebook_cells import grade_id_of, with_attachments
from autograder.records import manual_grades
from autograder.records.manual_grades import HANDED_IN, Mark

UNKNOWN = ""
"""The digest of words that nobody kept."""


class AskedAnswer(NamedTuple):
    """An answer that a lesson asks for: the cell that it stands in, the cell that carries its points, and a rubric.

    rubric: the digest of what an answer in writing is marked by, empty for code.
    """

    name: str
    graded: str
    rubric: str


@dataclass(frozen=True)
class NotebookScores:
    """What the gradebook is told of a graded notebook, by the names of its cells: as plain data.

    scores: None where a person has to give one; words: of each answer, with its pictures; untouched: the answers that
    are as they were handed out.
    """

    scores: Mapping[str, float | None]
    words: Mapping[str, str]
    untouched: Sequence[str]

    @classmethod
    def of(cls, notebook: NotebookNode) -> NotebookScores:
        """Return those of a notebook; its scores are what nbgrader makes of the outputs."""
        answers = {grade_id_of(cell): cell for cell in notebook.cells if is_solution(cell)}
        sums = {name: cell.metadata.nbgrader.get("checksum") for name, cell in answers.items()}
        return cls(
            {grade_id_of(cell): determine_grade(cell)[0] for cell in notebook.cells if is_grade(cell)},
            {name: with_attachments(cell) for name, cell in answers.items()},
            [name for name, cell in answers.items() if sums[name] == compute_checksum(cell)],
        )


def save_scores(
    gradebook: Gradebook, lesson: Lesson, notebook: SubmittedNotebook, rows: NotebookScores
) -> None:
    """Do what nbgrader's `SaveAutoGrades` does, for a submission that was entered; a mark stays with its words.

    A mark of which no line tells was given before this grader kept words: nobody knows for which.
    """
    db = gradebook.db
    grades, comments = _by_cell(gradebook, notebook, Grade), _by_cell(gradebook, notebook, Comment)
    for name, score in rows.scores.items():
        grades[name].auto_score = score
    for name in rows.words:
        comments[name].auto_comment = "No response." if name in rows.untouched else None
    lines = manual_grades.read_marks(db, [grade.id for grade in grades.values()])
    new, settled = list[Mark](), list[tuple[Grade, Comment | None, Mark, bool]]()
    for question in list_answers(lesson):
        if question.graded not in grades:
            continue
        grade, comment = grades[question.graded], comments.get(question.name)
        text = rows.words.get(question.name, "")
        mark = (grade.manual_score, float(grade.max_score), comment and comment.manual_comment or "", ())
        words = digest_of_words(text)
        answer = Mark(grade.id, 0, words, question.rubric, text, *mark, manual_grades.now(), "", HANDED_IN)
        earlier = lines.get(grade.id, [])
        if not earlier and (answer.points is not None or answer.comment):
            unknown: dict[str, Any] = {} if answer.points is None else {"words": UNKNOWN, "text": None}
            earlier = [replace(answer, why="", **unknown)]
            new += earlier
        by_people = [line for line in earlier if line.why != HANDED_IN]
        for_answer = [line for line in by_people if line.is_for(answer)]
        if not earlier or not earlier[-1].is_for(answer):
            answer = replace(answer, change=len(earlier), points=None, comment="")
            for last in for_answer[-1:]:
                answer = replace(answer, points=last.points, comment=last.comment, items=last.items)
            new.append(answer)
        look_again = bool(by_people and not for_answer and by_people[-1].points is not None)
        waits = answer.points is None and (grade.auto_score is None or look_again)
        settled.append((grade, comment, answer, waits))
    manual_grades.add_marks(db, new)
    for grade, comment, answer, waits in settled:
        grade.manual_score, grade.needs_manual_grade = answer.points, waits
        if comment is not None:
            comment.manual_comment = answer.comment or None
    db.commit()


def list_answers(lesson: Lesson) -> Iterator[AskedAnswer]:
    """Yield what a lesson asks for and gives points for."""
    for cell in lesson.cells:
        if cell.marker == "written":
            yield AskedAnswer(cell.name, cell.name, digest_of_words(split_prompt(cell)[1]))
    yield from (AskedAnswer(exercise.id, f"test_{exercise.id}", "") for exercise in lesson.graded)


def split_prompt(cell: SourceCell) -> tuple[str, str]:
    """Return what a cell asks for in writing, and the model answer with its rubric."""
    prompt, _, model = cell.text.split(END)[0].partition(BEGIN)
    return prompt.strip(), model.strip()


def digest_of_words(words: str) -> str:
    """Return the same for texts that differ in nothing but white space at the ends of their lines."""
    lines = map(str.rstrip, words.splitlines())
    return hashlib.sha256("\n".join(lines).strip("\n").encode()).hexdigest()


def _by_cell(gradebook: Gradebook, notebook: SubmittedNotebook, kind: Any) -> dict[str, Any]:
    """Return a notebook's grades or comments, by the names of cells."""
    rows = gradebook.db.query(BaseCell.name, kind).join(kind.cell).filter(kind.notebook_id == notebook.id)
    return dict(tuple(row) for row in rows.populate_existing())

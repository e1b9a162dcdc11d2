"""What is marked by hand: answers in writing, and code whose points somebody set, or is to look at again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook
from sqlalchemy import Row

from autograder.classroom import hand_out
from autograder.classroom.class_folder import directory_of
from autograder.classroom.gradebook import gradebook_exists
from autograder.courses import Lesson
from autograder.courses.lesson_source import strip_solution_marks
from autograder.records import class_record, manual_grades, marked_answers
from autograder.records.manual_grades import MarkedAnswer, RubricItem


@dataclass(frozen=True)
class Aids:
    """Aids to mark a question: its rubric items, the lines of comments, and the class's record.

    offered: whether the lesson's rubric has items that are not among them.
    """

    items: Sequence[RubricItem] = ()
    comments: Sequence[str] = ()
    record: Sequence[Row] = ()
    offered: bool = False


@dataclass(frozen=True)
class MarkedQuestion:
    """A question in Markdown, its model answer with a rubric, its answers, and the number of untouched ones.

    graded: the cell that carries its points; released: what stood in the answer's cell when it was handed out.
    For a marker, the answers are in their order. leaders: of those that are like an earlier one, by ids; alike: the
    others, by that one's id.
    """

    lesson: Lesson
    name: str
    graded: str
    points: float
    prompt: str
    model: str
    answers: Sequence[MarkedAnswer]
    untouched: int
    released: str
    leaders: Mapping[str, str] = field(default_factory=dict)
    alike: Mapping[str, Sequence[MarkedAnswer]] = field(default_factory=dict)
    aids: Aids = Aids()


def marked_questions(folder: Path, lesson: Lesson) -> list[MarkedQuestion]:
    """Return a graded lesson's questions of which an answer is marked by hand."""
    graded = class_record.graded_work(folder, lesson)
    url = directory_of(lesson.course, folder).db_url
    if not (graded and gradebook_exists(url)):
        return []
    with Gradebook(url) as gradebook:
        manual_grades.make_tables(gradebook)
        answers = [
            answer for answer in manual_grades.read_answers(gradebook, lesson) if answer.student in graded
        ]
    written = {cell.name: cell for cell in lesson.cells if cell.marker == "written"}
    prompts = {cell.name: cell.text for cell in lesson.cells if cell.marker == "prompt"}
    questions = []
    for name, of, _ in marked_answers.list_answers(lesson):
        each = [answer for answer in answers if answer.name == of]
        by_hand = [answer for answer in each if _is_by_hand(answer)]
        if name in written and each:
            about = (written[name].points, *marked_answers.split_prompt(written[name]), by_hand)
            untouched, released = len(each) - len(by_hand), released_text(lesson, of)
            questions.append(MarkedQuestion(lesson, name, of, *about, untouched, released))
        elif by_hand:
            model = f"```python\n{strip_solution_marks(lesson.solution(name))}\n```"
            about = (lesson.exercise(name).points, prompts.get(name, ""), model, by_hand)
            questions.append(MarkedQuestion(lesson, name, of, *about, untouched=0, released=""))
    return questions


def released_text(lesson: Lesson, name: str) -> str:
    """Return what stood in the cell of an answer in writing when it was handed out; empty for any other cell."""
    cell = hand_out.released_cells(lesson).get(name)
    return "" if cell is None or cell.cell_type == "code" else cell.source


def _is_by_hand(answer: MarkedAnswer) -> bool:
    """Return whether its points are not the grader's alone."""
    return answer.waits or answer.points is not None or any(mark.points is not None for mark in answer.own)

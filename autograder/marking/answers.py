"""What is marked by hand: answers in writing, and code whose points somebody set, or is to look at again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.courses import Lesson
from autograder.courses.source import without_marks
from autograder.nbgrader_plugin import marked_words, marks, records, releasing
from autograder.nbgrader_plugin.gradebook import directory_of, is_there
from autograder.nbgrader_plugin.marks import Marked


@dataclass(frozen=True)
class MarkedQuestion:
    """What was asked, in Markdown; the model answer with its rubric; the answers, and how many left it untouched.

    kind: of the answers: "markdown" or "code"; released: what stood in the cell when it was handed out.
    """

    lesson: Lesson
    name: str
    kind: str
    points: float
    prompt: str
    model: str
    answers: Sequence[Marked]
    untouched: int = 0
    released: str = ""

    @property
    def graded(self) -> str:
        """The cell that carries its points."""
        return self.name if self.kind == "markdown" else f"test_{self.name}"


def marked_questions(folder: Path, lesson: Lesson) -> list[MarkedQuestion]:
    """A graded lesson's questions of which an answer is marked by hand."""
    graded = records.graded_work(folder, lesson)
    url = directory_of(lesson.course, folder).db_url
    if not (graded and is_there(url)):
        return []
    with Gradebook(url) as gradebook:
        marked_words.adopt(gradebook, lesson, graded)
        found = [one for one in marks.answers_of(gradebook, lesson) if one.student in graded]
    return [*_in_writing(lesson, found), *_code(lesson, found)]


def _in_writing(lesson: Lesson, found: Sequence[Marked]) -> Iterator[MarkedQuestion]:
    for cell in lesson.cells:
        each = [one for one in found if one.name == cell.name and cell.marker == "written"]
        if each:
            answers = [one for one in each if _by_hand(one)]
            about = (lesson, cell.name, "markdown", cell.points, *marked_words.prompt_and_model(cell))
            released = released_text(lesson, cell.name)
            yield MarkedQuestion(*about, answers, len(each) - len(answers), released)


def released_text(lesson: Lesson, name: str) -> str:
    """Return what stood in the cell of an answer in writing when it was handed out; empty for any other cell."""
    cell = releasing.released_cells(lesson).get(name)
    return "" if cell is None or cell.cell_type == "code" else cell.source


def parted(text: str, released: str) -> tuple[str, str]:
    """Return the student's own paragraphs of an answer, and those that stood in the cell when it was handed out."""
    known = set(map(_words, _paragraphs(released)))
    own, others = list[str](), list[str]()
    for paragraph in _paragraphs(text):
        (others if _words(paragraph) in known else own).append(paragraph)
    return ("\n\n".join(own), "\n\n".join(others)) if others else (text, "")


def _paragraphs(text: str) -> list[str]:
    return re.split(r"\n[ \t]*\n", text.strip())


def _words(text: str) -> str:
    return " ".join(text.split())


def _code(lesson: Lesson, found: Sequence[Marked]) -> Iterator[MarkedQuestion]:
    prompts = {cell.name: cell.text for cell in lesson.cells if cell.marker == "prompt"}
    for one in lesson.graded:
        if answers := [each for each in found if each.name == f"test_{one.id}" and _by_hand(each)]:
            model = f"```python\n{without_marks(lesson.solution(one.id))}\n```"
            yield MarkedQuestion(lesson, one.id, "code", one.points, prompts.get(one.id, ""), model, answers)


def _by_hand(answer: Marked) -> bool:
    """Whether its points are not the grader's alone."""
    return answer.waits or answer.points is not None or any(one.points is not None for one in answer.own)

"""A marker's view: what they see of a class's answers, and what they may do. Who wrote an answer is not seen there.

What is marked by hand are answers in writing, and code whose points somebody set, or is to look at again.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbgrader.api import Gradebook
from sqlalchemy import Row

from autograder.classroom import hand_out
from autograder.classroom.class_folder import directory_of
from autograder.classroom.class_lock import Busy, lock_class
from autograder.classroom.gradebook import gradebook_exists
from autograder.courses import Course, Lesson
from autograder.courses.lesson_source import strip_solution_marks
from autograder.marking import rubric
from autograder.marking.groups import find_leaders
from autograder.records import class_record, manual_grades, marked_answers
from autograder.records.manual_grades import GivenMark, MarkedAnswer, RubricItem
from autograder.records.recovery import lock_and_recover

PATIENCE = 3.0
"""Seconds that a mark waits for another who is at work in the class's folder; the page answers nobody so long."""


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
        answers = manual_grades.read_answers(gradebook, lesson)
    cells = {(cell.marker, cell.name): cell for cell in lesson.cells}
    questions = []
    for name, of, _ in marked_answers.list_answers(lesson):
        each = [answer for answer in answers if answer.name == of and answer.student in graded]
        by_hand, untouched = [answer for answer in each if _is_by_hand(answer)], 0
        if each and (written := cells.get(("written", name))):
            points, untouched = written.points, len(each) - len(by_hand)
            prompt, model = marked_answers.split_prompt(written)
        elif by_hand:
            prompt_cell = cells.get(("prompt", name))
            points, prompt = lesson.exercise(name).points, prompt_cell.text if prompt_cell else ""
            model = f"```python\n{strip_solution_marks(lesson.solution(name))}\n```"
        else:
            continue
        about = (lesson, name, of, points, prompt, model, by_hand, untouched)
        questions.append(MarkedQuestion(*about, released_text(lesson, of)))
    return questions


def released_text(lesson: Lesson, name: str) -> str:
    """Return what stood in the cell of an answer in writing when it was handed out; empty for any other cell."""
    cell = hand_out.released_cells(lesson).get(name)
    return "" if cell is None or cell.cell_type == "code" else cell.source


def _is_by_hand(answer: MarkedAnswer) -> bool:
    """Return whether its points are not the grader's alone."""
    return answer.waits or answer.points is not None or any(mark.points is not None for mark in answer.own)


class MarkerView:
    """A marker at these lessons' answers in a class."""

    def __init__(self, course: Course, folder: Path, lessons: Sequence[Lesson], marker: str) -> None:
        self._course, self.folder, self._lessons = course, folder, lessons
        self._directory = directory_of(course, folder)
        self._url, self._command = self._directory.db_url, f"{course.command} mark"
        self.marker = marker

    def questions(self, patience: float | None = 0) -> list[MarkedQuestion]:
        """Return all questions with their answers as they are now. patience: as for `lock_and_recover`."""
        with contextlib.ExitStack() as until_read:
            with contextlib.suppress(Busy):  # who is at work there has settled it
                until_read.enter_context(lock_and_recover(self._directory, self._command, patience))
            return [
                self._shown(question)
                for lesson in self._lessons
                for question in marked_questions(self.folder, lesson)
            ]

    def _shown(self, question: MarkedQuestion) -> MarkedQuestion:
        order = f"{self.marker} {question.lesson.id} {question.name}"
        drawn = sorted(
            question.answers, key=lambda answer: hashlib.sha256(f"{order} {answer.id}".encode()).digest()
        )
        leaders = find_leaders(drawn, question.released)
        alike = defaultdict[str, list[MarkedAnswer]](list)
        for answer in drawn:
            if answer.id in leaders:
                alike[leaders[answer.id]].append(answer)
        aids = self.aids(question.lesson.id, question.graded, drawn)
        return replace(question, answers=drawn, leaders=leaders, alike=alike, aids=aids)

    def of_question(self, lesson: str, name: str) -> list[MarkedAnswer]:
        """Return a question's answers by id. name: of the cell that carries its points."""
        of = self._course.lesson(lesson)
        with Gradebook(self._url) as gradebook:
            by_id = sorted(manual_grades.read_answers(gradebook, of), key=lambda answer: answer.id)
        return [answer for answer in by_id if answer.name == name]

    def released_text(self, lesson: str, name: str) -> str:
        """Return what stood in an answer's cell when it was handed out. name: of the cell that carries its points."""
        return released_text(self._course.lesson(lesson), name)

    def aids(self, lesson: str, name: str, those: Sequence[MarkedAnswer]) -> Aids:
        """Return what helps to mark these answers of a question."""
        with Gradebook(self._url) as gradebook:
            items = rubric.load_items(gradebook, lesson, name)
            record = manual_grades.read_log(gradebook.db, lesson, name)
        texts = {item.says for item in items}
        is_offered = any(says not in texts for says, _ in self._rubric(lesson, name))
        return Aids(items, _comments(those, texts), record, is_offered)

    def _rubric(self, lesson: str, name: str) -> list[tuple[str, float]]:
        """Return the items of the rubric that the lesson itself has for an answer in writing."""
        cells = self._course.lesson(lesson).cells
        written = (cell for cell in cells if cell.marker == "written" and cell.name == name)
        return [item for cell in written for item in rubric.read_rubric(marked_answers.split_prompt(cell)[1])]

    def give_marks(
        self, lesson: str, name: str, marks: Sequence[GivenMark], items: Sequence[RubricItem] = ()
    ) -> None:
        """Change marks of a question's answers: all or none.

        items: the rubric items that they have from now on, as they were seen. Raises as `marks.give_marks`, and
        `Stale` where one is not any more as it was seen.
        """
        with self._writing() as gradebook:
            if items:
                rubric.check_unchanged(gradebook, lesson, name, *items)
            manual_grades.give_marks(gradebook, self.marker, marks)

    def take_over_rubric(self, lesson: str, name: str) -> None:
        """Make the items of the lesson's own rubric items that can be clicked."""
        with self._writing() as gradebook:
            rubric.add_items(gradebook, self.marker, lesson, name, self._rubric(lesson, name))

    def show_names(self, lesson: str, name: str) -> dict[str, str]:
        """Return who wrote the answers to a question, by the answers' ids; the class's record says so."""
        with self._writing() as gradebook:
            manual_grades.add_to_log(gradebook.db, self.marker, lesson, name, "names shown")
        return {answer.id: answer.student for answer in self.of_question(lesson, name)}

    def change_item(
        self, lesson: str, name: str, shown_item: RubricItem | None, new_item: RubricItem | None
    ) -> None:
        """Add a rubric item, where none was seen, change one, or remove one, where there shall be none."""
        with self._writing() as gradebook:
            if shown_item is not None:
                of = self._course.lesson(lesson)
                rubric.change_item(gradebook, self.marker, of, name, shown_item, new_item)
            elif new_item is not None:
                rubric.add_items(gradebook, self.marker, lesson, name, [(new_item.says, new_item.points)])

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Gradebook]:
        with (
            lock_class(self.folder, self._command, PATIENCE),
            manual_grades.open_for_writing(self._url) as gradebook,
        ):
            yield gradebook


def _comments(answers: Sequence[MarkedAnswer], items: set[str]) -> list[str]:
    """Return the lines of comments given to these answers, earlier comments too, without rubric items.

    The lines come in the order in which they were first written. items: the texts of the rubric items.
    """
    marks = [mark for answer in answers for mark in (answer, answer.before) if mark]
    lines = {line for mark in marks for line in mark.comment.splitlines() if line.strip()} - items
    first: dict[str, str] = {}
    for mark in (mark for answer in answers for mark in answer.history):
        for line in mark.comment.splitlines():
            first[line] = min(mark.at, first.get(line, mark.at))
    return sorted(lines, key=lambda line: (first.get(line, "~"), line))

"""A marker's desk: what they see of a class's answers, and what they may do. Who wrote an answer is not seen there."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.courses import Course, Lesson
from autograder.marking import answers
from autograder.marking.answers import MarkedQuestion
from autograder.marking.groups import grouped
from autograder.nbgrader_plugin import marks, rubric_items
from autograder.nbgrader_plugin.class_lock import Busy, alone, settled
from autograder.nbgrader_plugin.gradebook import directory_of
from autograder.nbgrader_plugin.mark_tables import Recorded, add_to_record, recorded
from autograder.nbgrader_plugin.marked_words import prompt_and_model
from autograder.nbgrader_plugin.marks import GivenMark, Marked
from autograder.nbgrader_plugin.rubric_items import RubricItem

PATIENCE = 3.0
"""Seconds that a mark waits for another who is at work in the class's folder; the page answers nobody so long."""


@dataclass(frozen=True)
class Aids:
    """What helps to mark a question: its rubric items, the lines of comments, and what the class's record says.

    offered: whether the lesson's rubric has items that are not among them.
    """

    items: Sequence[RubricItem]
    comments: Sequence[str]
    record: Sequence[Recorded]
    offered: bool


@dataclass(frozen=True)
class ShownQuestion:
    """A question with its answers in a marker's order.

    leaders: of those that are like an earlier one, by ids; alike: the others, by that one's id.
    """

    about: MarkedQuestion
    answers: Sequence[Marked]
    leaders: Mapping[str, str]
    alike: Mapping[str, Sequence[Marked]]
    aids: Aids


class Desk:
    """A marker at these lessons' answers in a class."""

    def __init__(self, course: Course, folder: Path, lessons: Sequence[Lesson], marker: str) -> None:
        self._course, self._folder, self._lessons = course, folder, lessons
        self._directory = directory_of(course, folder)
        self._url, self._verb = self._directory.db_url, f"{course.command} mark"
        self.marker = marker

    def questions(self) -> list[ShownQuestion]:
        """All questions with their answers as they are now."""
        with contextlib.ExitStack() as until_read:
            with contextlib.suppress(Busy):  # who is at work there has settled it
                until_read.enter_context(settled(self._directory, self._verb))
            return [
                self._shown(question)
                for lesson in self._lessons
                for question in answers.marked_questions(self._folder, lesson)
            ]

    def _shown(self, question: MarkedQuestion) -> ShownQuestion:
        order = f"{self.marker} {question.lesson.id} {question.name}"
        drawn = sorted(
            question.answers, key=lambda one: hashlib.sha256(f"{order} {one.id}".encode()).digest()
        )
        leaders = grouped(drawn, question.released)
        alike: dict[str, list[Marked]] = {}
        for one in drawn:
            if one.id in leaders:
                alike.setdefault(leaders[one.id], []).append(one)
        aids = self.aids(question.lesson.id, question.graded, drawn)
        return ShownQuestion(question, drawn, leaders, alike, aids)

    def of_question(self, lesson: str, name: str) -> list[Marked]:
        """A question's answers as this marker may see them now, by id; name: of the cell that carries its points."""
        found = self._course.lesson(lesson)
        with Gradebook(self._url) as gradebook:
            by_id = sorted(marks.answers_of(gradebook, found), key=lambda one: one.id)
        return [one for one in by_id if one.name == name]

    def released_text(self, lesson: str, name: str) -> str:
        """Return what stood in an answer's cell when it was handed out; name: of the cell that carries its points."""
        return answers.released_text(self._course.lesson(lesson), name)

    def aids(self, lesson: str, name: str, those: Sequence[Marked]) -> Aids:
        """What helps to mark these answers of a question."""
        with Gradebook(self._url) as gradebook:
            items = rubric_items.items_of(gradebook, lesson, name)
            record = recorded(gradebook.db, lesson, name)
        offered = {says for says, _ in self._rubric(lesson, name)} - {one.says for one in items}
        return Aids(items, _lines(those, items), record, bool(offered))

    def _rubric(self, lesson: str, name: str) -> list[tuple[str, float]]:
        """Return the items of the rubric that the lesson itself has for an answer in writing."""
        cells = self._course.lesson(lesson).cells
        written = (cell for cell in cells if cell.marker == "written" and cell.name == name)
        return [item for cell in written for item in rubric_items.read_rubric(prompt_and_model(cell)[1])]

    def give(
        self, lesson: str, name: str, given: Sequence[GivenMark], rubric: Sequence[RubricItem] = ()
    ) -> None:
        """Change marks of a question's answers: all or none.

        rubric: the rubric items that they have from now on, as they were seen. Raises as `marks.give_marks`, and
        `Stale` where one is not any more as it was seen.
        """
        found = self._course.lesson(lesson)
        with self._alone():
            if rubric:
                with Gradebook(self._url) as gradebook:
                    rubric_items.expect_seen(gradebook, found, name, *rubric)
            marks.give_marks(self._url, self.marker, given)

    def take_over_rubric(self, lesson: str, name: str) -> None:
        """Make the items of the lesson's own rubric items that can be clicked."""
        found, items = self._course.lesson(lesson), self._rubric(lesson, name)
        with self._alone():
            rubric_items.add_items(self._url, self.marker, found, name, items)

    def uncover(self, lesson: str, name: str) -> dict[str, str]:
        """Who wrote the answers to a question, by the answers' ids; that they were told is in the class's record."""
        with self._alone(), marks.writing(self._url) as gradebook:
            add_to_record(gradebook.db, self.marker, lesson, name, "names shown")
        return {one.id: one.student for one in self.of_question(lesson, name)}

    def change_item(self, lesson: str, name: str, seen: RubricItem | None, now: RubricItem | None) -> None:
        """Add a rubric item, where none was seen, change one, or remove one, where there shall be none."""
        found = self._course.lesson(lesson)
        with self._alone():
            if seen is None and now is not None:
                rubric_items.add_items(self._url, self.marker, found, name, [(now.says, now.points)])
            elif seen is not None and now is not None:
                rubric_items.change_item(self._url, self.marker, found, name, seen, now)
            elif seen is not None:
                rubric_items.remove_item(self._url, self.marker, found, name, seen)

    def _alone(self) -> AbstractContextManager[None]:
        return alone(self._folder, self._verb, PATIENCE)


def _lines(those: Sequence[Marked], items: Sequence[RubricItem]) -> list[str]:
    """The lines of comments given to these answers, earlier words too, as they were first written; no rubric item."""
    given = [one.comment for one in those] + [one.before.comment for one in those if one.before]
    now = {line for comment in given for line in comment.splitlines() if line.strip()}
    at: dict[str, str] = {}
    for one in those:
        for past in one.history:
            for line in past.comment.splitlines():
                at[line] = min(past.at, at.get(line, past.at))
    return sorted(now - {one.says for one in items}, key=lambda line: (at.get(line, "~"), line))

"""A marker's desk: what they see of a class's answers, and what they may do. Who wrote an answer is not seen there."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from sqlalchemy import delete, insert, select

from autograder.courses import Course, Lesson
from autograder.marking import answers
from autograder.marking.answers import MarkedQuestion
from autograder.marking.groups import grouped
from autograder.nbgrader_plugin import marks, rubric_items, shared_sample
from autograder.nbgrader_plugin.class_lock import Busy, alone, settled
from autograder.nbgrader_plugin.gradebook import directory_of
from autograder.nbgrader_plugin.mark_tables import SET_APART, Recorded, add_to_record, recorded
from autograder.nbgrader_plugin.marks import GivenMark, Marked
from autograder.nbgrader_plugin.rubric_items import RubricItem
from autograder.nbgrader_plugin.shared_sample import Agreement, SampleMark

PATIENCE = 3.0
"""Seconds that a mark waits for another who is at work in the class's folder; the page answers nobody so long."""


@dataclass(frozen=True)
class Aids:
    """What helps to mark a question: its rubric items, the lines of comments, and what the class's record says.

    sampled: by answer what markers gave to the shared sample; none while this marker marks it. agreements: none before
    this marker has marked all of it.
    """

    items: Sequence[RubricItem]
    comments: Sequence[str]
    record: Sequence[Recorded]
    sampled: Mapping[str, Sequence[SampleMark]]
    agreements: Sequence[Agreement]


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
    """A marker at these lessons' answers in a class; sample: how many of each question are shared, 0 for all."""

    def __init__(
        self, course: Course, folder: Path, lessons: Sequence[Lesson], marker: str, sample: int = 0
    ) -> None:
        self._course, self._folder, self._lessons = course, folder, lessons
        self._directory = directory_of(course, folder)
        self._url, self._verb = self._directory.db_url, f"{course.command} mark"
        self.marker, self.sample = marker, sample

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
        with Gradebook(self._url) as gradebook:
            if self.sample:
                chosen = shared_sample.drawn(gradebook, [one.id for one in drawn], self.sample)
                given = shared_sample.sample_marks(gradebook, question.lesson)
                drawn = [self._own(one, given) for one in drawn if one.id in chosen]
            own = {one.id: one.words for one in drawn}
            taken_out = gradebook.db.execute(select(SET_APART.c.grade, SET_APART.c.words))
            apart = {id for id, words in taken_out if own.get(id) == words}
        leaders = {} if self.sample else grouped(drawn, apart)
        alike: dict[str, list[Marked]] = {}
        for one in drawn:
            if one.id in leaders:
                alike.setdefault(leaders[one.id], []).append(one)
        aids = self.aids(question.lesson.id, question.graded, drawn)
        return ShownQuestion(question, drawn, leaders, alike, aids)

    def _own(self, answer: Marked, given: Mapping[str, Sequence[SampleMark]]) -> Marked:
        return shared_sample.as_marked_by(self.marker, answer, given.get(answer.id, ()))

    def of_question(self, lesson: str, name: str) -> list[Marked]:
        """A question's answers as this marker may see them now, by id; name: of the cell that carries its points."""
        found = self._course.lesson(lesson)
        with Gradebook(self._url) as gradebook:
            by_id = sorted(marks.answers_of(gradebook, found), key=lambda one: one.id)
            all_answers = [one for one in by_id if one.name == name]
            if not self.sample:
                return all_answers
            given = shared_sample.sample_marks(gradebook, found)
        return [self._own(one, given) for one in all_answers]

    def aids(self, lesson: str, name: str, those: Sequence[Marked]) -> Aids:
        """What helps to mark these answers of a question."""
        with Gradebook(self._url) as gradebook:
            items = rubric_items.items_of(gradebook, lesson, name)
            given = shared_sample.sample_marks(gradebook, self._course.lesson(lesson))
            record = recorded(gradebook.db, lesson, name)
        own = {one.id for one in those}
        sampled = {id: one for id, one in given.items() if id in own}
        told = not (self.sample and any(one.waits for one in those))
        agreements = shared_sample.agreements(sampled, name.removeprefix("test_")) if told else []
        return Aids(items, _lines(those, items), record, {} if self.sample else sampled, agreements)

    def agreements(self) -> list[Agreement]:
        """How far markers agree on all these lessons' questions."""
        with Gradebook(self._url) as gradebook:
            found = []
            for lesson in self._lessons:
                given = shared_sample.sample_marks(gradebook, lesson)
                names = {one.id: one.name for one in marks.answers_of(gradebook, lesson)}
                for name in dict.fromkeys(names.values()):
                    of_it = {id: one for id, one in given.items() if names[id] == name}
                    found += shared_sample.agreements(of_it, name.removeprefix("test_"))
        return found

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
            if self.sample:
                shared_sample.give_sample_marks(self._url, self.marker, found, given)
            else:
                marks.give_marks(self._url, self.marker, given)

    def take_out(self, id: str, words: str) -> None:
        """Have an answer with these words stand by itself from now on, whatever it is like."""
        with self._alone(), marks.writing(self._url) as gradebook:
            gradebook.db.execute(delete(SET_APART).where(SET_APART.c.grade == id))
            gradebook.db.execute(insert(SET_APART).values(grade=id, words=words))

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
                rubric_items.add_item(self._url, self.marker, found, name, now.says, now.points)
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

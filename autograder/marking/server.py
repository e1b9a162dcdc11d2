"""The verb `mark`: written answers on one page, and what takes the marks that it sends into nbgrader's gradebook."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from autograder.courses import Course
from autograder.marking.answers import parted
from autograder.marking.desk import Aids, Desk, ShownQuestion
from autograder.marking.groups import differing
from autograder.marking.local_page import ONLY_HERE, Doors, LocalChange, WholePage, serve_page
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.class_lock import settled, user_name
from autograder.nbgrader_plugin.formatting import Formatted, Text, formatted, prose
from autograder.nbgrader_plugin.gradebook import directory_of, expect_fit
from autograder.nbgrader_plugin.marks import GivenMark, Marked, Stale
from autograder.nbgrader_plugin.rubric_items import MAX_ITEM, RubricItem
from autograder.publish import pages
from autograder.publish.pages import Filters

LONGEST_NAME = 60
"""Characters."""

MAX_COMMENT = 10_000
"""Characters."""


def serve_answers(
    course: Course,
    wanted: list[str],
    folder: Path,
    port: int,
    browser: bool,
    marker: str = "",
) -> None:
    """Serve the written answers of the wanted lessons, all graded ones when none is named, until Ctrl+C.

    port: 0 for a free one; marker: who marks, this program's user when not given. Raises `CourseError` where there is
    nothing to mark.
    """
    lessons, directory = course.chosen(wanted), directory_of(course, folder)
    expect_fit(folder, directory.db_url)
    marker = marker.strip() or user_name()
    if len(marker) > LONGEST_NAME or not marker.isprintable():
        raise CourseError(f"--marker: a name of at most {LONGEST_NAME} characters on one line")
    desk = Desk(course, folder, lessons, marker)
    verb = f"{course.command} mark"
    with settled(directory, verb, patience=None) if folder.is_dir() else contextlib.nullcontext():
        found = desk.questions()
    if not found:
        raise CourseError(f"no written answers are graded in {folder}: `{course.command} round` first")
    serve_page(marking_doors(desk), "mark", "Each mark is saved as you make it.", folder, port, browser)


def exact(points: float) -> str:
    """Points as somebody would type them."""
    return f"{points:.15g}"


class Remembered:
    """Formats texts for the page, each once."""

    def __init__(self) -> None:
        self._known: dict[Text, Formatted] = {}

    def some(self, texts: Iterable[Text]) -> Mapping[Text, Formatted]:
        """What became of texts, of these among them."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known |= zip(new, formatted(new))
        return self._known


def answers_page(questions: Sequence[ShownQuestion], show: Remembered, desk: Desk) -> tuple[str, str]:
    """The page of all answers to these questions, and its content security policy."""
    texts = [
        text
        for one in questions
        for answer in one.answers
        for text in _texts(one.about.kind, answer, one.about.released)
    ]
    values = {"questions": questions, "shown": show.some(texts), "desk": desk, "fresh": False}
    values |= {"most": MAX_COMMENT, "most_of_item": MAX_ITEM}
    values |= {"Text": Text, "differing": differing, "parted": parted}
    filters: Filters = {"prose": prose, "points": exact}
    text, policy = pages.page("autograder.marking", "mark.html.j2", "mark.js", filters, **values)
    return text, f"{policy}; img-src data:; {ONLY_HERE}"


def _texts(kind: str, answer: Marked, released: str) -> list[Text]:
    """What stands of an answer on the page: its words, and those that it was marked for before, both in parts."""
    words = [answer.text, answer.before.text if answer.before else None]
    parts = (parted(text, released) for text in words if text is not None)
    return [Text(kind, part) for own_and_released in parts for part in own_and_released]


def _now(answer: Marked, aids: Aids, released: str, show: Remembered, fresh: bool) -> dict[str, object]:
    """An answer as it is now, in pieces for the page that shows it; fresh: whether that page has just changed it."""
    kind = "code" if answer.is_code else "markdown"
    shown = show.some(_texts(kind, answer, released))
    values = {"answer": answer, "kind": kind, "shown": shown, "fresh": fresh, "released": released}
    values |= {"Text": Text, "parted": parted}
    return {
        "above": pages.still("autograder.marking", "above.html.j2", {"points": exact}, **values),
        "below": pages.still("autograder.marking", "below.html.j2", {"points": exact}, aids=aids, **values),
        "points": "" if answer.points is None else exact(answer.points),
        "comment": answer.comment,
        "items": answer.items,
        "waits": answer.waits,
        "before": answer.before is not None,
        **answer.seen._asdict(),
    }


def marking_doors(desk: Desk) -> Doors:
    """What answers: at `/` the page, and at other paths what it sends."""
    known = {"desk": desk, "show": Remembered()}
    forms = {"/mark": _Marks, "/item": _Item, "/rubric": _Rubric, "/names": _Names}
    return [("/", _Page, known), *((path, _Sending, {**known, "form": form}) for path, form in forms.items())]


class _Page(WholePage):
    title = "Written answers"

    def initialize(self, desk: Desk, show: Remembered) -> None:
        self._desk, self._show = desk, show

    def made(self) -> tuple[str, str]:
        return answers_page(self._desk.questions(), self._show, self._desk)


class _Sending(LocalChange):
    """Takes what the page sends about one question, and answers with what is there then.

    Where something was another already than the page showed, that comes with status 409, and nothing is changed.
    """

    def initialize(self, desk: Desk, show: Remembered, form: type[_Sent]) -> None:
        self._desk, self._show, self.form = desk, show, form

    def take(self, sent: _Sent) -> dict[str, Any]:
        try:
            return {**sent.apply_to(self._desk), **self._now(sent, sent.fresh)}
        except Stale as error:
            self.set_status(409)
            return {"problem": str(error), "stale": error.ids, **self._now(sent)}

    def _now(self, sent: _Sent, fresh: bool = False) -> dict[str, object]:
        """A question's aids, and the answers that the page has to show anew."""
        answers = self._desk.of_question(sent.lesson, sent.name)
        aids = self._desk.aids(sent.lesson, sent.name, answers)
        released = self._desk.released_text(sent.lesson, sent.name)
        shown = {
            one.id: _now(one, aids, released, self._show, fresh) for one in answers if sent.concerns(one)
        }
        return {
            "items": aids.items,
            "offered": aids.offered,
            "comments": aids.comments,
            "record": pages.still("autograder.marking", "record.html.j2", aids=aids),
            "answers": shown,
        }


class _Sent(msgspec.Struct):
    """What the page sends about a question; name: of the cell that carries its points."""

    fresh: ClassVar[bool] = False
    lesson: str
    name: str

    def apply_to(self, desk: Desk) -> dict[str, object]:
        """Do it; what the page is told beside the question as it is then comes back."""
        raise NotImplementedError

    def concerns(self, answer: Marked) -> bool:
        """Whether an answer has to do with it."""
        return False


class _Marks(_Sent):
    """Marks of answers of one question, which all have to have been seen as they are.

    rubric: the rubric items that they have, as these were seen.
    """

    fresh = True
    marks: list[GivenMark]
    rubric: list[RubricItem] = []

    def apply_to(self, desk: Desk) -> dict[str, object]:
        has = {item for one in self.marks for item in one.changes.get("items", ())}
        if has != {one.id for one in self.rubric}:
            raise CourseError("rubric items of which it is not said how they were seen")
        if any(len(one.changes.get("comment", "")) > MAX_COMMENT for one in self.marks):
            raise CourseError(f"a comment has at most {MAX_COMMENT} characters")
        desk.give(self.lesson, self.name, self.marks, self.rubric)
        return {}

    def concerns(self, answer: Marked) -> bool:
        return any(one.id == answer.id for one in self.marks)


class _Item(_Sent):
    """A rubric item as it was seen, None for a new one, and as it shall be now, None for none."""

    seen: RubricItem | None
    now: RubricItem | None

    def apply_to(self, desk: Desk) -> dict[str, object]:
        now = self.now and self.now._replace(says=" ".join(self.now.says.split()))
        if now and not 0 < len(now.says) <= MAX_ITEM:
            raise CourseError(f"a rubric item has a text of at most {MAX_ITEM} characters")
        desk.change_item(self.lesson, self.name, self.seen, now)
        return {}

    def concerns(self, answer: Marked) -> bool:
        return self.seen is not None and self.seen.id in answer.items


class _Rubric(_Sent):
    """Asks for the items of the lesson's own rubric as items that can be clicked."""

    def apply_to(self, desk: Desk) -> dict[str, object]:
        desk.take_over_rubric(self.lesson, self.name)
        return {}


class _Names(_Sent):
    """Asks who wrote the answers to a question; the class's record says that they were told."""

    def apply_to(self, desk: Desk) -> dict[str, object]:
        return {"names": desk.uncover(self.lesson, self.name)}

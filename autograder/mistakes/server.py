"""The verb `mistakes`: what a class's wrong answers without a name do, on a page on which they are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from autograder.courses import Course, Lesson
from autograder.marking.desk import PATIENCE
from autograder.marking.local_page import ONLY_HERE, Doors, LocalChange, WholePage, serve_page
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import met
from autograder.nbgrader_plugin.class_lock import alone
from autograder.nbgrader_plugin.formatting import Text, formatted
from autograder.nbgrader_plugin.met import MetMistake, MistakeName
from autograder.publish import pages


@dataclass(frozen=True)
class Naming:
    """The mistakes that a class met in these lessons, and what names them."""

    course: Course
    lessons: Sequence[Lesson]
    folder: Path

    def mistakes(self) -> list[tuple[Lesson, MetMistake, MistakeName]]:
        """All of them with their names, as they are now, the most frequent of a lesson first."""
        known = met.read_met(self.folder)
        names = met.read_names(self.folder, known)
        return [
            (lesson, one, names.get(one.id, MistakeName()))
            for lesson in self.lessons
            for one in met.most_frequent(known, lesson.id)
        ]

    def page(self) -> tuple[str, str]:
        """The page of these mistakes, and its content security policy."""
        mistakes = self.mistakes()
        codes = {one.id: Text("code", one.examples[0]) for _, one, _ in mistakes if one.examples}
        shown = dict(zip(codes, formatted([*codes.values()])))
        values = {"mistakes": mistakes, "shown": shown, "naming": self, "met": met}
        text, policy = pages.page("autograder.mistakes", "mistakes.html.j2", "mistakes.js", {}, **values)
        return text, f"{policy}; {ONLY_HERE}"

    def give(self, mistake: str, before: MistakeName, given: MistakeName) -> None:
        """Name a mistake, or take its name back, see `met.give_name`."""
        with alone(self.folder, f"{self.course.command} mistakes", PATIENCE):
            met.give_name(self.folder, mistake, before, given)


def serve_mistakes(course: Course, wanted: list[str], folder: Path, port: int, browser: bool) -> None:
    """Serve the mistakes met in the wanted lessons, in all when none is named, until Ctrl+C.

    port: 0 for a free one. Raises `CourseError` where there are none.
    """
    naming = Naming(course, course.chosen(wanted), folder)
    if not naming.mistakes():
        raise CourseError(
            f"no wrong answer without a name is known in {folder}: `{course.command} round` looks for them"
        )
    told = "Each name is saved as you give it; the next round puts it into the verdicts."
    serve_page(naming_doors(naming), "mistakes", told, folder, port, browser)


def naming_doors(naming: Naming) -> Doors:
    """What answers: at `/` the page, and at `/name` what it sends."""
    return [("/", _Page, {"naming": naming}), ("/name", _Name, {"naming": naming})]


class _Page(WholePage):
    title = "Mistakes without a name"

    def initialize(self, naming: Naming) -> None:
        self._naming = naming

    def made(self) -> tuple[str, str]:
        return self._naming.page()


class _Sent(msgspec.Struct):
    mistake: str
    before: MistakeName
    given: MistakeName


class _Name(LocalChange):
    """Takes a name; what stands there then comes back, or why it was not saved."""

    form = _Sent

    def initialize(self, naming: Naming) -> None:
        self._naming = naming

    def take(self, sent: _Sent) -> dict[str, Any]:
        self._naming.give(sent.mistake, sent.before, sent.given)
        return msgspec.to_builtins(sent.given)

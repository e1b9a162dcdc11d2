"""The verb `mistakes`: what a class's wrong answers without a name do, on a page on which they are named."""

from __future__ import annotations

import functools
from pathlib import Path

from autograder.courses import Course
from autograder.marking import serve_page
from autograder.marking.desk import PATIENCE
from autograder.mistakes.server import NamedMistake, NamingPage, naming_application
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import met
from autograder.nbgrader_plugin.class_lock import alone
from autograder.nbgrader_plugin.met import MistakeName


def serve_mistakes(course: Course, wanted: list[str], folder: Path, port: int, browser: bool) -> None:
    """Serve the mistakes met in the wanted lessons, in all when none is named, until Ctrl+C.

    port: 0 for a free one. Raises `CourseError` where there are none.
    """
    lessons = course.chosen(wanted)

    def read() -> list[NamedMistake]:
        known = met.read_met(folder)
        names = met.read_names(folder, known)
        return [
            NamedMistake.of(lesson, one, names.get(one.id), folder)
            for lesson in lessons
            for one in met.most_frequent(known, lesson.id)
        ]

    def give(mistake: str, before: MistakeName, given: MistakeName) -> None:
        with alone(folder, f"{course.command} mistakes", PATIENCE):
            met.give_name(folder, mistake, before, given)

    if not read():
        raise CourseError(
            f"no wrong answer without a name is known in {folder}: `{course.command} round` looks for them"
        )
    made = functools.partial(naming_application, NamingPage(read, give, course.command))
    told = "Each name is saved as you give it; the next round puts it into the verdicts."
    serve_page(made, told, folder, port, browser)

"""Whole commands, from the prompt to the prompt: a small class, one changed file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.courses import Lesson
from autograder.tests.bench import meter, paired, scale
from autograder.tests.bench.meter import Reading

STUDENTS, GRADED = 12, 25
"""Students of a small class, and of the one in which one file changes."""


def small_classes(folder: Path, lessons: Sequence[Lesson]) -> dict[str, tuple[Reading, Reading]]:
    """Stock nbgrader and ours on a small class, by lesson, in the course folders that `paired.run` left in `folder`."""
    found = {}
    for lesson in lessons:
        paired.hand_in(folder, lesson, STUDENTS)
        stock = paired.autograde(folder / "stock", lesson, folder / "stock")
        found[lesson.id] = stock, _call("grade", lesson, folder / "ours", "--force")
    return found


def one_changed(folder: Path, lesson: Lesson) -> dict[str, Reading]:
    """What `grade` and `round` take where all of a class is graded, and one file has changed since."""
    scale.hand_in(folder, [lesson], GRADED, scale.sound(lesson, GRADED))  # else `round` ends with an error
    _call("round", lesson, folder)
    notebook = folder / "submitted" / "student_001" / lesson.id / lesson.released.name
    found = {}
    for verb in ("grade", "round"):
        notebook.write_text(notebook.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        found[verb] = _call(verb, lesson, folder)
    return found


def _call(verb: str, lesson: Lesson, folder: Path, *more: str) -> Reading:
    command = ["attention-course", verb, lesson.id, "--class", str(folder), *more]
    return meter.measure(command, lesson.course.root)

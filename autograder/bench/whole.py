"""Whole commands, from the prompt to the prompt: a small class, a first submission, one changed file."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.bench import course, meter, paired, scale


@dataclass(frozen=True)
class Took:
    """What a command took in all, in processor seconds and in seconds."""

    what: str
    cpu: float
    seconds: float


@dataclass(frozen=True)
class SmallClass:
    """Stock nbgrader and ours on the same submissions of a lesson."""

    lesson: str
    stock: Took
    ours: Took


def small_classes(folder: Path, lessons: Sequence[str], students: int) -> list[SmallClass]:
    """Both grade a class of this size in each lesson, in the two course folders that `paired.run` left in `folder`."""
    theirs, ours = folder / "stock", folder / "ours"
    found = []
    for name in lessons:
        scale.hand_in(ours, [name], students, paired.seed_of_readable(name, 0, students))
        shutil.rmtree(theirs / "submitted", ignore_errors=True)
        shutil.copytree(ours / "submitted", theirs / "submitted")
        command = ["nbgrader", "autograde", name, "--force", f"--CourseDirectory.root={theirs}"]
        found.append(SmallClass(name, _took(command, theirs), _took([*_grade(ours, name), "--force"])))
    return found


def first_submissions(folder: Path, lessons: Sequence[str]) -> list[Took]:
    """What `grade` takes for the only submission of a lesson, with all that is started for it."""
    scale.hand_in(folder, lessons, 1)
    return [_took([*_grade(folder, name), "--force"], what=name) for name in lessons]


def one_changed(folder: Path, lesson: str, students: int) -> list[Took]:
    """What `grade` and `round` take where all of a class is graded, and one file has changed since."""
    shutil.rmtree(folder / "autograded", ignore_errors=True)
    scale.hand_in(folder, [lesson], students)
    commands = {
        verb: ["attention-course", verb, lesson, "--folder", str(folder)] for verb in ("grade", "round")
    }
    _took(commands["round"])
    found = []
    for verb, command in commands.items():
        (notebook,) = (folder / "submitted" / "student_001" / lesson).glob("*.ipynb")
        notebook.write_text(notebook.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        found.append(_took(command, what=verb))
    return found


def _grade(folder: Path, lesson: str) -> list[str]:
    return ["attention-course", "grade", lesson, "--folder", str(folder), "--quiet"]


def _took(command: list[str], folder: Path | None = None, what: str = "") -> Took:
    reading = meter.measure(command, folder or course().root)
    took = Took(what or command[0], reading.cpu, reading.seconds)
    print(f"{' '.join(command[:3])}: {took.cpu:.1f} CPU-s, {took.seconds:.1f} s", flush=True)
    return took

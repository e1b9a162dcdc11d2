"""Stock nbgrader and ours on the same submissions, in turns.

Stock has its own settings, and tests that run in the student's kernel.
"""

from __future__ import annotations

import itertools
import re
import shutil
import sqlite3
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder import judge
from autograder.bench import course, lesson, meter, scale
from autograder.demo import simulated
from autograder.sandbox.notebook_runner import grade_id_of
from autograder.student import keys
from autograder.student.keys import LessonKeys

POINTS = """
select s.student_id, a.name, c.name, g.auto_score from grade g
join submitted_notebook n on n.id = g.notebook_id join submitted_assignment s on s.id = n.assignment_id
join assignment a on a.id = s.assignment_id join base_cell c on c.id = g.cell_id
"""
STUDENTS = 2
DRAWN_FOR = "bench"
"""Whose hidden cases stock nbgrader asks: everybody the same ones, as a course of plain tests would."""

SETTINGS = """c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.course_id = "stock"
c.Execute.timeout = 60
"""
TEST = "from autograder.bench.in_kernel import score\nscore({exercise!r}, {keys!r}, {course!r}, globals())"
BEGUN, DONE = re.compile(r" Sanitizing "), re.compile(r" Setting destination file permissions ")


@dataclass(frozen=True)
class Pair:
    """Processor seconds for one more submission of a lesson, and for the first one with all that is started for it."""

    lesson: str
    stock: float
    ours: float
    stock_first: float
    ours_first: float


@dataclass(frozen=True)
class Paired:
    """All pairs, and where the two disagreed on an exercise's points: student, lesson, cell, both scores."""

    pairs: tuple[Pair, ...]
    compared: int
    disagreements: tuple[str, ...]

    def ratios(self) -> list[float]:
        """How many times less ours costs than stock, over all lessons, in each round."""
        rounds = zip(*(self._of(lesson) for lesson in self.lessons()))
        return [sum(pair.stock for pair in one) / sum(pair.ours for pair in one) for one in rounds]

    def lessons(self) -> list[str]:
        """The lessons, in order."""
        return list(dict.fromkeys(pair.lesson for pair in self.pairs))

    def median(self, lesson: str, what: str) -> float:
        """The median of one of a pair's numbers over the rounds."""
        return statistics.median(getattr(pair, what) for pair in self._of(lesson))

    def _of(self, lesson: str) -> list[Pair]:
        return [pair for pair in self.pairs if pair.lesson == lesson]


def run(folder: Path, lessons: Sequence[str], rounds: int) -> Paired:
    """Grade two simulated submissions a lesson and round with each; the second one's cost counts as one more."""
    theirs, ours = folder / "stock", scale.released(folder / "ours", lessons)
    _prepare_stock(theirs, lessons)
    pairs, disagreements, compared = [], [], 0
    for number in range(rounds):
        for name in lessons:
            scale.hand_in(ours, [name], STUDENTS, seed_of_readable(name, number))
            shutil.rmtree(theirs / "submitted", ignore_errors=True)
            shutil.copytree(ours / "submitted", theirs / "submitted")
            first, second = _cost(theirs, name, theirs), _cost(ours, name, course().root)
            pairs.append(Pair(name, first[1], second[1], first[0], second[0]))
            one, other = _points(theirs, name), _points(ours, name)
            compared += len(other)
            disagreements += [
                f"round {number}, {' '.join(key)}: stock {one.get(key)}, ours {other[key]}"
                for key in other
                if one.get(key) != other[key]
            ]
            print(f"round {number + 1}, {name}: stock {first[1]:.2f}, ours {second[1]:.2f} CPU-s", flush=True)
    return Paired(tuple(pairs), compared, tuple(disagreements))


def seed_of_readable(name: str, number: int, students: int = STUDENTS) -> int:
    """A round's seed, for which no student's file is damaged: stock nbgrader ends at one that it cannot read."""
    known, names = lesson(name), simulated.names(students)
    seeds = itertools.count(1000 * number)
    return next(seed for seed in seeds if not any(simulated.damaged(known, one, seed) for one in names))


def _cost(folder: Path, name: str, settings: Path) -> tuple[float, float]:
    """Processor seconds up to the second submission, and for the second one."""
    command = ["nbgrader", "autograde", name, "--force", f"--CourseDirectory.root={folder}"]
    marks = meter.measure(command, settings).marks
    _, begun = (mark.cpu for mark in marks if BEGUN.search(mark.line))
    _, done = (mark.cpu for mark in marks if DONE.search(mark.line))
    return begun, done - begun


def _points(folder: Path, name: str) -> dict[tuple[str, str], float]:
    """Points by student and test cell."""
    tests = {f"test_{exercise.id}" for exercise in lesson(name).graded}
    with sqlite3.connect(folder / "gradebook.db") as base:
        rows = base.execute(POINTS).fetchall()
    return {(student, cell): score for student, of, cell, score in rows if of == name and cell in tests}


def _prepare_stock(folder: Path, lessons: Iterable[str]) -> None:
    """Make `folder` a stock course with these lessons, released into its gradebook."""
    (folder / "keys").mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text(SETTINGS.format(root=str(folder)))
    for name in lessons:
        known = lesson(name)
        hidden = {one.id: judge.hidden_key(known, one.id, DRAWN_FOR) for one in known.graded}
        path = folder / "keys" / f"{name}.json"
        path.write_text(keys.dumps(LessonKeys(name, known.title, hidden)))
        notebook = nbformat.read(known.built, as_version=4)
        for cell in notebook.cells:
            asked = grade_id_of(cell).removeprefix("test_")
            if asked in hidden and grade_id_of(cell) != asked:
                cell.source = TEST.format(exercise=asked, keys=str(path), course=str(course().root))
        target = folder / "source" / name / f"{known.notebook}.ipynb"
        target.parent.mkdir(parents=True)
        nbformat.write(notebook, target)
        meter.measure(["nbgrader", "generate_assignment", name, "--force"], folder)

"""Stock nbgrader, otter-grader and ours on the same submissions, in turns.

The other two have their own settings, and tests that run in the student's kernel.
"""

from __future__ import annotations

import itertools
import re
import shutil
import sqlite3
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder.bench import course, in_kernel, lesson, meter, otter, scale
from autograder.demo import simulated
from autograder.sandbox.cells import grade_id_of

POINTS = """
select s.student_id, a.name, c.name, g.auto_score from grade g
join submitted_notebook n on n.id = g.notebook_id join submitted_assignment s on s.id = n.assignment_id
join assignment a on a.id = s.assignment_id join base_cell c on c.id = g.cell_id
"""
STUDENTS = 2
SECOND = simulated.names(STUDENTS)[-1]
Points = Mapping[tuple[str, str], float]
"""By student and exercise."""

SETTINGS = """c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.course_id = "stock"
c.Execute.timeout = 60
"""
TEST = "from autograder.bench.in_kernel import score\nscore({exercise!r}, {key!r}, {course!r}, globals())"
BEGUN, DONE = re.compile(r" Sanitizing "), re.compile(r" Setting destination file permissions ")


@dataclass(frozen=True)
class Pair:
    """Processor seconds for one more submission of a lesson, and for the first one with all that is started for it.

    otter: for that one more; to otter every submission is a command of its own.
    """

    lesson: str
    stock: float
    ours: float
    stock_first: float
    ours_first: float
    otter: float


@dataclass(frozen=True)
class Agreement:
    """On how many answers two graders were compared, and where they disagreed: student, exercise, both scores."""

    compared: int
    disagreements: tuple[str, ...]

    @property
    def agreed(self) -> int:
        """On how many they gave the same points."""
        return self.compared - len(self.disagreements)


@dataclass(frozen=True)
class Paired:
    """All pairs, and how far ours agreed with stock nbgrader and with otter."""

    pairs: tuple[Pair, ...]
    stock: Agreement
    otter: Agreement

    def ratios(self, peer: str) -> list[float]:
        """How many times less ours costs than "stock" or "otter", over all lessons, in each round."""
        rounds = zip(*(self._of(lesson) for lesson in self.lessons()))
        return [sum(getattr(pair, peer) for pair in one) / sum(pair.ours for pair in one) for one in rounds]

    def lessons(self) -> list[str]:
        """The lessons, in order."""
        return list(dict.fromkeys(pair.lesson for pair in self.pairs))

    def median(self, lesson: str, what: str) -> float:
        """The median of one of a pair's numbers over the rounds."""
        return statistics.median(getattr(pair, what) for pair in self._of(lesson))

    def _of(self, lesson: str) -> list[Pair]:
        return [pair for pair in self.pairs if pair.lesson == lesson]


def run(folder: Path, lessons: Sequence[str], rounds: int) -> Paired:
    """Grade two simulated submissions a lesson and round; the second one's cost counts as one more.

    Otter grades the second one only.
    """
    stock, theirs, ours = folder / "stock", folder / "otter", scale.released(folder / "ours", lessons)
    _prepare(stock, theirs, lessons)
    pairs: list[Pair] = []
    by_stock: list[str] = []
    by_otter: list[str] = []
    for number, name in itertools.product(range(rounds), lessons):
        scale.hand_in(ours, [name], STUDENTS, seed_of_readable(name, number))
        shutil.rmtree(stock / "submitted", ignore_errors=True)
        shutil.copytree(ours / "submitted", stock / "submitted")
        first, second = _cost(stock, name, stock), _cost(ours, name, course().root)
        alone, passed = otter.run(theirs, name, ours / "submitted", SECOND)
        pairs.append(Pair(name, first[1], second[1], first[0], second[0], alone))
        points = _points(ours, name)
        by_stock += _compare(f"round {number}", "stock", _points(stock, name), points)
        by_otter += _compare(f"round {number}", "otter", passed, _full_or_none(name, points))
        seconds = f"stock {first[1]:.2f}, otter {alone:.2f}, ours {second[1]:.2f} CPU-s"
        print(f"round {number + 1}, {name}: {seconds}", flush=True)
    return Paired(tuple(pairs), _agreement(by_stock), _agreement(by_otter))


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


def _points(folder: Path, name: str) -> Points:
    """What nbgrader's gradebook in a course's folder holds of a lesson's graded exercises."""
    tests = _tests(name)
    with sqlite3.connect(folder / "gradebook.db") as base:
        rows = base.execute(POINTS).fetchall()
    return {(who, tests[cell]): score for who, of, cell, score in rows if of == name and cell in tests}


def _tests(name: str) -> dict[str, str]:
    """A lesson's graded exercises by their test cells."""
    return {f"test_{one.id}": one.id for one in lesson(name).graded}


def _full_or_none(name: str, points: Points) -> Points:
    """The second student's points as otter would give them."""
    full = {one.id: one.points for one in lesson(name).graded}
    second = {key: given for key, given in points.items() if key[0] == SECOND}
    return {key: given if given == full[key[1]] else 0.0 for key, given in second.items()}


def _compare(when: str, peer: str, theirs: Points, ours: Points) -> list[str]:
    """A text for each answer that we graded: nothing where a peer gave the same points, else both points."""
    return [
        "" if theirs.get(key) == given else f"{when}, {' '.join(key)}: {peer} {theirs.get(key)}, ours {given}"
        for key, given in ours.items()
    ]


def _agreement(told: Sequence[str]) -> Agreement:
    return Agreement(len(told), tuple(filter(None, told)))


def _prepare(stock: Path, theirs: Path, lessons: Sequence[str]) -> None:
    """Make `stock` a stock course with these lessons, released into its gradebook, and `theirs` otter's."""
    keys = stock / "keys"
    keys.mkdir(parents=True)
    (stock / "nbgrader_config.py").write_text(SETTINGS.format(root=str(stock)))
    for name in lessons:
        key = in_kernel.write_key(lesson(name), keys)
        _release_stock(stock, name, key)
        otter.prepare(theirs, name, key)


def _release_stock(folder: Path, name: str, key: Path) -> None:
    known, tests = lesson(name), _tests(name)
    notebook = nbformat.read(known.built, as_version=4)
    for cell in notebook.cells:
        if exercise := tests.get(grade_id_of(cell)):
            cell.source = TEST.format(exercise=exercise, key=str(key), course=str(course().root))
    target = folder / "source" / name / f"{known.notebook}.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)
    meter.measure(["nbgrader", "generate_assignment", name, "--force"], folder)

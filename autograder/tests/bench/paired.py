"""Stock nbgrader, otter-grader and ours on the same submissions, in turns.

The other two have their own settings, and tests that run in the student's kernel.
"""

from __future__ import annotations

import itertools
import shutil
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbgrader.api import Grade, Gradebook

from autograder.classroom.gradebook import query_cells
from autograder.courses import Lesson
from autograder.execution.notebook_cells import grade_id_of
from autograder.tests import simulated
from autograder.tests.bench import in_kernel, meter, otter, scale
from autograder.tests.bench.meter import Reading

STUDENTS = 2
SECOND = simulated.names(STUDENTS)[-1]
Points = Mapping[tuple[str, str], float]
"""By student and exercise."""

SETTINGS = """c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.course_id = "stock"
c.Execute.timeout = 60
"""
TEST = """from autograder.tests.bench.in_kernel import score
score({exercise!r}, {key!r}, {course!r}, globals())"""
BEGUN, DONE = " Sanitizing ", " Setting destination file permissions "
"""What nbgrader's log says when it begins with a submission, and when it is done."""


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


@dataclass
class Agreement:
    """On how many answers two graders were compared, and where they disagreed: student, exercise, both scores."""

    compared: int = 0
    disagreements: list[str] = field(default_factory=list)

    @property
    def agreed(self) -> int:
        """On how many they gave the same points."""
        return self.compared - len(self.disagreements)

    def compare(self, when: str, theirs: Points, ours: Points) -> None:
        """Compare all answers that we graded."""
        self.compared += len(ours)
        for key, given in ours.items():
            if theirs.get(key) != given:
                self.disagreements.append(f"{when}, {' '.join(key)}: theirs {theirs.get(key)}, ours {given}")


@dataclass(frozen=True)
class Paired:
    """All pairs, and how far ours agreed with stock nbgrader and with otter."""

    pairs: Sequence[Pair]
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


def run(folder: Path, lessons: Sequence[Lesson], rounds: int) -> Paired:
    """Grade two simulated submissions a lesson and round; the second one's cost counts as one more.

    Otter grades the second one only.
    """
    stock, theirs, ours = folder / "stock", folder / "otter", scale.released(folder / "ours", lessons)
    _prepare(stock, theirs, lessons)
    pairs, by_stock, by_otter = [], Agreement(), Agreement()
    for number, lesson in itertools.product(range(rounds), lessons):
        hand_in(folder, lesson, STUDENTS, number)
        stock_first, stock_more = costs(autograde(stock, lesson, stock))
        ours_first, ours_more = costs(autograde(ours, lesson, lesson.course.root))
        otter_more, passed = otter.run(theirs, lesson, ours / "submitted", SECOND)
        pairs.append(Pair(lesson.id, stock_more, ours_more, stock_first, ours_first, otter_more))
        points = _points(ours, lesson)
        by_stock.compare(f"round {number}", _points(stock, lesson), points)
        by_otter.compare(f"round {number}", passed, _full_or_none(lesson, points))
    return Paired(pairs, by_stock, by_otter)


def hand_in(folder: Path, lesson: Lesson, students: int, number: int = 0) -> None:
    """Hand a round's simulated class in to both course folders, stock nbgrader's and ours.

    No file of it is damaged: stock nbgrader ends at one that it cannot read.
    """
    stock, ours = folder / "stock", folder / "ours"
    scale.hand_in(ours, [lesson], students, scale.sound(lesson, students, 1000 * number))
    shutil.rmtree(stock / "submitted", ignore_errors=True)
    shutil.copytree(ours / "submitted", stock / "submitted")


def autograde(folder: Path, lesson: Lesson, settings: Path) -> Reading:
    """What `nbgrader autograde` takes for all that was handed in, with the settings in that folder."""
    command = ["nbgrader", "autograde", lesson.id, "--force", f"--CourseDirectory.root={folder}"]
    return meter.measure(command, settings)


def costs(reading: Reading) -> tuple[float, float]:
    """Processor seconds up to the second submission, and for the second one."""
    _, begun = (cpu for line, cpu in reading.lines if BEGUN in line)
    *_, done = (cpu for line, cpu in reading.lines if DONE in line)
    return begun, done - begun


def _points(folder: Path, lesson: Lesson) -> Points:
    """What nbgrader's gradebook in a course's folder holds of a lesson's graded exercises."""
    tests = _tests(lesson)
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        marks = query_cells(gradebook, lesson.id, Grade, Grade.score).all()
    return {(student, tests[cell]): score for student, cell, score in marks if cell in tests}


def _tests(lesson: Lesson) -> dict[str, str]:
    """A lesson's graded exercises by their test cells."""
    return {f"test_{one.id}": one.id for one in lesson.graded}


def _full_or_none(lesson: Lesson, points: Points) -> Points:
    """The second student's points as otter would give them."""
    keys = {(SECOND, one.id): one.points for one in lesson.graded}
    return {key: full if points[key] == full else 0.0 for key, full in keys.items()}


def _prepare(stock: Path, theirs: Path, lessons: Sequence[Lesson]) -> None:
    """Make `stock` a stock course with these lessons, released into its gradebook, and `theirs` otter's."""
    stock.mkdir(parents=True)
    (stock / "nbgrader_config.py").write_text(SETTINGS.format(root=str(stock)))
    for lesson in lessons:
        key, tests = in_kernel.write_key(lesson, stock / "keys"), _tests(lesson)
        notebook = nbformat.read(lesson.built, as_version=4)
        for cell in notebook.cells:
            if exercise := tests.get(grade_id_of(cell)):
                cell.source = TEST.format(exercise=exercise, key=str(key), course=str(lesson.course.root))
        target = stock / "source" / lesson.id / lesson.built.name
        target.parent.mkdir(parents=True)
        nbformat.write(notebook, target)
        meter.measure(["nbgrader", "generate_assignment", lesson.id, "--force"], stock)
        otter.prepare(theirs, lesson, key)

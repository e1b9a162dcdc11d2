"""How the cost grows: with the number of submissions, and with the number of workers."""

from __future__ import annotations

import itertools
import shutil
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

from autograder.authoring.release import release
from autograder.courses import Lesson
from autograder.tests import simulated
from autograder.tests.bench import course, meter
from autograder.tests.bench.meter import Reading

COUNT = "for number in range(20_000_000): pass"


@dataclass(frozen=True)
class Run:
    """What `grade` took for so many submissions with so many workers."""

    submissions: int
    jobs: int
    took: Reading


def released(folder: Path, lessons: Sequence[Lesson]) -> Path:
    """A course folder with these lessons released; the lessons' blank notebooks lie in it."""
    for lesson in lessons:
        release(lesson, folder)
    return folder


def sound(lesson: Lesson, students: int, first: int = 1) -> int:
    """The first seed from `first` on whose simulated class of this size has no damaged file."""
    names = simulated.names(students)
    seeds = itertools.count(first)
    return next(seed for seed in seeds if not any(simulated.damaged(lesson, one, seed) for one in names))


def hand_in(folder: Path, lessons: Sequence[Lesson], students: int, seed: int = 1) -> None:
    """Put a simulated class of this size into the place of what was handed in before."""
    shutil.rmtree(folder / "submitted", ignore_errors=True)
    for lesson in lessons:
        blank = folder / "course" / lesson.id / lesson.released.name
        simulated.hand_in_class(lesson, blank, folder / "submitted", students, seed)


def grade(folder: Path, jobs: int) -> Run:
    """Grade everything handed in, from the start."""
    shutil.rmtree(folder / "autograded", ignore_errors=True)
    submissions = len(list((folder / "submitted").glob("*/*")))
    command = ["attention-course", "grade", "--class", str(folder), "--jobs", str(jobs), "--force"]
    return Run(submissions, jobs, meter.measure(command, course().root))


@dataclass(frozen=True)
class Speedup:
    """Seconds of one more submission with one worker and with several."""

    jobs: int
    alone: float
    together: float

    @property
    def efficiency(self) -> float:
        """How much of the workers' time was of use: 1 where several are as many times as fast as one."""
        return self.alone / (self.jobs * self.together)


def speedup(few: tuple[Run, Run], many: tuple[Run, Run]) -> Speedup:
    """From the runs of a small and of a larger class, each with one worker and with several: their start aside."""
    more = many[0].submissions - few[0].submissions
    alone, together = ((large.took.seconds - small.took.seconds) / more for small, large in zip(few, many))
    return Speedup(many[1].jobs, alone, together)


def given_by_the_machine(processes: int) -> float:
    """The efficiency of processes that only count, and have nothing to do with each other."""
    return counting(1) / counting(processes)


def counting(processes: int) -> float:
    """Seconds that processes take, started together, of which each only counts; the median of five times."""
    taken = []
    for _ in range(5):
        started = time.monotonic()
        running = [Popen([sys.executable, "-c", COUNT]) for _ in range(processes)]
        for process in running:
            process.wait()
        taken.append(time.monotonic() - started)
    return statistics.median(taken)


def line(runs: Sequence[Run]) -> tuple[float, float, float]:
    """Return slope and intercept of the line through the runs' costs, in processor seconds, and R² of the fit."""
    submissions, costs = [run.submissions for run in runs], [run.took.cpu for run in runs]
    slope, intercept = statistics.linear_regression(submissions, costs)
    return slope, intercept, statistics.correlation(submissions, costs) ** 2

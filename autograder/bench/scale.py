"""How the cost grows: with the number of submissions, and with the number of workers."""

from __future__ import annotations

import re
import shutil
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

from scipy import stats

from autograder.author.release import link_solutions, release
from autograder.bench import course, lesson, meter
from autograder.demo import simulated

COUNT = "for number in range(20_000_000): pass"


@dataclass(frozen=True)
class Run:
    """One run of `grade`: how many submissions and workers, processor seconds, peak memory, and two times.

    seconds: from the first submission on; all_seconds: with everything that is started first.
    """

    submissions: int
    jobs: int
    cpu: float
    peak_mb: float
    seconds: float
    all_seconds: float


@dataclass(frozen=True)
class Fit:
    """A straight line through processor seconds over submissions: slope, intercept, and R²."""

    slope: float
    intercept: float
    r_squared: float


def released(folder: Path, lessons: Sequence[str]) -> Path:
    """A course folder with these lessons released; the lessons' blank notebooks lie in it."""
    folder.mkdir(parents=True)
    link_solutions(course(), folder)
    for name in lessons:
        release(lesson(name), folder)
    return folder


def hand_in(folder: Path, lessons: Sequence[str], students: int) -> None:
    """Put a simulated class of this size into the place of what was handed in before."""
    shutil.rmtree(folder / "submitted", ignore_errors=True)
    for name in lessons:
        (blank,) = (folder / "course" / name).glob("*.ipynb")
        simulated.hand_in_class(lesson(name), blank, folder / "submitted", students, seed=1)


def grade(folder: Path, submissions: int, jobs: int) -> Run:
    """Grade everything handed in, from the start."""
    shutil.rmtree(folder / "autograded", ignore_errors=True)
    program = str(Path(sys.executable).parent / "attention-course")
    command = [program, "grade", "--folder", str(folder), "--jobs", str(jobs), "--force"]
    reading = meter.measure(command, course().root, {"OMP_NUM_THREADS": "1"})
    times = re.findall(r"a second, (\d+\.\d) s$", reading.text, re.MULTILINE)
    run = Run(submissions, jobs, reading.cpu, reading.peak_mb, sum(map(float, times)), reading.seconds)
    print(
        f"{run.submissions} submissions, {jobs} workers: {run.cpu:.0f} CPU-s, {run.seconds:.0f} s", flush=True
    )
    return run


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
    alone, together = ((large.seconds - small.seconds) / more for small, large in zip(few, many))
    return Speedup(many[1].jobs, alone, together)


def both_ways(folder: Path, submissions: int) -> tuple[Run, Run]:
    """Grade everything handed in with one worker, and with two."""
    return grade(folder, submissions, 1), grade(folder, submissions, 2)


def given_by_the_machine(processes: int) -> float:
    """The efficiency of processes that only count, and have nothing to do with each other."""
    return counting(1) / counting(processes)


def counting(processes: int) -> float:
    """Seconds that processes take, started together, of which each only counts; the median of five times."""
    return statistics.median(_counted(processes) for _ in range(5))


def _counted(processes: int) -> float:
    started = time.monotonic()
    running = [Popen([sys.executable, "-c", COUNT]) for _ in range(processes)]
    for process in running:
        process.wait()
    return time.monotonic() - started


def line(runs: Sequence[Run]) -> Fit:
    """The least-squares line (scipy.stats.linregress) through the runs' costs."""
    found = stats.linregress([run.submissions for run in runs], [run.cpu for run in runs])
    return Fit(float(found.slope), float(found.intercept), float(found.rvalue) ** 2)

"""What the process that hands submissions out spends on each, and how long a round takes on one changed file.

After `source .venv/bin/activate`, `python -m autograder.tests.bench.coordinator` measures that alone, and prints it;
with a number behind it, on a class of so many.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from autograder.commands import grade
from autograder.commands import round as rounds
from autograder.exercises.errors import CourseError
from autograder.grading.autograde import GradingRun
from autograder.tests.bench import course, meter, scale

STUDENTS = 200


def spent(folder: str) -> list[float]:
    """Grade what was handed in in lesson 01 with two workers; the processor seconds of this process come back.

    Of each submission: its share of what was spent from when some were written to when the next ones were.
    """
    class_course, shares, write = course(), list[float](), GradingRun.write
    last = time.process_time()

    def timed_write(self: GradingRun, done: Sequence[Any]) -> None:
        nonlocal last
        write(self, done)
        now = time.process_time()
        shares.extend([(now - last) / len(done)] * len(done))
        last = now

    with mock.patch.object(GradingRun, "write", timed_write), redirect_stdout(sys.stderr):
        grade.grade_class(class_course, [class_course.lessons[0].id], Path(folder), 2, force=True)
    return shares


def one_changed(folder: str) -> float:
    """Return the seconds of a second round, in which one file has changed."""
    here = course()
    lesson = here.lessons[0]
    notebook = Path(folder, "submitted", "student_001", lesson.id, lesson.released.name)
    for _ in range(2):
        notebook.write_text(notebook.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        begun = time.monotonic()
        with suppress(CourseError), redirect_stdout(sys.stderr):  # damaged files are told in the end
            rounds.run_round(here, [lesson.id], Path(folder), 2, [])
    return time.monotonic() - begun


def main(students: int = STUDENTS) -> None:
    """Measure, and print it."""
    os.environ["OMP_NUM_THREADS"] = "1"
    with TemporaryDirectory(prefix="bench-") as place:
        folder = scale.released(Path(place), course().lessons[:1])
        scale.hand_in(folder, course().lessons[:1], students)
        shares = meter.alone(spent, str(folder))
        seconds = meter.alone(one_changed, str(folder))
    print(f"{statistics.median(shares):.3f} CPU-s, the median of {len(shares)}")
    print(f"{seconds:.1f} seconds of a round in which one file has changed")


if __name__ == "__main__":
    from autograder.tests.bench import coordinator  # by whose name other processes find its functions

    coordinator.main(*map(int, sys.argv[1:]))

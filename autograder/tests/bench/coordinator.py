"""What the process that hands submissions out spends on each, and how often a round reads the files of a student.

After `source .venv/bin/activate`, `python -m autograder.tests.bench.coordinator` measures that alone, and prints it;
with a number behind it, on a class of so many.
"""

from __future__ import annotations

import os
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from autograder import round as rounds
from autograder.batch import grade
from autograder.batch.converter import GradeMany
from autograder.model.errors import CourseError
from autograder.tests.bench import course, meter, scale

STUDENTS = 200
PLACE = re.compile(r".*/(submitted|autograded|feedback)/([^/.]+)/[^/.]+/?(.*)")


def spent(folder: str) -> list[float]:
    """Grade what was handed in in lesson 01 with two workers; the processor seconds of this process come back.

    Of each submission: its share of what was spent from when some were written to when the next ones were.
    """
    here, shares, keep = course(), list[float](), GradeMany._keep
    last = time.process_time()

    def kept(self: GradeMany, done: Sequence[Any]) -> bool:
        nonlocal last
        said = keep(self, done)
        last, before = time.process_time(), last
        shares.extend([(last - before) / len(done)] * len(done))
        return said

    with mock.patch.object(GradeMany, "_keep", kept), redirect_stdout(sys.stderr):
        grade.grade_class(here, [here.lessons[0].id], Path(folder), 2, force=True, quiet=True)
    return shares


def one_changed(folder: str) -> tuple[float, dict[str, float]]:
    """The seconds of a second round, in which one file has changed; and how often it opens a student's file, or lists
    a folder: medians over the class.
    """
    here, found = course(), defaultdict[str, Counter[str]](Counter)
    lesson = here.lessons[0]

    def see(event: str, arguments: tuple[Any, ...]) -> None:
        kind = {"open": "opened", "os.scandir": "listed"}.get(event)
        place = PLACE.fullmatch(str(arguments[0])) if kind else None
        if place and (kind == "listed" or place[3].startswith(lesson.notebook)):
            found[f"{place[1]}, {kind}"][place[2]] += 1

    def round_on_it() -> float:
        begun = time.monotonic()
        with suppress(CourseError), redirect_stdout(sys.stderr):  # damaged files are told in the end
            rounds.run_round(here, [lesson.id], Path(folder), 2, [])
        return time.monotonic() - begun

    round_on_it()
    notebook = Path(folder, "submitted", "student_001", lesson.id, lesson.released.name)
    notebook.write_text(notebook.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    sys.addaudithook(see)
    return round_on_it(), {what: statistics.median(times.values()) for what, times in sorted(found.items())}


def main(students: int = STUDENTS) -> None:
    """Measure, and print it."""
    os.environ["OMP_NUM_THREADS"] = "1"
    with TemporaryDirectory(prefix="bench-") as place:
        folder = scale.released(Path(place), course().lessons[:1])
        scale.hand_in(folder, course().lessons[:1], students)
        shares = meter.alone(spent, str(folder))
        seconds, opened = meter.alone(one_changed, str(folder))
    print(f"{statistics.median(shares):.3f} CPU-s, the median of {len(shares)}")
    print(f"{seconds:.1f} seconds of a round in which one file has changed")
    print(*(f"{what}: {times:g}" for what, times in opened.items()), sep="\n")


if __name__ == "__main__":
    from autograder.tests.bench import coordinator  # by whose name other processes find its functions

    coordinator.main(*map(int, sys.argv[1:]))

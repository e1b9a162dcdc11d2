"""Whether honest submissions get their points on a machine that is busy with other things.

`python -m autograder.tests.under_load` grades thirty while four processes a core keep the machine busy; it exits with 1
when one gets other points than it earns.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.authoring.release import release
from autograder.commands.grade import count_cores
from autograder.records.record_store import load_record
from autograder.tests.attacks import FULL, LESSON
from autograder.tests.commands import run_ours
from autograder.tests.grading import hand_in, right
from autograder.tests.this_course import find_lesson

BUSY = 4
"""Processes a core."""

TIMES = 30
LEFT_OUT = "softmax"
"""What every second submission leaves undone."""


def main(times: int = TIMES) -> int:
    """Grade, and say who got other points than they earned; 1 where there is one."""
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        course = Path(folder)
        release(find_lesson(LESSON), course)
        earned = hand_in_all(course, times)
        begun = time.monotonic()
        with busy(BUSY * count_cores()):
            said = run_ours("grade", LESSON, "--class", folder)
        seconds = time.monotonic() - begun
        harmed = [student for student, points in earned.items() if got(course, student) != points]
    print(said, end="")
    print(
        f"{times} honest submissions, {BUSY} busy processes a core, {seconds:.0f} s: {len(harmed)} harmed",
        *harmed,
    )
    return int(bool(harmed))


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep so many processes computing."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in started:
            one.kill()
            one.wait()


def hand_in_all(course: Path, times: int) -> dict[str, int]:
    """Hand in honest submissions; what each earns, by student."""
    earned = {}
    for number in range(times):
        names = [name for name in FULL if not (number % 2 and name == LEFT_OUT)]
        hand_in(course, f"student_{number}", find_lesson(LESSON), right(find_lesson(LESSON), names))
        earned[f"student_{number}"] = sum(FULL[name] for name in names)
    return earned


def got(course: Path, student: str) -> int:
    """The points that a student was given."""
    found = load_record(find_lesson(LESSON), student, course).verdicts
    return sum(verdict.points for verdict in found.values())


if __name__ == "__main__":
    sys.exit(main())

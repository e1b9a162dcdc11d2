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

from autograder.author.release import release
from autograder.batch.grade import cores
from autograder.courses import source
from autograder.demo import samples
from autograder.nbgrader_plugin.kept import graded
from autograder.tests.attacks import FULL, LESSON
from autograder.tests.commands import run_ours
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
        earned = hand_in(course, release(find_lesson(LESSON), course), times)
        begun = time.monotonic()
        with busy(BUSY * cores()):
            said = run_ours("grade", LESSON, "--folder", folder)
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


def hand_in(course: Path, released: Path, times: int) -> dict[str, int]:
    """Hand in honest submissions; what each earns, by student."""
    right = {name: source.without_marks(find_lesson(LESSON).solution(name)) for name in FULL}
    most = {name: answer for name, answer in right.items() if name != LEFT_OUT}
    earned = {}
    for number in range(times):
        answers = most if number % 2 else right
        written = samples.filled(released.read_text(), answers).encode()
        samples.put_file(course / "submitted", f"student_{number}", LESSON, released.name, written)
        earned[f"student_{number}"] = sum(FULL[name] for name in answers)
    return earned


def got(course: Path, student: str) -> int:
    """The points that a student was given."""
    found = graded(find_lesson(LESSON), student, course).verdicts
    return sum(verdict.points for verdict in found.values())


if __name__ == "__main__":
    sys.exit(main())

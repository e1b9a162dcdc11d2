"""How long `watch` takes from a hand-in to its feedback, and to the row in grades.csv.

After `source .venv/bin/activate`, `python -m autograder.tests.bench.on_hand_in` measures it on a machine that does
nothing else, lesson by lesson, and prints it.
"""

from __future__ import annotations

import csv
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.courses import Lesson
from autograder.tests.bench import course
from autograder.tests.grading import hand_in, right

TIMES = 5
"""Students who hand in a lesson, one when the one before has his page; the first of them finds nothing warm."""

PATIENCE = 120


def main() -> None:
    with TemporaryDirectory(prefix="watched-") as name:
        folder = Path(name)
        command = [sys.executable, "-m", "autograder.commands.cli", "watch", "--class", name]
        watcher = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
        try:
            _until((folder / ".watch.txt").exists)
            for lesson in course().lessons:
                first, *others = (_seconds(folder, lesson, f"student_{number}") for number in range(TIMES))
                print(f"{lesson.id}: first {first:.1f} s, then {statistics.median(others):.1f} s", flush=True)
        finally:
            watcher.send_signal(signal.SIGINT)
            watcher.wait(PATIENCE)


def _seconds(folder: Path, lesson: Lesson, student: str) -> float:
    """From when a right notebook lies there, whole, to when its page and its row do."""
    page = (folder / "feedback" / student / lesson.id / lesson.released.name).with_suffix(".html")
    hand_in(folder, student, lesson, right(lesson, lesson.names("solution")))
    begun = time.monotonic()
    _until(lambda: page.exists() and (student, lesson.id) in _rows(folder))
    return time.monotonic() - begun


def _rows(folder: Path) -> set[tuple[str, str]]:
    table = folder / "grades.csv"
    if not table.exists():
        return set()
    with table.open(encoding="utf-8", newline="") as file:
        return {(row["student_id"], row["assignment"]) for row in csv.DictReader(file)}


def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"nothing came in {PATIENCE} s")
        time.sleep(0.05)


if __name__ == "__main__":
    main()

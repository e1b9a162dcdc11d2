"""When work was handed in, and who has longer than the others: tables in the class's folder.

nbgrader's `collect` and the instructor write the first, the instructor alone the other. What lies in a submission's
folder may come from a student's own zip file: a time that stands there proves nothing.
"""

from __future__ import annotations

import csv
import functools
import io
from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path

from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.folders import printable

HANDED_IN = "handed_in.csv"
EXTENSIONS = "extensions.csv"
_COLUMNS = {HANDED_IN: ["student", "lesson", "time"], EXTENSIONS: ["student", "lesson", "due"]}

Times = Mapping[tuple[str, str], list[str]]
"""Times as they were written, by student and lesson; the last one counts."""


def expect_sound(root: Path, lessons: Collection[str]) -> None:
    """Look at the tables of a class's folder. Raises `CourseError` where a line cannot be read, or names no lesson."""
    for table in _COLUMNS:
        for (student, lesson), known in read_times(root, table).items():
            if lesson not in lessons:
                raise CourseError(
                    f"{root / table}: no lesson is called {lesson!r}, as a line of {student!r} says"
                )
            for time in known:
                _parsed(time, f"{root / table}: of {student!r} and {lesson}: ")


def when(root: Path, student: str, lesson: str) -> datetime | None:
    """When a student's work on a lesson came, in UTC; None where nobody wrote it down."""
    return _last(root, HANDED_IN, student, lesson)


def extended(root: Path, student: str, lesson: str) -> datetime | None:
    """When a student's work on a lesson is due, in UTC, where that is another time than the others'."""
    return _last(root, EXTENSIONS, student, lesson)


def _last(root: Path, table: str, student: str, lesson: str) -> datetime | None:
    known = read_times(root, table).get((student, lesson))
    return _parsed(known[-1]) if known else None


def note_down(root: Path, student: str, lesson: str, time: str) -> None:
    """Add a line to the table, unless its last one of this student and lesson says the same."""
    if read_times(root).get((student, lesson), [""])[-1] == time:
        return
    path = root / HANDED_IN
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    columns = csv.DictReader(io.StringIO(text)).fieldnames or _COLUMNS[HANDED_IN]
    with path.open("a", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        if not text:
            table.writeheader()
        elif not text.endswith("\n"):
            file.write("\n")
        table.writerow({"student": student, "lesson": lesson, "time": time})


def read_times(root: Path, table: str = HANDED_IN) -> Times:
    """What a table of a class's folder says. Raises `CourseError` where it is no such table."""
    path = root / table
    if not path.exists():
        return {}
    about = path.stat()
    return _read(path, about.st_mtime_ns, about.st_size)


@functools.lru_cache(maxsize=4)
def _read(path: Path, *version: int) -> Times:
    known, columns = defaultdict[tuple[str, str], list[str]](list), _COLUMNS[path.name]
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"{path} cannot be read: {error}") from None
    for number, row in enumerate(rows, start=1):
        student, lesson, time = ((row.get(name) or "").strip() for name in columns)
        if not (student and lesson and time):
            raise CourseError(
                f"{path}: line {number} below the first does not say {', '.join(columns)}, as the first line should"
            )
        known[student, lesson].append(time)
    return dict(known)


def _parsed(time: str, where: str = "") -> datetime:
    from nbgrader.utils import parse_utc  # slow, and not needed to read a folder

    try:
        return parse_utc(time)
    except (ValueError, OverflowError):
        raise CourseError(f"{where}{printable(time)!r} is no time; write 2026-12-01 23:59 UTC") from None

"""When work was handed in: a table in the class's folder, which nbgrader's `collect` and the instructor write.

What lies in a submission's folder may come from a student's own zip file: a time that stands there proves nothing.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path

from autograder.classroom.dates import parse_time, read_dates
from autograder.exercises.errors import CourseError
from autograder.files.atomic_files import stat_key
from autograder.files.csv_table import read_sheet

HANDED_IN = "handed_in.csv"
_COLUMNS = ["student", "lesson", "time"]

Times = Mapping[tuple[str, str], list[str]]
"""Times as they were written, by student and lesson; the last one counts."""


def check_times(root: Path, lessons: Collection[str]) -> None:
    """Check the table of a class's folder. Raises `CourseError` where a line cannot be read, or names no lesson."""
    for (student, lesson), times in read_times(root).items():
        if lesson not in lessons:
            problem = f"no lesson is called {lesson!r}, as a line of {student!r} says"
            raise CourseError(f"{root / HANDED_IN}: {problem}")
        for time in times:
            _parsed(root, time, f"{root / HANDED_IN}: of {student!r} and {lesson}: ")


def find_time(root: Path, student: str, lesson: str) -> datetime | None:
    """Return when a student's work on a lesson was handed in, in UTC; None where nobody wrote it down."""
    times = read_times(root).get((student, lesson))
    return _parsed(root, times[-1]) if times else None


def add_time(root: Path, student: str, lesson: str, time: str) -> None:
    """Add a line to the table, unless its last one of this student and lesson says the same."""
    if read_times(root).get((student, lesson), [""])[-1] == time:
        return
    path, row = root / HANDED_IN, {"student": student, "lesson": lesson, "time": time}
    if not path.exists() or not path.stat().st_size:
        path.write_text(",".join(_COLUMNS) + "\n", encoding="utf-8")
    sheet = read_sheet(path)
    sheet.add([row.get(name, "") for name in sheet.columns])
    sheet.save(path)


def read_times(root: Path) -> Times:
    """Read the table of a class's folder. Raises `CourseError` where it is no such table."""
    path = root / HANDED_IN
    if not path.exists() or not path.stat().st_size:
        return {}
    return _read(path, *stat_key(path))


@functools.lru_cache(maxsize=4)
def _read(path: Path, *version: int) -> Times:
    times, sheet = defaultdict[tuple[str, str], list[str]](list), read_sheet(path)
    if missing := [name for name in _COLUMNS if name not in sheet.columns]:
        raise CourseError(f"{path}: its first line does not name {', '.join(missing)}")
    for number, row in sheet.records():
        about = dict(zip(sheet.columns, row))
        student, lesson, time = (about.get(name, "") for name in _COLUMNS)
        if not (student and lesson and time):
            raise CourseError(f"{path}: line {number - 1} below the first does not say {', '.join(_COLUMNS)}")
        times[student, lesson].append(time)
    return dict(times)


def _parsed(root: Path, time: str, where: str = "") -> datetime:
    return parse_time(time, read_dates(root).zone or "UTC", where)

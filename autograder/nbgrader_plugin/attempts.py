"""Earlier attempts: what work earned is written down before other work of the same student is graded in its place.

nbgrader's gradebook holds one submission a student and lesson. Here each gets a file of lines, beside the gradebook;
a line is only ever added, so that no interruption loses one.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory

from autograder.nbgrader_plugin import fingerprint
from autograder.nbgrader_plugin.gradebook import earned


@dataclass(frozen=True)
class Attempt:
    """What was handed in at one time.

    work: the digest of its files; handed_in: in UTC, as ISO 8601 says it, empty where there was no time stamp.
    points: as in the gradebook, less what was taken off for being late; waiting: whether answers had not been read yet.
    """

    work: str
    handed_in: str
    points: float
    max_points: float
    waiting: bool

    @property
    def when(self) -> datetime | None:
        """When it was handed in, if that is known."""
        return datetime.fromisoformat(self.handed_in) if self.handed_in else None


def put_away(course: CourseDirectory, lesson: str, student: str) -> None:
    """Write down what a student's graded work earned, where something else lies in `submitted/` now."""
    graded = Path(course.format_path(course.autograded_directory, student, lesson)).glob("*.ipynb")
    submitted = Path(course.format_path(course.submitted_directory, student, lesson))
    work = next(filter(None, map(fingerprint.of_graded_work, graded)), "")
    if not work or work == fingerprint.of_work(submitted):
        return
    with Gradebook(course.db_url, course.course_id) as gradebook:
        try:
            found = gradebook.find_submission(lesson, student)
        except MissingEntry:
            return
        handed_in = found.timestamp.isoformat() if found.timestamp else ""
        attempt = Attempt(work, handed_in, earned(found), found.max_score, found.needs_manual_grade)
    path = _path(course, lesson, student)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{json.dumps(dataclasses.asdict(attempt))}")  # apart from a line that was cut short


def earlier(course: CourseDirectory, lesson: str, student: str, work: str) -> list[Attempt]:
    """A student's attempts before the graded one, whose files have the digest `work`, the oldest first."""
    lines = groupby(_read(_path(course, lesson, student)), key=lambda one: one.work)
    attempts = [list(same)[-1] for _, same in lines]  # interrupted grading may have written one down twice
    return attempts[:-1] if attempts and attempts[-1].work == work else attempts


def _read(path: Path) -> Iterator[Attempt]:
    """What the lines say, without those that were cut short."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    for line in text.splitlines():
        try:
            yield Attempt(**json.loads(line))
        except (ValueError, TypeError):
            continue


def _path(course: CourseDirectory, lesson: str, student: str) -> Path:
    return Path(course.root, "attempts", lesson, f"{student}.jsonl")

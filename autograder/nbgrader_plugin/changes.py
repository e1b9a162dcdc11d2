"""What a round changes in grades that were given before: kept in a table, told to the instructor and on the page.

What the grades were is written down before a round begins, and stays where that is interrupted: the next one goes on
from there.
"""

from __future__ import annotations

import csv
import functools
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path

import msgspec
from sqlalchemy import Row

from autograder.courses import Lesson
from autograder.model.text import cleaned, in_table
from autograder.nbgrader_plugin import folders, kept, whole
from autograder.nbgrader_plugin.gradebook import directory_of, read_earned

CHANGES = "changes.csv"
BEFORE = ".grades-before.json"
LATE = "late penalty"

CAUSES = {
    "files": "handed in again",
    "time": "another time of handing in, due date, or rule for being late",
    "secret": "a new secret draws the hidden cases",
    "lesson": "the lesson is judged otherwise",
    "data": "the course's data changed",
    "grader": "the grader judges otherwise",
    "settings": "the grading settings changed",
    "libraries": "the libraries changed",
}
"""Of each part of a fingerprint, see `fingerprint.parts`: what it is called where it is another one."""


@dataclass(frozen=True)
class Points:
    """What the gradebook has for an item; points: None where it waits to be marked; given: by the grader."""

    points: float | None
    most: float
    given: float | None
    by_hand: bool


@dataclass(frozen=True)
class Grade:
    """A student's grade of a lesson, by item; work, made_of: digests of what it was given for, see `fingerprint`."""

    items: Mapping[str, Points]
    work: str
    made_of: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """A line of the table. work: the first letters of the digest of what the grade is for now."""

    time: str
    student: str
    lesson: str
    item: str
    before: str
    now: str
    because: str
    work: str = ""

    @property
    def line(self) -> str:
        return f"{self.lesson}  {cleaned(self.student)}: {self.item}: {self.before} → {self.now} ({self.because})"

    @property
    def of_other_work(self) -> bool:
        """Whether other work was handed in since."""
        return self.because.startswith(CAUSES["files"])

    @property
    def told(self) -> str:
        """The same for the student."""
        return f"{self.time[:10]}: {self.item}: {self.before} → {self.now}, because: {self.because}."


Grades = Mapping[str, Mapping[str, Grade]]
"""By lesson and student."""


def read_grades(folder: Path, lessons: Iterable[Lesson]) -> dict[str, dict[str, Grade]]:
    """The grades that a class has."""
    return {lesson.id: dict(_of_lesson(folder, lesson)) for lesson in lessons}


def _of_lesson(folder: Path, lesson: Lesson) -> Iterator[tuple[str, Grade]]:
    course = directory_of(lesson.course, folder)
    order = {cell.grade_id.removeprefix("test_"): number for number, cell in enumerate(lesson.cells)}
    for student, earned in read_earned(course, lesson.id).items():
        items = {name.removeprefix("test_"): _points(cell) for name, cell in earned.cells.items()}
        of = dict(sorted(items.items(), key=lambda one: order.get(one[0], len(order))))
        of[LATE] = Points(-earned.penalty, 0.0, -earned.penalty, False)
        graded = kept.outcome_of(course, lesson.id, student)
        if not graded.refused:  # its zero points are no grade that could change
            yield student, Grade(of, graded.work, graded.made_of)


def _points(cell: Row) -> Points:
    by_hand = cell.manual_score is not None
    points = None if cell.needs_manual_grade and not by_hand else cell.score
    return Points(points, cell.max_score, cell.auto_score, by_hand)


def begin(folder: Path, grades: Grades) -> Grades:
    """Write down what the grades are before a round; what they were, where one before was interrupted, comes back."""
    path = folder / BEFORE
    before = whole.remembered(path, dict[str, dict[str, Grade]])
    kept = {lesson: {**found, **before.get(lesson, {})} for lesson, found in grades.items()}
    whole.write_whole(path, msgspec.json.encode({**before, **kept}), mode=0o600)
    return kept


def between(before: Grades, now: Grades, time: str) -> list[Change]:
    """What changed of the grades that there were before, in order."""
    return [
        Change(time, student, lesson, item, _said(old, item), _said(new, item), because, grade.work[:12])
        for lesson, grades in now.items()
        for student, grade in sorted(grades.items())
        if (earlier := before.get(lesson, {}).get(student))
        for item, new in grade.items.items()
        if (old := earlier.items.get(item)) and (because := _because(earlier, grade, old, new))
    ]


def _because(earlier: Grade, grade: Grade, old: Points, new: Points) -> str:
    """Why an item's points are others now; empty where they are not, or where the instructor has just set them."""
    if new.by_hand and not old.by_hand:
        return ""
    by_hand = new.by_hand and old.by_hand and old.points == new.points
    if (old.points, old.most) == (new.points, new.most) and not (by_hand and old.given != new.given):
        return ""
    said = []
    if old.most != new.most:
        said.append(f"worth {new.most:g} points now, {old.most:g} before")
    known = dict(earlier.made_of) if grade.made_of else {}
    if not folders.is_same_form(earlier.work, grade.work):
        known.pop("files", None)  # nobody can tell whether it is other work
    parts = [
        CAUSES[name] for name, digest in known.items() if name in CAUSES and grade.made_of.get(name) != digest
    ]
    said += [part for part in parts if not (said and part == CAUSES["lesson"])] or (
        [] if said else ["graded again"]
    )
    if by_hand:
        changed = old.given != new.given and old.given is not None and new.given is not None
        said.append("set by hand, and kept" + (f"; the grader gives {new.given:g} now" if changed else ""))
    return "; ".join(said)


def _said(points: Points, item: str) -> str:
    if item == LATE:
        return f"{abs(points.points or 0):g} taken off"
    return f"{'waiting' if points.points is None else f'{points.points:g}'} of {points.most:g}"


def end(folder: Path, changes: Iterable[Change]) -> None:
    """Add the changes of a round to the table; the round is over."""
    path, names = folder / CHANGES, [one.name for one in fields(Change)]
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    known = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not known:
        rows.writerow(names)
    rows.writerows(map(in_table, astuple(change)) for change in changes)
    if text.getvalue():
        whole.write_whole(path, (known + text.getvalue()).encode(), mode=0o600)
    (folder / BEFORE).unlink(missing_ok=True)


@functools.lru_cache(maxsize=4)
def _table(path: Path, *version: int) -> dict[tuple[str, str], list[Change]]:
    """The table's lines by lesson and student."""
    found = defaultdict[tuple[str, str], list[Change]](list)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            if len(row) == len(fields(Change)):
                found[row[2], row[1]].append(Change(*row))
    return found


def of_student(folder: Path, lesson: str, student: str) -> list[Change]:
    """How a student's grade changed from round to round, in order."""
    path = folder / CHANGES
    if not path.is_file():
        return []
    return _table(path, *whole.last_written(path)).get((lesson, in_table(student)), [])


def told(folder: Path, lesson: str, student: str, work: str) -> list[str]:
    """What to tell a student of how the grade of this work changed after it was given."""
    mine = of_student(folder, lesson, student)
    return [row.told for row in mine if row.work == work[:12] and not row.of_other_work]

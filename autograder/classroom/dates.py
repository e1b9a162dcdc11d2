"""A class's settings: dates of lessons, what being late costs, who is excused, groups, and which attempt counts.

All of it stands in `class.toml`, in the class's folder; for a class that is taught in the course's own folder, there.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
import tomllib
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import msgspec
import nbformat
from nbformat import NotebookNode

from autograder.classroom.roster import ROSTER, read_groups
from autograder.courses import CLASS
from autograder.execution.notebook_cells import new_cell
from autograder.exercises.errors import CourseError
from autograder.files.atomic_files import stat_key
from autograder.submissions.submission_folder import printable

LABELS = {"release": "Opens", "due": "Due", "cutoff": "Closes"}
"""What a lesson has dates for, in their order, and how people are told of each."""

BEST, LAST = ATTEMPTS = "best", "last"
"""Which of a student's attempts may count."""

_ADDRESS = re.compile(r"""[^\s@<>,;:"()\[\]\\]+@[\w.-]+""")
"""An e-mail address without quotes and comments (RFC 5322)."""


class LessonDates(msgspec.Struct, forbid_unknown_fields=True):
    """A lesson's settings as they are written.

    extensions: by a student's id or a section's name; excused: of these; groups: as in `Dates`, for this lesson.
    """

    release: Any = None
    due: Any = None
    cutoff: Any = None
    extensions: dict[str, Any] = {}
    excused: list[str] = []
    groups: str | None = None


class ClassSection(msgspec.Struct, forbid_unknown_fields=True):
    """Some of the class, by their ids; zone: in which they are told times, where that is another than the class's."""

    students: list[str] = []
    zone: str = ""


class LateRule(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What of the points a day takes that has begun after the due date."""

    percent_a_day: Annotated[float, msgspec.Meta(ge=0, le=100)] = 0.0


class ClassSettings(msgspec.Struct, forbid_unknown_fields=True):
    """All that a class's file says.

    zone: empty where it names none; groupshared: whether the class's folder is its group's, as nbgrader calls that.
    contact: the e-mail address for students who think that a verdict is wrong, or empty; attempt: which one counts;
    groups: the column of the roster that says who works together, empty where everybody works alone.
    lessons, sections: `LessonDates` and `ClassSection`, by name; late: a `LateRule`.
    """

    course: str = ""
    zone: str = ""
    groupshared: bool = False
    contact: str = ""
    attempt: str = LAST
    groups: str = ""
    lessons: dict[str, Any] = {}
    sections: dict[str, Any] = {}
    late: Any = LateRule()


@dataclass(frozen=True)
class Deadline:
    """What holds for one student in one lesson, in UTC, without a zone, as the gradebook has times.

    extended: whether `due` is not the others'; percent: what of the points each day takes that has begun after it;
    zone: by whose clock days are counted; excused: whether being late costs nothing, and the work does not count.
    """

    release: datetime | None = None
    due: datetime | None = None
    cutoff: datetime | None = None
    extended: bool = False
    percent: float = 0.0
    zone: str = "UTC"
    excused: bool = False

    def or_due(self, due: datetime | None) -> Deadline:
        """Return the same deadline; where it has no due date, with this one, or else with the cutoff."""
        return replace(self, due=self.due or due or self.cutoff)

    def late_by(self, when: datetime) -> timedelta:
        """Return how long after `due` the clock of the zone showed `when`.

        At 20:00 a day after 20:00 it is a day, also where the clocks were changed in between.
        """
        if self.due is None or when <= self.due:
            return timedelta(0)
        shown, due = (_in(self.zone, time).replace(tzinfo=None) for time in (when, self.due))
        return shown - due if shown > due else when - self.due

    def penalty_percent(self, when: datetime) -> float:
        """Return how much of the points is taken off work that came then."""
        if not (late := self.late_by(when)):
            return 0.0
        if self.cutoff is not None and when > self.cutoff:
            return 100.0
        return min(100.0, math.ceil(late / timedelta(days=1)) * self.percent)


class Dates(ClassSettings, kw_only=True):
    """A class's settings, and what follows from them for each student."""

    path: Path

    def of(self, lesson: str, student: str = "") -> Deadline:
        """Return a student's deadline, or that of all who have no extension.

        Raises `CourseError` where a time cannot be read, comes before one that it should follow, or two sections of the
        student's have different extensions.
        """
        written: LessonDates = self.lessons.get(lesson, LessonDates())
        usual = self._times(lesson, {name: getattr(written, name) for name in LABELS})
        release, due, cutoff = map(usual.get, LABELS)
        deadline = Deadline(release, due, cutoff, percent=self.late.percent_a_day, zone=self.zone or "UTC")
        if self.is_excused(lesson, student):
            deadline = replace(deadline, cutoff=None, percent=0.0, excused=True)
        untils = dict[str, datetime]()
        for name in [student] if student in written.extensions else self.sections_of(student):
            if name in written.extensions:
                times = {"release": written.release, f"extensions.{name}": written.extensions[name]}
                *_, untils[name] = self._times(lesson, times).values()
        if not untils:
            return deadline
        if len({*untils.values()}) > 1:
            name = printable(student)
            raise CourseError(
                f"{self._entry(lesson)}: {name} is in {' and '.join(untils)}, whose extensions differ: "
                f'write one of {name}\'s own, as {student!r} = "2026-12-03 23:59"'
            )
        due = next(iter(untils.values()))
        cutoff = deadline.cutoff and max(deadline.cutoff, due)
        return replace(deadline, due=due, cutoff=cutoff, extended=True)

    def is_excused(self, lesson: str, student: str) -> bool:
        """Return whether a student is excused from a lesson, by name or with a section."""
        excused = self.lessons.get(lesson, LessonDates()).excused
        return not {student, *self.sections_of(student)}.isdisjoint(excused)

    def groups_of(self, lesson: str) -> Mapping[str, str]:
        """Return the names of students' groups in a lesson, by the students who have one, in the roster's order."""
        groups = self.lessons.get(lesson, LessonDates()).groups
        column = self.groups if groups is None else groups
        return read_groups(self.path.with_name(ROSTER), column) if column else {}

    def zone_of(self, student: str) -> str:
        """Return the zone in which a student is told times. Raises `CourseError` where two sections differ in it."""
        zones = sorted({self.sections[name].zone for name in self.sections_of(student)} - {""})
        if len(zones) > 1:
            problem = f"{printable(student)} is in sections in {' and '.join(zones)}"
            raise CourseError(f"{self.path}: {problem}: leave one out")
        return zones[0] if zones else self.zone or "UTC"

    def told(self, lesson: str) -> list[str]:
        """Return a lesson's dates for all, in the zones of all; extensions are between them and the instructor."""
        zones = {self.zone or "UTC": None} | {section.zone: None for section in self.sections.values()}
        lines = []
        for name, word in LABELS.items():
            if when := getattr(self.of(lesson), name):
                lines.append(f"{word} {' = '.join(format_time(when, zone) for zone in zones if zone)}")
        return lines

    def expect_sound(self, lessons: Collection[str], students: Collection[str] | None = None) -> None:
        """Check all of it. students: all who are known, where that is. Raises `CourseError`, naming the entry."""
        named = dict[str, str]()
        for name, section in self.sections.items():
            named |= dict.fromkeys(section.students, f"[sections.{name}]")
        for name in self.sections:
            if name in named or students and name in students:
                problem = f"{name!r} is a section and a student: give the section another name"
                raise CourseError(f"{self.path}: {problem}")
        for lesson, written in self.lessons.items():
            if lesson not in lessons:
                problem = f"no lesson is called so; there are {', '.join(lessons)}"
                raise CourseError(f"{self._entry(lesson)}: {problem}")
            for entry, names in (("extensions", written.extensions), ("excused", written.excused)):
                for student in {*names} - self.sections.keys() - named.keys():
                    named[student] = f"[lessons.{lesson}] {entry}"
            for student in ("", *named):
                self.of(lesson, student)
        for lesson in lessons:
            self.groups_of(lesson)
        for student, where in named.items():
            self.zone_of(student)
            if students is not None and student not in students:
                problem = f"{self.path}, {where}: nobody is called {student!r}, and no section"
                raise CourseError(f"{problem}: mend the name, or write it into {ROSTER}")

    def sections_of(self, student: str) -> list[str]:
        """Return the names of a student's sections."""
        return [name for name, section in self.sections.items() if student in section.students]

    def _entry(self, lesson: str) -> str:
        return f"{self.path}, [lessons.{lesson}]"

    def _times(self, lesson: str, written: Mapping[str, Any]) -> dict[str, datetime]:
        """Read times that are in order, without those that are not written."""
        where = f"{self._entry(lesson)}: "
        texts = {name: str(text) for name, text in written.items() if text is not None}
        times = {name: parse_time(text, self.zone, f"{where}{name}: ") for name, text in texts.items()}
        for first, second in itertools.pairwise(times):
            if times[second] < times[first]:
                raise CourseError(f"{where}{second} comes before {first}: mend one of them")
        return times


def read_dates(root: Path) -> Dates:
    """Read the dates of a class's folder; there are none where it has no file.

    Raises `CourseError` for what it may not hold.
    """
    path = root / CLASS
    return _read(path, *stat_key(path)) if path.exists() else Dates(path=path)


@functools.lru_cache(maxsize=4)
def _read(path: Path, *version: int) -> Dates:
    try:
        text = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise CourseError(f"{path} is not UTF-8: save it as that") from None
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{path} cannot be read: {error}; a time stands in quotation marks") from None
    dates = Dates(**msgspec.structs.asdict(_convert(text, ClassSettings, f"{path}")), path=path)
    for table, kind in (("lessons", LessonDates), ("sections", ClassSection)):
        entries = getattr(dates, table)
        for name, entry in entries.items():
            entries[name] = _convert(entry, kind, f"{path}, [{table}.{name}]")
    dates.late = _convert(dates.late, LateRule, f"{path}, [late]")
    for zone in filter(None, (dates.zone, *(section.zone for section in dates.sections.values()))):
        find_zone(zone, f"{path}: ")
    if dates.attempt not in ATTEMPTS:
        raise CourseError(f'{path}: attempt: {dates.attempt!r} is neither "{BEST}" nor "{LAST}"')
    if dates.contact and not _ADDRESS.fullmatch(dates.contact):
        problem = f"contact: {dates.contact!r} is no e-mail address"
        raise CourseError(f'{path}: {problem}; write one as "ada@example.org"')
    return dates


def _convert(entry: Any, kind: Any, where: str) -> Any:
    try:
        return msgspec.convert(entry, kind)
    except msgspec.ValidationError as error:
        fields = ", ".join(field.name for field in msgspec.structs.fields(kind))
        raise CourseError(f"{where}: {error}; it may hold {fields}") from None


def parse_time(text: str, zone: str, where: str = "") -> datetime:
    """Return a time that people wrote, in UTC, without a zone.

    It is `2026-12-01 23:59`, with a zone or an offset behind it, or else of this `zone`.

    Raises `CourseError`, `where` first, for what is no time, is in no zone, or in a night when the clocks are changed
    either does not come or comes twice.
    """
    local, word = _local(text), text.split(" ")[-1]
    if local is None:
        raise CourseError(f"{where}{printable(text)!r} is no time; write 2026-12-01 23:59 UTC")
    if local.tzinfo is not None:
        return local.astimezone(UTC).replace(tzinfo=None)
    zone = word if word[:1].isalpha() else zone
    if not zone:
        raise CourseError(f'{where}{text} is in no zone: write zone = "Europe/Berlin" at the top of {CLASS}')
    either_way = [local.replace(tzinfo=find_zone(zone, where), fold=fold) for fold in (0, 1)]
    first, second = (time.astimezone(UTC) for time in either_way)
    shown = f"{where}{local:%Y-%m-%d %H:%M}"
    if first > second:
        raise CourseError(f"{shown} is left out by the clocks of {zone}: write another time")
    if first < second:
        either = " or ".join(f'"{time.isoformat(" ", "minutes")}"' for time in either_way)
        raise CourseError(f"{shown} comes twice in {zone}: write {either}")
    return first.replace(tzinfo=None)


def _local(text: str) -> datetime | None:
    """Return a time without the zone whose name may stand behind it."""
    words = text.split()
    written = " ".join(words[:-1] if len(words) > 1 and words[-1][0].isalpha() else words)
    with suppress(ValueError):
        time = datetime.fromisoformat(written)
        return time if ":" in written and 1970 <= time.year < 9000 else None
    return None


def find_zone(name: str, where: str = "") -> ZoneInfo:
    """Return the time zone of this name. Raises `CourseError`, `where` first, where there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # OSError: a name that is a folder
        problem = f"{where}no time zone is called {printable(name)!r}"
        raise CourseError(f"{problem}; write one as Europe/Berlin") from None


def format_time(when: datetime, zone: str = "UTC") -> str:
    """Return a time in UTC as text, by the clock of a zone."""
    return f"{_in(zone, when):%a %Y-%m-%d %H:%M} {zone}"


def _in(zone: str, when: datetime) -> datetime:
    return when.replace(tzinfo=UTC).astimezone(find_zone(zone))


def with_dates(notebook: NotebookNode, text: str) -> str:
    """Return a notebook's file, with a text cell on the dates behind its first cell."""
    notebook.cells.insert(1, new_cell("markdown", text, "dates"))
    return f"{nbformat.writes(notebook)}\n"

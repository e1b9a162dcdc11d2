"""A class's dates as a calendar, which students and instructors add to their own: RFC 5545."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from icalendar import Calendar, Event

from autograder.courses import CLASS, Course
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import whole
from autograder.nbgrader_plugin.dates import TOLD_AS, read_dates

_FILE = "dates.ics"


def write_calendar(course: Course, folder: Path) -> str:
    """Write a class's dates, without anybody's extension, to `dates.ics` in its folder; where it lies comes back.

    An event keeps its id: a calendar that has it already moves it. Raises `CourseError` where there are no dates.
    """
    known = read_dates(folder)
    known.expect_sound([lesson.id for lesson in course.lessons])
    made = Calendar(prodid=f"-//{course.name}//dates//EN", version="2.0", x_wr_calname=course.title)
    for lesson in course.lessons:
        usual = known.of(lesson.id)
        for name, word in TOLD_AS.items():
            if when := getattr(usual, name):
                event = Event(uid=f"{lesson.id}-{name}@{course.name}", summary=f"{word}: {lesson.title}")
                event.add("dtstart", when.replace(tzinfo=UTC))
                event.add("dtstamp", datetime.now(UTC))
                made.add_component(event)
    if not made.subcomponents:
        raise CourseError(f"{folder / CLASS} gives no dates: write some, as docs/instructors.md says")
    whole.write_whole(folder / _FILE, made.to_ical(), mode=0o644)
    return f"{folder / _FILE}: {len(made.subcomponents)} dates"

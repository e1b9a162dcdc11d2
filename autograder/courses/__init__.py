"""A course as its instructors hold it: where it lies, its lessons, and how their exercises are judged."""

from autograder.courses.course import (
    CLASS,
    SETTINGS,
    START,
    Course,
    CourseChanged,
    Lesson,
    NotInstalled,
    UnknownName,
    as_named,
    open_course,
    refuse_changed,
)

__all__ = [
    "CLASS",
    "SETTINGS",
    "START",
    "Course",
    "CourseChanged",
    "Lesson",
    "NotInstalled",
    "UnknownName",
    "as_named",
    "open_course",
    "refuse_changed",
]

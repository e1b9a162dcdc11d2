"""A course as its instructors have it: its folders, its lessons, and how their exercises are judged."""

from autograder.courses.course import (
    CLASS,
    SETTINGS,
    START,
    Course,
    CourseChanged,
    Lesson,
    NotInstalled,
    UnknownName,
    course_settings,
    open_course,
    refuse_changed_course,
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
    "course_settings",
    "open_course",
    "refuse_changed_course",
]

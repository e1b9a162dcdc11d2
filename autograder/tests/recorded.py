"""Enters what grading would have found into a class's record store, without any grading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory

from autograder.classroom.gradebook import make_gradebook
from autograder.records import record_store
from autograder.records.record_store import GradingRecord


def record(folder: Path, lesson: str, student: str, **about: Any) -> None:
    """Add a row; about: its fields as they are written."""
    course = CourseDirectory(root=str(folder))
    make_gradebook(course.db_url, "attention")
    with record_store.transaction(course) as db:
        record_store.add_records(db, [GradingRecord(lesson, student, **about)])

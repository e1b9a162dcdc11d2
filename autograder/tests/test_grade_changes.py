"""Grades that change after they were given: what each is due to. In test_a_term.py are the rounds in which they do."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from nbgrader.coursedir import CourseDirectory

from autograder.classroom.gradebook import LessonScore
from autograder.execution.notes import Note, NoteKind
from autograder.records import grade_changes, record_store
from autograder.records.grade_changes import Change, Grade
from autograder.records.record_store import GradingRecord
from autograder.tests.recorded import record
from autograder.tests.this_course import COURSE

UNREADABLE = msgspec.to_builtins([Note(NoteKind.UNREADABLE, ("a.ipynb",), "is empty")])
PARTS = {**dict.fromkeys(record_store.INPUTS, "a"), "work": "2:w"}


def grade(points: float, most: float, *, given: float = 3, by_hand: bool = False, **parts: Any) -> Grade:
    by_whom = {"manual_score": points if by_hand else None, "needs_manual_grade": False}
    cell = SimpleNamespace(score=points, max_score=most, auto_score=given, **by_whom)
    record = GradingRecord("01", "amy", **PARTS | parts, worth={"test_f": most})
    return record, LessonScore({"test_f": cell}, 0.0, None, None)


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        (grade(3, 3), grade(3, 3, judged_by="b"), []),
        (grade(3, 3), grade(2, 3, judged_by="b"), ["the lesson is judged otherwise"]),
        (grade(3, 3), grade(2, 3, grader="b"), ["the grader judges otherwise"]),
        (grade(3, 3), grade(2, 3), ["graded again"]),
        (grade(3, 3), grade(2, 3, by_hand=True), []),
        (grade(3, 3), grade(4, 4, judged_by="b"), ["worth 4 points now, 3 before"]),
        (
            grade(2, 3, by_hand=True),
            grade(2, 3, by_hand=True, given=1, judged_by="b"),
            ["the lesson is judged otherwise; set by hand, and kept; the grader gives 1 now"],
        ),
        (grade(3, 3), grade(1, 3, work="2:x", libraries="b"), ["handed in again; the libraries changed"]),
        (grade(0, 3, kept_notes=UNREADABLE), grade(3, 3, work="2:x"), []),
    ],
)
def test_a_change_says_what_it_is_due_to(old: Grade, new: Grade, because: list[str]) -> None:
    assert [change.because for change in grade_changes.find_changes(COURSE.lessons[0], old, new)] == because


def test_a_change_is_told_by_one_round_and_stays_on_the_page(tmp_path: Path) -> None:
    """A round that was killed before it told them is followed by one that does."""
    course = CourseDirectory(root=str(tmp_path))
    record(tmp_path, "01", "amy", work="w")
    change = Change("2026-11-23 12:00 UTC", "amy", "01", "f", "3 of 3", "2 of 3", "graded again", "w")
    with record_store.transaction(course) as db:
        grade_changes.add_changes(db, [change])
    assert grade_changes.take_unreported(course) == [change]
    (tmp_path / grade_changes.CHANGES_FILE).unlink()  # as if the round was killed before it wrote that
    assert grade_changes.take_unreported(course) == []
    lines = grade_changes.read_changes(course, "01")
    assert grade_changes.lines_for_student(lines, "amy", "w") == [
        "2026-11-23: f: 3 of 3 → 2 of 3, because: graded again."
    ]
    assert (
        grade_changes.lines_for_student(lines, "bea", "w")
        == grade_changes.lines_for_student(lines, "amy", "other")
        == []
    )
    assert "amy,01,f,3 of 3,2 of 3,graded again,w" in (tmp_path / grade_changes.CHANGES_FILE).read_text()

"""What is taken off for being late, by the times and the rule that stand in the class's folder, told in words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.classroom import hand_in_times
from autograder.classroom.dates import Deadline, read_dates
from autograder.classroom.gradebook import gradebook_exists
from autograder.courses import CLASS, Lesson
from autograder.exercises.errors import CourseError
from autograder.sandbox.notes import Note, NoteKind
from autograder.submissions import submission_files, submission_folder

_THEIRS = ("LateSubmissionPlugin", "AssignLatePenalties")
"""nbgrader's own settings for this."""


def find_deadline(gradebook: Gradebook, root: Path, lesson: str, student: str) -> Deadline:
    """Until when a student had: as the class's file says; where it gives no due date, the gradebook's counts."""
    found = read_dates(root).of(lesson, student)
    due = found.due or _in_gradebook(gradebook, lesson, student) or found.cutoff
    return replace(found, due=due)


def _in_gradebook(gradebook: Gradebook, lesson: str, student: str) -> datetime | None:
    with suppress(MissingEntry):
        return gradebook.find_submission(lesson, student).duedate
    with suppress(MissingEntry):
        return gradebook.find_assignment(lesson).duedate
    return None


def lateness_key(gradebook: Gradebook, root: Path, lesson: str, student: str) -> str:
    """When a student's work came, and, where that was late, until when they had and what it costs: all that lateness
    depends on.
    """
    when = hand_in_times.find_time(root, student, lesson)
    if when is None:
        return ""
    until = find_deadline(gradebook, root, lesson, student)
    if until.due is None or until.due >= when:
        return str(when)
    return " ".join([f"{when} {until.due}", *(f"{one}" for one in (until.cutoff, until.percent) if one)])


def refuse_other_rules(config: Config) -> None:
    """Raises `CourseError` where nbgrader's own settings say what being late costs: they would be passed over."""
    for name in _THEIRS:
        if name in config:
            raise CourseError(
                f"nbgrader_config.py sets {name}: what being late costs stands in {CLASS}, as [late] and, below "
                "it, percent_a_day = 100; write that, and remove the setting"
            )


def lateness_notes(
    gradebook: Gradebook, course: CourseDirectory, lesson: str, student: str
) -> Iterator[Note]:
    """What being late costs, in a sentence, which feedback shows too; and a time that came with the work and was not
    written down.
    """
    root = Path(course.root)
    when = hand_in_times.find_time(root, student, lesson)
    folder = Path(course.format_path(course.submitted_directory, student, lesson))
    stamp, known = folder / submission_folder.STAMP, hand_in_times.read_times(root).get((student, lesson), [])
    if os.path.lexists(stamp) and submission_files.small_text(stamp).strip() not in known:
        counts = f"the time in {hand_in_times.HANDED_IN} counts" if when else "it counts as in time"
        yield Note(NoteKind.STAMPED, (submission_folder.STAMP,), counts)
    if when and (late := (until := find_deadline(gradebook, root, lesson, student)).late_by(when)):
        told, percent = f"{format_duration(late.total_seconds())} late", until.percent_off(when)
        taken_off = f"; {percent:g} % of the points taken off" if percent else ""
        yield Note(NoteKind.LATE, detail=f"{told}{taken_off}")


def apply_penalty(
    gradebook: Gradebook, root: Path, lesson: Lesson, student: str, own: SubmittedNotebook
) -> None:
    """Have a submission's work lose what being late costs, in the place of nbgrader's step."""
    own.assignment.timestamp = when = hand_in_times.find_time(root, student, lesson.id)
    own.late_submission_penalty = None
    if when:
        _lose(own, find_deadline(gradebook, root, lesson.id, student))
    gradebook.db.commit()


def renew_penalties(course: CourseDirectory, lesson: Lesson) -> None:
    """Have late work lose its share of what marks have made of it since it was graded."""
    if not gradebook_exists(course.db_url):
        return
    with Gradebook(course.db_url, course.course_id) as gradebook, suppress(MissingEntry):
        dates = read_dates(Path(course.root))
        for work in gradebook.assignment_submissions(lesson.id):
            if work.timestamp is None:
                continue
            until = dates.of(lesson.id, work.student_id)
            until = replace(until, due=until.due or work.duedate or until.cutoff)
            if until.percent_off(work.timestamp):
                own = gradebook.find_submission_notebook(lesson.notebook, lesson.id, work.student_id)
                _lose(own, until)
        gradebook.db.commit()


def _lose(own: SubmittedNotebook, until: Deadline) -> None:
    if percent := until.percent_off(own.assignment.timestamp):
        own.late_submission_penalty = round(percent * own.score / 100, 2) or None


def format_duration(seconds: float) -> str:
    """A time in its two largest units: 1 day 2 hours."""
    left, words = round(seconds), []
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, left = divmod(left, length)
        if count:
            words.append(f"{count} {unit}{'s' * (count != 1)}")
    return " ".join(words[:2]) or "0 seconds"

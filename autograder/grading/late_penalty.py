"""The late penalty: computed from the times and the rule in the class's folder, and told in words.

`Deadline.penalty_percent` says how much of the points it takes, `_set_penalty` how many points that is.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.classroom import group_work, hand_in_times
from autograder.classroom.dates import Deadline, read_dates
from autograder.classroom.gradebook import gradebook_exists
from autograder.courses import CLASS, Lesson
from autograder.execution.notes import Note, NoteKind
from autograder.exercises.errors import CourseError
from autograder.submissions import submission_files, submission_folder

_THEIRS = ("LateSubmissionPlugin", "AssignLatePenalties")
"""nbgrader's own settings for this."""


def _due_in_gradebook(gradebook: Gradebook, lesson: str, student: str) -> datetime | None:
    with suppress(MissingEntry):
        return gradebook.find_submission(lesson, student).duedate
    with suppress(MissingEntry):
        return gradebook.find_assignment(lesson).duedate
    return None


def find_lateness(
    gradebook: Gradebook, course: CourseDirectory, lesson: str, student: str
) -> tuple[str, list[Note]]:
    """Return all that a penalty depends on: when work was handed in, and, if late, the deadline and the rule.

    With it come notes on what being late costs, and on a time in the work's own files that nobody wrote down.
    """
    root, notes = Path(course.root), list[Note]()
    submitter = group_work.submitter_of(root, lesson, student)
    when = hand_in_times.find_time(root, submitter, lesson)
    folder = Path(course.format_path(course.submitted_directory, submitter, lesson))
    stamp = folder / submission_folder.STAMP
    recorded = hand_in_times.read_times(root).get((submitter, lesson), [])
    if os.path.lexists(stamp) and submission_files.small_text(stamp).strip() not in recorded:
        counts = f"the time in {hand_in_times.HANDED_IN} counts" if when else "it counts as in time"
        notes.append(Note(NoteKind.STAMPED, (submission_folder.STAMP,), counts))
    if when is None:
        return "", notes
    due = _due_in_gradebook(gradebook, lesson, student)
    deadline = read_dates(root).of(lesson, student).or_due(due)
    if not (late := deadline.late_by(when)):
        return str(when), notes
    percent = deadline.penalty_percent(when)
    taken_off = f"; {percent:g} % of the points taken off" if percent else ""
    notes.append(Note(NoteKind.LATE, detail=f"{format_duration(late.total_seconds())} late{taken_off}"))
    rule = [f"{part}" for part in (deadline.cutoff, deadline.percent) if part]
    return " ".join([f"{when} {deadline.due}", *rule]), notes


def refuse_other_rules(config: Config) -> None:
    """Refuse nbgrader's own settings for late work, which would be ignored. Raises `CourseError`."""
    for name in _THEIRS:
        if name in config:
            raise CourseError(
                f"nbgrader_config.py sets {name}: what being late costs stands in {CLASS}, as [late] and, below "
                "it, percent_a_day = 100; write that, and remove the setting"
            )


def apply_penalty(
    gradebook: Gradebook, root: Path, lesson: Lesson, student: str, notebook: SubmittedNotebook
) -> None:
    """Write a submission's time and late penalty into the gradebook, as nbgrader's own step would."""
    work = notebook.assignment
    work.timestamp = when = group_work.find_time(root, student, lesson.id)
    notebook.late_submission_penalty = None
    if when:
        _set_penalty(notebook, read_dates(root).of(lesson.id, student).or_due(work.duedate))
    gradebook.db.commit()


def renew_penalties(course: CourseDirectory, lesson: Lesson) -> None:
    """Compute the penalties of late work anew: marks may have changed its points since it was graded."""
    if not gradebook_exists(course.db_url):
        return
    with Gradebook(course.db_url, course.course_id) as gradebook, suppress(MissingEntry):
        dates = read_dates(Path(course.root))
        for work in gradebook.assignment_submissions(lesson.id):
            if work.timestamp is None:
                continue
            deadline = dates.of(lesson.id, work.student_id).or_due(work.duedate)
            if deadline.penalty_percent(work.timestamp):
                notebook = gradebook.find_submission_notebook(lesson.notebook, lesson.id, work.student_id)
                _set_penalty(notebook, deadline)
        gradebook.db.commit()


def _set_penalty(notebook: SubmittedNotebook, deadline: Deadline) -> None:
    if percent := deadline.penalty_percent(notebook.assignment.timestamp):
        notebook.late_submission_penalty = round(percent * notebook.score / 100, 2) or None


def format_duration(seconds: float) -> str:
    """Return a time in its two largest units: 1 day 2 hours."""
    remaining, words = round(seconds), []
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, remaining = divmod(remaining, length)
        if count:
            words.append(f"{count} {unit}{'s' * (count != 1)}")
    return " ".join(words[:2]) or "0 seconds"

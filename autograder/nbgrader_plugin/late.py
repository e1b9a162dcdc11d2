"""nbgrader's late penalties, by the time that the class's table gives, told in words."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties

from autograder.model.notes import Note, NoteKind
from autograder.nbgrader_plugin import folders, kept, times


def due(course: CourseDirectory, lesson: str, student: str) -> datetime | None:
    """When a student's work is due, in UTC: as the class's table says, or else the gradebook."""
    if extended := times.extended(Path(course.root), student, lesson):
        return extended
    with Gradebook(course.db_url, course.course_id) as gradebook:
        with suppress(MissingEntry):
            return gradebook.find_submission(lesson, student).duedate
        with suppress(MissingEntry):
            return gradebook.find_assignment(lesson).duedate
    return None


def in_short(course: CourseDirectory, lesson: str, student: str) -> str:
    """When a student's work came, and when it was due where that was earlier: all that lateness depends on."""
    when = times.when(Path(course.root), student, lesson)
    if when is None:
        return ""
    until = due(course, lesson, student)
    return f"{when} {until}" if until and until < when else str(when)


class LatePenalties(AssignLatePenalties):
    """nbgrader's own, by the same plugin; who handed in late is noted in a sentence, which their feedback shows too."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Take the penalty off, and note it; note a time that came with the work and was not written down."""
        names, course = resources["nbgrader"], self.parent.parent.coursedir
        student, lesson = names["student"], names["assignment"]
        when, until = times.when(Path(course.root), student, lesson), due(course, lesson, student)
        folder = Path(course.format_path(course.submitted_directory, student, lesson))
        if _is_forged(folder, times.read_times(Path(course.root)).get((student, lesson), [])):
            counts = f"the time in {times.HANDED_IN} counts" if when else "it counts as in time"
            kept.note(nb, student, [Note(NoteKind.STAMPED, (folders.STAMP,), counts)], self.log)
        self.init_plugin()
        with Gradebook(names["db_url"]) as gradebook:
            own = gradebook.find_submission_notebook(names["notebook"], lesson, student)
            own.assignment.timestamp = when
            own.late_submission_penalty = None
            if when and until and (seconds := (when - until).total_seconds()) > 0:
                penalty = self.plugin_inst.late_submission_penalty(student, own.score, seconds)
                if penalty is not None:
                    own.late_submission_penalty = self._check_late_penalty(own, penalty)
                said = _sentence(seconds, own.late_submission_penalty or 0)
                kept.note(nb, student, [Note(NoteKind.LATE, detail=said)], self.log)
            gradebook.db.commit()
        return nb, resources


def _is_forged(folder: Path, known: Sequence[str]) -> bool:
    """Whether a file for a time lies in what was handed in, and holds none of these."""
    stamps = {folder / folders.STAMP, folders.work_of(folder) / folders.STAMP}
    return any(
        folders.is_plain_file(stamp) and folders.small_text(stamp).strip() not in known for stamp in stamps
    )


def _sentence(seconds: float, penalty: float) -> str:
    said = f"{duration(seconds)} late"
    return f"{said}; {penalty:g} point{'s' * (penalty != 1)} taken off" if penalty else said


def duration(seconds: float) -> str:
    """A time in its two largest units: 1 day 2 hours."""
    left, words = round(seconds), []
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, left = divmod(left, length)
        if count:
            words.append(f"{count} {unit}{'s' * (count != 1)}")
    return " ".join(words[:2]) or "0 seconds"

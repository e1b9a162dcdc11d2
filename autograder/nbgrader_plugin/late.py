"""nbgrader's late penalties, by the time that the class's table gives, told in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties

from autograder.courses import Lesson
from autograder.model.notes import Note, NoteKind
from autograder.nbgrader_plugin import folders, times


def due(gradebook: Gradebook, root: Path, lesson: str, student: str) -> datetime | None:
    """When a student's work is due, in UTC: as the table in the class's folder says, or else the gradebook."""
    if extended := times.extended(root, student, lesson):
        return extended
    with suppress(MissingEntry):
        return gradebook.find_submission(lesson, student).duedate
    with suppress(MissingEntry):
        return gradebook.find_assignment(lesson).duedate
    return None


def in_short(gradebook: Gradebook, root: Path, lesson: str, student: str) -> str:
    """When a student's work came, and when it was due where that was earlier: all that lateness depends on."""
    when = times.when(root, student, lesson)
    if when is None:
        return ""
    until = due(gradebook, root, lesson, student)
    return f"{when} {until}" if until and until < when else str(when)


class LatePenalties(AssignLatePenalties):
    """nbgrader's own, by the same plugin; who handed in late is noted in a sentence, which their feedback shows too."""

    def take_off(
        self, gradebook: Gradebook, course: CourseDirectory, lesson: Lesson, student: str
    ) -> Iterator[Note]:
        """Take the penalty off, and note it; note a time that came with the work and was not written down."""
        root = Path(course.root)
        when, until = times.when(root, student, lesson.id), due(gradebook, root, lesson.id, student)
        folder = Path(course.format_path(course.submitted_directory, student, lesson.id))
        if _is_forged(folder, times.read_times(root).get((student, lesson.id), [])):
            counts = f"the time in {times.HANDED_IN} counts" if when else "it counts as in time"
            yield Note(NoteKind.STAMPED, (folders.STAMP,), counts)
        self.init_plugin()
        own = gradebook.find_submission_notebook(lesson.notebook, lesson.id, student)
        own.assignment.timestamp = when
        own.late_submission_penalty = None
        if when and until and (seconds := (when - until).total_seconds()) > 0:
            penalty = self.plugin_inst.late_submission_penalty(student, own.score, seconds)
            if penalty is not None:
                own.late_submission_penalty = self._check_late_penalty(own, penalty)
            yield Note(NoteKind.LATE, detail=_sentence(seconds, own.late_submission_penalty or 0))
        gradebook.db.commit()


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

"""nbgrader's exchange, for a class in which some hand in by other ways."""

from __future__ import annotations

import glob
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import (
    Exchange,
    ExchangeCollect,
    ExchangeReleaseAssignment,
    ExchangeReleaseFeedback,
)

from autograder.nbgrader_plugin import finding, releasing, times
from autograder.nbgrader_plugin.class_lock import settled_for
from autograder.nbgrader_plugin.folders import WRITTEN_ON_SUBMIT, small_text


def inbound(course: CourseDirectory) -> Path | None:
    """The folder of the exchange to which students submit; None where the course has none there."""
    root = Exchange(coursedir=course, config=course.config).root
    folder = Path(root, course.course_id, "inbound").resolve()
    return folder if folder.is_dir() else None


def came_through(submitted: Path, lesson: str) -> bool:
    """Whether any work on a lesson came through the exchange."""
    return any("" not in _stamps(folder) for folder in submitted.glob(f"*/{lesson}"))


def _stamps(folder: Path) -> list[str]:
    """What `nbgrader submit` wrote beside the work in this folder, empty where it did not."""
    return [small_text(folder / name) for name in WRITTEN_ON_SUBMIT]


class Collect(ExchangeCollect):
    """nbgrader's own, which also writes down when what it collects was handed in, where no student's file lies."""

    inbound_path: str
    src_records: list[dict[str, Any]]

    def copy_files(self) -> None:
        """Collect, and write down the time of each submission that lies in the class's folder then."""
        course = self.coursedir
        with settled_for(self, "nbgrader collect"):
            course.get_existing_timestamp = self._when
            super().copy_files()
            for record in self.src_records:
                student, _, time, *_ = record["filename"].rsplit("+", 3)
                sent = Path(self.inbound_path, record["filename"])
                here = Path(course.format_path(course.submitted_directory, student, course.assignment_id))
                if "" not in _stamps(sent) and _stamps(sent) == _stamps(here):
                    times.note_down(Path(course.root), student, course.assignment_id, time)

    def _when(self, collected: str) -> datetime | None:
        """When the work in a folder came: as the class's table says, and not what was handed in."""
        course = self.coursedir
        found = finding.whose(course, course.submitted_directory, collected)
        return times.when(Path(course.root), found["student"], found["lesson"]) if found else None


class ReleaseAssignment(ExchangeReleaseAssignment):
    """nbgrader's own, which also has the gradebook know that the lesson is handed out."""

    def copy_files(self) -> None:
        """Release it; from then on it is in the tables, with nobody's work."""
        course = self.coursedir
        with settled_for(self, "nbgrader release_assignment"):
            super().copy_files()
            with Gradebook(course.db_url, course.course_id) as gradebook:
                releasing.give_lesson(gradebook, course.assignment_id)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """nbgrader's own, which would end at the first submission that did not come through the exchange."""

    src_path: str

    def copy_files(self) -> None:
        """Release one student's after the other, and name those who have to get theirs otherwise."""
        with settled_for(self, "nbgrader release_feedback"):
            for folder in sorted(map(Path, glob.glob(self.src_path))):
                missing = " and no ".join(name for name in WRITTEN_ON_SUBMIT if not small_text(folder / name))
                if missing:
                    why = f"this work did not come through the exchange (no {missing} beside it)"
                    self.log.warning("%s is left out: %s", folder, why)
                else:
                    self.src_path = glob.escape(str(folder))
                    super().copy_files()

"""nbgrader's exchange, for a class in which some hand in by other ways."""

from __future__ import annotations

import glob
import os
import pwd
from collections.abc import Callable, Sequence
from datetime import datetime
from errno import ENOSPC
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.apps import ZipCollectApp
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError, default
from nbgrader.plugins import ExtractorPlugin
from nbgrader.utils import parse_utc

from autograder.classroom import hand_in_times, hand_out, placement
from autograder.classroom.roster import ROSTER, is_folder_name, read_roster
from autograder.courses import open_course
from autograder.exercises.errors import DISK_FULL, CourseError
from autograder.records.recovery import lock_for_program
from autograder.submissions.submission_files import copy_submission, printable, small_text
from autograder.submissions.submission_folder import SOURCE_PATTERNS, SUBMIT_FILES


class RefusedZip(ExtractorPlugin):
    """Refuses nbgrader's `zip_collect`, which knows no limit of size, and names what takes its place."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert isinstance(self.parent, ZipCollectApp), "nbgrader makes it for this command"
        command = open_course(self.config.TheCourse.folder).command
        self.parent.fail(
            "zip_collect would unpack students' files without any limit; `%s collect FILE LESSON` takes the zip file "
            "of Moodle, Canvas or Gradescope",
            command,
        )


def inbound_folder(course: CourseDirectory) -> Path | None:
    """Return the folder of the exchange to which students submit; None where the course has none there."""
    root = default.Exchange(coursedir=course, config=course.config).root
    folder = Path(root, course.course_id, "inbound").resolve()
    return folder if folder.is_dir() else None


def was_submitted_via_exchange(submitted: Path, lesson: str) -> bool:
    """Return whether any work on a lesson was submitted through the exchange."""
    return any("" not in _stamps(folder) for folder in submitted.glob(f"*/{lesson}"))


def _stamps(folder: Path) -> list[str]:
    """Return what `nbgrader submit` wrote beside the work in this folder, empty where it did not."""
    return [small_text(folder / name) for name in SUBMIT_FILES]


class Collect(default.ExchangeCollect):
    """Collects what nbgrader's own would, one student's after the other: no link is followed, nothing is lost.

    is_postponed: tells of a folder in the exchange that it is left for a later time, as it is being written.
    warnings: what was said of work that was not taken, or not all of it.
    """

    inbound_path: str
    src_records: list[dict[str, Any]]
    is_postponed: Callable[[Path], bool] = staticmethod(lambda folder: False)
    warnings: list[str]

    def init_src(self) -> None:
        """Find the folders to collect; nbgrader's rule chooses among those that are a student's."""
        self.warnings = []
        try:
            self._students = {about["id"] for about in read_roster(Path(self.coursedir.root, ROSTER))}
        except CourseError as error:
            self.fail(str(error))
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            self._students |= {student.id for student in gradebook.students}
        super().init_src()

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """Return what a folder's name says. A folder that is not taken gets a student of its own: it hides no other."""
        name, problem = os.path.basename(path), None
        try:
            student, lesson, time, *_ = name.rsplit("+", 3)
            when = parse_utc(time)
        except (ValueError, OverflowError):
            student, lesson, when = "", "", datetime.min
        if lesson != self.coursedir.assignment_id or not is_folder_name(student):
            problem = "its name does not say whose it is, for which lesson, and when it came"
        elif self.is_postponed(Path(path).parent.resolve() / name):
            problem = ""
        else:
            problem = self._foreign_owner(path, student)
        if problem is not None:
            student, when = name, datetime.min
        return {"username": student, "filename": name, "timestamp": when, "problem": problem}

    def _foreign_owner(self, path: str, student: str) -> str | None:
        """Say whose account a folder belongs to, where that is another one than the student's.

        Root and the account that collects may hand in for anybody. Where the student has no account on this computer,
        only an account that is another student's is another one: on many hubs all have one account.
        """
        try:
            owner = os.lstat(path).st_uid
        except OSError as error:
            return str(error.strerror)
        if not self.check_owner or owner in (0, os.geteuid()):
            return None
        try:
            account = pwd.getpwuid(owner).pw_name
        except KeyError:
            account = f"of user {owner}"
        try:
            is_foreign = pwd.getpwnam(student).pw_uid != owner
        except KeyError:
            is_foreign = account in self._students
        setting = "see the setting ExchangeCollect.check_owner"
        return f"the folder belongs to the account {account} ({setting})" if is_foreign else None

    def copy_files(self) -> None:
        """Collect, and write down the time of each submission that lies in the class's folder then."""
        with lock_for_program(self, "nbgrader collect"):
            if not self.src_records:
                self.log.warning("No submissions of %s to collect", self.coursedir.assignment_id)
            for record in self.src_records:
                sent = Path(self.inbound_path, record["filename"])
                if record["problem"]:
                    self._warn(f"{printable(sent.name)} is not taken: {record['problem']}")
                elif record["problem"] is None:
                    self._collect(record["username"], sent, record["timestamp"])

    def _collect(self, student: str, sent: Path, when: datetime) -> None:
        """Collect what a student sent, unless it lies there already or the settings say that what is there stays.

        A time that the instructor wrote down for it stays, too.
        """
        course = self.coursedir
        lesson, root = course.assignment_id, Path(course.root)
        place = Path(course.format_path(course.submitted_directory, student, lesson))
        earlier = hand_in_times.find_time(root, student, lesson)
        is_newer = self.update and (not earlier or when > earlier)
        is_wanted = is_newer or self.before_duedate and when != earlier or not os.path.lexists(place)
        try:
            collected = is_wanted and self._copy(student, sent, place)
            if not collected and earlier is None:
                collected = "" not in _stamps(sent) and _stamps(sent) == _stamps(place)
        except OSError as error:
            if error.errno == ENOSPC:
                raise CourseError(DISK_FULL) from None
            self._warn(f"{student}: {printable(str(error))}")
            return
        if collected:
            hand_in_times.add_time(root, student, lesson, f"{when} UTC")

    def _copy(self, student: str, sent: Path, place: Path) -> bool:
        """Copy what a student sent to its place, unless the same lies there; return whether it was moved there."""
        with placement.prepare_place(place) as prepared:
            copied = copy_submission(sent, prepared, self._is_ignored)
            left_out = "; ".join(note.instructor_message for note in copied.notes)
            if not copied.files:
                left_out = f"nothing could be taken: {left_out or f'{printable(sent.name)} is empty'}"
            if left_out:
                self._warn(f"{student}: {left_out}")
            if not copied.files or placement.holds_same(prepared, place):
                return False
            placement.put_in_place(prepared, place)
            self.log.info("%s: collected", student)
            return True

    def _is_ignored(self, path: PurePosixPath, inside: Sequence[str] | None) -> bool:
        patterns = {*self.coursedir.ignore} - {*SOURCE_PATTERNS}
        return any(fnmatchcase(path.name, pattern) for pattern in patterns)

    def _warn(self, line: str) -> None:
        self.warnings.append(line)
        self.log.warning("%s", line)


def collect_newest(course: CourseDirectory, lesson: str, is_postponed: Callable[[Path], bool]) -> list[str]:
    """Collect what is newer than what lies in a class's folder, but for folders that are postponed.

    What was said of work that was not taken, or not all of it, is returned. Raises `CourseError`.
    """
    course.assignment_id = lesson
    collect = Collect(coursedir=course, config=course.config, update=True)
    collect.is_postponed = is_postponed
    try:
        collect.start()
    except ExchangeError as error:
        raise CourseError(str(error)) from None
    return collect.warnings


class List(default.ExchangeList):
    """nbgrader's own, but for `--inbound`, which would follow links and wait for ever at a named pipe."""

    def start(self) -> list[dict[str, Any]]:
        """List what was released, or what is in the user's own cache."""
        if self.inbound:
            self.fail(
                "list --inbound would open students' files unchecked; `nbgrader collect LESSON` takes what was sent, "
                "and says what is left out"
            )
        return super().start()


class ReleaseAssignment(default.ExchangeReleaseAssignment):
    """nbgrader's own, which also has the gradebook know that the lesson is handed out."""

    def copy_files(self) -> None:
        """Release it; from then on it is in the tables, with nobody's work."""
        course = self.coursedir
        with lock_for_program(self, "nbgrader release_assignment"):
            super().copy_files()
            with Gradebook(course.db_url, course.course_id) as gradebook:
                hand_out.record_hand_out(gradebook, course.assignment_id)


class ReleaseFeedback(default.ExchangeReleaseFeedback):
    """nbgrader's own, which would end at the first submission that did not come through the exchange."""

    src_path: str

    def copy_files(self) -> None:
        """Release one student's after the other, and name those who have to get theirs otherwise.

        nbgrader looks beside a page for what `nbgrader submit` wrote; it lies with the work, and is in no copy of that.
        """
        course = self.coursedir
        with lock_for_program(self, "nbgrader release_feedback"):
            for folder in sorted(map(Path, glob.glob(self.src_path))):
                student = folder.parent.name
                work = Path(course.format_path(course.submitted_directory, student, course.assignment_id))
                stamps = dict(zip(SUBMIT_FILES, _stamps(work)))
                if "" in stamps.values():
                    self.log.warning("%s is left out: this work did not come through the exchange", folder)
                    continue
                for name, text in stamps.items():
                    (folder / name).write_text(text, encoding="utf-8")
                self.src_path = glob.escape(str(folder))
                super().copy_files()

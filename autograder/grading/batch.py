"""Grades many submissions of a lesson: for `nbgrader autograde`, for formgrader, and for our own commands.

Workers grade; here submissions are handed to them, and what comes back is written, for many submissions at a time.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import Any, TypeVar

from nbgrader.api import Gradebook, InvalidEntry
from nbgrader.apps import AutogradeApp
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from rich.console import Console
from sqlalchemy.exc import OperationalError

from autograder.courses import Lesson, open_course
from autograder.execution.notes import Note, NoteKind, Weight
from autograder.exercises.errors import DISK_FULL, CourseError, is_disk_full
from autograder.exercises.limits import MAX_GRADING_STARTS
from autograder.grading import engines
from autograder.grading.autograde import Graded, GradingRun, Submission
from autograder.grading.engines import Engine, Job
from autograder.grading.grade_submission import GradedFile, Refused
from autograder.grading.progress_bar import ProgressBar
from autograder.records import discovery, record_store, transaction
from autograder.sandbox import limited_process
from autograder.submissions.submission_folder import printable

UNCHANGED, FAILED, REFUSED = "unchanged", "failed", "not graded"

_A_MOMENT = 3.0
"""Seconds for which graded submissions wait for others, to be written with them."""

_Result = TypeVar("_Result")


IsPostponed = Callable[[str, str], bool]
"""Tells whether a student's work on a lesson is left for a later time, as it is being written."""


def never_postponed(student: str, lesson: str) -> bool:
    """Return that nobody's work is being written."""
    return False


class BatchGrader(Autograde):
    """Grades what has changed of its `lesson`, or everything with `force`.

    Attributes:
        changed: What is to be graded.
        refused: By folder: why what lies there cannot be graded.
        is_postponed: Whose work is left for a later time.
        is_full: Whether something could not be written because the disk is full.
    """

    lesson: Lesson
    changed: list[Submission]
    refused: dict[str, Note]
    is_postponed: IsPostponed = staticmethod(never_postponed)
    is_full = False

    @classmethod
    def of(
        cls, lesson: Lesson, app: AutogradeApp, force: bool, is_postponed: IsPostponed = never_postponed
    ) -> BatchGrader:
        """Return one for a lesson, with the settings of nbgrader's application, that has found what is to be graded.

        Raises `CourseError` when nothing was handed in, the lesson is not released, or the gradebook fails.
        """
        app.coursedir.assignment_id = lesson.id
        grader = cls(coursedir=app.coursedir, parent=app, force=force)
        grader.is_postponed = is_postponed
        try:
            grader.init_notebooks()
        except NbGraderException as error:
            raise CourseError(str(error)) from None
        return grader

    def init_notebooks(self) -> None:
        """Find what was handed in, and what of it is to be graded."""
        self.lesson = open_course(self.config.TheCourse.folder).lesson(self.coursedir.assignment_id)
        discovery.find_submissions(self)
        for folder in [*self.assignments, *self.refused]:
            if self.is_postponed(Path(folder).parent.name, self.lesson.id):
                self.assignments.pop(folder, None)
                self.refused.pop(folder, None)
        self.run = GradingRun(self)  # leaves out what it refuses
        self.changed = []
        self._known = [FAILED if note.weight is Weight.LOOK else REFUSED for note in self.refused.values()]
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            for folder, (notebook,) in sorted(self.assignments.items()):
                for student in self.run.students_of_folder(folder):
                    submission = Submission(student, notebook)
                    changed = self._attempt(submission, self.run.has_changed, gradebook, submission)
                    if changed:
                        self.changed.append(submission)
                    else:
                        self._known.append(FAILED if changed is None else UNCHANGED)
                        self.log.info("%s of %s is not graded anew", self.lesson.id, student)

    def convert_notebooks(self) -> None:
        """Grade one submission after the other, as nbgrader's command and formgrader ask for it.

        Raises `NbGraderException` where grading one failed. Folders that cannot be graded are only told of, as nbgrader
        does with what it cannot read.
        """
        console = Console(highlight=False)
        progress = functools.partial(ProgressBar, self.lesson.id, console=console, hidden=True)
        left_out = sum(note.weight is Weight.LOOK for note in self.refused.values())
        if failed := self.grade(engines.one_by_one(), progress) - left_out:
            raise NbGraderException(f"{failed} submissions could not be graded, see above")

    def grade(self, engine: Engine, make_progress: Callable[[int, Sequence[str]], ProgressBar]) -> int:
        """Grade what has changed on an engine, and return how many of all could not be graded.

        Args:
            engine: What grades.
            make_progress: Makes what tells the progress, for a number of submissions, and the outcomes that are known.

        Raises:
            CourseError: The gradebook fails, or the disk is full; what could be written is written.
        """
        self.coursedir.assignment_id = self.lesson.id
        with make_progress(len(self.changed) + len(self._known), self._known) as self._progress:
            transaction.add_students(self, [submission.student for submission in self.changed])
            self._grade_all(engine)
        if self.is_full:
            raise CourseError(DISK_FULL)
        return self._progress.counts[FAILED]

    def _format_dest(self, assignment_id: str, student_id: str, escape: bool = False) -> str:
        """Return where a graded folder is made, beside its place: it takes that once its grade is written."""
        place = record_store.graded_path(self.coursedir, assignment_id, student_id).parent
        return str(place.with_name(f".{place.name}.new"))

    def _grade_all(self, engine: Engine) -> None:
        works = (list(members) for _, members in itertools.groupby(self.changed, lambda each: each.notebook))
        under_way = dict[Future[Any], tuple[list[Submission], Job, int]]()
        done, begun, shown_trouble = list[Graded](), time.monotonic(), ""
        while True:
            while not self.is_full and len(under_way) < engine.capacity and (members := next(works, None)):
                for job, sharing in self._make_jobs(members):
                    under_way[engine.submit(job)] = sharing, job, 1
            if not under_way or len(done) >= engine.batch or time.monotonic() - begun > _A_MOMENT:
                self._write_all(done)
                done, begun = [], time.monotonic()
            if not under_way:
                return
            finished_now = wait(under_way, 1.0, FIRST_COMPLETED).done
            if (trouble := "" if finished_now else engine.trouble()) != shown_trouble:
                shown_trouble = trouble
                if shown_trouble:
                    self.log.warning("%s", shown_trouble)
            for future in finished_now:
                sharing, job, tries = under_way.pop(future)
                if tries < MAX_GRADING_STARTS and (
                    future.cancelled() or isinstance(future.exception(), limited_process.WorkerDied)
                ):
                    under_way[engine.submit(job)] = sharing, job, tries + 1
                    continue
                for submission in sharing:
                    if finished := self._attempt(submission, future.result):
                        done.append((submission, finished))
                    else:
                        self._progress.count(FAILED)

    def _make_jobs(self, members: Sequence[Submission]) -> list[tuple[Job, list[Submission]]]:
        """Lay out one work for the students who share it: a job for all of them for whom it is the same."""
        jobs = dict[Any, tuple[Job, list[Submission]]]()
        for submission in members:
            if job := self._attempt(submission, self._prepare, submission):
                jobs.setdefault((job.replaces, *job.late), (job, []))[1].append(submission)
            else:
                self._progress.count(FAILED)
        return [*jobs.values()]

    def _write_all(self, done: Sequence[Graded]) -> None:
        """Write what was graded: all at once, or, where that fails, one after the other."""
        if not done:
            return
        try:
            self._write(done)
        except Exception:
            self.log.debug("not all at once", exc_info=True)
            for pair in done:
                if not self._attempt(pair[0], self._write, [pair]):
                    self._progress.count(FAILED)

    def _attempt(
        self, submission: Submission, step: Callable[..., _Result], *arguments: Any
    ) -> _Result | None:
        """Return a step's result; None, and all as it was before, where it failed. The others are not touched."""
        try:
            return step(*arguments)
        except Exception as error:
            self.run.discard(submission.student)
            if _tells_of_a_full_disk(error):
                self.is_full = True
                return None
            if isinstance(error, OperationalError):
                raise CourseError(f"the gradebook cannot be used: {error.orig}") from None
            note = Note(NoteKind.FAILED, detail=f"{type(error).__name__}: {printable(str(error))}")
            self.log.error("%s %s", submission.student, note.instructor_message)
            self.log.debug("the whole story", exc_info=True)
            with contextlib.suppress(OSError):  # that may be what failed
                record_store.refuse(self.coursedir, self.lesson.id, submission.student, [note])
            return None

    def _prepare(self, submission: Submission) -> Job:
        """Run nbgrader's pre-convert hook, and lay a submission out to be graded."""
        self.log.info("Sanitizing %s", submission.notebook)
        self.notebooks = [submission.notebook]
        self.run_pre_convert_hook()
        (notebook,) = self.notebooks
        return self.run.make_job(submission, Path(notebook))

    def _write(self, done: Sequence[Graded]) -> bool:
        """Write notebooks and grades, all or none."""
        self.run.write(done)
        for submission, finished in done:
            if isinstance(finished, GradedFile):
                self.notebooks = [submission.notebook]
                self.run_post_convert_hook()
        for _, finished in done:
            self._progress.count(_outcome(finished))
        return True


def _tells_of_a_full_disk(error: BaseException | None) -> bool:
    """Return whether an error is the system's or the gradebook's for a full disk. A file's name may say anything."""
    if isinstance(error, OSError):
        return error.errno in (ENOSPC, EDQUOT)
    if isinstance(error, InvalidEntry):  # nbgrader raises it for any error of the database
        error = error.__context__
    return isinstance(error, OperationalError) and is_disk_full(error.orig)


def _outcome(finished: GradedFile | Refused) -> str:
    if isinstance(finished, Refused) or any(note.weight is Weight.ASK_AGAIN for note in finished.notes):
        return REFUSED
    verdicts = finished.verdicts.values()
    points = sum(verdict.points for verdict in verdicts)
    if points == sum(verdict.max_points for verdict in verdicts):
        return "all right"
    return "partly right" if points else "nothing right"

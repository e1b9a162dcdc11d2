"""nbgrader's `Autograde`, with many submissions under way at once.

What is done with a submission is the same as in `nbgrader autograde`, so both ways write the same. The gradebook and
the files are written here, one submission after the other; all else is done by workers.
"""

from __future__ import annotations

import contextlib
import functools
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from errno import ENOSPC
from pathlib import Path
from typing import Any, TypeVar

from nbconvert.exporters import NotebookExporter
from nbconvert.writers import FilesWriter
from nbgrader.api import Gradebook
from nbgrader.apps import AutogradeApp
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from sqlalchemy.exc import OperationalError

from autograder.batch.engines import Job, Workers
from autograder.batch.progress import Telling
from autograder.courses import Lesson
from autograder.model.errors import FULL, CourseError
from autograder.model.notes import Note, NoteKind, Weight
from autograder.nbgrader_plugin import attempts, fingerprint, folders, kept, releasing, together
from autograder.nbgrader_plugin.folders import printable
from autograder.nbgrader_plugin.gradebook import expect_lesson
from autograder.nbgrader_plugin.grading import GradeAnswers
from autograder.nbgrader_plugin.judging import Graded
from autograder.nbgrader_plugin.kept import NOTES

UNCHANGED, FAILED, REFUSED = "unchanged", "failed", "not graded"

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class HandedIn:
    """What a student handed in for a lesson: `folder` as nbgrader names it; `notebooks` in it; `marks`: its digests."""

    student: str
    folder: str
    notebooks: list[str]
    marks: dict[str, Any] = field(default_factory=dict)


class GradeMany(Autograde):
    """Grades what has changed of its `lesson`, or everything with `force`. `changed`: what is to be graded."""

    lesson: Lesson
    changed: list[HandedIn]
    refused: dict[str, Note]

    @classmethod
    def of(cls, lesson: Lesson, app: AutogradeApp, force: bool) -> GradeMany:
        """One for a lesson, with the settings of nbgrader's application; it has found out what is to be graded.

        Raises `CourseError` when nothing was handed in, the lesson is not released, or the gradebook fails.
        """
        app.coursedir.assignment_id = lesson.id
        made = cls(coursedir=app.coursedir, parent=app, force=force)
        made.lesson = lesson
        made._find()
        return made

    def grade(self, engine: Workers, telling: Callable[[int, Sequence[str]], Telling]) -> int:
        """Grade what has changed on an engine; how many of all could not be graded comes back.

        telling: makes what tells the progress, for a number of submissions, and the outcomes that are known. Raises
        `CourseError` when the gradebook fails.
        """
        self.coursedir.assignment_id = self.lesson.id
        self.writer = FilesWriter(parent=self, config=self.config)
        self._grader = GradeAnswers(parent=self, config=self.config)
        self._releases = releasing.releases(self.coursedir, self.lesson.id)
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            self._master = releasing.master_cells(gradebook, self.lesson)
        with telling(len(self.assignments) + len(self.refused), self._known) as self._telling:
            self._grade_all(engine)
        return self._telling.counts[FAILED]

    def _find(self) -> None:
        """Find out what was handed in, and what of it is to be graded."""
        try:
            self.init_notebooks()
            with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
                expect_lesson(gradebook, self.lesson)
        except NbGraderException as error:
            raise CourseError(str(error)) from None
        self.exporter = self.exporter_class(parent=self, config=self.config)  # leaves out what it refuses
        self.changed = []
        self._known = [FAILED if one.weight is Weight.LOOK else REFUSED for one in self.refused.values()]
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            for submission in self._submissions():
                changed = self.force or self._attempt(self._has_changed, submission, gradebook)
                if changed:
                    self.changed.append(submission)
                else:
                    self._known.append(FAILED if changed is None else UNCHANGED)
                    if changed is not None:
                        self._settle(submission)

    def _submissions(self) -> Iterator[HandedIn]:
        pattern = self._format_source("(?P<lesson>.*)", "(?P<student>.*)", escape=True)
        for folder, notebooks in sorted(self.assignments.items()):
            found = re.match(pattern, folder)
            assert found is not None, f"{folder} is not where submissions lie"
            yield HandedIn(found["student"], folder, sorted(notebooks))

    def _has_changed(self, submission: HandedIn, gradebook: Gradebook) -> bool:
        return together.has_changed(self, gradebook, self.lesson.id, submission.student)

    def _grade_all(self, engine: Workers) -> None:
        waiting, under_way = iter(self.changed), dict[str, HandedIn]()
        while True:
            while len(under_way) < engine.capacity and (submission := next(waiting, None)):
                engine.get_ready()
                if job := self._attempt(self._begin, submission):
                    under_way[submission.student] = submission
                    engine.submit(submission.student, job)
                else:
                    self._telling.count(FAILED)
            if not under_way:
                return
            for student, result in engine.results():
                submission = under_way.pop(student)
                self._telling.count(self._attempt(self._finish, submission, result) or FAILED)

    def _attempt(self, step: Callable[..., _Result], submission: HandedIn, *more: Any) -> _Result | None:
        """The step's result; None, and all as it was before, where it failed. The others are not touched."""
        try:
            return step(submission, *more)
        except Exception as error:
            shutil.rmtree(self._made_in(submission), ignore_errors=True)
            if isinstance(error, OSError) and error.errno == ENOSPC or "disk is full" in str(error):
                raise CourseError(FULL) from None
            if isinstance(error, OperationalError):
                raise CourseError(f"the gradebook cannot be used: {error.orig}") from None
            note = Note(NoteKind.FAILED, detail=f"{type(error).__name__}: {printable(str(error))}")
            self.log.error("%s %s", submission.student, note.line)
            self.log.debug("the whole story", exc_info=True)
            with contextlib.suppress(OSError):  # that may be what failed
                self._settle(submission, note)
            return None

    def _settle(self, submission: HandedIn, *problem: Note) -> None:
        """Write down that it could not be graded, or, where that stands there, that now it could."""
        attempts.refuse(self.coursedir, self.lesson.id, submission.student, problem)

    def _begin(self, submission: HandedIn) -> Job:
        """Everything up to the point where the notebook is read."""
        notebook = self._expect_notebook(submission)
        self.init_assignment(self.lesson.id, submission.student)
        submission.marks.update(self.exporter.marks(notebook.parent, self.lesson))
        digest = submission.marks[fingerprint.WORK]
        work = self._grader.work(self.lesson.id, submission.student, digest)
        return Job(work, notebook.absolute(), self._made_in(submission), self._master, self._releases)

    def _finish(self, submission: HandedIn, graded: Graded | Exception) -> str:
        """Everything from there on; how it went comes back, in two words."""
        if isinstance(graded, Exception):
            raise graded
        path = self._expect_notebook(submission)
        resources = self.init_single_notebook_resources(str(path))
        notebook = graded.notebook
        notebook.metadata[NOTES] = submission.marks
        kept.note(notebook, submission.student, folders.passed_over(path.parent), self.log)
        take = functools.partial(self._grader.take, graded)
        steps = [*self.sanitize_preprocessors, *self.autograde_preprocessors]
        steps = [take if step is GradeAnswers else step for step in steps]
        with together.committed(self, self.lesson.id, submission.student):
            output, resources = self._through(steps).from_notebook_node(notebook, resources=resources)
            self.write_single_notebook(output, resources)
        self.run_post_convert_hook()
        self._settle(submission)
        if any(note.weight is Weight.ASK_AGAIN for note in graded.notes):
            return REFUSED
        return _outcome(resources["nbgrader"])

    def _expect_notebook(self, submission: HandedIn) -> Path:
        """The one notebook that is graded, whatever was handed in, see nbgrader's pre-convert hook."""
        self.notebooks = list(submission.notebooks)
        self.run_pre_convert_hook()
        (notebook,) = self.notebooks
        return Path(notebook)

    def _through(self, steps: Sequence[Any]) -> NotebookExporter:
        """An exporter that takes notebooks through these steps; they are validated once, in the end."""
        exporter = NotebookExporter(parent=self, config=self.config, optimistic_validation=True)
        for step in steps:
            exporter.register_preprocessor(step)
        return exporter

    def _made_in(self, submission: HandedIn) -> Path:
        return Path(self._format_dest(self.lesson.id, submission.student)).absolute()


def _outcome(names: dict[str, Any]) -> str:
    if names["points"] == names["max_points"]:
        return "all right"
    return "partly right" if names["points"] else "nothing right"

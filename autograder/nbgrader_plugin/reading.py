"""Reads submissions for nbgrader: a limited process makes of each the lesson's notebook with the student's answers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbgrader.api
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.courses import open_course
from autograder.model.errors import CourseError
from autograder.model.notes import Note, NoteKind
from autograder.nbgrader_plugin import (
    attempts,
    finding,
    fingerprint,
    folders,
    intake,
    kept,
    late,
    marked_words,
    releasing,
    salt,
    times,
    together,
)
from autograder.nbgrader_plugin.dates import read_dates
from autograder.nbgrader_plugin.fingerprint import Digests
from autograder.nbgrader_plugin.gradebook import expect_fit, expect_lesson, keep_private
from autograder.nbgrader_plugin.grading import GradeAnswers
from autograder.nbgrader_plugin.intake import read_notebook
from autograder.nbgrader_plugin.kept import NOTES
from autograder.nbgrader_plugin.restoring import Cells, restore, restored
from autograder.sandbox import doctor, limited
from autograder.sandbox.kernel import refusal
from autograder.sandbox.room import is_root


def expect_lesson_notebook(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's pre-convert hook: whatever the files are called, one notebook of the lesson's name is graded."""
    notebooks[:] = [str(folders.notebook_of(Path(notebooks[0]).parent))]


class SubmissionReader(NotebookExporter):
    """Reads a submission, or, in nbgrader's second pass, what the first wrote.

    Making one prepares the whole run, and may refuse it. A constructor is no place for that, but nbgrader's only one:
    its command and formgrader name the class `Autograde` themselves, and between finding the submissions and choosing
    among them nothing of ours is called but the exporter's. Hooks come later, and what they raise is passed over.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert self.parent is not None, "only a converter of nbgrader's has submissions to read"
        self._course: CourseDirectory = self.parent.coursedir
        self._lesson = open_course(self.config.TheCourse.folder).lesson(self._course.assignment_id)
        self._refused: dict[str, Note] = self.parent.refused
        self._refuse_unsealed()
        self._secret = self._refuse_unfit()
        self._folders: dict[Path, Digests] = {}
        keep_private(self._course)
        finding.believe_the_table(self._course)
        nbgrader.api.create_engine = together.engine_of
        lesson = self._course.assignment_id
        students = self._named(self.parent.assignments)
        self._keep_words(students)
        for student, folder in students.items():
            if not self._is_other_work(student, folder):
                continue
            refused = self._cannot_replace(student, folder)
            if not refused:
                attempts.put_away(self._course, lesson, student)
                continue
            self.log.warning("%s: %s; the earlier grade stays", folders.printable(student), refused[0].line)
            del self.parent.assignments[folder]
            self._refused[folder] = refused[0]
        for folder, note in self._refused.items():
            attempts.refuse(self._course, lesson, self._student(folder), [note])

    def _refuse_unsealed(self) -> None:
        """Stop before the first submission where there is no seal and nothing else is allowed."""
        grader = GradeAnswers(config=self.config)
        allowed = grader.allow_unsealed or grader.allow_other_user and is_root()
        if not allowed and not doctor.sealable():
            raise CourseError(refusal(self._lesson.course.visible))

    def _refuse_unfit(self) -> str:
        """Stop before the first submission where what the class's folder keeps is not sound, or of other lessons.

        The digest of the class's secret comes back; nothing where the settings have a text in its place.
        """
        lesson, root = self._lesson, Path(self._course.root)
        expect_fit(root, self._course.db_url)
        lessons = [one.id for one in lesson.course.lessons]
        times.expect_sound(root, lessons)
        releasing.releases(self._course, lesson.id)
        secret = "" if GradeAnswers(config=self.config).salt else salt.digest_of_secret(salt.secret(root))
        if secret:
            salt.expect_own(root, [lesson.id])
        with Gradebook(self._course.db_url, self._course.course_id) as gradebook:
            expect_lesson(gradebook, lesson)
            listed = {one.id for one in gradebook.students}
        handed_in = {path.name for path in (root / "submitted").glob("*")}
        read_dates(root).expect_sound(lessons, listed | handed_in)
        return secret

    def _keep_words(self, students: Iterable[str]) -> None:
        """Before other work is graded in its place, see `marked_words`."""
        course, lesson = self._course, self._lesson
        paths = {student: kept.graded_path(course, lesson.id, student) for student in students}
        graded = {student: path for student, path in paths.items() if path.exists()}
        with Gradebook(course.db_url, course.course_id) as gradebook:
            marked_words.adopt(gradebook, lesson, graded)

    def _named(self, handed_in: dict[str, list[str]]) -> dict[str, str]:
        """The students' folders, without those whose name the gradebook cannot hold: nbgrader would end there."""
        students = {}
        for folder in list(handed_in):
            student = self._student(folder)
            if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in student):
                del handed_in[folder]
                note = Note(NoteKind.NO_STUDENT, (folders.printable(student),))
                self._refused[folder] = note
                self.log.error("%s", note.line)
            else:
                students[student] = folder
        return students

    def _student(self, folder: str) -> str:
        """Whose folder it is: for a lesson, or for all."""
        found = finding.whose(self._course, self._course.submitted_directory, folder)
        return found["student"] if found else Path(folder).name

    def _is_other_work(self, student: str, folder: str) -> bool:
        """Whether a student's work was graded, and something else lies in the folder now."""
        work = attempts.graded_work(self._course, self._course.assignment_id, student)
        with suppress(OSError):  # grading it fails of that, and tells
            return bool(work) and work != self._digests(Path(folder)).work
        return False

    def _cannot_replace(self, student: str, folder: str) -> list[Note]:
        """Why nothing of what lies in a folder can be graded, where other work of the student's has a grade."""
        before = kept.outcome_of(self._course, self._course.assignment_id, student)
        if before is None or before.refused:
            return []
        path = folders.notebook_of(Path(folder))
        try:
            return limited.call(intake.refusals, str(path.absolute()))
        except limited.Overrun as reason:
            return [Note(NoteKind.UNREADABLE, (folders.printable(path.name),), str(reason))]

    def from_filename(self, filename: str, resources: dict[str, Any] | None = None, **kw: Any) -> Any:
        path, resources = Path(filename), resources or {}
        names = resources["nbgrader"]
        ours = kept.graded_path(self._course, names["assignment"], names["student"]).parent
        second = path.parent == together.beside(ours)
        resources = {**resources, "metadata": {"name": path.stem, "path": str(path.parent)}}
        notebook = read_notebook(path) if second else self._read(path, names)
        return super().from_notebook_node(notebook, resources=resources, **kw)

    def _read(self, path: Path, names: Mapping[str, str]) -> NotebookNode:
        with Gradebook(self._course.db_url, self._course.course_id) as gradebook:
            lesson = open_course(self.config.TheCourse.folder).lesson(names["assignment"])
            master = releasing.master_cells(gradebook, lesson)
            marks = self.marks(gradebook, path.parent)
        notebook, notes = take_in(path, master, releasing.releases(self._course, lesson.id))
        notebook.metadata[NOTES] = marks
        kept.note(notebook, names["student"], [*notes, *folders.passed_over(path.parent)], self.log)
        return notebook

    def _digests(self, submitted: Path) -> Digests:
        """Of a submission's folder, which is read once for all that a run asks of it."""
        if submitted not in self._folders:
            self._folders[submitted] = fingerprint.of_folder(submitted)
        return self._folders[submitted]

    def marks(self, gradebook: Gradebook, submitted: Path) -> dict[str, Any]:
        """By what the graded notebook of a folder's work tells later that it was made of just that, and how."""
        student, digests = self._student(str(submitted)), self._digests(submitted)
        when = late.due_in_short(gradebook, Path(self._course.root), self._lesson.id, student)
        parts = fingerprint.parts(digests.files, self._lesson, self.config, when, self._secret)
        return {
            fingerprint.FIELD: fingerprint.together(parts),
            fingerprint.PARTS: parts,
            fingerprint.WORK: digests.work,
            fingerprint.SALT_FIELD: parts["secret"],
            "notes": [],
        }


def take_in(path: Path, master: Cells, releases: Sequence[Cells]) -> tuple[NotebookNode, list[Note]]:
    """The notebook handed in as `path`, restored, and notes on it; untouched where reading it takes too much."""
    try:
        return limited.call(restored, str(path.absolute()), master, releases)
    except limited.Overrun as reason:
        cells, _ = restore([], master, releases)
        note = Note(NoteKind.UNREADABLE, (folders.printable(path.name),), str(reason))
        return new_notebook(cells=cells), [note]

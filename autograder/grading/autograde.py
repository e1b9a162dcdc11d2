"""One lesson's grading run: what may be graded, what has changed, and how grades are written."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.classroom import archives, group_work, hand_in_times, hand_out
from autograder.classroom.class_folder import keep_private
from autograder.classroom.dates import read_dates
from autograder.classroom.gradebook import check_lesson, read_scores
from autograder.classroom.roster import is_valid_id
from autograder.courses import open_course, refuse_changed_course
from autograder.execution.broker import refusal
from autograder.execution.notes import Note, NoteKind
from autograder.exercises.errors import CourseError
from autograder.grading import late_penalty
from autograder.grading.grade_submission import GradeAnswers, GradedFile, Job, Refused
from autograder.records import (
    case_seed,
    discovery,
    fingerprint,
    grade_changes,
    manual_grades,
    marked_answers,
    record_store,
    transaction,
)
from autograder.records.grade_changes import Grade
from autograder.records.record_store import GradingRecord, History
from autograder.sandbox import layers
from autograder.sandbox.bwrap import is_root
from autograder.submissions import submission_folder


@dataclass
class Submission:
    """What a student handed in for a lesson, and what its grade depends on.

    notebook: where it should lie; when: what its penalty depends on, see `late_penalty.find_lateness`; late: notes on
    that; earlier: the record of what was graded before; inputs: what its grade depends on, once it is copied.
    """

    student: str
    notebook: str
    when: str = ""
    late: Sequence[Note] = ()
    earlier: GradingRecord | None = None
    inputs: dict[str, Any] = field(default_factory=dict)


Graded = tuple[Submission, GradedFile | Refused]


class GradingRun:
    """A converter's run on a lesson, whose submissions it has found.

    Making one raises `CourseError` where nothing may be graded, and takes from the converter the submissions that
    cannot be.
    """

    def __init__(self, converter: Autograde) -> None:
        self._converter, self._course, self._log = converter, converter.coursedir, converter.log
        self.lesson = open_course(converter.config.TheCourse.folder).lesson(self._course.assignment_id)
        refuse_changed_course(self.lesson.course)
        self._grader = GradeAnswers(parent=converter)
        self._refuse_unsealed()
        self._secret = self._check_class()
        keep_private(self._course)
        self._unpack(map(Path, converter.assignments))
        self._drop_invalid_ids(converter.assignments)
        for folder, note in converter.refused.items():
            for student in self.students_of_folder(folder):
                record_store.refuse(self._course, self.lesson.id, student, [note])
        steps = [*converter.sanitize_preprocessors, *converter.autograde_preprocessors]
        preprocessors = (step(parent=converter) for step in steps)
        self._steps = [_as_step(preprocessor) for preprocessor in preprocessors if preprocessor.enabled]

    def _refuse_unsealed(self) -> None:
        """Stop before the first submission where there is no seal and nothing else is allowed."""
        allowed = self._grader.allow_unsealed or self._grader.allow_other_user and is_root()
        if not allowed and not layers.sandbox_available():
            raise CourseError(refusal(self.lesson.course.visible))

    def _check_class(self) -> str:
        """Stop before the first submission where what the class's folder keeps is not sound, or of other lessons.

        The digest of the class's secret comes back; nothing where the settings have a text in its place.
        """
        lesson, root = self.lesson, Path(self._course.root)
        late_penalty.refuse_other_rules(self._converter.config)
        lessons = [each.id for each in lesson.course.lessons]
        hand_in_times.check_times(root, lessons)
        self._releases = hand_out.releases(self._course, lesson.id)
        self._layout = hand_out.released_cells(lesson)
        secret = "" if self._grader.salt else case_seed.secret_digest(case_seed.load_secret(self._course))
        with Gradebook(self._course.db_url, self._course.course_id) as gradebook:
            check_lesson(gradebook, lesson)
            manual_grades.make_tables(gradebook)
            self._master = hand_out.master_cells(gradebook, lesson)
            stored = gradebook.find_notebook(lesson.notebook, lesson.id)
            self._kernel = json.loads(stored.kernelspec or "null")
            submissions = gradebook.assignment_submissions(lesson.id)
            self._submissions = {submission.student_id: submission.id for submission in submissions}
            listed = {student.id for student in gradebook.students}
        self._histories = record_store.load_histories(self._course, lesson.id)
        handed_in = {path.name for path in (root / "submitted").glob("*")}
        read_dates(root).expect_sound(lessons, listed | handed_in)
        return secret

    def _unpack(self, places: Iterable[Path]) -> None:
        """Unpack the zip files of who handed in no notebook beside them; in a preview students' folders are links."""
        for place in places:
            notebook = submission_folder.notebook_of(place)
            if place.parent.is_symlink() or submission_folder.is_plain_file(notebook):
                continue
            try:
                messages = archives.unpack_handed_in(place)
            except (CourseError, OSError) as error:
                messages = [submission_folder.printable(str(error))]
            student = submission_folder.printable(self.student_of_folder(str(place)))
            for line in messages:
                self._log.warning("%s: %s", student, line)

    def _drop_invalid_ids(self, handed_in: dict[str, list[str]]) -> None:
        """Take out the folders of students whose name the gradebook cannot hold."""
        for folder in [each for each in handed_in if not is_valid_id(Path(each).parent.name)]:
            del handed_in[folder]
            note = Note(NoteKind.NO_STUDENT, (submission_folder.printable(self.student_of_folder(folder)),))
            self._converter.refused[folder] = note
            self._log.error("%s", note.instructor_message)

    def student_of_folder(self, folder: str) -> str:
        """Return the student whose folder it is: for a lesson, or for all."""
        names = ("(?P<student>.*)", "(?P<lesson>.*)")
        form = self._course.format_path(self._course.submitted_directory, *names, escape=True)
        match = re.fullmatch(form, folder, re.DOTALL)
        return discovery.student_id_of(match["student"] if match else Path(folder).name)

    def students_of_folder(self, folder: str) -> list[str]:
        """Return the students for whom the work in a folder counts, see `group_work`: nobody where newer work does."""
        root, owner = Path(self._course.root), self.student_of_folder(folder)
        members = group_work.members_of(root, self.lesson.id, owner)
        return members if group_work.submitter_of(root, self.lesson.id, owner) == owner else []

    def has_changed(self, gradebook: Gradebook, submission: Submission) -> bool:
        """Return whether a submission is to be graded: its notebook, or its grades, are not of what lies there now."""
        student, lesson = submission.student, self.lesson.id
        history = self._histories[student]
        submission.earlier = history.current
        submission.when, submission.late = late_penalty.find_lateness(
            gradebook, self._course, lesson, student
        )
        work = submission_folder.copy_work(Path(submission.notebook), self._course.ignore)
        inputs = self._grade_inputs(work.digest, submission.when)
        if self._is_graded(student, history.current, inputs) and not self._converter.force:
            if history.refusal:
                record_store.refuse(self._course, lesson, student, ())
            return False
        return True

    def _is_graded(self, student: str, record: GradingRecord | None, inputs: Mapping[str, str]) -> bool:
        """Return whether a record is of all this, and gradebook and graded notebook are as it says."""
        if record is None or record.inputs != inputs or record.submission != self._submissions.get(student):
            return False
        path = record_store.graded_path(self._course, self.lesson.id, student)
        return record.notebook == record_store.digest_of_file(path)

    def _grade_inputs(self, work: str, when: str) -> dict[str, Any]:
        """Return what the grade of the work of this digest depends on."""
        return fingerprint.grade_inputs(work, self.lesson, self._converter.config, when, self._secret)

    def make_job(self, submission: Submission, notebook: Path) -> Job:
        """Lay out what a changed submission is graded with, and say what there is to do for it.

        Raises OSError where the submission's folder cannot be read, or its copy not be written.
        """
        student, earlier = submission.student, submission.earlier
        copied = transaction.lay_out(self._converter, self.lesson.id, student, notebook, self._own)
        if copied.notebook is None:
            os.listdir(notebook.parent)  # fails, with the reason, where the folder is gone or locked by now
        submission.inputs = self._grade_inputs(copied.digest, submission.when)
        folder = self.staging_folder(student)
        # other work gets other hidden cases: results that a student saw are of no use in it
        salt = (self._grader.salt or case_seed.load_secret(self._course)) + copied.digest
        return Job(
            str(self.lesson.course.root),
            self.lesson.id,
            self.student_of_folder(str(notebook.parent)),
            salt,
            self._grader.plain_settings(),
            transaction.submitted_notebooks(folder) / notebook.name if copied.notebook else None,
            folder,
            self._master,
            self._releases,
            self._layout,
            copied.notes,
            submission.late,
            {"kernelspec": self._kernel} if self._kernel else {},
            self._steps,
            earlier is not None and earlier.work != copied.digest and not earlier.problem,
        )

    @functools.cached_property
    def _own(self) -> list[Path]:
        return transaction.lesson_files(self._converter, self.lesson.id)

    def staging_folder(self, student: str) -> Path:
        """Return where a student's folder is made that takes the place of the graded one."""
        return Path(self._converter._format_dest(self.lesson.id, student)).absolute()

    def discard(self, student: str) -> None:
        """Remove what was laid out for a submission, and all that was made of it and is not kept."""
        transaction.discard(self.staging_folder(student))

    def write(self, done: Sequence[Graded]) -> None:
        """Write students' graded notebooks, their grades and records: all or none. What is refused is noted."""
        course, lesson, root = self._course, self.lesson, Path(self._course.root)
        files = [(submission, graded) for submission, graded in done if isinstance(graded, GradedFile)]
        students = [submission.student for submission, _ in files]
        with transaction.commit_grades(self._converter, lesson.id, students) as gradebook:
            old_scores, ids = read_scores(course, lesson.id, students), list[str]()
            for student, (_, graded) in zip(students, files):
                work = gradebook.update_or_create_submission(lesson.id, student)
                ids.append(work.id)
                notebook = next(each for each in work.notebooks if each.name == lesson.notebook)
                marked_answers.save_scores(gradebook, lesson, notebook, graded.rows)
                late_penalty.apply_penalty(gradebook, root, lesson, student, notebook)
                path = self.staging_folder(student) / lesson.released.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(graded.text, encoding="utf-8")
            new_scores = read_scores(course, lesson.id, students)
            for id, (submission, graded) in zip(ids, files):
                record = GradingRecord(
                    lesson.id,
                    submission.student,
                    submission=id,
                    notebook=record_store.digest_of_text(graded.text),
                    sealed=graded.sealed,
                    kept_notes=msgspec.to_builtins(graded.notes),
                    kept_verdicts=msgspec.to_builtins(graded.verdicts),
                    kept_behaviours=msgspec.to_builtins(graded.behaviours),
                    code=graded.code,
                    **submission.inputs,
                )
                old_score, new_score = old_scores.get(submission.student), new_scores[submission.student]
                if submission.earlier and old_score:
                    self._record_change(gradebook.db, (submission.earlier, old_score), (record, new_score))
                record_store.add_records(gradebook.db, [record_store.with_points(record, new_score)])
        for submission, result in done:
            name = submission_folder.printable(submission.student)
            if isinstance(result, Refused):
                self._log.warning("%s: %s; the earlier grade stays", name, result.note.instructor_message)
                self.discard(submission.student)
                record_store.refuse(course, lesson.id, submission.student, [result.note])
                continue
            for note in result.notes:
                self._log.warning("%s: %s", name, note.instructor_message)

    def _record_change(self, db: Any, old: Grade, new: Grade) -> None:
        """Add what an earlier grade came to if it was of other work, and what has changed."""
        (earlier, old_score), (record, _) = old, new
        if earlier.work != record.work:
            rows = record_store.read_rows(db, record.lesson, record.student)
            final = record_store.with_points(History(rows).current or earlier, old_score)
            record_store.add_records(db, [final])
        changes = grade_changes.find_changes(self.lesson, old, new)
        grade_changes.add_changes(db, changes)


def _as_step(preprocessor: NbGraderPreprocessor) -> tuple[str, str, dict[str, Any]]:
    """Return the module, name and settings by which another process makes this preprocessor again."""
    kind = type(preprocessor)
    settings = {name: getattr(preprocessor, name) for name in kind.class_trait_names(config=True)}
    return kind.__module__, kind.__name__, settings

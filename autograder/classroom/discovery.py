"""Finds submissions and copies what lies beside them, in the place of nbgrader's functions.

nbgrader has no setting for it. It takes a student's id for a pattern, looks into no folder in a folder, and copies
whatever there is: a link would show its target to the student's code, and reading a named pipe never ends.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shutil
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory

from autograder.classroom import hand_in_times
from autograder.classroom.roster import can_be_id
from autograder.courses import open_course
from autograder.exercises.limits import MAX_ESCAPED_CHARACTERS
from autograder.sandbox.notes import Note, NoteKind
from autograder.submissions import submission_folder

_find = BaseConverter.init_notebooks


def install_finding() -> None:
    """Have nbgrader find submissions as this module does, and releases as ever.

    Formgrader lists the course's lessons, and no other folder of `solutions/`. It compares a grade with the time that
    the class's table gives, not with a file among the student's own: else work whose time is known otherwise would need
    grading for ever.
    """
    BaseConverter.init_notebooks = find_submissions
    NbGraderAPI.get_source_assignments = _lessons
    NbGraderAPI.get_submitted_timestamp = _when


def _lessons(api: NbGraderAPI) -> set[str]:
    return {lesson.id for lesson in open_course(api.config.TheCourse.folder).lessons}


def _when(api: NbGraderAPI, lesson: str, student: str) -> datetime | None:
    return hand_in_times.when(Path(api.coursedir.root), student, lesson)


def handed_in(course: CourseDirectory, lesson: str) -> set[str]:
    """Whose work on a lesson lies in `submitted/`, or may: of a folder that may not be read nobody can say."""
    pattern = course.format_path(course.submitted_directory, "*", lesson)
    with_work = map(os.path.dirname, filter(os.path.isdir, glob.glob(pattern)))
    locked = filter(is_locked, glob.glob(os.path.dirname(pattern)))
    return {student_of(os.path.basename(folder)) for folder in (*with_work, *locked)}


def student_of(name: str) -> str:
    """Return the id that the name of a student's folder says; one that cannot be an id is escaped, for every table."""
    return name if can_be_id(name) else submission_folder.printable(name)[:MAX_ESCAPED_CHARACTERS]


def find_submissions(converter: BaseConverter) -> None:
    """Find the folders that there is work in, and its notebooks; `refused`: what cannot be graded, by folder, and why.

    Raises `NbGraderException` where nothing was handed in.
    """
    course = converter.coursedir
    pattern = converter._format_source(course.assignment_id, course.student_id)
    found = [pattern] if os.path.isdir(pattern) else glob.glob(pattern)
    if isinstance(converter, GenerateFeedback):  # none to who has withdrawn
        there = handed_in(course, course.assignment_id)
        found = [folder for folder in found if Path(folder).parent.name in there]
    locked = list(filter(is_locked, [*glob.glob(os.path.dirname(pattern)), *found]))
    converter.refused = dict.fromkeys(locked, Note(NoteKind.FOLDER_LOCKED))
    notebooks = {folder: _notebooks(converter, folder) for folder in found if folder not in locked}
    converter.assignments = {folder: inside for folder, inside in notebooks.items() if inside}
    converter.notebooks = []
    for folder, note in converter.refused.items():
        converter.log.warning("%s: %s", submission_folder.printable(folder), note.instructor_message)
    if not (converter.assignments or converter.refused and isinstance(converter, Autograde)):
        _find(converter)  # says so, and ends


def is_locked(folder: str | Path) -> bool:
    """Whether a folder may not be read, or not be entered."""
    with contextlib.suppress(OSError):
        os.close(os.open(f"{folder}/.", os.O_RDONLY))
        return False
    return os.path.isdir(folder)


def _notebooks(converter: BaseConverter, folder: str) -> list[str]:
    """The notebooks in a folder; of work that was handed in, where its one notebook should lie, if there is any."""
    if isinstance(converter, Autograde):
        return [str(submission_folder.notebook_of(folder))]
    return glob.glob(os.path.join(glob.escape(folder), f"{converter.coursedir.notebook_id}.ipynb"))


def copy(files: Iterable[Path], source: Path, target: Path) -> None:
    """Copy files to where they lie as they do in `source`."""
    for path in files:
        to = target / path.relative_to(source)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)


def whose(course: CourseDirectory, step: str, folder: str) -> re.Match[str] | None:
    """Whose folder it is, and for which lesson, in this of nbgrader's directories; None where it is in another."""
    form = course.format_path(step, "(?P<student>.*)", "(?P<lesson>.*)", escape=True)
    return re.fullmatch(form, folder, re.DOTALL)

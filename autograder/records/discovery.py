"""Finds submissions, and copies files of a lesson beside them.

nbgrader's own search takes a student's id for a pattern and looks into no folder in a folder. Its copy takes whatever
there is: a link would show its target to the student's code, and reading a named pipe never ends.
"""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory

from autograder.classroom import group_work
from autograder.classroom.roster import is_valid_id
from autograder.execution.notes import Note, NoteKind
from autograder.exercises.limits import MAX_ESCAPED_CHARACTERS
from autograder.submissions import submission_folder


def handed_in(course: CourseDirectory, lesson: str) -> set[str]:
    """Return the students whose work on a lesson lies in `submitted/`, or in a folder there that may not be read.

    The work of a group's member is all members'.
    """
    pattern = course.format_path(course.submitted_directory, "*", lesson)
    with_work = map(os.path.dirname, filter(os.path.isdir, glob.glob(pattern)))
    locked = filter(is_locked, glob.glob(os.path.dirname(pattern)))
    students = {student_id_of(os.path.basename(folder)) for folder in (*with_work, *locked)}
    root = Path(course.root)
    return {member for student in students for member in group_work.members_of(root, lesson, student)}


def student_id_of(name: str) -> str:
    """Return the id that the name of a student's folder says; one that cannot be an id is escaped, for every table."""
    return name if is_valid_id(name) else submission_folder.printable(name)[:MAX_ESCAPED_CHARACTERS]


def find_folders(converter: BaseConverter) -> list[str]:
    """Return the folders of the students and the lesson that nbgrader's settings name.

    A student's id that stands for a pattern as well, as `a[1]`, is an id.
    """
    course = converter.coursedir
    pattern = converter._format_source(course.assignment_id, course.student_id)
    excluded = course.student_id_exclude.split(",")
    folders = [pattern] if os.path.isdir(pattern) else sorted(glob.glob(pattern))
    return [folder for folder in folders if Path(folder).parent.name not in excluded]


def find_submissions(converter: Autograde) -> None:
    """Find what was handed in: each folder, with where its one notebook should lie.

    `converter.refused` gets the folders that cannot be read, and why. Raises `NbGraderException` where nothing was
    handed in.
    """
    course, folders = converter.coursedir, find_folders(converter)
    parents = os.path.dirname(converter._format_source(course.assignment_id, course.student_id))
    locked = [folder for folder in (*glob.glob(parents), *folders) if is_locked(folder)]
    converter.refused = dict.fromkeys(locked, Note(NoteKind.FOLDER_LOCKED))
    readable = [folder for folder in folders if folder not in locked]
    converter.assignments = {folder: [str(submission_folder.notebook_of(folder))] for folder in readable}
    converter.notebooks = []
    for folder, note in converter.refused.items():
        converter.log.warning("%s: %s", submission_folder.printable(folder), note.instructor_message)
    if not (converter.assignments or converter.refused):
        BaseConverter.init_notebooks(converter)  # says so, and ends


def is_locked(folder: str | Path) -> bool:
    """Return whether a folder may not be read, or not be entered."""
    with contextlib.suppress(OSError):
        os.close(os.open(f"{folder}/.", os.O_RDONLY))
        return False
    return os.path.isdir(folder)


def copy_files(files: Iterable[Path], source: Path, target: Path) -> None:
    """Copy files to where they lie as they do in `source`."""
    for path in files:
        to = target / path.relative_to(source)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)

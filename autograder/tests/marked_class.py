"""A class whose answers to one question in writing are graded and wait, without running a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from autograder.courses import Lesson
from autograder.nbgrader_plugin import marked_words
from autograder.nbgrader_plugin.mark_tables import keep_others_out
from autograder.sandbox.cells import grade_id_of, with_attachments
from autograder.tests.recorded import record
from autograder.tests.reports import OTHER
from autograder.tests.this_course import find_lesson

LESSON = find_lesson(OTHER)
WRITTEN = next(cell.name for cell in LESSON.cells if cell.marker == "written")
MOST = 4


def make_gradebook(
    folder: Path, students: Iterable[str], points: Mapping[str, float], lesson: Lesson = LESSON
) -> Path:
    """A gradebook as nbgrader makes it, which knows these students' submissions of a lesson; its path comes back.

    points: what an answer can earn, by the cell that carries them, of code `test_<exercise>`.
    """
    path = folder / "gradebook.db"
    with Gradebook(f"sqlite:///{path}") as gradebook:
        gradebook.add_assignment(lesson.id)
        gradebook.add_notebook(lesson.notebook, lesson.id)
        for name, most in points.items():
            where, kind = (lesson.notebook, lesson.id), "code" if name.startswith("test_") else "markdown"
            gradebook.add_grade_cell(name, *where, max_score=most, cell_type=kind)
            gradebook.add_solution_cell(name.removeprefix("test_"), *where)
        for student in students:
            gradebook.add_student(student)
            gradebook.add_submission(lesson.id, student)
    return path


def make_class(folder: Path, answered: Mapping[str, str]) -> Path:
    """A class's folder, where these students have answered so; it comes back."""
    make_gradebook(folder, answered, {WRITTEN: MOST})
    for student, words in answered.items():
        (folder / "submitted" / student / OTHER).mkdir(parents=True)
        hand_in_words(folder, student, words)
    return folder


def hand_in_words(folder: Path, student: str, words: str) -> None:
    """What grading does with a written answer, without the rest."""
    notebook = new_notebook(cells=[new_markdown_cell(words, metadata={"nbgrader": {"grade_id": WRITTEN}})])
    path = folder / "autograded" / student / OTHER / LESSON.released.name
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    record(folder, OTHER, student)
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        marked_words.adopt(gradebook, LESSON, {})
        settle_marks(gradebook, LESSON, student, notebook)


def settle_marks(gradebook: Gradebook, lesson: Lesson, student: str, graded: NotebookNode) -> None:
    """Let a student's answers have the words of a notebook, as grading does: marks for others do not count."""
    keep_others_out(gradebook.db)
    own = marked_words._of_student(gradebook, lesson, student)
    words = {grade_id_of(cell): with_attachments(cell) for cell in graded.cells}
    marked_words._settle(gradebook.db, lesson, *own, words)

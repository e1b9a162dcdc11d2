"""A class whose answers to one question in writing are graded and wait, without running a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from autograder.courses import Lesson
from autograder.nbgrader_plugin import marked_words
from autograder.nbgrader_plugin.mark_tables import keep_others_out
from autograder.sandbox.cells import grade_id_of
from autograder.tests.reports import OTHER
from autograder.tests.this_course import find_lesson

LESSON = find_lesson(OTHER)
WRITTEN = next(cell.name for cell in LESSON.cells if cell.marker == "written")
MOST = 4


def make_class(folder: Path, answered: Mapping[str, str]) -> Path:
    """A class's folder, where these students have answered so; it comes back."""
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        gradebook.add_assignment(OTHER)
        gradebook.add_notebook(LESSON.notebook, OTHER)
        gradebook.add_grade_cell(WRITTEN, LESSON.notebook, OTHER, max_score=MOST, cell_type="markdown")
        gradebook.add_solution_cell(WRITTEN, LESSON.notebook, OTHER)
        for student in answered:
            gradebook.add_student(student)
            gradebook.add_submission(OTHER, student)
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
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        marked_words.adopt(gradebook, LESSON, {})
        settle_marks(gradebook, LESSON, student, notebook)


def settle_marks(gradebook: Gradebook, lesson: Lesson, student: str, graded: NotebookNode) -> None:
    """Let a student's answers have the words of a notebook, as grading does: marks for others do not count."""
    keep_others_out(gradebook.db)
    own = marked_words._of_student(gradebook, lesson, student)
    words = {grade_id_of(cell): cell.source for cell in graded.cells}
    marked_words._settle(gradebook.db, lesson, *own, words)

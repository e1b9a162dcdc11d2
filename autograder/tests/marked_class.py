"""A class whose answers are graded, and marked by hand, without running a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from autograder.courses import Lesson
from autograder.marking import server
from autograder.marking.marker_view import MarkerView
from autograder.records import manual_grades, marked_answers
from autograder.records.manual_grades import GivenMark, MarkedAnswer
from autograder.records.marked_answers import NotebookScores
from autograder.tests import toy
from autograder.tests.recorded import record
from autograder.tests.reports import OTHER
from autograder.tests.this_course import COURSE, find_lesson

LESSON = find_lesson(OTHER)
WRITTEN = next(cell.name for cell in LESSON.cells if cell.marker == "written")
MOST = 4
CODE = "create_causal_mask"
SET = f"test_{CODE}"


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
    make_gradebook(folder, answered, {WRITTEN: MOST, SET: 7})
    for student, words in answered.items():
        (folder / "submitted" / student / OTHER).mkdir(parents=True)
        hand_in_words(folder, student, words)
    return folder


def hand_in_words(
    folder: Path, student: str, words: str, code: str = "mask = 1", lesson: Lesson = LESSON
) -> None:
    """What grading does with answers, without the rest."""
    cells = [
        new_markdown_cell(words, metadata={"nbgrader": {"grade_id": WRITTEN}}),
        new_code_cell(code, metadata={"nbgrader": {"grade_id": CODE}}),
    ]
    path = folder / "autograded" / student / OTHER / LESSON.released.name
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=cells), path)
    record(folder, OTHER, student, kept_verdicts={"double": asdict(toy.verdict(toy.double))})
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        manual_grades.make_tables(gradebook)
        manual_grades.lock_database(gradebook.db)
        own = gradebook.find_submission_notebook(lesson.notebook, lesson.id, student)
        marked_answers.save_scores(
            gradebook, lesson, own, NotebookScores({WRITTEN: None, SET: 7}, {WRITTEN: words, CODE: code}, [])
        )


class MarkedClass:
    """A class, with what two markers, Ada and Ben, see and do there, and what formgrader does."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.url = folder, f"sqlite:///{folder / 'gradebook.db'}"
        self.ada, self.ben = (MarkerView(COURSE, folder, [LESSON], name) for name in ("ada", "ben"))

    def answer(self, student: str = "amy", cell: str = WRITTEN) -> MarkedAnswer:
        """An answer as it is now."""
        return next(one for one in self.ada.of_question(OTHER, cell) if one.student == student)

    def give(self, *students: str, by: str = "ada", cell: str = WRITTEN, **changes: object) -> None:
        """Give these students' answers a mark, as it is seen now."""
        answers = (self.answer(student, cell) for student in students)
        given = [GivenMark(answer.id, answer.change, changes) for answer in answers]
        view = getattr(self, by)
        view.give_marks(OTHER, cell, given, view.aids(OTHER, cell, []).items if "items" in changes else ())

    def formgrader(self, points: float | None, comment: str | None = None, cell: str = WRITTEN) -> None:
        """Mark Amy's answer as nbgrader's formgrader does."""
        place = (LESSON.notebook, OTHER, "amy")
        with Gradebook(self.url) as gradebook:
            grade = gradebook.find_grade(cell, *place)
            grade.manual_score = points
            grade.needs_manual_grade = points is None and grade.auto_score is None
            gradebook.find_comment(cell.removeprefix("test_"), *place).manual_comment = comment
            gradebook.db.commit()

    def page(self, by: str = "ada") -> BeautifulSoup:
        """A marker's page."""
        view = getattr(self, by)
        text, _ = server.answers_page(view.questions(), server.FormatCache(), view)
        return BeautifulSoup(text, "html.parser")

"""A class with a list of people, and one with grades, for files of any platform."""

from __future__ import annotations

import pytest
from nbgrader.api import Gradebook

from autograder.tests import in_process
from autograder.tests.lms.files import LESSON, OTHER, PEOPLE


@pytest.fixture
def folder(tmp_path):
    """A class's, with its list."""
    made = tmp_path / "class"
    made.mkdir()
    rows = [",".join(row) for row in PEOPLE]
    (made / "students.csv").write_text("\n".join(["id,first_name,last_name,email,lms_user_id", *rows, ""]))
    return made


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class with grades: a part, 0, waiting, none."""
    folder = tmp_path_factory.mktemp("graded")
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "attention") as gradebook:
        for lesson in (LESSON, OTHER):
            gradebook.add_assignment(lesson)
            gradebook.add_notebook(lesson[3:], lesson)
            gradebook.add_grade_cell("explain", lesson[3:], lesson, max_score=10, cell_type="markdown")
        for student, first, last, email, number in PEOPLE[:4]:
            gradebook.add_student(student, first_name=first, last_name=last, email=email, lms_user_id=number)
        scores = {LESSON: {"amy": 7.5, "jørgen": 3, "bob": 0}, OTHER: {"amy": None, "jørgen": 1.5}}
        for lesson, student in ((lesson, student) for lesson, of in scores.items() for student in of):
            gradebook.add_submission(lesson, student)
            gradebook.db.commit()
            grade = gradebook.find_grade("explain", lesson[3:], lesson, student)
            score = scores[lesson][student]
            grade.manual_score, grade.needs_manual_grade = score, score is None
            gradebook.db.commit()
            in_process.write_graded(folder, lesson, student, {}, [])
        gradebook.add_assignment("03_word2vec_heatmap")
        gradebook.db.commit()
    return folder

"""A class with a list of people, and one with grades, for files of any platform."""

from __future__ import annotations

import nbformat
import pytest
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook

from autograder.tests.lms.files import LESSON, OTHER, PEOPLE
from autograder.tests.recorded import record


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
        for lesson, student, score in (
            *((LESSON, "amy", 7.5), (LESSON, "jørgen", 3), (LESSON, "bob", 0)),
            *((OTHER, "amy", None), (OTHER, "jørgen", 1.5)),
        ):
            gradebook.add_submission(lesson, student)
            gradebook.db.commit()
            grade = gradebook.find_grade("explain", lesson[3:], lesson, student)
            grade.manual_score, grade.needs_manual_grade = score, score is None
            gradebook.db.commit()
            name = f"{student}/{lesson}/{lesson[3:]}.ipynb"
            for path in (folder / "submitted" / name, folder / "autograded" / name):
                path.parent.mkdir(parents=True)
                nbformat.write(new_notebook(), path)
            record(folder, lesson, student)
        gradebook.add_assignment("03_word2vec_heatmap")
        gradebook.db.commit()
    return folder

"""The feedback page: what it leads with, what it shows, and what never gets onto it."""

from __future__ import annotations

import functools
import os
import re
import shutil
import sys

import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.courses import lesson_source
from autograder.demo import samples
from autograder.judging import judge
from autograder.pages.feedback import POLICY
from autograder.records import grade_changes, record_store
from autograder.records.grade_changes import Change
from autograder.tests.commands import run_nbgrader
from autograder.tests.grading import grade, hand_in
from autograder.tests.hostile import assert_in_order, find_active
from autograder.tests.this_course import ROOT, find_lesson

pytestmark = pytest.mark.slow
LESSON = find_lesson("04_gaussian_kernel")
NOTEBOOK = LESSON.notebook
STUDENTS = ["amelia", "benedict", "evelyn"]
WHOLE_MATRIX = """
def gaussian_weights(queries, keys, bandwidth=1.0):
    queries, keys = np.asarray(queries, dtype=float), np.asarray(keys, dtype=float)
    if queries.ndim == 1:
        queries, keys = queries[:, None], keys[:, None]
    square = ((queries[:, None] - keys[None]) ** 2).sum(-1)
    kernel = np.exp(-(square - square.min()) / (2 * bandwidth**2))
    return kernel / kernel.sum()
"""


@pytest.fixture(scope="module")
def made(make_course):
    """The feedback pages of a small class, by student."""
    course, _ = make_course(LESSON.id)
    shutil.copy(ROOT / "nbgrader_config.py", course)
    solutions = map(LESSON.solution, ("gaussian_weights", "kernel_regression"))
    answers = {
        "gaussian_weights": WHOLE_MATRIX,
        "kernel_regression": "\n".join(map(lesson_source.strip_solution_marks, solutions)),
        "explain_kernel": "They agree when $\\lVert k\\rVert$ is *constant*.",
    }
    hand_in(course, "amelia", LESSON, answers)
    hand_in(course, "evelyn", LESSON, {"explain_kernel": "Near keys weigh more."})
    samples.put_file(course / "submitted", "benedict", LESSON.id, LESSON.released.name, b"")
    grade(course)
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        comment = functools.partial(gradebook.find_comment, notebook=NOTEBOOK, assignment=LESSON.id)
        comment("gaussian_weights", student="amelia").manual_comment = "Sum *one* row: $\\sum_j$."
        comment("predict_bandwidth", student="amelia").manual_comment = "A fine guess."
        mark = functools.partial(gradebook.find_grade, notebook=NOTEBOOK, assignment=LESSON.id)
        mark("test_kernel_regression", student="amelia").manual_score = 1.5
        written = mark("explain_kernel", student="evelyn")
        written.manual_score, written.needs_manual_grade = 2.5, False
        gradebook.db.commit()
    run_nbgrader("generate_feedback", LESSON.id, folder=course)
    pages = course / "feedback"
    return {path.parts[-3]: path for path in pages.glob(f"*/{LESSON.id}/{NOTEBOOK}.html")}


@pytest.fixture(scope="module")
def pages(made):
    """What the feedback pages of a small class say, by student."""
    return {student: path.read_text(encoding="utf-8") for student, path in made.items()}


def section(page, name):
    return BeautifulSoup(page, "html.parser").find("section", {"aria-labelledby": name})


def words(element):
    return " ".join(element.text.split())


def test_it_leads_with_what_is_done_and_what_is_next(pages):
    page = BeautifulSoup(pages["amelia"], "html.parser")
    summary = page.find("section")
    assert page.h1.text == LESSON.title
    assert summary["aria-labelledby"] == "where-you-stand"
    assert re.search(r"of \d+ points", summary.find(class_="total").text)
    assert "0 of 5 exercises are right. The points of 1 were set by your instructor." in words(summary)
    ahead = summary.find(class_="next")
    assert ahead.a["href"] == "#gaussian_weights"
    assert "Ask yourself:" in ahead.text
    states = {item.a.text: item.find(class_="state").text for item in summary.find_all("li")}
    assert states["gaussian_weights"] == "✗ not right yet"
    assert states["kernel_regression"] == "✎ set by your instructor"
    assert states["best_bandwidth"] == "○ not started"
    assert states["explain_kernel"] == "○ waits for your instructor"
    assert "unsealed" not in pages["amelia"]


def test_a_verdict_stands_beside_the_students_own_cell(pages):
    item = section(pages["amelia"], "gaussian_weights")
    assert item.find(class_="prompt").find("math")
    assert "Looks like:" in item.find(class_="verdict wrong").text
    assert item.find(class_="code").text.strip() == WHOLE_MATRIX.strip()
    assert "Read again, in the lesson: 3 · The bandwidth" in words(item)


def test_the_instructors_points_and_comments_are_shown(pages):
    set_by_hand = words(section(pages["amelia"], "kernel_regression"))
    assert "Your instructor set the points: 1.5 of 6 points." in set_by_hand
    assert "The grader's checks gave 6:" in set_by_hand
    comment = section(pages["amelia"], "gaussian_weights").find(class_="comment")
    assert comment.em.text == "one"
    assert comment.find("math")
    assert "A fine guess." in section(pages["amelia"], "predict_bandwidth").text
    assert section(pages["amelia"], "name_the_slip") is None
    assert "2.5 of 4 points" in section(pages["evelyn"], "explain_kernel").h2.text


def test_who_has_answered_in_writing_is_shown_a_model_answer_and_its_rubric(pages):
    answer = section(pages["amelia"], "explain_kernel").find(class_="written")
    assert answer.em.text == "constant"
    assert answer.find("math")
    sections = {name: section(page, "explain_kernel") for name, page in pages.items()}
    models = {name: one.find(class_="model") for name, one in sections.items() if one}
    assert {name for name, model in models.items() if model} == {"amelia", "evelyn"}
    assert "The expanded score is" in words(models["amelia"])
    assert "1 point: all keys must have the same length" in words(models["amelia"])
    assert models["amelia"].find("math")


def test_what_could_not_be_graded_has_a_page_that_says_why(pages):
    summary = section(pages["benedict"], "where-you-stand").text
    assert "gaussian_kernel.ipynb is empty, so nothing of it could be graded" in summary
    assert "Not graded" in summary
    assert "not started" not in pages["benedict"]
    assert "No response" not in pages["evelyn"]


@pytest.mark.parametrize("student", STUDENTS)
def test_nothing_runs_or_is_fetched_and_everyone_can_read_it(pages, student):
    page = BeautifulSoup(pages[student], "html.parser")
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})
    assert policy["content"] == POLICY
    assert pages[student].index(POLICY[:12]) < pages[student].index("<style>")
    assert find_active(page) == []
    assert_in_order(page)
    assert {tag.name for tag in page.select("[style]")} <= {"li", "section", "div", "p", "h2"}
    assert page.html["lang"] == "en"
    assert page.title.text.strip()


@pytest.mark.parametrize("student", STUDENTS)
def test_nothing_is_given_away(pages, student):
    page, lesson = pages[student], LESSON
    assert str(ROOT) not in page
    assert sys.prefix not in page
    assert [other for other in STUDENTS if other != student and other in page] == []
    text = BeautifulSoup(page, "html.parser").text
    for exercise in lesson.graded:
        key = judge.hidden_key(lesson, exercise.id, student)
        hidden = [seen.value for case, seen in zip(key.cases, key.expected) if case.hidden]
        assert [number for number in _numbers(hidden) if number in text] == []
    for exercise in lesson.exercises if student != "amelia" else ():
        inner = lesson.solution(exercise.id).split(lesson_source.BEGIN)[1].split(lesson_source.END)[0]
        lines = [line.strip() for line in inner.splitlines() if len(line.strip()) > 25]
        assert [line for line in lines if line in text] == []


def _numbers(values):
    """The telling figures of some results: four significant digits, as a page would print them."""
    arrays = [np.asarray(value, dtype=float).ravel() for value in values]
    figures = {f"{number:.4g}" for number in np.concatenate(arrays)} if arrays else set()
    return {figure for figure in figures if len(figure.strip("-0.").replace(".", "")) == 4}


def test_a_page_is_made_again_only_where_it_would_be_another(pages, made):
    course = made["amelia"].parents[3]
    gradebook = f"sqlite:///{course / 'gradebook.db'}"

    def made_again(*arguments: str) -> set[str]:
        before = {student: path.exists() and path.stat().st_mtime_ns for student, path in made.items()}
        run_nbgrader("generate_feedback", LESSON.id, *arguments, folder=course)
        return {student for student, path in made.items() if path.stat().st_mtime_ns != before[student]}

    assert made_again() == set()
    assert {student: path.read_text(encoding="utf-8") for student, path in made.items()} == pages
    with Gradebook(gradebook) as opened:
        comment = opened.find_comment("predict_bandwidth", NOTEBOOK, LESSON.id, "amelia")
        comment.manual_comment = "Read it once more."
        opened.db.commit()
    assert made_again() == {"amelia"}
    assert "Read it once more." in made["amelia"].read_text(encoding="utf-8")
    with Gradebook(gradebook) as opened:
        opened.find_grade("explain_kernel", NOTEBOOK, LESSON.id, "evelyn").manual_score = 1
        opened.db.commit()
    made["benedict"].unlink()
    os.truncate(made["amelia"], made["amelia"].stat().st_size // 2)  # as where its writing was interrupted
    assert made_again() == {"evelyn", "benedict", "amelia"}
    work = record_store.load_record(LESSON, "evelyn", course).work[:12]
    about = ("2026-03-01", "evelyn", LESSON.id, "softmax", "1 of 2", "2 of 2", "the course changed", work)
    with record_store.transaction(CourseDirectory(root=str(course))) as db:
        grade_changes.add_changes(db, [Change(*about)])
    assert made_again() == {"evelyn"}
    graded = course / "autograded" / "benedict" / LESSON.id / f"{NOTEBOOK}.ipynb"
    os.utime(graded, (1, 1))
    assert made_again() == {"benedict"}
    settings = ("--QuietPage.site=https://example.org", "--QuietPage.model_answers=False")
    assert made_again(*settings) == made.keys()
    page = made["amelia"].read_text(encoding="utf-8")
    assert section(page, "explain_kernel").find(class_="model") is None

"""The feedback page: what it leads with, what it shows, and what never gets onto it."""

from __future__ import annotations

import os
import re
import sys

import msgspec
import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_output
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder import judge
from autograder.courses import source
from autograder.model.notes import Note, NoteKind
from autograder.nbgrader_plugin import changes, store
from autograder.nbgrader_plugin.changes import Change
from autograder.nbgrader_plugin.feedback import POLICY
from autograder.nbgrader_plugin.store import NOTES
from autograder.sandbox import cells
from autograder.sandbox.cells import grade_id_of
from autograder.student import probe
from autograder.tests.commands import run_nbgrader
from autograder.tests.hostile import DOT, HOSTILE, REACHES_OUT
from autograder.tests.recorded import record
from autograder.tests.this_course import ROOT, find_lesson

pytestmark = pytest.mark.slow
LESSON = "04_gaussian_kernel"
NOTEBOOK = LESSON[3:]
WHOLE_MATRIX = """
def gaussian_weights(queries, keys, bandwidth=1.0):
    queries, keys = np.asarray(queries, dtype=float), np.asarray(keys, dtype=float)
    if queries.ndim == 1:
        queries, keys = queries[:, None], keys[:, None]
    square = ((queries[:, None] - keys[None]) ** 2).sum(-1)
    kernel = np.exp(-(square - square.min()) / (2 * bandwidth**2))
    return kernel / kernel.sum()
"""


def verdict_on(exercise, code, student):
    """The verdict on an answer, or on a TODO left as it is, reached as grading does, without a kernel."""
    key = judge.hidden_key(find_lesson(LESSON), exercise, student)
    if not code:
        return judge.judge(key, (probe.Answers(probe.NOT_STARTED),))
    names = {"np": np}
    exec(code, names)
    return judge.verdict(find_lesson(LESSON), key, names)


def graded_notebook(blank, student, answers=(), outputs=(), sealed=True, notes=()):
    """The released notebook with answers, and with what grading writes into it."""
    notebook = nbformat.reads(blank, as_version=4)
    answers, outputs = dict(answers), dict(outputs)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id_of(cell), cell.source)
        if grade_id_of(cell) in outputs:
            cell.outputs = outputs[grade_id_of(cell)]
    graded = [exercise.id for exercise in find_lesson(LESSON).graded]
    verdicts = {name: verdict_on(name, answers.get(name), student) for name in graded}
    notebook.metadata[NOTES] = {
        "notes": msgspec.to_builtins(notes),
        "sealed": sealed,
        "verdicts": msgspec.to_builtins(verdicts),
    }
    return notebook


def enter(gradebook, student, notebook):
    """Enter a graded notebook's scores, as nbgrader's `SaveAutoGrades` does."""
    gradebook.add_submission(LESSON, student)
    verdicts = notebook.metadata.get(NOTES, {}).get("verdicts", {})
    for cell in notebook.cells:
        name = grade_id_of(cell)
        if cell.metadata.get("nbgrader", {}).get("grade"):
            grade = gradebook.find_grade(name, NOTEBOOK, LESSON, student)
            kept = verdicts.get(name.removeprefix("test_"), {"lines": []})
            earned = sum(line["points"] for line in kept["lines"] if line["sight"] == "held")
            changed = "Your answer here" not in cell.source
            waits = name.startswith("explain_") and changed
            grade.auto_score, grade.needs_manual_grade = (None if waits else earned), waits
    gradebook.db.commit()


@pytest.fixture(scope="module")
def pages(made):
    """What the feedback pages of a small class say, by student."""
    return {student: path.read_text(encoding="utf-8") for student, path in made.items()}


@pytest.fixture(scope="module")
def made(make_course):
    """The feedback pages of a small class, by student, made by nbgrader's own converter."""
    course, release = make_course(LESSON)
    blank = release.read_text()
    solutions = map(find_lesson(LESSON).solution, ("gaussian_weights", "kernel_regression"))
    right = {"kernel_regression": "\n".join(map(source.without_marks, solutions))}
    raised = new_output(
        "error",
        ename="ValueError",
        evalue=f"see {ROOT}/secret/key.txt",
        traceback=[
            "----",
            "ValueError   Traceback (most recent call last)",
            "Cell In[7], line 3\n      1 x = 1\n----> 3 fail(x)",
            f"File {sys.prefix}/lib/python3.11/site-packages/numpy/core.py:12, in fail(x)",
            f"ValueError: see {ROOT}/secret/key.txt",
        ],
    )
    hostile = [
        new_output(
            "display_data", data={"text/html": "<script>alert(1)</script>", "text/plain": "<b>plain</b>"}
        ),
        new_output("display_data", data={"image/svg+xml": "<svg onload=alert(1)>"}),
        new_output("display_data", data={"image/png": DOT}, metadata={"image/png": {"alt": '"><script>'}}),
        new_output("stream", name="stdout", text="\x1b[31mred\x1b[0m </pre><script>alert(2)</script>"),
        raised,
    ]
    text = "\n\n".join([*HOSTILE, "![remote](http://example.org/track.png)", "![a](attachment:gone.png)"])
    notebooks = {
        "amelia": graded_notebook(
            blank,
            "amelia",
            {
                "gaussian_weights": WHOLE_MATRIX,
                "explain_kernel": "They agree when $\\lVert k\\rVert$ is *constant*.",
            }
            | right,
        ),
        "benedict": graded_notebook(
            blank,
            "benedict",
            sealed=False,
            notes=[Note(NoteKind.UNREADABLE, ("gaussian_kernel.ipynb",), "is empty")],
        ),
        "evelyn": graded_notebook(
            blank,
            "evelyn",
            {
                "gaussian_weights": WHOLE_MATRIX + "# </code></pre><script>alert(3)</script>",
                "explain_kernel": text,
            },
            {"gaussian_weights": hostile, "test_gaussian_weights": [cells.picture(DOT, 'What "f" drew')]},
        ),
        "old": nbformat.reads(blank, as_version=4),
    }
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        for student, notebook in notebooks.items():
            gradebook.add_student(student)
            folder = course / "autograded" / student / LESSON
            folder.mkdir(parents=True)
            nbformat.write(notebook, folder / f"{NOTEBOOK}.ipynb")
            enter(gradebook, student, notebook)
        _grade_by_hand(gradebook)
    run_nbgrader("generate_feedback", LESSON, folder=course)
    return {student: course / "feedback" / student / LESSON / f"{NOTEBOOK}.html" for student in notebooks}


def _grade_by_hand(gradebook):
    gradebook.find_grade("test_kernel_regression", NOTEBOOK, LESSON, "amelia").manual_score = 1.5
    gradebook.find_comment(
        "gaussian_weights", NOTEBOOK, LESSON, "amelia"
    ).manual_comment = "Sum *one* row: $\\sum_j$."
    gradebook.find_comment("predict_twins", NOTEBOOK, LESSON, "amelia").manual_comment = "A fine guess."
    gradebook.find_comment("explain_kernel", NOTEBOOK, LESSON, "benedict").auto_comment = "No response."
    grade = gradebook.find_grade("explain_kernel", NOTEBOOK, LESSON, "evelyn")
    grade.manual_score, grade.needs_manual_grade = 2.5, False
    gradebook.db.commit()


def section(page, name):
    return BeautifulSoup(page, "html.parser").find("section", {"aria-labelledby": name})


def test_it_leads_with_what_is_done_and_what_is_next(pages):
    page = BeautifulSoup(pages["amelia"], "html.parser")
    summary = page.find("section")
    assert page.h1.text == find_lesson(LESSON).title
    assert summary["aria-labelledby"] == "where-you-stand"
    assert re.search(r"of \d+ points", summary.find(class_="total").text)
    words = " ".join(summary.text.split())
    assert "0 of 5 exercises are right. The points of 1 were set by your instructor." in words
    ahead = summary.find(class_="next")
    assert ahead.a["href"] == "#gaussian_weights"
    assert "Ask yourself:" in ahead.text
    states = {item.a.text: item.find(class_="state").text for item in summary.find_all("li")}
    assert states["gaussian_weights"] == "✗ not right yet"
    assert states["kernel_regression"] == "✎ set by your instructor"
    assert states["best_bandwidth"] == "○ not started"
    assert states["explain_kernel"] == "○ waits for your instructor"


def test_a_verdict_stands_beside_the_students_own_cell(pages):
    item = section(pages["amelia"], "gaussian_weights")
    assert item.find(class_="prompt").find("math")
    assert "Looks like:" in item.find(class_="verdict wrong").text
    assert item.find(class_="code").text.strip() == WHOLE_MATRIX.strip()
    assert "Read again, in the lesson: 3 · The kernel and its dial" in " ".join(item.text.split())


def test_a_picture_that_is_wrong_stands_below_its_verdict(pages):
    judgement = section(pages["evelyn"], "gaussian_weights").find(class_="judgement")
    assert judgement.find("figcaption").text == judgement.find("img")["alt"] == 'What "f" drew'
    assert judgement.find("img")["src"] == f"data:image/png;base64,{DOT}"


def test_the_instructors_points_and_comments_are_shown(pages):
    assert "1.5 of" in section(pages["amelia"], "kernel_regression").h2.text
    set_by_hand = " ".join(section(pages["amelia"], "kernel_regression").text.split())
    assert "Your instructor set the points: 1.5 of 6 points." in set_by_hand
    assert "The grader's checks gave 6:" in set_by_hand
    comment = section(pages["amelia"], "gaussian_weights").find(class_="comment")
    assert comment.em.text == "one"
    assert comment.find("math")
    assert "A fine guess." in section(pages["amelia"], "predict_twins").text
    assert section(pages["amelia"], "predict_bandwidth") is None
    assert "2.5 of 4 points" in section(pages["evelyn"], "explain_kernel").h2.text


def test_a_written_answer_is_formatted(pages):
    answer = section(pages["amelia"], "explain_kernel").find(class_="written")
    assert answer.em.text == "constant"
    assert answer.find("math")


def test_who_has_answered_in_writing_is_shown_a_model_answer_and_its_rubric(pages):
    sections = {name: section(page, "explain_kernel") for name, page in pages.items()}
    models = {name: one.find(class_="model") for name, one in sections.items() if one}
    assert models["old"] is None
    assert {name for name, model in models.items() if model} == {"amelia", "evelyn"}
    told = " ".join(models["amelia"].text.split())
    assert "The expanded score is" in told
    assert "1 point: all keys must have the same length" in told
    assert models["amelia"].find("math")


def test_what_was_amiss_and_unsealed_grading_are_said(pages):
    summary = section(pages["benedict"], "where-you-stand").text
    assert "gaussian_kernel.ipynb is empty, so nothing of it could be graded" in summary
    assert "Graded unsealed" in summary
    assert "Not graded" in summary
    assert "not started" not in pages["benedict"]
    assert "No response" not in pages["benedict"]
    assert "unsealed" not in pages["amelia"]


def test_a_notebook_graded_by_something_else_has_a_page(pages):
    assert section(pages["old"], "gaussian_weights").find(class_="code")
    assert "0 of" in section(pages["old"], "where-you-stand").text


@pytest.mark.parametrize("student", ["amelia", "benedict", "evelyn", "old"])
def test_nothing_runs_and_nothing_is_fetched(pages, student):
    page = BeautifulSoup(pages[student], "html.parser")
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})
    assert policy["content"] == POLICY
    assert pages[student].index(POLICY[:12]) < pages[student].index("<style>")
    assert page.find_all(REACHES_OUT) == []
    assert all(image["src"].startswith("data:image/") for image in page.find_all("img"))
    for tag in page.find_all(True):
        assert not [name for name in tag.attrs if name.startswith("on")]
        assert not re.match(r"(?i)\s*(javascript|data|vbscript):", tag.get("href", ""))
        assert tag.name in ("li", "section", "div", "p", "h2") or "style" not in tag.attrs


def test_hostile_text_stays_text(pages):
    item = section(pages["evelyn"], "gaussian_weights")
    assert item.find(class_="code").text.endswith("<script>alert(3)</script>\n")
    assert "red </pre><script>alert(2)</script>" in item.text
    assert item.find(class_="answer").img["alt"] == '"><script>'


@pytest.mark.parametrize("student", ["amelia", "benedict", "evelyn", "old"])
def test_nothing_is_given_away(pages, student):
    page = pages[student]
    assert str(ROOT) not in page
    assert sys.prefix not in page
    assert [other for other in ("amelia", "benedict", "evelyn") if other != student and other in page] == []
    text = BeautifulSoup(page, "html.parser").text
    for exercise in find_lesson(LESSON).graded:
        key = judge.hidden_key(find_lesson(LESSON), exercise.id, student)
        hidden = [seen.value for case, seen in zip(key.cases, key.expected) if case.hidden]
        assert [number for number in _numbers(hidden) if number in text] == []
    if student != "amelia":
        assert [line for line in _reference_lines() if line in text] == []


def _numbers(values):
    """The telling figures of some results: four significant digits, as a page would print them."""
    arrays = [np.asarray(value, dtype=float).ravel() for value in values]
    figures = {f"{number:.4g}" for number in np.concatenate(arrays)} if arrays else set()
    return {figure for figure in figures if len(figure.strip("-0.").replace(".", "")) == 4}


def _reference_lines():
    for exercise in find_lesson(LESSON).exercises:
        text = find_lesson(LESSON).solution(exercise.id)
        inner = text.split(source.BEGIN)[1].split(source.END)[0]
        yield from (line.strip() for line in inner.splitlines() if len(line.strip()) > 25)


def test_an_error_is_shown_without_the_graders_paths(pages):
    text = section(pages["evelyn"], "gaussian_weights").text
    assert "----> 3 fail(x)" in text
    assert "ValueError: see …/key.txt" in text
    assert "site-packages" not in text


@pytest.mark.parametrize("student", ["amelia", "benedict", "evelyn", "old"])
def test_a_page_can_be_read_by_everyone(pages, student):
    page = BeautifulSoup(pages[student], "html.parser")
    assert page.html["lang"] == "en"
    assert page.title.text.strip()
    levels = [int(heading.name[1]) for heading in page.find_all(re.compile("^h[1-6]$"))]
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in zip(levels, levels[1:]))
    assert all(image.get("alt") for image in page.find_all("img"))
    names = [tag["id"] for tag in page.find_all(id=True)]
    assert len(names) == len(set(names))


def test_a_page_is_made_again_only_where_it_would_be_another(pages, made):
    course = made["amelia"].parents[3]
    gradebook = f"sqlite:///{course / 'gradebook.db'}"

    def made_again(*arguments: str) -> set[str]:
        before = {student: path.exists() and path.stat().st_mtime_ns for student, path in made.items()}
        run_nbgrader("generate_feedback", LESSON, *arguments, folder=course)
        return {student for student, path in made.items() if path.stat().st_mtime_ns != before[student]}

    assert made_again() == set()
    assert {student: path.read_text(encoding="utf-8") for student, path in made.items()} == pages
    with Gradebook(gradebook) as opened:
        comment = opened.find_comment("predict_twins", NOTEBOOK, LESSON, "amelia")
        comment.manual_comment = "Read it once more."
        opened.db.commit()
    assert made_again() == {"amelia"}
    assert "Read it once more." in made["amelia"].read_text(encoding="utf-8")
    with Gradebook(gradebook) as opened:
        opened.find_grade("explain_kernel", NOTEBOOK, LESSON, "evelyn").manual_score = 1
        opened.db.commit()
    made["benedict"].unlink()
    assert made_again() == {"evelyn", "benedict"}
    record(course, LESSON, "old", work="w")
    change = Change("2026-03-01", "old", LESSON, "softmax", "1 of 2", "2 of 2", "the course changed", "w")
    with store.transaction(CourseDirectory(root=str(course))) as db:
        changes.add_changes(db, [change])
    assert made_again() == {"old"}
    graded = course / "autograded" / "benedict" / LESSON / f"{NOTEBOOK}.ipynb"
    os.utime(graded, (1, 1))
    assert made_again() == {"benedict"}
    assert (
        made_again("--QuietPage.site=https://example.org", "--QuietPage.model_answers=False") == made.keys()
    )
    page = made["amelia"].read_text(encoding="utf-8")
    assert section(page, "explain_kernel").find(class_="model") is None

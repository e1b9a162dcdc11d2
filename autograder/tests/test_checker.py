"""`check(...)` and the progress it leaves, as a student meets them in a kernel."""

from __future__ import annotations

import re
import subprocess
import sys

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert.preprocessors import CoalesceStreamsPreprocessor
from nbformat.v4 import new_code_cell, new_notebook

import autograder
from autograder.authoring import build
from autograder.checks.answer_keys import LessonKeys
from autograder.courses import lesson_source
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import STUB, AnswerKey
from autograder.notebook import attempt_log, check_all, progress
from autograder.notebook.checker import Checker
from autograder.tests.this_course import COURSE, ROOT, find_lesson, lessons

pytestmark = pytest.mark.slow

LESSON = "01_weighted_sums"
TODO = f'raise NotImplementedError("{STUB}")'
SETUP = next(cell.text for cell in find_lesson(LESSON).cells if cell.marker == "setup")


def run(folder, *cells, allow_errors=True):
    """The outputs of cells that are run one after another in one kernel, as text."""
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    resources = {"metadata": {"path": str(folder)}}
    build.run_notebook(notebook, {}, resources=resources, allow_errors=allow_errors)
    CoalesceStreamsPreprocessor(enabled=True)(notebook, {})
    return ["\n".join(map(as_text, cell.outputs)) for cell in notebook.cells]


def as_text(output):
    if output.output_type == "stream":
        return f"{output.name}: {output.text}"
    if output.output_type == "error":
        return "error: " + "\n".join(output.traceback)
    return output.data["text/plain"]


def softmax(body):
    return f"def softmax(x, axis=-1):\n    {body}\ncheck(softmax)"


def letters(body):
    first = "def letter_embedding(word):\n    found = []\n    for letter in word.lower():\n        "
    return f"{first}{body}\n        return found\ncheck(letter_embedding)"


def pad_rows(body):
    return f"def pad_rows(vectors):\n    {body}\n{BUILDING}"


def solution(name):
    return lesson_source.strip_solution_marks(find_lesson(LESSON).solution(name))


BUILDING = "def weighted_sum(weights, vectors):\n    return weights @ pad_rows(vectors)\ncheck(weighted_sum)"
MISSPELT = "def sofmtax(x, axis=-1):\n    return x"
MEANT = "there is a sofmtax: is that meant?"
MEND_FIRST = "^[✗○] weighted_sum.*\n  pad_rows, which this may call, is not right yet: mend it first"
STOPPED = r"(0.3 seconds of computing|1.8 seconds) in the line   (while True:|x = x \+ 1)\n?$"
OVERWRITTEN = r"\n  The notebook has overwritten `{}` \(now int\). To bring it back, run `{}`."
UNREAD = r"^✗ softmax[^\n]*\n  its cell did not run \(SyntaxError: .*, line 2\): mend that and run it again; "


def waits(reason):
    return f"^stdout: This cell waits for {reason}.\n$"


def without(text):
    return f"^(?!.*{re.escape(text)})"


CELLS = [
    (SETUP, "^$"),
    ("check(softmax)", "^✗ softmax.*softmax is not defined: run the cell above"),
    (MISSPELT, "^$"),
    ("check(softmax)", f"^✗ softmax.*softmax is not defined: {MEANT}"),
    (softmax(TODO), f"^✗ softmax.*softmax is still a TODO: {MEANT}"),
    ("print('a')\nsoftmax([1])", "^stdout: a\nThis cell waits for softmax, which is still a TODO.\n$"),
    ("blended = pad_rows([[1]])\nprint(blended)", waits("pad_rows, which is not defined yet")),
    ("mean = [row for row in blended]", waits("blended, which another cell makes with pad_rows")),
    ("print(mean)", waits("mean, which another cell makes with pad_rows")),
    ("row", "^error: "),  # the cells that wait do not define it
    (softmax("e = np.exp(x)\n    return e / e.sum()"), "^✗ softmax.*Looks like: softmax over the whole"),
    (letters("found = [ord(letter) - 96]"), without("Looks like")),
    (letters("found.append(ord(letter) - 96)"), "Looks like: return inside the loop: the first turn"),
    ("def softmax(x, axis=-1):\n    return (x", "^error: "),
    ("check(softmax)", UNREAD + "what was there before is not judged$"),
    (
        "sum = 0\nnp = 5\n" + softmax("e = np.exp(x)\n    return e / sum(e)"),
        OVERWRITTEN.format("np", "import numpy as np") + OVERWRITTEN.format("sum", "del sum"),
    ),
    ("del sum\nimport numpy as np\ncheck(softmax)", without("overwritten")),
    (
        softmax(f"if np.ndim(x) > 1:\n        {TODO}\n    e = np.exp(x - np.max(x))\n    return e / e.sum()"),
        r"^✗ softmax[^✗]*`softmax` is still a TODO[^✗]*✓[^✗]*$",
    ),
    (softmax("return missing_name"), r"^(?!.*(Traceback|\(in )).*NameError.*return missing_name\n"),
    ("softmax = lambda x, axis=-1: np.exp(x)\ncheck(softmax)", "^✗ softmax.*every row sums to 1"),
    ("from autograder.notebook import checker\nchecker.SECONDS = 0.3", "^$"),
    (softmax("while True:\n        x = x + 1"), f"^✗ softmax.*stopped after {STOPPED}"),
    (f"checker.SECONDS = 10\n{solution('softmax')}\ncheck(softmax)", without("The last run")),
    ("def sofmax(x): return x\ncheck(sofmax)", "^error: ✗ there is no exercise called 'sofmax' here"),
    (BUILDING, MEND_FIRST),
    (pad_rows(TODO), MEND_FIRST),
    (pad_rows("return np.array([v[:1] for v in vectors])"), MEND_FIRST),
    (f"{solution('pad_rows')}\n{BUILDING}", "^✓ weighted_sum(?!.*mend)"),
    (
        pad_rows("return np.array(vectors)[0, 0]"),
        r"in the line   return np.array\(vectors.*   \(in pad_rows\)",
    ),
    ("both_shuffled, vectors_shuffled = [5, 2], [4, 3]\ncheck('shuffled_together')", ""),
    ("both_shuffled, vectors_shuffled = [5, 2], 1 / 0", "^error: "),
    ("check('shuffled_together')", r"\n  The last run of this cell failed \(ZeroDivisionError: division by"),
    ("from autograder import show_progress\nshow_progress()", "○ find_the_slip.*✓ softmax.*○ pad_rows"),
    ("import os\nos.environ['NBGRADER_VALIDATING'] = '1'", "^$"),
    (softmax("return x"), "stderr: softmax: 2 of 9 visible checks; next: "),
    ("del pad_rows\ncheck(pad_rows)", "stderr: pad_rows: pad_rows is not defined"),
]
"""Cells that are run one after another in one kernel, each with a pattern of what it shows."""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    course = tmp_path_factory.mktemp("course")
    (course / attempt_log.START_PAGE).write_text(nbformat.writes(new_notebook()))
    (course / LESSON).mkdir()
    return run(course / LESSON, *(code for code, _ in CELLS))


@pytest.mark.parametrize("place", range(len(CELLS)))
def test_a_cell_shows(outputs, place):
    pattern = CELLS[place][1]
    assert re.search(pattern, outputs[place], re.DOTALL), outputs[place]
    assert ("stderr" in outputs[place]) == pattern.startswith("stderr")


def test_cells_behind_one_that_waits_are_run(tmp_path):
    first, behind, *_ = run(tmp_path, SETUP, "softmax([1])\nx = 1", "print('here')", allow_errors=False)[1:]
    assert "waits for softmax" in first
    assert behind == "stdout: here\n"


NONE = "cannot be read as a notebook ("


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            nbformat.writes(new_notebook(cells=[new_code_cell("import os\nos._exit(1)")])),
            "could not be run to its end: Kernel died",
        ),
        ("[]", NONE),
        ("{}", NONE),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": 5}', NONE),
    ],
)
def test_a_notebook_that_cannot_be_checked_is_told_in_a_sentence(tmp_path, monkeypatch, text, sentence):
    monkeypatch.chdir(ROOT)
    path = tmp_path / "weighted_sums.ipynb"
    path.write_text(text)
    with pytest.raises(CourseError, match=re.escape(f"weighted_sums.ipynb {sentence}")):
        check_all.check_notebook(path)


@pytest.fixture
def two_lessons(monkeypatch):
    """The lessons one and two: with two exercises and two puzzles, and with an exercise alone."""
    nothing = dict.fromkeys(("values", "criteria", "cases", "expected", "mistakes"), ())
    keys = {
        name: AnswerKey(exercise=name, signature=name, puzzle=name.startswith("puzzle"), **nothing)
        for name in ("first", "second", "puzzle_a", "puzzle_b", "only")
    }
    only = {"only": keys.pop("only")}
    lessons = {"01_one": ("The lesson one", keys, 45), "02_two": ("The lesson two", only, 0)}
    monkeypatch.setattr(
        progress.answer_keys, "load_keys", lambda course, lesson: LessonKeys(lesson, *lessons[lesson])
    )


def test_puzzles_are_counted_by_themselves(two_lessons):
    states = {"01_one": {"first": "right", "second": "wrong", "puzzle_b": "right"}, "02_two": {}}
    assert progress.progress_text(states, {"01_one": 2}).splitlines() == [
        "The lesson one (45 minutes; 1 of 2 right; puzzles: 1 of 2; 2 to ask again)",
        *("    ✓ first", "    ✗ second", "    ○ puzzle_a (puzzle)", "    ✓ puzzle_b (puzzle)"),
        "The lesson two (0 of 1 right)",
    ]
    page = BeautifulSoup(progress.progress_html(states, {"01_one": 2}), "html.parser")
    assert [" ".join(tile.get_text(" ").split()) for tile in page.select("section")] == [
        "1 · The lesson one 45 minutes · 1 of 2 right · puzzles: 1 of 2 · 2 to ask again"
        " ✓ first ✗ second puzzles ○ puzzle_a ✓ puzzle_b",
        "2 · The lesson two 0 of 1 right exercises: 1 ○ only",
    ]
    bars = [bar.div["style"].rsplit("width:")[1] for bar in page.select("[aria-hidden]")]
    folds = [" ".join(fold.summary.get_text().split()) for fold in page.select("details")]
    assert (bars, folds) == (["50%", "0%"], ["not begun: 1 lesson", "exercises: 1"])


def test_each_exercise_on_the_map_leads_to_its_cell(monkeypatch):
    monkeypatch.chdir(ROOT)
    states = {lesson: {} for lesson in COURSE.visible.lessons}
    page = BeautifulSoup(progress.progress_html(states, {}), "html.parser")
    for lesson, tile in zip(lessons(), page.select("section"), strict=True):
        notebook, *links = (link["href"] for link in tile.select("a"))
        assert notebook == lesson.released.relative_to(lesson.released.parents[1]).as_posix()
        cells = {cell.id for cell in nbformat.read(lesson.released, as_version=4).cells}
        ids = {link.removeprefix(f"{notebook}#cell-id=") for link in links}
        assert ids == {exercise.id for exercise in lesson.exercises} <= cells
        assert f"{lesson.minutes} minutes" in tile.get_text()


def test_a_lesson_that_is_none_is_told_at_once():
    with pytest.raises(CourseError, match="no lesson is called 'x'; there are 01_weighted_sums"):
        Checker().lesson("x")


def test_autograder_exports_what_it_lists_and_nothing_else():
    assert {name for name in autograder.__all__ if getattr(autograder, name, None) is None} == set()
    assert {*autograder.__all__} <= {*dir(autograder)}
    with pytest.raises(ImportError, match="cannot import name 'draw' from 'autograder'"):
        exec("from autograder import draw")


def test_importing_check_loads_nothing_heavy_and_nothing_of_the_instructors():
    code = (
        "import sys; from autograder import check; from attention import load_vectors;"
        "check.lesson('03_word2vec_heatmap'); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert not {"torch", "gensim", "matplotlib", "scipy", "seaborn", "pandas"} & set(loaded)
    assert {name.split(".")[1] for name in loaded if name.startswith("autograder.")} == {
        "calls",
        "checks",
        "exercises",
        "notebook",
        "views",
    }

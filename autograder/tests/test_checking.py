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

from autograder.author import build
from autograder.courses import source
from autograder.model.errors import CourseError
from autograder.model.exercise import STUB, Key
from autograder.student import progress, whole_notebook
from autograder.student.checking import Check
from autograder.student.keys import LessonKeys
from autograder.tests.this_course import ROOT, find_lesson

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


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    course = tmp_path_factory.mktemp("course")
    (course / progress.START_PAGE).write_text(nbformat.writes(new_notebook()))
    lesson = course / LESSON
    lesson.mkdir()
    right = source.without_marks(find_lesson(LESSON).solution("softmax"))
    building = (
        "def weighted_sum(weights, vectors):\n    return weights @ pad_rows(vectors)\ncheck(weighted_sum)"
    )
    cells = {
        "setup": SETUP,
        "nothing yet": "check(softmax)",
        "misspelt": "def sofmtax(x, axis=-1):\n    return x",
        "check of the misspelt": "check(softmax)",
        "stub beside the misspelt": f"def softmax(x, axis=-1):\n    {TODO}\ncheck(softmax)",
        "waits for a TODO": "print('before')\nsoftmax(np.ones(3))",
        "waits for a name": "pad_rows([[1]])",
        "waits for a cell that waits": "blended = pad_rows([[1]])\nprint(blended)",
        "and one that waits for that": "mean = [row for row in blended]",
        "and one behind it": "print(mean)",
        "no name of that cell's own": "row",
        "own error": "no_such_name",
        "wrong": "def softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / e.sum()\ncheck(softmax)",
        "returns at once": "def letter_embedding(word):\n    for letter in word.lower():\n"
        "        found = [ord(letter) - 96]\n        return found\ncheck(letter_embedding)",
        "returns too soon": "def letter_embedding(word):\n    found = []\n    for letter in word.lower():\n"
        "        found.append(ord(letter) - 96)\n        return found\ncheck(letter_embedding)",
        "syntax error": "def softmax(x, axis=-1):\n    return (x",
        "check of the old one": "check(softmax)",
        "mended, but misspelt": "def sofmtax(x, axis=-1):\n    return x\ndel softmax\ncheck('softmax')",
        "overwritten": "sum = 0\nnp = 5\ndef softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / sum(e)\n"
        "check(softmax)",
        "brought back": "del sum\nimport numpy as np\ncheck(softmax)",
        "half done": f"def softmax(x, axis=-1):\n    if np.ndim(x) > 1:\n        {TODO}\n"
        "    e = np.exp(x - np.max(x))\n    return e / e.sum()\ncheck(softmax)",
        "broken": "def softmax(x, axis=-1):\n    return missing_name\ncheck(softmax)",
        "lambda": "softmax = lambda x, axis=-1: np.exp(x)\ncheck(softmax)",
        "endless": "import autograder.student.checking as checking\nchecking.SECONDS = 0.3\n"
        "def softmax(x, axis=-1):\n    while True:\n        x = x + 1\ncheck(softmax)\nchecking.SECONDS = 10",
        "right": right + "\ncheck(softmax)",
        "unknown": "def sofmax(x): return x\ncheck(sofmax)",
        "built on nothing": building,
        "built on a stub": f"def pad_rows(vectors):\n    {TODO}\n{building}",
        "built on a mistake": f"def pad_rows(vectors):\n    return np.array([v[:1] for v in vectors])\n{building}",
        "built well": source.without_marks(find_lesson(LESSON).solution("pad_rows")) + f"\n{building}",
        "an error of another function": "def pad_rows(vectors):\n    return np.array(vectors)[0, 0]\n"
        + building,
        "puzzle": "both_shuffled, vectors_shuffled = [5, 2], [4, 3]\ncheck('shuffled_together')",
        "puzzle that fails": "both_shuffled, vectors_shuffled = [5, 2], 1 / 0",
        "check of the old puzzle": "check('shuffled_together')",
        "progress": "from autograder import show_progress\nshow_progress()",
        "validated": "import os\nos.environ['NBGRADER_VALIDATING'] = '1'\n"
        "def softmax(x, axis=-1):\n    return x\ncheck(softmax)",
        "validated with a name missing": "del pad_rows\ncheck(pad_rows)",
    }
    return dict(zip(cells, run(lesson, *cells.values()), strict=True))


def test_an_answer_under_a_misspelt_name_was_started(outputs):
    assert outputs["stub beside the misspelt"].startswith("✗ softmax")
    assert "not started" not in outputs["stub beside the misspelt"]
    assert (
        "softmax is still a TODO: there is a sofmtax: is that meant?" in outputs["stub beside the misspelt"]
    )


def test_a_slip_of_the_loop_is_named_where_it_explains_the_answer(outputs):
    assert "Looks like: return inside the loop: the first turn" in outputs["returns too soon"]
    assert "Looks like" not in outputs["returns at once"]


def test_a_wrong_answer_is_named_without_a_red_strip(outputs):
    assert outputs["wrong"].startswith("✗ softmax")
    assert "Looks like: softmax over the whole matrix" in outputs["wrong"]
    assert not any("stderr" in shown for name, shown in outputs.items() if "validated" not in name)


def test_validate_counts_what_is_not_right(outputs):
    assert "stderr: softmax: 2 of 9 visible checks; next: " in outputs["validated"]
    assert "stderr: pad_rows: pad_rows is not defined" in outputs["validated with a name missing"]


@pytest.mark.parametrize("cell", ["nothing yet", "check of the misspelt"])
def test_a_name_that_is_missing_is_a_verdict_and_no_traceback(outputs, cell):
    similar = (
        "there is a sofmtax: is that meant?" if cell == "check of the misspelt" else "run the cell above"
    )
    assert outputs[cell].startswith("✗ softmax")
    assert f"softmax is not defined: {similar}" in outputs[cell]


def test_a_cell_that_waits_for_an_exercise_says_so_in_a_line(outputs):
    assert outputs["waits for a TODO"] == (
        "stdout: before\nThis cell waits for softmax, which is still a TODO.\n"
    )
    assert outputs["waits for a name"] == "stdout: This cell waits for pad_rows, which is not defined yet.\n"
    assert outputs["own error"].startswith("error: ")


def test_what_a_waiting_cell_would_define_is_waited_for(outputs):
    waits = "stdout: This cell waits for {}, which another cell makes with pad_rows.\n"
    assert outputs["and one that waits for that"] == waits.format("blended")
    assert outputs["and one behind it"] == waits.format("mean")
    assert outputs["no name of that cell's own"].startswith("error: ")


def test_cells_behind_one_that_waits_are_run(tmp_path):
    first, behind, *_ = run(tmp_path, SETUP, "softmax([1])\nx = 1", "print('here')", allow_errors=False)[1:]
    assert "waits for softmax" in first
    assert behind == "stdout: here\n"


def test_after_a_failed_run_the_verdict_says_of_what_it_speaks(outputs):
    assert outputs["syntax error"].startswith("error: ")
    told = outputs["check of the old one"].split("\n")
    assert told[0].startswith("✗ softmax")
    assert told[1].startswith("  its cell did not run (SyntaxError: ")
    assert told[1].endswith(", line 2): mend that and run it again; what was there before is not judged")
    assert len(told) == 2
    assert "softmax is not defined: there is a sofmtax: is that meant?" in outputs["mended, but misspelt"]
    told = outputs["check of the old puzzle"].split("\n")[1]
    assert told.startswith("  The last run of this cell failed (ZeroDivisionError: division by zero).")
    assert "The last run" not in outputs["right"]


def test_a_name_that_the_notebook_has_overwritten_is_said_and_how_to_bring_it_back(outputs):
    told = outputs["overwritten"].split("\n")[1:3]
    assert told == [
        "  The notebook has overwritten `np` (now int). To bring it back, run `import numpy as np`.",
        "  The notebook has overwritten `sum` (now int). To bring it back, run `del sum`.",
    ]
    assert "overwritten" not in outputs["brought back"]


def test_a_branch_that_is_still_a_todo_is_not_reached_and_the_rest_is_judged(outputs):
    assert outputs["half done"].startswith("✗ softmax")
    assert "`softmax` is still a TODO" in outputs["half done"]
    assert "✗" not in outputs["half done"].split("\n", 1)[1]
    assert "✓" in outputs["half done"]


def test_the_students_own_error_comes_with_their_line(outputs):
    assert "NameError" in outputs["broken"]
    assert "return missing_name" in outputs["broken"]
    assert "Traceback" not in outputs["broken"]


def test_an_error_in_another_function_of_the_notebook_says_in_which(outputs):
    told = outputs["an error of another function"]
    assert "in the line   return np.array(vectors)[0, 0]   (in pad_rows)" in told
    assert "(in " not in outputs["broken"]


def test_a_lambda_is_the_exercise_that_it_is_bound_to(outputs):
    assert outputs["lambda"].startswith("✗ softmax")
    assert "every row sums to 1" in outputs["lambda"]


def test_an_endless_loop_is_stopped_and_its_line_told(outputs):
    assert outputs["endless"].startswith("✗ softmax")
    assert re.search(
        r"stopped after (0.3 seconds of computing|1.8 seconds) in the line   (while True:|x = x \+ 1)\n?$",
        outputs["endless"],
    )


def test_a_misspelt_name_is_one_line(outputs):
    assert outputs["unknown"].startswith("error: ✗ there is no exercise called 'sofmax' here")
    assert "Traceback" not in outputs["unknown"]


@pytest.mark.parametrize("on", ["built on nothing", "built on a stub", "built on a mistake"])
def test_a_right_answer_that_calls_a_wrong_one_is_told_which_to_mend(outputs, on):
    told = outputs[on].split("\n")
    assert told[0].startswith(("✗ weighted_sum", "○ weighted_sum"))
    assert told[1] == "  pad_rows, which this may call, is not right yet: mend it first"


def test_once_that_is_mended_both_are_right(outputs):
    assert outputs["built well"].startswith("✓ weighted_sum")
    assert "mend" not in outputs["built well"]


def test_progress_remembers_the_last_check(outputs):
    assert "✓ softmax" in outputs["progress"]
    assert "○ pad_rows" in outputs["progress"]
    assert "○ find_the_slip" in outputs["progress"]


def test_a_notebook_that_ends_its_kernel_is_told_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    path = tmp_path / "weighted_sums.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("import os\nos._exit(1)")]), path)
    with pytest.raises(CourseError, match=r"weighted_sums\.ipynb could not be run to its end: Kernel died"):
        whole_notebook.check_notebook(path)


@pytest.mark.parametrize(
    "damaged", ["[]", "{}", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": 5}']
)
def test_a_file_that_is_no_notebook_is_told_in_a_sentence(tmp_path, monkeypatch, damaged):
    monkeypatch.chdir(ROOT)
    path = tmp_path / "weighted_sums.ipynb"
    path.write_text(damaged)
    with pytest.raises(CourseError, match=r"weighted_sums\.ipynb cannot be read as a notebook \("):
        whole_notebook.check_notebook(path)


@pytest.fixture
def two_lessons(monkeypatch):
    """The lessons one and two: with two exercises and two puzzles, and with an exercise alone."""
    sizes = {"01_one": ["first", "second", "puzzle_a", "puzzle_b"], "02_two": ["only"]}
    known = {
        lesson: LessonKeys(
            lesson, f"The lesson {lesson[3:]}", {name: key_called(name) for name in names}, minutes
        )
        for (lesson, names), minutes in zip(sizes.items(), (45, 0))
    }
    monkeypatch.setattr(progress.keys, "load", lambda course, lesson: known[lesson])


def key_called(name):
    nothing = dict.fromkeys(("values", "parts", "cases", "expected", "mistakes"), ())
    return Key(exercise=name, signature=name, puzzle=name.startswith("puzzle"), **nothing)


def test_puzzles_are_counted_by_themselves(two_lessons):
    states = {"01_one": {"first": "right", "second": "wrong", "puzzle_b": "right"}, "02_two": {}}
    assert progress.progress_text(states, {"01_one": 2}).splitlines() == [
        "The lesson one (45 minutes; 1 of 2 right; puzzles: 1 of 2; 2 to ask again)",
        *("    ✓ first", "    ✗ second", "    ○ puzzle_a (puzzle)", "    ✓ puzzle_b (puzzle)"),
        "The lesson two (0 of 1 right)",
    ]
    assert tiles(states, {"01_one": 2}) == [
        "1 · The lesson one 45 minutes · 1 of 2 right · puzzles: 1 of 2 · 2 to ask again"
        " ✓ first ✗ second puzzles ○ puzzle_a ✓ puzzle_b",
        "2 · The lesson two 0 of 1 right exercises: 1 ○ only",
    ]
    page = BeautifulSoup(progress.progress_html(states, {}), "html.parser")
    bars = [bar.div["style"] for bar in page.select("[aria-hidden]")]
    assert [bar.rsplit("width:")[1] for bar in bars] == ["50%", "0%"]
    assert [fold.get_text(" ", strip=True) for fold in page.select("details")] == ["exercises: 1 ○ only"]


def tiles(states, due):
    """The tiles of the map, each as it reads."""
    found = BeautifulSoup(progress.progress_html(states, due), "html.parser").select("section")
    return [" ".join(one.get_text(" ").split()) for one in found]


def test_a_lesson_that_is_none_is_told_at_once():
    with pytest.raises(CourseError, match="no lesson is called 'x'; there are 01_weighted_sums"):
        Check().lesson("x")


def test_importing_check_loads_nothing_heavy_and_nothing_of_the_instructors():
    code = (
        "import sys; from autograder import check, load_vectors; check.lesson('03_word2vec_heatmap');"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert not {"torch", "gensim", "matplotlib", "scipy", "seaborn", "pandas"} & set(loaded)
    assert {name.split(".")[1] for name in loaded if name.startswith("autograder.")} == {"model", "student"}

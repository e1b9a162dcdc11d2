"""`check(...)` and the progress it leaves, as a student meets them in a kernel."""

from __future__ import annotations

import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.author import source
from autograder.author.kernels import PrivateSockets
from autograder.model.errors import CourseError
from autograder.student import progress
from autograder.student.checking import Check
from autograder.tests.this_course import COURSE, ROOT, find_lesson

pytestmark = pytest.mark.slow

LESSON = "01_weighted_sums"
SETUP = next(cell.text for cell in find_lesson(LESSON).cells if cell.marker == "setup")


def run(folder, *cells):
    """The outputs of cells that are run one after another in one kernel, as text."""
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    resources = {"metadata": {"path": str(folder)}}
    PrivateSockets(notebook, resources=resources, allow_errors=True, shutdown_kernel="immediate").execute()
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
    (course / progress.START).write_text(nbformat.writes(new_notebook()))
    lesson = course / LESSON
    lesson.mkdir()
    right = source.without_marks(find_lesson(LESSON).solution("softmax"))
    building = (
        "def weighted_sum(weights, vectors):\n    return weights @ pad_rows(vectors)\ncheck(weighted_sum)"
    )
    cells = {
        "setup": SETUP,
        "stub": "def softmax(x, axis=-1):\n    raise NotImplementedError\ncheck(softmax)",
        "wrong": "def softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / e.sum()\ncheck(softmax)",
        "broken": "def softmax(x, axis=-1):\n    return missing_name\ncheck(softmax)",
        "right": right + "\ncheck(softmax)",
        "unknown": "def sofmax(x): return x\ncheck(sofmax)",
        "built on nothing": building,
        "built on a stub": f"def pad_rows(vectors):\n    raise NotImplementedError\n{building}",
        "built on a mistake": f"def pad_rows(vectors):\n    return np.array([v[:1] for v in vectors])\n{building}",
        "built well": source.without_marks(find_lesson(LESSON).solution("pad_rows")) + f"\n{building}",
        "progress": "from autograder import show_progress\nshow_progress()",
    }
    return dict(zip(cells, run(lesson, *cells.values()), strict=True))


def test_a_stub_is_not_started(outputs):
    assert outputs["stub"].startswith("○ softmax")
    assert "not started" in outputs["stub"]


def test_a_wrong_answer_is_named_and_counted_by_validate(outputs):
    assert outputs["wrong"].startswith("✗ softmax")
    assert "Looks like:" in outputs["wrong"]
    assert "whole matrix" in outputs["wrong"]
    assert "stderr: softmax:" in outputs["wrong"]


def test_the_students_own_error_comes_with_their_line(outputs):
    assert "NameError" in outputs["broken"]
    assert "return missing_name" in outputs["broken"]
    assert "Traceback" not in outputs["broken"]


def test_a_right_answer_is_green_and_promises_no_more(outputs):
    assert outputs["right"].startswith("✓ softmax")
    assert "Visible checks pass. Grading tries more inputs." in outputs["right"]
    assert "stderr" not in outputs["right"]


def test_a_misspelt_name_is_one_line(outputs):
    assert outputs["unknown"].startswith("error: ✗ there is no exercise called 'sofmax' here")
    assert "Traceback" not in outputs["unknown"]


@pytest.mark.parametrize("on", ["built on nothing", "built on a stub", "built on a mistake"])
def test_a_right_answer_that_calls_a_wrong_one_is_told_which_to_mend(outputs, on):
    told = outputs[on].split("\n")
    assert told[0].startswith(("✗ weighted_sum", "○ weighted_sum"))
    assert told[1] == "  pad_rows, which this may call, is not right yet: mend it first"
    assert "stderr: weighted_sum: pad_rows, which this may call" in outputs[on]


def test_once_that_is_mended_both_are_right(outputs):
    assert outputs["built well"].startswith("✓ weighted_sum")
    assert "mend" not in outputs["built well"]


def test_progress_remembers_the_last_check(outputs):
    assert "✓ softmax" in outputs["progress"]
    assert "○ pad_rows" in outputs["progress"]


def test_progress_survives_a_damaged_file(tmp_path, monkeypatch):
    (tmp_path / progress.START).touch()
    (tmp_path / progress.FOLDER).mkdir()
    (tmp_path / progress.FOLDER / f"{LESSON}.json").write_text("[1, 2")
    monkeypatch.chdir(tmp_path)
    states = {lesson: progress._read(tmp_path, lesson) for lesson in COURSE.visible.lessons}
    assert "nothing checked yet" in progress.as_html(states)


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

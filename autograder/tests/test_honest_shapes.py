"""Right answers in odd shapes: each is graded, and a note says what was odd."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.courses import source
from autograder.demo import samples
from autograder.nbgrader_plugin.kept import graded
from autograder.sandbox import doctor
from autograder.tests.attacks import FULL, LESSON, in_gradebook
from autograder.tests.commands import run_nbgrader, run_ours
from autograder.tests.this_course import find_lesson

pytestmark = pytest.mark.slow
TRUST = "SealedKernel.allow_unsealed=True"
NAME = f"{find_lesson(LESSON).notebook}.ipynb"
USES_HELPER = "from my_helpers import SEVEN\nassert SEVEN == int(open('seven.txt').read())\n"

Notebook = dict[str, Any]


def put(path: Path, notebook: Notebook) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def below(*folders: str) -> Callable[[Path, Notebook], None]:
    """The notebook, with what it reads, lies some folders deeper."""

    def lay(folder: Path, notebook: Notebook) -> None:
        answer = next(cell for cell in notebook["cells"] if cell["id"] == "softmax")
        answer["source"] = USES_HELPER + "".join(answer["source"])
        there = folder.joinpath(*folders)
        put(there / NAME, notebook)
        (there / "my_helpers.py").write_text("SEVEN = 7\n")
        (there / "seven.txt").write_text("7")

    return lay


def whole_course(folder: Path, notebook: Notebook) -> None:
    below("attention", "course", LESSON)(folder, notebook)
    put(folder / "attention" / "course" / "02_toy_tensors" / "toy_tensors.ipynb", notebook | {"cells": []})
    put(folder / "__MACOSX" / NAME, {})


def worksheets(folder: Path, notebook: Notebook) -> None:
    """As format 3, in two sheets."""
    cells = [
        {**cell, "input": cell.pop("source")} for cell in notebook["cells"] if cell["cell_type"] == "code"
    ]
    sheets = [{"cells": cells[:9], "metadata": {}}, {"cells": cells[9:]}]
    put(folder / NAME, {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": sheets})


def answers_last(folder: Path, notebook: Notebook) -> None:
    """Each test before the answer that it is about."""
    tests = {cell["id"]: cell for cell in notebook["cells"] if cell["id"].startswith("test_")}
    others = [cell for cell in notebook["cells"] if cell["id"] not in tests]
    cells = [one for cell in others for one in (tests.get(f"test_{cell['id']}"), cell) if one]
    put(folder / NAME, notebook | {"cells": cells})


def beside_much(folder: Path, notebook: Notebook) -> None:
    put(folder / NAME, notebook)
    for name, megabytes in (("huge.csv", 200), ("large.csv", 65)):
        (folder / name).touch()
        os.truncate(folder / name, megabytes * 2**20)


def as_it_is(folder: Path, notebook: Notebook) -> None:
    put(folder / NAME, notebook)


def odd_metadata(folder: Path, notebook: Notebook) -> None:
    put(folder / NAME, notebook | {"metadata": {"language_info": {"name": 5}, "kernelspec": {"name": []}}})


DEEPER = f"{NAME} is missing: {{}}/{NAME} was graded in its place"
FIRST = "test_letter_embedding, test_predict_lost_weight, test_length_weights"
MOVED = len(find_lesson(LESSON).names("test")) - FIRST.count(",") - 1
MISPLACED = f"cells {FIRST} and {MOVED} more stood before their answers; they were moved behind them"
SHAPES: dict[str, tuple[Callable[[Path, Notebook], None], list[str]]] = {
    "amy[1]": (as_it_is, []),
    "a*b?": (as_it_is, []),
    "b+c; d, e": (as_it_is, []),
    "c\u2028d": (as_it_is, []),
    "d{student}%s": (as_it_is, []),
    "deeper": (below(LESSON), [DEEPER.format(LESSON)]),
    "beside_much": (beside_much, ["huge.csv, large.csv are more than there is room for: left out"]),
    "odd_metadata": (odd_metadata, []),
    "answers_last": (answers_last, [MISPLACED]),
    "unzipped": (below("Ada's work (1)"), [DEEPER.format("Ada's work (1)")]),
    "whole_course": (whole_course, [DEEPER.format(f"attention/course/{LESSON}")]),
    "worksheets": (worksheets, []),
}


@pytest.fixture(scope="module")
def course(make_course) -> Path:
    folder, release = make_course(LESSON)
    answers = {name: source.without_marks(find_lesson(LESSON).solution(name)) for name in FULL}
    right = samples.filled(release.read_text(), answers)
    for student, (lay, _) in SHAPES.items():
        lay(folder / "submitted" / student / LESSON, json.loads(right))
    trust = [] if doctor.sealable() else ["--setting", TRUST]
    run_ours("grade", LESSON, "--folder", str(folder), "--jobs", "1", *trust)
    return folder


@pytest.mark.parametrize("student", SHAPES)
def test_right_answers_have_their_points_in_whatever_shape(course: Path, student: str) -> None:
    found = graded(find_lesson(LESSON), student, course)
    assert {name: verdict.points for name, verdict in found.verdicts.items()} == FULL
    assert [note.line for note in found.notes if "UNSEALED" not in note.line] == SHAPES[student][1]


def test_all_get_a_page_and_stand_in_gradebook_and_report(course: Path) -> None:
    run_nbgrader("generate_feedback", LESSON, folder=course)
    pages = {path.parts[-3] for path in course.glob("feedback/*/*/*.html")}
    run_ours("report", "--folder", str(course))
    with (course / "reports" / f"{LESSON}.csv").open(encoding="utf-8-sig", newline="") as file:
        reported = {row["student"] for row in csv.DictReader(file)}
    assert pages == set(in_gradebook(course)) == set(SHAPES)
    assert reported == {student.replace("\u2028", r"\u2028") for student in SHAPES}


def test_no_more_than_64_mb_is_copied_beside_a_notebook(course: Path) -> None:
    files = (course / "autograded" / "beside_much").rglob("*.csv")
    assert sum(path.stat().st_size for path in files) <= 64 * 2**20


@pytest.mark.parametrize("student", ["amy[1]", "deeper", "answers_last"])
def test_nbgrader_s_own_command_grades_them_too(course: Path, student: str) -> None:
    trust = [] if doctor.sealable() else [f"--{TRUST}"]
    run_nbgrader("autograde", LESSON, "--force", f"--student={student}", *trust, folder=course)
    assert in_gradebook(course)[student] == sum(FULL.values())

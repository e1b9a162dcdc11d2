"""An answer earns the same wherever it stands in what is handed in.

It is handed in as usual and in four other ways: with all metadata dropped; without cell ids as well; as `-Copy1` beside
the untouched release; and in a cell of its own below the untouched one. Points are compared, and zero points for
changed work are counted that no line under *Look at it* tells.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.answers import corpus
from autograder.classroom.hand_out import released_cells
from autograder.courses import Lesson
from autograder.execution.notebook_cells import grade_id_of
from autograder.execution.notes import Weight
from autograder.records import record_store
from autograder.tests.commands import run_ours
from autograder.tests.grading import TRUST
from autograder.tests.this_course import find_lesson

Texts = Mapping[str, str]
"""Answers, by the grade ids of their cells."""

Files = dict[str, NotebookNode]
"""What is handed in: notebooks by their names."""


def as_usual(lesson: Lesson, texts: Texts) -> Files:
    """Hand in answers in the lesson's own cells."""
    notebook = nbformat.read(lesson.released, as_version=4)
    for cell in notebook.cells:
        cell.source = texts.get(grade_id_of(cell), cell.source)
    return {lesson.released.name: notebook}


def without_metadata(lesson: Lesson, texts: Texts) -> Files:
    """Hand them in from an editor that drops all metadata of cells."""
    files = as_usual(lesson, texts)
    for cell in files[lesson.released.name].cells:
        cell.metadata = NotebookNode()
    return files


def without_ids(lesson: Lesson, texts: Texts) -> Files:
    """Hand them in from an editor that also writes an old format, in which cells have no ids."""
    files = without_metadata(lesson, texts)
    for cell in files[lesson.released.name].cells:
        del cell["id"]
    files[lesson.released.name].nbformat_minor = 4
    return files


def as_copy(lesson: Lesson, texts: Texts) -> Files:
    """Hand them in as a copy beside the untouched release."""
    (work,), (untouched,) = as_usual(lesson, texts).values(), as_usual(lesson, {}).values()
    return {lesson.released.name: untouched, f"{lesson.released.stem}-Copy1.ipynb": work}


def in_own_cells(lesson: Lesson, texts: Texts) -> Files:
    """Hand each in, in a cell of its own below the untouched one."""
    files = as_usual(lesson, {})
    cells = files[lesson.released.name].cells
    for place in reversed(range(len(cells))):
        if text := texts.get(grade_id_of(cells[place])):
            made = new_code_cell(text) if cells[place].cell_type == "code" else new_markdown_cell(text)
            cells.insert(place + 1, made)
    return files


WAYS: Sequence[Callable[[Lesson, Texts], Files]] = (without_metadata, without_ids, as_copy, in_own_cells)


def hidden_zeros(lesson: Lesson, folder: Path, student: str) -> list[str]:
    """Return the exercises whose 0 points for changed work stand in no line under *Look at it*."""
    outcome = record_store.load_record(lesson, student, folder)
    told = {name for note in outcome.notes if note.weight is Weight.LOOK for name in note.names}
    release = released_cells(lesson)
    return [
        name
        for name, verdict in outcome.verdicts.items()
        if not verdict.points and outcome.code[name].strip() != release[name].source.strip()
        if name not in told
    ]


def graded(lesson: Lesson, folder: Path, answers: Texts) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Hand answers in in every way, grade a class of these, and return the points by way, and what is amiss."""
    run_ours("hand-out", lesson.id, "--class", str(folder))
    for way in (as_usual, *WAYS):
        place = folder / "submitted" / way.__name__ / lesson.id
        place.mkdir(parents=True)
        for name, notebook in way(lesson, answers).items():
            (place / name).write_text(json.dumps(notebook), encoding="utf-8")
    run_ours("grade", lesson.id, "--class", str(folder), "--jobs", "2", *TRUST)
    points, amiss = dict[str, dict[str, float]](), list[str]()
    for way in (name.__name__ for name in (as_usual, *WAYS)):
        verdicts = record_store.load_record(lesson, way, folder).verdicts
        points[way] = {name: verdict.points for name, verdict in verdicts.items()}
        amiss += [
            f"{way}: 0 points for {name} stand in no line" for name in hidden_zeros(lesson, folder, way)
        ]
        if points[way] != points["as_usual"]:
            amiss.append(f"{way}: {points[way]}, as usual {points['as_usual']}")
    return points, amiss


@pytest.mark.parametrize("right", [True, False])
def test_points_are_the_same_and_no_zero_is_silent(right, tmp_path):
    lesson = find_lesson("01_weighted_sums")
    answers = [answer for answer in corpus.answers(lesson) if answer.right == right]
    first = {answer.exercise: answer.code for answer in reversed(answers)}
    points, amiss = graded(lesson, tmp_path, first)
    assert amiss == []
    assert (sum(points["as_copy"].values()) == sum(exercise.points for exercise in lesson.graded)) == right

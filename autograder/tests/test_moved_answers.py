"""An answer earns the same wherever it stands in what is handed in.

It is handed in as usual and in four other ways: with all metadata dropped; without cell ids as well; as `-Copy1` beside
the untouched release; and in a cell of its own below the untouched one. After reading, the notebook that runs has to be
the same one; where it is not, a line has to stand under *Look at it*. Of one lesson some are also graded, all the way:
points are compared, and zero points for changed work are counted that no line under *Look at it* tells.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.answers import corpus
from autograder.classroom.hand_out import released_cells
from autograder.courses import Lesson
from autograder.execution.notebook_cells import grade_id_of
from autograder.execution.notes import Note, Weight
from autograder.records import record_store
from autograder.submissions.restore_cells import read_and_restore
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
    (files,) = [as_usual(lesson, texts)]
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


@dataclass(frozen=True)
class Read:
    """What runs of a submission: its cells, and the notes on it."""

    cells: Sequence[tuple[str, str, str]]
    notes: Sequence[Note]

    @property
    def looked_at(self) -> set[str]:
        """The names in lines under *Look at it*."""
        return {name for note in self.notes if note.weight is not Weight.HARMLESS for name in note.names}


_release = functools.cache(released_cells)


def read(lesson: Lesson, files: Files, folder: Path) -> Read:
    """Hand files in, in an empty folder, and read them as grading does."""
    for path in folder.glob("*"):
        path.unlink()
    for name, notebook in files.items():
        (folder / name).write_text(json.dumps(notebook), encoding="utf-8")
    layout = _release(lesson)
    master = {name: cell for name, cell in layout.items() if "nbgrader" in cell.metadata}
    notebook, notes = read_and_restore(str(folder / lesson.released.name), master, [layout], layout)
    return Read([(grade_id_of(cell), cell.cell_type, cell.source.strip()) for cell in notebook.cells], notes)


def complaints(lesson: Lesson, texts: Texts, folder: Path) -> Iterator[str]:
    """Yield each answer and way in which it becomes another notebook than usual, and no line says so.

    All of them are tried in one notebook, and one by one where that becomes another.
    """
    usual = read(lesson, as_usual(lesson, texts), folder)
    for way in WAYS:
        moved = read(lesson, way(lesson, texts), folder)
        if moved.cells == usual.cells or {*texts} <= moved.looked_at:
            continue
        if len(texts) == 1:
            yield f"{', '.join(texts)}, {way.__name__}: {[*texts.values()]}"
        else:
            for exercise, code in texts.items():
                yield from complaints(lesson, {exercise: code}, folder)
            return


def hidden_zeros(lesson: Lesson, folder: Path, student: str) -> list[str]:
    """Return the exercises whose 0 points for changed work stand in no line under *Look at it*."""
    outcome = record_store.load_record(lesson, student, folder)
    told = {name for note in outcome.notes if note.weight is Weight.LOOK for name in note.names}
    release = _release(lesson)
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


def drawn(answers: Sequence[corpus.Answer]) -> Iterator[dict[str, str]]:
    """Yield these answers, one to each exercise at a time."""
    by_exercise: dict[str, list[str]] = {}
    for answer in answers:
        by_exercise.setdefault(answer.exercise, []).append(answer.code)
    for number in range(max(map(len, by_exercise.values()))):
        yield {exercise: codes[number] for exercise, codes in by_exercise.items() if number < len(codes)}


@pytest.mark.parametrize("lesson", ["02_toy_tensors", "06_masks_and_heads"])
def test_the_same_notebook_runs_however_an_answer_is_handed_in(lesson, tmp_path):
    of = find_lesson(lesson)
    for texts in drawn(corpus.answers(of)[::10]):
        assert not [*complaints(of, texts, tmp_path)]


@pytest.mark.parametrize("right", [True, False])
def test_points_are_the_same_and_no_zero_is_silent(right, tmp_path):
    lesson = find_lesson("01_weighted_sums")
    answers = [answer for answer in corpus.answers(lesson) if answer.right == right]
    points, amiss = graded(lesson, tmp_path, next(drawn(answers)))
    assert amiss == []
    assert (sum(points["as_copy"].values()) == sum(exercise.points for exercise in lesson.graded)) == right

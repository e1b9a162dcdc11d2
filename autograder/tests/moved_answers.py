"""Whether an answer earns the same wherever it stands in what is handed in.

`python -m autograder.tests.moved_answers [lesson …]` hands every answer of the corpus in as usual and in four other
ways: with all metadata dropped; without cell ids as well; as `-Copy1` beside the untouched release; and in a cell of
its own below the untouched one. After reading, the notebook that runs has to be the same one. Then the points are too.
Where it is not, a line has to stand under *Look at it*. Of each lesson some are also graded, all the way. Points
are compared, and zero points for changed work are counted that no line under *Look at it* tells.
"""

from __future__ import annotations

import functools
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.author import corpus
from autograder.courses import Lesson
from autograder.model.notes import Note, Weight
from autograder.nbgrader_plugin import store
from autograder.nbgrader_plugin.releasing import released_cells
from autograder.nbgrader_plugin.restoring import restored
from autograder.sandbox.cells import grade_id_of
from autograder.tests.commands import run_ours
from autograder.tests.grading import TRUST
from autograder.tests.this_course import lessons

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


@functools.cache
def _release(lesson: Lesson) -> dict[str, NotebookNode]:
    return released_cells(lesson)


def read(lesson: Lesson, files: Files, folder: Path) -> Read:
    """Hand files in, in an empty folder, and read them as grading does."""
    for path in folder.glob("*"):
        path.unlink()
    for name, notebook in files.items():
        (folder / name).write_text(json.dumps(notebook), encoding="utf-8")
    layout = _release(lesson)
    master = {name: cell for name, cell in layout.items() if "nbgrader" in cell.metadata}
    notebook, notes = restored(str(folder / lesson.released.name), master, [layout], layout)
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
    outcome = store.load_record(lesson, student, folder)
    told = {name for note in outcome.notes if note.weight is Weight.LOOK for name in note.names}
    release = _release(lesson)
    return [
        name
        for name, verdict in outcome.verdicts.items()
        if not verdict.points and outcome.code[name].strip() != release[name].source.strip()
        if name not in told
    ]


@dataclass(frozen=True)
class Grading:
    """Points by exercise, by the way of handing in, of answers that were graded all the way; and what is amiss."""

    points: Mapping[str, Mapping[str, float]]
    amiss: Sequence[str]


def graded(lesson: Lesson, folder: Path, answers: Texts) -> Grading:
    """Hand answers in in every way, and grade a class of these."""
    run_ours("hand-out", lesson.id, "--folder", str(folder))
    for way in (as_usual, *WAYS):
        there = folder / "submitted" / way.__name__ / lesson.id
        there.mkdir(parents=True)
        for name, notebook in way(lesson, answers).items():
            (there / name).write_text(json.dumps(notebook), encoding="utf-8")
    run_ours("grade", lesson.id, "--folder", str(folder), "--jobs", "2", *TRUST)
    points, amiss = dict[str, dict[str, float]](), list[str]()
    for way in (as_usual, *WAYS):
        verdicts = store.load_record(lesson, way.__name__, folder).verdicts
        points[way.__name__] = {name: one.points for name, one in verdicts.items()}
        hidden = hidden_zeros(lesson, folder, way.__name__)
        amiss += [f"{way.__name__}: 0 points for {name} stand in no line" for name in hidden]
        if points[way.__name__] != points[as_usual.__name__]:
            amiss.append(f"{way.__name__}: {points[way.__name__]}, as usual {points[as_usual.__name__]}")
    return Grading(points, amiss)


def drawn(answers: Sequence[corpus.Answer]) -> Iterator[dict[str, str]]:
    """Yield these answers, one to each exercise at a time."""
    by_exercise: dict[str, list[str]] = {}
    for answer in answers:
        by_exercise.setdefault(answer.exercise, []).append(answer.code)
    for number in range(max(map(len, by_exercise.values()))):
        yield {exercise: codes[number] for exercise, codes in by_exercise.items() if number < len(codes)}


def main(wanted: Iterable[str]) -> int:
    """Print what is amiss, and counts; 1 where anything is."""
    counts, began = Counter[str](), time.monotonic()
    for lesson in [one for one in lessons() if one.id in wanted or not wanted]:
        answers = corpus.answers(lesson)
        counts["answers"] += len(answers)
        amiss = list[str]()
        for texts in drawn(answers):
            with TemporaryDirectory() as place:
                amiss += complaints(lesson, texts, Path(place))
        for right in (True, False):
            with TemporaryDirectory() as place:
                some = next(drawn([one for one in answers if one.right == right]))
                made = graded(lesson, Path(place), some)
            counts["graded"] += len(made.points)
            amiss += made.amiss
        counts["amiss"] += len(amiss)
        print(*(f"✗ {lesson.id}  {one}" for one in amiss), sep="\n", end="\n" if amiss else "")
        minutes = (time.monotonic() - began) / 60
        print(f"{lesson.id}: {dict(counts)} so far, {minutes:.1f} minutes", flush=True)
    return int(counts["amiss"] > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

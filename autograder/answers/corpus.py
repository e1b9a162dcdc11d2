"""The corpus: right and wrong answers to exercises, as students write them. The judge is measured by it.

`solutions/<lesson>/answers/<exercise>.py` is a percent file, one answer a cell. Its header says what it is:

    # %% right="loop and append"
    # %% mistake="plain mean instead of weights" style="np.full"
    # %% unlisted="nothing returned"
    # %% unlisted="one draw, and a deviation" true="deviation instead of variance"

`style` says in a few words how it is written, and is unique within the exercise; for a right answer, and for a mistake
that no row of the list of misconceptions foresees, it is the value itself. `true` holds names, parted by semicolons,
that would be true of it as well. A text cell with a heading (`# %% [markdown]`, `# ## From the wild`) says where the
answers below it come from. An answer that differs little from an earlier one, `of="its style"`, is written as what
changes: lines taken out begin with `# - `, those put in their place with `# + `. They are written independently of the
wrong answers from which the judge names mistakes.

The other solutions that a right answer unlocks (`autograder/answers/locked_solutions.py`) are described here, too:
`buys` behind a right answer's style, in a line, puts it there; one cell asks what would come of a change, prints that,
and says why it does:

    # %% right="einsum" buys="the axes have names, and no transpose is left to forget"
    # %% what_if="every key were the same?" because="equal scores share out equally"

A verdict on a listed mistake may cross only the criteria that its wrong answers in the judging module break. Where an
answer breaks others as well, one cell says which, by the beginnings of their titles; `try` proposes its lines:

    # %% crosses="of each mistake"
    # no shift by the maximum -> the shares of huge scores; rows thousands apart
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any

import jupytext
from nbformat import NotebookNode

from autograder.courses import Lesson
from autograder.exercises import public_course
from autograder.exercises.errors import CourseError
from autograder.judging import reference

KINDS = ("right", "mistake", "unlisted")


@dataclass(frozen=True)
class Answer:
    """One answer to one exercise.

    code: the student's cell, below the lesson's imports; it may call earlier answers.
    misconception: for a listed mistake, the name it must get.
    row: the row or the accepted form of the list that it stands for, where that is not `misconception`.
    true: the names that are true of it, `misconception` among them.
    buys: of a right answer that is among the other solutions, its advantage.
    """

    exercise: str
    style: str
    code: str
    misconception: str = ""
    right: bool = False
    row: str = ""
    true: tuple[str, ...] = ()
    buys: str = ""


@dataclass(frozen=True)
class WhatIf:
    """A question about a change to a right answer, code that prints the outcome, and the reason for it."""

    question: str
    code: str
    because: str


def answers(lesson: Lesson) -> tuple[Answer, ...]:
    """Return a lesson's answers, in the order of its exercises."""
    return tuple(answer for exercise in lesson.names("test") for answer in answers_to(lesson, exercise))


@functools.cache
def answers_to(lesson: Lesson, exercise: str) -> tuple[Answer, ...]:
    """Return a lesson's answers to one of its exercises."""
    return read_answers(lesson.answers(exercise))


def answered_namespace(lesson: Lesson, code: str) -> dict[str, Any]:
    """Return the namespace of a notebook with this answer to one exercise and right answers to the others."""
    names = {**reference.load_namespace(lesson), "__name__": "__main__"}
    with public_course.use_course(lesson.course.visible):
        exec(compile(code, "<an answer>", "exec"), names)
    return names


@functools.cache
def crosses(lesson: Lesson, exercise: str) -> Mapping[str, tuple[str, ...]]:
    """Return the declared beginnings of the titles of the criteria that a mistake breaks, by its name."""
    texts = [cell.source for cell in _cells(lesson.answers(exercise)) if "crosses" in cell.metadata]
    lines = (line[2:].partition(" ->") for text in texts for line in text.splitlines())
    return {name: tuple(filter(None, titles.strip().split("; "))) for name, _, titles in lines}


@functools.cache
def what_if(lesson: Lesson, exercise: str) -> WhatIf | None:
    """Return an exercise's "what if" question; None where there is none."""
    for cell in _cells(lesson.answers(exercise)):
        if "what_if" in cell.metadata:
            return WhatIf(cell.metadata["what_if"], cell.source, cell.metadata.get("because", ""))
    return None


def _cells(path: Path) -> list[NotebookNode]:
    return jupytext.read(path, fmt="py:percent").cells if path.is_file() else []


def read_answers(path: Path) -> tuple[Answer, ...]:
    """Return the answers in a file.

    Raises:
        CourseError: A cell is not an answer.
    """
    exercise, answers = path.stem, dict[str, Answer]()
    for cell in _cells(path):
        header, code = cell.metadata, cell.source
        if cell.cell_type == "markdown" or "crosses" in header or "what_if" in header:
            continue
        kinds = [kind for kind in KINDS if kind in header]
        if len(kinds) != 1:
            raise CourseError(f"{path}: begin each cell with one of {', '.join(KINDS)}; found {dict(header)}")
        mistake = header.get("mistake", "")
        style = header.get("style", "") if mistake else header[kinds[0]]
        if style in answers:
            raise CourseError(f"{path}: two answers are called {style!r}")
        if "of" in header:
            if header["of"] not in answers:
                raise CourseError(f"{path}, {style!r}: no earlier answer is called {header['of']!r}")
            code = _changed(answers[header["of"]].code, code, f"{path}, {style!r}")
        names = map(str.strip, f"{mistake};{header.get('true', '')}".split(";"))
        row, true, buys = header.get("row", ""), tuple(filter(None, names)), header.get("buys", "")
        answers[style] = Answer(exercise, style, code, mistake, "right" in header, row, true, buys)
    return tuple(answers.values())


def _changed(code: str, changes: str, where: str) -> str:
    """Return the code after changes, each a run of lines to find and a run of lines to put there instead."""
    groups = groupby(changes.splitlines(), lambda line: line[:4])
    runs = [(mark, [line[4:] for line in lines]) for mark, lines in groups]
    for (removed_mark, old), (added_mark, new) in zip_longest(runs[::2], runs[1::2], fillvalue=("# + ", [])):
        if (removed_mark, added_mark) != ("# - ", "# + "):
            raise CourseError(f"{where}: begin lines taken out with '# - ', and lines put there with '# + '")
        lines = code.splitlines()
        places = [i for i in range(len(lines)) if lines[i : i + len(old)] == old]
        if len(places) != 1:
            raise CourseError(f"{where}: {old} stands {len(places)} times in the answer that it changes")
        lines[places[0] : places[0] + len(old)] = new
        code = "\n".join(lines)
    return code

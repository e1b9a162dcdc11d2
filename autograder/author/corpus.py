"""Right and wrong answers to exercises, as students write them: what the judge is measured by.

`solutions/<lesson>/<exercise>_answers.py` is a percent file, one answer a cell. Its header says what it is:

    # %% right="loop and append"
    # %% mistake="plain mean instead of weights" style="np.full"
    # %% unlisted="nothing returned"

`style` says in a few words how it is written, and is unique within the exercise; for a right answer, and for a mistake
that no row of the list of misconceptions foresees, it is the value itself. `row` is the row or the accepted form that
the answer stands for, where that is not its mistake. An answer that differs little from an earlier one,
`of="its style"`, is written as what changes: lines taken out begin with `# - `, those put in their place with `# + `.

They are written independently of the wrong answers from which the judge names mistakes.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import jupytext

from autograder.author.course import Lesson
from autograder.model.errors import CourseError

KINDS = ("right", "mistake", "unlisted")


@dataclass(frozen=True)
class Answer:
    """One answer to one exercise.

    exercise: its id; style: how it is written, in a few words; code: the student's cell, as they would write it below
    the lesson's imports; it may call earlier answers.
    misconception: for a listed mistake, the name it must get.
    right: whether it is a right answer; what is neither right nor a misconception is a mistake that no row lists.
    row: which row or accepted form of the list of misconceptions it stands for, where that is not `misconception`.
    """

    exercise: str
    style: str
    code: str
    misconception: str = ""
    right: bool = False
    row: str = ""


@functools.cache
def answers(lesson: Lesson) -> tuple[Answer, ...]:
    """A lesson's answers, in the order of its exercises."""
    paths = (lesson.folder / f"{exercise.id}_answers.py" for exercise in lesson.exercises)
    return tuple(answer for path in paths if path.is_file() for answer in read(path))


def read(path: Path) -> tuple[Answer, ...]:
    """The answers in a file. Raises `CourseError` for a cell that is none."""
    exercise = path.stem.removesuffix("_answers")
    found: dict[str, Answer] = {}
    for cell in jupytext.read(path, fmt="py:percent").cells:
        answer = _answer(path, exercise, cell["metadata"], cell["source"], found)
        if answer.style in found:
            raise CourseError(f"{path}: two answers are called {answer.style!r}")
        found[answer.style] = answer
    return tuple(found.values())


def _answer(
    path: Path, exercise: str, header: Mapping[str, str], text: str, earlier: Mapping[str, Answer]
) -> Answer:
    kinds = [kind for kind in KINDS if kind in header]
    if len(kinds) != 1:
        raise CourseError(f"{path}: begin each cell with one of {', '.join(KINDS)}; found {dict(header)}")
    kind = kinds[0]
    style = header.get("style", "") if kind == "mistake" else header[kind]
    if "of" in header:
        if header["of"] not in earlier:
            raise CourseError(f"{path}, {style!r}: no earlier answer is called {header['of']!r}")
        text = _changed(earlier[header["of"]].code, text, f"{path}, {style!r}")
    misconception = header["mistake"] if kind == "mistake" else ""
    return Answer(exercise, style, text, misconception, kind == "right", header.get("row", ""))


def _changed(code: str, changes: str, where: str) -> str:
    """The code after changes, each a run of lines to find and a run of lines to put there instead."""
    runs = [
        (mark, [line[4:] for line in lines])
        for mark, lines in groupby(changes.splitlines(), lambda line: line[:4])
    ]
    for (mark, old), (_, new) in zip(runs[::2], runs[1::2], strict=True):
        lines = code.splitlines()
        places = [i for i in range(len(lines)) if lines[i : i + len(old)] == old]
        if mark != "# - " or len(places) != 1:
            raise CourseError(f"{where}: {old} stands {len(places)} times in the answer that it changes")
        code = "\n".join([*lines[: places[0]], *new, *lines[places[0] + len(old) :]])
    return code

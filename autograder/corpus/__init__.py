"""Right and wrong answers to every exercise, as students write them: what the judge is measured by.

One module a lesson, named like its notebook, each with `ANSWERS`. They are written independently of the wrong
answers in `autograder.lessons`, from which the judge names mistakes.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """One answer to one exercise.

    exercise: its id.
    style: how it is written, in a few words; unique within the exercise.
    code: the student's cell, as they would write it below the lesson's imports; it may call earlier answers.
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


def answers(lesson: str) -> tuple[Answer, ...]:
    """A lesson's answers. `lesson` is its id (`03_word2vec_heatmap`) or its notebook's name without suffix."""
    name = lesson.split("_", 1)[1] if lesson[:2].isdigit() else lesson
    found: tuple[Answer, ...] = importlib.import_module(f"{__name__}.{name}").ANSWERS
    return found


def right(exercise: str, style: str, code: str, row: str = "") -> Answer:
    """A right answer; `row` is the accepted form it stands for, if it stands for one."""
    return Answer(exercise, style, code, right=True, row=row)


def mistake(exercise: str, misconception: str, style: str, code: str, row: str = "") -> Answer:
    """A listed mistake and the name it must get."""
    return Answer(exercise, style, code, misconception=misconception, row=row)


def unlisted(exercise: str, style: str, code: str) -> Answer:
    """A mistake that no row lists: it must cost points, whatever it is called."""
    return Answer(exercise, style, code)

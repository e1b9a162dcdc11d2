"""Grades a simulated class without running a notebook: each answer of the corpus is judged once, in this process.

What it leaves in the record store has the form in which `nbgrader autograde` leaves it.
"""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path
from typing import Any

import msgspec
import nbformat
from nbformat.v4 import new_notebook

from autograder.answers import trials
from autograder.answers.corpus import Answer
from autograder.calls import runner
from autograder.execution.notes import Note
from autograder.exercises import public_course
from autograder.exercises.verdict import Verdict
from autograder.judging import judge
from autograder.submissions.cell_matching import LessonCells
from autograder.submissions.read_submission import read_submission
from autograder.tests import simulated
from autograder.tests.recorded import record
from autograder.tests.simulated import Given
from autograder.tests.this_course import COURSE, find_lesson, nameless_key

STUDENT = "amy"
"""Whose hidden cases every answer is put to."""


def graded_class(folder: Path, lesson: str, students: int, seed: int) -> dict[str, Given]:
    """Hand in and grade a simulated class in a course folder; what was drawn for whom comes back.

    Nothing counts as drawn of those whose file is damaged.
    """
    of, submitted = find_lesson(lesson), folder / "submitted"
    release = of.released
    simulated.hand_in_class(of, release, submitted, students, seed)
    drawn = simulated.simulated_class(of, students, seed)
    for student, given in drawn.items():
        _, notes = read_submission(str(submitted / student / lesson / release.name), LessonCells({}))
        if simulated.damaged(of, student, seed):
            given.update(dict.fromkeys(given))
        write_graded(folder, lesson, student, given, notes)
    return drawn


def write_graded(
    folder: Path, lesson: str, student: str, given: Given, notes: list[Note], sealed: bool = True
) -> None:
    """Write a student's autograded notebook, and what the record store has of it."""
    path = folder / "autograded" / student / lesson / find_lesson(lesson).released.name
    path.parent.mkdir(parents=True)
    (folder / "submitted" / student / lesson).mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(), path)
    kept = {"kept_notes": msgspec.to_builtins(notes), "kept_verdicts": verdicts(lesson, given)}
    record(folder, lesson, student, sealed=sealed, **kept)


def verdicts(lesson: str, given: Given, named: bool = True) -> dict[str, dict[str, Any]]:
    """As grading writes them down: one for each graded exercise. named: whether mistakes are named."""
    names = [exercise.id for exercise in find_lesson(lesson).graded]
    return {name: dataclasses.asdict(verdict(lesson, name, given.get(name), named=named)) for name in names}


@functools.cache
def verdict(lesson: str, exercise: str, answer: Answer | None, named: bool) -> Verdict:
    """The verdict on an answer, or on a TODO left as it is."""
    key_of = judge.hidden_key if named else nameless_key
    key = key_of(find_lesson(lesson), exercise, STUDENT)
    if answer is None:
        return judge.judge(key, (runner.Answers(runner.NOT_STARTED),))
    names = trials.answered(find_lesson(lesson), answer)
    if named:
        return judge.judge_in_process(find_lesson(lesson), key, names)
    with public_course.use_course(COURSE.visible):
        return judge.judge(key, (runner.ask_all(runner.Question(exercise, key.values, key.cases), names),))

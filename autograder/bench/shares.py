"""Where the processor time of one more submission goes.

`python -m autograder.bench.shares <course folder>` grades what was handed in there, one after the other, and prints
one JSON object: by lesson, the mean processor seconds of each part of a submission after the first two.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from autograder import judge
from autograder.batch import converter, grade
from autograder.batch.engines import Inline
from autograder.batch.jobs import Job
from autograder.batch.progress import Telling
from autograder.bench import course
from autograder.bench.meter import PR_SET_CHILD_SUBREAPER

ROOM, TALK, CASES, JUDGE, AROUND = "in the room", "talking with it", "hidden cases", "judging", "nbgrader"
PARTS = (ROOM, TALK, CASES, JUDGE, AROUND)
UNCOUNTED = 2
"""Submissions at the start, for which things are made that later ones use."""

Result = TypeVar("Result")
spent = dict.fromkeys((ROOM, TALK, CASES, JUDGE), 0.0)


def main(folder: Path) -> None:
    """Measure every lesson."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for part, name in ((CASES, "hidden_key"), (JUDGE, "judge")):
        setattr(judge, name, _timed(part, getattr(judge, name)))
    measured = course()
    app = grade.nbgrader(measured, folder, [])
    os.chdir(folder)
    found = {}
    for lesson in measured.lessons:
        app.coursedir.assignment_id = lesson.id
        marks: list[Mapping[str, float]] = []
        many = converter.GradeMany(coursedir=app.coursedir, parent=app, force=True)
        many.lesson = lesson
        many.grade(_Measured(measured.visible), functools.partial(_Marking, marks))
        found[lesson.id] = _means(marks)
    json.dump(found, sys.stdout)


def _means(marks: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """What each part took of a submission, from what had been spent at the end of each."""
    first, last, number = marks[UNCOUNTED - 1], marks[-1], len(marks) - UNCOUNTED
    parts = {part: (last[part] - first[part]) / number for part in PARTS}
    parts[AROUND] -= parts[TALK] + parts[CASES] + parts[JUDGE]
    return parts


def _timed(part: str, function: Callable[..., Result]) -> Callable[..., Result]:
    @functools.wraps(function)
    def timed(*arguments: Any, **keywords: Any) -> Result:
        begun = time.process_time()
        try:
            return function(*arguments, **keywords)
        finally:
            spent[part] += time.process_time() - begun

    return timed


class _Measured(Inline):
    def submit(self, name: str, job: Job) -> None:
        before = _of_children()
        _timed(TALK, super().submit)(name, job)
        spent[ROOM] += _of_children() - before


class _Marking(Telling):
    def __init__(self, marks: list[Mapping[str, float]], total: int) -> None:
        super().__init__("", total, quiet=True, console=Console(file=sys.stderr))
        self._marks = marks

    def count(self, outcome: str) -> None:
        super().count(outcome)
        self._marks.append({**spent, AROUND: time.process_time()})


def _of_children() -> float:
    """Processor seconds of what has ended below this process, which every room's processes become children of."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(Path(sys.argv[1]))

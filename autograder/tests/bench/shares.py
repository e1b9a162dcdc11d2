"""Where the processor time of one more submission goes."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder import judge
from autograder.batch import converter, engines, grade
from autograder.batch.progress import Telling
from autograder.nbgrader_plugin import grading
from autograder.nbgrader_plugin.grading import GradedFile, Job, Refused, grade_submission
from autograder.sandbox import limited, warm
from autograder.sandbox.limited import Outcome
from autograder.tests.bench import course, meter

ROOM, TALK, CASES, JUDGE = "in the room", "talking with it", "hidden cases", "judging"
FILES, COORDINATOR = "its files", "the coordinator"
UNCOUNTED = 2
"""Submissions at the start, for which things are made that later ones use."""

spent = dict.fromkeys((ROOM, TALK, CASES, JUDGE, FILES), 0.0)


def measure(folder: str) -> dict[str, dict[str, float]]:
    """Grade what was handed in in a course's folder, one submission after the other.

    By lesson, the mean processor seconds of each part of a submission after the first two come back.
    """
    meter.adopt_orphans()
    for module, name, measured in (
        (judge, "hidden_key", _timed(CASES)(judge.hidden_key)),
        (judge, "judge", _timed(JUDGE)(judge.judge)),
        (engines, "grade_submission", _measured),
        (grading, "_read", _timed(FILES)(grading._read)),
        (grading, "_written", _timed(FILES)(grading._written)),
        (limited, "run", _here),
        (limited, "allow", lambda *_: None),
    ):
        setattr(module, name, measured)
    here = course()
    app = grade.autograde_app(here, Path(folder), [])
    os.chdir(folder)
    found = {}
    for lesson in here.lessons:
        marks: list[Mapping[str, float]] = []
        warm.start(here.visible)
        with engines.local(1) as engine:
            converter.GradeMany.of(lesson, app, force=True).grade(engine, functools.partial(_Marking, marks))
        found[lesson.id] = _means(marks)
    return found


def _means(marks: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """What each part took of a submission, from what had been spent at the end of each."""
    first, last, number = marks[UNCOUNTED - 1], marks[-1], len(marks) - UNCOUNTED
    parts = {part: (last[part] - first[part]) / number for part in last}
    parts[TALK] -= parts[CASES] + parts[JUDGE] + parts[FILES]
    return parts


@contextlib.contextmanager
def _timed(part: str) -> Iterator[None]:
    """Adds what is spent inside, or by the function that this decorates, to a part."""
    begun = time.thread_time()
    try:
        yield
    finally:
        spent[part] += time.thread_time() - begun


def _here(
    function: Callable[..., Iterator[Any]], calls: Sequence[Any], *, attend: Any = None, **_: Any
) -> list[Outcome]:
    """Run as `limited.run` does, in the thread that waits for it."""
    limited.ask = attend
    return [Outcome([limited._line(value) for value in function(*arguments)]) for arguments in calls]


def _measured(job: Job) -> GradedFile | Refused:
    """`run`; the rooms' processes become this process's children."""
    before = meter.waited_for(0)
    with _timed(TALK):
        finished = grade_submission(job)
    spent[ROOM] += meter.waited_for(0) - before
    return finished


class _Marking(Telling):
    def __init__(self, marks: list[Mapping[str, float]], total: int, known: Sequence[str]) -> None:
        super().__init__("", total, known, quiet=True, console=Console(file=sys.stderr))
        self._marks = marks

    def count(self, outcome: str) -> None:
        super().count(outcome)
        self._marks.append({**spent, COORDINATOR: time.thread_time()})

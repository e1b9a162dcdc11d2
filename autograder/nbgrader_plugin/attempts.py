"""Earlier attempts: what work earned is written down before other work of the same student is graded in its place.

nbgrader's gradebook holds one submission a student and lesson. Here each gets a file of lines, beside the gradebook;
a line is only ever added, so that no interruption loses one. What could not be graded gets a line too, with the reason:
it takes no grade's place.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import msgspec
from nbgrader.coursedir import CourseDirectory

from autograder.model.notes import Note
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin import folders, kept
from autograder.nbgrader_plugin.gradebook import read_earned


@dataclass(frozen=True)
class PastAnswer:
    """How an answer was judged: `misconception` and `looks_like` as in the verdict; next_step: where it was wrong."""

    state: State
    misconception: str = ""
    looks_like: str = ""
    next_step: str = ""

    @classmethod
    def of(cls, verdict: Verdict) -> PastAnswer:
        """What of a verdict is kept."""
        wrong = verdict.state is State.WRONG
        return cls(
            verdict.state, verdict.misconception, verdict.looks_like, verdict.next_step if wrong else ""
        )


@dataclass(frozen=True)
class Attempt:
    """What was handed in at one time.

    work: the digest of its files; handed_in: in UTC, as ISO 8601 says it, empty where there was no time stamp.
    points: as in the gradebook, less what was taken off for being late; waiting: whether answers had not been read yet;
    problem: why nothing of it could be graded, if so.
    put_away: when other work was to be graded in its place, as `handed_in`; answers: by exercise. Earlier versions of
    the grader wrote neither.
    """

    work: str
    handed_in: str
    points: float
    max_points: float
    waiting: bool
    put_away: str = ""
    answers: Mapping[str, PastAnswer] = field(default_factory=dict)
    problem: Note | None = None

    @property
    def when(self) -> datetime | None:
        """When it was handed in, if that is known."""
        return datetime.fromisoformat(self.handed_in) if self.handed_in else None


@dataclass(frozen=True)
class Refusal:
    """What was handed in and could not be graded. work: the digest of its files; problem: why, empty once it could."""

    work: str
    problem: tuple[Note, ...]


def put_away(course: CourseDirectory, lesson: str, student: str) -> None:
    """Write down what a student's graded work earned: it goes, or other work is graded in its place."""
    graded = kept.outcome_of(course, lesson, student)
    found = read_earned(course, lesson, student).get(student)
    if found is None or not graded.work:
        return
    attempt = Attempt(
        graded.work,
        found.handed_in.isoformat() if found.handed_in else "",
        found.points,
        found.most,
        found.waiting > 0,
        datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="seconds"),
        {} if graded.refused else {name: PastAnswer.of(one) for name, one in graded.verdicts.items()},
        graded.refused,
    )
    _add(_path(course, lesson, student), attempt)


def refuse(course: CourseDirectory, lesson: str, student: str, problem: Sequence[Note]) -> None:
    """Write down that what a student handed in could not be graded, or, without a problem, that now it could."""
    path = _path(course, lesson, student)
    last = _last_refusal(path)
    if not problem and not last.problem:
        return
    refusal = Refusal(_handed_in(course, lesson, student), tuple(problem))
    if refusal != last:
        _add(path, refusal)


def problem(course: CourseDirectory, lesson: str, student: str, graded: str | None = None) -> Note | None:
    """Why what a student handed in could not be graded, as it lies there now.

    graded: the digest of graded work, of which nothing is said.
    """
    last = _last_refusal(_path(course, lesson, student))
    told = last.problem and last.work != graded and last.work == _handed_in(course, lesson, student)
    return last.problem[0] if told else None


def earlier(course: CourseDirectory, lesson: str, student: str, work: str) -> list[Attempt]:
    """A student's attempts before the graded one, whose files have the digest `work`, the oldest first."""
    lines = groupby(_read(_path(course, lesson, student), Attempt), key=lambda one: one.work)
    attempts = [list(same)[-1] for _, same in lines]  # interrupted grading may have written one down twice
    return attempts[:-1] if attempts and attempts[-1].work == work else attempts


def _handed_in(course: CourseDirectory, lesson: str, student: str) -> str:
    folder = course.format_path(course.submitted_directory, student, lesson)
    return folders.copy_work(folders.notebook_of(folder), course.ignore).digest


def _last_refusal(path: Path) -> Refusal:
    return [Refusal("", ()), *_read(path, Refusal)][-1]


def _add(path: Path, line: Attempt | Refusal) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"\n" + msgspec.json.encode(line))  # apart from a line that was cut short


_Line = TypeVar("_Line", Attempt, Refusal)


def _read(path: Path, kind: type[_Line]) -> list[_Line]:
    """What the lines of this kind say, without those that were cut short."""
    found = []
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        with contextlib.suppress(msgspec.DecodeError):
            found.append(msgspec.json.decode(line, type=kind))
    return found


def _path(course: CourseDirectory, lesson: str, student: str) -> Path:
    return Path(course.root, "attempts", lesson, f"{student}.jsonl")

"""What grading left of a lesson, as plain data: read from the autograded notebooks and nbgrader's gradebook."""

from __future__ import annotations

import functools
import glob
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from nbgrader.api import Grade, Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.courses import Course, Lesson
from autograder.model.notes import Note, NoteKind
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin import finding, kept, standing
from autograder.nbgrader_plugin.gradebook import directory_of, is_there, rows_of
from autograder.nbgrader_plugin.standing import Stage, Standing

WITH_GRADE = (Stage.WAITS, Stage.GRADED)


@dataclass(frozen=True)
class Result:
    """What a student got for an item: an exercise, or an answer in writing.

    points: None while an answer waits to be marked.
    state: "right", "wrong" or "not started"; for an answer in writing "marked"; "waiting" while it waits to be.
    misconception, looks_like, question: as in the verdict; empty where no misconception explains the answer.
    first_failing: the first line of the verdict that does not hold, or why there was nothing to judge.
    """

    student: str
    item: str
    points: float | None
    max_points: float
    state: str
    misconception: str = ""
    looks_like: str = ""
    question: str = ""
    first_failing: str = ""


@dataclass(frozen=True)
class Submission:
    """One student's graded notebook: a result for each item of the lesson, in its order; code: all their answers'."""

    student: str
    results: tuple[Result, ...]
    notes: tuple[Note, ...]
    sealed: bool
    code: str = ""

    @property
    def started(self) -> bool:
        """Whether anything was done."""
        return any(result.state != State.NOT_STARTED for result in self.results)


@dataclass(frozen=True)
class ClassRecord:
    """What students handed in of a lesson, whose items, in its order, can earn so many points at most.

    submissions: of those who have a grade; standings: of all students.
    pages: each student's feedback page, as a link from the folder of the reports.
    """

    lesson: Lesson
    items: Mapping[str, float]
    submissions: Sequence[Submission]
    standings: Sequence[Standing] = ()
    pages: Mapping[str, str] = field(default_factory=dict)

    @functools.cached_property
    def started(self) -> list[Submission]:
        return [submission for submission in self.submissions if submission.started]

    def at(self, *stages: Stage) -> list[str]:
        """The students who stand at one of these stages."""
        return [one.student for one in self.standings if one.stage in stages]

    @property
    def not_graded(self) -> list[Standing]:
        """Of those of whom something lies in `submitted/` that is not graded, though an earlier grade may stand."""
        return [one for one in self.standings if one.problem]

    def of(self, item: str) -> list[Result]:
        """The item's results of those who started."""
        position = list(self.items).index(item)
        return [submission.results[position] for submission in self.started]


class Mark(NamedTuple):
    """What the gradebook has of an answer: its score, whether that was set by hand, and whether it waits for that."""

    score: float = 0.0
    by_hand: bool = False
    waits: bool = True


_Marks = Mapping[tuple[str, str], Mark]
"""By student and grade id."""


def read_class(folder: Path, lesson: Lesson) -> ClassRecord:
    """What lies in a course folder of a lesson."""
    marks = read_marks(gradebook_of(lesson.course, folder), lesson.id)
    known = {name for _, name in marks}
    items = {exercise.id: float(exercise.points) for exercise in lesson.graded}
    for cell in lesson.cells:
        if cell.marker == "written" and cell.name in known:
            items[cell.name] = float(cell.points)
    standings, submissions, directory = [], [], directory_of(lesson.course, folder)
    for one in standing.read_standings(directory, lesson.id):
        found = _read(directory, lesson, one.student, items, marks) if one.stage in WITH_GRADE else None
        if found is not None:
            submissions.append(found)
        elif one.stage in WITH_GRADE:
            one = Standing(one.student, Stage.NOT_GRADED, None, Note(NoteKind.NOT_YET))
        standings.append(one)
    made = (path / f"{lesson.notebook}.html" for path in _folders(folder, "feedback_directory", lesson))
    pages = {page.parts[-3]: f"../{quote(str(page.relative_to(folder)))}" for page in made if page.is_file()}
    return ClassRecord(lesson, items, submissions, standings, pages)


def _read(
    directory: CourseDirectory, lesson: Lesson, student: str, items: Mapping[str, float], marks: _Marks
) -> Submission | None:
    """A graded submission; None where the grading knew other exercises."""
    outcome = kept.outcome_of(directory, lesson.id, student)
    if outcome is None or not outcome.verdicts.keys() >= {exercise.id for exercise in lesson.graded}:
        return None
    results = []
    for name, most in items.items():
        if name in outcome.verdicts:
            mark = marks.get((student, f"test_{name}"), Mark(waits=False))
            results.append(_judged(student, outcome.verdicts[name], mark))
        else:
            results.append(_marked(student, name, most, marks.get((student, name), Mark())))
    own = (code for name, code in outcome.code.items() if name in items)
    return Submission(student, tuple(results), outcome.notes, outcome.sealed, "\n".join(own))


def graded_folders(folder: Path, lesson: Lesson) -> list[Path]:
    """The folders of a lesson's autograded submissions, one a student, without those that were withdrawn."""
    there = finding.handed_in(directory_of(lesson.course, folder), lesson.id)
    return [path for path in _folders(folder, "autograded_directory", lesson) if path.parent.name in there]


def _folders(folder: Path, step: str, lesson: Lesson) -> list[Path]:
    directory = directory_of(lesson.course, folder)
    pattern = directory.format_path(getattr(directory, step), "*", lesson.id)
    return sorted(path for path in map(Path, glob.glob(pattern)) if path.is_dir())


def gradebook_of(course: Course, folder: Path) -> str:
    """Where nbgrader has the gradebook of a course folder, as a database URL."""
    return str(directory_of(course, folder).db_url)


def read_marks(db_url: str, lesson: str) -> _Marks:
    """What a gradebook has of a lesson's answers, nothing where there is no such file."""
    if not is_there(db_url):
        return {}
    with Gradebook(db_url) as gradebook:
        columns = (Grade.score, Grade.manual_score, Grade.needs_manual_grade)
        return {
            (student, name): Mark(score, by_hand is not None, waits)
            for student, name, score, by_hand, waits in rows_of(gradebook, lesson, Grade, *columns)
        }


def _judged(student: str, verdict: Verdict, mark: Mark) -> Result:
    """An exercise's result; what an instructor set by hand counts instead of the verdict's points."""
    if mark.waits:
        return Result(student, verdict.exercise, None, float(verdict.max_points), "waiting")
    return Result(
        student,
        verdict.exercise,
        mark.score if mark.by_hand else float(verdict.points),
        float(verdict.max_points),
        verdict.state,
        verdict.misconception,
        verdict.looks_like,
        verdict.question,
        verdict.next_step if verdict.state is State.WRONG else "",
    )


def _marked(student: str, written: str, most: float, mark: Mark) -> Result:
    if mark.waits:
        return Result(student, written, None, most, "waiting")
    return Result(student, written, mark.score, most, "marked" if mark.by_hand else State.NOT_STARTED)

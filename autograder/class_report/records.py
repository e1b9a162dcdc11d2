"""What grading left of a lesson, as plain data: read from the autograded notebooks and nbgrader's gradebook."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from autograder import source
from autograder.exercise import Lesson, Verdict
from autograder.lessons import find_lesson
from autograder.nbgrader_plugin.feedback_page import read_verdict
from autograder.nbgrader_plugin.reading import NOTES, Unreadable, read_notebook

UNREADABLE = ("graded as untouched", "no notebook was handed in")
"""What a note says when nothing could be read of what a student handed in."""


@dataclass(frozen=True)
class Result:
    """What a student got for an item: an exercise, or an answer in writing.

    points: None while an answer in writing waits to be marked.
    state: "right", "wrong" or "not started"; for an answer in writing "waiting" or "marked".
    misconception, looks_like, question: as in the verdict; empty where no misconception explains the answer.
    first_failing: the first line of the verdict that does not hold, or why there was nothing to judge.
    """

    item: str
    points: float | None
    max_points: float
    state: str
    misconception: str = ""
    looks_like: str = ""
    question: str = ""
    first_failing: str = ""

    @property
    def lost(self) -> float:
        return 0.0 if self.points is None else self.max_points - self.points


@dataclass(frozen=True)
class Submission:
    """One student's graded notebook: a result for each item of the lesson, in its order."""

    student: str
    results: tuple[Result, ...]
    notes: tuple[str, ...]
    sealed: bool

    @property
    def started(self) -> bool:
        """Whether anything was done."""
        return any(result.state != "not started" for result in self.results)

    @property
    def unreadable(self) -> str:
        """The note that says why nothing could be read; empty for a sound file."""
        return next((note for note in self.notes if any(words in note for words in UNREADABLE)), "")

    def of(self, item: str) -> Result:
        return next(result for result in self.results if result.item == item)


@dataclass(frozen=True)
class ClassRecord:
    """A lesson and what its students handed in.

    not_graded: the students whose submission has no grade, or one by another version of the lesson.
    """

    lesson: Lesson
    items: tuple[str, ...]
    submissions: tuple[Submission, ...]
    not_graded: tuple[str, ...] = ()

    @property
    def started(self) -> tuple[Submission, ...]:
        return tuple(submission for submission in self.submissions if submission.started)


@dataclass(frozen=True)
class Mark:
    """What the gradebook holds on a cell of a student's."""

    score: float
    by_hand: bool
    waiting: bool


Marks = Mapping[tuple[str, str], Mark]
"""By student and grade id."""


def read_class(folder: Path, lesson: str) -> ClassRecord:
    """What lies in a course folder of a lesson."""
    marks = _read_marks(_directory(folder).db_url, lesson)
    exercises = [exercise.id for exercise in find_lesson(lesson).exercises if exercise.graded]
    written = {
        cell.name: float(cell.points)
        for cell in source.read(lesson)
        if cell.marker == "written" and any(name == cell.name for _, name in marks)
    }
    graded = graded_folders(folder, lesson)
    found = [_read(path, lesson, exercises, written, marks) for path in graded]
    submissions = tuple(submission for submission in found if submission is not None)
    handed_in = [*graded, *_folders(folder, "submitted_directory", lesson)]
    not_graded = {path.parent.name for path in handed_in} - {one.student for one in submissions}
    return ClassRecord(find_lesson(lesson), (*exercises, *written), submissions, tuple(sorted(not_graded)))


def _read(
    folder: Path, lesson: str, exercises: Sequence[str], written: Mapping[str, float], marks: Marks
) -> Submission | None:
    """A graded submission; None where grading did not come to an end, or knew other exercises."""
    student = folder.parent.name
    kept = _kept(folder / f"{find_lesson(lesson).notebook}.ipynb")
    verdicts = [read_verdict(kept.get("verdicts", {}).get(exercise)) for exercise in exercises]
    judged = [
        _judged(verdict, marks.get((student, f"test_{verdict.exercise}"))) for verdict in verdicts if verdict
    ]
    if len(judged) < len(exercises):
        return None
    marked = [_marked(name, points, marks.get((student, name))) for name, points in written.items()]
    return Submission(student, (*judged, *marked), tuple(kept["notes"]), kept["sealed"])


def graded_folders(folder: Path, lesson: str) -> list[Path]:
    """The folders of a lesson's autograded submissions, one a student."""
    return _folders(folder, "autograded_directory", lesson)


def _folders(folder: Path, step: str, lesson: str) -> list[Path]:
    course = _directory(folder)
    pattern = Path(course.format_path(getattr(course, step), "*", lesson))
    return sorted(path for path in Path("/").glob(str(pattern.relative_to("/"))) if path.is_dir())


@functools.cache
def _directory(folder: Path) -> CourseDirectory:
    """nbgrader's idea of a course folder, with this repository's settings."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(source.ROOT)).load_config()
    config.CourseDirectory.root = str(folder.resolve())
    return CourseDirectory(config=config)


def _kept(path: Path) -> Mapping[str, Any]:
    """What grading wrote into a notebook; nothing where it did not come to an end."""
    try:
        return dict(read_notebook(path).metadata.get(NOTES, {}))
    except (OSError, Unreadable):
        return {}


def _read_marks(db_url: str, lesson: str) -> Marks:
    file = db_url.removeprefix("sqlite:///")
    if file != db_url and not Path(file).is_file():
        return {}  # opening it would make an empty one
    with Gradebook(db_url) as gradebook:
        return {
            (submission.student.id, grade.name): Mark(
                grade.score, grade.manual_score is not None, grade.needs_manual_grade
            )
            for submission in gradebook.assignment_submissions(lesson)
            for notebook in submission.notebooks
            for grade in notebook.grades
        }


def _judged(verdict: Verdict, mark: Mark | None) -> Result:
    """An exercise's result; what an instructor set by hand counts instead of the verdict's points."""
    failing = (line.title for line in verdict.lines if not line.passed)
    return Result(
        verdict.exercise,
        mark.score if mark and mark.by_hand else float(verdict.points),
        float(verdict.max_points),
        verdict.state,
        verdict.misconception,
        verdict.looks_like,
        verdict.question,
        next(iter(verdict.problem), "") or next(failing, "") if verdict.state == "wrong" else "",
    )


def _marked(written: str, points: float, mark: Mark | None) -> Result:
    if mark is None or mark.waiting:
        return Result(written, None, points, "waiting")
    return Result(written, mark.score, points, "marked" if mark.by_hand else "not started")

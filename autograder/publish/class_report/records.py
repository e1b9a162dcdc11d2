"""What grading left of a lesson, as plain data: read from the autograded notebooks and nbgrader's gradebook."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from autograder.author.course import Course, Lesson
from autograder.model.notes import Note, Weight
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin import outcome
from autograder.nbgrader_plugin.outcome import Outcome
from autograder.nbgrader_plugin.reading import Unreadable, read_notebook


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
    notes: tuple[Note, ...]
    sealed: bool

    @property
    def started(self) -> bool:
        """Whether anything was done."""
        return any(result.state != State.NOT_STARTED for result in self.results)

    @property
    def unreadable(self) -> Note | None:
        """The note that says why nothing could be read; None for a sound file."""
        return next((note for note in self.notes if note.weight is Weight.ASK_AGAIN), None)

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
class Grade:
    """What the gradebook holds on a cell of a student's."""

    score: float
    by_hand: bool
    waiting: bool


Grades = Mapping[tuple[str, str], Grade]
"""By student and grade id."""


def read_class(folder: Path, lesson: Lesson) -> ClassRecord:
    """What lies in a course folder of a lesson."""
    marks = _read_marks(_directory(lesson.course, folder).db_url, lesson.id)
    exercises = [exercise.id for exercise in lesson.graded]
    written = {
        cell.name: float(cell.points)
        for cell in lesson.cells
        if cell.marker == "written" and any(name == cell.name for _, name in marks)
    }
    graded = graded_folders(folder, lesson)
    found = [_read(path, lesson, exercises, written, marks) for path in graded]
    submissions = tuple(submission for submission in found if submission is not None)
    handed_in = [*graded, *_folders(folder, "submitted_directory", lesson)]
    not_graded = {path.parent.name for path in handed_in} - {one.student for one in submissions}
    return ClassRecord(lesson, (*exercises, *written), submissions, tuple(sorted(not_graded)))


def _read(
    folder: Path, lesson: Lesson, exercises: Sequence[str], written: Mapping[str, float], marks: Grades
) -> Submission | None:
    """A graded submission; None where grading did not come to an end, or knew other exercises."""
    student = folder.parent.name
    graded = _outcome(folder / f"{lesson.notebook}.ipynb")
    if graded is None or not graded.verdicts.keys() >= set(exercises):
        return None
    judged = [_judged(graded.verdicts[one], marks.get((student, f"test_{one}"))) for one in exercises]
    marked = [_marked(name, points, marks.get((student, name))) for name, points in written.items()]
    return Submission(student, (*judged, *marked), graded.notes, graded.sealed)


def graded_folders(folder: Path, lesson: Lesson) -> list[Path]:
    """The folders of a lesson's autograded submissions, one a student."""
    return _folders(folder, "autograded_directory", lesson)


def _folders(folder: Path, step: str, lesson: Lesson) -> list[Path]:
    directory = _directory(lesson.course, folder)
    pattern = Path(directory.format_path(getattr(directory, step), "*", lesson.id))
    return sorted(path for path in Path("/").glob(str(pattern.relative_to("/"))) if path.is_dir())


@functools.cache
def _directory(course: Course, folder: Path) -> CourseDirectory:
    """nbgrader's idea of a course folder, with the course's settings."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course.root)).load_config()
    config.CourseDirectory.root = str(folder.resolve())
    return CourseDirectory(config=config)


def _outcome(path: Path) -> Outcome | None:
    """What came of grading a notebook; None where there is none."""
    try:
        return outcome.read(read_notebook(path))
    except (OSError, Unreadable):
        return None


def _read_marks(db_url: str, lesson: str) -> Grades:
    file = db_url.removeprefix("sqlite:///")
    if file != db_url and not Path(file).is_file():
        return {}  # opening it would make an empty one
    with Gradebook(db_url) as gradebook:
        return {
            (submission.student.id, grade.name): Grade(
                grade.score, grade.manual_score is not None, grade.needs_manual_grade
            )
            for submission in gradebook.assignment_submissions(lesson)
            for notebook in submission.notebooks
            for grade in notebook.grades
        }


def _judged(verdict: Verdict, mark: Grade | None) -> Result:
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
        next(iter(verdict.problem), "") or next(failing, "") if verdict.state is State.WRONG else "",
    )


def _marked(written: str, points: float, mark: Grade | None) -> Result:
    if mark is None or mark.waiting:
        return Result(written, None, points, "waiting")
    return Result(written, mark.score, points, "marked" if mark.by_hand else State.NOT_STARTED)

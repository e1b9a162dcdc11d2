"""The whole chain on bundled input: release, sample submissions, autograde, feedback, and a table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.authoring.release import release, run_nbgrader_app
from autograder.authoring.scaffold import remove_made
from autograder.courses import Course, Lesson
from autograder.demo import samples
from autograder.execution.notes import Weight
from autograder.exercises.errors import CourseError
from autograder.exercises.text import shorten_path
from autograder.exercises.verdict import State, Verdict
from autograder.records import record_store
from autograder.records.record_store import GradingRecord
from autograder.sandbox import layers

LOG = "log.txt"
console = Console(highlight=False)


def grade_samples(course: Course, folder: Path) -> None:
    """Grade the sample submissions of a course in `folder`, which is made anew, and print one table a lesson.

    Raises `CourseError` where there are no samples, and where the folder holds anything but an earlier demo.
    """
    lessons = samples.lessons_with_samples(course)
    if not lessons:
        raise CourseError(f"no lesson of {course.title} has sample submissions: there is nothing to show")
    remove_made(folder, LOG)
    folder.mkdir(parents=True)
    (folder / LOG).touch()
    for lesson in lessons:
        students = _grade(lesson, folder)
        records = {student: record_store.load_record(lesson, student, folder) for student in students}
        console.print(table(lesson, records))
        for student, outcome in records.items():
            for note in outcome.notes:
                console.print(f"  {student}: {note.instructor_message}")
    pages = sorted((folder / "feedback").glob("*/*/*.html"))
    console.print(f"\nnbgrader's own log is {shorten_path(folder / LOG)}. What each student gets:")
    console.print("\n".join(f"  {shorten_path(page)}" for page in pages), soft_wrap=True)


def _grade(lesson: Lesson, folder: Path) -> list[str]:
    log = folder / LOG
    console.print(f"{lesson.id}: nbgrader generate_assignment …")
    students = samples.hand_in(lesson, release(lesson, folder, log), folder / "submitted")
    console.print(f"{lesson.id}: nbgrader autograde, {len(students)} submissions, some seconds each …")
    trust = _trust(lesson.course.command)
    for number, student in enumerate(students, start=1):
        console.print(f"  {number} of {len(students)}  {student}")
        autograde = ("autograde", lesson.id, f"--student={student}", "--force", *trust)
        run_nbgrader_app(*autograde, course=lesson.course, folder=folder, log=log)
    console.print(f"{lesson.id}: nbgrader generate_feedback …")
    run_nbgrader_app("generate_feedback", lesson.id, course=lesson.course, folder=folder, log=log)
    return students


def _trust(command: str) -> list[str]:
    """The sample submissions are our own: without a seal they may run all the same, but it is said."""
    if layers.sandbox_available():
        return []
    console.print(f"No sandbox for student code here, see `{command} doctor`: the samples run UNSEALED.")
    return ["--GradeAnswers.allow_unsealed=True"]


def table(lesson: Lesson, records: Mapping[str, GradingRecord]) -> Table:
    """A row for each student: the points, and the exercises that are not right, with the misconception named."""
    max_points = sum(exercise.points for exercise in lesson.graded)
    table = Table("student", f"of {max_points} points", "what is not right", title=lesson.id, show_lines=True)
    for student, outcome in records.items():
        verdicts = [outcome.verdicts[exercise.id] for exercise in lesson.graded]
        missing = [_named(verdict) for verdict in verdicts if verdict.state is not State.RIGHT]
        if any(note.weight is Weight.ASK_AGAIN for note in outcome.notes):
            missing = ["the file could not be read, see below"]
        table.add_row(student, str(sum(verdict.points for verdict in verdicts)), "\n".join(missing))
    return table


def _named(verdict: Verdict) -> str:
    """An exercise with the misconception that explains the answer, or what else is to be said of it."""
    message = (
        verdict.state if verdict.state is State.NOT_STARTED else verdict.misconception or "no name for it"
    )
    return f"{verdict.exercise}: {message}"

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
from autograder.exercises.verdict import State
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
        for student, record in records.items():
            for note in record.notes:
                console.print(f"  {student}: {note.instructor_message}")
    pages = sorted((folder / "feedback").glob("*/*/*.html"))
    console.print(f"\nnbgrader's own log is {shorten_path(folder / LOG)}. What each student gets:")
    console.print("\n".join(f"  {shorten_path(page)}" for page in pages), soft_wrap=True)


def _grade(lesson: Lesson, folder: Path) -> list[str]:
    log = folder / LOG
    console.print(f"{lesson.id}: nbgrader generate_assignment …")
    students = samples.hand_in(lesson, release(lesson, folder, log), folder / "submitted")
    console.print(f"{lesson.id}: nbgrader autograde, {len(students)} submissions, some seconds each …")
    trust = []
    if not layers.sandbox_available():  # the sample submissions are our own: they may run all the same
        command = f"{lesson.course.command} doctor"
        console.print(f"No sandbox for student code here, see `{command}`: the samples run UNSEALED.")
        trust = ["--GradeAnswers.allow_unsealed=True"]
    for number, student in enumerate(students, start=1):
        console.print(f"  {number} of {len(students)}  {student}")
        autograde = ("autograde", lesson.id, f"--student={student}", "--force", *trust)
        run_nbgrader_app(*autograde, course=lesson.course, folder=folder, log=log)
    console.print(f"{lesson.id}: nbgrader generate_feedback …")
    run_nbgrader_app("generate_feedback", lesson.id, course=lesson.course, folder=folder, log=log)
    return students


def table(lesson: Lesson, records: Mapping[str, GradingRecord]) -> Table:
    """Return a row for each student: the points, and what is not right, with the misconception named."""
    max_points = sum(exercise.points for exercise in lesson.graded)
    table = Table("student", f"of {max_points} points", "what is not right", title=lesson.id, show_lines=True)
    for student, record in records.items():
        verdicts = [record.verdicts[exercise.id] for exercise in lesson.graded]
        missing = list[str]()
        for verdict in verdicts:
            named = verdict.misconception or "no name for it"
            if verdict.state is not State.RIGHT:
                missing.append(
                    f"{verdict.exercise}: {named if verdict.state is State.WRONG else verdict.state}"
                )
        if any(note.weight is Weight.ASK_AGAIN for note in record.notes):
            missing = ["the file could not be read, see below"]
        table.add_row(student, str(sum(verdict.points for verdict in verdicts)), "\n".join(missing))
    return table

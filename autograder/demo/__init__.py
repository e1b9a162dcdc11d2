"""The whole chain on bundled input: release, sample submissions, autograde, feedback, and a table."""

from __future__ import annotations

import functools
import itertools
import shutil
from collections.abc import Mapping
from pathlib import Path

import nbformat
from rich.console import Console
from rich.table import Table

from autograder.author.release import link_solutions, nbgrader, release
from autograder.courses import Course, Lesson
from autograder.demo import samples
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin import kept
from autograder.nbgrader_plugin.kept import Outcome
from autograder.sandbox import doctor

console = Console(width=max(120, Console().width), highlight=False)


def main(course: Course, folder: Path) -> None:
    """Grade the sample submissions of a course in `folder`, which is made anew, and print one table a lesson."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    link_solutions(course, folder)
    for lesson in samples.lessons(course):
        students = _grade(lesson, folder)
        found = {student: graded(lesson, student, folder) for student in students}
        console.print(_table(lesson, found, folder))
        for student, outcome in found.items():
            for note in outcome.notes:
                console.print(f"  {student}: {note.line}")
    console.print(f"nbgrader's own log: {_short(folder / 'log.txt')}")


def _grade(lesson: Lesson, folder: Path) -> list[str]:
    log = folder / "log.txt"
    console.print(f"{lesson.id}: nbgrader generate_assignment …")
    students = samples.hand_in(lesson, release(lesson, folder, log), folder / "submitted")
    console.print(f"{lesson.id}: nbgrader autograde, {len(students)} submissions, some seconds each …")
    numbers = itertools.count(1)

    def tell(line: str) -> None:
        if " Autograding " in line:
            console.print(f"  {next(numbers)} of {len(students)}  {Path(line.split()[-1]).parents[1].name}")

    run = functools.partial(nbgrader, course=lesson.course, folder=folder, log=log)
    run("autograde", lesson.id, "--force", *_trust(), on_line=tell)
    console.print(f"{lesson.id}: nbgrader generate_feedback …")
    run("generate_feedback", lesson.id)
    return students


def _trust() -> list[str]:
    """The sample submissions are our own: without a seal they may run all the same, but it is said."""
    if doctor.sealable():
        return []
    console.print("This machine has no seal for student code, see `make doctor`: the samples run UNSEALED.")
    return ["--GradeAnswers.allow_unsealed=True"]


def _table(lesson: Lesson, found: Mapping[str, Outcome], folder: Path) -> Table:
    table = Table(title=f"{lesson.id}: points, and the misconception named", show_lines=True)
    table.add_column("student")
    for exercise in lesson.graded:
        table.add_column(f"{exercise.id.replace('_', ' ')}\n(of {exercise.points})")
    table.add_column(f"feedback page, under\n{_short(folder / 'feedback')}/", overflow="fold")
    for student, outcome in found.items():
        page = Path(student) / lesson.id / f"{lesson.notebook}.html"
        cells = [_cell(outcome.verdicts[exercise.id]) for exercise in lesson.graded]
        table.add_row(student, *cells, str(page) if (folder / "feedback" / page).is_file() else "none")
    return table


def graded(lesson: Lesson, student: str, folder: Path) -> Outcome:
    """The notes and verdicts that grading left in a student's autograded notebook."""
    path = folder / "autograded" / student / lesson.id / f"{lesson.notebook}.ipynb"
    return kept.read(nbformat.read(path, as_version=4))


def _cell(verdict: Verdict) -> str:
    said = verdict.state if verdict.state is State.NOT_STARTED else verdict.misconception
    return f"{verdict.points}\n{said}".strip()


def _short(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)

"""The whole chain on bundled input: release, sample submissions, autograde, feedback, and a table."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path
from typing import Any

import nbformat
from rich.console import Console
from rich.table import Table

from autograder import samples
from autograder.lessons import find_lesson
from autograder.nbgrader_plugin.reading import NOTES
from autograder.release import link_solutions, nbgrader, release
from autograder.seal import doctor
from autograder.source import ROOT

console = Console(width=max(120, Console().width), highlight=False)


def main(folder: Path) -> None:
    """Grade the sample submissions in `folder`, which is made anew, and print one table a lesson."""
    _prepare(folder)
    for lesson in samples.lessons():
        students = _grade(lesson, folder)
        console.print(_table(lesson, students, folder))
        _print_notes(lesson, students, folder)
    console.print(f"nbgrader's own log: {_short(folder / 'log.txt')}")


def _prepare(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    link_solutions(folder)


def _grade(lesson: str, folder: Path) -> list[str]:
    log = folder / "log.txt"
    console.print(f"{lesson}: nbgrader generate_assignment …")
    students = samples.hand_in(lesson, release(lesson, folder, log), folder / "submitted")
    console.print(f"{lesson}: nbgrader autograde, {len(students)} submissions, some seconds each …")
    numbers = itertools.count(1)

    def tell(line: str) -> None:
        if " Autograding " in line:
            console.print(f"  {next(numbers)} of {len(students)}  {Path(line.split()[-1]).parents[1].name}")

    nbgrader("autograde", lesson, "--force", *_trust(), course=folder, log=log, on_line=tell)
    console.print(f"{lesson}: nbgrader generate_feedback …")
    nbgrader("generate_feedback", lesson, course=folder, log=log)
    return students


def _trust() -> list[str]:
    """The sample submissions are our own: without a seal they may run all the same, but it is said."""
    if doctor.sealable():
        return []
    console.print("This machine has no seal for student code, see `make doctor`: the samples run UNSEALED.")
    return ["--GradeAnswers.allow_unsealed=True"]


def _table(lesson: str, students: list[str], folder: Path) -> Table:
    exercises = [exercise for exercise in find_lesson(lesson).exercises if exercise.graded]
    table = Table(title=f"{lesson}: points, and the misconception named", show_lines=True)
    table.add_column("student")
    for exercise in exercises:
        table.add_column(f"{exercise.id.replace('_', ' ')}\n(of {exercise.points})")
    table.add_column(f"feedback page, under\n{_short(folder / 'feedback')}/", overflow="fold")
    for student in students:
        verdicts = graded(lesson, student, folder).get("verdicts", {})
        page = Path(student) / lesson / f"{find_lesson(lesson).notebook}.html"
        cells = [_cell(verdicts[exercise.id]) for exercise in exercises]
        table.add_row(student, *cells, str(page) if (folder / "feedback" / page).is_file() else "none")
    return table


def graded(lesson: str, student: str, folder: Path) -> dict[str, Any]:
    """The notes and verdicts that grading left in a student's autograded notebook."""
    path = folder / "autograded" / student / lesson / f"{find_lesson(lesson).notebook}.ipynb"
    return dict(nbformat.read(path, as_version=4).metadata.get(NOTES, {}))


def _cell(verdict: dict[str, Any]) -> str:
    points = sum(line["points"] for line in verdict["lines"] if line["passed"])
    if verdict["state"] == "not started":
        return f"{points}\nnot started"
    return f"{points}\n{verdict['misconception']}".strip()


def _print_notes(lesson: str, students: list[str], folder: Path) -> None:
    for student in students:
        for note in graded(lesson, student, folder).get("notes", []):
            console.print(f"  {student}: {note}")


def _short(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)

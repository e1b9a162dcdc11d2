"""`attention-course round`: all that an instructor wants done once work was handed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from autograder.author.release import NbgraderError, nbgrader_here
from autograder.batch import grade
from autograder.batch.grade import NotAllGraded
from autograder.courses import Course
from autograder.marking import answers
from autograder.model.errors import CourseError
from autograder.model.notes import Weight
from autograder.model.text import cleaned, from_here
from autograder.nbgrader_plugin.exchange import came_through
from autograder.nbgrader_plugin.gradebook import expect_fit
from autograder.nbgrader_plugin.releasing import take_over
from autograder.publish import class_report
from autograder.publish.class_report import records
from autograder.publish.class_report.records import ClassRecord

MEANING = {
    Weight.LOOK: "Look at it",
    Weight.ASK_AGAIN: "Ask for the file again",
    Weight.HARMLESS: "Harmless: nothing to do",
}


def main(course: Course, wanted: list[str], folder: Path, jobs: int) -> None:
    """Grade what has changed of the wanted lessons, all that were handed in when none is named; write their feedback,
    release it where there is an exchange, write reports and `grades.csv`, and say what is left to do.

    Raises `CourseError` at the end where a step failed; the others are done all the same.
    """
    lessons = grade.chosen(course, wanted, folder)
    expect_fit(folder, records.gradebook_of(course, folder))
    run = partial(nbgrader_here, course=course, folder=folder)
    for lesson in lessons:
        if take_over(lesson, folder):
            print(f"{lesson.id}: into the gradebook, as it is released now", flush=True)
    names = [lesson.id for lesson in lessons]
    failures = _attempt(partial(grade.main, course, names, folder, jobs))
    if failures and not any(records.graded_folders(folder, lesson) for lesson in lessons):
        raise CourseError(failures[0])
    for lesson in lessons:
        print(f"{lesson.id}: feedback …", flush=True)
        failures += _attempt(partial(run, "generate_feedback", lesson.id))
        if came_through(folder / "submitted", lesson.id):
            failures += _attempt(partial(run, "release_feedback", lesson.id))
    table = folder / "grades.csv"
    table.touch(mode=0o600)
    class_report.main(course, names, folder)
    run("export", f"--to={table}")
    classes = [records.read_class(folder, lesson) for lesson in lessons]
    print("\n".join([*_notes(classes), *_stray(course, folder), *_to_open(classes, folder, table)]))
    if failures:
        raise CourseError("\n  ".join(["not all could be done:", *failures]))


def _attempt(step: Callable[[], object]) -> list[str]:
    """Take a step; what it failed of, if it did."""
    try:
        step()
    except (NotAllGraded, NbgraderError) as error:
        return [str(error)]
    return []


def _notes(classes: Sequence[ClassRecord]) -> Iterator[str]:
    """What was noted, by what it asks for; of what asks for nothing, a few lines."""
    noted = [
        (note.weight, f"{record.lesson.id}  {submission.student}: {note.line}")
        for record in classes
        for submission in record.submissions
        for note in submission.notes
    ]
    for weight, meaning in MEANING.items():
        lines = [line for kind, line in noted if kind is weight]
        if lines:
            yield f"\n{meaning} ({len(lines)})"
            shown = 3 if weight is Weight.HARMLESS else len(lines)
            yield from (f"  {line}" for line in lines[:shown])
            if len(lines) > shown:
                yield f"  and {len(lines) - shown} more, in the reports"
    for record in classes:
        if record.not_graded:
            yield f"\n{record.lesson.id}: without a grade: {', '.join(map(cleaned, record.not_graded))}"


def _stray(course: Course, folder: Path) -> Iterator[str]:
    """What lies in `submitted/` where no work is looked for."""
    known = {lesson.id for lesson in course.lessons}
    loose = (path for path in folder.glob("submitted/*") if path.is_file())
    misplaced = (path for path in folder.glob("submitted/*/*") if path.name not in known)
    stray = sorted(path for path in [*loose, *misplaced] if not path.name.startswith("."))
    if stray:
        named = [cleaned(str(path.relative_to(folder))) for path in stray[:3]]
        more = [f"{len(stray) - 3} more"] if len(stray) > 3 else []
        yield f"\nNot looked at, for work lies in submitted/<student>/<lesson>/: {', '.join([*named, *more])}"


def _to_open(classes: Sequence[ClassRecord], folder: Path, table: Path) -> Iterator[str]:
    waiting = sum(answers.waiting(folder, record.lesson) for record in classes)
    yield ""
    if waiting:
        yield f"Answers that wait for your mark: {waiting}. `attention-course mark` shows them on one page."
    yield "Open"
    for record in classes:
        yield f"  {from_here(folder / 'reports' / record.lesson.id)}.html"
    yield f"  {from_here(folder / 'feedback')}/ (a page for each student)"
    yield f"  {from_here(table)}"

"""The command `round`: everything that follows once work was handed in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograder.authoring.release import NbgraderError, run_nbgrader_app
from autograder.classroom import preview as scratch
from autograder.classroom.class_folder import directory_of
from autograder.classroom.hand_out import update_gradebook
from autograder.classroom.roster import ROSTER, find_lookalike, read_roster
from autograder.commands import grade
from autograder.commands.grade import NotAllGraded
from autograder.commands.optional import load_optional
from autograder.courses import Course, Lesson
from autograder.execution.notes import Note, NoteKind, Weight
from autograder.exercises.errors import CourseError
from autograder.exercises.limits import MAX_GRADE_CHANGES, MAX_NAMED_STUDENTS
from autograder.exercises.text import clean_text, list_first, shorten_path
from autograder.grading import late_penalty
from autograder.grading.batch import IsPostponed, never_postponed
from autograder.nbgrader_plugin.exchange import was_submitted_via_exchange
from autograder.records import class_record, grade_changes, mistake_clusters, submission_status
from autograder.records.class_record import ClassRecord
from autograder.records.grade_changes import Change
from autograder.records.submission_status import Stage

GRADES = "grades.csv"
REPORTS = "autograder.reports"
"""The entry points of modules that write reports at the end of a round."""

MEANING = {
    Weight.LOOK: "Look at it",
    Weight.ASK_AGAIN: "Ask for the file again",
    Weight.HARMLESS: "Harmless: nothing to do",
}


def run_round(
    course: Course,
    wanted: list[str],
    folder: Path,
    jobs: int,
    forget: list[str],
    preview: bool = False,
    is_postponed: IsPostponed = never_postponed,
) -> None:
    """Grade what has changed of the wanted lessons, or of all that were handed in when none is named.

    It writes their feedback, and releases it where there is an exchange. It writes reports, `grades.csv` and
    `changes.csv`, and says what is left to do.

    preview: only say whose grades would change; the class stays as it is.
    forget: students whose withdrawn work loses its grade first.
    is_postponed: whose work on which lesson is left for a later round.
    Raises `CourseError` at the end where a step failed, `NotAllGraded` where only something that was handed in is not
    graded; the others are done all the same.
    """
    if preview and forget:
        raise CourseError("--preview changes nothing: leave --forget out")
    directory = directory_of(course, folder)
    for student in forget:
        for name in submission_status.forget(directory, student, wanted):
            print(f"{name}: the grade of {clean_text(student)}, who has withdrawn, is forgotten")
            for report in load_optional(REPORTS):
                report.remove_stale(course.lesson(name), folder)
    handed_in = grade.lessons_handed_in(course, folder)
    if forget or not handed_in and submission_status.lessons_handed_out(directory):  # all may have withdrawn
        lessons = [lesson for lesson in handed_in if lesson.id in wanted or not wanted]
    else:
        lessons = grade.choose_lessons(course, wanted, folder)
    if preview:
        with scratch.copy_class(course, folder) as copy:
            errors = _grade(course, lessons, copy, jobs, is_postponed)
            earlier, changed = map(grade_changes.read_changes, (directory, directory_of(course, copy)))
        changed = changed[len(earlier) :]
        print("\n".join(["", *_changed(changed, "would change"), f"{shorten_path(folder)} is as it was."]))
    else:
        not_graded = _grade(course, lessons, folder, jobs, is_postponed)
        errors = _write_pages(course, lessons, folder)
        classes = [class_record.read_class(folder, lesson) for lesson in lessons]
        _write_tables(course, classes, folder)
        names = wanted or submission_status.lessons_handed_out(directory)
        withdrawn = _withdrawn(course, directory, names, classes)
        changed = grade_changes.take_unreported(directory)
        in_file = ", all of them in changes.csv"
        changes = _changed(changed, "changed", MAX_GRADE_CHANGES, in_file) if changed else []
        left_to_do = *_stray(course, folder), *_to_open(course, classes, folder)
        print("\n".join([*_notes(classes), *withdrawn, *changes, *left_to_do]))
        errors += _not_graded(classes, not_graded, is_postponed)
    if errors:
        kind = NotAllGraded if all(isinstance(error, NotAllGraded) for error in errors) else CourseError
        title = ["not all could be done:"] if len(errors) > 1 else []
        raise kind("\n  ".join([*title, *map(str, errors)]))


def _grade(
    course: Course, lessons: Sequence[Lesson], folder: Path, jobs: int, is_postponed: IsPostponed
) -> list[CourseError]:
    """Take the lessons over as they are released and grade what has changed; what failed comes back."""
    for lesson in lessons:
        late_penalty.renew_penalties(directory_of(course, folder), lesson)
        if update_gradebook(lesson, folder):
            print(f"{lesson.id}: into the gradebook, as it is released now", flush=True)
    names = [lesson.id for lesson in lessons]
    grading = partial(grade.grade_class, course, names, folder, jobs, is_postponed=is_postponed)
    return _attempt(grading) if lessons else []


def _write_pages(course: Course, lessons: Sequence[Lesson], folder: Path) -> list[CourseError]:
    """Write the students' pages, and release them where there is an exchange; what failed comes back."""
    run, errors = partial(run_nbgrader_app, course=course, folder=folder), list[CourseError]()
    for lesson in lessons:
        if class_record.graded_work(folder, lesson):
            print(f"{lesson.id}: feedback …", flush=True)
            errors += _attempt(partial(run, "generate_feedback", lesson.id))
            if was_submitted_via_exchange(folder / "submitted", lesson.id):
                errors += _attempt(partial(run, "release_feedback", lesson.id))
    return errors


def _write_tables(course: Course, classes: Sequence[ClassRecord], folder: Path) -> None:
    """Write the reports of what is graded, and the table of grades."""
    graded = [record for record in classes if class_record.graded_work(folder, record.lesson)]
    for report in load_optional(REPORTS) if graded else ():
        report.write_classes(graded, folder)
    table = folder / GRADES
    table.touch(mode=0o600)
    run_nbgrader_app("export", f"--to={table}", course=course, folder=folder)


def _attempt(step: Callable[[], object]) -> list[CourseError]:
    """Take a step and return the errors because of which it failed."""
    try:
        step()
    except (NotAllGraded, NbgraderError) as error:
        return [error]
    return []


def _changed(changed: Sequence[Change], verb: str, limit: int | None = None, more: str = "") -> Iterator[str]:
    """Yield the changes of grades up to a limit; more: where all of them are."""
    students = {(change.lesson, change.student) for change in changed}
    yield f"\nGrades that {verb}: {len(students)}{more}"
    yield from (f"  {change.line}" for change in changed[:limit])
    if limit is not None and len(changed) > limit:
        yield f"  and {len(changed) - limit} more lines"


def _not_graded(
    classes: Sequence[ClassRecord], errors: Sequence[CourseError], is_postponed: IsPostponed
) -> Iterator[CourseError]:
    """Say in one line how many are not graded, and why; the errors of grading only where no status has the reason."""
    remaining = [
        (record.lesson.id, status)
        for record in classes
        for status in record.not_graded
        if not is_postponed(status.student, record.lesson.id)
    ]
    if remaining:
        named = remaining[:MAX_NAMED_STUDENTS]
        reasons = [f"{status.label} ({lesson}): {status.reason}" for lesson, status in named]
        if len(remaining) > len(named):
            reasons.append(f"and {len(remaining) - len(named)} more, see above")
        yield NotAllGraded(f"{len(remaining)} not graded. {'. '.join(reasons)}")
    if not remaining or any(status.problem == Note(NoteKind.NOT_YET) for _, status in remaining):
        yield from errors


def _withdrawn(
    course: Course, directory: CourseDirectory, lessons: Sequence[str], classes: Sequence[ClassRecord]
) -> Iterator[str]:
    """Name the students whose graded work has gone from `submitted/`."""
    loaded = {record.lesson.id: record.statuses for record in classes}
    for lesson in lessons:
        statuses = loaded[lesson] if lesson in loaded else submission_status.load_statuses(directory, lesson)
        if names := [status.name for status in statuses if status.stage is Stage.WITHDRAWN]:
            yield f"\n{lesson}: withdrawn, for the folder in submitted/ has gone: {', '.join(names)}"
            drop = f"{course.command} round {lesson} --forget {names[0]}"
            yield f"  The grade is kept, and marked so; `{drop}` drops it."


def _notes(classes: Sequence[ClassRecord]) -> Iterator[str]:
    """List the notes by what they ask for; of the harmless ones only a few."""
    noted = [(weight, f"{record.lesson.id}  {line}") for record in classes for weight, line in _noted(record)]
    for weight, meaning in MEANING.items():
        lines = [line for kind, line in noted if kind is weight]
        if lines:
            yield f"\n{meaning} ({len(lines)})"
            shown = lines[:3] if weight is Weight.HARMLESS else lines
            yield from (f"  {line}" for line in shown)
            if len(lines) > len(shown):
                yield f"  and {len(lines) - len(shown)} more, in the reports"
    for record in classes:
        for stage in (Stage.NOT_HANDED_IN, Stage.EXCUSED):
            if names := [record.labels[student] for student in record.at(stage)]:
                yield f"\n{record.lesson.id}: {stage}: {list_first(names, MAX_NAMED_STUDENTS)}"


def _noted(record: ClassRecord) -> Iterator[tuple[Weight, str]]:
    """Yield the notes of a lesson, each with its weight; those on exercises without points by exercise."""
    no_points = defaultdict[str, list[str]](list)
    for submission in record.submissions:
        for note in submission.notes:
            if note.kind is not NoteKind.NO_POINTS:
                yield note.weight, f"{record.labels[submission.student]}: {note.instructor_message}"
            for exercise in note.names if note.kind is NoteKind.NO_POINTS else ():
                no_points[exercise].append(submission.student)
    for exercise, students in no_points.items():
        message = Note(NoteKind.NO_POINTS, (exercise,)).instructor_message
        yield Weight.LOOK, f"{list_first(students, MAX_NAMED_STUDENTS)}: {message}"
    for status in record.not_graded:
        if status.problem:
            yield status.problem.weight, f"{status.label}: {status.reason}"


def _stray(course: Course, folder: Path) -> Iterator[str]:
    """Name the files in `submitted/` that lie where no work is looked for."""
    lesson_ids = {lesson.id for lesson in course.lessons}
    loose = (path for path in folder.glob("submitted/*") if path.is_file())
    misplaced = (path for path in folder.glob("submitted/*/*") if path.name not in lesson_ids)
    stray = sorted(path for path in [*loose, *misplaced] if not path.name.startswith("."))
    if stray:
        named = list_first([clean_text(str(path.relative_to(folder))) for path in stray], MAX_NAMED_STUDENTS)
        yield f"\nNot looked at, for work lies in submitted/<student>/<lesson>/: {named}"
    listed = [about["id"] for about in read_roster(folder / ROSTER)]
    for path in sorted(folder.glob("submitted/*")):
        if path.name not in listed and (student := find_lookalike(path.name, listed)):
            yield f"\nThis is not {student}'s of your list, though it looks so: rename submitted/{path.name}"


def _to_open(course: Course, classes: Sequence[ClassRecord], folder: Path) -> Iterator[str]:
    yield ""
    if waiting := sum(record.waiting for record in classes):
        yield f"Answers that wait for your mark: {waiting}. `{course.command} mark` shows them on one page."
    if unnamed := sum(len(mistake_clusters.unnamed_clusters(folder, record.lesson)) for record in classes):
        names = mistake_clusters.NAMES
        yield f"Mistakes without a name: {unnamed}. The reports show each, and how to name it in {names}."
    yield "Open"
    reports = [folder / "reports" / f"{record.lesson.id}.html" for record in classes]
    yield from (f"  {shorten_path(report)}" for report in reports if report.is_file())
    yield f"  {shorten_path(folder / 'feedback')}/ (a page for each student)"
    yield f"  {shorten_path(folder / GRADES)}"

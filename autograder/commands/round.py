"""The command `round`: everything that follows once work was handed in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograder.authoring.release import NbgraderError, run_nbgrader_app
from autograder.classroom import preview as scratch
from autograder.classroom.class_folder import check_class_folder, directory_of
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
from autograder.records import class_record, grade_changes, mistake_clusters, recovery, submission_status
from autograder.records.class_record import ClassRecord
from autograder.records.grade_changes import Change
from autograder.records.submission_status import Stage, SubmissionStatus

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
    check_class_folder(folder, directory.db_url)
    recovery.recover(directory)
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
            failures = _grade(course, lessons, copy, jobs, is_postponed)
            changed = grade_changes.read_changes(directory_of(course, copy))[
                len(grade_changes.read_changes(directory)) :
            ]
        not_graded_lines = list[str]()
        print("\n".join(["", *_changed(changed, "would change"), f"{shorten_path(folder)} is as it was."]))
    else:
        not_graded = _grade(course, lessons, folder, jobs, is_postponed)
        changed = grade_changes.take_unreported(directory)
        failures, not_graded_lines = _publish(
            course, lessons, folder, changed, not_graded, wanted, is_postponed
        )
    if failures or not_graded_lines:
        lines = [*failures, *not_graded_lines]
        kind = CourseError if failures else NotAllGraded
        raise kind("\n  ".join(lines if len(lines) == 1 else ["not all could be done:", *lines]))


def _grade(
    course: Course, lessons: Sequence[Lesson], folder: Path, jobs: int, is_postponed: IsPostponed
) -> list[str]:
    """Take the lessons over as they are released and grade what has changed; what failed comes back."""
    for lesson in lessons:
        late_penalty.renew_penalties(directory_of(course, folder), lesson)
        if update_gradebook(lesson, folder):
            print(f"{lesson.id}: into the gradebook, as it is released now", flush=True)
    names = [lesson.id for lesson in lessons]
    return (
        _attempt(partial(grade.grade_class, course, names, folder, jobs, is_postponed=is_postponed))
        if lessons
        else []
    )


def _publish(
    course: Course,
    lessons: Sequence[Lesson],
    folder: Path,
    changed: Sequence[Change],
    not_graded: Sequence[str],
    wanted: Sequence[str],
    is_postponed: IsPostponed,
) -> tuple[list[str], list[str]]:
    """Write all pages and tables, for students and for the instructor.

    Return messages on what failed, and messages on what is not graded. The latter have those in `not_graded` only where
    no student's status gives the reason.
    """
    failures, directory = list[str](), directory_of(course, folder)
    run = partial(run_nbgrader_app, course=course, folder=folder)
    graded = [lesson for lesson in lessons if class_record.graded_work(folder, lesson)]
    for lesson in graded:
        print(f"{lesson.id}: feedback …", flush=True)
        failures += _attempt(partial(run, "generate_feedback", lesson.id))
        if was_submitted_via_exchange(folder / "submitted", lesson.id):
            failures += _attempt(partial(run, "release_feedback", lesson.id))
    table = folder / "grades.csv"
    table.touch(mode=0o600)
    classes = [class_record.read_class(folder, lesson) for lesson in lessons]
    if graded:
        for report in load_optional(REPORTS):
            report.write_classes([record for record in classes if record.lesson in graded], folder)
    run("export", f"--to={table}")
    changes = _changed(changed, "changed") if changed else []
    withdrawn = _withdrawn(
        course, directory, wanted or submission_status.lessons_handed_out(directory), classes
    )
    left_to_do = *_stray(course, folder), *_to_open(course, classes, folder, table)
    print("\n".join([*_notes(classes), *withdrawn, *changes, *left_to_do]))
    remaining = [
        (record.lesson.id, status)
        for record in classes
        for status in record.not_graded
        if not is_postponed(status.student, record.lesson.id)
    ]
    lines = [_not_graded(remaining)] if remaining else []
    if not remaining or any(status.problem == Note(NoteKind.NOT_YET) for _, status in remaining):
        lines += not_graded
    return failures, lines


def _changed(changed: Sequence[Change], verb: str) -> Iterator[str]:
    students = {(change.lesson, change.student) for change in changed}
    yield f"\nGrades that {verb}: {len(students)}{', all of them in changes.csv' if verb == 'changed' else ''}"
    shown = changed if verb != "changed" else changed[:MAX_GRADE_CHANGES]
    yield from (f"  {change.line}" for change in shown)
    if len(changed) > len(shown):
        yield f"  and {len(changed) - len(shown)} more lines"


def _not_graded(remaining: Sequence[tuple[str, SubmissionStatus]]) -> str:
    """Say in one line how many are not graded, and why."""
    named = remaining[:MAX_NAMED_STUDENTS]
    reasons = [f"{status.label} ({lesson}): {status.reason}" for lesson, status in named]
    if len(remaining) > len(named):
        reasons.append(f"and {len(remaining) - len(named)} more, see above")
    return f"{len(remaining)} not graded. {'. '.join(reasons)}"


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


def _attempt(step: Callable[[], object]) -> list[str]:
    """Take a step and return the reasons for which it failed."""
    try:
        step()
    except (NotAllGraded, NbgraderError) as error:
        return [str(error)]
    return []


def _notes(classes: Sequence[ClassRecord]) -> Iterator[str]:
    """List the notes by what they ask for; of the harmless ones only a few."""
    noted = [
        (note.weight, f"{record.lesson.id}  {record.labels[submission.student]}: {note.instructor_message}")
        for record in classes
        for submission in record.submissions
        for note in submission.notes
        if note.kind is not NoteKind.NO_POINTS
    ]
    noted += [(Weight.LOOK, line) for record in classes for line in _no_points(record)]
    noted += [
        (status.problem.weight, f"{record.lesson.id}  {status.label}: {status.reason}")
        for record in classes
        for status in record.not_graded
        if status.problem
    ]
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


def _no_points(record: ClassRecord) -> Iterator[str]:
    """Yield a line for each exercise that gave nothing to some who worked on it."""
    students = defaultdict[str, list[str]](list)
    for submission in record.submissions:
        for note in submission.notes:
            for exercise in note.names if note.kind is NoteKind.NO_POINTS else ():
                students[exercise].append(submission.student)
    for exercise, those in students.items():
        line = Note(NoteKind.NO_POINTS, (exercise,)).instructor_message
        yield f"{record.lesson.id}  {list_first(those, MAX_NAMED_STUDENTS)}: {line}"


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


def _to_open(course: Course, classes: Sequence[ClassRecord], folder: Path, table: Path) -> Iterator[str]:
    waiting = sum(record.waiting for record in classes)
    yield ""
    if waiting:
        yield f"Answers that wait for your mark: {waiting}. `{course.command} mark` shows them on one page."
    kinds = [len(mistake_clusters.unnamed_clusters(folder, record.lesson)) for record in classes]
    if sum(kinds):
        names = mistake_clusters.NAMES
        yield f"Mistakes without a name: {sum(kinds)}. The reports show each, and how to name it in {names}."
    yield "Open"
    for record in classes:
        report = folder / "reports" / f"{record.lesson.id}.html"
        if report.is_file():
            yield f"  {shorten_path(report)}"
    yield f"  {shorten_path(folder / 'feedback')}/ (a page for each student)"
    yield f"  {shorten_path(table)}"

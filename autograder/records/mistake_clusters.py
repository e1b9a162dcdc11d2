"""Mistakes that a class met and the course has no name for: put together by what they do, and named by the instructor.

Two files in the class's folder. `mistakes.toml` is written by hand: names and questions, by the mistake's id.
`mistakes.json` is the grader's: what each mistake does, code of one who made it, and how many of which class did.
Copied into the next term's folder, both go on there.
A graded notebook says a name as long as it stands in the first file: `update_clusters` gives and takes it.
"""

from __future__ import annotations

import ast
import hashlib
import tomllib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import nbformat
from nbgrader.coursedir import CourseDirectory

from autograder.classroom.class_folder import directory_of
from autograder.courses import Lesson, open_course
from autograder.courses.lesson_source import parse_without_docstrings
from autograder.execution.notebook_cells import grade_id_of
from autograder.exercises import limits
from autograder.exercises.errors import CourseError
from autograder.exercises.verdict import Outcome, Verdict
from autograder.files import atomic_files
from autograder.judging import unnamed_mistakes
from autograder.judging.unnamed_mistakes import Behaviour
from autograder.records import discovery, record_store
from autograder.records.record_store import GradingRecord
from autograder.sandbox import limited_process
from autograder.views import verdict_view

NAMES, MEMORY = "mistakes.toml", "mistakes.json"


class MistakeName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the instructor calls a mistake, and a question that leads to it; without a name it has none."""

    name: str = ""
    question: str = ""


class MistakeCluster(msgspec.Struct, frozen=True):
    """A mistake that was met.

    does: what the first answer that made it does; known: the digests of all that do the same; example: code of one,
    without comments; crosses: which lines of a verdict; answers: how many make it, by the name of their class's folder.
    """

    lesson: str
    exercise: str
    does: Behaviour
    known: list[str]
    example: str = ""
    crosses: list[str] = []
    answers: dict[str, int] = {}

    @property
    def id(self) -> str:
        """Return the id by which the instructor names it."""
        text = "\0".join((self.lesson, self.exercise, self.does.digest))
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def load_clusters(folder: Path) -> dict[str, MistakeCluster]:
    """Return the mistakes that a class met, by id. Raises `CourseError` where the file is damaged."""
    path = folder / MEMORY
    try:
        mistakes = msgspec.json.decode(path.read_bytes(), type=list[MistakeCluster]) if path.exists() else []
    except (msgspec.MsgspecError, UnicodeDecodeError, OSError) as error:
        raise CourseError(
            f"{path} cannot be read ({error}): put back a copy; or remove it, with {NAMES}, and begin anew"
        ) from None
    return {mistake.id: mistake for mistake in mistakes}


def read_names(folder: Path, clusters: Collection[str]) -> dict[str, MistakeName]:
    """Return the names that stand in a class's file, by the mistakes' ids. clusters: the ids of all that were met.

    Raises `CourseError` for what cannot be meant, what no page can show, and a name without a question.
    """
    path = folder / NAMES
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        names = {id: msgspec.convert(entry, MistakeName) for id, entry in data.items()}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, OSError) as error:
        raise CourseError(f"{path} cannot be read: {error}") from None
    for id, name in names.items():
        for field, limit in (("name", limits.MAX_MISTAKE_NAME), ("question", limits.MAX_QUESTION_CHARACTERS)):
            text = getattr(name, field)
            if not text.isprintable() or text != text.strip() or len(text) > limit:
                raise CourseError(
                    f"{path}, [{id}]: write the {field} in one line, with {limit} characters at most"
                )
        if name.name and not name.question:
            raise CourseError(f"{path}, [{id}]: ask a question as well, which leads to the mistake")
        if id not in clusters:
            raise CourseError(f"{path}: no mistake in {MEMORY} is called [{id}]; the reports show their ids")
    return {id: name for id, name in names.items() if name.name}


def update_clusters(lesson: Lesson, folder: Path) -> None:
    """Group a class's graded answers to a lesson that make an unnamed mistake by what they do, and store the groups.

    Each answer's verdict then says the name that the instructor has for its mistake, and no other one.

    Raises `CourseError` where a file of the class's cannot be read.
    """
    stored, class_name = load_clusters(folder), folder.resolve().name
    clusters, names = {**stored}, read_names(folder, stored)
    directory = directory_of(lesson.course, folder)
    all_records = record_store.load_records(directory, lesson.id)
    present = discovery.handed_in(directory, lesson.id)
    graded = {student: all_records[student] for student in sorted(all_records.keys() & present)}
    codes, renamed = defaultdict[str, list[str]](list), defaultdict[str, dict[str, Verdict]](dict)
    for exercise in [graded_exercise.id for graded_exercise in lesson.graded]:
        answers = {
            student: record
            for student, record in graded.items()
            if exercise in record.behaviours.keys() & record.verdicts.keys()
        }
        ids = _put_together(lesson, exercise, clusters, [*answers.values()]) if answers else {}
        for student, record in answers.items():
            id = ids.get(record.behaviours[exercise].digest, "")
            codes[id].append(record.code.get(exercise, ""))
            name, question = msgspec.structs.astuple(names.get(id, MistakeName()))
            verdict = record.verdicts[exercise]
            new = replace(verdict, misconception=name, looks_like=name, question=question)
            if new != verdict:
                renamed[student][exercise] = new
    for id, mistake in clusters.items():
        if mistake.lesson == lesson.id:
            counts = {**mistake.answers, class_name: len(codes.get(id, ()))}
            clusters[id] = msgspec.structs.replace(
                mistake,
                answers={name: count for name, count in counts.items() if count},
                example=mistake.example or _example(codes.get(id, ())),
            )
    now = {id: mistake for id, mistake in clusters.items() if mistake.answers or id in names}
    if now != stored:
        mode = 0o660 if folder.stat().st_mode & 0o020 else 0o600  # all who share the folder write the file
        atomic_files.atomic_write(folder / MEMORY, msgspec.json.encode([*now.values()]) + b"\n", mode)
    for student, verdicts in renamed.items():
        _replace_verdicts(directory, graded[student], verdicts)


def _replace_verdicts(
    course: CourseDirectory, record: GradingRecord, verdicts: Mapping[str, Verdict]
) -> None:
    """Replace verdicts of a grade by others that earn as much, in its record and in its notebook."""
    path = record_store.graded_path(course, record.lesson, record.student)
    notebook = nbformat.v4.reads(path.read_text(encoding="utf-8"))
    for cell in notebook.cells:
        test, _, exercise = grade_id_of(cell).partition("test_")
        if exercise in verdicts and not test:
            for output in cell.outputs:
                if "text/html" in output.get("data", {}):
                    output.data["text/html"] = verdict_view.as_html(verdicts[exercise])
    text = f"{nbformat.v4.writes(notebook)}\n"
    digest = record_store.digest_of_text(text)
    new_verdicts = {**record.kept_verdicts, **msgspec.to_builtins(verdicts)}
    changed = msgspec.structs.replace(record, at="", kept_verdicts=new_verdicts, notebook=digest)
    with record_store.transaction(course) as db:
        record_store.add_records(db, [changed])
        atomic_files.atomic_write(path, text.encode(errors="surrogatepass"), path.stat().st_mode & 0o777)


def _put_together(
    lesson: Lesson, exercise: str, clusters: dict[str, MistakeCluster], answers: Sequence[GradingRecord]
) -> dict[str, str]:
    """Return which mistake each answer makes, by the digest of what it does; new ones come into `clusters`.

    Answers of which it took too long to find out are left out.
    """
    of_exercise = (lesson.id, exercise)
    questions = unnamed_mistakes.digest_exercise(lesson, exercise)
    of_lesson = [each for each in clusters.values() if (each.lesson, each.exercise) == of_exercise]
    mistakes = [cluster for cluster in of_lesson if cluster.does.asked == questions]
    ids = {digest: mistake.id for mistake in mistakes for digest in mistake.known}
    new = {}
    for answer in answers:
        shown = answer.behaviours[exercise]
        if shown.asked == questions and shown.digest not in ids and shown.digest not in new:
            crosses = [line.title for line in answer.verdicts[exercise].lines if line.sight is Outcome.FAILED]
            new[shown.digest] = MistakeCluster(*of_exercise, shown, [], crosses=crosses)
    if not new:
        return ids
    mistakes += new.values()
    root = str(lesson.course.root)
    try:
        first = limited_process.call(
            unnamed_mistakes.group_behaviours,
            *(root, *of_exercise, [mistake.does for mistake in mistakes]),
            cpu_seconds=limits.MAX_GROUPING_SECONDS,
            preparation=(asked_of, root, *of_exercise),
            readable=[root],
        )
    except (limited_process.LimitExceeded, limited_process.WorkerDied, RuntimeError):
        return ids  # students' code gave it: they stay without a name
    for digest, position in zip(new, first[-len(new) :]):
        id = ids[digest] = mistakes[position].id
        mistake = clusters.get(id, mistakes[position])
        clusters[id] = msgspec.structs.replace(mistake, known=[*mistake.known, digest])
    return ids


def asked_of(course: str, lesson: str, exercise: str) -> None:
    """Read an exercise and what it asks, once, before answers to it are compared."""
    unnamed_mistakes.digest_exercise(open_course(course).lesson(lesson), exercise)


def _example(codes: Collection[str]) -> str:
    """Return the shortest code of those who made a mistake, without comments; empty where it is too long."""
    shortest = min(codes, key=lambda code: (len(code), code), default="")
    short = [shortest] if 0 < len(shortest) <= limits.MAX_EXAMPLE_CHARACTERS else []
    return next(
        filter(None, limited_process.call_each(without_comments, short, limits.MAX_COMMENTS_SECONDS)), ""
    )


def without_comments(code: str) -> str:
    """Return code as Python reads it: who wrote it is told by neither layout, comments nor docstrings."""
    return ast.unparse(parse_without_docstrings(code))


def unnamed_clusters(folder: Path, lesson: Lesson) -> list[tuple[MistakeCluster, int, int]]:
    """Return the mistakes in a lesson that this class makes and that have no name, the most frequent first.

    Each comes with how many answers make it here, and how many did in other classes.
    """
    clusters, class_name = load_clusters(folder), folder.resolve().name
    names, counted = read_names(folder, clusters), []
    for id, cluster in clusters.items():
        in_class = cluster.answers.get(class_name, 0)
        if cluster.lesson == lesson.id and id not in names and in_class:
            counted.append((cluster, in_class, sum(cluster.answers.values()) - in_class))
    return sorted(counted, key=lambda each: (-each[1], -each[2], each[0].exercise, each[0].id))

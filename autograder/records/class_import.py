"""Takes what the version before kept in files of a class's folder into the record store, once.

All rows are written in one transaction. The files move to `imported/` after that.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.classroom.class_folder import IMPORTED, SECRET_FILE
from autograder.classroom.gradebook import read_scores
from autograder.exercises.text import clean_table_field
from autograder.exercises.verdict import State, Verdict
from autograder.records import case_seed, grade_changes, record_store
from autograder.records.grade_changes import Change
from autograder.records.record_store import GRADED, REFUSED, RESOLVED, GradingRecord

ATTEMPTS, BEFORE = "attempts", ".grades-before.json"
"""Where the version before kept earlier attempts, and the grades before a round. Its secret was in `gradebook.salt`."""

OLD_TABLE = "attention_course_graded"
"""Its table of graded notebooks, by whose name the store's state says that a class was taken over."""

NOTES = "attention_course"
"""The field of a graded notebook's metadata in which it kept notes and verdicts."""

_NAMES = {"lesson": "judged_by", "files": "work"}
"""What is called otherwise of what a grade depends on."""


def import_class(course: CourseDirectory) -> None:
    """Take over what is not in the store of a class's folder yet, and say so in a line.

    A student's lesson of which the store has a row is passed over, so an import that was interrupted goes on.
    """
    root = Path(course.root)
    files = [path for path in (root / ATTEMPTS, root / BEFORE, root / SECRET_FILE) if path.exists()]
    if (
        root / SECRET_FILE in files
        and case_seed.load_secret(course).encode() not in (root / SECRET_FILE).read_bytes()
    ):
        files.remove(root / SECRET_FILE)  # it is of no use, for the class has another secret
    with record_store.transaction(course) as db:
        is_done = record_store.read_state(db, OLD_TABLE)
    if is_done and not files:
        return
    records, table = list(_records(course)), [] if is_done else _changes(course)
    with record_store.transaction(course) as db:
        record_store.add_records(db, records)
        grade_changes.add_changes(db, table)
        record_store.write_state(db, OLD_TABLE, "imported")
        if not is_done:
            record_store.write_state(db, "told", str(len(table)))
    for path in files:
        (root / IMPORTED).mkdir(mode=0o700, exist_ok=True)
        place = root / IMPORTED / path.name
        while place.exists():
            place = place.with_name(f"{place.name}_")
        os.rename(path, place)
    if records or table:
        where = f"; its files are in {root / IMPORTED}" if files else ""
        grades = sum(record.notebook != "" for record in records)
        attempts = sum(record.event == GRADED for record in records) - grades
        print(
            f"{root}: taken over from the version before: {grades} grades, {attempts} earlier attempts, "
            f"{len(table)} changes of grades{where}",
            file=sys.stderr,
        )


def _records(course: CourseDirectory) -> Iterator[GradingRecord]:
    """Yield the attempts and the graded work of all students of whom the store has nothing."""
    root = Path(course.root)
    places = {path.parts[-2:] for path in root.glob(f"{ATTEMPTS}/*/*.jsonl")}
    lessons = {name for name, _ in places} | {path.name for path in root.glob("autograded/*/*")}
    for lesson in sorted(name for name in lessons if name[0] != "."):
        histories, earned = record_store.load_histories(course, lesson), read_scores(course, lesson)
        students = {file.removesuffix(".jsonl") for name, file in places if name == lesson} | earned.keys()
        for student in sorted(students - histories.keys()):
            rows = list(_attempts(root / ATTEMPTS / lesson / f"{student}.jsonl", lesson, student))
            last = [rows.pop()] if rows and rows[-1].event == REFUSED else []  # it came after what is graded
            graded = _graded(course, lesson, student) if student in earned else None
            rows += [record_store.with_points(graded, earned[student])] if graded else []
            yield from [*rows, *last]


def _attempts(path: Path, lesson: str, student: str) -> Iterator[GradingRecord]:
    """Yield the attempts of a file, without the lines that were cut short."""
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        with suppress(msgspec.MsgspecError, TypeError, AttributeError, KeyError, ValueError):
            data = msgspec.json.decode(line, type=dict[str, Any])
            if "points" in data:
                same = {name: data[name] for name in ("work", "handed_in", "points", "max_points", "waiting")}
                notes = [data["problem"]] if data.get("problem") else []
                past = {name: _verdict(name, **answer) for name, answer in data.get("answers", {}).items()}
                about = {"at": data.get("put_away", ""), "kept_notes": notes, "kept_verdicts": past}
                yield GradingRecord(lesson, student, **same, **about)
            else:
                event = REFUSED if data["problem"] else RESOLVED
                yield GradingRecord(lesson, student, event, work=data["work"], kept_notes=data["problem"])


def _verdict(exercise: str, state: str, misconception: str, looks_like: str, next_step: str) -> Any:
    """Return the verdict on an earlier answer, of which the version before kept this much."""
    problem = (next_step,) if next_step else ()
    return msgspec.to_builtins(Verdict(exercise, State(state), (), problem, misconception, looks_like))


def _graded(course: CourseDirectory, lesson: str, student: str) -> GradingRecord | None:
    """Return of the record in a graded notebook's metadata what is told of it once the first round has graded again."""
    path = record_store.graded_path(course, lesson, student)
    try:
        metadata = json.loads(path.read_bytes())["metadata"][NOTES]
        made_of = {_NAMES.get(name, name): digest for name, digest in metadata["made_of"].items()}
        return GradingRecord(
            lesson,
            student,
            notebook=record_store.digest_of_file(path),
            kept_notes=metadata["notes"],
            kept_verdicts=metadata["verdicts"],
            **{name: digest for name, digest in made_of.items() if name in record_store.INPUTS},
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):  # half written: it is graded again
        return None


def _changes(course: CourseDirectory) -> list[Change]:
    """Return the lines of the table of changes."""
    path = Path(course.root, grade_changes.CHANGES_FILE)
    if not path.is_file():
        return []
    with Gradebook(course.db_url, course.course_id) as gradebook:
        students = {clean_table_field(student.id): student.id for student in gradebook.students}
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) == len(fields(Change))][1:]
    return [
        Change(time, students.get(student, student), *fields_left) for time, student, *fields_left in rows
    ]

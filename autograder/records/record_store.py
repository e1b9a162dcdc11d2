"""The record store: a row for each grading of a student's lesson, in the class's database beside nbgrader's tables.

Rows are only added. A grade and its row are written in one transaction. Earlier attempts are older rows, and a
submission that could not be graded has a row that says why.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import nbgrader
import sqlalchemy as sa
from msgspec import ValidationError
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.engine import Connection, Engine

from autograder.classroom import group_work
from autograder.classroom.class_folder import directory_of
from autograder.classroom.gradebook import LessonScore, gradebook_exists
from autograder.courses import Lesson
from autograder.execution.notes import Note, Weight
from autograder.exercises.errors import DISK_FULL, CourseError, is_disk_full
from autograder.exercises.verdict import Verdict
from autograder.judging.unnamed_mistakes import Behaviour
from autograder.submissions import submission_folder

GRADED, REFUSED, RESOLVED, FORGOTTEN = "graded", "refused", "resolved", "forgotten"
"""What a row tells: work was graded; it could not be graded; nothing stands against it any more; its grade was
dropped because the work was withdrawn."""

PATH = re.compile(r"(?<![\w:/.)\]~])~?(?:/[\w.+@-]+)+/([\w.+@-]+)")

INPUTS = ("work", "time", "secret", "judged_by", "data", "grader", "settings", "libraries")
"""The columns that a grade depends on: it is up to date where all of them are as they would be now."""


class GradingRecord(msgspec.Struct, frozen=True, dict=True):
    """A row of the store.

    at, handed_in: in UTC, as ISO 8601 says it; the latter is empty where nobody wrote it down.
    work, time, secret, judged_by, data, grader, settings, libraries: digests or versions, see `fingerprint`.
    submission: the id of nbgrader's submission; notebook: the digest of the graded notebook.
    points: as in the gradebook, less the penalty; waiting: whether answers wait for marks; worth: by item, the most
    that it could earn. code: by exercise.
    Notes, verdicts and behaviours are as they were written: some may be of another version of the grader's.
    """

    lesson: str
    student: str
    event: str = GRADED
    at: str = ""
    handed_in: str = ""
    work: str = ""
    time: str = ""
    secret: str = ""
    judged_by: str = ""
    data: str = ""
    grader: str = ""
    settings: str = ""
    libraries: str = ""
    submission: str = ""
    notebook: str = ""
    points: float = 0.0
    max_points: float = 0.0
    penalty: float = 0.0
    waiting: bool = False
    worth: dict[str, float] = {}
    sealed: bool = True
    kept_notes: list[Any] = []
    kept_verdicts: dict[str, Any] = {}
    kept_behaviours: dict[str, Any] = {}
    code: dict[str, str] = {}

    @property
    def inputs(self) -> dict[str, str]:
        """Return what the grade depends on."""
        return {name: getattr(self, name) for name in INPUTS}

    @property
    def when(self) -> datetime | None:
        """Return when the work was handed in, if that is known."""
        return datetime.fromisoformat(self.handed_in) if self.handed_in else None

    @functools.cached_property
    def notes(self) -> tuple[Note, ...]:
        """Return the notes on the submission, without those that this version cannot read."""
        return tuple(_readable(dict(enumerate(self.kept_notes)), Note).values())

    @functools.cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """Return the verdicts by exercise, without paths of the grader's machine."""
        verdicts = _readable(self.kept_verdicts, Verdict)
        return {name: _without_paths(verdict) for name, verdict in verdicts.items()}

    @functools.cached_property
    def behaviours(self) -> dict[str, Behaviour]:
        """Return by exercise what wrong answers did whose mistake the course has no name for."""
        return _readable(self.kept_behaviours, Behaviour)

    @property
    def problem(self) -> Note | None:
        """Return the note that says why nothing could be graded; None where something was."""
        if self.event == REFUSED:
            return next(iter(self.notes), None)
        return next((note for note in self.notes if note.weight is Weight.ASK_AGAIN), None)


TABLES = sa.MetaData()
_KINDS = {str: sa.String, float: sa.Float, bool: sa.Boolean}
RECORDS = sa.Table(
    "attention_course_records",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    *(
        sa.Column(field.name, _KINDS.get(field.type, sa.JSON), nullable=False)
        for field in msgspec.structs.fields(GradingRecord)
    ),
    sa.Index("attention_course_records_of", "lesson", "student"),
)
_LARGE = ("kept_verdicts", "kept_behaviours", "code")
"""Columns that take long to read."""

STATE = sa.Table(
    "attention_course_state",
    TABLES,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("value", sa.String, nullable=False),
)
"""What there is once in a class: the version of these tables, the secret, and how far changes were told."""

VERSION = 1


@dataclass(frozen=True)
class History:
    """The rows of a student's work on a lesson, the oldest first."""

    rows: Sequence[GradingRecord] = ()

    @property
    def current(self) -> GradingRecord | None:
        """Return what the student's grade is for."""
        last = next((row for row in reversed(self.rows) if row.event in (GRADED, FORGOTTEN)), None)
        return last if last and last.event == GRADED else None

    @property
    def earlier(self) -> list[GradingRecord]:
        """Return the last row of each attempt before the graded one."""
        graded = [row for row in self.rows if row.event in (GRADED, FORGOTTEN)]
        attempts = [list(rows)[-1] for _, rows in groupby(graded, key=lambda row: row.work)]
        return attempts[:-1] if self.current else attempts

    @property
    def since_forgotten(self) -> History:
        """Return the rows since a grade was dropped last."""
        dropped = [number for number, row in enumerate(self.rows, 1) if row.event == FORGOTTEN]
        return History(self.rows[max(dropped, default=0) :])

    @property
    def refusal(self) -> GradingRecord | None:
        """Return the row of work that could not be graded, where it is the last that came."""
        return self.rows[-1] if self.rows and self.rows[-1].event == REFUSED else None

    def problem(self, course: CourseDirectory, except_work: str | None = None) -> Note | None:
        """Return why the work that lies in `submitted/` could not be graded.

        except_work: the digest of work of which nothing is said.
        """
        refusal = self.refusal
        if refusal is None or refusal.work == except_work:
            return None
        is_there_now = refusal.work == submitted_work(course, refusal.lesson, refusal.student)
        return refusal.problem if is_there_now else None


@functools.lru_cache(maxsize=8)
def engine_of(url: str) -> Engine:
    """Return a database's engine, which is kept: each new one would compile all SQL anew.

    No connection is kept open: a copy may be put in the file's place.
    """
    return sa.create_engine(url, poolclass=sa.NullPool)


@contextmanager
def transaction(course: CourseDirectory) -> Iterator[Connection]:
    """Open a transaction in a class's database, which gets the store's tables.

    Raises `CourseError` where they, or nbgrader's, are of a version that is not known here.
    """
    try:
        _check_versions(course.db_url)
        with engine_of(course.db_url).begin() as db:
            TABLES.create_all(db)
            yield db
    except sa.exc.OperationalError as error:
        file = course.db_url.removeprefix("sqlite:///")
        in_use = f"{file} cannot be used ({error.orig}): end what else uses it"
        raise CourseError(DISK_FULL if is_disk_full(error.orig) else in_use) from None


@functools.lru_cache(maxsize=8)
def _check_versions(url: str) -> None:
    """Check a database before its first transaction in this process, and note the version of the store's tables."""
    written = f"{url.removeprefix('sqlite:///')} was written by"
    with engine_of(url).begin() as db:
        tables = sa.inspect(db).get_table_names()
        stored = read_state(db, "version") if STATE.name in tables else ""
        if stored and not (stored.isdecimal() and int(stored) <= VERSION):
            raise CourseError(f"{written} a later version of the grader: update it")
        query = sa.text("select version_num from alembic_version")
        revision = db.scalar(query) if "alembic_version" in tables else None
        if revision and not any(Path(nbgrader.__file__).parent.glob(f"alembic/versions/{revision}_*.py")):
            raise CourseError(f"{written} an unknown version of nbgrader ({revision}): install that version")
        TABLES.create_all(db)
        if not stored:
            write_state(db, "version", str(VERSION))


def read_state(db: Any, name: str) -> str:
    """Read a value of which a class has one; empty where it has none."""
    return db.scalar(sa.select(STATE.c.value).where(STATE.c.name == name)) or ""


def write_state(db: Any, name: str, value: str) -> None:
    """Write a value of which a class has one."""
    db.execute(sa.delete(STATE).where(STATE.c.name == name))
    db.execute(sa.insert(STATE).values(name=name, value=value))


def read_rows(db: Any, lesson: str, student: str = "") -> list[GradingRecord]:
    """Read the rows of a lesson without verdicts, behaviours and code; or all there is of one student's work on it."""
    names = [name for name in GradingRecord.__struct_fields__ if student or name not in _LARGE]
    query = sa.select(*(RECORDS.c[name] for name in names)).where(RECORDS.c.lesson == lesson)
    if student:
        query = query.where(RECORDS.c.student == student)
    return [GradingRecord(**row) for row in db.execute(query.order_by(RECORDS.c.id)).mappings()]


def load_histories(course: CourseDirectory, lesson: str, student: str = "") -> Mapping[str, History]:
    """Read what the store has of a lesson, by student, see `read_rows`."""
    rows = defaultdict[str, list[GradingRecord]](list)
    if gradebook_exists(course.db_url):
        with transaction(course) as db:
            for row in read_rows(db, lesson, student):
                rows[row.student].append(row)
    return defaultdict(History, {name: History(student_rows) for name, student_rows in rows.items()})


def load_records(course: CourseDirectory, lesson: str) -> dict[str, GradingRecord]:
    """Read what the grades of a lesson are for, by student."""
    if not gradebook_exists(course.db_url):
        return {}
    of_grades = RECORDS.c.lesson == lesson, RECORDS.c.event.in_((GRADED, FORGOTTEN))
    newest = sa.select(sa.func.max(RECORDS.c.id)).where(*of_grades).group_by(RECORDS.c.student)
    columns = (RECORDS.c[name] for name in GradingRecord.__struct_fields__)
    query = sa.select(*columns).where(RECORDS.c.id.in_(newest), RECORDS.c.event == GRADED)
    with transaction(course) as db:
        return {row["student"]: GradingRecord(**row) for row in db.execute(query).mappings()}


def load_record(lesson: Lesson, student: str, folder: Path) -> GradingRecord:
    """Read what a student's grade in a class's folder is for; an empty record where there is none."""
    history = load_histories(directory_of(lesson.course, folder), lesson.id, student)[student]
    return history.current or GradingRecord(lesson.id, student)


def add_records(db: Any, records: Iterable[GradingRecord]) -> None:
    """Add rows, in the transaction of this connection or session."""
    at = now()
    rows = [{**msgspec.structs.asdict(record), "at": record.at or at} for record in records]
    if rows:
        db.execute(sa.insert(RECORDS), rows)


def now() -> str:
    """Return the time in UTC, as rows have it."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}"


def with_points(record: GradingRecord, earned: LessonScore | None) -> GradingRecord:
    """Return the same record with what the gradebook has now."""
    if earned is None:
        return record
    return msgspec.structs.replace(
        record,
        at="",
        handed_in=earned.handed_in.isoformat() if earned.handed_in else "",
        points=earned.points,
        max_points=earned.most,
        penalty=earned.penalty,
        waiting=earned.waiting > 0,
        worth={name: cell.max_score for name, cell in earned.cells.items()},
    )


def refuse(course: CourseDirectory, lesson: str, student: str, problem: Sequence[Note]) -> None:
    """Add a row that the work in `submitted/` could not be graded, or, without a problem, that nothing is wrong."""
    refusal = load_histories(course, lesson, student)[student].refusal
    if not problem and not refusal:
        return
    work = submitted_work(course, lesson, student)
    if refusal and (refusal.work, refusal.notes) == (work, tuple(problem)):
        return
    event, notes = REFUSED if problem else RESOLVED, msgspec.to_builtins(list(problem))
    with transaction(course) as db:
        add_records(db, [GradingRecord(lesson, student, event, work=work, kept_notes=notes)])


def submitted_work(course: CourseDirectory, lesson: str, student: str) -> str:
    """Return the digest of what lies in `submitted/` for a student."""
    submitter = group_work.submitter_of(Path(course.root), lesson, student)
    folder = course.format_path(course.submitted_directory, submitter, lesson)
    return submission_folder.copy_work(submission_folder.notebook_of(folder), course.ignore).digest


def graded_path(course: CourseDirectory, lesson: str, student: str) -> Path:
    """Return where a student's graded notebook of a lesson lies."""
    return submission_folder.notebook_of(course.format_path(course.autograded_directory, student, lesson))


def digest_of_file(path: Path) -> str:
    """Return the digest of a graded notebook; empty where there is none."""
    with suppress(OSError):
        return hashlib.sha256(path.read_bytes()).hexdigest()
    return ""


def digest_of_text(text: str) -> str:
    """Return the digest of a graded notebook with this text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _without_paths(verdict: Verdict) -> Verdict:
    """Return the same verdict without anything that looks like a path."""
    if "/" not in "".join((*verdict.problem, *(text for line in verdict.lines for text in line.details))):
        return verdict
    lines = (replace(line, details=tuple(map(without_paths, line.details))) for line in verdict.lines)
    return replace(verdict, problem=tuple(map(without_paths, verdict.problem)), lines=tuple(lines))


_Key = TypeVar("_Key")
_Kind = TypeVar("_Kind")


def _readable(records: Mapping[_Key, Any], kind: type[_Kind]) -> dict[_Key, _Kind]:
    """Return the records that are of this version of the grader's, and not damaged."""
    converted = {}
    for name, data in records.items():
        with suppress(ValidationError):
            converted[name] = msgspec.convert(data, kind)
    return converted


def without_paths(text: str) -> str:
    """Return the text with only the last name of each absolute path, which students need not know."""
    return PATH.sub(r"…/\1", text)

"""Who is who: the columns in which platforms tell of people, and which student of a class is meant.

Canvas: "How do I export grades in the Gradebook?" in its instructor guide, `lib/gradebook_exporter.rb` of canvas-lms.
Moodle: https://docs.moodle.org/en/Grade_export; the grading worksheet: `mod/assign/feedback/offline/` of its source.
Gradescope: the roster of a course, `First Name,Last Name,SID,Email,Role,Sections`.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.classroom import roster
from autograder.classroom.class_folder import directory_of
from autograder.classroom.gradebook import gradebook_exists
from autograder.courses import Course
from autograder.exercises.errors import CourseError
from autograder.exercises.text import clean_name, clean_table_field
from autograder.files import atomic_files
from autograder.files.csv_table import Sheet, as_csv, read_sheet
from autograder.submissions.submission_folder import printable

Person = Mapping[str, str]
"""What is known of a person: the columns of `students.csv`, `name` as one text, and what else `columns.toml` names."""

_COLUMNS = Path(__file__).with_name("columns.toml")
_FIELDS = {
    column: field
    for field, columns in tomllib.loads(_COLUMNS.read_text(encoding="utf-8")).items()
    for column in columns
}
_STRONG = ("id", "email", "lms_user_id")
_LEFT_OUT = "&<>\"`|':\\/’"
"""What Moodle leaves out of a name that a folder is called by (`PARAM_FILE` in its `clean_param`); the last as well."""

POINTS_POSSIBLE = "Points Possible"
_NOBODY = (POINTS_POSSIBLE, "Student, Test")
"""What stands in Canvas's column `Student` where no student of the class does."""


def read_people(sheet: Sheet) -> dict[int, dict[str, str]]:
    """Return what a platform's table says of people, by the number of their row.

    Raises `CourseError` where no column tells who somebody is.
    """
    telling = {*_STRONG, "name", "last_name"}
    if not telling & {_FIELDS.get(column) for column in sheet.columns}:
        raise CourseError(
            f"{sheet.path}: no column says who somebody is. There are {', '.join(map(repr, sheet.columns[:8]))}; "
            f"wanted is a roster or grades as Moodle, Canvas or Gradescope export them, or {roster.ROSTER}"
        )
    people = {}
    for number, row in sheet.records():
        about = dict[str, str]()
        for column, text in zip(sheet.columns, row):
            # Moodle's German worksheet calls participants' numbers as Canvas does people's
            is_participant = column == "ID" and not text.isdecimal()
            if text:
                about.setdefault("participant" if is_participant else _FIELDS.get(column, ""), _normal(text))
        if telling & about.keys() and _name_of(about) not in _NOBODY:
            people[number] = about
    return people


def _name_of(about: Person) -> str:
    return about.get("name") or f"{about.get('last_name', '')}, {about.get('first_name', '')}".strip(", ")


def known_people(course: Course, folder: Path) -> list[dict[str, str]]:
    """Return all whom the class's list and its gradebook know. Raises `CourseError` where there is nobody."""
    if people := _listed(course, folder):
        return people
    remedy = f"`{course.command} roster FILE` takes the list from your platform's export"
    raise CourseError(f"{folder / roster.ROSTER} names nobody: {remedy}")


def _listed(course: Course, folder: Path) -> list[dict[str, str]]:
    people = {about["id"]: about for about in roster.read_roster(folder / roster.ROSTER)}
    directory = directory_of(course, folder)
    if gradebook_exists(directory.db_url):
        with Gradebook(directory.db_url, directory.course_id) as gradebook:
            for student in gradebook.students:
                about = {name: text for name in roster.ROSTER_COLUMNS if (text := getattr(student, name))}
                people[student.id] = about | people.get(student.id, {})
    return [*people.values()]


def match(people: Sequence[Person], listed: Sequence[Person]) -> list[tuple[str, str]]:
    """Return for each person the id of the student who they are, or an empty one, and why it cannot be told.

    An id, an email address or the platform's number decides. A name does only where it is nobody else's on either side,
    and nothing speaks against it. The reason is empty for a person who is nobody on the list.
    """
    holders = defaultdict[tuple[str, str], list[str]](list)
    for student in listed:
        for key in _keys(student):
            holders[key].append(student["id"])
    hits = [
        {student: field for field, text in _keys(person) for student in holders[field, text]}
        for person in people
    ]
    matched = {student for fields in hits if len(fields) == 1 for student in fields}
    namesakes = defaultdict[str, list[Person]](list)
    for student in listed:
        for name in _names(student) if student["id"] not in matched else ():
            namesakes[name].append(student)
    unmatched = Counter(name for person, fields in zip(people, hits) if not fields for name in _names(person))
    matches = []
    for person, fields in zip(people, hits):
        fitting, why = [*fields], ""
        if len(fields) > 1:
            fits = (f"{printable(student)} by {field}" for student, field in fields.items())
            why = f"it fits {' and '.join(fits)}: mend {roster.ROSTER}"
        for name in _names(person):
            if not fitting:
                same_name = (student for student in namesakes[name] if not _contradict(person, student))
                fitting = sorted({student["id"] for student in same_name})
                if len(fitting) > 1 or fitting and unmatched[name] > 1:
                    ids = ", ".join(map(printable, fitting))
                    why = f"more than one is called so ({ids}): nothing is guessed"
        matches.append(("" if why or not fitting else fitting[0], why))
    return matches


def _keys(about: Person) -> list[tuple[str, str]]:
    """Return what a person is known by for certain, by its field."""
    return [(field, key) for field in _STRONG if (key := _key(about, field))]


def _key(about: Person, field: str) -> str:
    text = about.get(field, "")
    if field == "email" and not text and "@" in about.get("id", ""):
        text = about["id"]
    return _normal(text).casefold() if field == "email" else _normal(text)


def _contradict(person: Person, student: Person) -> bool:
    """Return whether these two cannot be one person, though they have one name."""
    pairs = ({_key(person, field), _key(student, field)} - {""} for field in ("email", "lms_user_id"))
    return any(len(pair) == 2 for pair in pairs)


def is_another(person: Person, student: Person) -> bool:
    """Return whether what is said of these two, who would have one id, is not of one person."""
    names, student_names = {*_names(person)}, {*_names(student)}
    return _contradict(person, student) or bool(names and student_names) and names.isdisjoint(student_names)


def _names(about: Person) -> list[str]:
    """Return a person's name as it is compared: its words in any order, and as Canvas writes it in names of files."""
    signs = unicodedata.normalize("NFKD", _name_of(about).casefold())
    plain = (sign for sign in signs if not (unicodedata.combining(sign) or sign in _LEFT_OUT))
    words = "".join(sign if sign.isalnum() else " " for sign in plain).split()
    return [*dict.fromkeys((" ".join(sorted(words)), "".join(words)))] if words else []


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))


def describe(about: Person) -> str:
    """Return a person's name, and in brackets what else they are known by."""
    details = ", ".join(about[field] for field in _STRONG if about.get(field))
    return printable(f"{_name_of(about)} ({details})" if details else _name_of(about)).strip()


def take_roster(course: Course, file: Path, folder: Path) -> str:
    """Take the people of a platform's table into `students.csv`; what was done comes back, line by line.

    Who is there keeps their id, and what is said of them; what is not said yet is added. Nobody is removed.
    """
    sheet = read_sheet(file)
    people, listed = read_people(sheet), _listed(course, folder)
    lines = [] if sheet.encoding.startswith("utf") else ["it is not UTF-8: read as Windows-1252"]
    students, entered = {about["id"]: about for about in listed}, set[str]()
    for (number, about), (student, why) in zip(people.items(), match([*people.values()], listed)):
        try:
            student = _enter(about, student, why, students, entered)
        except CourseError as reason:
            lines.append(f"row {number}: {describe(about)}: {reason}; not taken")
            continue
        entered.add(student)
        for field in ("email", "lms_user_id"):
            if (stays := students[student].get(field)) != (new_text := about.get(field, stays)):
                lines.append(f"{printable(student)}: {field} stays {stays!r}; row {number} says {new_text!r}")
    _write(folder / roster.ROSTER, [*students.values()])
    new = len(students) - len(listed)
    return "\n  ".join([f"{folder / roster.ROSTER}: {len(students)} students, {new} of them new", *lines])


def _enter(
    about: Person, match: str, why: str, students: dict[str, dict[str, str]], entered: Collection[str]
) -> str:
    """Enter a person, under the id of the student who they are; that, or a new one, comes back.

    entered: the students whom earlier rows are about. Raises `CourseError` where the person cannot be taken.
    """
    if about.get("role", "Student").casefold() != "student":
        raise CourseError(about["role"])
    person = _person(about)
    for text in filter(roster.is_shortened_number, (person["id"], about.get("lms_user_id", ""))):
        raise CourseError(f"{text} {roster.SHORTENED}")
    student = match or person["id"]
    if why or not roster.is_folder_name(student):
        raise CourseError(why or "no id that a folder can have")
    for existing in (existing for existing in students if existing.casefold() == student.casefold()):
        is_certain = match and student not in entered
        if existing != student or not is_certain and is_another(person, students[student]):
            raise CourseError(f"the id {existing} is {describe(students[existing])}'s")
    students[student] = {**person, **students.get(student, {}), "id": student}
    return student


def _person(about: Person) -> dict[str, str]:
    """Return a row of `students.csv`; the id, where the platform tells none, is the address's first part."""
    last, comma, first = about.get("name", "").rpartition(", ")
    if not comma:
        first, _, last = about.get("name", "").rpartition(" ")
    guess = about.get("email", "").partition("@")[0] or about.get("lms_user_id", "")
    texts = {"id": guess, "first_name": first, "last_name": last, **about}
    row = {
        name: clean_table_field(clean_name(texts[name])) for name in roster.ROSTER_COLUMNS if texts.get(name)
    }
    return row | {"id": texts["id"]}


def _write(path: Path, people: Sequence[Person]) -> None:
    """Write the list anew; columns of the instructor's own stay, and what Excel reads: its separator and its mark."""
    columns, rows = [*roster.ROSTER_COLUMNS], dict[str, dict[str, str]]()
    mode, separator, encoding = 0o600, ",", "utf-8"
    if path.is_file() and path.stat().st_size:
        sheet, mode = read_sheet(path), path.stat().st_mode & 0o777
        separator, encoding = sheet.separator, "utf-8" if sheet.encoding == "utf-8" else "utf-8-sig"
        columns = [*dict.fromkeys((*sheet.columns, *roster.ROSTER_COLUMNS))]
        rows = {row[columns.index("id")]: dict(zip(sheet.columns, row)) for _, row in sheet.records()}
    table = [columns]
    for student in people:
        row = {**rows.get(student["id"], {}), **student}
        table.append([row.get(column, "") for column in columns])
    atomic_files.atomic_write(path, as_csv(table, separator).encode(encoding), mode)

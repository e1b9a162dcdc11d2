"""Who is who: the columns in which platforms tell of people, and which student of a class is meant.

Canvas: "How do I export grades in the Gradebook?" in its instructor guide, `lib/gradebook_exporter.rb` of canvas-lms.
Moodle: https://docs.moodle.org/en/Grade_export; the grading worksheet: `mod/assign/feedback/offline/` of its source.
Gradescope: the roster of a course, `First Name,Last Name,SID,Email,Role,Sections`.
"""

from __future__ import annotations

import csv
import io
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.courses import Course
from autograder.model.errors import CourseError
from autograder.model.text import clean_name, in_table
from autograder.nbgrader_plugin import whole
from autograder.nbgrader_plugin.folders import printable
from autograder.nbgrader_plugin.gradebook import directory_of, is_there
from autograder.nbgrader_plugin.roster import (
    ROSTER,
    ROSTER_COLUMNS,
    SHORTENED,
    fits_a_folder,
    is_shortened,
    read_roster,
)
from autograder.nbgrader_plugin.sheet import Sheet, read_sheet

About = Mapping[str, str]
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
    """What a platform's table says of people, by the number of their row.

    Raises `CourseError` where no column tells who somebody is.
    """
    telling = {*_STRONG, "name", "last_name"}
    if not telling & {_FIELDS.get(column) for column in sheet.columns}:
        raise CourseError(
            f"{sheet.path}: no column says who somebody is. There are {', '.join(map(repr, sheet.columns[:8]))}; "
            f"wanted is a roster or grades as Moodle, Canvas or Gradescope export them, or {ROSTER}"
        )
    found = {}
    for number, row in sheet.records():
        cells = reversed([*zip(sheet.columns, row)])
        about = {_field(column, text): _normal(text) for column, text in cells if text}
        if telling & about.keys() and _name_of(about) not in _NOBODY:
            found[number] = about
    return found


def _field(column: str, text: str) -> str:
    """What a cell tells; in German, Moodle's worksheet calls participants' numbers as Canvas does people's."""
    return "participant" if column == "ID" and not text.isdecimal() else _FIELDS.get(column, "")


def _name_of(about: About) -> str:
    return about.get("name") or f"{about.get('last_name', '')}, {about.get('first_name', '')}".strip(", ")


def known_people(course: Course, folder: Path) -> list[dict[str, str]]:
    """All whom the class's list and its gradebook know. Raises `CourseError` where there is nobody."""
    if people := _listed(course, folder):
        return people
    raise CourseError(
        f"{folder / ROSTER} names nobody: `{course.command} roster FILE` takes the list from your platform's export"
    )


def _listed(course: Course, folder: Path) -> list[dict[str, str]]:
    people = {about["id"]: about for about in read_roster(folder / ROSTER)}
    directory = directory_of(course, folder)
    if is_there(directory.db_url):
        with Gradebook(directory.db_url, directory.course_id) as gradebook:
            for one in gradebook.students:
                own = {name: text for name in ROSTER_COLUMNS if (text := getattr(one, name))}
                people[one.id] = own | people.get(one.id, {})
    return [*people.values()]


def match(found: Sequence[About], known: Sequence[About]) -> list[tuple[str, str]]:
    """For each that was found the id of whom of the known it is, or an empty one, and why it cannot be told.

    An id, an email address or the platform's number decides. A name does only where it is nobody else's on either side,
    and nothing speaks against it. Who is nobody on the list has an empty reason.
    """
    index = defaultdict[tuple[str, str], list[str]](list)
    for one in known:
        for field in _STRONG:
            if key := _key(one, field):
                index[field, key].append(one["id"])
    hits = [
        {student: field for field in _STRONG for student in index.get((field, _key(one, field)), ())}
        for one in found
    ]
    taken = {student for hit in hits if len(hit) == 1 for student in hit}
    namesakes = defaultdict[str, list[About]](list)
    for one in known:
        if one["id"] not in taken:
            for name in _names(one):
                namesakes[name].append(one)
    asked = Counter(name for one, hit in zip(found, hits) if not hit for name in _names(one))
    return [_told(one, hit, namesakes, asked) for one, hit in zip(found, hits)]


def _told(
    one: About, hit: Mapping[str, str], namesakes: Mapping[str, Sequence[About]], asked: Counter[str]
) -> tuple[str, str]:
    if len(hit) == 1:
        return next(iter(hit)), ""
    if hit:
        fits = (f"{printable(student)} by {field}" for student, field in hit.items())
        return "", f"it fits {' and '.join(fits)}: mend {ROSTER}"
    for name in _names(one):
        fitting = {other["id"] for other in namesakes.get(name, ()) if not _contradict(one, other)}
        if len(fitting) == 1 and asked[name] == 1:
            return fitting.pop(), ""
        if fitting:
            called_so = ", ".join(map(printable, sorted(fitting)))
            return "", f"more than one is called so ({called_so}): nothing is guessed"
    return "", ""


def _contradict(one: About, other: About) -> bool:
    """Whether these two cannot be one person, though they have one name."""
    pairs = ((_key(one, field), _key(other, field)) for field in ("email", "lms_user_id"))
    return any(here and there and here != there for here, there in pairs)


def is_another(one: About, other: About) -> bool:
    """Whether what is said of these two, who would have one id, is not of one person."""
    names, others = _names(one), _names(other)
    return _contradict(one, other) or bool(names and others and not {*names} & {*others})


def _key(about: About, field: str) -> str:
    text = about.get(field, "")
    if field == "email" and not text and "@" in about.get("id", ""):
        text = about["id"]
    return _normal(text).casefold() if field == "email" else _normal(text)


def _names(about: About) -> list[str]:
    """A person's name as it is compared: its words in any order, and as Canvas writes it in names of files."""
    signs = unicodedata.normalize("NFKD", _name_of(about).casefold())
    plain = (sign for sign in signs if not (unicodedata.combining(sign) or sign in _LEFT_OUT))
    words = "".join(sign if sign.isalnum() else " " for sign in plain).split()
    return [*dict.fromkeys((" ".join(sorted(words)), "".join(words)))] if words else []


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))


def in_a_line(about: About) -> str:
    """A person in a line."""
    name = _name_of(about)
    others = [about[field] for field in _STRONG if about.get(field)]
    return printable(" ".join(filter(None, [name, f"({', '.join(others)})" if others else ""])))


def take_roster(course: Course, file: Path, folder: Path) -> str:
    """Take the people of a platform's table into `students.csv`; what was done comes back, line by line.

    Who is there keeps their id, and what is said of them; what is not said yet is added. Nobody is removed.
    """
    sheet = read_sheet(file)
    found, people = read_people(sheet), _listed(course, folder)
    lines = [] if sheet.encoding.startswith("utf") else ["it is not UTF-8: read as Windows-1252"]
    by_id, rows = {one["id"]: one for one in people}, defaultdict[str, list[int]](list)
    for (number, about), (student, why) in zip(found.items(), match([*found.values()], people)):
        try:
            student = _entered(about, student, why, by_id, rows)
        except CourseError as reason:
            lines.append(f"row {number}: {in_a_line(about)}: {reason}; not taken")
            continue
        rows[student].append(number)
        own = by_id[student]
        for field in ("email", "lms_user_id"):
            if about.get(field, own.get(field)) != own.get(field):
                stays = f"{field} stays {own[field]!r}; row {number} says {about[field]!r}"
                lines.append(f"{printable(student)}: {stays}")
    for student, twice in rows.items():
        if len(twice) > 1:
            sections = ", ".join(found[number].get("section", "–") for number in twice)
            lines.append(f"{printable(student)} stands there {len(twice)} times ({sections}): taken once")
    if absent := [printable(one) for one in by_id if one not in rows]:
        lines.append(f"on your list alone, and kept: {', '.join(absent)}")
    _write(folder / ROSTER, [*by_id.values()])
    told = f"{folder / ROSTER}: {len(by_id)} students, {len(by_id) - len(people)} of them new"
    return "\n  ".join([told, *lines])


def _entered(
    about: About, known: str, why: str, by_id: dict[str, dict[str, str]], taken: Collection[str]
) -> str:
    """Enter a person, under the id by which they are known; that, or a new one, comes back. Raises `CourseError`."""
    if about.get("role", "Student").casefold() != "student":
        raise CourseError(about["role"])
    person = _person(about)
    for text in filter(is_shortened, (person["id"], about.get("lms_user_id", ""))):
        raise CourseError(f"{text} {SHORTENED}")
    student = known or person["id"]
    if why or not fits_a_folder(student):
        raise CourseError(why or "no id that a folder can have")
    for other in (one for one in by_id if one.casefold() == student.casefold()):
        if other != student or (student in taken or not known) and is_another(person, by_id[student]):
            raise CourseError(f"the id {other} is {in_a_line(by_id[other])}'s")
    by_id[student] = {**person, **by_id.get(student, {}), "id": student}
    return student


def _person(about: About) -> dict[str, str]:
    """What `students.csv` says of somebody; the id, where the platform tells none, is the address's first part."""
    last, comma, first = about.get("name", "").rpartition(", ")
    if not comma:
        first, _, last = about.get("name", "").rpartition(" ")
    guess = about.get("email", "").partition("@")[0] or about.get("lms_user_id", "")
    said = {"id": guess, "first_name": first, "last_name": last, **about}
    return {name: in_table(clean_name(said[name])) for name in ROSTER_COLUMNS if said.get(name)} | {
        "id": said["id"]
    }


def _write(path: Path, people: Sequence[About]) -> None:
    """Write the list anew; columns of the instructor's own stay, and what Excel reads: its separator and its mark."""
    own, rows, mode, separator, encoding = [*ROSTER_COLUMNS], dict[str, dict[str, str]](), 0o600, ",", "utf-8"
    if path.is_file() and path.stat().st_size:
        sheet, mode = read_sheet(path), path.stat().st_mode & 0o777
        separator, encoding = sheet.separator, "utf-8" if sheet.encoding == "utf-8" else "utf-8-sig"
        own = [*dict.fromkeys((*sheet.columns, *ROSTER_COLUMNS))]
        rows = {row[own.index("id")]: dict(zip(sheet.columns, row)) for _, row in sheet.records()}
    made = io.StringIO()
    table = csv.DictWriter(made, own, restval="", delimiter=separator, lineterminator="\n")
    table.writeheader()
    table.writerows({**rows.get(one["id"], {}), **one} for one in people)
    whole.write_whole(path, made.getvalue().encode(encoding), mode)

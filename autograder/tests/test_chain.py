"""Release, hand in, autograde, feedback, export: the whole chain through nbgrader's own commands."""

from __future__ import annotations

import csv
import os
import re
import sqlite3
import subprocess
from collections import defaultdict
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook

from autograder.classroom import hand_in_times
from autograder.courses import open_course
from autograder.demo import samples
from autograder.execution.notebook_cells import grade_id_of
from autograder.execution.notes import NoteKind
from autograder.records.manual_grades import MARKS
from autograder.records.record_store import RECORDS, load_record
from autograder.tests import grading, small_course
from autograder.tests.attacks import in_gradebook
from autograder.tests.commands import run_ours, run_typed
from autograder.tests.small_course import CELSIUS, DAYS, LESSON, QUESTION

AUTOGRADE = " ".join(["nbgrader autograde", LESSON, *grading.NBGRADERS_TRUST])
FULL = {CELSIUS: 3, DAYS: 3}
ODD_NAMES = ("amy[1]", "b+c; d, e", "c\u2028d", "d{student}%s")


class Class:
    """A graded class: what each student handed in, and what came of it."""

    def __init__(self, course):
        self.course, self.lesson = course, open_course(course).lesson(LESSON)
        self.blank, self.name = self.lesson.released.read_text(), self.lesson.released.name

    def right(self):
        """The reference solutions, filled in."""
        return samples.filled(self.blank, {name: self.lesson.solution(name) for name in FULL})

    def hand_in(self, student, content, name=None):
        """The folder that it now lies in comes back."""
        path = self.course / "submitted" / student / LESSON / (name or self.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path.parent

    def change(self, change):
        """The right submission with something done to it."""
        notebook = nbformat.reads(self.right(), as_version=4)
        change(notebook)
        return nbformat.writes(notebook)

    def points(self, student):
        verdicts = load_record(self.lesson, student, self.course).verdicts
        return {name: verdict.points for name, verdict in verdicts.items()}

    def verdict(self, student, exercise):
        return load_record(self.lesson, student, self.course).verdicts[exercise]

    def notes(self, student):
        found = load_record(self.lesson, student, self.course).notes
        return [
            note.instructor_message for note in found if note.kind not in (NoteKind.UNSEALED, NoteKind.LATE)
        ]


def cell_named(notebook, name):
    return next(cell for cell in notebook.cells if grade_id_of(cell) == name)


def without(name):
    def change(notebook):
        notebook.cells.remove(cell_named(notebook, name))

    return change


def syntax_error(notebook):
    cell_named(notebook, DAYS).source = "def warmest_days(temperatures, k)\n    return 1"


def mistaken(notebook):
    cell_named(notebook, CELSIUS).source = "def to_celsius(fahrenheit):\n    return (fahrenheit - 32) * 9 / 5"
    days = "def warmest_days(temperatures, k):\n    return np.argsort(temperatures)[:k]"
    cell_named(notebook, DAYS).source = days


def ends_kernel(notebook):
    notebook.cells.append(new_code_cell("import os; os._exit(1)"))


def edited_test(notebook):
    cell_named(notebook, f"test_{DAYS}").source = "100.0"
    cell_named(notebook, f"test_{DAYS}").metadata.nbgrader["points"] = 100
    cell_named(notebook, DAYS).source = "warmest_days = None"


def uses_helper(notebook):
    helper = "from my_helpers import SEVEN\nassert SEVEN == int(open('seven.txt').read())\n"
    cell_named(notebook, CELSIUS).source = helper + cell_named(notebook, CELSIUS).source


def without_metadata(notebook):
    """As an editor leaves it that drops all metadata of cells."""
    for cell in notebook.cells:
        cell.metadata.clear()


def without_ids(notebook):
    """As an editor leaves it that also writes an old format, in which cells have no ids."""
    without_metadata(notebook)
    notebook.nbformat_minor = 4
    for cell in notebook.cells:
        del cell["id"]


def nested(folder, depth):
    """A folder in a folder in a folder; no path to the innermost would do."""
    here = os.open(folder, os.O_DIRECTORY)
    for _ in range(depth):
        os.mkdir("a", dir_fd=here)
        inner = os.open("a", os.O_DIRECTORY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def written(course):
    """All that a class's gradebook says, the files of its graded notebooks, and its exported grades."""
    return rows(course), grading.graded(course), grading.exported(course)


def rows(course: Path) -> dict[str, list[str]]:
    """All that a gradebook says; in place of the ids that it draws, what they stand for."""
    with closing(sqlite3.connect(course / "gradebook.db")) as base:
        tables = [name for (name,) in base.execute("select name from sqlite_master where type = 'table'")]
        found = {name: base.execute(f"select * from {name}").fetchall() for name in tables}
        for table, left_out in ((RECORDS, {"id", "at"}), (MARKS, {"at"})):
            columns = [column.name for column in table.c if column.name not in left_out]
            found[table.name] = base.execute(f"select {', '.join(columns)} from {table.name}").fetchall()
    names = dict.fromkeys(re.findall(r"\b[0-9a-f]{32}\b", str(found)), "")
    said: dict[str, list[str]] = {}
    for _ in range(6):  # no more tables lead from one to the other
        said = {
            name: [str([names.get(one, one) for one in row]) for row in all_] for name, all_ in found.items()
        }
        meant = defaultdict(list)
        for name, all_ in found.items():
            for row, text in zip(all_, said[name]):
                meant[row[0]].append(f"{name} {text}")
        names = {one: sha256(str(sorted(meant[one])).encode()).hexdigest() for one in names}
    return {name: sorted(lines) for name, lines in said.items()}


def hand_in_clumsily(found):
    """Right answers, handed in in every unhandy way that we know."""
    right = found.right()
    beside = found.hand_in("untitled_beside", right)
    (beside / "Untitled.ipynb").write_text(nbformat.writes(new_notebook()))
    (beside / f"._{found.name}").write_bytes(b"\0\5\x16\7\0")  # by macOS, with each file
    found.hand_in("renamed", right, "final (2).ipynb")
    found.hand_in("renamed_oddly", right, os.fsdecode(b"\xfcbung\x1b[31m\n.ipynb"))
    nested(found.hand_in("nested", right), 1200)
    found.hand_in("no_metadata", found.change(without_metadata))
    found.hand_in("no_ids", found.change(without_ids))
    notebook = nbformat.reads(found.blank, as_version=4)
    for name in FULL:  # each answer in a cell of its own, below the untouched one
        place = notebook.cells.index(cell_named(notebook, name)) + 1
        notebook.cells.insert(place, new_code_cell(found.lesson.solution(name)))
    found.hand_in("own_cells", nbformat.writes(notebook))
    found.hand_in("copy_beside", found.blank)
    found.hand_in("copy_beside", right, f"{Path(found.name).stem}-Copy1.ipynb")
    beside = found.hand_in("beside_much", right)
    for name, megabytes in (("huge.csv", 200), ("large.csv", 65)):
        (beside / name).touch()
        os.truncate(beside / name, megabytes * 2**20)
    for student, deeper in (("unzipped", "Ada's work (1)"), ("whole_course", f"attention/course/{LESSON}")):
        inside = found.hand_in(student, found.change(uses_helper), f"{deeper}/{found.name}")
        (inside / "my_helpers.py").write_text("SEVEN = 7\n")
        (inside / "seven.txt").write_text("7")
    other = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 1")])
    found.hand_in("whole_course", nbformat.writes(other), "attention/course/02_weather/weather.ipynb")
    found.hand_in("whole_course", "{}", f"__MACOSX/{found.name}")
    for student in ODD_NAMES:
        found.hand_in(student, right)
    found.hand_in("line\nfeed", right)
    found.hand_in(os.fsdecode(b"g\xfcnter"), right)


@pytest.fixture(scope="module")
def graded_class(tmp_path_factory):
    """The class, graded by our command with two workers, and a copy of it by nbgrader's."""
    course = small_course.make(tmp_path_factory.mktemp("chain") / "weather", question=QUESTION).root
    found = Class(course)
    run_typed(f"nbgrader generate_assignment {LESSON} --force", folder=course)
    hand_in_clumsily(found)
    found.hand_in("right", found.right())
    found.hand_in("untouched", found.blank)
    found.hand_in("not_json", "this is not a notebook")
    found.hand_in("empty", "")
    found.hand_in("syntax_error", found.change(syntax_error))
    found.hand_in("ends_kernel", found.change(ends_kernel))
    found.hand_in("no_test", found.change(without(f"test_{DAYS}")))
    found.hand_in("no_answer", found.change(without(DAYS)))
    found.hand_in("edited_test", found.change(edited_test))
    found.hand_in("mistaken", found.change(mistaken))
    for student in ("mistaken", "untouched", "not_json"):
        hand_in_times.add_time(course, student, LESSON, "2026-03-02 08:00:00 UTC")
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")
    (course / "submitted" / "nothing" / LESSON).mkdir(parents=True)
    again = course.with_name("again")
    subprocess.run(["cp", "-a", course, again], check=True)
    found.said = run_ours("grade", LESSON, "--jobs", "2", *grading.TRUST, folder=course, fails=True)
    found.by_our_command = written(course)
    found.log = run_typed(AUTOGRADE, folder=again)
    found.by_nbgraders = written(again)
    run_typed(f"nbgrader generate_feedback {LESSON}", folder=course)
    yield found
    for one in (course, again):
        subprocess.run(["rm", "-r", one / "submitted" / "nested"], check=True)  # too deep for Python


UNHANDY = (
    *("right", "untitled_beside", "renamed", "renamed_oddly", "nested", "ends_kernel", "no_test"),
    *("no_metadata", "no_ids", "own_cells", "copy_beside"),
    *("beside_much", "unzipped", "whole_course", *ODD_NAMES),
)
NOTHING, ONE_BROKEN = dict.fromkeys(FULL, 0), {**FULL, DAYS: 0}


@pytest.mark.parametrize(
    ("students", "points"),
    [
        (UNHANDY, FULL),
        (("untouched", "not_json", "empty"), NOTHING),
        (("syntax_error", "no_answer", "edited_test"), ONE_BROKEN),
    ],
    ids=[
        "right answers keep their points",
        "nothing",
        "a broken answer or test costs one exercise",
    ],
)
def test_each_submission_earns_what_its_answers_do(graded_class, students, points):
    assert {student: graded_class.points(student) for student in students} == dict.fromkeys(students, points)
    if points == NOTHING:
        states = {graded_class.verdict(student, name).state for student in students for name in FULL}
        assert states == {"not started"}


def test_a_known_mistake_is_named(graded_class):
    assert graded_class.verdict("mistaken", CELSIUS).misconception == "ratio upside down"
    assert graded_class.verdict("mistaken", DAYS).misconception == "coldest instead of warmest"


def test_both_commands_write_the_same(graded_class):
    gradebook, files, _ = graded_class.by_our_command
    assert graded_class.by_our_command == graded_class.by_nbgraders
    assert {name for name, lines in gradebook.items() if lines} >= {
        "grade",
        "comment",
        "marks",
        "student",
    }
    assert len(files) > len(FULL)


@pytest.mark.parametrize("name", ["line\\nfeed", "g\\xfcnter"])
def test_a_folder_that_names_no_student_is_told_and_left_out(graded_class, name):
    told = f"{name} cannot be a student's id: not graded; rename the folder"
    assert told in graded_class.log
    assert told in graded_class.said
    students = [path.name for path in (graded_class.course / "autograded").iterdir()]
    assert not [student for student in students if "line" in student or "nter" in student]


@pytest.mark.parametrize(
    ("student", "words"),
    [
        ("right", None),
        ("untouched", None),
        ("untitled_beside", None),
        *((name, None) for name in ODD_NAMES),
        ("beside_much", "huge.csv, large.csv are more than there is room for: left out"),
        ("unzipped", "missing: Ada's work (1)/temperatures.ipynb was graded in its place"),
        ("whole_course", f"attention/course/{LESSON}/temperatures.ipynb was graded in its place"),
        ("renamed_oddly", r"\xfcbung\x1b[31m\n.ipynb was graded in its place"),
        ("nested", "what lies more than 32 folders deep was left out"),
        ("not_json", "not JSON (line 1, column 1)"),
        ("empty", "is empty"),
        ("renamed", "final (2).ipynb was graded in its place"),
        ("syntax_error", f"{DAYS}: 0 points for work that differs from what was handed out"),
        ("edited_test", f"locked cell test_{DAYS} was edited"),
    ],
)
def test_the_instructor_gets_one_clear_line(graded_class, student, words):
    notes = graded_class.notes(student)
    assert len(notes) == (words is not None) + (student == "edited_test")  # what it earns is told as well
    if words:
        assert words in notes[0]
        assert f"{student}: {notes[0]}" in graded_class.log
        assert f"{student}: {notes[0]}" in graded_class.said
    assert "Traceback" not in graded_class.log + graded_class.said


def test_all_get_a_page_and_stand_in_gradebook_and_report(graded_class):
    pages = {path.parts[-3] for path in graded_class.course.glob("feedback/*/*/*.html")}
    in_table = in_gradebook(graded_class.course)
    assert {*ODD_NAMES} <= pages == in_table.keys()
    assert (in_table["right"], in_table["untouched"]) == (sum(FULL.values()), 0)
    run_ours("report", folder=graded_class.course)
    table = graded_class.course / "reports" / f"{LESSON}.csv"
    with table.open(encoding="utf-8-sig", newline="") as file:
        reported = {row["student"] for row in csv.DictReader(file)}
    assert {name.replace("\u2028", r"\u2028") for name in pages} <= reported


def test_what_is_too_large_is_not_copied_and_nothing_is_copied_twice(graded_class):
    assert not list((graded_class.course / "autograded" / "beside_much").rglob("*.csv"))
    assert {path.suffix for path in graded_class.course.glob("feedback/**/*.*")} == {".html"}


def test_one_of_an_odd_name_can_be_graded_alone(graded_class):
    again = graded_class.course.with_name("again")
    run_typed(f"{AUTOGRADE} --force '--student=amy[1]'", folder=again)
    assert in_gradebook(again)["amy[1]"] == sum(FULL.values())


def test_feedback_shows_the_verdict_and_no_hidden_value(graded_class):
    page = (graded_class.course / "feedback" / "syntax_error" / LESSON / graded_class.name).with_suffix(
        ".html"
    )
    text = page.read_text()
    assert 'class="verdict wrong"' in text
    assert "warmest_days is not defined" in text


def test_a_release_is_the_same_every_time(graded_class):
    assert graded_class.lesson.released.read_text() == graded_class.blank

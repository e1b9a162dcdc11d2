"""A term of twelve students, through the commands: after each step everybody's grade, mark and page are what a careful
assistant would have written by hand.

Two lessons are handed out; work comes, comes again, late and damaged; answers are marked, points set by hand, the
course changes, two rounds run at once, the disk is full.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Any

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from autograder.authoring import scaffold
from autograder.classroom import hand_in_times
from autograder.courses import CLASS, Lesson, open_course
from autograder.demo import samples
from autograder.marking.marker_view import MarkerView
from autograder.records.manual_grades import GivenMark, Stale
from autograder.tests import needs
from autograder.tests.commands import told
from autograder.tests.grading import right
from autograder.tests.small_course import QUESTION

pytestmark = needs.seal

CELSIUS, DAYS, KELVIN, COLDEST = "to_celsius", "warmest_days", "to_kelvin", "coldest_days"
BOTH = (CELSIUS, DAYS)
FIRST, SECOND = "01_temperatures", "02_kelvins"
OTHER_NAMES = {FIRST: SECOND, "temperatures": "kelvins", CELSIUS: KELVIN, DAYS: COLDEST}
"""What the second lesson calls what it has from the first."""

WRITTEN = "why_kelvin"
WORTH = 3.0
"""Points of each exercise."""

EARLY, DUE, LATE = (f"2026-03-{day} 12:00:00 UTC" for day in ("01", "05", "07"))

ANSWERED: Mapping[str, Collection[str]] = {
    "amy": BOTH,
    "ben": (CELSIUS,),
    "cem": (DAYS,),
    "dan": (),
    "eve": (DAYS,),
    "fay": BOTH,
    "gil": (CELSIUS,),
    "hal": BOTH,
    "ivy": BOTH,
    "jon": BOTH,
    "kim": (CELSIUS,),
    "lea": (DAYS,),
}
"""Which exercises of the first lesson each student answers, all of them rightly."""

WORDS = {
    "amy": "Nothing can be colder than what does not move.",
    "ben": "It is easier.",
    "cem": "Zero is then no heat at all.",
    "jon": "I do not know.",
}
IN_THE_SECOND = (*WORDS, "dan", "eve")
OTHER_WORDS = "Twice as many kelvins are twice as much motion."

Row = tuple[str, float | None]


@dataclass
class Term:
    """A class's folder, and the course's."""

    course: Path
    folder: Path

    def lesson(self, lesson: str) -> Lesson:
        return open_course(self.course).lesson(lesson)

    def run(self, *words: str, fails: bool = False) -> str:
        """A command, as an instructor types it in the course's folder; no traceback is ever shown."""
        said, failed = told(*words, folder=self.course)
        assert failed == fails, said
        assert "Traceback" not in said, said
        return said

    def begin(self, *words: str, **streams: Any) -> subprocess.Popen[str]:
        """A command in a process of its own, which may run beside another."""
        command = [sys.executable, "-m", "autograder.commands.cli", *words, "--class", str(self.folder)]
        return subprocess.Popen(command, cwd=self.course, text=True, stdout=PIPE, **streams)

    def round(self, *options: str, fails: bool = False) -> str:
        return self.run("round", "--class", str(self.folder), *options, fails=fails)

    def hand_in(self, student: str, lesson: str, answered: Collection[str], **others: str) -> None:
        """Put a notebook with these exercises answered rightly, and other cells, in place of what lies there."""
        released = self.folder / "course" / lesson / notebook(lesson)
        given = right(self.lesson(lesson), answered) | others
        text = samples.filled(released.read_text(encoding="utf-8"), given)
        self.hand_in_file(student, lesson, notebook(lesson), text.encode())

    def hand_in_file(self, student: str, lesson: str, name: str, content: bytes) -> None:
        shutil.rmtree(self.folder / "submitted" / student / lesson, ignore_errors=True)
        samples.put_file(self.folder / "submitted", student, lesson, name, content)

    def table(self, lesson: str) -> dict[str, Row]:
        """Where everybody stands in a lesson, and the score, as `grades.csv` has it."""
        with (self.folder / "grades.csv").open(encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["assignment"] == lesson]
        return {
            row["student_id"]: (row["standing"], float(row["score"]) if row["score"] else None)
            for row in rows
        }

    def page(self, student: str, lesson: str) -> str:
        path = (self.folder / "feedback" / student / lesson / notebook(lesson)).with_suffix(".html")
        return " ".join(BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").text.split())

    def changes(self) -> list[tuple[str, ...]]:
        """What `changes.csv` has of each grade that changed."""
        with (self.folder / "changes.csv").open(encoding="utf-8") as file:
            names = ("student", "lesson", "item", "before", "now")
            return [tuple(row[name] for name in names) for row in csv.DictReader(file)]

    def state(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.course / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")


class Page:
    """The marking page, as it was when it was loaded, and marks that are given there."""

    def __init__(self, term: Term) -> None:
        course = open_course(term.course)
        self._view = MarkerView(course, term.folder, course.lessons, "ada")
        self.reload()

    def reload(self) -> None:
        questions = self._view.questions()
        self.answers = {answer.student: answer for question in questions for answer in question.answers}

    @property
    def waiting(self) -> set[str]:
        return {student for student, answer in self.answers.items() if answer.waits}

    def mark(self, student: str, **changes: Any) -> None:
        """Save what was typed, on what the page showed when it was loaded."""
        shown = self.answers[student]
        self._view.give_marks(SECOND, WRITTEN, [GivenMark(shown.id, shown.change, changes)])


def notebook(lesson: str) -> str:
    return f"{lesson.partition('_')[2]}.ipynb"


def points(answered: Collection[str]) -> float:
    return WORTH * len(answered)


@pytest.fixture(scope="module")
def term(tmp_path_factory: pytest.TempPathFactory) -> Term:
    made = Term(tmp_path_factory.mktemp("term") / "course", tmp_path_factory.mktemp("term") / "class")
    scaffold.new_course(made.course)
    first = made.course / "solutions" / FIRST
    for path in sorted(first.rglob("*.py")):
        text, name = path.read_text(encoding="utf-8"), path.relative_to(first).as_posix()
        for one, other in OTHER_NAMES.items():
            text, name = text.replace(one, other), name.replace(one, other)
        text += QUESTION if name == "kelvins.py" else ""
        copy = made.course / "solutions" / SECOND / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    made.run("build")
    made.run("release")
    made.run("new-class", "--class", str(made.folder))
    with (made.folder / "students.csv").open("a", encoding="utf-8") as file:
        file.writelines(f"{student},,,,\n" for student in ANSWERED)
    with (made.folder / CLASS).open("a", encoding="utf-8") as file:
        file.write("[late]\npercent_a_day = 100\n")
    return made


FIRST_TABLE: dict[str, Row] = {}
"""What the first lesson's table should be, from step to step."""

SECOND_TABLE: dict[str, Row] = {}


def stands(term: Term) -> None:
    """Each table and page says what it should."""
    for lesson, table in ((FIRST, FIRST_TABLE), (SECOND, SECOND_TABLE)):
        assert term.table(lesson) == table
        for student, (stage, score) in table.items():
            if stage == "graded":
                assert f"{score:g} of" in term.page(student, lesson), student


def test_the_first_round(term):
    term.run("hand-out", FIRST, "--class", str(term.folder))
    for student, answered in ANSWERED.items():
        if student != "hal":
            term.hand_in(student, FIRST, answered)
            FIRST_TABLE[student] = ("graded", points(answered))
    with Gradebook(f"sqlite:///{term.folder / 'gradebook.db'}") as gradebook:
        gradebook.update_or_create_assignment(FIRST, duedate=DUE)
    hand_in_times.add_time(term.folder, "amy", FIRST, EARLY)
    hand_in_times.add_time(term.folder, "ivy", FIRST, LATE)
    term.hand_in_file("fay", FIRST, notebook(FIRST), b"")
    term.hand_in_file("gil", FIRST, "work.zip", b"PK")
    FIRST_TABLE["ivy"] = ("graded", 0.0)
    FIRST_TABLE["hal"] = ("not handed in", None)
    FIRST_TABLE["fay"] = FIRST_TABLE["gil"] = ("handed in, not graded", None)

    said = term.round(fails=True)
    assert re.search(r"2 not graded\. fay .*is empty.*gil .*only work\.zip", said.splitlines()[-1])
    stands(term)
    assert not term.table(SECOND), "it was not handed out"

    term.hand_in("fay", FIRST, ANSWERED["fay"])
    term.hand_in("gil", FIRST, ANSWERED["gil"])
    FIRST_TABLE["fay"], FIRST_TABLE["gil"] = (("graded", points(ANSWERED[one])) for one in ("fay", "gil"))
    said = term.round()
    assert "✗" not in said
    assert "WARNING" not in said
    stands(term)
    assert "could not be read" in term.page("fay", FIRST), "of the earlier file"


def test_a_second_lesson_and_marks(term):
    term.run("hand-out", SECOND, "--class", str(term.folder))
    for student in IN_THE_SECOND:
        term.hand_in(student, SECOND, (KELVIN,), **({WRITTEN: WORDS[student]} if student in WORDS else {}))
        stage: Row = ("waits for marks", None) if student in WORDS else ("graded", points((KELVIN,)))
        SECOND_TABLE[student] = stage
    for student in ANSWERED.keys() - {*IN_THE_SECOND}:
        SECOND_TABLE[student] = ("not handed in", None)
    assert "Answers that wait for your mark: 4." in term.round(SECOND)
    stands(term)
    first, second = Page(term), Page(term)
    assert first.waiting == second.waiting == set(WORDS)
    for student, given in (("amy", 4), ("ben", 1), ("cem", 3)):
        first.mark(student, points=given)
    with pytest.raises(Stale):
        second.mark("amy", comment="Well said.")
    second.reload()
    second.mark("amy", comment="Well said.")
    assert second.waiting == {"jon"}
    for student, given in (("amy", 4), ("ben", 1), ("cem", 3)):
        SECOND_TABLE[student] = ("graded", points((KELVIN,)) + given)
    assert "Answers that wait for your mark: 1." in term.round(SECOND)
    stands(term)
    assert "Well said." in term.page("amy", SECOND)


def test_other_words_wait_again_and_the_same_do_not(term):
    term.hand_in("amy", SECOND, (KELVIN, COLDEST), **{WRITTEN: WORDS["amy"]})
    term.hand_in("ben", SECOND, (KELVIN,), **{WRITTEN: OTHER_WORDS})
    SECOND_TABLE["amy"] = ("graded", points((KELVIN, COLDEST)) + 4)
    SECOND_TABLE["ben"] = ("waits for marks", None)
    assert "Answers that wait for your mark: 2." in term.round(SECOND)
    stands(term)
    page = Page(term)
    assert page.waiting == {"ben", "jon"}
    ben = page.answers["ben"]
    assert ben.before is not None
    assert (ben.text, ben.before.text, ben.before.points) == (OTHER_WORDS, WORDS["ben"], 1)
    page.mark("ben", points=4.0)
    page.mark("jon", points=0.0)
    SECOND_TABLE["ben"] = ("graded", points((KELVIN,)) + 4)
    SECOND_TABLE["jon"] = ("graded", points((KELVIN,)))
    assert "wait for your mark" not in term.round(SECOND)
    stands(term)


def test_a_text_that_changes_changes_no_grade(term):
    """A word of a text, a comment, a space in the examples: nothing is graded again, in either lesson."""
    term.edit(f"solutions/{FIRST}/temperatures.py", "# ## ", "# ## Now: ")
    term.edit(f"solutions/{FIRST}/judging/{CELSIUS}.py", "import numpy", "# Numbers.\nimport numpy")
    term.edit(f"solutions/generated/{FIRST}/examples.json", "{", "{ ")
    term.run("build", FIRST)
    term.run("release", FIRST)
    assert "Grades that would change: 0" in term.round("--preview")
    said = term.round()
    assert "Grades that changed" not in said
    for lesson in (FIRST, SECOND):
        assert re.search(rf"{lesson}: (\d+) of \1 done \(\1 unchanged\)", said)
    stands(term)


def test_points_that_change_are_told(term):
    with Gradebook(f"sqlite:///{term.folder / 'gradebook.db'}") as gradebook:
        by_hand = gradebook.find_grade(f"test_{CELSIUS}", "temperatures", FIRST, "jon")
        by_hand.manual_score = by_hand.auto_score - 1
        gradebook.find_comment(CELSIUS, "temperatures", FIRST, "jon").manual_comment = "Too long by half."
        gradebook.db.commit()
    FIRST_TABLE["jon"] = ("graded", points(BOTH) - 1)
    term.round(FIRST)
    stands(term)
    page = term.page("jon", FIRST)
    assert "Too long by half." in page
    assert "Well done" not in page

    old = 'Criterion("right for an array", common.agrees, ("array",)'
    term.edit(f"solutions/{FIRST}/judging/{CELSIUS}.py", old, f"{old}, points=3")
    term.edit(f"solutions/{SECOND}/judging/{COLDEST}.py", "criteria=(", "criteria=(  # as ever\n")
    term.run("build", FIRST, SECOND)
    term.run("release", FIRST, SECOND)
    term.hand_in("dan", SECOND, ())
    who = ANSWERED.keys() - {"hal"}
    before = term.state()
    said = term.round("--preview")
    now = "the grader gives 5 now"
    lines = (
        f"  {FIRST}  jon: {CELSIUS}: 2 of 3 → 2 of 5 (worth 5 points now, 3 before; set by hand, and kept; {now})\n",
        f"  {FIRST}  ben: {CELSIUS}: 3 of 3 → 5 of 5 (worth 5 points now, 3 before)\n",
        f"  {SECOND}  dan: {KELVIN}: 3 of 3 → 0 of 3 (handed in again)\n",
    )
    for when in ("would change", "changed"):
        assert f"Grades that {when}: {len(who) + 1}" in said, said
        assert [line for line in lines if line not in said] == [], said
        if when == "would change":
            assert term.state() == before
            said = term.round()
    SECOND_TABLE["dan"] = ("graded", 0.0)
    for student in (one for one in who - {"ivy", "jon"} if CELSIUS in ANSWERED[one]):
        FIRST_TABLE[student] = ("graded", (FIRST_TABLE[student][1] or 0) + 2)
    stands(term)
    rows = term.changes()
    assert {student for student, lesson, *_ in rows if lesson == FIRST} == who
    assert ("dan", SECOND, KELVIN, "3 of 3", "0 of 3") in rows
    assert ("ben", FIRST, CELSIUS, "3 of 3", "5 of 5") in rows
    told = f"{CELSIUS}: 3 of 3 → 5 of 5, because: worth 5 points now, 3 before."
    assert told in term.page("ben", FIRST)
    assert "set by hand, and kept" in term.page("jon", FIRST)
    assert "Changed since" not in term.page("ben", SECOND)
    assert "Changed since" not in term.page("dan", SECOND), "the page tells of the earlier attempt"

    assert "Grades that" not in term.round()
    assert term.changes() == rows
    assert told in term.page("ben", FIRST)


def test_two_rounds_at_once(term):
    term.hand_in("dan", FIRST, (DAYS,))
    term.hand_in("lea", FIRST, BOTH)
    FIRST_TABLE["dan"] = ("graded", points((DAYS,)))
    FIRST_TABLE["lea"] = ("graded", points(BOTH) + 2)
    both = [term.begin("round", FIRST, stderr=STDOUT) for _ in range(2)]
    said = [one.communicate()[0] for one in both]
    assert [one.returncode for one in both] == [0, 0], said
    first, second = sorted(said, key=lambda text: "waiting for that to end" in text)
    assert "waiting" not in first
    assert "`autograder round` (process " in second
    assert "waiting for that to end" in second
    everyone = sum(stage == "graded" for stage, _ in FIRST_TABLE.values())
    assert f"{everyone - 2} unchanged)" in first
    assert f"{FIRST}: {everyone} of {everyone} done ({everyone} unchanged)" in second
    stands(term)


def test_a_full_disk_is_said_in_a_line_and_loses_nothing(term, tmp_path):
    term.hand_in("cem", FIRST, BOTH)
    used = sum(path.stat().st_size for path in term.folder.rglob("*") if path.is_file())
    small, kept = tmp_path / "small", tmp_path / "kept"
    small.mkdir()
    steps = (
        f"cp -a {term.folder}/. {small} && head -c 1G /dev/zero > {small}/filler 2>/dev/null; "
        f"{sys.executable} -m autograder.commands.cli round --class {small}; code=$?; "
        f"rm {small}/filler; cp -a {small}/. {kept}; exit $code"
    )
    disk = ["bwrap", "--dev-bind", "/", "/", "--size", str(used * 2 + 2**22), "--tmpfs", str(small)]
    done = subprocess.run([*disk, "sh", "-c", steps], cwd=term.course, capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "Traceback" not in said, said
    assert re.search("the disk is full", said), said
    assert len(said.splitlines()) < 40, said
    term.folder = kept
    FIRST_TABLE["cem"] = ("graded", points(BOTH) + 2)
    os.chmod(kept, 0o700)
    term.round(FIRST)
    stands(term)

"""Grades that change after they were given: only where what they depend on did, and nobody is left untold.

A course of two lessons and a class of two students, in one process from beginning to end, as formgrader is.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.courses import Course, open_course
from autograder.demo import samples
from autograder.nbgrader_plugin import changes
from autograder.nbgrader_plugin.changes import Grade, Points, between
from autograder.sandbox import doctor
from autograder.tests import small_course
from autograder.tests.commands import run_ours
from autograder.tests.small_course import LESSON as FIRST
from autograder.tests.small_course import SECOND

NO_ZERO = "def to_celsius(fahrenheit):\n    return fahrenheit * 5 / 9"
UNSEALED = "c.SealedKernel.allow_unsealed = True\n"


class Class:
    """A class, its course, and what students hand in."""

    def __init__(self, folder: Path) -> None:
        self.root, self.folder = folder / "course", folder / "class"
        small_course.make(self.root, lessons=(FIRST, SECOND))
        if not doctor.sealable():
            settings = self.root / "nbgrader_config.py"
            settings.write_text(settings.read_text() + UNSEALED)
        self.ours("new-class", str(self.folder))

    def ours(self, *words: str) -> str:
        return run_ours(*words, folder=self.root)

    def on_class(self, *words: str) -> str:
        return self.ours(*words, "--folder", str(self.folder))

    @property
    def course(self) -> Course:
        return open_course(self.root)

    def hand_in(self, student: str, lesson_id: str, **answers: str) -> None:
        lesson = self.course.lesson(lesson_id)
        given = {name: lesson.solution(name) for name in lesson.names("solution")} | answers
        blank = lesson.released.read_text(encoding="utf-8")
        content = samples.filled(blank, given).encode()
        samples.put_file(self.folder / "submitted", student, lesson_id, lesson.released.name, content)

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.root / file
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new, 1))

    def set_points(self, student: str, lesson_id: str, item: str, points: float) -> None:
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as gradebook:
            notebook = self.course.lesson(lesson_id).notebook
            gradebook.find_grade(item, notebook, lesson_id, student).manual_score = points
            gradebook.db.commit()

    def page(self, student: str, lesson_id: str) -> str:
        notebook = self.course.lesson(lesson_id).notebook
        path = self.folder / "feedback" / student / lesson_id / f"{notebook}.html"
        return path.read_text(encoding="utf-8")

    def rows(self) -> list[tuple[str, ...]]:
        path = self.folder / "changes.csv"
        rows = list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []
        return [tuple(row[name] for name in ("student", "lesson", "item", "before", "now")) for row in rows]

    def state(self) -> dict[str, bytes]:
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in paths}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_changes_in_a_term_is_regraded_told_before_and_told_after(tmp_path: Path) -> None:
    term = Class(tmp_path)
    for lesson in (FIRST, SECOND):
        term.on_class("hand-out", lesson)
        term.hand_in("amy", lesson, to_celsius=NO_ZERO)
        term.hand_in("bea", lesson)
    said = term.on_class("round", "--preview")
    assert "Grades that would change: 0" in said
    assert not (term.folder / "autograded").exists()
    assert "Grades that" not in term.on_class("round")
    assert not term.rows()

    # A space in the examples, a word of a text, a comment: nothing is graded again, in either lesson.
    term.edit(f"solutions/{FIRST}/shown/examples.json", "{", "{ ")
    term.edit(f"solutions/{FIRST}/temperatures.py", "Two small functions", "Two short functions")
    term.edit(f"solutions/{FIRST}/to_celsius.py", "import numpy", "# Numbers.\nimport numpy")
    term.ours("build", FIRST)
    term.ours("release", FIRST)
    said = term.on_class("grade", "--quiet")
    assert [f"{lesson}: 2 of 2 done (2 unchanged)" in said for lesson in (FIRST, SECOND)] == [True, True]

    # A point more in the first lesson, where amy's points were set by hand; bea hands in the second one again.
    term.set_points("amy", FIRST, "test_to_celsius", 2.0)
    term.edit(f"solutions/{FIRST}/to_celsius.py", '("array",)', '("array",), points=2')
    term.ours("build", FIRST)
    term.ours("release", FIRST)
    term.hand_in("bea", SECOND, to_celsius=NO_ZERO)
    before = term.state()
    said = term.on_class("round", "--preview")
    lines = said.partition("Grades that would change: 3\n")[2].splitlines()[:3]
    assert lines == [
        f"  {FIRST}  amy: to_celsius: 2 of 3 → 2 of 4 (worth 4 points now, 3 before; set by hand, and kept)",
        f"  {FIRST}  bea: to_celsius: 3 of 3 → 4 of 4 (worth 4 points now, 3 before)",
        f"  {SECOND}  bea: to_celsius: 3 of 3 → 1 of 3 (handed in again)",
    ]
    assert term.state() == before

    said = term.on_class("round")
    assert all(line in said for line in lines)
    assert f"{SECOND}: 2 of 2 done (1 partly right, 1 unchanged)" in said
    changed = [
        ("amy", FIRST, "to_celsius", "2 of 3", "2 of 4"),
        ("bea", FIRST, "to_celsius", "3 of 3", "4 of 4"),
        ("bea", SECOND, "to_celsius", "3 of 3", "1 of 3"),
    ]
    assert term.rows() == changed
    told = "to_celsius: 3 of 3 → 4 of 4, because: worth 4 points now, 3 before."
    assert told in term.page("bea", FIRST)
    assert "set by hand, and kept" in term.page("amy", FIRST)
    assert "Changed since" not in term.page("bea", SECOND)  # the page tells of the earlier attempt

    # Another round changes nothing, and forgets nothing.
    assert "Grades that" not in term.on_class("round")
    assert term.rows() == changed
    assert told in term.page("bea", FIRST)


PARTS = {name: "a" for name in changes.CAUSES}


def grade(points: float, most: float, *, given: float = 3, by_hand: bool = False, **parts: str) -> Grade:
    return Grade({"f": Points(points, most, given, by_hand)}, "w", PARTS | parts)


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        (grade(3, 3), grade(3, 3, lesson="b"), []),
        (grade(3, 3), grade(2, 3, lesson="b"), ["the lesson is judged otherwise"]),
        (grade(3, 3), grade(2, 3, grader="b"), ["the grader judges otherwise"]),
        (grade(3, 3), grade(2, 3), ["graded again"]),
        (grade(3, 3), grade(2, 3, by_hand=True), []),
        (grade(3, 3), grade(4, 4, lesson="b"), ["worth 4 points now, 3 before"]),
        (
            grade(2, 3, by_hand=True),
            grade(2, 3, by_hand=True, given=1, lesson="b"),
            ["the lesson is judged otherwise; set by hand, and kept; the grader gives 1 now"],
        ),
        (
            grade(3, 3),
            grade(1, 3, files="b", libraries="b"),
            ["handed in again; the libraries changed"],
        ),
    ],
)
def test_a_change_says_what_it_is_due_to(old: Grade, new: Grade, because: list[str]) -> None:
    found = between({"01": {"amy": old}}, {"01": {"amy": new, "bea": new}}, "now")
    assert [change.because for change in found] == because


def test_a_round_that_was_killed_is_told_by_the_next_one(tmp_path: Path) -> None:
    changes.begin(tmp_path, {"01": {"amy": grade(3, 3)}, "02": {"amy": grade(1, 1)}})
    before = changes.begin(tmp_path, {"01": {"amy": grade(2, 3), "bea": grade(1, 3)}})  # it came in between
    assert before == {"01": {"amy": grade(3, 3), "bea": grade(1, 3)}}
    (tmp_path / changes.BEFORE).write_text("cut sho")
    before = changes.begin(tmp_path, {"01": {"amy": grade(3, 3)}})
    assert before == {"01": {"amy": grade(3, 3)}}
    changes.end(tmp_path, between(before, {"01": {"amy": grade(2, 3)}}, "2026-11-23 12:00 UTC"))
    assert [path.name for path in tmp_path.iterdir()] == [changes.CHANGES]
    assert changes.told(tmp_path, "01", "amy", "w") == [
        "2026-11-23: f: 3 of 3 → 2 of 3, because: graded again."
    ]
    assert changes.told(tmp_path, "01", "bea", "w") == changes.told(tmp_path, "01", "amy", "other") == []

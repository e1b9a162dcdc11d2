"""Each student stands somewhere in each lesson that was handed out, and every output says the same of it."""

from __future__ import annotations

import io
import shutil
import sqlite3
from pathlib import Path
from zipfile import ZipFile

import pytest
from nbgrader.api import Gradebook

from autograder.classroom import hand_in_times
from autograder.courses import CLASS
from autograder.grading.autograde import GradingRun, Submission
from autograder.grading.grade_submission import Job
from autograder.marking import marker_view
from autograder.tests import needs, small_course
from autograder.tests.small_class import Class
from autograder.tests.small_course import CELSIUS, LESSON, NOTEBOOK, SECOND

pytestmark = needs.seal
NAME = f"{NOTEBOOK}.ipynb"
DUE, LATER = (f"2026-03-0{day} 12:00:00 UTC" for day in (1, 5))
EMPTY = f"{NAME} is empty: not graded; ask for the file again"
ONLY = f"no notebook was handed in, {{}}: not graded; ask for {NAME}"
NO_ID = "a\x1b[31mb"
ESCAPED = r"a\x1b[31mb"
REASONS = {
    ESCAPED: f"{ESCAPED} cannot be a student's id: not graded; rename the folder",
    "eve": ONLY.format("only mine.zip"),
    "fay": ONLY.format("only temperatures.py"),
    "gus": ONLY.format("the folder is empty"),
    "hal": EMPTY,
}
STAYS = "; the earlier grade stays"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """A class after its first round; `dan` is on the list and handed in nothing, nobody was given the other lesson."""
    place = tmp_path_factory.mktemp("class")
    course = small_course.make(place / "course", lessons=(LESSON, SECOND))
    folder = small_course.make_class(course, place / "class")
    made = Class(folder)
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        gradebook.add_student("dan")
        gradebook.update_or_create_assignment(LESSON, duedate=DUE)
    for student in ("ann", "bob"):
        made.hand_in_answers(student)
        hand_in_times.add_time(folder, student, LESSON, LATER)
    made.hand_in("cid", NAME, (folder / "course" / LESSON / NAME).read_bytes())
    made.hand_in("eve", "mine.zip", b"PK")
    made.hand_in("fay", "temperatures.py", b"x = 1")
    made.hand_in("gus")
    made.hand_in("hal", NAME)
    made.hand_in(NO_ID, NAME)
    made.hand_in_answers("ivy")
    zipped = io.BytesIO()
    with ZipFile(zipped, "w") as archive:
        archive.write(made.work("ivy") / NAME, f"mine/{NAME}")
        archive.writestr("../out.csv", "")
    made.hand_in("ivy", "mine.zip", zipped.getvalue())
    made.round(fails=True)
    return made


@pytest.fixture
def made(first: Class, tmp_path: Path) -> Class:
    """A copy of it, without those who have no grade."""
    found = Class(shutil.copytree(first.folder, tmp_path / "class", symlinks=True))
    with sqlite3.connect(found.folder / "gradebook.db") as base:
        for student in (*REASONS, NO_ID, "ivy"):
            for step in ("submitted", "autograded"):
                shutil.rmtree(found.folder / step / student, ignore_errors=True)
            base.execute("delete from submitted_assignment where student_id = ?", [student])
            base.execute("delete from student where id = ?", [student])
    return found


def test_nothing_handed_in_nothing_graded_and_no_points_are_told_apart(first: Class) -> None:
    full = str(first.full)
    not_graded = {student: ("", "handed in, not graded", reason) for student, reason in REASONS.items()}
    graded = {student: (full, "graded", "") for student in ("ann", "bob", "ivy")} | {
        "cid": ("0", "graded", "")
    }
    assert first.table() == {**graded, "dan": ("", "not handed in", ""), **not_graded}
    assert first.reported() == {student: stage for student, (_, stage, _) in first.table().items()}
    assert "\x1b" not in (first.folder / "reports" / f"{LESSON}.html").read_text()


def test_a_round_ends_with_how_many_are_not_graded_and_why(first: Class) -> None:
    last = first.said.strip().splitlines()[-1]
    told = ". ".join(f"{student} ({LESSON}): {reason}" for student, reason in list(REASONS.items())[:3])
    assert last == f"✗ 5 not graded. {told}. and 2 more, see above"
    for student, reason in REASONS.items():
        assert f"\n  {LESSON}  {student}: {reason}\n" in first.said
    assert f"{LESSON}: not handed in: dan" in first.said
    assert f"ivy: {NAME} is missing: mine.zip.unpacked/mine/{NAME} was graded in its place" in first.said
    assert "ivy: ../out.csv leads out of the folder, or is no name: left out" in first.said


def test_a_page_without_a_grade_shows_no_points(first: Class) -> None:
    assert "Not graded" in first.page("hal")
    assert f"{NAME} is empty, so nothing of it could be graded" in first.page("hal")
    assert "points" not in first.page("hal")
    assert f"There was no {NAME} in what you handed in, only mine.zip." in first.page("eve")


def test_what_cannot_be_read_takes_no_grade_s_place(made: Class) -> None:
    before = made.table()
    made.hand_in("ann", NAME)
    made.hand_in("bob", "mine.zip", b"PK")
    made.hand_in("cid")
    for _ in range(2):
        assert made.round(fails=True).startswith("✗ 3 not graded. ann ")
        told = {student: reason for student, (_, _, reason) in made.table().items()}
        assert told == {
            "ann": EMPTY + STAYS,
            "bob": ONLY.format("only mine.zip") + STAYS,
            "cid": ONLY.format("the folder is empty") + STAYS,
            "dan": "",
        }
        assert {student: row[:2] for student, row in made.table().items()} == {
            student: row[:2] for student, row in before.items() if student not in (*REASONS, "ivy")
        }
    assert "could not be graded, so these points stay" in made.page("ann")
    assert f"There was no {NAME} in what you handed in, only mine.zip." in made.page("bob")
    made.hand_in_answers("ann", **{CELSIUS: f"def {CELSIUS}(fahrenheit):\n    return fahrenheit"})
    made.hand_in_answers("bob")
    made.hand_in_answers("cid")
    assert made.round().endswith("grades.csv")
    assert {reason for _, _, reason in made.table().values()} == {""}
    assert 0 < float(made.table()["ann"][0]) < made.full
    assert "could not be graded" not in made.page("ann")


def test_what_fails_the_first_time_has_no_grade_until_it_does_not(made: Class, monkeypatch) -> None:
    made.hand_in_answers("ian")
    job = GradingRun.make_job

    def broken_disk(run: GradingRun, submission: Submission, notebook: Path) -> Job:
        if submission.student == "ian":
            raise OSError(5, "Input/output error")
        return job(run, submission, notebook)

    with monkeypatch.context() as patched:
        patched.setattr(GradingRun, "make_job", broken_disk)
        last = made.round(fails=True)
    reason = "could not be graded: OSError: [Errno 5] Input/output error"
    assert last == f"✗ 1 not graded. ian ({LESSON}): {reason}"
    assert made.table()["ian"] == ("", "handed in, not graded", reason)
    made.round()
    assert made.table()["ian"] == (str(made.full), "graded", "")


def test_what_was_withdrawn_keeps_its_grade_until_it_is_forgotten(made: Class) -> None:
    before = made.table()["bob"][0]
    shutil.rmtree(made.work("bob"))
    made.round()
    assert f"{LESSON}: withdrawn, for the folder in submitted/ has gone: bob" in made.said
    assert made.table()["bob"] == (before, "withdrawn", "")
    assert made.reported()["bob"] == "withdrawn"
    shown = [
        answer.student
        for question in marker_view.marked_questions(made.folder, made.lesson)
        for answer in question.answers
    ]
    assert "bob" not in shown
    assert "ann has withdrawn nothing" in made.round("--forget", "ann", fails=True)
    made.round("--forget", "bob")
    assert made.table()["bob"] == ("", "not handed in", "")
    assert "withdrawn, for" not in made.said
    made.hand_in_answers("bob")
    made.round()
    assert made.table()["bob"] == (before, "graded", "")


def test_a_round_sees_extension_penalty_and_cutoff(made: Class) -> None:
    assert "Handed in 4 days late" in made.page("ann")
    file = made.folder / CLASS
    extension = f"[lessons.{LESSON}.extensions]\nann = '2026-03-04 12:00 UTC'\n"
    before = f"zone = 'Europe/Berlin'\n{extension}[late]\npercent_a_day = 10\n"
    file.write_text(before)
    made.round()
    full = made.full
    for student, days, percent in (("ann", "1 day", 10), ("bob", "4 days", 40)):
        assert f"Handed in {days} late; {percent} % of the points taken off" in made.page(student)
        assert f"{full * percent / 100:g} points were taken off for handing in late" in made.page(student)
    with Gradebook(f"sqlite:///{made.folder / 'gradebook.db'}") as gradebook:
        gradebook.find_grade(f"test_{CELSIUS}", NOTEBOOK, LESSON, "bob").manual_score = 0
        gradebook.db.commit()
    made.round()
    left = full - made.points[CELSIUS]
    assert f"{left * 0.4:g} points were taken off for handing in late" in made.page("bob")
    assert "Handed in Thu 2026-03-05 13:00 Europe/Berlin." in made.page("bob")
    cutoff = f"[lessons.{LESSON}]\ncutoff = '2026-03-05 12:59'\nextensions.ann = '2026-03-06 12:00'\n"
    file.write_text(f"zone = 'Europe/Berlin'\n{cutoff}")
    made.round()
    assert "day late" not in made.page("ann")
    assert "Handed in 4 days late; 100 % of the points taken off" in made.page("bob")
    assert made.table()["bob"][0] == "0"
    assert (
        "Closes Thu 2026-03-05 12:59 Europe/Berlin."
        in (made.folder / "reports" / f"{LESSON}.html").read_text()
    )
    old = ("--setting", "LateSubmissionPlugin.penalty_method=zero")
    said = made.ours("grade", *old, fails=True)
    assert "nbgrader_config.py sets LateSubmissionPlugin: what being late costs stands in class.toml" in said
    for text, said in (
        (before.replace("ann", "anne"), "nobody is called 'anne', and no section"),
        (before.replace("2026", "soon 2026"), "extensions.ann: 'soon 2026-03-04 12:00 UTC' is no time"),
    ):
        file.write_text(text)
        printed = made.round(fails=True).strip()
        assert said in printed
        assert "\n" not in printed

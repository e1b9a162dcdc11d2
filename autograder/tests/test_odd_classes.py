"""The class report of classes that are small, alike, hostile or not graded yet."""

from __future__ import annotations

import pytest

from autograder.answers import corpus
from autograder.commands import cli
from autograder.execution.notes import Note, NoteKind
from autograder.tests import in_process
from autograder.tests.reports import LESSON, report, right, words
from autograder.tests.this_course import find_lesson


def test_nothing_graded_is_said(tmp_path, capsys):
    (tmp_path / "submitted" / "amy" / LESSON).mkdir(parents=True)
    for wanted in ([], [LESSON]):
        with pytest.raises(SystemExit, match=f"nothing is graded yet.*{tmp_path}.*attention-course round"):
            cli.main(["report", *wanted, "--class", str(tmp_path)])
    assert not (tmp_path / "reports").exists()


def test_a_class_that_has_not_started(tmp_path):
    in_process.write_graded(tmp_path, LESSON, "amy", {}, [])
    found = report(tmp_path)
    assert "Nobody has started yet" in found.words()
    assert "The counts give no suggestion" in found.words()
    assert {row["state"] for row in found.rows} == {"not started"}
    assert not found.page.find_all("svg")


@pytest.mark.parametrize("students", [1, 12])
def test_a_class_that_is_all_alike(tmp_path, students):
    for number in range(students):
        in_process.write_graded(tmp_path, LESSON, f"student_{number}", right(LESSON), [])
    found = report(tmp_path)
    assert "Nobody: every answer is right" in found.words()
    assert "The counts give no suggestion" in found.words()
    assert {(row[2], row[3]) for row in found.table("item-table")} == {("100 %", "–")}


def test_fewer_suggestions_than_three_are_said_to_be_fewer(tmp_path):
    answers = corpus.answers(find_lesson(LESSON))
    wrong = next(answer for answer in answers if answer.misconception == "plain mean instead of weights")
    for student, answers in (("amy", {wrong.exercise: wrong}), ("bo", {wrong.exercise: wrong}), ("cy", {})):
        in_process.write_graded(tmp_path, LESSON, student, right(LESSON) | answers, [])
    found = report(tmp_path)
    suggestions = [words(one) for one in found.page.select(".suggestions li")]
    assert len(suggestions) == 1
    said = "plain mean instead of weights: every word weighs the same 2 of 3 in length_weights;"
    assert suggestions[0].startswith(said)
    assert (
        "The counts give no more: a difficulty is suggested when at least 2 students share it."
        in found.words()
    )


def test_unsealed_grades_are_called_so(tmp_path):
    in_process.write_graded(tmp_path, LESSON, "amy", right(LESSON), [], sealed=False)
    in_process.write_graded(tmp_path, LESSON, "bo", right(LESSON), [])
    found = report(tmp_path)
    assert words(found.page.find("p", class_="unsealed")).startswith("Unsealed. 1 of 2 notebooks")
    assert "unsealed" in found.page.title.string


def test_what_came_from_students_cannot_act(tmp_path):
    name, note = "<img src=x onerror=alert(1)>", Note(NoteKind.TWICE, ("<script>alert(2)</script>",))
    unreadable = Note(NoteKind.UNREADABLE, (name,), "is empty")
    in_process.write_graded(tmp_path, LESSON, name, {}, [note, unreadable])
    in_process.write_graded(tmp_path, LESSON, f"{name}2", right(LESSON), [note])
    found = report(tmp_path)
    assert not found.page.find("img")
    assert len(found.page.find_all("script")) == 1
    assert found.table("notes") == [[note.instructor_message, "1", f"{name}2"]]
    assert f"{name}: {unreadable.instructor_message}" in found.words()


def test_what_is_not_graded_or_was_withdrawn_is_told_and_not_counted(tmp_path):
    for student in ("amy", "bo"):
        in_process.write_graded(tmp_path, LESSON, student, right(LESSON), [])
    (tmp_path / "submitted" / "bo" / LESSON).rmdir()
    (tmp_path / "submitted" / "cy" / LESSON).mkdir(parents=True)
    found = report(tmp_path)
    assert {row["student"] for row in found.rows if row["exercise"]} == {"amy"}
    assert "bo,,,,withdrawn,," in (tmp_path / "reports" / f"{LESSON}.csv").read_text()
    assert "the folder in submitted/ has gone: bo. The grade is kept." in found.words()
    assert "Of 1 student something is not graded" in found.words()
    assert "cy: not graded yet: the next round does it" in found.words()

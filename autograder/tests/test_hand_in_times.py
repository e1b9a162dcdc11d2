"""When work came is what the exchange or the instructor says, and nothing that a student hands in."""

from __future__ import annotations

import os
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.classroom import hand_in_times
from autograder.classroom.class_folder import directory_of
from autograder.courses import CLASS
from autograder.exercises.errors import CourseError
from autograder.grading import late_penalty
from autograder.nbgrader_plugin.exchange import was_submitted_via_exchange
from autograder.records.record_store import load_record
from autograder.tests.grading import grade
from autograder.tests.this_course import find_lesson

LESSON = find_lesson("01_weighted_sums")
MARCH, APRIL = (f"2026-0{month}-01 12:00:00 UTC" for month in (3, 4))
LONG_AGO = "1999-01-01 00:00:00 UTC"
STUDENT = 'a, "b" [1] \u2028 é'


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("student,lesson,time\namy,01,2026-03-01 12:00 UTC\n", 12),
        ("\ufeffstudent,lesson,time\r\namy,01,2026-03-01T12:00+02:00\r\n", 10),
        ("time,remark,student,lesson\n2026-03-01 12:00,by mail,amy,01", 12),
        ("student,lesson,time\namy,01,2026-03-01 12:00\namy,01,2026-03-01 14:00\n", 14),
    ],
)
def test_the_last_line_of_a_student_and_lesson_counts(tmp_path: Path, text: str, hour: int) -> None:
    (tmp_path / hand_in_times.HANDED_IN).write_text(text)
    assert hand_in_times.find_time(tmp_path, "amy", "01") == datetime(2026, 3, 1, hour)
    assert hand_in_times.find_time(tmp_path, "amy", "02") is None
    hand_in_times.check_times(tmp_path, ["01"])
    hand_in_times.add_time(tmp_path, "amy", "01", "2026-03-01 15:00")
    assert hand_in_times.find_time(tmp_path, "amy", "01") == datetime(2026, 3, 1, 15)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "student,lesson,time\namy,01,soon\n",
            "of 'amy' and 01: 'soon' is no time; write 2026-12-01 23:59 UTC",
        ),
        ("student,lesson,time\namy,01\n", "line 1 below the first does not say student, lesson, time"),
        ("amy,01,2026-03-01 12:00\n", "its first line does not name student, lesson, time"),
        ("student,lesson,time\namy,1,2026-03-01 12:00\n", "no lesson is called '1', as a line of 'amy' says"),
        ("\ud800", "its first line does not name student"),
    ],
)
def test_a_table_that_is_none_says_where(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / hand_in_times.HANDED_IN).write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(CourseError, match=f"{hand_in_times.HANDED_IN}.*{said}"):
        hand_in_times.check_times(tmp_path, ["01"])


def test_what_is_known_is_not_written_down_again(tmp_path: Path) -> None:
    for when in (MARCH, MARCH, APRIL, APRIL, MARCH):
        hand_in_times.add_time(tmp_path, STUDENT, "01", when)
    assert hand_in_times.read_times(tmp_path) == {(STUDENT, "01"): [MARCH, APRIL, MARCH]}


@pytest.fixture(scope="module")
def course(make_course) -> Path:
    """Due in March. Amy and Eve handed in in April; some files came with a time of their own."""
    folder, release = make_course(LESSON.id)
    for student in ("amy", "bo", "cy", "dan", "eve"):
        place = folder / "submitted" / student / LESSON.id
        place.mkdir(parents=True)
        (place / release.name).write_bytes(release.read_bytes())
        if student in ("amy", "eve"):
            hand_in_times.add_time(folder, student, LESSON.id, APRIL)
        if student == "dan":
            os.mkfifo(place / "timestamp.txt")
        elif student != "cy":
            (place / "timestamp.txt").write_text(APRIL if student == "amy" else LONG_AGO)
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        gradebook.update_or_create_assignment(LESSON.id, duedate=MARCH)
    grade(folder)
    return folder


IGNORED = "timestamp.txt came with the work and is not believed: {}"
LATE = "handed in 31 days late"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("student", "when", "notes"),
    [
        ("amy", datetime(2026, 4, 1, 12), [LATE]),
        ("bo", None, [IGNORED.format("it counts as in time")]),
        ("cy", None, []),
        ("dan", None, [IGNORED.format("it counts as in time")]),
        ("eve", datetime(2026, 4, 1, 12), [IGNORED.format("the time in handed_in.csv counts"), LATE]),
    ],
)
def test_no_student_chooses_when_their_work_came(
    course: Path, student: str, when: datetime | None, notes: list[str]
) -> None:
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        assert gradebook.find_submission(LESSON.id, student).timestamp == when
    found = load_record(LESSON, student, course).notes
    assert [note.instructor_message for note in found if "UNSEALED" not in note.instructor_message] == notes


@pytest.mark.slow
def test_points_that_a_mark_gives_later_cost_what_being_late_does(course: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(course, tmp_path / "class", symlinks=True, ignore=lambda *_: ["dan"])
    (folder / CLASS).write_text("[late]\npercent_a_day = 1\n")
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        for student in ("amy", "bo", "eve"):
            gradebook.find_submission(LESSON.id, student).notebooks[0].grades[0].manual_score = 2
        gradebook.find_submission(LESSON.id, "eve").extension = timedelta(days=60)
        gradebook.db.commit()
    late_penalty.renew_penalties(directory_of(LESSON.course, folder), LESSON)
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        work = gradebook.assignment_submissions(LESSON.id)
        penalties = {each.student.id: each.late_submission_penalty for each in work}
    assert penalties == {"amy": 0.62, "bo": 0, "cy": 0, "dan": 0, "eve": 0}


def test_a_pipe_in_the_place_of_a_time_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "dan" / "01").mkdir(parents=True)
    os.mkfifo(tmp_path / "dan" / "01" / "timestamp.txt")
    assert not was_submitted_via_exchange(tmp_path, "01")


@pytest.mark.slow
def test_another_time_grades_again_what_it_is_about_and_one_that_is_none_nothing(course: Path) -> None:
    hand_in_times.add_time(course, "cy", LESSON.id, APRIL)
    assert "4 unchanged" in grade(course)
    assert load_record(LESSON, "cy", course).notes[-1].instructor_message == LATE
    hand_in_times.add_time(course, "cy", LESSON.id, "soon")
    graded = {path: path.stat().st_mtime_ns for path in (course / "autograded").rglob("*")}
    last = grade(course, fails=True).strip().splitlines()[-1]
    assert "'soon' is no time; write 2026-12-01 23:59 UTC" in last
    assert {path: path.stat().st_mtime_ns for path in (course / "autograded").rglob("*")} == graded

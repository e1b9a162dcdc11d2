"""A class's dates stand in one file: what it says, what it may not say, and where people read it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest

from autograder.classroom.dates import parse_time, read_dates
from autograder.courses import CLASS
from autograder.distribution import kit
from autograder.exercises.errors import CourseError
from autograder.tests.commands import run_ours
from autograder.tests.this_course import COURSE, find_lesson

LESSON = find_lesson("01_weighted_sums")
BERLIN = 'zone = "Europe/Berlin"\n'
ALL = f"""{BERLIN}
[lessons.{LESSON.id}]
release = "2026-10-12 08:00"
due = "2026-10-19 23:59"
cutoff = "2026-10-22 23:59"
extensions = {{ ada = "2026-10-24 12:00", evening = "2026-10-20 18:00 America/New_York" }}

[sections.evening]
students = ["ada", "bo"]
zone = "America/New_York"

[late]
percent_a_day = 10
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / CLASS).write_text(ALL)
    return tmp_path


def refused(folder: Path, students: list[str]) -> str:
    """What is said of a class's file."""
    with pytest.raises(CourseError) as error:
        read_dates(folder).expect_sound([LESSON.id], students)
    assert str(error.value).startswith(str(folder))
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "zone", "utc"),
    [
        ("2026-12-01 23:59 UTC", "Europe/Berlin", "2026-12-01 23:59"),
        ("2026-07-01 23:59:30.5", "Europe/Berlin", "2026-07-01 21:59:30.5"),
        ("2026-12-01T23:59+05:30", "", "2026-12-01 18:29"),
        ("2026-10-25 02:30+02:00", "Europe/Berlin", "2026-10-25 00:30"),
        ("2026-10-25 02:30+01:00", "Europe/Berlin", "2026-10-25 01:30"),
        ("2026-10-25 02:00 Asia/Tokyo", "Europe/Berlin", "2026-10-24 17:00"),
    ],
)
def test_a_time_is_the_class_s_unless_it_names_its_zone(text: str, zone: str, utc: str) -> None:
    assert parse_time(text, zone) == datetime.fromisoformat(utc)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-10-25 02:30", 'comes twice in .*: write "2026-10-25 02:30.02:00" or "2026-10-25 02:30.01:00"'),
        ("2026-03-29 02:30", "2026-03-29 02:30 is left out by the clocks of Europe/Berlin"),
        ("2026-12-01", "'2026-12-01' is no time; write 2026-12-01 23:59 UTC"),
        ("0001-01-01 00:00+05:00", "is no time"),
        ("", "'' is no time"),
        ("2026-12-01 23:59 CEST", "no time zone is called 'CEST'; write one as Europe/Berlin"),
        ("2026-12-01 23:59 etc/../../../passwd", "no time zone is called"),
    ],
)
def test_a_time_that_is_none_says_what_to_write(text: str, said: str) -> None:
    with pytest.raises(CourseError, match=said):
        parse_time(text, "Europe/Berlin")


@pytest.mark.parametrize(
    ("due", "when", "late"),
    [
        ("2026-10-24 20:00", "2026-10-25 19:30", timedelta(hours=23, minutes=30)),  # a night of 25 hours
        ("2026-10-24 20:00", "2026-10-25 20:30", timedelta(days=1, minutes=30)),
        ("2026-10-25 02:30+02:00", "2026-10-25 02:15+01:00", timedelta(minutes=45)),  # the clock shows less
        ("2026-10-24 20:00", "2026-10-24 20:00", timedelta(0)),
    ],
)
def test_days_late_are_counted_by_the_clock_of_the_class(
    folder: Path, due: str, when: str, late: timedelta
) -> None:
    (folder / CLASS).write_text(f'{BERLIN}[lessons.{LESSON.id}]\ndue = "{due}"\n')
    assert read_dates(folder).of(LESSON.id).late_by(parse_time(when, "Europe/Berlin")) == late


def test_each_student_has_their_own_date_and_reads_it_in_their_own_zone(folder: Path) -> None:
    dates = read_dates(folder)
    dates.expect_sound([LESSON.id], ["ada", "bo"])
    closes = datetime(2026, 10, 22, 21, 59)
    for student, zone, due, cutoff, extended in (
        ("ada", "America/New_York", datetime(2026, 10, 24, 10), datetime(2026, 10, 24, 10), True),
        ("bo", "America/New_York", datetime(2026, 10, 20, 22), closes, True),
        ("cy", "Europe/Berlin", datetime(2026, 10, 19, 21, 59), closes, False),
    ):
        own = dates.of(LESSON.id, student)
        assert (own.due, own.cutoff, own.extended, dates.zone_of(student)) == (due, cutoff, extended, zone)
    assert dates.told(LESSON.id)[1] == (
        "Due Mon 2026-10-19 23:59 Europe/Berlin = Mon 2026-10-19 17:59 America/New_York"
    )


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (BERLIN, "", "[lessons.01_weighted_sums]: release: 2026-10-12 08:00 is in no zone: write zone ="),
        ("Europe/Berlin", "Berlin", "no time zone is called 'Berlin'; write one as Europe/Berlin"),
        ("lessons.01_weighted", "lessons.1_weighted", "no lesson is called so; there are 01_weighted_sums"),
        ("cutoff =", "cutof =", "unknown field `cutof`; it may hold release, due, cutoff, extensions"),
        ('"2026-10-22 23:59"', '"2026-10-18 23:59"', "cutoff comes before due: mend one of them"),
        ('"2026-10-24 12:00"', '"2026-10-01 12:00"', "extensions.ada comes before release"),
        ('"2026-10-24 12:00"', '"later"', "01_weighted_sums]: extensions.ada: 'later' is no time"),
        (
            "ada =",
            "aad =",
            "[lessons.01_weighted_sums] extensions: nobody is called 'aad', and no section: mend",
        ),
        ('"bo"]', '"boo"]', "[sections.evening]: nobody is called 'boo'"),
        ('["ada", "bo"]', '"ada"', "[sections.evening]: Expected `array`, got `str`"),
        ('["ada", "bo"]', '["evening"]', "'evening' is a section and a student"),
        ("percent_a_day = 10", "percent_a_day = 110", "[late]: Expected `float` <= 100.0"),
        ("= 10\n", "= 10\n[deadlines]\n", "unknown field `deadlines`; it may hold course"),
        (BERLIN, f'{BERLIN}contact = "ada at x.org"\n', "contact: 'ada at x.org' is no e-mail address"),
        (BERLIN, f'{BERLIN}attempt = "first"\n', 'attempt: \'first\' is neither "best" nor "last"'),
        (BERLIN, f'{BERLIN}groups = "teem"\n', "'teem' should say who works together"),
        ("cutoff", 'excused = ["eve"]\ncutoff', "excused: nobody is called 'eve', and no section"),
        ('due = "2026-10-19 23:59"', "due = 2026-10-19 23:59", "a time stands in quotation marks"),
        (
            "= 10\n",
            '= 10\n[sections.late]\nstudents = ["bo"]\nzone = "Asia/Tokyo"\n',
            "bo is in sections in America/New_York and Asia/Tokyo: leave one out",
        ),
    ],
)
def test_what_the_file_may_not_say_is_told_with_its_entry(
    folder: Path, before: str, now: str, said: str
) -> None:
    (folder / CLASS).write_text(ALL.replace(before, now))
    assert said in refused(folder, ["ada", "bo"])


def test_who_is_in_two_sections_with_different_extensions_gets_neither_by_chance(folder: Path) -> None:
    text = ALL.replace("ada =", "lab =") + '[sections.lab]\nstudents = ["bo", "cy"]\n'
    (folder / CLASS).write_text(text)
    told = refused(folder, ["ada", "bo", "cy"])
    assert "bo is in evening and lab, whose extensions differ: write one of bo's" in told
    (folder / CLASS).write_text(text.replace('lab = "', 'bo = "2026-10-21 23:59", lab = "'))
    read_dates(folder).expect_sound([LESSON.id], ["ada", "bo", "cy"])


def test_a_class_s_kit_and_hand_out_show_the_dates_and_nobody_s_extension(folder: Path) -> None:
    told = f"{'. '.join(read_dates(folder).told(LESSON.id))}."
    kit.write_kit(COURSE, folder / "kit.zip", folder=folder)
    home = kit.kit_folder(COURSE)
    with ZipFile(folder / "kit.zip") as file:
        names = (LESSON.released, COURSE.start, COURSE.lessons[1].released)
        texts = [file.read(f"{home}/{name.relative_to(COURSE.root)}") for name in names]
        assert not [name for name in file.namelist() if b"2026-10-24" in file.read(name) or CLASS in name]
    lesson, start, other = (json.loads(text)["cells"] for text in texts)
    assert "".join(lesson[1]["source"]) == f"**{told}**"
    assert "".join(start[1]["source"]) == f"- {LESSON.title}: {told}"
    assert other == json.loads(COURSE.lessons[1].released.read_text())["cells"]
    run_ours("hand-out", LESSON.id, "--class", str(folder))
    (kept,) = (folder / "handed_out" / LESSON.id).iterdir()
    assert kept.read_bytes() == LESSON.released.read_bytes()
    handed_out = folder / LESSON.released.relative_to(COURSE.root)
    assert json.loads(handed_out.read_text())["cells"] == lesson

"""Lists of people and times as programs and people save them: read, or refused in a line that says what to do."""

from __future__ import annotations

import codecs
import unicodedata
from pathlib import Path

import pytest

from autograder.classroom import hand_in_times
from autograder.classroom.dates import read_dates
from autograder.classroom.roster import read_roster
from autograder.commands.round import _stray
from autograder.exercises.errors import CourseError
from autograder.files.csv_table import read_sheet
from autograder.lms import identities
from autograder.tests.this_course import COURSE

LESSON = "01_weighted_sums"
APART = unicodedata.normalize("NFD", "zoë")
EXCEL = {
    "semicolons": lambda text: text.replace(",", ";").encode("cp1252"),
    "a mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16, the other way": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "a first line on the separator": lambda text: ("sep=;\r\n" + text.replace(",", ";")).encode(),
}


@pytest.mark.parametrize("save", EXCEL.values(), ids=EXCEL)
def test_what_excel_saves_is_read_added_to_and_saved_as_it_was(tmp_path: Path, save) -> None:
    path = tmp_path / "students.csv"
    path.write_bytes(save("id,last_name\r\nzoë,Ångström\r\n,\r\n"))
    assert read_roster(path) == [{"id": "zoë", "last_name": "Ångström"}]
    read_sheet(path).save(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()

    table = f"student,lesson,time\r\nzoë,{LESSON},2026-03-01 10:00 UTC\r\n,,\r\n"
    (tmp_path / hand_in_times.HANDED_IN).write_bytes(save(table))
    for _ in range(2):
        hand_in_times.add_time(tmp_path, "bø", LESSON, "2026-03-02 10:00 UTC")
    assert hand_in_times.read_times(tmp_path) == {
        ("zoë", LESSON): ["2026-03-01 10:00 UTC"],
        ("bø", LESSON): ["2026-03-02 10:00 UTC"],
    }


def test_a_time_of_somebody_whom_the_file_s_letters_do_not_have_is_written_all_the_same(
    tmp_path: Path,
) -> None:
    (tmp_path / hand_in_times.HANDED_IN).write_bytes(
        "student,lesson,time\nzoë,x,2026-03-01 10:00\n".encode("cp1252")
    )
    hand_in_times.add_time(tmp_path, "李", LESSON, "2026-03-02 10:00 UTC")
    assert {*hand_in_times.read_times(tmp_path)} == {("zoë", "x"), ("李", LESSON)}


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("id,last_name,id\namy,Lee,bob", "2 columns are called id, not one"),
        (
            f"id,last_name\nzoë,A\n{APART},B",
            f"line 2 below the first: {APART} only looks the same as an earlier id",
        ),
        ('id,lms_user_id\namy,"1,23457E+11"', "1,23457E+11 is what a spreadsheet makes of a long number"),
        (f"id\n{'x' * 300}", "line 1 below the first has no id that a folder can have"),
    ],
)
def test_a_list_that_would_mix_people_up_is_refused(tmp_path: Path, rows: str, told: str) -> None:
    path = tmp_path / "students.csv"
    path.write_text(rows, encoding="utf-8")
    with pytest.raises(CourseError) as error:
        read_roster(path)
    assert told in str(error.value)
    assert str(path) in str(error.value)


def test_numbers_that_a_spreadsheet_has_shortened_are_not_taken(tmp_path: Path) -> None:
    file = tmp_path / "export.csv"
    file.write_text("Email,SID,Last Name\namy@x.org,1.2E+11,Lee\nbob@x.org,1.2E+11,Bo\ncy@x.org,7,Cy\n")
    said = identities.take_roster(COURSE, file, tmp_path)
    assert "row 2: Lee (amy@x.org, 1.2E+11): 1.2E+11 is what a spreadsheet makes of a long number" in said
    assert [one["id"] for one in read_roster(tmp_path / "students.csv")] == ["cy"]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_a_class_s_file_in_another_encoding_is_told_so(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "class.toml").write_text('zone = "UTC" # zoë', encoding=encoding)
    with pytest.raises(CourseError, match="is not UTF-8: save it as that"):
        read_dates(tmp_path)


def test_a_folder_that_only_looks_like_a_student_s_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "students.csv").write_text("id\nzoë\nbø\n", encoding="utf-8")
    for name in (APART, "bø", "eve"):
        (tmp_path / "submitted" / name / LESSON).mkdir(parents=True)
    (line,) = _stray(COURSE, tmp_path)
    assert line.endswith(f"not zoë's of your list, though it looks so: rename submitted/{APART}")

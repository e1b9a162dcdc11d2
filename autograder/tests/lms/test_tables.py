"""Tables of any platform: people, grades, and how they are saved."""

from __future__ import annotations

import pytest

from autograder.files.csv_table import read_sheet
from autograder.tests.lms.files import LESSON, OTHER, PEOPLE, moodle, ours, roster, strict


def test_which_column_is_meant_is_asked(graded, tmp_path):
    file = tmp_path / "grades.csv"
    file.write_text("Email address,Homework 1,Weighted sums (1),Weighted sums (2)\namy@example.edu,,,\n")
    said = ours("grades", file, LESSON, folder=graded, fails=True)
    assert "'Weighted sums (1)' and 'Weighted sums (2)' are both called as 01_weighted_sums is" in said
    ours("grades", file, LESSON, "--column", f"{LESSON}=Homework 1", folder=graded)
    assert strict(tmp_path / "grades-filled.csv")[1] == ["amy@example.edu", "7.5", "", ""]
    said = ours("grades", file, OTHER, folder=graded, fails=True)
    assert "no column is called as a lesson is; say which is meant: --column '02_toy_tensors=" in said
    said = ours("grades", file, "03_word2vec_heatmap", folder=graded, fails=True)
    assert "03_word2vec_heatmap was not handed out; there are 01_weighted_sums, 02_toy_tensors" in said


def test_a_list_that_says_two_things_of_one_is_told(folder, tmp_path):
    with (folder / "students.csv").open("a") as file:
        file.write("amy,Amy,Lee,amy@example.edu,1042\nbob,Bob,,,\n")
    file = moodle(tmp_path / "all.zip", {"Amy Lee_1": b""})
    said = ours("collect", file, folder=folder, fails=True)
    assert "students.csv: line 7 below the first gives bob another first_name than an earlier line" in said
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    assert "no column says who somebody is" in ours("roster", tmp_path / "x.csv", folder=tmp_path, fails=True)
    (tmp_path / "x.csv").write_bytes(b"PK\3\4\0\0")
    assert "is no text; save it as CSV" in ours("roster", tmp_path / "x.csv", folder=tmp_path, fails=True)


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "latin-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_table_is_saved_as_it_was_read_but_for_one_cell(tmp_path, coding, end):
    text = f'Name;"a ""b"";c"; d {end}Ä;" x{end}y";3,5{end}{end};"";{end}short'
    data = (text + "\x81" * (coding == "latin-1")).encode(coding)
    file = tmp_path / "some.csv"
    file.write_bytes(data)
    sheet = read_sheet(file)
    assert sheet.columns == ["Name", 'a "b";c', "d"]
    assert dict(sheet.records())[2] == ["Ä", f" x{end}y", "3,5"]
    sheet.save(file)
    assert file.read_bytes() == data
    sheet.put(2, 1, "7")
    sheet.put(5, 2, "8")
    sheet.save(file)
    changed = text.replace(f'" x{end}y"', '"7"') + "\x81" * (coding == "latin-1") + ";;8"
    assert file.read_bytes() == changed.encode(coding)


def test_gradescope_s_roster_and_double_ids(folder, tmp_path):
    file = tmp_path / "roster.csv"
    file.write_text(
        "First Name,Last Name,SID,Email,Role,Sections\n"
        "Amy,Lee,1042,amy.lee@example.edu,Student,1\n"
        "Terry,Teacher,5,terry@example.edu,Instructor,\n"
        "Cross,Wise,1043,amy@example.edu,Student,2\n"
        "Jane,Doe,,,Student,2\n"
        "Jane,Doe,2003,jane.doe3@example.edu,Student,2\n"
        "Other,Amy,9,AMY@other.edu,Student,2\n"
    )
    said = ours("roster", file, folder=folder)
    assert "amy: email stays 'amy@example.edu'; row 2 says 'amy.lee@example.edu'" in said
    assert "row 3: Teacher, Terry (terry@example.edu, 5): Instructor; not taken" in said
    assert "fits amy by email and bob by lms_user_id" in said
    assert "row 5: Doe, Jane: more than one is called so" in said
    assert "(AMY@other.edu, 9): the id amy is Lee, Amy (amy, amy@example.edu, 1042)'s; not taken" in said
    assert {*roster(folder)} == {"id", *(row[0] for row in PEOPLE), "jane.doe3"}

"""Moodle's files: submissions, worksheets and participants in, grades and feedback out."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest

from autograder.tests.lms.files import LESSON, add_pages, moodle, ours, roster, those, work


@pytest.mark.parametrize(
    "style", ["_assignsubmission_file_/", "_assignsubmission_file/", "_assignsubmission_file_"]
)
def test_moodle_s_zip_file_comes_in_and_takes_pages_back(folder, tmp_path, style):
    """As folders, with and without the last underscore (before and since Moodle 4.1), and as files alone."""
    names = {"Amy Lee_501": b"amy's", "Ångström Jørgen_502": b"j's", "Nobody Known_503": b"?"}
    names["Robert ONeil_504"] = b"bob's"  # Moodle takes the apostrophe out
    file = moodle(tmp_path / "all.zip", names, style=style)
    said = ours("collect", file, folder=folder)
    assert those(folder) == {"amy", "jørgen", "bob"}
    assert (work(folder, "amy"), work(folder, "jørgen")) == (b"amy's", b"j's")
    assert "01_weighted_sums, from Moodle: 3 of 4 are on your list" in said
    assert re.search(r"Nobody Known_503_assignsubmission_file_?: nobody on your list; not taken", said)
    assert "nothing is there of: jane1, jane2" in said
    assert "when it came is not told of 3, so that they count as in time" in said
    assert not (folder / "handed_in.csv").exists()
    add_pages(folder, "amy", "jørgen")
    said = ours("feedback-zip", file, folder=folder)
    assert moodle_takes(tmp_path / "all-feedback.zip") == {"501": "amy's", "502": "jørgen's"}
    assert "no page is there of: bob; a round makes them" in said


def moodle_takes(path: Path) -> dict[str, str]:
    """Return files by participant, as `assignfeedback_file_zip_importer` of Moodle reads their names."""
    pages = {}
    with ZipFile(path) as archive:
        for name in archive.namelist():
            parts = name.split("/")
            info = parts[0].split("_", 4)
            assert info[2:4] == ["assignsubmission", "file"]
            assert "/".join([*info[4:], *parts[1:]]).lstrip("/") == "weighted_sums.html"
            pages[info[1]] = archive.read(name).decode()
    return pages


def test_two_of_one_name_are_never_guessed_and_the_worksheet_tells_them(folder, tmp_path):
    file = moodle(tmp_path / "all.zip", {"Jane Doe_601": b"one", "Jane Doe_602": b"two", "Amy Lee_603": b"a"})
    said = ours("collect", file, folder=folder)
    assert those(folder) == {"amy"}
    assert "Jane Doe_601_assignsubmission_file_: more than one is called so (jane1, jane2)" in said
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(
        'Identifier,"Full name","Email address",Status,Grade,"Last modified (submission)"\n'
        '"Participant 601","Jane Doe",jane.doe2@example.edu,Submitted,,"Sunday, 29 March 2026, 4:15 PM"\n'
        '"Participant 602","Jane Doe",jane.doe@example.edu,Submitted,,"Sunday, 25 October 2026, 2:30 AM"\n'
        '"Participant 603","Amy Lee",amy@example.edu,Submitted,,"lundi 2 mars 2026, 16:15"\n'
    )
    (folder / "class.toml").write_text('zone = "Europe/Berlin"')
    said = ours("collect", file, "--roster", sheet, folder=folder)
    assert (work(folder, "jane2"), work(folder, "jane1")) == (b"one", b"two")
    times = (folder / "handed_in.csv").read_text().splitlines()[1:]
    assert times == [f"jane1,{LESSON},2026-10-25 00:30:00 UTC", f"jane2,{LESSON},2026-03-29 14:15:00 UTC"]
    assert "amy: when it came is not read: lundi 2 mars 2026, 16:15" in said
    assert "when it came is not told of 1" in said


def test_a_german_worksheet_tells_namesakes_and_no_numbers_of_people(folder, tmp_path):
    """It calls the participant's number `ID`, as Canvas does the person's."""
    sheet = tmp_path / "worksheet.csv"
    rows = ["ID;Vollständiger Name;E-Mail-Adresse", "Teilnehmer/in601;Jane Doe;jane.doe2@example.edu"]
    sheet.write_text("\n".join([*rows, "Teilnehmer/in603;Nele Neu;neu@example.edu"]))
    given = {"Jane Doe_601": b"one", "Nele Neu_603": b"new"}
    ours("collect", moodle(tmp_path / "all.zip", given), "--roster", sheet, folder=folder)
    assert (work(folder, "jane2"), work(folder, "neu")) == (b"one", b"new")
    assert roster(folder)["neu"] == ["Nele", "Neu", "neu@example.edu", ""]


def test_moodle_s_participants_as_excel_saves_them_join_the_list(folder, tmp_path):
    """Semicolons, Windows-1252; who is on the list keeps id and columns, and is told of what differs."""
    (folder / "students.csv").write_text(
        "id;last_name;first_name;note\r\namy;Lee;Amy;likes maths\r\n", "cp1252"
    )
    file = tmp_path / "participants.csv"
    rows = ["Vorname;Nachname;E-Mail-Adresse;Gruppen", "Amy;Lee;amy@x.org;A", "Jörg;Weiß;jw@x.org;A"]
    rows += ["Jörg;Weiß;jw@x.org;B", "Jörg;Weiß;jw@y.org;B", "Ohne;Adresse;;A", '"Ny; Å";Ås;ny/å@x.org;A']
    file.write_bytes("\r\n".join(rows).encode("cp1252"))
    said = ours("roster", file, folder=folder)
    table = (folder / "students.csv").read_text("utf-8-sig")
    assert table == (
        "id;last_name;first_name;note;email;lms_user_id\n"
        "amy;Lee;Amy;likes maths;amy@x.org;\n"
        "jw;Weiß;Jörg;;jw@x.org;\n"
    )
    assert "it is not UTF-8: read as Windows-1252" in said
    assert "row 5: Weiß, Jörg (jw@y.org): the id jw is Weiß, Jörg (jw, jw@x.org)'s; not taken" in said
    assert "row 6: Adresse, Ohne: no id that a folder can have; not taken" in said
    assert "row 7: Ås, Ny; Å (ny/å@x.org): no id that a folder can have; not taken" in said


def test_moodle_s_grades_are_filled_in_as_excel_saved_them(graded, tmp_path):
    text = (
        "Vorname;Nachname;ID-Nummer;E-Mail-Adresse;Aufgabe: Weighted sums (Punkte);"
        "Aufgabe: Weighted sums (Prozentsatz);Kurs gesamt (Punkte)\r\n"
        "Amy;Lee;;amy@example.edu;-;-;3,50\r\nJørgen;Ångström;77;;9;;\r\n"
        "Jane;Doe;;;-;-;-\r\nRobert;O'Neil;;BOB@example.edu\r\nNobody;Known;;;7,5;;\r\n"
        "Jan;Doe;2001;;-;-;-\r\nJane;Deer;;jane.doe@example.edu;-;-;-\r\n"
    )
    file = tmp_path / "noten.csv"
    file.write_bytes(text.encode("cp1252"))
    said = ours("grades", file, LESSON, folder=graded)
    filled = (tmp_path / "noten-filled.csv").read_bytes().decode("cp1252")
    expected = text.replace("amy@example.edu;-", "amy@example.edu;7,5").replace("77;;9", "77;;3")
    assert filled == expected.replace("BOB@example.edu", "BOB@example.edu;0")
    assert "rows 7, 8 all fit jane1: left as they are" in said

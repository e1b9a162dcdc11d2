"""Files of Moodle, Canvas and Gradescope in, and files for them out, by the commands that instructors call."""

from __future__ import annotations

import csv
import io
import os
import re
import stat
import struct
from pathlib import Path
from unittest import mock
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import nbformat
import pytest
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook

from autograder.lms import collecting, downloads
from autograder.nbgrader_plugin.folders import MAX_FILES
from autograder.nbgrader_plugin.kept import NOTES
from autograder.nbgrader_plugin.sheet import read_sheet
from autograder.tests.commands import quick_gradebooks, run_ours
from autograder.tests.this_course import ROOT

LESSON, OTHER = "01_weighted_sums", "02_toy_tensors"
NAME = "weighted_sums.ipynb"
PEOPLE = [
    ("amy", "Amy", "Lee", "amy@example.edu", "1042"),
    ("jørgen", "Jørgen", "Ångström", "jorgen@example.edu", "77"),
    ("bob", "Robert", "O'Neil", "bob@example.edu", "1043"),
    ("jane1", "Jane", "Doe", "jane.doe@example.edu", "2001"),
    ("jane2", "Jane", "Doe", "jane.doe2@example.edu", "2002"),
]
MONDAY, TUESDAY = (2026, 3, 2, 10, 0, 0), (2026, 3, 3, 10, 0, 0)


@pytest.fixture
def folder(tmp_path):
    """A class's, with its list."""
    made = tmp_path / "class"
    made.mkdir()
    rows = [",".join(row) for row in PEOPLE]
    (made / "students.csv").write_text("\n".join(["id,first_name,last_name,email,lms_user_id", *rows, ""]))
    return made


def zipped(path: Path, files: dict[str, bytes], when=MONDAY) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(ZipInfo(name, when), content)
    return path


def moodle(path: Path, work: dict[str, bytes], when=MONDAY, style: str = "_assignsubmission_file_/") -> Path:
    """work: notebooks by "Full Name_participant"."""
    return zipped(path, {f"{who}{style}{NAME}": content for who, content in work.items()}, when)


def ours(*words: object, folder: Path, fails: bool = False) -> str:
    return run_ours(*map(str, words), "--folder", str(folder), folder=ROOT, fails=fails)


def work(folder: Path, student: str, name: str = NAME) -> bytes:
    return (folder / "submitted" / student / LESSON / name).read_bytes()


def those(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.glob(f"submitted/*/{LESSON}")}


# -- collect


@pytest.mark.parametrize(
    "style", ["_assignsubmission_file_/", "_assignsubmission_file/", "_assignsubmission_file_"]
)
def test_moodle_s_zip_file_comes_into_submitted(folder, tmp_path, style):
    """As folders, with and without the last underscore (before and since Moodle 4.1), and as files alone."""
    given = {"Amy Lee_501": b"amy's", "Ångström Jørgen_502": b"j's", "Nobody Known_503": b"?"}
    given["Robert ONeil_504"] = b"bob's"  # Moodle takes the apostrophe out
    said = ours("collect", moodle(tmp_path / "all.zip", given, style=style), folder=folder)
    assert those(folder) == {"amy", "jørgen", "bob"}
    assert work(folder, "amy") == b"amy's"
    assert work(folder, "jørgen") == b"j's"
    assert "01_weighted_sums, from Moodle: 3 of 4 are on your list" in said
    assert re.search(r"Nobody Known_503_assignsubmission_file_?: nobody on your list; not taken", said)
    assert "nothing is there of: jane1, jane2" in said
    assert "when it came is not told of 3, so that they count as in time" in said
    assert not (folder / "handed_in.csv").exists()


def test_canvas_s_zip_file_comes_into_submitted(folder, tmp_path):
    files = {
        f"leeamy_1042_9001_{NAME}": b"amy's",
        "ångströmjørgen_LATE_77_9003_weighted_sums-1.ipynb": b"j's second",
        f"oneilrobert_1043_9004_{NAME}": b"bob's first",
        "oneilrobert_1043_9005_weighted_sums-1.ipynb": b"bob's second",
        "doejane_2002_text.html": b"my words",
        f"testuser_99_9009_{NAME}": b"?",
    }
    said = ours("collect", zipped(tmp_path / "submissions.zip", files), LESSON, folder=folder)
    assert those(folder) == {"amy", "jørgen", "bob", "jane2"}
    assert work(folder, "jørgen") == b"j's second"
    assert work(folder, "bob") == b"bob's second"
    assert work(folder, "bob", "weighted_sums-1.ipynb") == b"bob's first"
    assert work(folder, "jane2", "text.html") == b"my words"
    assert "jørgen: late, as Canvas says, and not when: write it into handed_in.csv" in said
    assert "bob: of weighted_sums-1.ipynb, weighted_sums.ipynb, weighted_sums-1.ipynb is graded" in said
    assert "testuser_99: nobody on your list; not taken" in said


GRADESCOPE = """
submission_31:
  :submitters:
  - :name: Amy Lee
    :sid: '1042'
    :email: amy@example.edu
  :created_at: 2026-03-01 23:59:30.484563000 Z
  :results:
    :tests: [{output: any}]
submission_32:
  :submitters:
  - :name: Jane Doe
    :sid:
    :email: Jane.Doe2@example.edu
  - :name: Robert O'Neil
    :sid: 1043
  :created_at: 2026-03-02 08:00:00 -05:00
"""


@pytest.mark.parametrize("root", ["assignment_7_export/", ""])
def test_gradescope_s_export_comes_into_submitted_with_times(folder, tmp_path, root):
    """A group's work is each one's."""
    files = {
        f"{root}submission_metadata.yml": GRADESCOPE.encode(),
        f"{root}submission_31/{NAME}": b"amy's",
        f"{root}submission_31/my/helper.py": b"x = 1",
        f"{root}submission_32/weighted_sums (1).ipynb": b"theirs",
        f"__MACOSX/{root}._submission_metadata.yml": b"",
    }
    said = ours("collect", zipped(tmp_path / "export.zip", files), folder=folder)
    assert those(folder) == {"amy", "bob", "jane2"}
    assert work(folder, "amy", "my/helper.py") == b"x = 1"
    assert work(folder, "bob") == work(folder, "jane2") == b"theirs"
    times = (folder / "handed_in.csv").read_text()
    assert f"amy,{LESSON},2026-03-01 23:59:30 UTC" in times
    assert f"bob,{LESSON},2026-03-02 13:00:00 UTC" in times
    assert "not told" not in said


def test_two_of_one_name_are_never_guessed_and_the_worksheet_tells_them(folder, tmp_path):
    file = moodle(tmp_path / "all.zip", {"Jane Doe_601": b"one", "Jane Doe_602": b"two", "Amy Lee_603": b"a"})
    said = ours("collect", file, folder=folder)
    assert those(folder) == {"amy"}
    assert (
        "Jane Doe_601_assignsubmission_file_: more than one is called so (jane1, jane2): nothing is guessed"
        in said
    )
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
    assert "jane1: the clocks were changed at 2026-10-25 02:30: the earlier time counts" in said
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


def test_times_in_the_zip_file_count_where_one_says_so(folder, tmp_path):
    file = moodle(tmp_path / "all.zip", {"Amy Lee_1": b"a"})
    (folder / "class.toml").write_text('zone = "America/New_York"')
    said = ours("collect", file, "--file-times", folder=folder)
    assert f"amy,{LESSON},2026-03-02 15:00:00 UTC" in (folder / "handed_in.csv").read_text()
    assert "times are read as America/New_York's, the zone in class.toml" in said


def test_newer_work_takes_the_place_of_older_and_nothing_is_lost(folder, tmp_path):
    first = moodle(tmp_path / "1.zip", {"Amy Lee_1": b"first", "Robert O'Neil_2": b"bob's"})
    second = moodle(tmp_path / "2.zip", {"Amy Lee_1": b"second", "Robert O'Neil_2": b"bob's"}, TUESDAY)
    ours("collect", first, "--file-times", folder=folder)
    said = ours("collect", second, "--file-times", folder=folder)
    assert work(folder, "amy") == b"second"
    assert (folder / "replaced" / "amy" / LESSON / "1" / NAME).read_bytes() == b"first"
    assert "amy: newer than what was there, which is kept in replaced/" in said
    assert "as it was: 1" in said
    said = ours("collect", first, "--file-times", folder=folder)
    times = [line for line in (folder / "handed_in.csv").read_text().splitlines() if "amy" in line]
    assert times == [f"amy,{LESSON},2026-03-0{day} 10:00:00 UTC" for day in (2, 3)]
    assert "amy: not newer than what is there, which stays" in said
    assert work(folder, "amy") == b"second"
    assert work(folder, "bob") == b"bob's"


def test_a_time_that_the_instructor_wrote_stays(folder, tmp_path):
    file = moodle(tmp_path / "all.zip", {"Amy Lee_1": b"a"})
    ours("collect", file, "--file-times", folder=folder)
    with (folder / "handed_in.csv").open("a") as table:
        table.write(f"amy,{LESSON},2026-03-01 00:00:00 UTC\n")
    before = (folder / "handed_in.csv").read_text()
    ours("collect", file, "--file-times", folder=folder)
    assert (folder / "handed_in.csv").read_text() == before


def test_where_times_are_told_they_say_what_is_newer(folder, tmp_path):
    """Work that the instructor put there since stays until the student hands in again."""
    sheet = tmp_path / "worksheet.csv"

    def collected(content: bytes, day: int) -> bytes:
        time = f"Monday, {day} March 2026, 4:15 PM"
        sheet.write_text(f'Identifier,Full name,Last modified (submission)\nParticipant 1,Amy Lee,"{time}"\n')
        ours(
            "collect", moodle(tmp_path / "all.zip", {"Amy Lee_1": content}), "--roster", sheet, folder=folder
        )
        return work(folder, "amy")

    assert collected(b"first", 2) == b"first"
    (folder / "submitted" / "amy" / LESSON / NAME).write_bytes(b"by mail")
    assert collected(b"first", 2) == b"by mail"
    assert collected(b"third", 9) == b"third"
    kept = (folder / "replaced" / "amy" / LESSON / "1" / NAME).read_bytes()
    assert kept == b"by mail"


@pytest.mark.parametrize("when", range(1, 4))
def test_killed_in_the_middle_it_loses_nothing(folder, tmp_path, when):
    """Ended at each move of a folder, it is called again."""
    ours("collect", moodle(tmp_path / "1.zip", {"Amy Lee_1": b"first"}), folder=folder)
    second = moodle(tmp_path / "2.zip", {"Amy Lee_1": b"second", "Robert O'Neil_2": b"bob's"}, TUESDAY)
    moves, rename = [], os.rename

    def killed(source, target):
        moves.append(source)
        if len(moves) == when:
            raise KeyboardInterrupt
        rename(source, target)

    with mock.patch.object(collecting.os, "rename", killed):
        ours("collect", second, folder=folder, fails=True)
    (folder / "submitted" / ".collect-left").mkdir()
    ours("collect", second, folder=folder)
    assert (work(folder, "amy"), work(folder, "bob")) == (b"second", b"bob's")
    assert (folder / "replaced" / "amy" / LESSON / "1" / NAME).read_bytes() == b"first"
    assert not [*(folder / "submitted").glob(".*")]


def test_hostile_names_links_and_bombs_stay_outside(folder, tmp_path):
    own = "Amy Lee_1_assignsubmission_file_/"
    link = ZipInfo(f"{own}link.ipynb", MONDAY)
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = tmp_path / "all.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as made:
        made.writestr(link, "/etc/passwd")
        for name in ("../../../out.py", "..\\out.py", "C:\\out.py", "//out.py", "a\x07.py", "x" * 300):
            made.writestr(own + name, b"x")
        made.writestr(f"{own}{NAME}", b"amy's")
        made.writestr("Robert O'Neil_2_assignsubmission_file_/bomb.csv", bytes(3 * 2**20))
        made.writestr(
            f"Robert O'Neil_2_assignsubmission_file_/Jane Doe_601_assignsubmission_file_/{NAME}", b"bob's"
        )
        made.writestr("submission_metadata.txt", b"")
    with mock.patch.object(downloads, "MAX_NOTEBOOKS", 2 * 2**20):
        said = ours("collect", path, folder=folder)
    assert work(folder, "amy") == b"amy's"
    assert [one.name for one in (folder / "submitted/amy" / LESSON).iterdir()] == [NAME]
    assert said.count("leads out of the folder, or is no name: left out") == 5
    assert "amy: link.ipynb is a link, or no file: left out" in said
    assert "bob: bomb.csv is more than there is room for: left out" in said
    assert those(folder) == {"amy", "bob"}
    assert not [*tmp_path.rglob("out.py")]
    assert "other files in it: 1 (submission_metadata.txt)" in said


def test_one_student_s_names_do_not_decide_whose_work_is_whose(folder, tmp_path):
    metadata = GRADESCOPE.replace("submission_31", "Mallory_9_assignsubmission_file_").encode()
    files = {"Mallory_9_assignsubmission_file_/submission_metadata.yml": metadata}
    files |= {f"Mallory_9_assignsubmission_file_/Amy Lee_1_assignsubmission_file_{NAME}": b"forged"}
    ours("collect", zipped(tmp_path / "1.zip", files), LESSON, folder=folder)
    flat = {f"Mallory_9_assignsubmission_file_Amy Lee_1_assignsubmission_file_{NAME}": b"forged"}
    ours("collect", zipped(tmp_path / "2.zip", flat), LESSON, folder=folder)
    canvas = {
        f"mallory_9_1_Amy Lee_1_assignsubmission_file_{NAME}": b"forged",
        f"leeamy_1042_2_{NAME}": b"own",
    }
    ours("collect", zipped(tmp_path / "3.zip", canvas), LESSON, folder=folder)
    assert those(folder) == {"amy"}
    assert work(folder, "amy") == b"own"


@pytest.mark.parametrize("coding", ["cp437", "utf-8"])
def test_zip_files_of_other_systems(folder, tmp_path, coding):
    """Backslashes, names in the DOS character set or in UTF-8 without a mark, a folder around all, double names."""
    (folder / "students.csv").write_text("id,first_name,last_name\njörg,Jörg,Weiß\n")
    own = "CS101-Sums-4711\\Jörg Weiß_5_assignsubmission_file_\\"
    files = {f"{own}Sub\\{NAME}": b"j's", f"{own}Sub/{NAME}": b"more", f"{own}é.csv": b"1"}
    file = tmp_path / "all.zip"
    file.write_bytes(_dos_zip(files, coding))
    ours("collect", file, folder=folder)
    assert work(folder, "jörg", f"Sub/{NAME}") == b"j's"
    assert work(folder, "jörg", "Sub/weighted_sums (2).ipynb") == b"more"
    assert work(folder, "jörg", "é.csv") == b"1"


def _dos_zip(files: dict[str, bytes], coding: str) -> bytes:
    """A zip file whose names are not marked as UTF-8."""
    made = io.BytesIO()
    plain = mock.patch.object(ZipInfo, "_encodeFilenameFlags", lambda self: (self.filename.encode(coding), 0))
    with plain, ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name, MONDAY), content)
    return made.getvalue()


def test_a_zip_file_in_the_zip_file_is_unpacked_where_it_is_small(folder, tmp_path):
    def nested(files: int, name: str = NAME) -> bytes:
        inner = {
            f"sums/{name}": b"zipped",
            "../out.py": b"x",
            **{f"{number}.txt": b"" for number in range(files)},
        }
        return zipped(tmp_path / "inner.zip", inner).read_bytes()

    many = nested(MAX_FILES)
    broken = bytearray(nested(1))
    broken[-12:-8] = struct.pack("<L", 2**31)
    work_of = {"Amy Lee_1": nested(3), "Robert O'Neil_2": many, "Jørgen Ångström_3": bytes(broken)}
    files = {f"{who}_assignsubmission_file_/my.ZIP": content for who, content in work_of.items()}
    said = ours("collect", zipped(tmp_path / "all.zip", files), LESSON, folder=folder)
    assert work(folder, "amy", f"sums/{NAME}") == b"zipped"
    assert "amy: ../out.py leads out of the folder" in said
    assert work(folder, "bob", "my.ZIP") == many
    assert work(folder, "jørgen", "my.ZIP") == bytes(broken)


@pytest.mark.parametrize("where", ["in it", "before it"])
def test_a_damaged_file_costs_nobody_else_theirs(folder, tmp_path, where):
    file = moodle(tmp_path / "all.zip", {"Amy Lee_1": b"amy's" * 99, "Robert O'Neil_2": b"bob's" * 99})
    data = bytearray(file.read_bytes())
    place = data.find(NAME.encode()) + len(NAME) if where == "in it" else 0
    data[place : place + 4] = b"\xff\xff\xff\xff"
    file.write_bytes(data)
    said = ours("collect", file, folder=folder)
    assert "amy: weighted_sums.ipynb is damaged: left out" in said
    assert "amy: nothing in it could be taken" in said
    assert those(folder) == {"bob"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"<html>please log in", "is no zip file, or a damaged one"),
        ({"work/a.ipynb": b""}, "no name in it is as Moodle, Canvas or Gradescope write them"),
        ({"Amy Lee_1_assignsubmission_file_/x.ipynb": b""}, "of no lesson's name: say which lesson it is"),
        ({"submission_metadata.yml": b"a: [", "a/x": b""}, "is not as Gradescope writes it"),
    ],
)
def test_what_is_no_download_is_told_in_a_line(folder, tmp_path, content, told):
    file = tmp_path / "some.zip"
    file.write_bytes(content) if isinstance(content, bytes) else zipped(file, content)
    said = ours("collect", file, folder=folder, fails=True)
    assert told in said
    assert said.count("\n") == 0
    (folder / "students.csv").write_text("id\n")
    said = ours("collect", moodle(tmp_path / "all.zip", {"Amy Lee_1": b""}), folder=folder, fails=True)
    assert "students.csv names nobody: `attention-course roster FILE` takes the list" in said
    assert "cannot be read" in ours("collect", tmp_path / "none.zip", folder=folder, fails=True)


# -- roster


def roster(folder: Path) -> dict[str, list[str]]:
    with (folder / "students.csv").open(encoding="utf-8", newline="") as file:
        return {row[0]: row[1:] for row in csv.reader(file)}


@pytest.mark.parametrize("names_are_parted", [False, True])
def test_canvas_s_gradebook_is_a_roster(tmp_path, names_are_parted):
    file = tmp_path / "grades.csv"
    parted = re.sub(r'^"([^"]*), ([^"]*)"', r'"\1","\2"', CANVAS, flags=re.MULTILINE)
    parted = parted.replace("Student,", "LastName,FirstName,", 1).replace(
        "Points Possible", "Points Possible,"
    )
    file.write_text(parted if names_are_parted else CANVAS, encoding="utf-8-sig")
    said = ours("roster", file, folder=tmp_path)
    assert roster(tmp_path) == {
        "id": ["first_name", "last_name", "email", "lms_user_id"],
        "amy": ["Amy", "Lee", "", "1042"],
        "jørgen": ["Jørgen", "Ångström, Jr.", "", "77"],
        "bob": ["Robert", "O'Neil", "", "1043"],
        "new": ["Nell", "New", "", "2077"],
    }
    assert "4 students, 4 of them new" in said
    assert "\n" not in said.strip()
    before = (tmp_path / "students.csv").read_bytes()
    assert "4 students, 0 of them new" in ours("roster", file, folder=tmp_path)
    assert (tmp_path / "students.csv").read_bytes() == before


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
    assert "jw stands there 2 times (A, B): taken once" in said
    assert "row 5: Weiß, Jörg (jw@y.org): the id jw is Weiß, Jörg (jw, jw@x.org)'s; not taken" in said
    assert "row 6: Adresse, Ohne: no id that a folder can have; not taken" in said
    assert "row 7: Ås, Ny; Å (ny/å@x.org): no id that a folder can have; not taken" in said


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
    assert (
        "row 7: Amy, Other (AMY@other.edu, 9): the id amy is Lee, Amy (amy, amy@example.edu, 1042)'s; not taken"
        in said
    )
    assert {*roster(folder)} == {"id", *(row[0] for row in PEOPLE), "jane.doe3"}
    assert "on your list alone, and kept: jørgen, bob, jane1, jane2" in said


def test_a_list_that_says_two_things_of_one_is_told(folder, tmp_path):
    with (folder / "students.csv").open("a") as file:
        file.write("amy,Amy,Lee,amy@example.edu,1042\nbob,Bob,,,\n")
    file = moodle(tmp_path / "all.zip", {"Amy Lee_1": b""})
    said = ours("collect", file, folder=folder, fails=True)
    assert "students.csv: lines 3 and 7 below the first say different things of bob: leave one" in said
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    assert "no column says who somebody is" in ours("roster", tmp_path / "x.csv", folder=tmp_path, fails=True)
    (tmp_path / "x.csv").write_bytes(b"PK\3\4\0\0")
    assert "is no text; save it as CSV" in ours("roster", tmp_path / "x.csv", folder=tmp_path, fails=True)


# -- grades

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Weighted sums (4711),Toy tensors (4712),Final Score\r\n"
    ",,,,,,Manual Posting,,\r\n"
    "    Points Possible,,,,,,10,4,(read only)\r\n"
    '"Lee, Amy",1042,S1,amy,"A and B","says ""hi"", twice",,4.00,1\r\n'
    '"Ångström, Jr., Jørgen",77,,jørgen,A,,EX,1.5,\r\n'
    '"O\'Neil, Robert",1043,,bob,A,,8,,\r\n'
    '"New, Nell",2077,,new,A,,,,\r\n'
    '"Student, Test",99,,aa11,A,,,,'
)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class with grades: a part, 0, waiting, none."""
    folder = tmp_path_factory.mktemp("graded")
    with quick_gradebooks(), Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "attention") as gradebook:
        for lesson in (LESSON, OTHER):
            gradebook.add_assignment(lesson)
            gradebook.add_notebook(lesson[3:], lesson)
            gradebook.add_grade_cell("explain", lesson[3:], lesson, max_score=10, cell_type="markdown")
        for student, first, last, email, number in PEOPLE[:4]:
            gradebook.add_student(student, first_name=first, last_name=last, email=email, lms_user_id=number)
        for lesson, student, score in (
            *((LESSON, "amy", 7.5), (LESSON, "jørgen", 3), (LESSON, "bob", 0)),
            *((OTHER, "amy", None), (OTHER, "jørgen", 1.5)),
        ):
            gradebook.add_submission(lesson, student)
            gradebook.db.commit()
            grade = gradebook.find_grade("explain", lesson[3:], lesson, student)
            grade.manual_score, grade.needs_manual_grade = score, score is None
            gradebook.db.commit()
            name = f"{student}/{lesson}/{lesson[3:]}.ipynb"
            for path in (folder / "submitted" / name, folder / "autograded" / name):
                path.parent.mkdir(parents=True)
                nbformat.write(
                    new_notebook(metadata={NOTES: {"notes": [], "sealed": True, "verdicts": {}}}), path
                )
        gradebook.add_assignment("03_word2vec_heatmap")
        gradebook.db.commit()
    return folder


def strict(path: Path, encoding: str = "utf-8", separator: str = ",") -> list[list[str]]:
    """The cells of a table in just this form."""
    with path.open(encoding=encoding, newline="") as file:
        rows = list(csv.reader(file, delimiter=separator, strict=True))
    assert len({len(row) for row in rows}) == 1
    return rows


def test_canvas_s_gradebook_is_filled_in(graded, tmp_path):
    file = tmp_path / "grades.csv"
    file.write_bytes(CANVAS.encode())
    said = ours("grades", file, folder=graded)
    filled = (tmp_path / "grades-filled.csv").read_bytes().decode()
    expected = CANVAS.replace('twice",,4.00', 'twice",7.5,4.00').replace("A,,8,,", "A,,0,,")
    assert filled == expected
    assert file.read_bytes() == CANVAS.encode()
    assert strict(tmp_path / "grades-filled.csv")[3][6:8] == ["7.5", "4.00"]
    assert "Weighted sums (4711): 2 scores of 01_weighted_sums" in said
    assert "Weighted sums (4711): changed: bob 8 → 0" in said
    assert "Weighted sums (4711): left as it is, EX: jørgen" in said
    assert "Toy tensors (4712): left as it is, waits for marks: amy" in said
    assert "Toy tensors (4712): left as it is, not handed in: bob" in said
    assert "row 7: New, Nell (new, 2077): nobody on your list; left as it is" in said
    assert "on your list, and not in the file: jane1" in said
    assert "Student, Test" not in said


def test_moodle_s_grades_are_filled_in_as_excel_saved_them(graded, tmp_path):
    text = (
        "Vorname;Nachname;ID-Nummer;E-Mail-Adresse;Aufgabe: Weighted sums (Punkte);"
        "Aufgabe: Weighted sums (Prozentsatz);Kurs gesamt (Punkte)\r\n"
        "Amy;Lee;;amy@example.edu;-;-;3,50\r\nJørgen;Ångström;77;;9;;\r\n"
        "Jane;Doe;;;-;-;-\r\nRobert;O'Neil;;BOB@example.edu\r\nAmy;Lee;;amy@example.edu;7,5;;\r\n"
        "Jan;Doe;2001;;-;-;-\r\nJane;Deer;;jane.doe@example.edu;-;-;-\r\n"
    )
    file = tmp_path / "noten.csv"
    file.write_bytes(text.encode("cp1252"))
    said = ours("grades", file, LESSON, folder=graded)
    filled = (tmp_path / "noten-filled.csv").read_bytes().decode("cp1252")
    expected = text.replace("amy@example.edu;-", "amy@example.edu;7,5").replace("77;;9", "77;;3")
    assert filled == expected.replace("BOB@example.edu", "BOB@example.edu;0")
    assert "rows 7, 8 all fit jane1: left as they are" in said
    assert "amy has 2 rows, all filled in" in said


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


# -- feedback-zip


def moodle_takes(path: Path) -> dict[str, list[str]]:
    """Files by participant, as `assignfeedback_file_zip_importer` of Moodle reads their names."""
    found: dict[str, list[str]] = {}
    for name in ZipFile(path).namelist():
        parts = name.split("/")
        info = parts[0].split("_", 4)
        assert info[1].isdigit()
        assert info[2:4] == ["assignsubmission", "file"]
        found.setdefault(info[1], []).append("/".join([*info[4:], *parts[1:]]).lstrip("/"))
    return found


@pytest.mark.parametrize(
    "style", ["_assignsubmission_file_/", "_assignsubmission_file/", "_assignsubmission_file_"]
)
def test_moodle_takes_the_pages_back(folder, tmp_path, style):
    given = {"Amy Lee_501": b"a", "Robert O'Neil_502": b"b", "Nobody Known_503": b"?"}
    file = moodle(tmp_path / "all.zip", given, style=style)
    pages = folder / "feedback" / "amy" / LESSON
    pages.mkdir(parents=True)
    (pages / "weighted_sums.html").write_text("well done")
    said = ours("feedback-zip", file, folder=folder)
    made = tmp_path / "all-feedback.zip"
    assert moodle_takes(made) == {"501": ["weighted_sums.html"]}
    assert ZipFile(made).read(ZipFile(made).namelist()[0]) == b"well done"
    assert f"{made}: 1 pages" in said
    assert "no page is there of: bob; a round makes them" in said
    canvas = zipped(tmp_path / "canvas.zip", {f"leeamy_1042_9001_{NAME}": b""})
    assert "only Moodle takes pages back" in ours("feedback-zip", canvas, folder=folder, fails=True)


# -- tables


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

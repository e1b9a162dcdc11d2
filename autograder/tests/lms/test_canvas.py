"""Canvas's files: submissions and people in, grades out."""

from __future__ import annotations

import re
from zipfile import ZipFile

import pytest

from autograder.tests.lms.files import LESSON, NAME, add_pages, ours, roster, strict, those, work, zipped

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Weighted sums (4711),Toy tensors (4712),Final Score\r\n"
    ",,,,,,Manual Posting,,\r\n"
    "    Points Possible,,,,,,10,10,(read only)\r\n"
    '"Lee, Amy",1042,S1,amy,"A and B","says ""hi"", twice",,4.00,1\r\n'
    '"Ångström, Jr., Jørgen",77,,jørgen,A,,EX,1.5,\r\n'
    '"O\'Neil, Robert",1043,,bob,A,,8,,\r\n'
    '"New, Nell",2077,,new,A,,,,\r\n'
    '"Student, Test",99,,aa11,A,,,,'
)


def test_canvas_s_zip_file_comes_in_and_takes_pages_back(folder, tmp_path):
    """A page goes back under the name of a notebook, with the numbers of user and file."""
    files = {
        f"leeamy_1042_9001_{NAME}": b"amy's",
        "leeamy_1042_9002_2_data.csv": b"1,2",
        "ångströmjørgen_LATE_77_9003_weighted_sums-1.ipynb": b"j's second",
        f"oneilrobert_1043_9004_{NAME}": b"bob's first",
        "oneilrobert_1043_9005_weighted_sums-1.ipynb": b"bob's second",
        "doejane_2002_text.html": b"my words",
        f"testuser_99_9009_{NAME}": b"?",
    }
    file = zipped(tmp_path / "submissions.zip", files)
    said = ours("collect", file, LESSON, folder=folder)
    assert those(folder) == {"amy", "jørgen", "bob", "jane2"}
    assert work(folder, "jørgen") == b"j's second"
    assert work(folder, "bob") == b"bob's second"
    assert work(folder, "bob", "weighted_sums-1.ipynb") == b"bob's first"
    assert work(folder, "jane2", "text.html") == b"my words"
    assert "jørgen: late, as Canvas says, and not when: write it into handed_in.csv" in said
    assert "bob: of weighted_sums-1.ipynb, weighted_sums.ipynb, weighted_sums-1.ipynb is graded" in said
    assert "testuser_99: nobody on your list; not taken" in said
    add_pages(folder, "amy", "jørgen", "jane2")
    for _ in range(2):
        said = ours("feedback-zip", file, LESSON, folder=folder)
        # `infer_comment_context_from_filename` of canvas-lms takes the first two whole numbers: the user's, the file's
        with ZipFile(tmp_path / "submissions-feedback.zip") as archive:
            pages = {name: archive.read(name).decode() for name in archive.namelist()}
        assert pages == {
            "leeamy_1042_9001_weighted_sums.html": "amy's",
            "ångströmjørgen_LATE_77_9003_weighted_sums.html": "jørgen's",
        }
        assert "submissions-feedback.zip: 2 pages" in said
        assert "no page is there of: bob; a round makes them" in said
        assert "Canvas takes no page back where no file was handed in: jane2" in said
        assert "tell your students to save it as weighted_sums.html" in said


@pytest.mark.parametrize("names_are_parted", [False, True])
def test_canvas_s_gradebook_is_a_roster(tmp_path, names_are_parted):
    file = tmp_path / "grades.csv"
    parted = re.sub(r'^"([^"]*), ([^"]*)"', r'"\1","\2"', CANVAS, flags=re.MULTILINE)
    parted = parted.replace("Student,", "LastName,FirstName,", 1)
    parted = parted.replace("Points Possible", "Points Possible,")
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


WORKSHEET = "Identifier,Email address,Grade,Maximum grade\nParticipant 1,amy@example.edu,,{}\n"


@pytest.mark.parametrize(
    ("text", "column", "scaled"),
    [
        (CANVAS.replace(",10,10,", ",4,10,"), "Weighted sums (4711)", 'twice",3,4.00'),
        (CANVAS.replace(",10,10,", ",0,10,"), "Weighted sums (4711)", ""),
        (WORKSHEET.format("5,00").replace(",", ";").replace("5;00", "5,00"), "Grade", ";3,75;5,00"),
    ],
)
def test_points_of_another_measure_are_refused_or_scaled(graded, tmp_path, text, column, scaled):
    file, filled = tmp_path / "grades.csv", tmp_path / "grades-filled.csv"
    file.write_text(text)
    words = ["grades", file, LESSON, "--column", f"{LESSON}={column}"]
    said = ours(*words, folder=graded, fails=True)
    assert re.search(rf"'{re.escape(column)}' is worth [045] points there, and {LESSON} 10: nothing", said)
    assert said.count("\n") == 0
    assert not filled.exists()
    said = ours(*words, "--scale", folder=graded, fails=not scaled)
    assert not scaled or scaled in filled.read_text()
    assert (f"{column}: scaled from 10 to" in said) == filled.exists() == bool(scaled)

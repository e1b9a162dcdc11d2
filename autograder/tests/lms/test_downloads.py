"""Zip files of any platform: what is newer, what is hostile, what is damaged."""

from __future__ import annotations

import os
import stat
import struct
from unittest import mock
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from autograder.classroom import archives, placement
from autograder.exercises.limits import MAX_FILES
from autograder.tests.lms.files import (
    GRADESCOPE,
    LESSON,
    MONDAY,
    NAME,
    TUESDAY,
    moodle,
    ours,
    those,
    work,
    zipped,
)


def test_newer_work_takes_the_place_of_older_and_nothing_is_lost(folder, tmp_path):
    """By the times in the zip files, where it is said that they count. What the instructor wrote or put there stays."""
    (folder / "class.toml").write_text('zone = "America/New_York"')
    first = moodle(tmp_path / "1.zip", {"Amy Lee_1": b"first", "Robert O'Neil_2": b"bob's"})
    second = moodle(tmp_path / "2.zip", {"Amy Lee_1": b"second", "Robert O'Neil_2": b"bob's"}, TUESDAY)
    ours("collect", first, "--file-times", folder=folder)
    said = ours("collect", second, "--file-times", folder=folder)
    assert work(folder, "amy") == b"second"
    assert (folder / "replaced" / "amy" / LESSON / "1" / NAME).read_bytes() == b"first"
    assert "amy: newer than what was there, which is kept in replaced/" in said
    assert "times are read as America/New_York's, the zone in class.toml" in said
    assert "as it was: 1" in said
    (folder / "submitted" / "amy" / LESSON / NAME).write_bytes(b"by mail")
    for file in (first, second):
        said = ours("collect", file, "--file-times", folder=folder)
        assert "amy: not newer than what is there, which stays" in said
        assert (work(folder, "amy"), work(folder, "bob")) == (b"by mail", b"bob's")
    table = folder / "handed_in.csv"
    times = [line for line in table.read_text().splitlines() if "amy" in line]
    assert times == [f"amy,{LESSON},2026-03-0{day} 15:00:00 UTC" for day in (2, 3)]
    table.write_text(table.read_text() + f"bob,{LESSON},2026-03-01 00:00:00 UTC\n")
    before = table.read_text()
    ours("collect", second, "--file-times", folder=folder)
    assert table.read_text() == before


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

    with mock.patch.object(placement.os, "rename", killed):
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
        deep = "/".join(["x" * 190] * 12)
        for name in ("../../../out.py", "..\\out.py", "C:\\out.py", "//out.py", "a\x07.py", "x" * 300, deep):
            made.writestr(own + name, b"x")
        made.writestr(f"{own}{NAME}", b"amy's")
        bobs = "Robert O'Neil_2_assignsubmission_file_"
        made.writestr(f"{bobs}/bomb.csv", bytes(65 * 2**20))
        made.writestr(f"{bobs}/Jane Doe_601_assignsubmission_file_/{NAME}", b"bob's")
        made.writestr("submission_metadata.txt", b"")
    said = ours("collect", path, folder=folder)
    assert work(folder, "amy") == b"amy's"
    assert [one.name for one in (folder / "submitted/amy" / LESSON).iterdir()] == [NAME]
    assert said.count("leads out of the folder, or is no name: left out") == 5
    assert said.count("lies too deep, or has too long a name: left out") == 2
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
    canvas = {f"mallory_9_1_Amy Lee_1_assignsubmission_file_{NAME}": b"forged"}
    canvas[f"leeamy_1042_2_{NAME}"] = b"own"
    ours("collect", zipped(tmp_path / "3.zip", canvas), LESSON, folder=folder)
    assert those(folder) == {"amy"}
    assert work(folder, "amy") == b"own"


@pytest.mark.parametrize("coding", ["cp437", "utf-8"])
def test_zip_files_of_other_systems(folder, tmp_path, coding):
    """Backslashes, names in the DOS character set or in UTF-8 without a mark, a folder around all, double names."""
    (folder / "students.csv").write_text("id,first_name,last_name\njörg,Jörg,Weiß\n")
    own = "CS101-Sums-4711\\Jörg Weiß_5_assignsubmission_file_\\"
    files = {f"{own}Sub\\{NAME}": b"j's", f"{own}Sub/{NAME}": b"more", f"{own}é.csv": b"1"}
    with mock.patch.object(ZipInfo, "_encodeFilenameFlags", lambda entry: (entry.filename.encode(coding), 0)):
        file = zipped(tmp_path / "all.zip", files)
    ours("collect", file, folder=folder)
    assert work(folder, "jörg", f"Sub/{NAME}") == b"j's"
    assert work(folder, "jörg", "Sub/weighted_sums (2).ipynb") == b"more"
    assert work(folder, "jörg", "é.csv") == b"1"


def test_a_zip_file_in_the_zip_file_is_unpacked_where_it_is_sound(folder, tmp_path):
    """What a student's own is like costs nobody else anything, and nothing is unpacked twice."""

    def nested(*others: str) -> bytes:
        files = {f"sums/{NAME}": b"zipped" * 99, **dict.fromkeys(others, b"")}
        return zipped(tmp_path / "inner.zip", files).read_bytes()

    sound, name = nested("../out.py", "/".join(["x" * 190] * 12)), f"sums/{NAME}".encode()
    directory = sound.find(b"PK\x01\x02")
    contents = {
        "amy": sound,
        "many": nested(*map(str, range(MAX_FILES))),
        "far": sound[:-6] + struct.pack("<L", 2**31) + sound[-2:],
        "nameless": sound.replace(name, b"\xff" * len(name)).replace(b"\0\0\x08\0", b"\0\x08\x08\0"),
        "large": sound[: directory + 42] + b"\xff\xff\xff\x7f" + sound[directory + 46 :],
    }
    rows = [f"{name},{name}" for name in contents]
    (folder / "students.csv").write_text("\n".join(["id,last_name", *rows]))
    files = {f"{name}_1_assignsubmission_file_/my.ZIP": content for name, content in contents.items()}
    ours("collect", zipped(tmp_path / "all.zip", files), LESSON, folder=folder)
    places = {student: folder / "submitted" / student / LESSON for student in those(folder)}
    assert len(places) == 5
    said = {student: archives.unpack_handed_in(place) for student, place in places.items()}
    assert [student for student, place in places.items() if (place / "my.ZIP.unpacked").exists()] == ["amy"]
    assert "../out.py leads out of the folder, or is no name: left out" in said["amy"]
    assert archives.unpack_handed_in(places["amy"]) == []
    (places["amy"] / "my.ZIP").write_bytes(nested())
    assert archives.unpack_handed_in(places["amy"]) == []
    assert work(folder, "amy", f"my.ZIP.unpacked/sums/{NAME}") == b"zipped" * 99
    assert (folder / "replaced" / "amy" / LESSON / "1" / "sums" / NAME).exists()


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
        (
            {"LATE_anon_aB3dE_4711_01_sums.ipynb": b"", "anon_12345_text.html": b""},
            "is an anonymous download",
        ),
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

"""Gradescope's files: submissions with their times, and rosters."""

from __future__ import annotations

import pytest

from autograder.tests.lms.files import GRADESCOPE, LESSON, NAME, PEOPLE, ours, roster, those, work, zipped


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

"""Files as Moodle, Canvas and Gradescope write them, and what a class's folder has of them."""

from __future__ import annotations

import csv
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from autograder.tests.commands import run_ours
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


def zipped(path: Path, files: dict[str, bytes], when=MONDAY) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(ZipInfo(name, when), content)
    return path


def moodle(path: Path, work: dict[str, bytes], when=MONDAY, style: str = "_assignsubmission_file_/") -> Path:
    """work: notebooks by "Full Name_participant"."""
    return zipped(path, {f"{who}{style}{NAME}": content for who, content in work.items()}, when)


def ours(*words: object, folder: Path, fails: bool = False) -> str:
    return run_ours(*map(str, words), "--class", str(folder), folder=ROOT, fails=fails)


def work(folder: Path, student: str, name: str = NAME) -> bytes:
    return (folder / "submitted" / student / LESSON / name).read_bytes()


def add_pages(folder: Path, *students: str) -> None:
    for student in students:
        page = folder / "feedback" / student / LESSON / "weighted_sums.html"
        page.parent.mkdir(parents=True)
        page.write_text(f"{student}'s")


def those(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.glob(f"submitted/*/{LESSON}")}


def roster(folder: Path) -> dict[str, list[str]]:
    with (folder / "students.csv").open(encoding="utf-8", newline="") as file:
        return {row[0]: row[1:] for row in csv.reader(file)}


def strict(path: Path, encoding: str = "utf-8") -> list[list[str]]:
    """The cells of a table in just this form."""
    with path.open(encoding=encoding, newline="") as file:
        rows = list(csv.reader(file, strict=True))
    assert len({len(row) for row in rows}) == 1
    return rows

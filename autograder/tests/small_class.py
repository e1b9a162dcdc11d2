"""A class of the small course: what is handed in there, and what a round, its tables and its pages say."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

from bs4 import BeautifulSoup

from autograder.courses import open_course
from autograder.tests.commands import run_ours
from autograder.tests.grading import hand_in, right
from autograder.tests.small_course import LESSON, NOTEBOOK


class Class:
    """A class's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said = ""
        self.lesson = open_course(folder).lesson(LESSON)
        self.full = sum(self.points.values())

    @property
    def points(self) -> dict[str, int]:
        return {exercise.id: exercise.points for exercise in self.lesson.graded}

    def work(self, student: str) -> Path:
        return self.folder / "submitted" / student / LESSON

    def hand_in(self, student: str, name: str = "", content: bytes = b"") -> None:
        """Put a file into `submitted/` in place of what lies there; none without a name."""
        shutil.rmtree(self.work(student), ignore_errors=True)
        self.work(student).mkdir(parents=True)
        if name:
            (self.work(student) / name).write_bytes(content)

    def hand_in_answers(self, student: str, **others: str) -> None:
        self.hand_in(student)
        hand_in(self.folder, student, self.lesson, right(self.lesson) | others)

    def round(self, *options: str, fails: bool = False) -> str:
        """Do a round; its last line comes back."""
        self.said = self.ours("round", *options, fails=fails)
        return self.said.strip().splitlines()[-1]

    def ours(self, verb: str, *options: str, fails: bool = False) -> str:
        command = (verb, "--class", str(self.folder), "--jobs", "1", *options)
        return run_ours(*command, folder=self.folder, fails=fails)

    def table(self) -> dict[str, tuple[str, str, str]]:
        """Of each student the score, the standing and the reason, as `grades.csv` says."""
        with (self.folder / "grades.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert {row["assignment"] for row in rows} == {LESSON}
        return {row["student_id"]: (row["score"], row["standing"], row["reason"]) for row in rows}

    def reported(self) -> dict[str, str]:
        """Of each student in the report's table how they stand: "graded" where there are points."""
        with (self.folder / "reports" / f"{LESSON}.csv").open(encoding="utf-8", newline="") as file:
            return {
                row["student"]: "graded" if row["exercise"] else row["state"] for row in csv.DictReader(file)
            }

    def page(self, student: str) -> str:
        path = self.folder / "feedback" / student / LESSON / f"{NOTEBOOK}.html"
        return " ".join(BeautifulSoup(path.read_text(), "html.parser").get_text(" ").split())

"""A round of ten students: no innocent student is accused, and what is left to do is said.

Some hand in through nbgrader's exchange, some by hand, some late.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.classroom import hand_in_times
from autograder.courses import CLASS, open_course
from autograder.execution.notebook_cells import grade_id_of
from autograder.execution.notes import NoteKind
from autograder.records.record_store import load_record
from autograder.sandbox import layers
from autograder.tests import simulated, small_course
from autograder.tests.commands import run_typed
from autograder.tests.small_course import DAYS, LESSON, NOTEBOOK
from autograder.tests.small_course import NAME as COURSE

STUDENTS = simulated.names(10)
BY_EXCHANGE, LATE = STUDENTS[:4], STUDENTS[2:6]
FORGER, (EDITED, REGRADED) = LATE[-1], STUDENTS[-2:]
DUE, IN_TIME, TOO_LATE = "2026-03-01 12:00:00 UTC", "2026-02-27 09:30:00 UTC", "2026-03-02 08:00:00 UTC"


class Round:
    """The course folder of a round, once it is finished; said: what the command printed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.exchange = folder / COURSE, folder / COURSE / "exchange"
        small_course.make(self.folder)
        (self.exchange / COURSE / "inbound").mkdir(parents=True)
        self.exchange.chmod(0o777)
        settings = self.folder / "nbgrader_config.py"
        unsealed = "" if layers.sandbox_available() else "c.SealedKernel.allow_unsealed = True\n"
        exchange = f"\nc.Exchange.root = {str(self.exchange)!r}\n"
        settings.write_text(settings.read_text() + exchange + unsealed)
        (self.folder / CLASS).write_text("[late]\npercent_a_day = 100\n")
        self.lesson = open_course(self.folder).lesson(LESSON)
        self._hand_in()
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}", COURSE) as gradebook:
            gradebook.update_or_create_assignment(LESSON, duedate=DUE)
        steps = f"nbgrader generate_assignment {LESSON} --force", f"nbgrader collect {LESSON}"
        self.said = run_typed(*steps, f"autograder round {LESSON} --jobs 1", folder=self.folder)

    def _hand_in(self) -> None:
        """The class's notebooks: in the exchange as `nbgrader submit` leaves them, or copied to `submitted/`."""
        released = self.folder / "course" / LESSON / f"{NOTEBOOK}.ipynb"
        submitted = self.folder / "submitted"
        simulated.hand_in_class(self.lesson, released, submitted, len(STUDENTS), seed=9)
        (submitted / "amy.ipynb").write_text("{}")
        (submitted / "amy" / "temperature").mkdir(parents=True)
        for student, source, points in ((EDITED, "100.0", {}), (REGRADED, "", {"points": 100})):
            path = submitted / student / LESSON / f"{NOTEBOOK}.ipynb"
            notebook = nbformat.read(path, as_version=4)
            cell = next(cell for cell in notebook.cells if grade_id_of(cell) == f"test_{DAYS}")
            cell.source = source or cell.source
            cell.metadata["nbgrader"].update(points)
            nbformat.write(notebook, path)
        for student in set(LATE) - set(BY_EXCHANGE):
            hand_in_times.add_time(self.folder, student, LESSON, TOO_LATE)
        (submitted / FORGER / LESSON / "timestamp.txt").write_text(IN_TIME)
        for student in BY_EXCHANGE:
            when = TOO_LATE if student in LATE else IN_TIME
            folder = self.exchange / COURSE / "inbound" / f"{student}+{LESSON}+{when}+ab12"
            (submitted / student / LESSON).rename(folder)
            (folder / "timestamp.txt").write_text(when)
            (folder / "submission_secret.txt").write_text(f"{student}-secret")

    def page(self, student: str) -> Path:
        return self.folder / "feedback" / student / LESSON / f"{NOTEBOOK}.html"

    def notes(self, student: str) -> list[str]:
        notes = load_record(self.lesson, student, self.folder).notes
        unusual = [note for note in notes if note.kind not in (NoteKind.UNSEALED, NoteKind.LATE)]
        return [note.instructor_message for note in unusual]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Round:
    return Round(tmp_path_factory.mktemp("round"))


def test_only_who_changed_something_is_accused_of_it(finished: Round) -> None:
    notes = {student: finished.notes(student) for student in STUDENTS}
    assert {student: said for student, said in notes.items() if said} == {
        FORGER: ["timestamp.txt came with the work and is not believed: the time in handed_in.csv counts"],
        EDITED: [f"locked cell test_{DAYS} was edited; the original counts"],
        REGRADED: [f"grading settings of cell test_{DAYS} were changed; those of the release count"],
    }


def test_a_round_ends_with_what_is_left_to_do_and_what_to_open(finished: Round) -> None:
    left, opened = finished.said.split("\nOpen\n")
    assert f"Look at it (3)\n  {LESSON}  {FORGER}: timestamp.txt" in left
    assert f"{LESSON}  {EDITED}: locked cell" in left
    assert re.search(
        rf"Harmless: nothing to do \({len(LATE)}\)\n  {LESSON}  {LATE[0]}: handed in 20 hours late", left
    )
    assert "submitted/<student>/<lesson>/: submitted/amy/temperature, submitted/amy.ipynb\n" in left
    for line in opened.strip().splitlines():
        assert (finished.folder / line.split(" (")[0].strip()).exists(), line


def test_feedback_goes_to_those_who_handed_in_through_the_exchange(finished: Round) -> None:
    released = {path.read_text() for path in (finished.exchange / COURSE / "feedback").iterdir()}
    assert released == {finished.page(student).read_text() for student in BY_EXCHANGE}

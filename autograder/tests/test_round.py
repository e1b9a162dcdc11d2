"""A round of ten students, with all that happens in one: each page is true, and no innocent student is accused.

Some hand in through nbgrader's exchange, some by hand, some late. Once all is graded the instructor writes comments and
sets points; then it is shown and released.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from autograder.classroom import hand_in_times
from autograder.courses import CLASS, open_course
from autograder.execution.notebook_cells import grade_id_of
from autograder.execution.notes import NoteKind
from autograder.records.record_store import load_record
from autograder.sandbox import layers
from autograder.tests import simulated, small_course
from autograder.tests.commands import run_typed
from autograder.tests.small_course import CELSIUS, DAYS, LESSON, NOTEBOOK
from autograder.tests.small_course import NAME as COURSE

WORTH = 3
STUDENTS = simulated.names(10)
BY_EXCHANGE, LATE = STUDENTS[:4], STUDENTS[2:6]
FORGER, (EDITED, REGRADED) = LATE[-1], STUDENTS[-2:]
COMMENTS = {"student_001": "Sum one row.", "student_007": "See me about padding."}
SET_BY_HAND = "student_007"
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
        with self.gradebook() as gradebook:
            gradebook.update_or_create_assignment(LESSON, duedate=DUE)
        release = f"nbgrader generate_assignment {LESSON} --force"
        grade = f"nbgrader collect {LESSON}", f"autograder grade {LESSON} --jobs 1"
        run_typed(release, *grade, folder=self.folder)
        with self.gradebook() as gradebook:  # what an instructor leaves in the formgrader
            for student, comment in COMMENTS.items():
                gradebook.find_comment(CELSIUS, NOTEBOOK, LESSON, student).manual_comment = comment
            gradebook.find_grade(f"test_{DAYS}", NOTEBOOK, LESSON, SET_BY_HAND).manual_score = 2.5
            gradebook.db.commit()
        self.said = run_typed(f"autograder round {LESSON} --jobs 1", folder=self.folder)

    def gradebook(self) -> Gradebook:
        return Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}", COURSE)

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


def numbers(text: str) -> tuple[float, ...]:
    return tuple(map(float, re.findall(r"\d+(?:\.\d+)?", text)))


def shown(path: Path) -> dict[str, object]:
    """The total, each exercise's points, and the comments, as a page has them."""
    page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    items = {item["aria-labelledby"]: item for item in page.find_all("section", class_="item")}
    comments = {name: item.find(class_="comment") for name, item in items.items()}
    return {
        "total": numbers(page.find(class_="total").text),
        "points": {name: numbers(item.h2.span.text) for name, item in items.items()},
        "comments": {name: found.find_all("p")[-1].text for name, found in comments.items() if found},
    }


def held(gradebook: Gradebook, student: str) -> dict[str, object]:
    """The same from the gradebook."""
    submission = gradebook.find_submission_notebook(NOTEBOOK, LESSON, student)
    score = submission.score - (submission.late_submission_penalty or 0)
    comments = {comment.name: comment.manual_comment for comment in submission.comments}
    return {
        "total": (score, submission.max_score),
        "points": {g.name.removeprefix("test_"): (g.score, g.max_score) for g in submission.grades},
        "comments": {name: comment for name, comment in comments.items() if comment},
    }


def test_each_page_shows_what_the_gradebook_holds(finished: Round) -> None:
    with finished.gradebook() as gradebook:
        for student in STUDENTS:
            assert shown(finished.page(student)) == held(gradebook, student), student
        points = {student: held(gradebook, student)["points"] for student in STUDENTS}
        comments = {student: held(gradebook, student)["comments"] for student in COMMENTS}
        penalties = {s: gradebook.find_submission(LESSON, s).late_submission_penalty for s in STUDENTS}
    assert {of[CELSIUS][1] for of in points.values()} == {WORTH}
    assert WORTH in {of[CELSIUS][0] for of in points.values()}
    assert points[SET_BY_HAND][DAYS][0] == 2.5
    assert comments == {student: {CELSIUS: comment} for student, comment in COMMENTS.items()}
    late = {student for student in LATE if any(score for score, _ in points[student].values())}
    assert {student for student, penalty in penalties.items() if penalty} == late
    assert late & set(BY_EXCHANGE)
    assert late - set(BY_EXCHANGE)


def test_only_who_changed_something_is_accused_of_it(finished: Round) -> None:
    notes = {student: finished.notes(student) for student in STUDENTS}
    assert {student: said for student, said in notes.items() if said} == {
        FORGER: ["timestamp.txt came with the work and is not believed: the time in handed_in.csv counts"],
        EDITED: [f"locked cell test_{DAYS} was edited; the original counts"],
        REGRADED: [f"grading settings of cell test_{DAYS} were changed; those of the release count"],
    }


def test_who_is_late_is_told_so_in_words(finished: Round) -> None:
    pages = {student: finished.page(student).read_text(encoding="utf-8") for student in STUDENTS}
    told = {student for student, page in pages.items() if "Handed in 20 hours late" in page}
    assert all(
        ("Handed in Mon 2026-03-02 08:00 UTC." in pages[student]) == (student in LATE) for student in STUDENTS
    )
    assert told == set(LATE)
    assert not any("SubmittedAssignment" in text for text in (*pages.values(), finished.said))


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
